-- +goose Up
-- An owner's consent belongs to the browser that began it, and lasts no longer
-- than the credential that asked for it. start_hash is the SHA-256 of what the
-- start page's address carries, browser_hash that of the cookie which the last
-- browser there was given; '' until then. Authorisations of before have neither
-- and are over within a quarter of an hour.
ALTER TABLE integration_grants ADD COLUMN start_hash text NOT NULL DEFAULT '';
ALTER TABLE integration_grants ADD COLUMN browser_hash text NOT NULL DEFAULT '';
ALTER TABLE integration_grants ADD COLUMN session_id text NOT NULL DEFAULT '';
CREATE INDEX integration_grants_start ON integration_grants (start_hash);

-- +goose Down
DROP INDEX integration_grants_start;
ALTER TABLE integration_grants DROP COLUMN session_id;
ALTER TABLE integration_grants DROP COLUMN browser_hash;
ALTER TABLE integration_grants DROP COLUMN start_hash;

-- +goose Up
-- An owner's consent is bound to the browser in which it began, and to the
-- credential that asked for it. start_hash is the SHA-256 of the token in the start
-- page's address, browser_hash that of the cookie that was given to the last
-- browser there; '' until then. Earlier authorizations have neither and expire
-- within 15 minutes.
ALTER TABLE integration_grants ADD COLUMN start_hash text NOT NULL DEFAULT '';
ALTER TABLE integration_grants ADD COLUMN browser_hash text NOT NULL DEFAULT '';
ALTER TABLE integration_grants ADD COLUMN session_id text NOT NULL DEFAULT '';
CREATE INDEX integration_grants_start ON integration_grants (start_hash);

-- +goose Down
DROP INDEX integration_grants_start;
ALTER TABLE integration_grants DROP COLUMN session_id;
ALTER TABLE integration_grants DROP COLUMN browser_hash;
ALTER TABLE integration_grants DROP COLUMN start_hash;

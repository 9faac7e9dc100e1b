-- compatible: yes, the version before leaves the column empty and the table as it is; what it connects is found by the account.

-- +goose Up
-- By what the platform names whoever consented, if that isn't the account; else ''.
ALTER TABLE integrations ADD COLUMN owner_id text NOT NULL DEFAULT '';
CREATE INDEX integrations_by_owner ON integrations (platform, owner_id) WHERE owner_id <> '';
CREATE INDEX integrations_by_account ON integrations (platform, account_key) WHERE account_key <> '';

-- What people asked Meta's platforms to have deleted here. It doesn't say who.
CREATE TABLE data_deletions (
    code         text PRIMARY KEY,
    platform     text NOT NULL,
    requested_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3)
);
CREATE INDEX data_deletions_by_age ON data_deletions (requested_at);

-- +goose Down
DROP TABLE data_deletions;
DROP INDEX integrations_by_account;
DROP INDEX integrations_by_owner;
ALTER TABLE integrations DROP COLUMN owner_id;

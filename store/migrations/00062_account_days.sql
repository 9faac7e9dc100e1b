-- compatible: yes, the version before leaves the table as it is, and gives up a task of the new kind, which is added again.

-- +goose Up
-- The figures of accounts by day (UTC), NULL where the platform reports none.
CREATE TABLE account_days (
    integration_id text NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    day            text NOT NULL,
    tenant_id      text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform       text NOT NULL,
    followers      bigint,
    reach          bigint,
    views          bigint,
    updated_at     timestamptz(3) NOT NULL,
    PRIMARY KEY (integration_id, day)
);
CREATE INDEX account_days_of_tenants ON account_days (tenant_id);
CREATE INDEX account_days_by_age ON account_days (platform, day);

-- The tasks that read accounts' figures: one for each account.
CREATE UNIQUE INDEX tasks_of_accounts ON tasks (subject) WHERE type = 'account:figures';

-- +goose Down
DELETE FROM tasks WHERE type = 'account:figures';
DROP INDEX tasks_of_accounts;
DROP TABLE account_days;

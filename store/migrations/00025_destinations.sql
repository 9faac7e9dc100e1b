-- compatible: no, the version before publishes a mission's posts through default accounts only.

-- +goose Up
-- The accounts that a mission posts to, by their integrations' ids.
ALTER TABLE missions ADD COLUMN integration_ids jsonb NOT NULL DEFAULT '[]';
-- The handle of the account that a post is for.
ALTER TABLE contents ADD COLUMN account_handle text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE contents DROP COLUMN account_handle;
ALTER TABLE missions DROP COLUMN integration_ids;

-- compatible: yes, the version before leaves the column as it is.

-- +goose Up
-- The lists of posts that a person has saved.
ALTER TABLE users ADD COLUMN views jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE users DROP COLUMN views;

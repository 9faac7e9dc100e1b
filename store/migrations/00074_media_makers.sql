-- compatible: yes, the version before leaves the column empty and looks nobody up: files have the user who uploaded them.

-- +goose Up
-- Who uploads a file: a user, an API key or an agent.
ALTER TABLE media ADD COLUMN created_by text;

-- +goose Down
ALTER TABLE media DROP COLUMN created_by;

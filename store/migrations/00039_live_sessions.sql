-- compatible: yes, it only adds an index.

-- +goose Up
-- The list of a user's sessions that haven't ended, newest first.
CREATE INDEX sessions_live ON sessions (user_id, created_at, id) WHERE ended_at IS NULL;

-- +goose Down
DROP INDEX sessions_live;

-- compatible: no, the version before reads all columns of a task that arrives early, and only those that it knows.

-- +goose Up
-- The span in which a task was created, as the W3C's traceparent; NULL if it wasn't recorded.
ALTER TABLE tasks ADD COLUMN traceparent text;

-- +goose Down
ALTER TABLE tasks DROP COLUMN traceparent;

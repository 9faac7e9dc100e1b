-- compatible: yes, it only adds an index.

-- +goose Up
-- The first comments that wait, by tenant: those of an account are sent when it is reconnected.
CREATE INDEX tasks_of_comments ON tasks (tenant_id) WHERE type = 'content:comment';

-- +goose Down
DROP INDEX tasks_of_comments;

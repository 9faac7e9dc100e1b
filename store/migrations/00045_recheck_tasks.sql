-- compatible: yes, it only adds an index.

-- +goose Up
-- The tasks that check a tenant's posts again, which aren't a mission's.
CREATE INDEX tasks_of_rechecks ON tasks (tenant_id) WHERE type = 'tenant:recheck';

-- +goose Down
DROP INDEX tasks_of_rechecks;

-- compatible: yes, the version before leaves the columns as they are.

-- +goose Up
-- What of the service's own kept a task from being done in its last attempts, and since when.
ALTER TABLE tasks ADD COLUMN trouble text;
ALTER TABLE tasks ADD COLUMN trouble_since timestamptz(3);
CREATE INDEX tasks_in_trouble ON tasks (trouble, trouble_since) WHERE trouble IS NOT NULL;

-- +goose Down
DROP INDEX tasks_in_trouble;
ALTER TABLE tasks DROP COLUMN trouble_since;
ALTER TABLE tasks DROP COLUMN trouble;

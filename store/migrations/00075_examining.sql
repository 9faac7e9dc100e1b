-- compatible: yes, the version before examines the files that it takes itself; those that this one takes wait for its workers.

-- +goose Up
-- How many examinations of a file in a row broke off.
ALTER TABLE media ADD COLUMN deaths bigint NOT NULL DEFAULT 0;

-- From when on a tenant's files are examined while others' wait: later the more its last ones took of the processor.
CREATE TABLE media_turns (
    tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
    next_at   timestamptz(3) NOT NULL
);
CREATE INDEX tasks_of_examining ON tasks (tenant_id, state, run_at) WHERE type = 'media:examine';
CREATE INDEX tasks_of_media ON tasks (tenant_id, subject) WHERE type IN ('media:process', 'media:examine');

-- +goose Down
DROP INDEX tasks_of_media;
DROP INDEX tasks_of_examining;
DROP TABLE media_turns;
UPDATE tasks SET type = 'media:process', queue = 'maintenance', lane = '', hands = 0, ring_at = run_at WHERE type = 'media:examine';
ALTER TABLE media DROP COLUMN deaths;

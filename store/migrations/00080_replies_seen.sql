-- compatible: yes, the version before leaves the column as it is: it doesn't see what was deleted among more replies than a run reads.

-- +goose Up
-- The last read over several runs that showed a reply before its end, by when that began.
ALTER TABLE replies ADD COLUMN seen_in timestamptz(3);

-- +goose Down
ALTER TABLE replies DROP COLUMN seen_in;

-- compatible: yes, the version before leaves the column as it is, and doesn't refuse files whose examinations break off.

-- +goose Up
-- How many examinations of a file in a row broke off.
ALTER TABLE media ADD COLUMN deaths bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE media DROP COLUMN deaths;

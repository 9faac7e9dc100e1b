-- compatible: no, the version before doesn't count what it stores of files.

-- +goose Up
-- How many bytes are stored for a file, or reserved.
ALTER TABLE media ADD COLUMN stored bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE media DROP COLUMN stored;

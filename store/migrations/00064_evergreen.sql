-- compatible: yes, the version before repeats no post, and leaves the column as it is.

-- +goose Up
-- The post that another repeats, in its words or in others.
ALTER TABLE contents ADD COLUMN repeats text;
CREATE INDEX contents_repeating ON contents (repeats, created_at) WHERE repeats IS NOT NULL;

-- +goose Down
DROP INDEX contents_repeating;
ALTER TABLE contents DROP COLUMN repeats;

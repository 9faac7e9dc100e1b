-- compatible: yes, the version before leaves the column as it is, and checks less.

-- +goose Up
-- How a video is coded; {} for what isn't known, as of videos that were examined before.
ALTER TABLE media ADD COLUMN coding jsonb NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE media DROP COLUMN coding;

-- compatible: no, the version before publishes posts that have a banned word or rest on a fact that has expired.

-- +goose Up
-- The facts of the brand that a revision rests on, as they were.
ALTER TABLE contents ADD COLUMN facts jsonb NOT NULL DEFAULT '[]';
ALTER TABLE content_revisions ADD COLUMN facts jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE content_revisions DROP COLUMN facts;
ALTER TABLE contents DROP COLUMN facts;

-- compatible: no, the version before doesn't send the first comments of the posts that it publishes.

-- +goose Up
-- A post's first comment, and what became of it.
ALTER TABLE contents ADD COLUMN first_comment jsonb;
-- The text of a revision's first comment.
ALTER TABLE content_revisions ADD COLUMN first_comment text;

-- +goose Down
DELETE FROM tasks WHERE type = 'content:comment';
ALTER TABLE content_revisions DROP COLUMN first_comment;
ALTER TABLE contents DROP COLUMN first_comment;

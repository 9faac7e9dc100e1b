-- compatible: no, the version before lets people approve who may not, and drops the task review:tell.

-- +goose Up
-- Who reviews a mission's posts, whether only they may, and who made it.
ALTER TABLE missions ADD COLUMN reviewers jsonb NOT NULL DEFAULT '[]';
ALTER TABLE missions ADD COLUMN reviewers_only boolean NOT NULL DEFAULT false;
ALTER TABLE missions ADD COLUMN created_by text;
-- Whether a person has switched e-mails about posts that wait for review off.
ALTER TABLE users ADD COLUMN review_emails_off boolean NOT NULL DEFAULT false;

-- +goose Down
DELETE FROM tasks WHERE type = 'review:tell';
ALTER TABLE users DROP COLUMN review_emails_off;
ALTER TABLE missions DROP COLUMN created_by;
ALTER TABLE missions DROP COLUMN reviewers_only;
ALTER TABLE missions DROP COLUMN reviewers;

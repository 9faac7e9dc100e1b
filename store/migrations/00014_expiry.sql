-- +goose Up
-- When a post that waits for review expires, and when its expiry is announced.
ALTER TABLE contents ADD COLUMN expires_at timestamptz(3);
ALTER TABLE contents ADD COLUMN expiring_at timestamptz(3);
UPDATE contents SET expires_at = (SELECT window_end FROM jobs WHERE jobs.id = contents.job_id) WHERE status = 'pending_review';
-- Late posts keep a distance from posts that were published recently.
CREATE INDEX contents_published ON contents (mission_id, published_at) WHERE status = 'published';

-- +goose Down
DROP INDEX contents_published;
ALTER TABLE contents DROP COLUMN expiring_at;
ALTER TABLE contents DROP COLUMN expires_at;

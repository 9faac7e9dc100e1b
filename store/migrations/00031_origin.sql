-- compatible: no, the version before expects a job of each post.

-- +goose Up
-- Who made a post: a writer or a person. A person's post has no job.
ALTER TABLE contents ADD COLUMN origin text NOT NULL DEFAULT 'writer';
-- Whether a person chose the post's time. Such times may be those of other posts, on
-- other accounts.
ALTER TABLE contents ADD COLUMN placed boolean NOT NULL DEFAULT false;
DROP INDEX contents_slot;
CREATE UNIQUE INDEX contents_slot ON contents (mission_id, scheduled_at, (CASE WHEN placed THEN id ELSE '' END))
    WHERE status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown');

-- +goose Down
DELETE FROM contents WHERE origin = 'person';
DROP INDEX contents_slot;
ALTER TABLE contents DROP COLUMN placed;
ALTER TABLE contents DROP COLUMN origin;
CREATE UNIQUE INDEX contents_slot ON contents (mission_id, scheduled_at)
    WHERE status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown');

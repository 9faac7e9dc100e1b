-- compatible: yes, the version before has posting days end a day later after a pause, as it did, and leaves the columns as they are.

-- +goose Up
-- From when on the posts of days without a job lie, and how many posts the days beyond the duration make up for.
ALTER TABLE missions ADD COLUMN planned_from timestamptz(3);
ALTER TABLE missions ADD COLUMN owed_posts bigint NOT NULL DEFAULT 0;

-- Pauses so far moved days: the next begins behind the latest, and the time that they took is made up for.
UPDATE missions SET
    planned_from = (SELECT max(window_end) FROM jobs WHERE jobs.mission_id = missions.id),
    owed_posts = (paused_ms + 86399999) / 86400000 * CAST(constraints->>'posts_per_day' AS bigint)
WHERE paused_ms > 0 AND status IN ('active', 'paused');

-- +goose Down
ALTER TABLE missions DROP COLUMN owed_posts;
ALTER TABLE missions DROP COLUMN planned_from;

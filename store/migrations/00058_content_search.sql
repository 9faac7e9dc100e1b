-- compatible: no, searches don't find what the version before writes, and lists don't have its figures.

-- +goose Up
-- content_texts, by which searches find posts, was made and filled before this migration (migrate_texts.go).

-- The latest figures of published posts, which lists are in the order of; -1 for one that isn't known.
ALTER TABLE contents ADD COLUMN impressions double precision NOT NULL DEFAULT -1;
ALTER TABLE contents ADD COLUMN clicks double precision NOT NULL DEFAULT -1;
ALTER TABLE contents ADD COLUMN likes double precision NOT NULL DEFAULT -1;
ALTER TABLE contents ADD COLUMN comments double precision NOT NULL DEFAULT -1;
ALTER TABLE contents ADD COLUMN shares double precision NOT NULL DEFAULT -1;
ALTER TABLE contents ADD COLUMN engagement_rate double precision NOT NULL DEFAULT -1;
UPDATE contents SET
    impressions = COALESCE(CAST(metrics ->> 'impressions' AS double precision), -1),
    clicks = COALESCE(CAST(metrics ->> 'clicks' AS double precision), -1),
    likes = COALESCE(CAST(metrics ->> 'likes' AS double precision), -1),
    comments = COALESCE(CAST(metrics ->> 'comments' AS double precision), -1),
    shares = COALESCE(CAST(metrics ->> 'shares' AS double precision), -1),
    engagement_rate = COALESCE(CAST(metrics ->> 'engagement_rate' AS double precision), -1)
WHERE measured_at IS NOT NULL;
CREATE INDEX contents_by_impressions ON contents (tenant_id, platform, impressions, id) WHERE status = 'published';
CREATE INDEX contents_by_clicks ON contents (tenant_id, platform, clicks, id) WHERE status = 'published';
CREATE INDEX contents_by_likes ON contents (tenant_id, platform, likes, id) WHERE status = 'published';
CREATE INDEX contents_by_comments ON contents (tenant_id, platform, comments, id) WHERE status = 'published';
CREATE INDEX contents_by_shares ON contents (tenant_id, platform, shares, id) WHERE status = 'published';
CREATE INDEX contents_by_engagement_rate ON contents (tenant_id, platform, engagement_rate, id) WHERE status = 'published';

-- +goose Down
DROP INDEX contents_by_engagement_rate;
DROP INDEX contents_by_shares;
DROP INDEX contents_by_comments;
DROP INDEX contents_by_likes;
DROP INDEX contents_by_clicks;
DROP INDEX contents_by_impressions;
ALTER TABLE contents DROP COLUMN engagement_rate;
ALTER TABLE contents DROP COLUMN shares;
ALTER TABLE contents DROP COLUMN comments;
ALTER TABLE contents DROP COLUMN likes;
ALTER TABLE contents DROP COLUMN clicks;
ALTER TABLE contents DROP COLUMN impressions;
DROP TABLE IF EXISTS content_grams;
DROP TABLE content_texts;

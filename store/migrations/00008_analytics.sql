-- +goose Up
-- When a published post is measured next; NULL if it isn't measured any more.
ALTER TABLE contents ADD COLUMN measure_at timestamptz(3);
UPDATE contents SET measure_at = published_at WHERE status = 'published';
CREATE INDEX contents_to_measure ON contents (mission_id, measure_at) WHERE measure_at IS NOT NULL;
-- Measured posts, in the order of their publication.
CREATE INDEX contents_measured ON contents (mission_id, published_at, id) WHERE measured_at IS NOT NULL;
CREATE INDEX contents_measured_of_tenant ON contents (tenant_id, published_at, id) WHERE measured_at IS NOT NULL;
DROP INDEX contents_published;

-- The figures of a post at a step of its measuring schedule.
CREATE TABLE measurements (
    content_id   text NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    step         bigint NOT NULL,
    mission_id   text NOT NULL,
    platform     text NOT NULL,
    published_at timestamptz(3) NOT NULL,
    measured_at  timestamptz(3) NOT NULL,
    metrics      jsonb NOT NULL,
    PRIMARY KEY (content_id, step)
);
CREATE INDEX measurements_of_step ON measurements (mission_id, step, platform, published_at, content_id);

-- The sums of the latest figures of the posts that a platform published on a day
-- (UTC): of a mission or, with the mission '', of the tenant. A figure is NULL if
-- no post reports it. rated is the engagements of posts that report their
-- impressions.
CREATE TABLE day_figures (
    tenant_id        text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id       text NOT NULL,
    date             text NOT NULL,
    platform         text NOT NULL,
    posts            bigint NOT NULL,
    impressions      double precision,
    reach            double precision,
    likes            double precision,
    comments         double precision,
    shares           double precision,
    clicks           double precision,
    link_clicks      double precision,
    followers_gained double precision,
    rated            double precision,
    PRIMARY KEY (tenant_id, mission_id, date, platform)
);
DROP TABLE mission_days;

-- What missions learned from their posts.
CREATE TABLE mission_learning (
    mission_id text PRIMARY KEY REFERENCES missions (id) ON DELETE CASCADE,
    learned    jsonb NOT NULL,
    learned_at timestamptz(3) NOT NULL
);
ALTER TABLE missions DROP COLUMN learned;
ALTER TABLE missions DROP COLUMN earlier_totals;
-- Where a mission's KPIs are heading, by metric and platform.
ALTER TABLE missions ADD COLUMN trends jsonb;

-- One task per mission measures its posts.
CREATE UNIQUE INDEX tasks_of_measuring ON tasks (mission_id) WHERE type = 'mission:measure';

-- +goose Down
DROP INDEX tasks_of_measuring;
ALTER TABLE missions DROP COLUMN trends;
ALTER TABLE missions ADD COLUMN earlier_totals jsonb NOT NULL DEFAULT '{}';
ALTER TABLE missions ADD COLUMN learned jsonb NOT NULL DEFAULT '{}';
DROP TABLE mission_learning;
CREATE TABLE mission_days (
    mission_id text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    date       text NOT NULL,
    platform   text NOT NULL,
    metrics    jsonb NOT NULL,
    PRIMARY KEY (mission_id, date, platform)
);
DROP TABLE day_figures;
DROP TABLE measurements;
CREATE INDEX contents_published ON contents (mission_id, published_at) WHERE status = 'published';
DROP INDEX contents_measured_of_tenant;
DROP INDEX contents_measured;
DROP INDEX contents_to_measure;
ALTER TABLE contents DROP COLUMN measure_at;

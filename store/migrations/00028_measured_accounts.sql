-- compatible: no, the version before adds to a platform's figures of a day, which are an account's now.

-- +goose Up
-- The sums of the latest figures of the posts that an account published on a day
-- (UTC): of a mission or, with the mission '', of the tenant. integration_id is
-- the account; '' is the sandbox. A figure is NULL if no post reports it. rated is
-- the engagements of posts that report their impressions. The program has created
-- and filled the table before, unless the database is new.
CREATE TABLE IF NOT EXISTS account_figures (
    tenant_id        text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id       text NOT NULL,
    date             text NOT NULL,
    platform         text NOT NULL,
    integration_id   text NOT NULL,
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
    PRIMARY KEY (tenant_id, mission_id, date, platform, integration_id)
);
DROP TABLE day_figures;
ALTER TABLE account_figures RENAME TO day_figures;

-- An account's measured posts, in the order of their publication: what its posts are
-- compared with. A measurement is found by its post.
CREATE INDEX contents_measured_of_account ON contents (mission_id, platform, integration_id, published_at, id) WHERE measured_at IS NOT NULL;
DROP INDEX measurements_of_step;

-- +goose Down
CREATE TABLE platform_figures (
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
INSERT INTO platform_figures SELECT tenant_id, mission_id, date, platform, sum(posts), sum(impressions), sum(reach), sum(likes),
        sum(comments), sum(shares), sum(clicks), sum(link_clicks), sum(followers_gained), sum(rated)
    FROM day_figures GROUP BY tenant_id, mission_id, date, platform;
DROP TABLE day_figures;
ALTER TABLE platform_figures RENAME TO day_figures;
CREATE INDEX measurements_of_step ON measurements (mission_id, step, platform, published_at, content_id);
DROP INDEX contents_measured_of_account;

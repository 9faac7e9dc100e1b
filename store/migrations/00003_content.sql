-- +goose Up
-- Amounts are in micros: 10,000 are a cent.
ALTER TABLE missions ADD COLUMN spent_micros bigint NOT NULL DEFAULT 0;
ALTER TABLE missions ADD COLUMN reserved_micros bigint NOT NULL DEFAULT 0;
ALTER TABLE contents RENAME COLUMN cost_cents TO cost_micros;
ALTER TABLE jobs RENAME COLUMN cost_cents TO cost_micros;
UPDATE contents SET cost_micros = cost_micros * 10000 WHERE cost_micros <> 0;
UPDATE jobs SET cost_micros = cost_micros * 10000 WHERE cost_micros <> 0;

ALTER TABLE contents ADD COLUMN author_id text;    -- NULL if a writer wrote it
ALTER TABLE contents ADD COLUMN instructions text; -- for the writer
ALTER TABLE contents ADD COLUMN verdict jsonb NOT NULL DEFAULT '{}';
ALTER TABLE contents ADD COLUMN reviewed_by text;
ALTER TABLE contents ADD COLUMN reviewed_at timestamptz(3);

-- For the lists of a tenant, by each filter, and of a mission.
CREATE INDEX contents_newest ON contents (tenant_id, created_at, id);
CREATE INDEX contents_newest_by_status ON contents (tenant_id, status, created_at, id);
CREATE INDEX contents_newest_by_platform ON contents (tenant_id, platform, created_at, id);
CREATE INDEX contents_newest_by_both ON contents (tenant_id, platform, status, created_at, id);
CREATE INDEX contents_of_mission ON contents (mission_id, created_at, id);
CREATE INDEX contents_of_mission_by_status ON contents (mission_id, status, created_at, id);

-- The number of posts: of a mission or, with '', of the tenant; on a platform or,
-- with '', on all.
CREATE TABLE content_totals (
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id text NOT NULL,
    platform   text NOT NULL,
    status     text NOT NULL,
    n          bigint NOT NULL,
    PRIMARY KEY (tenant_id, mission_id, platform, status)
);
INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
    SELECT tenant_id, mission_id, platform, status, count(*) FROM contents GROUP BY tenant_id, mission_id, platform, status;
INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
    SELECT tenant_id, mission_id, '', status, count(*) FROM contents GROUP BY tenant_id, mission_id, status;
INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
    SELECT tenant_id, '', platform, status, count(*) FROM contents GROUP BY tenant_id, platform, status;
INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
    SELECT tenant_id, '', '', status, count(*) FROM contents GROUP BY tenant_id, status;

-- The replaced texts of posts.
CREATE TABLE content_revisions (
    content_id       text NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    revision         bigint NOT NULL,
    tenant_id        text NOT NULL,
    format           text NOT NULL,
    body             text NOT NULL,
    parts            jsonb NOT NULL,
    author_id        text,
    instructions     text,
    verdict          jsonb NOT NULL,
    status           text NOT NULL,
    rejection_reason text,
    reviewed_by      text,
    reviewed_at      timestamptz(3),
    created_at       timestamptz(3) NOT NULL,
    PRIMARY KEY (content_id, revision)
);

-- What calls cost: reserved before, settled after. One open row per subject.
CREATE TABLE spendings (
    id              text PRIMARY KEY,
    tenant_id       text NOT NULL,
    mission_id      text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    job_id          text NOT NULL,
    kind            text NOT NULL,
    subject         text NOT NULL,
    reserved_micros bigint NOT NULL,
    spent_micros    bigint,       -- NULL until it is settled
    created_at      timestamptz(3) NOT NULL,
    settled_at      timestamptz(3)
);
CREATE UNIQUE INDEX spendings_open ON spendings (mission_id, kind, subject) WHERE settled_at IS NULL;

-- The figures of a mission's posts by the day (UTC) of their publication.
CREATE TABLE mission_days (
    mission_id text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    date       text NOT NULL,
    platform   text NOT NULL,
    metrics    jsonb NOT NULL,
    PRIMARY KEY (mission_id, date, platform)
);

-- Until when calls to a platform are stopped for a tenant.
CREATE TABLE platform_holds (
    tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform  text NOT NULL,
    until     timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, platform)
);

-- +goose Down
DROP TABLE platform_holds;
DROP TABLE mission_days;
DROP TABLE spendings;
DROP TABLE content_revisions;
DROP TABLE content_totals;
DROP INDEX contents_of_mission_by_status;
DROP INDEX contents_of_mission;
DROP INDEX contents_newest_by_both;
DROP INDEX contents_newest_by_platform;
DROP INDEX contents_newest_by_status;
DROP INDEX contents_newest;
ALTER TABLE contents DROP COLUMN reviewed_at;
ALTER TABLE contents DROP COLUMN reviewed_by;
ALTER TABLE contents DROP COLUMN verdict;
ALTER TABLE contents DROP COLUMN instructions;
ALTER TABLE contents DROP COLUMN author_id;
UPDATE contents SET cost_micros = cost_micros / 10000 WHERE cost_micros <> 0;
UPDATE jobs SET cost_micros = cost_micros / 10000 WHERE cost_micros <> 0;
ALTER TABLE contents RENAME COLUMN cost_micros TO cost_cents;
ALTER TABLE jobs RENAME COLUMN cost_micros TO cost_cents;
ALTER TABLE missions DROP COLUMN reserved_micros;
ALTER TABLE missions DROP COLUMN spent_micros;

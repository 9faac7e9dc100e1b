-- The same text for both dialects. SQLite accepts the type names and stores times
-- as UTC text in one format, which sorts as the times do.

-- +goose Up
CREATE TABLE settings (
    name  text PRIMARY KEY,
    value jsonb NOT NULL
);

CREATE TABLE tenants (
    id         text PRIMARY KEY,
    name       text NOT NULL,
    slug       text NOT NULL UNIQUE,
    plan       text NOT NULL,
    limits     jsonb NOT NULL,
    brand      jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
);
CREATE INDEX tenants_newest ON tenants (created_at, id);

CREATE TABLE users (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    email      text NOT NULL,
    name       text NOT NULL,
    role       text NOT NULL,
    created_at timestamptz(3) NOT NULL
);
CREATE INDEX users_of_tenant ON users (tenant_id, id);

CREATE TABLE api_keys (
    id           text PRIMARY KEY,
    tenant_id    text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    user_id      text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         text NOT NULL,
    key_prefix   text NOT NULL,
    hash         text NOT NULL UNIQUE, -- SHA-256 of the key, hex; the key itself is not stored
    scopes       jsonb NOT NULL,
    expires_at   timestamptz(3),
    revoked_at   timestamptz(3),
    created_at   timestamptz(3) NOT NULL
);
CREATE INDEX api_keys_newest ON api_keys (tenant_id, created_at, id);

CREATE TABLE missions (
    id              text PRIMARY KEY,
    tenant_id       text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    name            text NOT NULL,
    description     text NOT NULL,
    status          text NOT NULL,
    objectives      jsonb NOT NULL,
    platforms       jsonb NOT NULL,
    constraints     jsonb NOT NULL,
    kpis            jsonb NOT NULL,
    duration_days   bigint NOT NULL,
    starts_at       timestamptz(3),
    ends_at         timestamptz(3),
    pipeline_job_id text,
    paused_at       timestamptz(3),
    paused_ms       bigint NOT NULL,
    next_cycle      bigint NOT NULL,
    generated       bigint NOT NULL,
    pending_review  bigint NOT NULL,
    approved        bigint NOT NULL,
    published       bigint NOT NULL,
    scheduled       bigint NOT NULL,
    learned         jsonb NOT NULL,
    totals          jsonb NOT NULL,
    earlier_totals  jsonb NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL
);
CREATE INDEX missions_newest ON missions (tenant_id, created_at, id);
CREATE INDEX missions_newest_by_status ON missions (tenant_id, status, created_at, id);

-- For lists by platform. status is a copy of the mission's.
CREATE TABLE mission_platforms (
    mission_id text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    platform   text NOT NULL,
    tenant_id  text NOT NULL,
    status     text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (mission_id, platform)
);
CREATE INDEX mission_platforms_newest ON mission_platforms (tenant_id, platform, created_at, mission_id);
CREATE INDEX mission_platforms_newest_by_status ON mission_platforms (tenant_id, platform, status, created_at, mission_id);

-- The number of a tenant's missions, by status and by status and platform. The
-- platform '' counts each mission once.
CREATE TABLE mission_totals (
    tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform  text NOT NULL,
    status    text NOT NULL,
    n         bigint NOT NULL,
    PRIMARY KEY (tenant_id, platform, status)
);

CREATE TABLE jobs (
    id            text PRIMARY KEY,
    tenant_id     text NOT NULL,
    mission_id    text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    cycle         bigint NOT NULL,
    day           bigint NOT NULL,
    window_start  timestamptz(3) NOT NULL,
    window_end    timestamptz(3) NOT NULL,
    status        text NOT NULL,
    current_stage text NOT NULL,
    brief         jsonb NOT NULL,
    plan          jsonb NOT NULL,
    planned       bigint NOT NULL,
    written       bigint NOT NULL,
    settled       bigint NOT NULL,
    cost_cents    bigint NOT NULL,
    error         jsonb,
    created_at    timestamptz(3) NOT NULL,
    updated_at    timestamptz(3) NOT NULL,
    completed_at  timestamptz(3),
    UNIQUE (mission_id, day)
);
CREATE INDEX jobs_running ON jobs (mission_id) WHERE status = 'running';

CREATE TABLE stages (
    job_id       text NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    name         text NOT NULL,
    status       text NOT NULL,
    attempts     bigint NOT NULL,
    started_at   timestamptz(3),
    completed_at timestamptz(3),
    error        jsonb,
    PRIMARY KEY (job_id, name)
);

CREATE TABLE contents (
    id               text PRIMARY KEY,
    tenant_id        text NOT NULL,
    mission_id       text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    job_id           text NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    position         bigint NOT NULL,
    platform         text NOT NULL,
    format           text NOT NULL,
    status           text NOT NULL,
    body             text NOT NULL,
    parts            jsonb NOT NULL,
    angle            text NOT NULL,
    revision         bigint NOT NULL,
    scheduled_at     timestamptz(3),
    published_at     timestamptz(3),
    platform_post_id text,
    platform_url     text,
    rejection_reason text,
    error            jsonb,
    cost_cents       bigint NOT NULL,
    metrics          jsonb,
    measured_at      timestamptz(3),
    created_at       timestamptz(3) NOT NULL,
    updated_at       timestamptz(3) NOT NULL,
    UNIQUE (job_id, position)
);
-- One post per slot.
CREATE UNIQUE INDEX contents_slot ON contents (mission_id, scheduled_at)
    WHERE status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown');
CREATE INDEX contents_scheduled ON contents (mission_id, scheduled_at) WHERE status = 'scheduled';
CREATE INDEX contents_publishing ON contents (mission_id) WHERE status = 'publishing';
CREATE INDEX contents_published ON contents (mission_id, published_at) WHERE status = 'published';

CREATE TABLE events (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id text NOT NULL,
    type       text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    body       bytea NOT NULL -- the envelope, exactly as it is sent
);
CREATE INDEX events_of_tenant ON events (tenant_id, id);
CREATE INDEX events_of_mission ON events (tenant_id, mission_id, id);

-- The ledger of tasks. Finished tasks have no row.
CREATE TABLE tasks (
    id          text PRIMARY KEY,
    tenant_id   text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id  text NOT NULL,
    type        text NOT NULL,
    queue       text NOT NULL,
    subject     text NOT NULL,
    day         bigint NOT NULL,
    run_at      timestamptz(3) NOT NULL,
    ring_at     timestamptz(3) NOT NULL, -- when to dispatch it next
    state       text NOT NULL,
    lane        text NOT NULL,           -- '' until it is dispatched as due
    attempt     bigint NOT NULL,
    fence       bigint NOT NULL,
    lost        bigint NOT NULL,
    hands       bigint NOT NULL,
    lease_until timestamptz(3),
    created_at  timestamptz(3) NOT NULL
);
CREATE INDEX tasks_ring ON tasks (ring_at) WHERE state = 'waiting';
CREATE INDEX tasks_lease ON tasks (lease_until) WHERE state = 'running';
CREATE INDEX tasks_lane ON tasks (tenant_id, queue) WHERE lane = 'normal';
CREATE INDEX tasks_of_mission ON tasks (mission_id);

-- The sandbox platform's own posts: one row for each call that it accepted.
CREATE TABLE sandbox_posts (
    id           text PRIMARY KEY,
    content_id   text NOT NULL,
    platform     text NOT NULL,
    body         text NOT NULL,
    published_at timestamptz(3) NOT NULL
);
CREATE INDEX sandbox_posts_of_content ON sandbox_posts (content_id);

-- +goose Down
DROP TABLE sandbox_posts;
DROP TABLE tasks;
DROP TABLE events;
DROP TABLE contents;
DROP TABLE stages;
DROP TABLE jobs;
DROP TABLE mission_totals;
DROP TABLE mission_platforms;
DROP TABLE missions;
DROP TABLE api_keys;
DROP TABLE users;
DROP TABLE tenants;
DROP TABLE settings;

-- +goose Up
CREATE TABLE webhooks (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    url        text NOT NULL,
    events     jsonb NOT NULL,
    status     text NOT NULL,
    enabled    boolean NOT NULL,
    sealed     text NOT NULL,
    sealed_old text,
    old_until  timestamptz(3),
    code       text NOT NULL, -- two characters, in the ids of its deliveries
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    UNIQUE (tenant_id, code)
);
CREATE INDEX webhooks_newest ON webhooks (tenant_id, created_at, id);

-- The enabled endpoints that get events of a type.
CREATE TABLE webhook_events (
    tenant_id  text NOT NULL,
    type       text NOT NULL,
    webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    code       text NOT NULL,
    PRIMARY KEY (tenant_id, type, webhook_id)
);
CREATE INDEX webhook_events_of ON webhook_events (webhook_id);

-- The delivery of an event to an endpoint. Its body is the event's.
CREATE TABLE deliveries (
    id              text PRIMARY KEY,
    tenant_id       text NOT NULL,
    webhook_id      text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event_id        text NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    event_type      text NOT NULL,
    mission_id      text NOT NULL,
    status          text NOT NULL,
    attempts        bigint NOT NULL,
    next_attempt_at timestamptz(3), -- NULL if there is none
    created_at      timestamptz(3) NOT NULL,
    completed_at    timestamptz(3)
);
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_newest ON deliveries (webhook_id, created_at, id);
CREATE INDEX deliveries_newest_by_status ON deliveries (webhook_id, status, created_at, id);
CREATE INDEX deliveries_of_event ON deliveries (event_id);
CREATE INDEX deliveries_of_mission ON deliveries (mission_id) WHERE status = 'pending';

CREATE TABLE delivery_attempts (
    delivery_id text NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number      bigint NOT NULL,
    at          timestamptz(3) NOT NULL,
    status_code bigint NOT NULL, -- 0 if there was no response
    duration_ms bigint NOT NULL,
    error       text NOT NULL,
    response    text NOT NULL,
    PRIMARY KEY (delivery_id, number)
);

-- One task per endpoint sends its due deliveries.
CREATE UNIQUE INDEX tasks_of_webhook ON tasks (subject) WHERE type = 'webhook:deliver';

CREATE TABLE notifications (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    kind       text NOT NULL,
    message    text NOT NULL,
    subject_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    read_at    timestamptz(3)
);
CREATE INDEX notifications_newest ON notifications (tenant_id, created_at, id);
CREATE INDEX notifications_unread ON notifications (tenant_id, created_at, id) WHERE read_at IS NULL;

ALTER TABLE missions ADD COLUMN achieved jsonb NOT NULL DEFAULT '[]'; -- KPIs that were reported as achieved, once each
ALTER TABLE contents ADD COLUMN unusual boolean NOT NULL DEFAULT false; -- reported once

CREATE INDEX events_by_type ON events (tenant_id, type, id);
CREATE INDEX events_by_age ON events (created_at);

INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'events::' || type, count(*) FROM events GROUP BY tenant_id, type;
INSERT INTO counters (tenant_id, name, n)
    SELECT tenant_id, 'events:' || mission_id || ':' || type, count(*) FROM events WHERE mission_id <> '' GROUP BY tenant_id, mission_id, type;

-- +goose Down
DELETE FROM counters WHERE name LIKE 'events:%';
DROP INDEX IF EXISTS events_by_age;
DROP INDEX events_by_type;
ALTER TABLE contents DROP COLUMN unusual;
ALTER TABLE missions DROP COLUMN achieved;
DROP TABLE notifications;
DROP INDEX tasks_of_webhook;
DROP TABLE delivery_attempts;
DROP TABLE deliveries;
DROP TABLE webhook_events;
DROP TABLE webhooks;

-- compatible: no, the version before lets agents that act with a key approve what only people may.

-- +goose Up
-- Programs that act for people: grants of the authorization server.
CREATE TABLE agent_grants (
    id           text PRIMARY KEY,
    tenant_id    text NOT NULL,
    user_id      text NOT NULL,
    name         text NOT NULL,
    client_id    text NOT NULL,
    redirect_uri text NOT NULL,
    scopes       jsonb NOT NULL,
    leash        jsonb NOT NULL,
    expires_at   timestamptz(3) NOT NULL,
    revoked_at   timestamptz(3),
    last_used_at timestamptz(3),
    created_at   timestamptz(3) NOT NULL
);
CREATE INDEX agent_grants_of_tenant ON agent_grants (tenant_id, created_at, id);
CREATE INDEX agent_grants_of_user ON agent_grants (tenant_id, user_id, created_at, id);

-- What each did on a day (UTC).
CREATE TABLE agent_days (
    agent_id  text NOT NULL,
    day       text NOT NULL,
    tenant_id text NOT NULL,
    calls     bigint NOT NULL,
    posts     bigint NOT NULL,
    micros    bigint NOT NULL,
    PRIMARY KEY (agent_id, day)
);
CREATE INDEX agent_days_of_tenant ON agent_days (tenant_id);
CREATE INDEX agent_days_by_age ON agent_days (day);

ALTER TABLE audit_log ADD COLUMN agent_id text;
CREATE INDEX audit_log_of_agent ON audit_log (tenant_id, agent_id, created_at, id) WHERE agent_id IS NOT NULL;
ALTER TABLE tenants ADD COLUMN agents_may_approve boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE tenants DROP COLUMN agents_may_approve;
DROP INDEX audit_log_of_agent;
ALTER TABLE audit_log DROP COLUMN agent_id;
DROP TABLE agent_days;
DROP TABLE agent_grants;

-- +goose Up
ALTER TABLE tenants ADD COLUMN origin text; -- see mission.Tenant; NULL if an operator created it
CREATE UNIQUE INDEX tenants_origin ON tenants (origin);

ALTER TABLE users ADD COLUMN subject text; -- the user's id at the identity provider; NULL for an operator's admin
ALTER TABLE users ADD COLUMN role_kept boolean NOT NULL DEFAULT true;
CREATE UNIQUE INDEX users_subject ON users (tenant_id, subject);

ALTER TABLE api_keys ADD COLUMN grace_until timestamptz(3);
ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz(3);
ALTER TABLE api_keys ADD COLUMN requests bigint NOT NULL DEFAULT 0;

-- The number of a tenant's rows of a kind, so that lists needn't count.
CREATE TABLE counters (
    tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    name      text NOT NULL,
    n         bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
);
INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'api_keys', count(*) FROM api_keys GROUP BY tenant_id;
INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'users', count(*) FROM users GROUP BY tenant_id;

-- Logins. A session's token contains its generation; superseded has the times at
-- which the latest generations ended, in Unix milliseconds.
CREATE TABLE sessions (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    user_id    text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    generation bigint NOT NULL,
    superseded jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    ended_at   timestamptz(3)
);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- The keys that sign session tokens, encrypted with a secret key from the
-- configuration.
CREATE TABLE signing_keys (
    id          text PRIMARY KEY,
    sealed      text NOT NULL,
    active_from timestamptz(3) NOT NULL,
    created_at  timestamptz(3) NOT NULL
);

CREATE TABLE audit_log (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    user_id    text, -- NULL for the operator
    key_id     text, -- NULL in a session
    action     text NOT NULL,
    target_id  text NOT NULL,
    details    jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL
);
CREATE INDEX audit_log_newest ON audit_log (tenant_id, created_at, id);

-- Requests by day (UTC) and key; '' for sessions. Processes add to them every few
-- seconds.
CREATE TABLE usage_days (
    tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    key_id    text NOT NULL,
    day       text NOT NULL,
    requests  bigint NOT NULL,
    PRIMARY KEY (tenant_id, key_id, day)
);

-- +goose Down
DROP TABLE usage_days;
DROP TABLE audit_log;
DROP TABLE signing_keys;
DROP TABLE sessions;
DROP TABLE counters;
ALTER TABLE api_keys DROP COLUMN requests;
ALTER TABLE api_keys DROP COLUMN last_used_at;
ALTER TABLE api_keys DROP COLUMN grace_until;
DROP INDEX users_subject;
ALTER TABLE users DROP COLUMN role_kept;
ALTER TABLE users DROP COLUMN subject;
DROP INDEX tenants_origin;
ALTER TABLE tenants DROP COLUMN origin;

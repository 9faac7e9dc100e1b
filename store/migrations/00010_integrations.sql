-- +goose Up
-- A tenant's connections to platforms. version counts the changes of sealed, the
-- encrypted credentials; renewing_until is the lease for renewing them, in real
-- time.
CREATE TABLE integrations (
    id             text PRIMARY KEY,
    tenant_id      text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform       text NOT NULL,
    status         text NOT NULL,
    auth           text NOT NULL,
    server         text NOT NULL,
    account        jsonb,
    scopes         jsonb NOT NULL,
    expires_at     timestamptz(3),
    sealed         text NOT NULL,
    version        bigint NOT NULL,
    renewing_until timestamptz(3),
    error          jsonb,
    checked_at     timestamptz(3),
    connected_at   timestamptz(3),
    created_at     timestamptz(3) NOT NULL,
    updated_at     timestamptz(3) NOT NULL,
    UNIQUE (tenant_id, platform)
);

-- Pending authorizations, by the SHA-256 of their states. Their times are real
-- times.
CREATE TABLE integration_grants (
    state_hash     text PRIMARY KEY,
    integration_id text NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    tenant_id      text NOT NULL,
    user_id        text NOT NULL,
    key_id         text NOT NULL,
    sealed         text NOT NULL,
    return_url     text NOT NULL,
    expires_at     timestamptz(3) NOT NULL
);
CREATE INDEX integration_grants_of ON integration_grants (integration_id, expires_at);

-- The integration that published a post, '' for the sandbox, and the parts that
-- the platform accepted.
ALTER TABLE contents ADD COLUMN integration_id text NOT NULL DEFAULT '';
ALTER TABLE contents ADD COLUMN publications jsonb;
ALTER TABLE contents ADD COLUMN called_at timestamptz(3);
ALTER TABLE contents ADD COLUMN in_doubt boolean NOT NULL DEFAULT FALSE;
ALTER TABLE contents ADD COLUMN fee_micros bigint NOT NULL DEFAULT 0;
UPDATE contents SET called_at = updated_at, in_doubt = TRUE WHERE status IN ('publishing', 'unknown');
ALTER TABLE sandbox_posts ADD COLUMN part bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE sandbox_posts DROP COLUMN part;
ALTER TABLE contents DROP COLUMN fee_micros;
ALTER TABLE contents DROP COLUMN in_doubt;
ALTER TABLE contents DROP COLUMN called_at;
ALTER TABLE contents DROP COLUMN publications;
ALTER TABLE contents DROP COLUMN integration_id;
DROP TABLE integration_grants;
DROP TABLE integrations;

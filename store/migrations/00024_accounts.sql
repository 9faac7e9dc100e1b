-- compatible: no, the version before takes a tenant's only integration on a platform, of which there can be several.

-- +goose Up
-- A tenant connects several accounts of a platform. account_key identifies the account;
-- it is '' until the platform has reported it. One account of each platform is the
-- default. An integration that was deleted keeps its row, without credentials, as long
-- as posts may wait for its account.
CREATE TABLE new_integrations (
    id             text PRIMARY KEY,
    tenant_id      text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform       text NOT NULL,
    status         text NOT NULL,
    auth           text NOT NULL,
    server         text NOT NULL,
    account        jsonb,
    account_key    text NOT NULL,
    is_default     boolean NOT NULL,
    label          text NOT NULL,
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
    deleted_at     timestamptz(3)
);
INSERT INTO new_integrations (id, tenant_id, platform, status, auth, server, account, account_key, is_default, label, scopes, expires_at, sealed,
        version, renewing_until, error, checked_at, connected_at, created_at, updated_at)
    SELECT id, tenant_id, platform, status, auth, server, account,
        CASE WHEN account IS NULL THEN '' WHEN platform = 'mastodon' THEN server || ' ' || (account ->> 'id') ELSE account ->> 'id' END,
        account IS NOT NULL, '', scopes, expires_at, sealed, version, renewing_until, error, checked_at, connected_at, created_at, updated_at
    FROM integrations;

CREATE TABLE new_integration_grants (
    state_hash     text PRIMARY KEY,
    integration_id text NOT NULL REFERENCES new_integrations (id) ON DELETE CASCADE,
    tenant_id      text NOT NULL,
    user_id        text NOT NULL,
    key_id         text NOT NULL,
    sealed         text NOT NULL,
    return_url     text NOT NULL,
    expires_at     timestamptz(3) NOT NULL,
    start_hash     text NOT NULL,
    browser_hash   text NOT NULL,
    session_id     text NOT NULL
);
INSERT INTO new_integration_grants (state_hash, integration_id, tenant_id, user_id, key_id, sealed, return_url, expires_at, start_hash, browser_hash, session_id)
    SELECT state_hash, integration_id, tenant_id, user_id, key_id, sealed, return_url, expires_at, start_hash, browser_hash, session_id FROM integration_grants;

DROP TABLE integration_grants;
DROP TABLE integrations;
ALTER TABLE new_integrations RENAME TO integrations;
ALTER TABLE new_integration_grants RENAME TO integration_grants;
CREATE INDEX integration_grants_of ON integration_grants (integration_id, expires_at);
CREATE INDEX integration_grants_start ON integration_grants (start_hash);
CREATE UNIQUE INDEX integrations_of_account ON integrations (tenant_id, platform, account_key) WHERE account_key <> '';
CREATE UNIQUE INDEX integrations_default ON integrations (tenant_id, platform) WHERE is_default;
-- Until when calls to a platform are stopped for an account; '' is the sandbox.
DROP TABLE platform_holds;
CREATE TABLE account_holds (
    tenant_id      text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform       text NOT NULL,
    integration_id text NOT NULL,
    until          timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, platform, integration_id)
);
CREATE INDEX integrations_newest ON integrations (tenant_id, created_at, id) WHERE deleted_at IS NULL;

-- +goose Down
DROP TABLE account_holds;
CREATE TABLE platform_holds (
    tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    platform  text NOT NULL,
    until     timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, platform)
);
CREATE TABLE old_integrations (
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
INSERT INTO old_integrations (id, tenant_id, platform, status, auth, server, account, scopes, expires_at, sealed,
        version, renewing_until, error, checked_at, connected_at, created_at, updated_at)
    SELECT id, tenant_id, platform, status, auth, server, account, scopes, expires_at, sealed,
        version, renewing_until, error, checked_at, connected_at, created_at, updated_at
    FROM integrations WHERE is_default;
CREATE TABLE old_integration_grants (
    state_hash     text PRIMARY KEY,
    integration_id text NOT NULL REFERENCES old_integrations (id) ON DELETE CASCADE,
    tenant_id      text NOT NULL,
    user_id        text NOT NULL,
    key_id         text NOT NULL,
    sealed         text NOT NULL,
    return_url     text NOT NULL,
    expires_at     timestamptz(3) NOT NULL,
    start_hash     text NOT NULL DEFAULT '',
    browser_hash   text NOT NULL DEFAULT '',
    session_id     text NOT NULL DEFAULT ''
);
DROP TABLE integration_grants;
DROP TABLE integrations;
ALTER TABLE old_integrations RENAME TO integrations;
ALTER TABLE old_integration_grants RENAME TO integration_grants;
CREATE INDEX integration_grants_of ON integration_grants (integration_id, expires_at);
CREATE INDEX integration_grants_start ON integration_grants (start_hash);

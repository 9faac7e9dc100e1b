-- compatible: yes, the version before knows of neither table.

-- +goose Up
-- The programs that registered to ask people to let them act. Those that nobody lets act expire after an hour.
CREATE TABLE oauth_clients (
    id            text PRIMARY KEY,
    name          text NOT NULL,
    redirect_uris jsonb NOT NULL,
    expires_at    timestamptz(3) NOT NULL, -- later once somebody lets it act
    created_at    timestamptz(3) NOT NULL
);
CREATE INDEX oauth_clients_by_expiry ON oauth_clients (expires_at);

-- The codes and tokens of agents.
CREATE TABLE agent_tokens (
    hash         text PRIMARY KEY, -- SHA-256, hex
    agent_id     text NOT NULL,
    tenant_id    text NOT NULL,
    kind         text NOT NULL, -- code, access or refresh
    parent       text NOT NULL, -- the hash of the code or the refresh token that it was issued for; '' for a code
    challenge    text NOT NULL, -- of a code: the S256 challenge
    redirect_uri text NOT NULL, -- of a code
    expires_at   timestamptz(3) NOT NULL,
    used_at      timestamptz(3), -- when a code or a refresh token was used
    voided_at    timestamptz(3), -- when a refresh token was replaced before it was used
    created_at   timestamptz(3) NOT NULL
);
CREATE INDEX agent_tokens_of_agent ON agent_tokens (agent_id, parent);
CREATE INDEX agent_tokens_of_tenant ON agent_tokens (tenant_id);
CREATE INDEX agent_tokens_by_expiry ON agent_tokens (expires_at);

-- +goose Down
DROP TABLE agent_tokens;
DROP TABLE oauth_clients;

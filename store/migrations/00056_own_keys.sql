-- compatible: no, the version before writes with the operator's model although a tenant has one of its own, and renews with the operator's application what a tenant's own one connected.

-- +goose Up
-- The language models of tenants' own.
CREATE TABLE tenant_writers (
    tenant_id    text PRIMARY KEY,
    url          text NOT NULL,
    model        text NOT NULL,
    sealed       text NOT NULL, -- the key; empty without one
    input_price  bigint NOT NULL, -- of a million tokens, in millionths of a dollar
    output_price bigint NOT NULL,
    error        jsonb, -- why the endpoint rejected the last call; null if it didn't
    created_at   timestamptz(3) NOT NULL,
    updated_at   timestamptz(3) NOT NULL
);

-- Tenants' own applications at platforms.
CREATE TABLE tenant_apps (
    tenant_id  text NOT NULL,
    platform   text NOT NULL,
    client_id  text NOT NULL,
    sealed     text NOT NULL, -- the secret; empty without one
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, platform)
);

-- +goose Down
DROP TABLE tenant_apps;
DROP TABLE tenant_writers;

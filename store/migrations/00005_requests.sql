-- +goose Up
CREATE INDEX usage_days_of ON usage_days (tenant_id, day);

-- Requests with an Idempotency-Key, and their responses.
CREATE TABLE idempotency_keys (
    tenant_id   text NOT NULL, -- '' if no credential is needed
    key         text NOT NULL,
    fingerprint text NOT NULL, -- of the caller and the request
    holder      text NOT NULL, -- who works on it, until the lease expires
    lease_until timestamptz(3),
    sealed      text, -- the response; NULL until there is one
    created_at  timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The results of a request's changes, written in the same transaction.
CREATE TABLE idempotency_results (
    tenant_id text NOT NULL,
    key       text NOT NULL,
    step      bigint NOT NULL, -- from 1, in their order
    sealed    text NOT NULL,
    PRIMARY KEY (tenant_id, key, step),
    FOREIGN KEY (tenant_id, key) REFERENCES idempotency_keys (tenant_id, key) ON DELETE CASCADE
);

-- +goose Down
DROP TABLE idempotency_results;
DROP TABLE idempotency_keys;
DROP INDEX usage_days_of;

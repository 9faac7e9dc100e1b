-- compatible: yes, it only adds indexes.

-- +goose Up
-- What lists of posts in the order of their slots, of their publication or of an account
-- walk over. A list that names no platform or state merges those that the tenant has.
CREATE INDEX contents_by_slot ON contents (tenant_id, platform, status, scheduled_at, id);
CREATE INDEX contents_by_publication ON contents (tenant_id, platform, published_at, id) WHERE published_at IS NOT NULL;
CREATE INDEX contents_of_account ON contents (tenant_id, integration_id, status, created_at, id) WHERE integration_id <> '';
CREATE INDEX contents_of_account_by_slot ON contents (tenant_id, integration_id, status, scheduled_at, id) WHERE integration_id <> '';
CREATE INDEX contents_of_account_by_publication ON contents (tenant_id, integration_id, published_at, id)
    WHERE integration_id <> '' AND published_at IS NOT NULL;

-- +goose Down
DROP INDEX contents_of_account_by_publication;
DROP INDEX contents_of_account_by_slot;
DROP INDEX contents_of_account;
DROP INDEX contents_by_publication;
DROP INDEX contents_by_slot;

-- compatible: yes, it only adds indexes.

-- +goose Up
-- What lists of the posts of a platform or account that wait for review walk over, the first
-- to expire first.
CREATE INDEX contents_of_platform_by_deadline ON contents (tenant_id, platform, expires_at, id) WHERE status = 'pending_review';
CREATE INDEX contents_of_account_by_deadline ON contents (tenant_id, integration_id, expires_at, id)
    WHERE integration_id <> '' AND status = 'pending_review';

-- +goose Down
DROP INDEX contents_of_account_by_deadline;
DROP INDEX contents_of_platform_by_deadline;

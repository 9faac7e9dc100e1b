-- +goose Up
-- Several tenants may have the same slug, so that nobody learns which are taken.
-- The dialects drop a constraint in different ways. So the column with the
-- constraint stays and holds a unique value that nobody reads.
ALTER TABLE tenants RENAME COLUMN slug TO unique_slug;
ALTER TABLE tenants ADD COLUMN slug text NOT NULL DEFAULT '';
UPDATE tenants SET slug = unique_slug;

-- The deletion of a tenant: when it happens, when it was requested, and by whom.
ALTER TABLE tenants ADD COLUMN deletion_asked_at timestamptz(3);
ALTER TABLE tenants ADD COLUMN deletion_asked_by text;
ALTER TABLE tenants ADD COLUMN deletes_at timestamptz(3);

-- One task per tenant deletes it.
CREATE UNIQUE INDEX tasks_of_deletion ON tasks (tenant_id) WHERE type = 'tenant:delete';

-- For deleting old rows.
CREATE INDEX audit_log_by_age ON audit_log (created_at);
CREATE INDEX usage_days_by_age ON usage_days (day);
CREATE INDEX notifications_by_age ON notifications (created_at);

-- The identity provider's session that a session began with; '' if it isn't
-- known.
ALTER TABLE sessions ADD COLUMN provider_session text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sessions DROP COLUMN provider_session;
DROP INDEX notifications_by_age;
DROP INDEX IF EXISTS usage_days_by_age;
DROP INDEX audit_log_by_age;
DROP INDEX tasks_of_deletion;
ALTER TABLE tenants DROP COLUMN deletes_at;
ALTER TABLE tenants DROP COLUMN deletion_asked_by;
ALTER TABLE tenants DROP COLUMN deletion_asked_at;
ALTER TABLE tenants DROP COLUMN slug;
ALTER TABLE tenants RENAME COLUMN unique_slug TO slug;

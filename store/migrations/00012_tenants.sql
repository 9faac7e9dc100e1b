-- +goose Up
-- A slug is a tenant's own word for itself: others may have the same, so that
-- nobody learns whose are taken. Neither dialect's way to drop the constraint is
-- the other's: the column that has it keeps something unique, which nobody reads.
ALTER TABLE tenants RENAME COLUMN slug TO unique_slug;
ALTER TABLE tenants ADD COLUMN slug text NOT NULL DEFAULT '';
UPDATE tenants SET slug = unique_slug;

-- A tenant that is to be deleted: since when, by whom, and when it goes.
ALTER TABLE tenants ADD COLUMN deletion_asked_at timestamptz(3);
ALTER TABLE tenants ADD COLUMN deletion_asked_by text;
ALTER TABLE tenants ADD COLUMN deletes_at timestamptz(3);

-- One task deletes a tenant.
CREATE UNIQUE INDEX tasks_of_deletion ON tasks (tenant_id) WHERE type = 'tenant:delete';

-- What is kept for a time only is found by its age.
CREATE INDEX audit_log_by_age ON audit_log (created_at);
CREATE INDEX usage_days_by_age ON usage_days (day);
CREATE INDEX notifications_by_age ON notifications (created_at);

-- Whose session a session began with at the identity provider; '' where that
-- isn't known.
ALTER TABLE sessions ADD COLUMN provider_session text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sessions DROP COLUMN provider_session;
DROP INDEX notifications_by_age;
DROP INDEX usage_days_by_age;
DROP INDEX audit_log_by_age;
DROP INDEX tasks_of_deletion;
ALTER TABLE tenants DROP COLUMN deletes_at;
ALTER TABLE tenants DROP COLUMN deletion_asked_by;
ALTER TABLE tenants DROP COLUMN deletion_asked_at;
ALTER TABLE tenants DROP COLUMN slug;
ALTER TABLE tenants RENAME COLUMN unique_slug TO slug;

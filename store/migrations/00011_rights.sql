-- +goose Up
-- Where a user's role comes from (see mission.RoleSource), and the role that the
-- identity provider named last, '' if it has named none. The audit log shows who
-- became an admin as the first user and wasn't made one by an admin since.
ALTER TABLE users ADD COLUMN role_from text NOT NULL DEFAULT 'provider';
ALTER TABLE users ADD COLUMN provider_role text NOT NULL DEFAULT '';
UPDATE users SET role_from = 'admin' WHERE role_kept;
UPDATE users SET role_from = 'first' WHERE role_kept AND subject IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM audit_log a WHERE a.tenant_id = users.tenant_id AND a.target_id = users.id AND a.action = 'member.role_changed');
ALTER TABLE users DROP COLUMN role_kept;

-- When a member was removed. The row stays for what the member made, without
-- personal data.
ALTER TABLE users ADD COLUMN removed_at timestamptz(3);

-- The key that a key was made with; NULL if it was made in a session or by the
-- operator.
ALTER TABLE api_keys ADD COLUMN made_by_key text;
CREATE INDEX api_keys_made_by ON api_keys (made_by_key) WHERE made_by_key IS NOT NULL;
CREATE INDEX api_keys_of_user ON api_keys (user_id);
CREATE INDEX sessions_of_user ON sessions (user_id);

-- +goose Down
DROP INDEX sessions_of_user;
DROP INDEX api_keys_of_user;
DROP INDEX api_keys_made_by;
ALTER TABLE api_keys DROP COLUMN made_by_key;
ALTER TABLE users DROP COLUMN removed_at;
ALTER TABLE users ADD COLUMN role_kept boolean NOT NULL DEFAULT true;
UPDATE users SET role_kept = false WHERE role_from = 'provider';
ALTER TABLE users DROP COLUMN provider_role;
ALTER TABLE users DROP COLUMN role_from;

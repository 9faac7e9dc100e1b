-- compatible: yes, it adds indexes.

-- +goose Up
CREATE INDEX audit_log_of_user ON audit_log (tenant_id, user_id, created_at, id);
CREATE INDEX audit_log_of_key ON audit_log (tenant_id, key_id, created_at, id) WHERE key_id IS NOT NULL;
CREATE INDEX audit_log_of_target ON audit_log (tenant_id, target_id, created_at, id);
CREATE INDEX audit_log_by_action ON audit_log (tenant_id, action, created_at, id);

-- +goose Down
DROP INDEX audit_log_by_action;
DROP INDEX audit_log_of_target;
DROP INDEX audit_log_of_key;
DROP INDEX audit_log_of_user;

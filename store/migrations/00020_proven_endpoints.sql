-- +goose Up
-- When an endpoint first accepted an event or a test at its address; NULL if it
-- hasn't. Past events are sent only to endpoints that have.
ALTER TABLE webhooks ADD COLUMN proven_at timestamptz(3);
UPDATE webhooks SET proven_at = updated_at WHERE EXISTS (
    SELECT 1 FROM deliveries d WHERE d.webhook_id = webhooks.id AND d.status = 'delivered');

-- +goose Down
ALTER TABLE webhooks DROP COLUMN proven_at;

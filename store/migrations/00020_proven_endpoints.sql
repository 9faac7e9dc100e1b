-- +goose Up
-- When an endpoint first took an event or a test at its address; NULL where it
-- hasn't. Events of the past are sent to those only that have.
ALTER TABLE webhooks ADD COLUMN proven_at timestamptz(3);
UPDATE webhooks SET proven_at = updated_at WHERE EXISTS (
    SELECT 1 FROM deliveries d WHERE d.webhook_id = webhooks.id AND d.status = 'delivered');

-- +goose Down
ALTER TABLE webhooks DROP COLUMN proven_at;

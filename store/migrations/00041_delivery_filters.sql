-- compatible: yes, it adds indexes.

-- +goose Up
CREATE INDEX deliveries_newest_by_type ON deliveries (webhook_id, event_type, created_at, id);
-- Those whose last attempt failed.
CREATE INDEX deliveries_troubled ON deliveries (webhook_id, created_at, id) WHERE attempts > 0 AND status IN ('pending', 'failed');

-- +goose Down
DROP INDEX deliveries_troubled;
DROP INDEX deliveries_newest_by_type;

-- A mission's deliveries aren't looked up any more, because they outlive it.

-- +goose Up
DROP INDEX IF EXISTS deliveries_of_mission;

-- +goose Down
CREATE INDEX deliveries_of_mission ON deliveries (mission_id) WHERE status = 'pending';

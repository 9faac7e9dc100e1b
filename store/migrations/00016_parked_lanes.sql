-- Parked tasks take up no room in a lane.

-- +goose Up
UPDATE tasks SET lane = '' WHERE state = 'parked';

-- +goose Down
SELECT 1;

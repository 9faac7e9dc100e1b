-- +goose Up
-- The missions of a tenant that may have posts to be published, in the order in
-- which a change of its exclusions goes through them.
CREATE INDEX missions_unfinished ON missions (tenant_id, id) WHERE status IN ('active', 'paused');

-- +goose Down
DROP INDEX missions_unfinished;

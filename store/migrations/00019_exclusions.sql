-- +goose Up
-- The missions of a tenant that may have unpublished posts, in the order in which
-- a change of its excluded topics is applied to them.
CREATE INDEX missions_unfinished ON missions (tenant_id, id) WHERE status IN ('active', 'paused');

-- +goose Down
DROP INDEX missions_unfinished;

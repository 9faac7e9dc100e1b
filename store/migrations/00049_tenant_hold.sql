-- compatible: no, the version before publishes the posts of a tenant on hold.

-- +goose Up
-- Why, since when and by whom a tenant's publishing is on hold; null if it isn't.
ALTER TABLE tenants ADD COLUMN hold jsonb;

-- Missions that the hold has paused, and the release resumes.
ALTER TABLE missions ADD COLUMN held boolean NOT NULL DEFAULT false;
CREATE INDEX missions_held ON missions (tenant_id, id) WHERE held;

-- +goose Down
DROP INDEX missions_held;
ALTER TABLE missions DROP COLUMN held;
ALTER TABLE tenants DROP COLUMN hold;

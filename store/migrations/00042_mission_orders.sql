-- compatible: yes, it adds a table and indexes. Processes of the version before don't keep
-- next_posts; the next change of a mission's scheduled posts does.

-- +goose Up
-- The slot of each mission's next scheduled post; NULL if none is, or the mission isn't active.
CREATE TABLE next_posts (
    mission_id text PRIMARY KEY REFERENCES missions (id) ON DELETE CASCADE,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    at         timestamptz(3)
);
INSERT INTO next_posts
SELECT m.id, m.tenant_id, (SELECT MIN(c.scheduled_at) FROM contents AS c WHERE c.mission_id = m.id AND c.status = 'scheduled')
FROM missions AS m WHERE m.status = 'active';
CREATE INDEX next_posts_first ON next_posts (tenant_id, at, mission_id) WHERE at IS NOT NULL;
CREATE INDEX missions_by_name ON missions (tenant_id, lower(name), id);
CREATE INDEX missions_by_end ON missions (tenant_id, ends_at, id) WHERE status = 'active' AND ends_at IS NOT NULL;

-- +goose Down
DROP INDEX missions_by_end;
DROP INDEX missions_by_name;
DROP TABLE next_posts;

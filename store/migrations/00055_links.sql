-- compatible: no, the version before publishes posts without what their missions say becomes of links.

-- +goose Up
-- What becomes of the links of a mission's posts.
ALTER TABLE missions ADD COLUMN links jsonb NOT NULL DEFAULT '{"utm":{},"track":[]}';
-- What is sent for the links of a revision.
ALTER TABLE contents ADD COLUMN outgoing jsonb NOT NULL DEFAULT '{}';

-- Where the tracked links of posts lead, from when the posts are sent.
CREATE TABLE tracked_links (
    id         text PRIMARY KEY, -- its code
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id text NOT NULL,
    content_id text NOT NULL,
    target     text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) -- set once its mission was deleted
);
CREATE INDEX tracked_links_of_tenants ON tracked_links (tenant_id);
CREATE INDEX tracked_links_of_missions ON tracked_links (mission_id);
CREATE INDEX tracked_links_by_expiry ON tracked_links (expires_at) WHERE expires_at IS NOT NULL;

-- How often a tracked link was followed on a day (UTC).
CREATE TABLE link_clicks (
    link_id    text NOT NULL REFERENCES tracked_links (id) ON DELETE CASCADE,
    day        text NOT NULL,
    tenant_id  text NOT NULL,
    content_id text NOT NULL,
    clicks     bigint NOT NULL,
    PRIMARY KEY (link_id, day)
);
CREATE INDEX link_clicks_of_posts ON link_clicks (content_id, day);
CREATE INDEX link_clicks_of_tenants ON link_clicks (tenant_id);

-- +goose Down
DROP TABLE link_clicks;
DROP TABLE tracked_links;
ALTER TABLE contents DROP COLUMN outgoing;
ALTER TABLE missions DROP COLUMN links;

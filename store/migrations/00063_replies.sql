-- compatible: no, the version before gives up the tasks that answer and hide replies.

-- +goose Up
-- What people reply to posts, or comment on them.
CREATE TABLE replies (
    id             text PRIMARY KEY,
    tenant_id      text NOT NULL,
    mission_id     text NOT NULL,
    content_id     text NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    platform       text NOT NULL,
    integration_id text NOT NULL, -- that published the post; '' is the sandbox
    reply_id       text NOT NULL, -- the platform's
    cid            text NOT NULL, -- of its record on Bluesky
    parent_id      text NOT NULL, -- the platform's, of what it replies to
    author_id      text NOT NULL,
    author_handle  text NOT NULL,
    author_name    text NOT NULL,
    author_url     text NOT NULL,
    body           text NOT NULL, -- a stranger's
    url            text NOT NULL,
    published_at   timestamptz(3),
    status         text NOT NULL,
    answer         jsonb,
    hiding         jsonb,
    handled_by     text NOT NULL, -- a user or an API key
    received_at    timestamptz(3) NOT NULL,
    changed_at     timestamptz(3),
    expires_at     timestamptz(3) NOT NULL,
    updated_at     timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX replies_by_platform ON replies (content_id, reply_id);
CREATE INDEX replies_of_posts ON replies (content_id, id);
CREATE INDEX replies_of_missions ON replies (mission_id, id);
CREATE INDEX replies_of_tenants ON replies (tenant_id, id);
CREATE INDEX replies_by_status ON replies (tenant_id, status, id);
CREATE INDEX replies_by_account ON replies (tenant_id, platform, integration_id, id);
CREATE INDEX replies_by_expiry ON replies (expires_at);

-- How far the replies to a post have been read.
ALTER TABLE contents ADD COLUMN reply_reads jsonb NOT NULL DEFAULT '{}';
-- The answer that a post of the sandbox platform is; '' if it is a part of a post.
ALTER TABLE sandbox_posts ADD COLUMN answer_id text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sandbox_posts DROP COLUMN answer_id;
ALTER TABLE contents DROP COLUMN reply_reads;
DROP TABLE replies;

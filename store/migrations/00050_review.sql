-- compatible: yes, it adds tables. The version before doesn't show what was said and made meanwhile.

-- +goose Up
-- What is said about posts to those who review them.
CREATE TABLE review_comments (
    id          text PRIMARY KEY,
    tenant_id   text NOT NULL,
    content_id  text NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    revision    bigint NOT NULL,
    body        text NOT NULL,
    part        bigint, -- the index of a part, or null for the whole post
    range_start bigint, -- characters of that part or of the post
    range_end   bigint,
    author_id   text NOT NULL, -- a user, an API key or a review link
    created_at  timestamptz(3) NOT NULL
);
CREATE INDEX review_comments_of_posts ON review_comments (content_id, id);
CREATE INDEX review_comments_of_tenants ON review_comments (tenant_id);

-- Links with which people without an account review the posts of a mission.
CREATE TABLE review_links (
    id           text PRIMARY KEY,
    tenant_id    text NOT NULL,
    mission_id   text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    name         text NOT NULL,
    may_decide   boolean NOT NULL,
    hash         text NOT NULL UNIQUE, -- of its token
    created_by   text NOT NULL, -- a user or an API key
    expires_at   timestamptz(3) NOT NULL,
    revoked_at   timestamptz(3),
    last_used_at timestamptz(3),
    created_at   timestamptz(3) NOT NULL
);
CREATE INDEX review_links_of_missions ON review_links (mission_id, id);
CREATE INDEX review_links_of_tenants ON review_links (tenant_id);

-- +goose Down
DROP TABLE review_links;
DROP TABLE review_comments;

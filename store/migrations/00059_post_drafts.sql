-- compatible: yes, the version before doesn't know of the table; it leaves the drafts of members whom it removes, whom nobody sees any more.

-- +goose Up
-- Posts that people are writing.
CREATE TABLE post_drafts (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    mission_id text NOT NULL, -- which may have been deleted
    body       text NOT NULL, -- a JSON object of the client's
    version    bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
);
CREATE INDEX post_drafts_of_user ON post_drafts (tenant_id, user_id, updated_at);

-- +goose Down
DROP TABLE post_drafts;

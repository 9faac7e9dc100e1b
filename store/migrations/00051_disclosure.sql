-- compatible: no, the version before writes and publishes posts without what their missions disclose.

-- +goose Up
-- What a mission's posts disclose, and who is responsible for them.
ALTER TABLE missions ADD COLUMN disclosure jsonb NOT NULL
    DEFAULT '{"ai_text":"none","line_text":"Written with AI","ai_media":"auto","paid_partnership":false}';
ALTER TABLE missions ADD COLUMN editor jsonb;
ALTER TABLE missions ADD COLUMN public_interest boolean NOT NULL DEFAULT false;

-- What a revision discloses, and which writer wrote it.
ALTER TABLE contents ADD COLUMN disclosed jsonb NOT NULL DEFAULT '{}';
ALTER TABLE contents ADD COLUMN writer jsonb NOT NULL DEFAULT '{}';
ALTER TABLE content_revisions ADD COLUMN disclosed jsonb NOT NULL DEFAULT '{}';
ALTER TABLE content_revisions ADD COLUMN writer jsonb NOT NULL DEFAULT '{}';

-- What a post's platform was found to show.
ALTER TABLE contents ADD COLUMN readback jsonb;

-- The decisions of reviewers.
CREATE TABLE content_reviews (
    id         text PRIMARY KEY,
    tenant_id  text NOT NULL,
    content_id text NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    revision   bigint NOT NULL,
    decision   text NOT NULL,
    reviewer   text NOT NULL, -- a user, an API key or a review link
    reason     text,
    created_at timestamptz(3) NOT NULL
);
CREATE INDEX content_reviews_of_posts ON content_reviews (content_id, created_at);

-- The records of posts whose missions were deleted.
CREATE TABLE content_records (
    content_id text PRIMARY KEY,
    tenant_id  text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    mission_id text NOT NULL,
    record     jsonb NOT NULL,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX content_records_of_tenants ON content_records (tenant_id);
CREATE INDEX content_records_by_expiry ON content_records (expires_at);

-- +goose Down
DROP TABLE content_records;
DROP TABLE content_reviews;
ALTER TABLE contents DROP COLUMN readback;
ALTER TABLE content_revisions DROP COLUMN writer;
ALTER TABLE content_revisions DROP COLUMN disclosed;
ALTER TABLE contents DROP COLUMN writer;
ALTER TABLE contents DROP COLUMN disclosed;
ALTER TABLE missions DROP COLUMN public_interest;
ALTER TABLE missions DROP COLUMN editor;
ALTER TABLE missions DROP COLUMN disclosure;

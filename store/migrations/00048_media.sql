-- compatible: no, the version before publishes posts without their files.

-- +goose Up
-- Pictures and videos of tenants. A row is there before its bytes and after them.
CREATE TABLE media (
    id           text PRIMARY KEY,
    tenant_id    text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    kind         text NOT NULL,
    content_type text NOT NULL,
    bytes        bigint NOT NULL,
    width        bigint NOT NULL,
    height       bigint NOT NULL,
    duration_ms  bigint NOT NULL,
    frames       bigint NOT NULL,
    sha256       text NOT NULL,
    original     text NOT NULL, -- the key of the bytes that were uploaded
    alt_text     text NOT NULL,
    description  text NOT NULL,
    status       text NOT NULL,
    error        jsonb,
    provenance   jsonb NOT NULL,
    framing      jsonb NOT NULL,
    variants     jsonb NOT NULL,
    earlier      jsonb NOT NULL, -- variants of earlier framings that posts may have
    uses         bigint NOT NULL, -- how many posts have it
    uploaded_by  text,
    expires_at   timestamptz(3),
    created_at   timestamptz(3) NOT NULL,
    updated_at   timestamptz(3) NOT NULL
);
CREATE INDEX media_newest ON media (tenant_id, created_at, id) WHERE status IN ('processing', 'ready', 'failed');
CREATE INDEX media_by_kind ON media (tenant_id, kind, created_at, id) WHERE status IN ('processing', 'ready', 'failed');
CREATE INDEX media_by_status ON media (tenant_id, status, created_at, id);
CREATE INDEX media_unused ON media (tenant_id, created_at, id) WHERE uses = 0 AND status IN ('processing', 'ready', 'failed');

-- Which posts have a file, in their latest revision.
CREATE TABLE media_uses (
    media_id   text NOT NULL,
    content_id text NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    tenant_id  text NOT NULL,
    PRIMARY KEY (media_id, content_id)
);
CREATE INDEX media_uses_of_posts ON media_uses (content_id);

-- The words of a file's description and alt text.
CREATE TABLE media_words (
    tenant_id text NOT NULL,
    word      text NOT NULL,
    media_id  text NOT NULL REFERENCES media (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, word, media_id)
);
CREATE INDEX media_words_of_files ON media_words (media_id);

-- A post's files, and how far they have come on its platform.
ALTER TABLE contents ADD COLUMN media jsonb NOT NULL DEFAULT '[]';
ALTER TABLE contents ADD COLUMN uploads jsonb NOT NULL DEFAULT '[]';
ALTER TABLE content_revisions ADD COLUMN media jsonb NOT NULL DEFAULT '[]';

-- The pictures that a mission's writer may use, by their ids.
ALTER TABLE missions ADD COLUMN media_ids jsonb NOT NULL DEFAULT '[]';

-- +goose Down
DELETE FROM tasks WHERE type = 'media:process';
ALTER TABLE missions DROP COLUMN media_ids;
ALTER TABLE content_revisions DROP COLUMN media;
ALTER TABLE contents DROP COLUMN uploads;
ALTER TABLE contents DROP COLUMN media;
DROP TABLE media_words;
DROP TABLE media_uses;
DROP TABLE media;

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

-- +goose Down
ALTER TABLE content_revisions DROP COLUMN writer;
ALTER TABLE content_revisions DROP COLUMN disclosed;
ALTER TABLE contents DROP COLUMN writer;
ALTER TABLE contents DROP COLUMN disclosed;
ALTER TABLE missions DROP COLUMN public_interest;
ALTER TABLE missions DROP COLUMN editor;
ALTER TABLE missions DROP COLUMN disclosure;

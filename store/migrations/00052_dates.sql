-- compatible: yes, the version before leaves the columns as they are; it doesn't know of blackouts until it is replaced.

-- +goose Up
-- What a mission's posts lead up to, and when it is silent.
ALTER TABLE missions ADD COLUMN events jsonb NOT NULL DEFAULT '[]';
ALTER TABLE missions ADD COLUMN blackouts jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE missions DROP COLUMN events;
ALTER TABLE missions DROP COLUMN blackouts;

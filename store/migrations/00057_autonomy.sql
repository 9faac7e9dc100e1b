-- compatible: no, the version before publishes posts without review after their mission's autonomy has ended.

-- +goose Up
-- What missions may do without review, and what ended that last, of all missions of a tenant or of one.
ALTER TABLE missions ADD COLUMN autonomy jsonb;
ALTER TABLE missions ADD COLUMN autonomy_ended jsonb;
ALTER TABLE tenants ADD COLUMN autonomy_ended jsonb;
-- The approvals by which a post goes out without review, and what it was written for.
ALTER TABLE contents ADD COLUMN rests_on jsonb;
ALTER TABLE contents ADD COLUMN objective text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE contents DROP COLUMN objective;
ALTER TABLE contents DROP COLUMN rests_on;
ALTER TABLE tenants DROP COLUMN autonomy_ended;
ALTER TABLE missions DROP COLUMN autonomy_ended;
ALTER TABLE missions DROP COLUMN autonomy;

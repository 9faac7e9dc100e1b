-- compatible: yes, it adds a column. Processes of the version before don't set it: they send
-- the signatures of both secrets.

-- +goose Up
-- Whether the receiver accepted the replaced secret last.
ALTER TABLE webhooks ADD COLUMN old_accepted boolean NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE webhooks DROP COLUMN old_accepted;

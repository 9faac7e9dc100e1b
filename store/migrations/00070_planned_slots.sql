-- compatible: yes, the version before leaves the table as it is: its plans don't count against accounts' daily quotas until their posts are written.

-- +goose Up
-- The planned slots of accounts with a daily quota. One counts until its post is written, while its job writes posts.
CREATE TABLE planned_slots (
    job_id         text NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    position       bigint NOT NULL,
    tenant_id      text NOT NULL,
    integration_id text NOT NULL,
    slot_at        timestamptz(3) NOT NULL,
    PRIMARY KEY (job_id, position)
);
CREATE INDEX planned_slots_of_accounts ON planned_slots (tenant_id, integration_id, slot_at);

-- +goose Down
DROP TABLE planned_slots;

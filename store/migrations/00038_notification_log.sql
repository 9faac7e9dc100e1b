-- compatible: yes, the version before doesn't read the table. What it adds meanwhile isn't sent to subscriptions.

-- +goose Up
-- The order in which a tenant's notifications were committed, from 1, which subscriptions follow.
CREATE TABLE notification_log (
    tenant_id       text NOT NULL,
    seq             bigint NOT NULL,
    notification_id text NOT NULL UNIQUE REFERENCES notifications (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, seq)
);
INSERT INTO notification_log (tenant_id, seq, notification_id)
    SELECT tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY created_at, id), id FROM notifications;
INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'notification_seq', max(seq) FROM notification_log GROUP BY tenant_id;

-- +goose Down
DELETE FROM counters WHERE name = 'notification_seq';
DROP TABLE notification_log;

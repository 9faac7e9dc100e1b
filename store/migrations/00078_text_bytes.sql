-- compatible: yes, the version before counts no texts.

-- +goose Up
-- How many bytes the texts of tenants take: what was written in each mission, and the records of deleted ones.
ALTER TABLE content_records ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
UPDATE content_records SET bytes = octet_length(CAST(record AS text));
INSERT INTO counters (tenant_id, name, n)
    SELECT w.tenant_id, 'texts:bytes:' || w.mission_id,
        sum(512 + octet_length(w.body) + octet_length(CAST(w.parts AS text)) + octet_length(CAST(w.media AS text)))
    FROM (
        SELECT tenant_id, mission_id, body, parts, media FROM contents
        UNION ALL
        SELECT c.tenant_id, c.mission_id, r.body, r.parts, r.media FROM content_revisions r JOIN contents c ON c.id = r.content_id
    ) AS w
    GROUP BY w.tenant_id, w.mission_id;
INSERT INTO counters (tenant_id, name, n)
    SELECT w.tenant_id, 'texts:bytes', sum(w.n)
    FROM (
        SELECT tenant_id, n FROM counters WHERE name LIKE 'texts:bytes:%'
        UNION ALL
        SELECT tenant_id, bytes FROM content_records
    ) AS w
    GROUP BY w.tenant_id;

-- +goose Down
DELETE FROM counters WHERE name LIKE 'texts:bytes%';
ALTER TABLE content_records DROP COLUMN bytes;

-- +goose Up
-- An event's sequence number in its tenant's log, from 1, without gaps.
-- Transactions take theirs in the order in which they are committed.
ALTER TABLE events ADD COLUMN seq bigint NOT NULL DEFAULT 0;
UPDATE events SET seq = placed.n
    FROM (SELECT id, row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS n FROM events) AS placed
    WHERE placed.id = events.id;
CREATE UNIQUE INDEX events_by_seq ON events (tenant_id, seq);
INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'event_seq', max(seq) FROM events GROUP BY tenant_id;

CREATE INDEX jobs_newest ON jobs (mission_id, created_at, id);

-- The words of missions' names, in lower case, in UTF-8. Searches match prefixes by
-- bytes, whatever the database's collation.
CREATE TABLE mission_words (
    tenant_id  text NOT NULL,
    word       bytea NOT NULL,
    mission_id text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, word, mission_id)
);
CREATE INDEX mission_words_of ON mission_words (mission_id);

-- +goose Down
DROP TABLE mission_words;
DROP INDEX jobs_newest;
DELETE FROM counters WHERE name = 'event_seq';
DROP INDEX events_by_seq;
ALTER TABLE events DROP COLUMN seq;

-- compatible: no, programs of the version before don't write the table that searches read.

-- +goose Up
-- Where searches find missions by their names: a row for each word of a name, for the
-- first three characters of each word, after a byte 0, and for the byte 0 alone, so that
-- the missions of a key are in the order of their creation. words are all words of the
-- name, each after a space; shared is how many bytes of key the word before it begins
-- with too.
CREATE TABLE mission_names (
    tenant_id  text NOT NULL,
    key        bytea NOT NULL,
    mission_id text NOT NULL,
    shared     bigint NOT NULL,
    words      text NOT NULL,
    PRIMARY KEY (tenant_id, key, mission_id, shared)
);

-- +goose Down
DROP TABLE mission_names;

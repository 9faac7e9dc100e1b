-- compatible: no, programs of the version before write mission_words.

-- +goose Up
-- The names of all missions are in mission_names.
DROP TABLE mission_words;

-- +goose Down
CREATE TABLE mission_words (
    tenant_id  text NOT NULL,
    word       bytea NOT NULL,
    mission_id text NOT NULL REFERENCES missions (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, word, mission_id)
);
CREATE INDEX mission_words_of ON mission_words (mission_id);

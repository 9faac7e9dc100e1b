-- compatible: yes, the version before reads and writes no table that changes here.

-- +goose Up
-- The oldest version of the schema that a program must know to run on this one, and the
-- version of the program that migrated last. It has one row.
CREATE TABLE schema_floor (
    version     bigint NOT NULL,
    migrated_by text NOT NULL
);
INSERT INTO schema_floor (version, migrated_by) VALUES (20, '');

-- +goose Down
DROP TABLE schema_floor;

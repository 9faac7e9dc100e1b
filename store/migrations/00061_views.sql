-- compatible: yes, the version before counts no views, and its own rows have none.

-- +goose Up
-- How often posts were seen, where a platform counts that instead of impressions.
ALTER TABLE day_figures ADD COLUMN views double precision;

-- +goose Down
ALTER TABLE day_figures DROP COLUMN views;

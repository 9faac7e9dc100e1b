-- compatible: yes, it adds an index.

-- +goose Up
-- A range of days of all of a tenant's missions.
CREATE INDEX day_figures_by_date ON day_figures (tenant_id, date, mission_id) WHERE mission_id <> '';

-- +goose Down
DROP INDEX day_figures_by_date;

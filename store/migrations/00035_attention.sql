-- compatible: yes, it only adds indexes.

-- +goose Up
-- What needs a person: posts by the end of their review, failed jobs, and running missions
-- that have spent or reserved four fifths of their budget (a cent is 10,000 micros).
CREATE INDEX contents_by_deadline ON contents (tenant_id, expires_at, id) WHERE status = 'pending_review';
CREATE INDEX jobs_failed ON jobs (tenant_id, id) WHERE status = 'failed';
CREATE INDEX missions_near_budget ON missions (tenant_id, id)
    WHERE status = 'active' AND CAST(constraints ->> 'budget_cents' AS bigint) > 0
    AND spent_micros + reserved_micros >= 8000 * CAST(constraints ->> 'budget_cents' AS bigint);

-- +goose Down
DROP INDEX missions_near_budget;
DROP INDEX jobs_failed;
DROP INDEX contents_by_deadline;

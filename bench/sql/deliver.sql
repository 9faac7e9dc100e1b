-- New events of tenants ($1), a number ($2) of each, with bodies that begin with
-- $3: as the service leaves them, with their deliveries and a task, of round $4,
-- for each endpoint. Ids of events begin with $5, those of deliveries with $6:
-- prefix and time.
WITH now AS (SELECT date_trunc('milliseconds', clock_timestamp()) AS at), e AS (
	INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq)
	SELECT id, tenant, '', 'content.published', now.at, convert_to($3::text || id || '"}}', 'UTF8'), i
	FROM now, (SELECT $5::text || substr(md5(tenant || i), 1, 16) AS id, tenant, i FROM unnest($1::text[]) tenant, generate_series(1, $2::int) i) x
	RETURNING id, tenant_id, created_at
), d AS (
	INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
	SELECT $6::text || substr(md5(w.id || e.id), 1, 16), e.tenant_id, w.id, e.id, 'content.published', '', 'pending', 0, e.created_at, e.created_at
	FROM e JOIN webhooks w ON w.tenant_id = e.tenant_id
), c AS (
	INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'deliveries:' || id || ':pending', $2 FROM webhooks WHERE tenant_id = ANY($1)
	UNION ALL SELECT tenant, 'event_seq', $2 FROM unnest($1::text[]) tenant UNION ALL SELECT tenant, 'events::content.published', $2 FROM unnest($1::text[]) tenant
)
INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
SELECT 'tsk_0bench' || substr(md5(w.id || $4), 1, 20), w.tenant_id, '', 'webhook:deliver', 'webhooks', w.id, 0, now.at, now.at, 'waiting', '', 0, 0, 0, 0, now.at
FROM now, webhooks w WHERE w.tenant_id = ANY($1)

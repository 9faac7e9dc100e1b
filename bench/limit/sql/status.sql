-- A mission's status view.
SELECT m.status, m.platforms, m.kpis, m.totals, m.trends, m.starts_at, m.ends_at, m.paused_at, m.paused_ms,
	m.generated, m.pending_review, m.approved, m.published, m.scheduled,
	j.id, COALESCE(j.status, ''), COALESCE(j.current_stage, ''), COALESCE(j.planned, 0), COALESCE(j.written, 0), COALESCE(j.settled, 0),
	s.names, s.statuses, s.ms,
	(SELECT c.scheduled_at FROM contents c WHERE c.mission_id = m.id AND c.status = 'scheduled' ORDER BY c.scheduled_at LIMIT 1)
	FROM missions m LEFT JOIN jobs j ON j.id = m.pipeline_job_id
	LEFT JOIN LATERAL (SELECT array_agg(name) AS names, array_agg(status) AS statuses,
		array_agg((extract(epoch FROM completed_at - started_at) * 1000)::bigint) AS ms FROM stages WHERE job_id = j.id) s ON true
	WHERE m.id = $1 AND m.tenant_id = $2

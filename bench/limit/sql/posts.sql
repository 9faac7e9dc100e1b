-- A page of missions with five posts each, as GraphQL has it. A job's progress is a
-- sixth for each stage.
WITH taken AS MATERIALIZED (
	SELECT * FROM missions WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 21
), page AS (SELECT * FROM taken ORDER BY created_at DESC, id DESC LIMIT 20)
SELECT row_to_json(data) FROM (SELECT (SELECT list FROM (SELECT
	ARRAY(SELECT edge FROM (SELECT (SELECT node FROM (SELECT m.id, m.name, upper(m.status) AS status,
		(SELECT counts FROM (SELECT m.generated, m.pending_review AS "pendingReview", m.approved, m.published, m.scheduled) counts) AS "contentCounts",
		(SELECT job FROM (SELECT j.id, CASE WHEN j.status = 'running' AND m.status = 'paused' THEN 'PAUSED' ELSE upper(j.status) END AS status,
			upper(j.current_stage) AS "currentStage", ((SELECT COALESCE(SUM(CASE
		WHEN s.status = 'completed' THEN 100
		WHEN j.planned > 0 AND s.status <> 'pending' AND s.name = 'content' THEN 100 * LEAST(j.written, j.planned) / j.planned
		WHEN j.planned > 0 AND s.status <> 'pending' AND s.name = 'publish' THEN 100 * LEAST(j.settled, j.planned) / j.planned
		ELSE 0 END), 0)::bigint FROM stages s WHERE s.job_id = j.id) / 6) AS "progressPercent" FROM jobs j WHERE j.id = m.pipeline_job_id) job) AS job,
		(SELECT contents FROM (SELECT ARRAY(SELECT post FROM (SELECT (SELECT node FROM (SELECT c.id, upper(c.platform) AS platform, upper(c.status) AS status,
			c.body AS text, to_char(c.scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "scheduledAt",
			to_char(c.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "publishedAt") node) AS node
			FROM contents c WHERE c.mission_id = m.id ORDER BY c.created_at DESC, c.id DESC LIMIT 5) post) AS edges) contents) AS contents
		) node) AS node
		FROM page m ORDER BY m.created_at DESC, m.id DESC) edge) AS edges
) list) AS missions) data

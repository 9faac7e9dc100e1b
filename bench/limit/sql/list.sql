-- A page of missions, as GraphQL has it. Records in records are what Postgres
-- writes without spaces.
WITH taken AS MATERIALIZED (
	SELECT * FROM missions WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 21
), page AS (SELECT * FROM taken ORDER BY created_at DESC, id DESC LIMIT 20)
SELECT row_to_json(data) FROM (SELECT (SELECT list FROM (SELECT
	(SELECT COALESCE(SUM(n), 0)::bigint FROM mission_totals WHERE tenant_id = $1 AND platform = '') AS "totalCount",
	(SELECT info FROM (SELECT (SELECT count(*) > 20 FROM taken) AS "hasNextPage", (SELECT id FROM page ORDER BY created_at, id LIMIT 1) AS "endCursor") info) AS "pageInfo",
	ARRAY(SELECT edge FROM (SELECT (SELECT node FROM (SELECT m.id, m.name, upper(m.status) AS status,
		replace(upper(m.platforms::text), ', ', ',')::json AS platforms,
		to_char(m.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "startsAt",
		to_char(m.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "endsAt",
		to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt") node) AS node
		FROM page m ORDER BY m.created_at DESC, m.id DESC) edge) AS edges
) list) AS missions) data

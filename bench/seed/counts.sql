-- What the service counts as it goes, and what its planner knows.
INSERT INTO mission_totals (tenant_id, platform, status, n)
	SELECT tenant_id, platform, status, count(*) FROM mission_platforms GROUP BY tenant_id, platform, status
	UNION ALL SELECT tenant_id, '', status, count(*) FROM missions GROUP BY tenant_id, status;

INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
	SELECT tenant_id, COALESCE(mission_id, ''), COALESCE(platform, ''), status, count(*) FROM contents
	GROUP BY tenant_id, status, CUBE (mission_id, platform);

INSERT INTO day_figures (tenant_id, mission_id, date, platform, integration_id, posts, impressions, likes, comments, shares, rated)
	SELECT tenant_id, COALESCE(mission_id, ''), date, platform, integration_id, count(*), SUM(impressions), SUM(likes), SUM(comments), SUM(shares), SUM(likes + comments + shares)
	FROM (SELECT tenant_id, mission_id, platform, integration_id, to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date,
		(metrics->>'impressions')::float8 AS impressions, (metrics->>'likes')::float8 AS likes,
		(metrics->>'comments')::float8 AS comments, (metrics->>'shares')::float8 AS shares
		FROM contents WHERE status = 'published') posts
	GROUP BY GROUPING SETS ((tenant_id, mission_id, date, platform, integration_id), (tenant_id, date, platform, integration_id));

INSERT INTO counters (tenant_id, name, n)
	SELECT tenant_id, 'events:' || COALESCE(mission_id, '') || ':' || type, count(*) FROM events GROUP BY tenant_id, type, CUBE (mission_id);

INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'event_seq', max(seq) FROM events GROUP BY tenant_id;

VACUUM (FREEZE, ANALYZE);

CHECKPOINT;

-- What the service counts as it goes.
INSERT INTO mission_totals (tenant_id, platform, status, n)
	SELECT tenant_id, platform, status, count(*) FROM mission_platforms GROUP BY tenant_id, platform, status
	UNION ALL SELECT tenant_id, '', status, count(*) FROM missions GROUP BY tenant_id, status ON CONFLICT DO NOTHING;

INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
	SELECT tenant_id, COALESCE(mission_id, ''), COALESCE(platform, ''), status, count(*) FROM contents
	GROUP BY tenant_id, status, CUBE (mission_id, platform) ON CONFLICT DO NOTHING;

VACUUM (FREEZE, ANALYZE);

CHECKPOINT

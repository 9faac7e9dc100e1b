-- What a tenant ($1) with a number of missions ($2) has. Between braces is the
-- first statement: a row for each mission, the oldest first, over 31 days, so that a
-- calendar has as many posts at any size. As many need a person at any size, or more than
-- are counted: of a thousand, a hundred each wait for review, have failed jobs and are near
-- the end of their budgets. The first user has a session for each mission, most of them
-- ended, and others have one. Their ids differ from tenant to tenant.
(SELECT i, '0grwth' || substr(md5($1), 1, 6) || lpad(to_hex(i), 14, '0') AS id, $1::text AS tenant,
	date_trunc('milliseconds', now() - ($2::int - i) * (interval '31 days' / $2::int)) AS at,
	CASE WHEN i % 10 < 6 THEN 'active' WHEN i % 10 < 9 THEN 'completed' ELSE 'paused' END AS status,
	CASE WHEN i % 8 < 5 THEN 'published' WHEN i % 8 < 6 THEN 'scheduled' WHEN i % 8 < 7 THEN 'pending_review' WHEN i % 16 < 8 THEN 'rejected' ELSE 'failed' END AS post,
	(ARRAY['twitter', 'linkedin', 'mastodon', 'bluesky'])[1 + i % 4] AS platform FROM generate_series(1, $2::int) i) g;

INSERT INTO missions (id, tenant_id, name, description, status, objectives, platforms, constraints, kpis, duration_days, starts_at, ends_at, pipeline_job_id,
	paused_at, paused_ms, next_cycle, generated, pending_review, approved, published, scheduled, totals, spent_micros, created_at, updated_at)
	SELECT 'msn_' || id, tenant, 'Launch campaign ' || i, '', status, '["Tell what is new"]', jsonb_build_array(platform),
	('{"tone":null,"cadence":"daily","posts_per_day":1,"posting_times":[],"timezone":"UTC","require_approval":false,"budget_cents":' ||
		CASE WHEN i % 10 = 1 THEN '1000' ELSE 'null' END || ',"excluded_topics":[]}')::jsonb,
	'[{"metric":"likes","target":500,"platform":"all"}]', 365, at, at + interval '365 days', 'job_' || id, CASE WHEN status = 'paused' THEN at END, 0, 1,
	1, (post = 'pending_review')::int, (post IN ('published', 'scheduled'))::int, (post = 'published')::int, (post = 'scheduled')::int, '{}', CASE WHEN i % 10 = 1 THEN 9000000 ELSE 0 END, at, at FROM {grown};

INSERT INTO mission_platforms (mission_id, platform, tenant_id, status, created_at) SELECT 'msn_' || id, platform, tenant, status, at FROM {grown};

INSERT INTO mission_names (tenant_id, key, mission_id, shared, words)
	SELECT tenant, k, 'msn_' || id, 0, ' ' || i || ' campaign launch' FROM {grown},
	unnest(ARRAY['\x00', 'campaign', 'launch', '\x0063616d', '\x006c6175', convert_to(i::text, 'UTF8'),
		CASE WHEN i > 99 THEN '\x00'::bytea || convert_to(left(i::text, 3), 'UTF8') END]::bytea[]) k WHERE k IS NOT NULL;

INSERT INTO jobs (id, tenant_id, mission_id, cycle, day, window_start, window_end, status, current_stage, brief, plan, planned, written, settled, cost_micros, created_at, updated_at, completed_at)
	SELECT 'job_' || id, tenant, 'msn_' || id, 1, 0, at, at + interval '1 day',
	CASE WHEN i % 10 = 5 OR i % 20 = 7 THEN 'failed' ELSE 'completed' END, 'optimize', '{}', '{"slots":[],"reasons":[]}', 1, 1, 1, 0, at, at, at FROM {grown};

INSERT INTO stages (job_id, name, status, attempts, started_at, completed_at)
	SELECT 'job_' || id, s, 'completed', 1, at, at FROM {grown}, unnest(ARRAY['intake', 'strategy', 'content', 'publish', 'analytics', 'optimize']) s WHERE i > $2 - 1000;

INSERT INTO contents (id, tenant_id, mission_id, job_id, position, platform, format, status, body, parts, angle, revision, scheduled_at, published_at, expires_at, cost_micros, verdict, created_at, updated_at)
	SELECT 'cnt_' || id, tenant, 'msn_' || id, 'job_' || id, 0, platform, 'post', post, 'What is new this season, told in a post of the usual length, number ' || i, '[]', 'tip', 1,
	CASE WHEN post = 'failed' THEN now() - i % 160 * interval '1 hour' ELSE at END, CASE WHEN post = 'published' THEN at END, CASE WHEN post = 'pending_review' THEN now() + i % 1000 * interval '1 minute' END, 0, '{}', at, at FROM {grown};

INSERT INTO sessions (id, tenant_id, user_id, generation, superseded, created_at, expires_at, ended_at)
	SELECT 'ses_' || id, tenant, (SELECT u.id FROM users u WHERE u.tenant_id = $1 ORDER BY u.id LIMIT 1), 1, '[]', at, at + interval '30 days',
	CASE WHEN i % 10 < 8 THEN at + interval '1 hour' END FROM {grown};

INSERT INTO users (id, tenant_id, email, name, role, created_at) SELECT 'usr_' || id, tenant, i || '@example.com', '', 'viewer', at FROM {grown} WHERE i % 10 = 0;

INSERT INTO sessions (id, tenant_id, user_id, generation, superseded, created_at, expires_at)
	SELECT 'ses_' || id || 'z', tenant, 'usr_' || id, 1, '[]', at, at + interval '30 days' FROM {grown} WHERE i % 10 = 0;

INSERT INTO mission_totals (tenant_id, platform, status, n)
	SELECT tenant_id, platform, status, count(*) FROM mission_platforms WHERE tenant_id = $1 AND $2::int > 0 GROUP BY tenant_id, platform, status
	UNION ALL SELECT tenant_id, '', status, count(*) FROM missions WHERE tenant_id = $1 GROUP BY tenant_id, status;

INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
	SELECT tenant_id, COALESCE(mission_id, ''), COALESCE(platform, ''), status, count(*) FROM contents WHERE tenant_id = $1 AND $2::int > 0
	GROUP BY tenant_id, status, CUBE (mission_id, platform);

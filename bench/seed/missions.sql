-- What a tenant ($1) with a number of missions ($2), of so many posts ($3) each, has. Between
-- braces is the first statement: a row for each mission, the oldest first, over 31 days, so that
-- a calendar has as many posts at any size. Ids differ from tenant to tenant. Only the last
-- missions have stages.
(SELECT i, $3::int AS posts, '0seeds' || substr(md5($1), 1, 6) || lpad(to_hex(i), 14, '0') AS id, $1::text AS tenant,
	date_trunc('milliseconds', now() - ($2::int - i) * (interval '31 days' / $2::int)) AS at,
	CASE WHEN i % 10 < 6 THEN 'active' WHEN i % 10 < 9 THEN 'completed' ELSE 'paused' END AS status,
	(ARRAY['twitter', 'linkedin', 'mastodon', 'bluesky'])[1 + i % 4] AS platform,
	'{"impressions": 2400, "likes": 31, "comments": 4, "shares": 6, "engagement_rate": 1.71}'::jsonb AS figures FROM generate_series(1, $2::int) i) g;

INSERT INTO missions (id, tenant_id, name, description, status, objectives, platforms, constraints, kpis, duration_days, starts_at, ends_at, pipeline_job_id,
	paused_at, paused_ms, next_cycle, generated, pending_review, approved, published, scheduled, totals, created_at, updated_at)
	SELECT 'msn_' || id, tenant, 'Launch campaign ' || i, 'What readers ask for, told in the words that they use themselves, week after week.', status,
	'["Tell what is new this season", "Win readers for the newsletter", "Answer what readers ask most"]', jsonb_build_array(platform),
	'{"tone":"friendly","cadence":"daily","posts_per_day":10,"posting_times":["08:30","17:00"],"timezone":"Europe/Berlin","require_approval":false,"budget_cents":null,"excluded_topics":["politics"]}',
	'[{"metric":"likes","target":500,"platform":"all"},{"metric":"impressions","target":100000,"platform":"all"}]',
	365, at, at + interval '365 days', 'job_' || id, CASE WHEN status = 'paused' THEN at END, 0, 1,
	posts, n.pending, n.published + n.scheduled, n.published, n.scheduled, jsonb_build_object(platform, figures), at, at
	FROM {seeded}, LATERAL (SELECT count(*) FILTER (WHERE (i + k) % 8 < 5) AS published, count(*) FILTER (WHERE (i + k) % 8 = 5) AS scheduled,
		count(*) FILTER (WHERE (i + k) % 8 = 6) AS pending FROM generate_series(1, posts) k) n;

INSERT INTO mission_platforms (mission_id, platform, tenant_id, status, created_at) SELECT 'msn_' || id, platform, tenant, status, at FROM {seeded};

INSERT INTO mission_names (tenant_id, key, mission_id, shared, words)
	SELECT tenant, k, 'msn_' || id, 0, ' ' || i || ' campaign launch' FROM {seeded},
	unnest(ARRAY['\x00', 'campaign', 'launch', '\x0063616d', '\x006c6175', convert_to(i::text, 'UTF8'),
		CASE WHEN i > 99 THEN '\x00'::bytea || convert_to(left(i::text, 3), 'UTF8') END]::bytea[]) k WHERE k IS NOT NULL;

INSERT INTO jobs (id, tenant_id, mission_id, cycle, day, window_start, window_end, status, current_stage, brief, plan, planned, written, settled, cost_micros, created_at, updated_at, completed_at)
	SELECT 'job_' || id, tenant, 'msn_' || id, 1, 0, at, at + interval '1 day', 'completed', 'optimize', '{}', '{"slots":[],"reasons":[]}', posts, posts, posts, 0, at, at, at FROM {seeded};

INSERT INTO stages (job_id, name, status, attempts, started_at, completed_at)
	SELECT 'job_' || id, s, 'completed', 1, at, at + interval '2 seconds'
	FROM {seeded}, unnest(ARRAY['intake', 'strategy', 'content', 'publish', 'analytics', 'optimize']) s WHERE i > $2 - 2000;

INSERT INTO contents (id, tenant_id, mission_id, job_id, position, platform, format, status, body, parts, angle, revision, scheduled_at,
	published_at, platform_post_id, platform_url, metrics, impressions, likes, comments, shares, measured_at, cost_micros, verdict, created_at, updated_at)
	SELECT 'cnt_' || substr(id, 1, 12) || lpad(to_hex(i * 64 + k), 14, '0'), tenant, 'msn_' || id, 'job_' || id, k, platform, 'post', s,
	'What our readers asked this week, and what we found when we looked into it. The whole story is in the newsletter, number ' || i, '[]', 'tip', 1,
	g.at + k * interval '1 minute', p.at, p.post, 'https://sandbox.example/posts/' || p.post, p.figures,
	COALESCE(CAST(p.figures ->> 'impressions' AS float8), -1), COALESCE(CAST(p.figures ->> 'likes' AS float8), -1),
	COALESCE(CAST(p.figures ->> 'comments' AS float8), -1), COALESCE(CAST(p.figures ->> 'shares' AS float8), -1), p.at, 0, '{}', g.at, g.at
	FROM {seeded}, generate_series(0, posts - 1) k,
	LATERAL (SELECT CASE WHEN (i + k + 1) % 8 < 5 THEN 'published' WHEN (i + k + 1) % 8 = 5 THEN 'scheduled' WHEN (i + k + 1) % 8 = 6 THEN 'pending_review' ELSE 'rejected' END AS s) c
	LEFT JOIN LATERAL (SELECT g.at + k * interval '1 minute' AS at, 'sbx_' || id || k AS post, figures WHERE s = 'published') p ON true;

INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
	SELECT 'tsk_' || id, tenant, 'msn_' || id, 'mission:end', 'pipeline', 'msn_' || id, 0, at + interval '365 days', at + interval '364 days',
	CASE WHEN status = 'paused' THEN 'parked' ELSE 'waiting' END, '', 0, 0, 0, 0, at FROM {seeded} WHERE status <> 'completed'

-- What some of a day's missions leave in tables, in the order of their posts' lives, as counted
-- once in missions that ran: a day of a mission has a job of six stages, two posts that are
-- written again four times until they are published, thirteen tasks that are handed out, taken
-- and deleted, and fifteen events with a delivery each.
-- bench_tenants has the tenants, numbered from 0; ids are made of the day's prefixes, then the
-- numbers of a part of the missions, and that of the row. A mission's own is made of its month's.

INSERT INTO missions (id, tenant_id, name, description, status, objectives, platforms, constraints, kpis, duration_days, starts_at, ends_at,
	paused_ms, next_cycle, generated, pending_review, approved, published, scheduled, totals, spent_micros, created_at, updated_at)
	SELECT @msn || lpad(to_hex(m), 16, '0'), t.id, 'A month', '', 'active', '["Tell what is new this season", "Win readers for the newsletter"]', '["twitter", "mastodon"]',
	'{"tone":null,"cadence":"daily","posts_per_day":2,"posting_times":[],"timezone":"UTC","require_approval":false,"budget_cents":null,"excluded_topics":[]}',
	'[]', 31, @day::timestamptz, @day::timestamptz + interval '31 days', 0, 1, 0, 0, 0, 0, 0, '{}', 0, @day::timestamptz, @day::timestamptz
	FROM generate_series(@from::int, @to::int - 1) m JOIN bench_tenants t ON t.i = m % t.n WHERE @first;

INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
	SELECT @tsk || lpad(to_hex(m * 16 + 15), 16, '0'), tenant_id, id, 'mission:measure', 'maintenance', id, 0, @day::timestamptz, @day::timestamptz, 'waiting', '', 0, 0, 0, 0, @day::timestamptz
	FROM generate_series(@from::int, @to::int - 1) m JOIN missions ON id = @msn || lpad(to_hex(m), 16, '0') WHERE @first;

INSERT INTO idempotency_keys (tenant_id, key, fingerprint, holder, sealed, created_at)
	SELECT t.id, @msn::text || m, repeat('f', 64), '', repeat('s', 900), @day::timestamptz FROM generate_series(@from::int, @to::int - 1) m JOIN bench_tenants t ON t.i = m % t.n WHERE @first;

INSERT INTO jobs (id, tenant_id, mission_id, cycle, day, window_start, window_end, status, current_stage, brief, plan, planned, written, settled, cost_micros, created_at, updated_at)
	SELECT @job || lpad(to_hex(m), 16, '0'), t.id, @msn || lpad(to_hex(m), 16, '0'), extract(day FROM @day::timestamptz AT TIME ZONE 'UTC'), extract(day FROM @day::timestamptz AT TIME ZONE 'UTC'),
	@day::timestamptz, @day::timestamptz + interval '1 day', 'running', 'intake', jsonb_build_object('objectives', '["Tell what is new this season", "Win readers for the newsletter"]'::jsonb, 'voice', repeat('b', 400)),
	jsonb_build_object('slots', (SELECT jsonb_agg(jsonb_build_object('at', @day::timestamptz, 'angle', 'how_to', 'format', 'post', 'platform', 'mastodon', 'position', k, 'objective', 'Tell what is new this season'))
		FROM generate_series(0, 1) k), 'reasons', jsonb_build_array(repeat('r', 500))), 2, 0, 0, 0, @day::timestamptz, @day::timestamptz
	FROM generate_series(@from::int, @to::int - 1) m JOIN bench_tenants t ON t.i = m % t.n;

INSERT INTO stages (job_id, name, status, attempts, started_at)
	SELECT @job || lpad(to_hex(m), 16, '0'), name, 'running', 1, @day::timestamptz
	FROM generate_series(@from::int, @to::int - 1) m, unnest(ARRAY['intake', 'strategy', 'plan', 'generation', 'review', 'schedule']) name;

INSERT INTO contents (id, tenant_id, mission_id, job_id, position, platform, format, status, body, parts, angle, revision, cost_micros, verdict, created_at, updated_at)
	SELECT @cnt || lpad(to_hex(m * 2 + k), 16, '0'), t.id, @msn || lpad(to_hex(m), 16, '0'), @job || lpad(to_hex(m), 16, '0'), k, (ARRAY['twitter', 'mastodon'])[1 + k], 'post', 'pending_review',
	'What is new this season, told in a post of the usual length, as the sixty others of a month are: the shop has a new window, a new lamp, and a sale that ends on Sunday, at ' || m, '[]', 'tip', 1, 0,
	'{"excluded_topic": "", "topics_checked": 0}', @day::timestamptz, @day::timestamptz
	FROM generate_series(@from::int, @to::int - 1) m JOIN bench_tenants t ON t.i = m % t.n, generate_series(0, 1) k;

INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
	SELECT @tsk || lpad(to_hex(m * 16 + k), 16, '0'), t.id, @msn || lpad(to_hex(m), 16, '0'), 'content:publish', 'publish', @cnt || lpad(to_hex(m * 2), 16, '0'),
	0, @day::timestamptz, @day::timestamptz, 'waiting', '', 0, 0, 0, 0, @day::timestamptz
	FROM generate_series(@from::int, @to::int - 1) m JOIN bench_tenants t ON t.i = m % t.n, generate_series(0, 12) k;

UPDATE tasks SET hands = hands + 1, ring_at = ring_at + interval '1 minute', lane = 'normal'
	WHERE id >= @tsk || lpad(to_hex(@from::int * 16), 16, '0') AND id < @tsk || lpad(to_hex(@to::int * 16), 16, '0') AND type = 'content:publish';

UPDATE tasks SET state = 'running', fence = fence + 1, attempt = attempt + 1, lease_until = run_at + interval '1 minute'
	WHERE id >= @tsk || lpad(to_hex(@from::int * 16), 16, '0') AND id < @tsk || lpad(to_hex(@to::int * 16), 16, '0') AND type = 'content:publish';

UPDATE stages SET status = 'completed', completed_at = @day::timestamptz WHERE job_id >= @job || lpad(to_hex(@from::int), 16, '0') AND job_id < @job || lpad(to_hex(@to::int), 16, '0');

UPDATE jobs SET status = 'completed', written = 2, settled = 2, completed_at = @day::timestamptz WHERE id >= @job || lpad(to_hex(@from::int), 16, '0') AND id < @job || lpad(to_hex(@to::int), 16, '0');

UPDATE contents SET status = 'approved' WHERE id >= @cnt || lpad(to_hex(@from::int * 2), 16, '0') AND id < @cnt || lpad(to_hex(@to::int * 2), 16, '0');

UPDATE contents SET status = 'scheduled', scheduled_at = @day::timestamptz + position * interval '12 hours'
	WHERE id >= @cnt || lpad(to_hex(@from::int * 2), 16, '0') AND id < @cnt || lpad(to_hex(@to::int * 2), 16, '0');

UPDATE contents SET status = 'publishing', called_at = scheduled_at WHERE id >= @cnt || lpad(to_hex(@from::int * 2), 16, '0') AND id < @cnt || lpad(to_hex(@to::int * 2), 16, '0');

UPDATE contents SET status = 'published', published_at = scheduled_at, measure_at = scheduled_at, platform_post_id = 'sbx_' || id, platform_url = 'https://mastodon.sandbox.invalid/posts/' || id,
	publications = jsonb_build_array(jsonb_build_object('url', 'https://mastodon.sandbox.invalid/posts/' || id, 'post_id', 'sbx_' || id, 'published_at', scheduled_at)),
	updated_at = scheduled_at WHERE id >= @cnt || lpad(to_hex(@from::int * 2), 16, '0') AND id < @cnt || lpad(to_hex(@to::int * 2), 16, '0');

DELETE FROM tasks WHERE id >= @tsk || lpad(to_hex(@from::int * 16), 16, '0') AND id < @tsk || lpad(to_hex(@to::int * 16), 16, '0') AND type = 'content:publish';

UPDATE missions SET published = published + 2, next_cycle = next_cycle + 1 WHERE id >= @msn || lpad(to_hex(@from::int), 16, '0') AND id < @msn || lpad(to_hex(@to::int), 16, '0');

INSERT INTO day_figures (tenant_id, mission_id, date, platform, integration_id, posts, impressions, likes, comments, shares)
	SELECT tenant_id, mission_id, to_char(@day::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD'), platform, '', 1, 2227, 76, 10, 15
	FROM contents WHERE id >= @cnt || lpad(to_hex(@from::int * 2), 16, '0') AND id < @cnt || lpad(to_hex(@to::int * 2), 16, '0');

INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq)
	SELECT @evt || lpad(to_hex(m * 16 + k), 16, '0'), t.id, @msn || lpad(to_hex(m), 16, '0'),
	(ARRAY['content.created', 'content.approved', 'content.scheduled', 'content.published', 'content.created', 'content.approved', 'content.scheduled', 'content.published',
		'pipeline.stage_completed', 'pipeline.stage_completed', 'pipeline.stage_completed', 'pipeline.stage_completed', 'pipeline.stage_completed', 'pipeline.stage_completed', 'pipeline.job_completed'])[1 + k],
	@day::timestamptz, convert_to('{"id":"' || @evt || lpad(to_hex(m * 16 + k), 16, '0') || '","created_at":"2026-01-01T00:00:00.000Z","data":{"mission_id":"' || @msn || '","rest":"' || repeat('x', CASE WHEN k < 8 THEN 240 ELSE 140 END) || '"}}', 'UTF8'),
	(@position::bigint + m / t.n) * 15 + k + 1
	FROM generate_series(@from::int, @to::int - 1) m JOIN bench_tenants t ON t.i = m % t.n, generate_series(0, 14) k;

INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
	SELECT @dlv || substr(e.id, 15), e.tenant_id, t.webhook, e.id, e.type, e.mission_id, 'pending', 0, e.created_at, e.created_at
	FROM events e JOIN bench_tenants t ON t.id = e.tenant_id WHERE e.id >= @evt || lpad(to_hex(@from::int * 16), 16, '0') AND e.id < @evt || lpad(to_hex(@to::int * 16), 16, '0');

INSERT INTO delivery_attempts (delivery_id, number, at, status_code, duration_ms, error, response)
	SELECT id, 1, created_at, 200, 12, '', '' FROM deliveries WHERE id >= @dlv || lpad(to_hex(@from::int * 16), 16, '0') AND id < @dlv || lpad(to_hex(@to::int * 16), 16, '0');

UPDATE deliveries SET status = 'delivered', attempts = 1, next_attempt_at = NULL, completed_at = created_at
	WHERE id >= @dlv || lpad(to_hex(@from::int * 16), 16, '0') AND id < @dlv || lpad(to_hex(@to::int * 16), 16, '0');

INSERT INTO counters (tenant_id, name, n)
	SELECT tenant_id, name, count(*) FROM (SELECT tenant_id, unnest(ARRAY['events::' || type, 'events:' || mission_id || ':' || type]) AS name FROM events
			WHERE id >= @evt || lpad(to_hex(@from::int * 16), 16, '0') AND id < @evt || lpad(to_hex(@to::int * 16), 16, '0')
		UNION ALL SELECT tenant_id, 'deliveries:' || webhook_id || ':delivered' FROM deliveries WHERE id >= @dlv || lpad(to_hex(@from::int * 16), 16, '0') AND id < @dlv || lpad(to_hex(@to::int * 16), 16, '0')) x
	GROUP BY tenant_id, name ORDER BY tenant_id, name ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n;

INSERT INTO usage_days (tenant_id, key_id, day, requests) SELECT id, '', to_char(@day::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 1000 FROM bench_tenants WHERE @from::int = 0

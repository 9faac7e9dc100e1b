-- What the posts of a day leave in tables, in the order of a post's life: per post one
-- row of contents that is written again at each measurement, five tasks that are taken and
-- deleted, eight events with a delivery each, and fifteen measurements up to 90 days old.
-- bench_tenants has the tenants, numbered from 0; ids are made of the day's prefixes.

-- A mission of each tenant, on the first day of a month.
INSERT INTO missions (id, tenant_id, name, description, status, objectives, platforms, constraints, kpis, duration_days, starts_at, ends_at,
	paused_ms, next_cycle, generated, pending_review, approved, published, scheduled, totals, spent_micros, created_at, updated_at)
	SELECT @msn || lpad(to_hex(i), 16, '0'), id, 'A month', '', 'active', '["Tell what is new"]', '["mastodon"]',
	'{"tone":null,"cadence":"daily","posts_per_day":1,"posting_times":[],"timezone":"UTC","require_approval":false,"budget_cents":null,"excluded_topics":[]}',
	'[]', 31, @day::timestamptz, @day::timestamptz + interval '31 days', 0, 1, 0, 0, 0, 0, 0, '{}', 0, @day::timestamptz, @day::timestamptz FROM bench_tenants
	WHERE date_trunc('month', @day::timestamptz AT TIME ZONE 'UTC') = @day::timestamptz AT TIME ZONE 'UTC';

INSERT INTO contents (id, tenant_id, mission_id, position, platform, format, status, body, parts, angle, revision, scheduled_at, cost_micros, created_at, updated_at)
	SELECT @cnt || lpad(to_hex(g), 16, '0'), t.id, @msn || lpad(to_hex(t.i), 16, '0'), @position::bigint + g / t.n, 'mastodon', 'post', 'scheduled',
	'What is new this season, told in a post of the usual length, as the hundred others of a month are, number ' || g, '[]', 'tip', 1,
	@day::timestamptz + g * interval '1 ms', 0, @day::timestamptz, @day::timestamptz FROM generate_series(0, @posts::int - 1) g JOIN bench_tenants t ON t.i = g % t.n;

INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
	SELECT @tsk || lpad(to_hex(g * 5 + k), 16, '0'), t.id, @msn || lpad(to_hex(t.i), 16, '0'), 'content:publish', 'publish', @cnt || lpad(to_hex(g), 16, '0') || k,
	0, @day::timestamptz, @day::timestamptz, 'waiting', '', 0, 0, 0, 0, @day::timestamptz
	FROM generate_series(0, @posts::int - 1) g JOIN bench_tenants t ON t.i = g % t.n, generate_series(0, 4) k;

UPDATE tasks SET hands = hands + 1, ring_at = ring_at + interval '1 minute', lane = 'normal' WHERE id >= @tsk;

UPDATE tasks SET state = 'running', fence = fence + 1, attempt = attempt + 1, lease_until = run_at + interval '1 minute' WHERE id >= @tsk;

UPDATE contents SET status = 'published', published_at = scheduled_at, platform_post_id = 'sbx_' || id, platform_url = 'https://mastodon.sandbox.invalid/posts/' || id,
	publications = jsonb_build_array(jsonb_build_object('url', 'https://mastodon.sandbox.invalid/posts/' || id, 'post_id', 'sbx_' || id, 'published_at', scheduled_at)),
	updated_at = scheduled_at WHERE id >= @cnt;

DELETE FROM tasks WHERE id >= @tsk;

INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq)
	SELECT @evt || lpad(to_hex(g * 8 + k), 16, '0'), t.id, @msn || lpad(to_hex(t.i), 16, '0'), (ARRAY['content.created', 'content.scheduled', 'content.published', 'analytics.updated'])[1 + k % 4],
	@day::timestamptz, convert_to('{"id":"' || @evt || '","type":"content.published","created_at":"2026-01-01T00:00:00.000Z","data":{"content_id":"' || @cnt ||
		'","mission_id":"' || @msn || '","platform":"mastodon","status":"published","platform_url":"https://mastodon.sandbox.invalid/posts/' || @cnt || '"}}', 'UTF8'),
	(@position::bigint + g / t.n) * 8 + k + 1
	FROM generate_series(0, @posts::int - 1) g JOIN bench_tenants t ON t.i = g % t.n, generate_series(0, 7) k;

INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
	SELECT @dlv || substr(e.id, 15), e.tenant_id, t.webhook, e.id, e.type, e.mission_id, 'pending', 0, e.created_at, e.created_at
	FROM events e JOIN bench_tenants t ON t.id = e.tenant_id WHERE e.id >= @evt;

INSERT INTO delivery_attempts (delivery_id, number, at, status_code, duration_ms, error, response)
	SELECT id, 1, created_at, 200, 12, '', '' FROM deliveries WHERE id >= @dlv;

UPDATE deliveries SET status = 'delivered', attempts = 1, next_attempt_at = NULL, completed_at = created_at WHERE id >= @dlv;

INSERT INTO counters (tenant_id, name, n)
	SELECT tenant_id, name, count(*) FROM (SELECT tenant_id, unnest(ARRAY['events::' || type, 'events:' || mission_id || ':' || type]) AS name FROM events WHERE id >= @evt
		UNION ALL SELECT tenant_id, 'deliveries:' || webhook_id || ':delivered' FROM deliveries WHERE id >= @dlv) x
	GROUP BY tenant_id, name ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n;

INSERT INTO usage_days (tenant_id, key_id, day, requests) SELECT id, '', to_char(@day::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 1000 FROM bench_tenants

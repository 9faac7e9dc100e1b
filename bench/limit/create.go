package limit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// create writes the rows that the service leaves of a mission that starts at
// once, in one batch: a mission of two platforms, its words, its job and its
// stages, two events, their deliveries to whoever subscribes, the tasks of the
// ledger, and what is counted.
func (s *server) create(r *http.Request, tenant string) ([]byte, error) {
	var in mission.CreateInput
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	n := newMade(tenant, in)
	b := &pgx.Batch{}
	n.queueMission(b)
	n.queueJob(b)
	n.queueEvents(b)
	return n.answer(), s.db.SendBatch(r.Context(), b).Close()
}

// made is a mission in the making.
type made struct {
	tenant, id, job string
	in              mission.CreateInput
	now, ends       time.Time
	dayEnds         time.Time
	tasks           []string // ids
	platforms       []string
	posts           int
}

func newMade(tenant string, in mission.CreateInput) made {
	now := mission.Millis(time.Now())
	n := made{
		tenant: tenant, in: in, now: now, ends: now.AddDate(0, 0, *in.DurationDays), dayEnds: now.AddDate(0, 0, 1),
		id: newIDs.New(mission.PrefixMission, now), job: newIDs.New(mission.PrefixJob, now), posts: *in.Constraints.PostsPerDay,
	}
	for range 4 {
		n.tasks = append(n.tasks, newIDs.New(mission.PrefixTask, now))
	}
	for _, p := range in.Platforms {
		n.platforms = append(n.platforms, string(p))
	}
	return n
}

func (n made) constraints() string {
	return fmt.Sprintf(`{"tone":null,"cadence":"daily","posts_per_day":%d,"posting_times":[],"timezone":"UTC","require_approval":false,"budget_cents":null,"excluded_topics":[]}`, n.posts)
}

func (n made) queueMission(b *pgx.Batch) {
	objectives, _ := json.Marshal(n.in.Objectives) // texts can be encoded
	platforms, _ := json.Marshal(n.platforms)
	kpis := fmt.Sprintf(`[{"metric":%q,"target":%v,"platform":"all"}]`, n.in.KPIs[0].Metric, *n.in.KPIs[0].Target)
	b.Queue(`INSERT INTO missions (id, tenant_id, name, description, status, objectives, platforms, constraints, kpis, duration_days, starts_at, ends_at,
		pipeline_job_id, paused_ms, next_cycle, generated, pending_review, approved, published, scheduled, totals, achieved, created_at, updated_at)
		VALUES ($1, $2, $3, '', 'active', $4, $5, $6, $7, $8, $9, $10, $11, 0, 1, 0, 0, 0, 0, 0, 'null', 'null', $9, $9)`,
		n.id, n.tenant, n.in.Name, objectives, platforms, n.constraints(), kpis, *n.in.DurationDays, n.now, n.ends, n.job)
	b.Queue(`INSERT INTO mission_platforms (mission_id, platform, tenant_id, status, created_at) SELECT $1, p, $2, 'active', $3 FROM unnest($4::text[]) p`,
		n.id, n.tenant, n.now, n.platforms)
	keys, words := mission.SearchKeys(n.in.Name)
	texts, shared := make([][]byte, len(keys)), make([]int, len(keys))
	for i, k := range keys {
		texts[i], shared[i] = k.Key, k.Shared
	}
	b.Queue(`INSERT INTO mission_names (tenant_id, key, mission_id, shared, words) SELECT $1, k, $2, s, $5 FROM unnest($3::bytea[], $4::int[]) AS x (k, s)`,
		n.tenant, n.id, texts, shared, words)
}

func (n made) queueJob(b *pgx.Batch) {
	brief, _ := json.Marshal(map[string]any{ // texts can be encoded
		"mission_name": n.in.Name, "description": "", "objectives": n.in.Objectives, "platforms": n.platforms, "kpis": n.in.KPIs,
		"constraints": json.RawMessage(n.constraints()), "brand": struct{}{},
	})
	b.Queue(`INSERT INTO jobs (id, tenant_id, mission_id, cycle, day, window_start, window_end, status, current_stage, brief, plan, planned, written, settled,
		cost_micros, created_at, updated_at) VALUES ($1, $2, $3, 1, 0, $4, $5, 'running', 'intake', $6, '{"slots":null,"reasons":null}', 0, 0, 0, 0, $4, $4)`,
		n.job, n.tenant, n.id, n.now, n.dayEnds, brief)
	b.Queue(`INSERT INTO stages (job_id, name, status, attempts) SELECT $1, s, 'pending', 0
		FROM unnest(ARRAY['intake', 'strategy', 'content', 'publish', 'analytics', 'optimize']) s`, n.job)
	b.Queue(`INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
		SELECT t.id, $1, $2, t.type, 'pipeline', t.subject, t.day, t.run_at, t.ring_at, 'waiting', '', 0, 0, 0, 0, $3
		FROM unnest($4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[], $9::timestamptz[]) AS t (id, type, subject, day, run_at, ring_at)`,
		n.tenant, n.id, n.now, n.tasks, []string{"mission:end", "stage:intake", "cycle:end", "cycle:begin"}, []string{n.id, n.job, n.job, n.id},
		[]int64{0, 0, 0, 1}, []time.Time{n.ends, n.now, n.dayEnds, n.dayEnds},
		[]time.Time{n.ends.Add(-time.Hour), n.now, n.dayEnds.Add(-time.Hour), n.dayEnds.Add(-time.Hour)})
}

func (n made) queueEvents(b *pgx.Batch) {
	types := []string{"mission.created", "mission.started"}
	events := queueEvents(b, n.tenant, n.id, n.now, types, func(i int) []byte {
		status := []string{"draft", "active"}[i]
		starts, ends := "null", "null"
		if i > 0 {
			starts, ends = string(appendTime(nil, "", n.now)), string(appendTime(nil, "", n.ends))
		}
		return fmt.Appendf(nil, `{"mission_id":%q,"name":%q,"status":%q,"starts_at":%s,"ends_at":%s}`, n.id, n.in.Name, status, starts, ends)
	})
	b.Queue(`WITH made AS (
			INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
			SELECT 'dlv_' || substr(e.id, 5, 10) || w.code || substr(e.id, 17, 14), $1, w.webhook_id, e.id, e.type, $2, 'pending', 0, $3, $3
			FROM unnest($4::text[], $5::text[]) AS e (id, type) JOIN webhook_events w ON w.tenant_id = $1 AND w.type = e.type RETURNING id, webhook_id
		), counted AS (
			INSERT INTO counters (tenant_id, name, n) SELECT $1, 'deliveries:' || webhook_id || ':pending', count(*) FROM made GROUP BY webhook_id ORDER BY webhook_id
			ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n
		) INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
			SELECT 'tsk_' || substr(max(id), 5), $1, '', 'webhook:deliver', 'webhooks', webhook_id, 0, $3, $3, 'waiting', '', 0, 0, 0, 0, $3
			FROM made GROUP BY webhook_id ORDER BY webhook_id
			ON CONFLICT (subject) WHERE type = 'webhook:deliver' DO UPDATE SET ring_at = LEAST(tasks.ring_at, EXCLUDED.ring_at), run_at = LEAST(tasks.run_at, EXCLUDED.run_at)`,
		n.tenant, n.id, n.now, events, types)
	b.Queue(`INSERT INTO mission_totals (tenant_id, platform, status, n) SELECT $1, p, 'active', 1 FROM unnest($2::text[]) p ORDER BY p
		ON CONFLICT (tenant_id, platform, status) DO UPDATE SET n = mission_totals.n + EXCLUDED.n`, n.tenant, append([]string{""}, n.platforms...))
}

// created is the interface's answer.
type created struct {
	ID             string    `json:"id"`
	Name           string    `json:"name"`
	Status         string    `json:"status"`
	PipelineJobID  string    `json:"pipeline_job_id"`
	Platforms      []string  `json:"platforms"`
	StartsAt       time.Time `json:"starts_at"`
	EndsAt         time.Time `json:"ends_at"`
	EstimatedPosts int       `json:"estimated_posts"`
	CreatedAt      time.Time `json:"created_at"`
	Notices        []string  `json:"notices"`
}

func (n made) answer() []byte {
	body, _ := jsonwire.Marshal(created{ // texts and times can be encoded
		ID: n.id, Name: n.in.Name, Status: "active", PipelineJobID: n.job, Platforms: n.platforms,
		StartsAt: n.now, EndsAt: n.ends, EstimatedPosts: n.posts * *n.in.DurationDays, CreatedAt: n.now,
		Notices: []string{},
	})
	return body
}

package limit

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/id"
	"missiond/mission"
)

// Pipeline is a job to be run by hand, as create answered it.
type Pipeline struct {
	TenantID  string
	MissionID string `json:"id"`
	JobID     string `json:"pipeline_job_id"`
}

var newIDs = id.NewSource(nil)

// contentID is the id of the job's only post.
func (p Pipeline) contentID() string { return mission.PrefixContent + p.JobID[len(mission.PrefixJob):] }

// Queue puts the rows that a stage leaves, of a job with one post, into a
// batch.
func (p Pipeline) Queue(b *pgx.Batch, stage mission.StageName) {
	now := mission.Millis(time.Now())
	events := []string{"pipeline.stage_completed"}
	switch stage {
	case mission.StageStrategy:
		p.plan(b, now)
	case mission.StageContent:
		p.write(b, now)
		events = append(events, "content.created", "content.approved")
	case mission.StagePublish:
		p.publish(b, now)
		events = append(events, "content.scheduled", "content.published")
	case mission.StageAnalytics:
		p.measure(b, now)
	case mission.StageOptimize:
		b.Queue(`INSERT INTO mission_learning (mission_id, learned, learned_at) VALUES ($1, '{}', $2)`, p.MissionID, now)
		events = append(events, "pipeline.job_completed")
	default:
	}
	next, ok := stage.Next()
	b.Queue(`UPDATE stages SET status = 'completed', attempts = 1, started_at = $3, completed_at = $3 WHERE job_id = $1 AND name = $2`, p.JobID, string(stage), now)
	if ok {
		b.Queue(`UPDATE jobs SET current_stage = $2, updated_at = $3 WHERE id = $1`, p.JobID, string(next), now)
	} else {
		b.Queue(`UPDATE jobs SET status = 'completed', completed_at = $2, updated_at = $2 WHERE id = $1`, p.JobID, now)
	}
	p.tell(b, events, now)
}

func (p Pipeline) plan(b *pgx.Batch, now time.Time) {
	plan := fmt.Sprintf(`{"slots":[{"position":0,"at":%s,"platform":"mastodon","format":"post","angle":"tip","objective":"Tell what is new"}],"reasons":["Nothing is known yet."]}`, appendTime(nil, "", now))
	b.Queue(`UPDATE jobs SET plan = $2, planned = 1 WHERE id = $1`, p.JobID, plan)
}

const postText = "Tell what is new: here is a tip that our readers gave us this week, and what came of it when we tried it ourselves. #news"

func (p Pipeline) write(b *pgx.Batch, now time.Time) {
	b.Queue(`INSERT INTO contents (id, tenant_id, mission_id, job_id, position, platform, format, status, body, parts, angle, revision, scheduled_at, cost_micros, verdict, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 0, 'mastodon', 'post', 'approved', $5, '[]', 'tip', 1, $6, 0, '{}', $6, $6)`, p.contentID(), p.TenantID, p.MissionID, p.JobID, postText, now)
	b.Queue(`UPDATE jobs SET written = 1 WHERE id = $1`, p.JobID)
	b.Queue(`UPDATE missions SET generated = generated + 1, approved = approved + 1 WHERE id = $1`, p.MissionID)
	p.total(b, []string{"approved"}, []int64{1})
}

// total counts the post under statuses, of its mission and of all.
func (p Pipeline) total(b *pgx.Batch, statuses []string, n []int64) {
	b.Queue(`INSERT INTO content_totals (tenant_id, mission_id, platform, status, n)
		SELECT $1, m, f, s.status, s.n FROM unnest(ARRAY[$2, '']) m, unnest(ARRAY['', 'mastodon']) f, unnest($3::text[], $4::bigint[]) AS s (status, n) ORDER BY m DESC, f, s.status
		ON CONFLICT (tenant_id, mission_id, platform, status) DO UPDATE SET n = content_totals.n + EXCLUDED.n`, p.TenantID, p.MissionID, statuses, n)
}

func (p Pipeline) publish(b *pgx.Batch, now time.Time) {
	b.Queue(`INSERT INTO sandbox_posts (id, content_id, platform, body, published_at, part) VALUES ($1, $2, 'mastodon', $3, $4, 0)`,
		newIDs.New("sbx_", now), p.contentID(), postText, now)
	b.Queue(`UPDATE contents SET status = 'published', published_at = $2, platform_post_id = $1, platform_url = 'https://mastodon.sandbox.example/' || $1,
		publications = '[]', measure_at = $2, updated_at = $2 WHERE id = $1`, p.contentID(), now)
	b.Queue(`UPDATE jobs SET settled = 1 WHERE id = $1`, p.JobID)
	b.Queue(`UPDATE missions SET published = published + 1 WHERE id = $1`, p.MissionID)
	p.total(b, []string{"approved", "published"}, []int64{-1, 1})
}

func (p Pipeline) measure(b *pgx.Batch, now time.Time) {
	const figures = `{"impressions":120,"likes":3,"comments":1,"shares":1,"engagement_rate":4.17}`
	b.Queue(`UPDATE contents SET metrics = $2, measured_at = $3, measure_at = $4 WHERE id = $1`, p.contentID(), figures, now, now.Add(15*time.Minute))
	b.Queue(`INSERT INTO measurements (content_id, step, mission_id, platform, published_at, measured_at, metrics) VALUES ($1, 0, $2, 'mastodon', $3, $3, $4)`,
		p.contentID(), p.MissionID, now, figures)
	b.Queue(`INSERT INTO day_figures (tenant_id, mission_id, date, platform, integration_id, posts, impressions, likes, comments, shares, rated)
		SELECT $1, m, to_char($3::timestamptz, 'YYYY-MM-DD'), 'mastodon', '', 1, 120, 3, 1, 1, 5 FROM unnest(ARRAY[$2, '']) m ORDER BY m DESC
		ON CONFLICT (tenant_id, mission_id, date, platform, integration_id) DO UPDATE SET posts = day_figures.posts + 1, impressions = day_figures.impressions + 120, likes = day_figures.likes + 3,
			comments = day_figures.comments + 1, shares = day_figures.shares + 1, rated = day_figures.rated + 5`, p.TenantID, p.MissionID, now)
	b.Queue(`UPDATE missions SET totals = $2 WHERE id = $1`, p.MissionID, `{"mastodon":`+figures+`}`)
}

// tell writes events of the job.
func (p Pipeline) tell(b *pgx.Batch, types []string, now time.Time) {
	queueEvents(b, p.TenantID, p.MissionID, now, types, func(int) []byte {
		return fmt.Appendf(nil, `{"mission_id":%q,"job_id":%q,"content_id":%q,"platform":"mastodon","type":"post"}`, p.MissionID, p.JobID, p.contentID())
	})
}

// queueEvents puts events with their places and their counts into a batch, and returns
// their ids. data is that of the i-th.
func queueEvents(b *pgx.Batch, tenant, missionID string, now time.Time, types []string, data func(i int) []byte) (ids []string) {
	var names []string
	var bodies [][]byte
	for i, t := range types {
		event := newIDs.New(mission.PrefixEvent, now)
		ids = append(ids, event)
		names = append(names, "events::"+t, "events:"+missionID+":"+t)
		bodies = append(bodies, fmt.Appendf(nil, `{"id":%q,"type":%q,"created_at":%s,"data":%s}`, event, t, appendTime(nil, "", now), data(i)))
	}
	b.Queue(`WITH taken AS (INSERT INTO counters (tenant_id, name, n) VALUES ($1, 'event_seq', $7)
			ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n RETURNING n)
		INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq)
		SELECT e.id, $1, $2, e.type, $3, e.body, taken.n - $7 + e.place
		FROM taken, unnest($4::text[], $5::text[], $6::bytea[]) WITH ORDINALITY AS e (id, type, body, place)`,
		tenant, missionID, now, ids, types, bodies, len(types))
	b.Queue(`INSERT INTO counters (tenant_id, name, n) SELECT $1, c, 1 FROM unnest($2::text[]) c ORDER BY c
		ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n`, tenant, names)
	return ids
}

package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
	"missiond/internal/writer/builtin/builtintest"
)

// clientPool is the clients that use the service.
type clientPool struct {
	b       *record
	clients []*client
	leaving atomic.Bool
	cancel  context.CancelFunc
	all     sync.WaitGroup
	done    chan struct{}
}

// startClients creates every tenant's endpoints, and lets clients use the service
// until stop.
func startClients(ctx context.Context, w *harness, b *record) *clientPool {
	ctx, cancel := context.WithCancel(ctx)
	c := &clientPool{b: b, cancel: cancel, done: make(chan struct{})}
	for i := range w.o.clients {
		c.clients = append(c.clients, newClient(w, b, w.tenants[i%len(w.tenants)], i))
	}
	for i, t := range w.tenants {
		first := newClient(w, b, t, 1000+i)
		first.hook(ctx, "all", allEvents, false, true)
		first.hook(ctx, "moody", allEvents, true, true)
		first.hook(ctx, "some", []string{"content.published", "mission.completed", "pipeline.job_completed"}, true, true)
	}
	for _, one := range c.clients {
		c.all.Go(func() { one.use(ctx, &c.leaving) })
	}
	go func() { c.all.Wait(); close(c.done) }()
	return c
}

// stop makes each client stop after its current request.
func (c *clientPool) stop() { c.leaving.Store(true) }

// wait waits until every client has its last response. Errors: a client without one
// in time.
func (c *clientPool) wait(most time.Duration) error {
	defer c.cancel()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-c.done:
		return nil
	case <-timer.C:
		var waiting []string
		c.b.write(func() { waiting = slices.Sorted(maps.Values(c.b.waiting)) })
		return fmt.Errorf("clients still wait for their last responses %s after the last recovery:\n%s", most, strings.Join(waiting, "\n"))
	}
}

func newClient(w *harness, b *record, t tenant, number int) *client {
	return &client{
		w: w, b: b, tenant: t, number: number, r: w.o.chance(100 + uint64(number)),
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: 10 * time.Second}},
	}
}

// Pace of a client.
const (
	shortestThought = 50 * time.Millisecond
	longestThought  = 700 * time.Millisecond
)

// use uses the service until stop.
func (c *client) use(ctx context.Context, leaving *atomic.Bool) {
	defer c.http.CloseIdleConnections()
	for !leaving.Load() && ctx.Err() == nil {
		switch x := c.r.IntN(100); {
		case x < 42 || len(c.own) == 0:
			c.create(ctx)
		case x < 62:
			c.review(ctx, oneOf(c.r, c.own))
		case x < 88:
			c.steer(ctx, oneOf(c.r, c.own))
		case x < 99:
			c.look(ctx, oneOf(c.r, c.own))
		default:
			c.hook(ctx, "late", allEvents, c.r.IntN(2) == 0, false)
		}
		_ = clock.Sleep(ctx, between(c.r, shortestThought, longestThought))
	}
}

// key returns an Idempotency-Key for most requests, else "".
func (c *client) key(percent int) string {
	if c.r.IntN(100) >= percent {
		return ""
	}
	return fmt.Sprintf("%d-%d-%d", c.w.o.seed, c.number, c.r.Uint64())
}

var platforms = []string{"twitter", "linkedin", "mastodon", "bluesky", "facebook", "threads", "tiktok"}

// create creates a mission: at once, at a time soon, or as a draft. Its posts
// are due at once and at the minutes to come.
func (c *client) create(ctx context.Context) {
	c.made++
	m := &sentMission{
		Name: fmt.Sprintf("Mission %d of client %d", c.made, c.number), TenantID: c.tenant.ID,
		Days: 1 + c.r.IntN(3), Approval: c.r.IntN(4) == 0, PostsPerDay: 1 + c.r.IntN(3), Steps: tallies{},
	}
	if c.r.IntN(3) == 0 {
		m.Budget = 3 + c.r.Int64N(60)
	}
	first := c.r.IntN(len(platforms))
	for i := range 1 + c.r.IntN(3) {
		m.Platforms = append(m.Platforms, platforms[(first+i)%len(platforms)])
	}
	constraints := map[string]any{"posts_per_day": m.PostsPerDay, "require_approval": m.Approval}
	if m.Budget > 0 {
		constraints["budget_cents"] = m.Budget
	}
	if c.r.IntN(3) == 0 {
		times := []string{}
		for i := range m.PostsPerDay {
			times = append(times, time.Now().UTC().Add(time.Duration(i+1)*time.Minute).Format("15:04"))
		}
		constraints["posting_times"] = times
	}
	body := map[string]any{
		"name": m.Name, "description": builtintest.Description, "objectives": []string{"Show what holds", "Tell what doesn't"}, "platforms": m.Platforms,
		"constraints": constraints, "duration_days": m.Days, "kpis": []map[string]any{{"metric": "likes", "target": 1}},
	}
	switch x := c.r.IntN(10); {
	case x < 8:
		body["start_immediately"] = true
	case x < 9:
		body["starts_at"] = time.Now().UTC().Add(between(c.r, 3*time.Second, 20*time.Second)).Format(time.RFC3339Nano)
	}
	c.b.write(func() { c.b.missions[m.Name] = m })
	a := c.do(ctx, post("/v1/missions", c.key(60), body))
	var made struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	if a.outcome == done && (a.read(&made) != nil || made.Name != m.Name) {
		c.b.violated(m.Name, "the mission", string(a.body))
	}
	c.b.write(func() { m.Created.add(a.outcome); m.ID = made.ID })
	switch {
	case a.outcome == done:
		c.own = append(c.own, m)
	case a.outcome == declined && body["starts_at"] == nil: // a start may have passed before it got through
		c.b.violated(m.Name, "to be created", fmt.Sprintf("%d %s", a.status, a.body))
	}
}

// look reads a mission: an acknowledged one must exist. Right after a failover a process
// may still read from the demoted primary, and nothing follows.
func (c *client) look(ctx context.Context, m *sentMission) (status string) {
	old := c.w.mayBeOld()
	a := c.do(ctx, get("/v1/missions/"+m.ID))
	var shown struct{ ID, Name, Status string }
	switch {
	case a.outcome == unknown, old, c.w.mayBeOld():
		return ""
	case a.outcome == declined && m.Deleted != (tally{}):
		return "deleted"
	case a.outcome == declined || a.read(&shown) != nil || shown.ID != m.ID || shown.Name != m.Name:
		c.b.violated(m.ID, "to be readable after its creation", fmt.Sprintf("%d %s", a.status, a.body))
	case m.Deleted.Sure > 0:
		c.b.violated(m.ID, "to be gone after its deletion", string(a.body))
	}
	return shown.Status
}

// steps are the actions that a mission in a state allows, and how often they are
// taken.
var steps = map[string][]struct {
	verb, field, event string
	weight             int
}{
	"draft":     {{"start", "startMission", "mission.started", 1}},
	"active":    {{"pause", "pauseMission", "mission.paused", 3}, {"complete", "completeMission", "mission.completed", 1}},
	"paused":    {{"resume", "resumeMission", "mission.resumed", 8}, {"complete", "completeMission", "mission.completed", 1}},
	"completed": {{"", "deleteMission", "", 1}},
}

// steer changes a mission's current state.
func (c *client) steer(ctx context.Context, m *sentMission) {
	status := c.look(ctx, m)
	choices := steps[status]
	if len(choices) == 0 {
		return
	}
	s, sum := choices[0], 0
	for _, choice := range choices {
		if sum += choice.weight; c.r.IntN(sum) < choice.weight {
			s = choice
		}
	}
	if s.verb == "" && c.r.IntN(5) > 0 {
		return // most are kept
	}
	q := mutation(s.field, m.ID, c.key(30))
	switch graph := c.r.IntN(3) == 0; {
	case graph:
	case s.verb == "":
		q = request{method: http.MethodDelete, path: "/v1/missions/" + m.ID}
	default:
		q = post("/v1/missions/"+m.ID+"/"+s.verb, q.key, nil)
	}
	a := c.do(ctx, q)
	if a.outcome == declined && !m.doubtful && status != "draft" { // a draft may start by itself meanwhile
		c.b.violated(m.ID, fmt.Sprintf("to take %s%s, being %s", s.verb, s.field, status), fmt.Sprintf("%d %s", a.status, a.body))
	}
	c.b.write(func() {
		if s.event == "" {
			m.Deleted.add(a.outcome)
			return
		}
		m.step(s.event, a.outcome)
	})
	if a.outcome == unknown {
		_ = clock.Sleep(ctx, time.Second) // what is on its way may still be done
	}
}

// review approves, rejects or regenerates a post that waits for review.
func (c *client) review(ctx context.Context, m *sentMission) {
	status := c.look(ctx, m)
	if !m.Approval || status != "active" && status != "paused" {
		return
	}
	a := c.do(ctx, get("/v1/content?status=pending_review&limit=1&mission_id="+url.QueryEscape(m.ID)))
	if c.w.mayBeOld() {
		return
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if a.outcome != done || a.read(&list) != nil || len(list.Data) == 0 {
		return
	}
	id, verb := list.Data[0].ID, oneOf(c.r, []string{"approve", "approve", "reject", "regenerate"})
	if status == "paused" && verb == "regenerate" {
		verb = "approve"
	}
	field := verb + "Content"
	q := mutation(field, id, c.key(60))
	if c.r.IntN(3) > 0 {
		q = post("/v1/content/"+id+"/"+verb, q.key, nil)
	}
	a = c.do(ctx, q)
	if a.outcome == declined && !m.doubtful && m.Budget == 0 {
		c.b.violated(id, "to take "+verb+", waiting for review", fmt.Sprintf("%d %s", a.status, a.body))
	}
	c.b.review(id, verb, a.outcome)
	if a.outcome == unknown {
		c.b.write(func() { m.doubtful = true })
		_ = clock.Sleep(ctx, time.Second)
	}
}

// allEvents are the event types of the interface (section 6).
var allEvents = []string{
	"content.created", "content.approved", "content.rejected", "content.scheduled", "content.published", "content.failed",
	"content.expiring", "content.expired", "content.canceled",
	"mission.created", "mission.started", "mission.paused", "mission.resumed", "mission.completed",
	"pipeline.stage_completed", "pipeline.job_completed", "pipeline.job_failed",
	"analytics.kpi_achieved", "analytics.anomaly_detected",
}

// mostHooks is less than the number of endpoints that a tenant may have
// (docs/webhooks.md).
const mostHooks = 12

// hook creates an endpoint at a unique path.
func (c *client) hook(ctx context.Context, kind string, events []string, moody, early bool) {
	h := &sentHook{TenantID: c.tenant.ID, Events: events, Early: early}
	full := false
	c.b.write(func() {
		n := 0
		for _, other := range c.b.hooks {
			if other.TenantID == c.tenant.ID {
				n++
			}
		}
		if full = n >= mostHooks; full {
			return
		}
		h.Path = fmt.Sprintf("/%s/%s-%d", c.tenant.ID, kind, n)
		c.b.hooks[h.Path] = h
	})
	if full {
		return
	}
	address := c.w.receiver.open(h.Path, moody)
	key := c.key(50)
	if early {
		key = "early" + h.Path
	}
	a := c.do(ctx, post("/v1/webhooks", key, map[string]any{"url": address, "events": events}))
	var made struct{ ID, Secret string }
	switch {
	case a.outcome == declined || a.outcome == done && a.read(&made) != nil:
		c.b.violated(h.Path, "an endpoint", fmt.Sprintf("%d %s", a.status, a.body))
	case a.outcome == done:
		c.w.receiver.trust(h.Path, made.Secret)
	}
	c.b.write(func() { h.Created.add(a.outcome); h.ID = made.ID })
}

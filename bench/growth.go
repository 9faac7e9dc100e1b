package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/bench/seed"
	"missiond/mission"
	"missiond/store"
)

// growthSamples are how often each request is made in a round, growthRounds how
// many rounds there are: all requests take turns.
const (
	growthSamples = 10
	growthRounds  = 8
	growthPage    = 20
)

// growing returns a tenant for each size, which are made and filled where they
// are missing.
func (b *bench) growing(ctx context.Context) ([]tenant, error) {
	if len(b.kept.Growing) > 0 && slices.Equal(b.kept.Sizes, b.sizes) {
		return b.kept.Growing, nil
	}
	db, err := store.OpenPostgres(b.url(), store.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	tenants, err := b.makeTenants(ctx, db, "Growing", len(b.sizes), func(int) int { return 0 })
	if err != nil {
		return nil, err
	}
	missions := map[string]int{}
	for i, t := range tenants {
		missions[t.ID] = b.sizes[i]
	}
	// Until it is done the database lacks its indexes: cut off, it isn't used
	// again.
	if err := errors.Join(os.RemoveAll(filepath.Join(b.home, keptName)), b.durable(ctx, "off")); err != nil {
		return nil, err
	}
	conn, err := b.db.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	taken := conn.Hijack()
	defer func() { _ = taken.Close(context.WithoutCancel(ctx)) }()
	if err := seed.Grow(ctx, taken, missions, b.say); err != nil {
		return nil, err
	}
	b.kept.Growing, b.kept.Sizes = tenants, b.sizes
	if err := b.keep(); err != nil {
		return nil, err
	}
	return tenants, b.durable(ctx, "on")
}

// grownCase is a request as the tenant grows. path answers it; {middle} and
// {end} in it are ids half way and at the end of the list of its table. With a query it is
// the variables.
type grownCase struct {
	name, path, query string
	// base is the case whose first size it is held against; "" is itself.
	base string
}

const (
	firstMissions = "missions: first page"
	firstPosts    = "posts: first page"
	firstGraph    = "GraphQL missions: first page"
	wordOf900     = "GraphQL missions: found by a word of one in 900"
	calendar62    = "calendar: 62 days"
)

func grownCases() []grownCase {
	const graph = `query ($first: Int, $last: Int, $filter: MissionFilter, $order: MissionOrder) {
		missions(first: $first, last: $last, filter: $filter, orderBy: $order) { totalCount edges { node { id name status createdAt } } } }`
	const sessions = `query ($user: ID!, $after: String) { sessions(userId: $user, first: 20, after: $after) { edges { node { id createdAt } } } }`
	list := []grownCase{{name: firstMissions, path: "/v1/missions?limit=20"}}
	for name, filter := range map[string]string{
		"": "", ", by status": "&status=active", ", by platform": "&platform=twitter", ", by both": "&status=completed&platform=linkedin", ", that none match": "&status=draft",
	} {
		for _, at := range []string{"", "middle", "end"} {
			if path := "/v1/missions?limit=20" + filter; at != "" && filter != "&status=draft" {
				list = append(list, grownCase{name: "missions: " + at + name, path: path + "&starting_after={" + at + "}", base: firstMissions})
			} else if filter != "" && at == "" {
				list = append(list, grownCase{name: "missions: first page" + name, path: path, base: firstMissions})
			}
		}
	}
	list = append(list, grownCase{name: firstPosts, path: "/v1/content?limit=20"})
	for name, filter := range map[string]string{
		"": "", ", by status": "&status=published", ", by platform": "&platform=twitter", ", by both": "&status=rejected&platform=bluesky",
	} {
		list = append(list, grownCase{name: "posts: end" + name, path: "/v1/content?limit=20" + filter + "&starting_after={end}", base: firstPosts})
	}
	for name, filter := range map[string]string{
		", by slot": "&order=scheduled", ", by slot and platform": "&order=scheduled&platform=twitter", ", by slot and state": "&order=scheduled&status=scheduled,published",
		", by publication": "&order=published", ", in two states": "&status=rejected,published",
	} {
		list = append(list, grownCase{name: "posts: first page" + name, path: "/v1/content?limit=20" + filter, base: "posts: first page" + name})
		if name != ", in two states" {
			list = append(list, grownCase{name: "posts: middle" + name, path: "/v1/content?limit=20" + filter + "&starting_after={published}", base: "posts: first page" + name})
		}
	}
	slices.SortStableFunc(list, func(x, y grownCase) int { return strings.Compare(x.name, y.name) })
	return append(list,
		grownCase{name: firstGraph, query: graph, path: `{"first":20}`},
		grownCase{name: "GraphQL missions: oldest first", query: graph, path: `{"first":20,"order":"OLDEST_FIRST"}`, base: firstGraph},
		grownCase{name: "GraphQL missions: last page", query: graph, path: `{"last":20}`, base: firstGraph},
		grownCase{name: "GraphQL missions: found by a rare word", query: graph, path: `{"first":20,"filter":{"search":"launch 1000"}}`, base: firstGraph},
		grownCase{name: wordOf900, query: graph, path: `{"first":20,"filter":{"search":"launch 777"}}`, base: firstGraph},
		grownCase{name: "GraphQL missions: found by a common word", query: graph, path: `{"first":20,"filter":{"search":"campaign"}}`, base: firstGraph},
		grownCase{name: "GraphQL attention", query: `{ attention { kind count items { deadline usedPercent content { id } mission { id name } job { id } } } }`, path: `{}`},
		grownCase{name: "GraphQL sessions: first page", query: sessions, path: `{"user":"{user}"}`},
		grownCase{name: "GraphQL sessions: middle", query: sessions, path: `{"user":"{user}","after":"{session}"}`, base: "GraphQL sessions: first page"},
		grownCase{name: calendar62, path: "/v1/calendar?from={from}&to={to}"},
		grownCase{name: "status view", path: "/v1/missions/{first}/status"},
	)
}

// request is the case's for a tenant.
func (b *bench) grownRequest(ctx context.Context, c grownCase, addr string, t tenant, size int) (request []byte, err error) {
	if c.query != "" {
		if c.path, err = b.grownSession(ctx, c.path, t, size); err != nil {
			return nil, err
		}
		return load.Request("POST", addr, "/graphql", fmt.Sprintf(`{"query":%q,"variables":%s}`, strings.Join(strings.Fields(c.query), " "), c.path), bearer(t)), nil
	}
	table := "missions"
	if strings.HasPrefix(c.path, "/v1/content") {
		table = "contents"
	}
	path := c.path
	path = calendarDays(path, time.Now())
	for name, offset := range map[string]int{"{first}": 0, "{middle}": size / 2, "{end}": size - 2*growthPage*8, "{published}": size / 4} {
		if !strings.Contains(path, name) {
			continue
		}
		var id string
		of := ""
		if name == "{published}" {
			of = " AND status = 'published'"
		}
		err := b.db.QueryRow(ctx, "SELECT id FROM "+table+" WHERE tenant_id = $1"+of+" ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1", t.ID, offset).Scan(&id)
		if err != nil {
			return nil, err
		}
		path = strings.ReplaceAll(path, name, id)
	}
	return load.Request("GET", addr, path, "", bearer(t)), nil
}

// grownSession fills in the user with a session for each mission, and a session that hasn't
// ended half way down the list.
func (b *bench) grownSession(ctx context.Context, path string, t tenant, size int) (string, error) {
	if !strings.Contains(path, "{user}") {
		return path, nil
	}
	var user, session string
	err := b.db.QueryRow(ctx, `SELECT s.user_id, s.id FROM sessions s WHERE s.ended_at IS NULL
		AND s.user_id = (SELECT u.id FROM users u WHERE u.tenant_id = $1 ORDER BY u.id LIMIT 1)
		ORDER BY s.created_at DESC, s.id DESC OFFSET $2 LIMIT 1`, t.ID, size/10).Scan(&user, &session)
	return strings.NewReplacer("{user}", user, "{session}", session).Replace(path), err
}

// calendarDays fills in the 62 days that end with today.
func calendarDays(path string, now time.Time) string {
	return strings.NewReplacer("{from}", now.UTC().AddDate(0, 0, 1-mission.MaxCalendarDays).Format(time.DateOnly), "{to}", now.UTC().Format(time.DateOnly)).Replace(path)
}

// growth is what requests take as a tenant grows.
func (b *bench) growth(ctx context.Context) ([]report.Row, error) {
	tenants, err := b.growing(ctx)
	if err != nil {
		return nil, err
	}
	api, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	cases := grownCases()
	requests := make([][][]byte, len(cases))
	for i, c := range cases {
		for k, t := range tenants {
			r, err := b.grownRequest(ctx, c, api.Addr, t, b.sizes[k])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			requests[i] = append(requests[i], r)
		}
	}
	took, err := b.takeTurns(ctx, api.Addr, requests)
	if err != nil {
		return nil, err
	}
	api.Stop() // its dispatcher would hand over what the ledger is measured on
	firsts := map[string]time.Duration{}
	var rows []report.Row
	for i, c := range cases {
		firsts[c.name] = took[i][0]
	}
	for i, c := range cases {
		base := firsts[c.name]
		if c.base != "" {
			base = firsts[c.base]
		}
		rows = append(rows, grownRow(c.name, took[i], base, report.AtMost(1.3, "× the first page")))
	}
	claims, err := b.claims(ctx, tenants)
	return append(rows, claims...), err
}

// summarized are the rows of growth that are in the table's summary.
var summarized = []string{firstMissions, "missions: middle", "missions: end", wordOf900, calendar62}

// grownRow tells what something took at each size, and how much more that is
// than a base at the most.
func grownRow(name string, took []time.Duration, base time.Duration, target *report.Target) report.Row {
	texts := make([]string, len(took))
	for i, d := range took {
		texts[i] = report.Millis(d)
	}
	worst := float64(slices.Max(took)) / float64(base)
	return report.Row{
		Section: "Growth", Case: name, Detail: !slices.Contains(summarized, name), Figure: strings.Join(texts, ", "), Limit: report.Millis(base),
		Ratio: report.Spread{Median: worst, Least: worst, Most: worst}, Target: target,
	}
}

// takeTurns returns the medians of what requests take, one after the other.
func (b *bench) takeTurns(ctx context.Context, addr string, requests [][][]byte) ([][]time.Duration, error) {
	c, err := load.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	all := make([][][]time.Duration, len(requests))
	for round := range b.scaled(growthRounds) + 1 {
		for i, sizes := range requests {
			all[i] = append(all[i], make([][]time.Duration, len(sizes)-len(all[i]))...)
			for k, request := range sizes {
				took, err := timed(c, request, b.scaled(growthSamples))
				if err != nil {
					return nil, err
				}
				if round > 0 { // the first warms up
					all[i][k] = append(all[i][k], took...)
				}
			}
		}
	}
	medians := make([][]time.Duration, len(requests))
	for i := range all {
		for _, durations := range all[i] {
			medians[i] = append(medians[i], report.Percentile(durations, 0.5))
		}
	}
	return medians, nil
}

// timed makes a request a few times.
func timed(c *load.Conn, request []byte, times int) ([]time.Duration, error) {
	var took []time.Duration
	for range times {
		began := time.Now()
		a, err := c.Do(request, false)
		if err != nil || a.Status != 200 {
			return nil, fmt.Errorf("%.100q is answered with %d: %s, %w", request, a.Status, a.Body, err)
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

// claims is what the ledger takes with so many tasks of a tenant that are due:
// dispatching a hundred, and claiming one.
func (b *bench) claims(ctx context.Context, tenants []tenant) ([]report.Row, error) {
	db, err := store.OpenPostgres(b.url(), store.Options{Timing: store.LedgerTiming{Horizon: time.Hour, Patience: time.Hour}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	var dispatches, claims []time.Duration
	for i, t := range tenants {
		b.say("a ledger of %d tasks", b.sizes[i])
		dispatch, claim, err := b.claimOf(ctx, db, t, b.sizes[i])
		if err != nil {
			return nil, err
		}
		dispatches, claims = append(dispatches, dispatch), append(claims, claim)
	}
	target := report.AtMost(1.3, "× the first")
	return []report.Row{
		grownRow("ledger: hand over a hundred", dispatches, dispatches[0], target), grownRow("ledger: claim", claims, claims[0], target),
	}, nil
}

func (b *bench) claimOf(ctx context.Context, db *store.DB, t tenant, n int) (dispatch, claim time.Duration, err error) {
	for _, statement := range []string{
		"DELETE FROM tasks WHERE " + taskRange,
		`INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
			SELECT 'tsk_0bench' || lpad(i::text, 20, '0'), '` + t.ID + `', '', 'mission:end', 'pipeline', '', 0, now() - interval '1 minute', now() - interval '1 minute',
			'waiting', '', 0, 0, 0, 0, now() FROM generate_series(1, ` + fmt.Sprint(n) + `) i`,
		"VACUUM (ANALYZE) tasks",
	} {
		if _, err := b.db.Exec(ctx, statement); err != nil {
			return 0, 0, err
		}
	}
	var dispatches, claims []time.Duration
	for range b.scaled(growthRounds) + 1 {
		began := time.Now()
		list, err := db.Dispatch(ctx, mission.Millis(time.Now()), 100)
		if err != nil {
			return 0, 0, err
		}
		dispatches = append(dispatches, time.Since(began))
		for _, h := range list {
			began := time.Now()
			if _, ok, err := db.Claim(ctx, h.Task.ID, mission.Millis(began), time.Minute); err != nil || !ok {
				return 0, 0, fmt.Errorf("claim %s: %t, %w", h.Task.ID, ok, err)
			}
			claims = append(claims, time.Since(began))
		}
	}
	// The first hundred warm up.
	return report.Percentile(dispatches[1:], 0.5), report.Percentile(claims[100:], 0.5), nil
}

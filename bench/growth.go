package main

import (
	"context"
	"strings"
	"time"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/bench/seed"
	"missiond/mission"
)

// growthSamples are how often each request is made in a round, growthRounds how
// many rounds there are: all requests take turns.
const (
	growthSamples = 10
	growthRounds  = 8
	growthPage    = 20
)

const grownQuery = `query { missions(first: 20{filter}) { totalCount edges { node { id name status createdAt } } } }`

// grownCases are requests as a tenant grows: paths, or queries. {middle} and {end}
// are ids half way and at the end of the list. Each is held against the first size of
// a case, by its index.
var grownCases = []struct {
	name, request string
	base          int
}{
	{"missions: first page", "/v1/missions?limit=20", 0},
	{"missions: middle", "/v1/missions?limit=20&starting_after={middle}", 0},
	{"missions: end", "/v1/missions?limit=20&starting_after={end}", 0},
	{"GraphQL missions: first page", strings.ReplaceAll(grownQuery, "{filter}", ""), 3},
	{"GraphQL missions: found by a word of one in 900", strings.ReplaceAll(grownQuery, "{filter}", `, filter: {search: "launch 777"}`), 3},
	{"calendar: 62 days", "/v1/calendar?from={from}&to={to}", 5},
	{"posts: first page", "/v1/content?limit=20", 6},
	{"posts: found by a word of all", "/v1/content?limit=20&search=newsletter", 7},
	{"posts: found by a word of few", "/v1/content?limit=20&search=77777", 8},
	{"posts: by likes", "/v1/content?limit=20&order=likes", 9},
}

// growing makes a tenant for each size.
func (b *bench) growing(ctx context.Context) (tenants []tenant, err error) {
	if err := b.makeTenants(ctx, group{&tenants, "Growing", len(b.sizes), 0}); err != nil {
		return nil, err
	}
	missions := map[string]int{}
	for i, t := range tenants {
		missions[t.ID] = b.sizes[i]
	}
	return tenants, seed.Fill(ctx, b.url(), missions, 1)
}

// grownRequests returns the cases' requests for a tenant.
func (b *bench) grownRequests(ctx context.Context, addr string, t tenant, size int) (requests [][]byte, err error) {
	var middle, end string
	err = b.db.QueryRow(ctx, `WITH list AS (
			SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place FROM missions WHERE tenant_id = $1
		) SELECT m.id, e.id FROM list m, list e WHERE m.place = $2 AND e.place = $3`, t.ID, size/2, size-growthPage).Scan(&middle, &end)
	now := time.Now().UTC()
	fill := strings.NewReplacer("{middle}", middle, "{end}", end,
		"{from}", now.AddDate(0, 0, 1-mission.MaxCalendarDays).Format(time.DateOnly), "{to}", now.Format(time.DateOnly))
	for _, c := range grownCases {
		if strings.HasPrefix(c.request, "/") {
			requests = append(requests, load.Request("GET", addr, fill.Replace(c.request), "", bearer(t)))
		} else {
			requests = append(requests, graphRequest(addr, "/graphql", c.request, bearer(t)))
		}
	}
	return requests, err
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
	var requests [][]byte // by size, then by case
	for i, t := range tenants {
		r, err := b.grownRequests(ctx, api.Addr, t, b.sizes[i])
		if err != nil {
			return nil, err
		}
		requests = append(requests, r...)
	}
	took, err := b.takeTurns(ctx, api.Addr, requests)
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for i, c := range grownCases {
		base, most := took[c.base], time.Duration(0)
		var texts []string
		for k := i; k < len(took); k += len(grownCases) {
			most = max(most, took[k])
			texts = append(texts, report.Millis(took[k]))
		}
		rows = append(rows, report.Row{
			Case: "Growth: " + c.name, Figure: strings.Join(texts, ", "), Limit: report.Millis(base),
			Ratio: report.SpreadOf([]float64{float64(most) / float64(base)}), Target: report.AtMost(1.3, "× the first page"),
		})
	}
	return rows, nil
}

// takeTurns returns the medians of what requests take, one after the other.
func (b *bench) takeTurns(ctx context.Context, addr string, requests [][]byte) ([]time.Duration, error) {
	c, err := load.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	all, medians := make([][]time.Duration, len(requests)), make([]time.Duration, len(requests))
	for round := range b.scaled(growthRounds) + 1 {
		for i, request := range requests {
			for range b.scaled(growthSamples) {
				began := time.Now()
				if _, err := c.Do(request); err != nil {
					return nil, err
				}
				if round > 0 { // the first warms up
					all[i] = append(all[i], time.Since(began))
				}
			}
			medians[i] = report.Percentile(all[i], 0.5)
		}
	}
	return medians, nil
}

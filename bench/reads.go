package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"

	"missiond/bench/load"
	"missiond/bench/report"
)

// sampled is how many missions are read of each tenant.
const sampled = 40

// mission ids of a tenant, spread over all its missions.
func (b *bench) sample(ctx context.Context, t tenant) ([]string, error) {
	found, err := b.db.Query(ctx, `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) - 1 AS place FROM missions WHERE tenant_id = $1) m
		WHERE place % GREATEST(1, $2::bigint / $3) = 0 ORDER BY place LIMIT $3`, t.ID, b.missions/b.tenants, sampled)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, pgx.RowTo[string])
}

// pair starts the service and its limit.
func (b *bench) pair(ctx context.Context) (ours, limit *process, err error) {
	if ours, err = b.serve(ctx); err != nil {
		return nil, nil, err
	}
	limit, err = b.serveLimit(ctx)
	return ours, limit, err
}

// rest is REST's reads.
func (b *bench) rest(ctx context.Context) ([]report.Row, error) {
	ours, limit, err := b.pair(ctx)
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for _, c := range []struct {
		name   string
		path   func(id string) string
		joint  string // before another parameter
		each   bool   // for each mission, not once a tenant
		target *report.Target
	}{
		{"list 20", func(string) string { return "/v1/missions?limit=20" }, "&", false, report.AtLeast(0.5)},
		{"read one", func(id string) string { return "/v1/missions/" + id }, "?", true, nil},
		{"status view", func(id string) string { return "/v1/missions/" + id + "/status" }, "?", true, report.AtLeast(0.55)},
	} {
		a, l := side{proc: ours}, side{proc: limit}
		for _, t := range b.kept.Readers {
			ids, err := b.sample(ctx, t)
			if err != nil {
				return nil, err
			}
			if !c.each {
				ids = ids[:1]
			}
			for _, id := range ids {
				a.requests = append(a.requests, load.Request("GET", ours.Addr, c.path(id), "", bearer(t)))
				l.requests = append(l.requests, load.Request("GET", limit.Addr, c.path(id)+c.joint+"tenant="+t.ID, ""))
			}
		}
		r, err := b.reading(ctx, "REST", c.name, c.target, a, l)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

// reading sees that both sides answer the same, and measures them; others have
// answers of their own form, and a row each.
func (b *bench) reading(ctx context.Context, section, name string, target *report.Target, ours, limit side, others ...side) ([]report.Row, error) {
	for i := 0; i < len(ours.requests); i += max(1, len(ours.requests)/100) {
		if err := same(ctx, i, ours, limit); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	shuffle(ours.requests)
	shuffle(limit.requests)
	all, err := b.compare(ctx, append([]side{ours, limit}, others...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rows := []report.Row{row(section, name, all[0], all[1], target)}
	for i, o := range others {
		rows = append(rows, row(section, name+": "+o.proc.Name, all[2+i], all[1], nil))
	}
	return rows, nil
}

// graphCase is a query with what it is measured against.
type graphCase struct {
	name, limit string
	query       string
	variables   map[string]any
	target      *report.Target
}

var graphCases = []graphCase{
	{
		name: "list 20", limit: "/graphql/list", target: report.AtLeast(0.5), variables: map[string]any{"first": 20},
		query: `query List($first: Int!) { missions(first: $first) { totalCount pageInfo { hasNextPage endCursor }
			edges { node { id name status platforms startsAt endsAt createdAt } } } }`,
	},
	{
		name: "20 missions with 5 posts each, job and counters", limit: "/graphql/posts", target: report.AtLeast(0.55), variables: map[string]any{"first": 20, "posts": 5},
		query: `query Posts($first: Int!, $posts: Int!) { missions(first: $first) { edges { node { id name status
			contentCounts { generated pendingReview approved published scheduled } job { id status currentStage progressPercent }
			contents(first: $posts) { edges { node { id platform status text scheduledAt publishedAt } } } } } } }`,
	},
}

func (b *bench) graphQL(ctx context.Context) ([]report.Row, error) {
	ours, limit, err := b.pair(ctx)
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for _, c := range graphCases {
		body, err := document(c.query, c.variables)
		if err != nil {
			return nil, err
		}
		rest, err := restOf(ctx, ours, b.kept.Readers[0], body)
		if err != nil {
			return nil, err
		}
		a, l := side{proc: ours}, side{proc: limit}
		for _, t := range b.kept.Readers {
			a.requests = append(a.requests, load.Request("POST", ours.Addr, "/graphql", body, bearer(t)))
			l.requests = append(l.requests, load.Request("POST", limit.Addr, c.limit+"?tenant="+t.ID+"&rest="+url.QueryEscape(rest), body))
		}
		r, err := b.reading(ctx, "GraphQL", c.name, c.target, a, l)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

func document(query string, variables map[string]any) (string, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	return string(body), err
}

// restOf is what an answer has behind its data: the query's cost.
func restOf(ctx context.Context, p *process, t tenant, body string) (string, error) {
	answer, err := ask(ctx, p.Addr, load.Request("POST", p.Addr, "/graphql", body, bearer(t)))
	if err != nil {
		return "", err
	}
	at := bytes.LastIndex(answer, []byte(`,"extensions"`))
	if at < 0 || bytes.Contains(answer, []byte(`"errors"`)) {
		return "", fmt.Errorf("GraphQL answers %.300s", answer)
	}
	return string(bytes.TrimRight(answer[at:len(answer)-1], "\n")), nil
}

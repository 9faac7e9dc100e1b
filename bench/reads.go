package main

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"missiond/bench/load"
	"missiond/bench/report"
)

// sampled is how many missions are read of each tenant.
const sampled = 40

// sample returns ids of some of a tenant's missions, spread over all of them.
func (b *bench) sample(ctx context.Context, t tenant, n int) ([]string, error) {
	found, err := b.db.Query(ctx, `SELECT id FROM (
			SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) - 1 AS place FROM missions WHERE tenant_id = $1
		) m WHERE place % GREATEST(1, $2::bigint / $3) = 0 ORDER BY place LIMIT $3`, t.ID, b.missions/b.tenants, n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, pgx.RowTo[string])
}

// limitKind is the process with what is written by hand.
const limitKind = "limit"

// pair starts the service and its limit.
func (b *bench) pair(ctx context.Context) (ours, limit *process, err error) {
	if ours, err = b.serve(ctx); err != nil {
		return nil, nil, err
	}
	limit, err = b.startSelf(ctx, limitKind)
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
		name, path string // "{id}" is a mission's
		most       int    // of a tenant
		target     *report.Target
	}{
		{"list 20", "/v1/missions?limit=20&", 1, report.AtLeast(0.5)},
		{"read one", "/v1/missions/{id}?", sampled, nil},
		{"status view", "/v1/missions/{id}/status?", sampled, report.AtLeast(0.55)},
	} {
		a, l := side{proc: ours}, side{proc: limit}
		for _, t := range b.readers {
			ids, err := b.sample(ctx, t, c.most)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				path := strings.ReplaceAll(c.path, "{id}", id)
				a.requests = append(a.requests, load.Request("GET", ours.Addr, path[:len(path)-1], "", bearer(t)))
				l.requests = append(l.requests, load.Request("GET", limit.Addr, path+"tenant="+t.ID, ""))
			}
		}
		r, err := b.reading(ctx, "REST: "+c.name, c.target, a, l)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

// reading sees that both sides answer the same, and measures them.
func (b *bench) reading(ctx context.Context, name string, target *report.Target, ours, limit side) ([]report.Row, error) {
	for i := 0; i < len(ours.requests); i += max(1, len(ours.requests)/100) {
		if err := same(ctx, i, ours, limit); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	shuffle(ours.requests)
	shuffle(limit.requests)
	return b.compare(ctx, name, target, ours, limit)
}

// graphCases are queries with what they are measured against.
var graphCases = []struct {
	name, limit string
	target      *report.Target
	query       string
}{
	{"list 20", "/graphql/list", report.AtLeast(0.5), `{ missions(first: 20) { totalCount pageInfo { hasNextPage endCursor }
		edges { node { id name status platforms startsAt endsAt createdAt } } } }`},
	{"20 missions with 5 posts each, job and counters", "/graphql/posts", report.AtLeast(0.55), `{ missions(first: 20) { edges { node {
		id name status contentCounts { generated pendingReview approved published scheduled } job { id status currentStage progressPercent }
		contents(first: 5) { edges { node { id platform status text scheduledAt publishedAt } } } } } } }`},
}

// graphQL is GraphQL's reads.
func (b *bench) graphQL(ctx context.Context) ([]report.Row, error) {
	ours, limit, err := b.pair(ctx)
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for _, c := range graphCases {
		a, l := side{proc: ours}, side{proc: limit}
		for _, t := range b.readers {
			a.requests = append(a.requests, graphRequest(ours.Addr, "/graphql", c.query, bearer(t)))
		}
		rest, err := restOf(ctx, a)
		if err != nil {
			return nil, err
		}
		for _, t := range b.readers {
			l.requests = append(l.requests, graphRequest(limit.Addr, c.limit+"?tenant="+t.ID+"&rest="+url.QueryEscape(rest), c.query))
		}
		r, err := b.reading(ctx, "GraphQL: "+c.name, c.target, a, l)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

func graphRequest(addr, path, query string, header ...string) []byte {
	return load.Request("POST", addr, path, fmt.Sprintf(`{"query":%q}`, strings.Join(strings.Fields(query), " ")), header...)
}

// restOf is what an answer has behind its data: the query's cost.
func restOf(ctx context.Context, s side) (string, error) {
	answer, err := ask(ctx, s.proc.Addr, s.requests[0])
	if err != nil {
		return "", err
	}
	at := bytes.LastIndex(answer, []byte(`,"extensions"`))
	if at < 0 || bytes.Contains(answer, []byte(`"errors"`)) {
		return "", fmt.Errorf("GraphQL answers %.300s", answer)
	}
	return string(bytes.TrimRight(answer[at:len(answer)-1], "\n")), nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"missiond/bench/load"
	"missiond/bench/report"
)

// missionBody is a mission that starts at once.
const missionBody = `{"name":"Autumn campaign for readers","objectives":["Tell what is new this season","Win readers for the newsletter"],` +
	`"platforms":["twitter","linkedin"],"constraints":{"posts_per_day":2},"kpis":[{"metric":"likes","target":500}],"duration_days":30,"start_immediately":true}`

// create makes missions, with their job, stages, events, deliveries to three
// endpoints and tasks.
func (b *bench) create(ctx context.Context) ([]report.Row, error) {
	ours, limit, err := b.pair(ctx)
	if err != nil {
		return nil, err
	}
	a, l := side{proc: ours, after: b.clean}, side{proc: limit, after: b.clean}
	for _, t := range b.writers {
		a.requests = append(a.requests, load.Request("POST", ours.Addr, "/v1/missions", missionBody, bearer(t)))
		l.requests = append(l.requests, load.Request("POST", limit.Addr, "/v1/missions?tenant="+t.ID, missionBody))
	}
	if err := b.sameRows(ctx, a, l); err != nil {
		return nil, err
	}
	return b.compare(ctx, "Create: a mission, to three endpoints", report.AtLeast(0.55), a, l)
}

// sameRows sees that both sides answer in the same form and leave the same
// number of rows in the same tables.
func (b *bench) sameRows(ctx context.Context, ours, limit side) error {
	if err := b.clean(ctx); err != nil { // of what the endpoints' creation left
		return err
	}
	got, err := b.leaves(ctx, ours)
	if err != nil {
		return err
	}
	want, err := b.leaves(ctx, limit)
	if err == nil && got != want {
		err = fmt.Errorf("what a mission leaves differs:\n  %s\n  %s", got, want)
	}
	return err
}

// leaves tells the form of an answer to a side's request, and the rows that it leaves.
func (b *bench) leaves(ctx context.Context, s side) (string, error) {
	before, err := b.count(ctx)
	if err != nil {
		return "", err
	}
	body, err := ask(ctx, s.proc.Addr, s.requests[0])
	if err != nil {
		return "", err
	}
	after, err := b.count(ctx)
	if err != nil {
		return "", err
	}
	form, err := formOf(body)
	return form + " and " + more(before, after), errors.Join(err, b.clean(ctx))
}

// formOf is an answer without what differs from one to the next: ids and
// times.
func formOf(body []byte) (string, error) {
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		return "", err
	}
	for name, v := range object {
		if text, ok := v.(string); ok && (name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_at")) {
			object[name] = len(text)
		}
	}
	form, err := json.Marshal(object)
	return string(form), err
}

// count returns the number of rows of the tables that a mission leaves some in.
func (b *bench) count(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	for _, table := range []string{
		"missions", "mission_platforms", "mission_names", "mission_totals", "jobs", "stages", "contents", "content_totals", "events", "deliveries",
		"tasks", "counters", "audit_log", "notifications", "spendings", "idempotency_keys", "idempotency_results",
	} {
		var n int
		if err := b.db.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			return nil, err
		}
		counts[table] = n
	}
	return counts, nil
}

// more tells which tables have grown, and by how much.
func more(before, after map[string]int) string {
	var grown []string
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if n := after[table] - before[table]; n != 0 {
			grown = append(grown, fmt.Sprintf("%s %d", table, n))
		}
	}
	return strings.Join(grown, ", ")
}

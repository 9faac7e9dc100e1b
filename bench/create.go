package main

import (
	"context"
	"encoding/json"
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
	for _, t := range b.kept.Writers {
		a.requests = append(a.requests, load.Request("POST", ours.Addr, "/v1/missions", missionBody, bearer(t)))
		l.requests = append(l.requests, load.Request("POST", limit.Addr, "/v1/missions?tenant="+t.ID, missionBody))
	}
	if err := b.sameRows(ctx, a, l); err != nil {
		return nil, err
	}
	all, err := b.compare(ctx, a, l)
	if err != nil {
		return nil, err
	}
	return []report.Row{row("Create", "a mission, to three endpoints", all[0], all[1], report.AtLeast(0.55))}, nil
}

// sameRows sees that both sides answer in the same form and leave the same
// number of rows in the same tables.
func (b *bench) sameRows(ctx context.Context, sides ...side) error {
	var forms, left []string
	if err := b.clean(ctx); err != nil { // of what the endpoints' creation left
		return err
	}
	for _, s := range sides {
		before, err := b.count(ctx)
		if err != nil {
			return err
		}
		body, err := ask(ctx, s.proc.Addr, s.requests[0])
		if err != nil {
			return fmt.Errorf("%s: %w", s.proc.Name, err)
		}
		after, err := b.count(ctx)
		if err != nil {
			return err
		}
		form, err := formOf(body)
		if err != nil {
			return err
		}
		forms, left = append(forms, form), append(left, more(before, after))
		if err := b.clean(ctx); err != nil {
			return err
		}
	}
	if forms[0] != forms[1] {
		return fmt.Errorf("the answers' forms differ:\n  %s\n  %s", forms[0], forms[1])
	}
	if left[0] != left[1] {
		return fmt.Errorf("the rows that are left differ:\n  %s\n  %s", left[0], left[1])
	}
	b.say("a mission leaves %s", left[0])
	return nil
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

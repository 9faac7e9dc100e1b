package main

import (
	"fmt"
	"slices"
)

// finding is a promise that was broken.
type finding struct {
	// ID is the record, Want what was expected, Is what was found.
	ID, Want, Is string
}

// result is the result of a check.
type result struct {
	check string
	// saw counts the checked items.
	saw      int
	findings []finding
}

// found adds a finding.
func (r *result) found(id, want, is string) {
	r.findings = append(r.findings, finding{id, want, is})
}

// hold checks one item: unless ok, it adds a finding.
func (r *result) hold(ok bool, id, want string, is any) {
	r.saw++
	if !ok {
		r.found(id, want, fmt.Sprint(is))
	}
}

// auditor compares the final state with the successful responses.
type auditor struct {
	*snapshot

	b        *record
	receipts map[string]map[string]letter // by path and event

	// Related records, by the record's id.
	mission      map[string]missionRow
	jobsOf       map[string][]jobRow
	stagesOf     map[string][]stageRow
	postsOf      map[string][]postRow // by job
	publications map[string][]publicationRow
	eventsOf     map[string][]event // by mission
	// gone are the missions that were deleted, or may have been.
	gone map[string]bool
}

// audit returns the results of all checks.
func audit(s *snapshot, b *record, receipts map[string]map[string]letter) []result {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := newAuditor(s, b, receipts)
	results := []result{b.broken}
	for _, check := range []struct {
		name string
		run  func(r *result)
	}{
		{"missions are complete", a.missions},
		{"no mission was created twice", a.duplicates},
		{"jobs and stages are complete", a.jobs},
		{"posts are settled and counted", a.posts},
		{"reviews hold", a.reviews},
		{"published once", a.published},
		{"totals add up", a.totals},
		{"the log has no gaps", a.log},
		{"each change has one event", a.histories},
		{"every event has its deliveries", a.deliveries},
		{"deliveries arrived", a.arrivals},
		{"the ledger holds nothing due", a.ledger},
		{"money is settled", a.money},
		{"Redis has no orphans", a.redis},
	} {
		r := result{check: check.name}
		check.run(&r)
		results = append(results, r)
	}
	return results
}

func newAuditor(s *snapshot, b *record, receipts map[string]map[string]letter) *auditor {
	a := &auditor{
		snapshot: s, b: b, receipts: receipts, mission: map[string]missionRow{}, gone: map[string]bool{}, eventsOf: map[string][]event{},
		jobsOf:       group(s.Jobs, func(j jobRow) string { return j.MissionID }),
		stagesOf:     group(s.Stages, func(s stageRow) string { return s.JobID }),
		postsOf:      group(s.Posts, func(p postRow) string { return p.JobID }),
		publications: group(s.Publications, func(p publicationRow) string { return p.PostID }),
	}
	for _, m := range s.Missions {
		a.mission[m.ID] = m
	}
	for _, row := range s.Events {
		if e, err := readEvent(row); err == nil { // the check of the log reports the others
			a.eventsOf[row.MissionID] = append(a.eventsOf[row.MissionID], e)
		}
	}
	for _, m := range b.missions {
		if m.ID != "" && m.Deleted.Sure+m.Deleted.Maybe > 0 {
			a.gone[m.ID] = true
		}
	}
	return a
}

// settled are the final states of posts.
var settled = []string{"published", "rejected", "failed", "expired", "canceled"}

// stageOrder is the interface's (section 1).
var stageOrder = []string{"intake", "strategy", "content", "publish", "analytics", "optimize"}

// group returns the elements by their keys.
func group[T any](list []T, key func(T) string) map[string][]T {
	groups := map[string][]T{}
	for _, x := range list {
		groups[key(x)] = append(groups[key(x)], x)
	}
	return groups
}

// count returns the number of elements for which so returns true.
func count[T any](list []T, so func(T) bool) int {
	n := 0
	for _, x := range list {
		if so(x) {
			n++
		}
	}
	return n
}

// same reports whether two lists have the same elements, in any order.
func same(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

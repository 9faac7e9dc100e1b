package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// ledger checks that the only tasks left wait for a later time, for a record that
// exists: to measure posts after their mission's end, to find at its slot that a post
// was canceled, to settle what a call in progress at the end has left reserved, or to
// find that nothing waits for review any more.
func (a *auditor) ledger(r *result) {
	posts := map[string]string{}
	for _, p := range a.Posts {
		posts[p.ID] = p.Status
	}
	calls := map[string]bool{}
	for _, s := range a.Spendings {
		calls[s.MissionID] = true
	}
	for _, t := range a.Tasks {
		what := t.ID + " " + t.Type + " " + t.Subject
		r.hold(t.State == "waiting", what, "not to be running", t.State)
		r.hold(t.RunAt.After(a.At), what, "not to be due", t.RunAt)
		_, ok := a.mission[t.MissionID]
		r.hold(ok, what, "a mission", t.MissionID)
		idle := t.Type == "content:publish" && slices.Contains(settled, posts[t.Subject])
		pays := t.Type == "mission:end" && calls[t.MissionID]
		tells := t.Type == "review:tell" && t.RunAt.Before(a.At.Add(gathering))
		r.hold(t.Type == "mission:measure" || idle || pays || tells, what, "no task of a mission that has ended", t.Type+" "+posts[t.Subject])
	}
}

// gathering is how long posts that begin to wait for review are gathered
// (docs/review.md).
const gathering = 10 * time.Minute

// microsPerCent is the number of micros, the unit of stored amounts, in a cent.
const microsPerCent = 10_000

// money checks that nothing stays reserved for calls that are over, unless a task
// waits to settle it; that the spendings add up; and that no budget is overspent.
func (a *auditor) money(r *result) {
	spent, reserved, pays := map[string]int64{}, map[string]int64{}, map[string]bool{}
	for _, t := range a.Tasks {
		if t.Type == "mission:end" {
			pays[t.MissionID] = true
		}
	}
	for _, s := range a.Spendings {
		r.hold(!s.Open || pays[s.MissionID], s.ID, "to be settled: its call is over", fmt.Sprintf("open for %s of %s", s.Subject, s.MissionID))
		spent[s.MissionID] += s.Spent
		if s.Open {
			reserved[s.MissionID] += s.Reserved
		}
	}
	for _, m := range a.Missions {
		r.hold(m.Reserved == reserved[m.ID], m.ID, fmt.Sprintf("%d reserved, the sum of its open entries", reserved[m.ID]), m.Reserved)
		r.hold(m.Spent == spent[m.ID], m.ID, fmt.Sprintf("to have spent %d micros, the sum of its entries", spent[m.ID]), m.Spent)
		r.hold(m.Budget == 0 || m.Spent <= m.Budget*microsPerCent, m.ID, fmt.Sprintf("no more spent than %d cents", m.Budget), m.Spent)
	}
}

// horizon is a little more than how long ahead of its time a task is enqueued
// (docs/architecture.md, "The ledger").
const horizon = time.Hour + time.Minute

// redis checks that Redis has no task outside its queues' lists, no entry of a list
// without its task, no work, and no key without expiry. An entry scheduled for later
// may name a row that is gone: it does nothing within the horizon, and goes.
// Completed entries expire too.
func (a *auditor) redis(r *result) {
	rows := map[string]bool{}
	for _, t := range a.Tasks {
		rows[t.ID] = true
	}
	for _, q := range a.Redis.Queues {
		listed := map[string]bool{}
		for _, list := range [][]string{q.Pending, q.Active, q.Lease, q.Past} {
			for _, id := range list {
				listed[id] = true
				r.hold(q.Held[id], q.Name+" "+id, "the task of an entry", "none")
			}
		}
		for id, at := range q.Scheduled {
			listed[id] = true
			r.hold(q.Held[id], q.Name+" "+id, "the task of an entry", "none")
			soon := at.Sub(a.Redis.At) < horizon
			r.hold(soon, q.Name+" "+id, "to be due within the horizon", at)
		}
		for _, id := range slices.Concat(q.Pending, q.Active, q.Lease) {
			r.hold(rows[rowOf(id)], q.Name+" "+id, "no work for a row that is gone", "in progress")
		}
		for id := range q.Held {
			r.hold(listed[id], q.Name+" "+id, "an entry for a stored task", "none")
		}
	}
	for key, lives := range a.Redis.Other {
		r.hold(lives >= 0 || stays(key), key, "to expire", "no expiry")
	}
}

// stays reports whether a key is one of those without expiry: the marks by which an
// emptied Redis is detected, and Asynq's own lists, counters and members.
func stays(key string) bool {
	if strings.HasPrefix(key, "missiond:epoch:") || slices.Contains([]string{"asynq:queues", "asynq:servers", "asynq:workers"}, key) {
		return true
	}
	name, part, ok := strings.Cut(strings.TrimPrefix(key, "asynq:{"), "}:")
	lists := []string{"pending", "active", "lease", "scheduled", "retry", "archived", "completed", "processed", "failed"}
	return ok && fmt.Sprintf("asynq:{%s}:%s", name, part) == key && slices.Contains(lists, part)
}

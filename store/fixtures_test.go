package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

var (
	ctx     = context.Background()
	start   = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	timing  = store.LedgerTiming{Horizon: time.Hour, Patience: 10 * time.Second}
	options = store.Options{Timing: timing}
)

// fixture is a database with a tenant in it.
type fixture struct {
	t      testing.TB
	db     *store.DB
	faults *database.Faults // of a test of both dialects
	tenant mission.Tenant
	user   mission.User
}

// each runs a test on both dialects.
func each(t *testing.T, test func(t *testing.T, f *fixture)) {
	t.Helper()
	t.Parallel()
	testkit.EachFaultyDB(t, options, func(t *testing.T, db *store.DB, faults *database.Faults) {
		if *explain && db.RowLocks() {
			explainAll(t, db, faults)
		}
		f := newFixture(t, db)
		f.faults = faults
		test(t, f)
	})
}

func newFixture(t testing.TB, db *store.DB) *fixture {
	t.Helper()
	f := &fixture{t: t, db: db}
	f.tenant, f.user = f.makeTenant("ours")
	return f
}

func (f *fixture) makeTenant(slug string) (mission.Tenant, mission.User) {
	f.t.Helper()
	tenant := mission.Tenant{
		ID: f.db.NewID(mission.PrefixTenant, start), Name: slug, Slug: slug, Plan: mission.PlanPro,
		Limits: map[string]string{"missions.create": "5/h"}, Brand: mission.Brand{Voice: "dry", ExcludedTopics: []string{"x"}},
		CreatedAt: start, UpdatedAt: start,
	}
	user := mission.User{ID: f.db.NewID(mission.PrefixUser, start), TenantID: tenant.ID, Name: "Admin", Role: mission.RoleAdmin, RoleFrom: mission.RoleFromAdmin, CreatedAt: start}
	f.must(f.tx(func(tx store.Tx) error {
		if added, err := tx.AddTenant(ctx, tenant); err != nil || !added {
			return errors.Join(err, errors.New("the tenant isn't new"))
		}
		return tx.AddUser(ctx, user, f.entry(tenant.ID))
	}))
	return tenant, user
}

// entry returns an entry of a tenant's audit log.
func (f *fixture) entry(tenantID string) mission.AuditEntry {
	return mission.AuditEntry{
		ID: f.db.NewID(mission.PrefixAudit, start), TenantID: tenantID, Action: mission.AuditKeyCreated,
		TargetID: "key_1", Details: map[string]any{"a": "b"}, CreatedAt: start,
	}
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) tx(fn func(tx store.Tx) error) error { return f.db.Tx(ctx, fn) }

func (f *fixture) wantCode(err error, code mission.Code) {
	f.t.Helper()
	if got := mission.CodeOf(err); got != code {
		f.t.Errorf("got the error %v, want %s", err, code)
	}
}

// mission creates a running mission, with the changes to its input.
func (f *fixture) mission(change func(in *mission.CreateInput)) mission.Mission {
	f.t.Helper()
	m, events := f.newMission(change)
	f.must(f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, m, events) }))
	return m
}

// newMission returns a running mission that isn't in the database yet.
func (f *fixture) newMission(change func(in *mission.CreateInput)) (mission.Mission, []mission.Event) {
	f.t.Helper()
	days, posts, now := 3, 4, true
	tone, budget, platform := "dry", int64(500), mission.Twitter
	target := 10.5
	in := mission.CreateInput{
		Name: "A mission", Objectives: []string{"Ünï 'quoted' \\ objective"}, Platforms: []mission.Platform{mission.Twitter, mission.Mastodon},
		Constraints:  &mission.ConstraintsInput{PostsPerDay: &posts, Tone: &tone, BudgetCents: &budget, PostingTimes: []string{"09:00"}},
		KPIs:         []mission.KPIInput{{Metric: mission.Likes, Target: &target, Platform: &platform}},
		DurationDays: &days, StartImmediately: &now,
	}
	if change != nil {
		change(&in)
	}
	m, events, err := mission.New(f.db.NewID(mission.PrefixMission, start), f.tenant.ID, in, start)
	f.must(err)
	return m, events
}

// job creates the first job of a mission.
func (f *fixture) job(m mission.Mission) mission.Job {
	f.t.Helper()
	w, ok := m.NextWindow(0, start)
	if !ok {
		f.t.Fatal("the mission has no window")
	}
	j := mission.NewJob(f.db.NewID(mission.PrefixJob, start), m, w, f.tenant.Brand, start)
	j.Plan = learning.NewPlan(j, j.Brief.Destinations(nil), nil)
	f.must(f.tx(func(tx store.Tx) error { return tx.CreateJob(ctx, j) }))
	return j
}

// posts creates the posts of a job's plan, approved.
func (f *fixture) posts(j mission.Job) []mission.Content {
	f.t.Helper()
	var posts []mission.Content
	for _, slot := range j.Plan.Slots {
		c, events := mission.NewContent(f.db.NewID(mission.PrefixContent, start), j, mission.NewAssignment(j, slot),
			mission.Draft{Format: slot.Format, Text: "A text", Parts: []string{"a", "b"}, Cost: 2}, mission.Verdict{}, start)
		f.must(f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, events) }))
		posts = append(posts, c)
	}
	return posts
}

func (f *fixture) task(m mission.Mission, at time.Time) {
	f.t.Helper()
	f.must(f.tx(func(tx store.Tx) error {
		return tx.AddTasks(ctx, start, mission.NewTask(m, mission.TaskCycleBegin, m.ID, at))
	}))
}

func (f *fixture) eventTypes(m mission.Mission) []mission.EventType {
	f.t.Helper()
	events, err := f.db.MissionEvents(ctx, m.TenantID, m.ID, "", 1000)
	f.must(err)
	var types []mission.EventType
	for i, e := range events {
		types = append(types, e.Type)
		if i > 0 && e.ID <= events[i-1].ID {
			f.t.Errorf("the event %s comes after %s", e.ID, events[i-1].ID)
		}
	}
	return types
}

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

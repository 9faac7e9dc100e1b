package store_test

import (
	"reflect"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// wantState checks that a status view is made of the same as one of the whole
// mission, its job and its next post, read one by one.
func (f *fixture) wantState(m mission.Mission) {
	f.t.Helper()
	whole, err := f.db.Mission(ctx, m.TenantID, m.ID)
	f.must(err)
	var job *mission.Job
	if whole.PipelineJobID != nil {
		j, err := f.db.Job(ctx, m.TenantID, *whole.PipelineJobID)
		f.must(err)
		job = &j
	}
	due, err := f.db.NextPublishAt(ctx, m.ID)
	f.must(err)
	var next *time.Time
	if at, ok := due[m.ID]; ok {
		next = &at
	}
	want := mission.NewStatusView(whole, job, next, start)
	state, err := f.db.MissionState(ctx, m.TenantID, m.ID)
	f.must(err)
	watched, err := f.db.WatchedMissions(ctx, []string{m.ID, "msn_unknown"})
	f.must(err)
	if len(watched) != 1 {
		f.t.Fatalf("%d missions are watched, want 1", len(watched))
	}
	for _, s := range []store.MissionState{state, watched[0]} {
		if got := mission.NewStatusView(s.Mission, s.Job, s.NextPublishAt, start); !reflect.DeepEqual(got, want) {
			f.t.Errorf("the status view is\n%+v, want\n%+v", got, want)
		}
	}
}

// A mission's state is that of its job, whose stages have run, failed or
// neither; a mission of another tenant isn't found.
func TestMissionState(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		f.wantState(m)
		j := f.job(m)
		f.must(f.tx(func(tx store.Tx) error { return tx.SetCycle(ctx, j) }))
		f.wantState(m)
		for _, change := range []func(j mission.Job) mission.JobChange{
			func(j mission.Job) mission.JobChange { return j.Begin(1, start.Add(time.Second)) },
			func(j mission.Job) mission.JobChange { return j.Finish(nil, start.Add(3*time.Second)) },
			func(j mission.Job) mission.JobChange {
				return j.Retry(mission.Failure{Code: "writer", Message: "busy"}, 2, start.Add(4*time.Second))
			},
		} {
			ch := change(j)
			f.must(f.tx(func(tx store.Tx) error { return tx.ChangeJob(ctx, ch) }))
			j = ch.To
			f.wantState(m)
			if got, err := f.db.Job(ctx, m.TenantID, j.ID); err != nil || !reflect.DeepEqual(got.Stages, j.Stages) {
				t.Errorf("the stages are %+v, %v, want %+v", got.Stages, err, j.Stages)
			}
		}
		other, _ := f.makeTenant("theirs")
		_, err := f.db.MissionState(ctx, other.ID, m.ID)
		f.wantCode(err, mission.CodeNotFound)
	})
}

// Postgres is sent one statement for a state, and one for a job with its stages.
func TestMissionStateStatements(t *testing.T) {
	t.Parallel()
	faults := &database.Faults{}
	f := newFixture(t, testkit.Postgres(t, store.Options{Timing: timing, Database: database.Options{Faults: faults}}))
	m := f.mission(nil)
	j := f.job(m)
	f.must(f.tx(func(tx store.Tx) error { return tx.SetCycle(ctx, j) }))
	for name, read := range map[string]func() error{
		"a state": func() error { _, err := f.db.MissionState(ctx, m.TenantID, m.ID); return err },
		"a job":   func() error { _, err := f.db.Job(ctx, m.TenantID, j.ID); return err },
	} {
		before := faults.Statements()
		f.must(read())
		if n := faults.Statements() - before; n != 1 {
			t.Errorf("%s takes %d statements, want 1", name, n)
		}
	}
}

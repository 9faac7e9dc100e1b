package store_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// Of several processes that migrate concurrently, one does and the others find
// it done.
func TestMigrationsAtOnce(t *testing.T) {
	testkit.SkipIfShort(t)
	path, url := filepath.Join(t.TempDir(), "m.db"), ""
	for name, open := range map[string]func() (*store.DB, error){
		"sqlite": func() (*store.DB, error) { return store.OpenSQLite(path, options) },
		"postgres": func() (*store.DB, error) {
			if url == "" {
				url = testkit.Pooled(t, testkit.PostgresURL(t))
			}
			return store.OpenPostgres(url, options)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var dbs []*store.DB
			for range 6 {
				db, err := open()
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = db.Close() })
				dbs = append(dbs, db)
			}
			if err := dbs[0].Migrated(ctx); err == nil {
				t.Error("an empty database counts as migrated")
			}
			var all sync.WaitGroup
			errs := make([]error, len(dbs))
			for i, db := range dbs {
				all.Go(func() { errs[i] = db.Migrate(ctx) })
			}
			all.Wait()
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			list, err := dbs[1].Migrations(ctx)
			if err != nil || len(list) == 0 {
				t.Fatal(list, err)
			}
			for _, m := range list {
				if m.AppliedAt == nil {
					t.Errorf("%s is pending", m.Name)
				}
			}
			if err := dbs[2].Migrated(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTenants(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		got, err := f.db.Tenant(ctx, f.tenant.ID)
		f.must(err)
		if !reflect.DeepEqual(got, f.tenant) {
			t.Errorf("the tenant is %+v, want %+v", got, f.tenant)
		}
		_, err = f.db.Tenant(ctx, "tnt_x")
		f.wantCode(err, mission.CodeNotFound)
		origin := f.tenant
		origin.ID, origin.Origin = "tnt_origin", "issuer#org:1"
		f.must(f.tx(func(tx store.Tx) error {
			duplicate := origin
			duplicate.ID = "tnt_duplicate"
			for _, want := range []struct {
				tenant mission.Tenant
				added  bool
			}{{origin, true}, {duplicate, false}} {
				added, err := tx.AddTenant(ctx, want.tenant)
				if err != nil || added != want.added {
					t.Errorf("%s is added: %v, %v", want.tenant.ID, added, err)
				}
			}
			u := f.user
			u.ID, u.TenantID = "usr_origin", origin.ID
			return tx.AddUser(ctx, u, f.entry(origin.ID))
		}))
		if u, ok, err := f.db.FirstUser(ctx, origin.Origin); err != nil || !ok || u.ID != "usr_origin" {
			t.Errorf("the first user is %+v, %v, %v", u, ok, err)
		}
		second, _ := f.makeTenant("second")
		list, err := f.db.Tenants(ctx, "", 1)
		f.must(err)
		rest, err := f.db.Tenants(ctx, list[0].ID, 5)
		f.must(err)
		if len(rest) != 2 {
			t.Errorf("%d tenants follow the first, want 2", len(rest))
		}
		equal(t, "tenants", []string{list[0].ID, rest[0].ID, rest[1].ID}, []string{origin.ID, second.ID, f.tenant.ID})
	})
}

// A mission is read as it was written, and by its tenant only.
func TestMissionRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		want := f.mission(nil)
		got, err := f.db.Mission(ctx, f.tenant.ID, want.ID)
		f.must(err)
		want.Totals = got.Totals // nil or empty
		if len(got.Totals) != 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%+v, want\n%+v", got, want)
		}
		other, _ := f.makeTenant("theirs")
		_, err = f.db.Mission(ctx, other.ID, want.ID)
		f.wantCode(err, mission.CodeNotFound)
		f.wantCode(f.tx(func(tx store.Tx) error { _, err := tx.LockMission(ctx, other.ID, want.ID); return err }), mission.CodeNotFound)
	})
}

// A change and its events are written together or not at all, and only from the
// state that the change started from.
func TestChangesAreConditional(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		pause, err := m.Pause(start.Add(time.Hour))
		f.must(err)
		boom := errors.New("boom")
		err = f.tx(func(tx store.Tx) error {
			if err := tx.ChangeMission(ctx, pause); err != nil {
				return err
			}
			return errors.Join(tx.AddTasks(ctx, start, mission.NewTask(m, mission.TaskCycleBegin, m.ID, start)), boom)
		})
		if !errors.Is(err, boom) {
			t.Fatal(err)
		}
		equal(t, "events after a rollback", f.eventTypes(m), []mission.EventType{mission.EventMissionCreated, mission.EventMissionStarted})
		if _, waits, err := f.db.NextDispatch(ctx); waits || err != nil {
			t.Errorf("a task is left: %v", err)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeMission(ctx, pause) }))
		f.wantCode(f.tx(func(tx store.Tx) error { return tx.ChangeMission(ctx, pause) }), mission.CodeConflict)
		equal(t, "events", f.eventTypes(m), []mission.EventType{mission.EventMissionCreated, mission.EventMissionStarted, mission.EventMissionPaused})
		got, err := f.db.Mission(ctx, f.tenant.ID, m.ID)
		f.must(err)
		if got.Status != mission.StatusPaused || !got.PausedAt.Equal(*pause.To.PausedAt) {
			t.Errorf("the mission is %+v", got)
		}
	})
}

// Of concurrent changes of a mission, one succeeds.
func TestOneConcurrentChangeWins(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		const changes = 16
		errs := make([]error, changes)
		var all sync.WaitGroup
		for i := range changes {
			all.Go(func() {
				errs[i] = f.tx(func(tx store.Tx) error {
					m, err := tx.LockMission(ctx, m.TenantID, m.ID)
					if err != nil {
						return err
					}
					c, err := m.Pause(start)
					if err != nil {
						return err
					}
					return tx.ChangeMission(ctx, c)
				})
			})
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				f.wantCode(err, mission.CodeConflict)
			}
		}
		if won != 1 {
			t.Errorf("%d concurrent changes succeeded", won)
		}
		equal(t, "events", f.eventTypes(m), []mission.EventType{mission.EventMissionCreated, mission.EventMissionStarted, mission.EventMissionPaused})
	})
}

// A job has its stages, whatever their state.
func TestStagesOfJobs(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j := f.job(f.mission(nil))
		begun := j.Begin(1, start.Add(time.Second))
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeJob(ctx, begun) }))
		failed := begun.To.Fail(mission.Failure{Code: "x", Message: "It's \"bad\"."}, 2, start.Add(1500*time.Millisecond))
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeJob(ctx, failed) }))
		got, err := f.db.Job(ctx, j.TenantID, j.ID)
		f.must(err)
		if !reflect.DeepEqual(got.Stages, failed.To.Stages) {
			t.Errorf("the stages are\n%+v, want\n%+v", got.Stages, failed.To.Stages)
		}
	})
}

// Posts may change their slots with each other in one change.
func TestSlotsChangeHands(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		posts := f.posts(f.job(f.mission(nil)))
		move := func(by int) {
			t.Helper()
			var changes []mission.ContentChange
			for i, c := range posts {
				ch, err := c.Schedule(start.Add(time.Duration((i+by)%len(posts)+1)*time.Hour), start)
				f.must(err)
				changes = append(changes, ch)
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, changes...) }))
			for i, ch := range changes {
				posts[i] = ch.To
			}
		}
		move(0)
		for by := range len(posts) {
			for i := range posts {
				posts[i].Status = mission.ContentApproved
			}
			f.must(f.tx(func(tx store.Tx) error {
				var back []mission.ContentChange
				for _, c := range posts {
					back = append(back, mission.ContentChange{From: mission.ContentScheduled, To: c})
				}
				return tx.ChangeContent(ctx, back...)
			}))
			move(by)
		}
		got, err := f.db.ContentsByID(ctx, f.tenant.ID, []string{posts[0].ID, posts[1].ID})
		f.must(err)
		for _, want := range posts[:2] {
			if c := got[want.ID]; !c.ScheduledAt.Equal(*want.ScheduledAt) || c.Placed != want.Placed {
				t.Errorf("got the slot %v, %v, want %v, %v", c.ScheduledAt, c.Placed, want.ScheduledAt, want.Placed)
			}
		}
	})
}

// A job, its stages and its posts are read as they were written. The counters
// of posts and jobs follow their changes. A set of changes is written
// completely or not at all.
func TestJobsAndPosts(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		j := f.job(m)
		got, err := f.db.Job(ctx, m.TenantID, j.ID)
		f.must(err)
		if !reflect.DeepEqual(got, j) {
			t.Errorf("the job is\n%+v, want\n%+v", got, j)
		}
		duplicate := j
		duplicate.ID = "job_duplicate"
		if f.tx(func(tx store.Tx) error { return tx.CreateJob(ctx, duplicate) }) == nil {
			t.Error("a day has two jobs")
		}
		posts := f.posts(j)
		var changes []mission.ContentChange
		for i, c := range posts {
			ch, err := c.Schedule(start.Add(time.Duration(i+1)*time.Hour), start)
			f.must(err)
			changes = append(changes, ch)
		}
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, changes...) }))
		f.wantCounts(m, mission.ContentCounts{Generated: 4, Approved: 4, Scheduled: 4})
		next, err := f.db.NextPublishAt(ctx, m.ID)
		if err != nil || !next[m.ID].Equal(start.Add(time.Hour)) {
			t.Errorf("the next post is due at %v, %v", next, err)
		}
		f.wantState(m)
		// One of two isn't in the state its change starts from: neither is changed.
		publish, err := changes[0].To.Publishing(nil, start)
		f.must(err)
		stale := mission.ContentChange{From: mission.ContentPublishing, To: changes[1].To}
		f.wantCode(f.tx(func(tx store.Tx) error {
			return tx.ChangeContent(ctx, mission.ContentChange{From: mission.ContentApproved, To: publish.To}, stale)
		}), mission.CodeConflict)
		f.wantCounts(m, mission.ContentCounts{Generated: 4, Approved: 4, Scheduled: 4})
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, publish) }))
		publishing := func(want bool) {
			t.Helper()
			if busy, err := f.db.Publishing(ctx, m.ID); busy != want || err != nil {
				t.Errorf("a call is in progress: %v, %v, want %v", busy, err, want)
			}
		}
		publishing(false)
		f.must(f.tx(func(tx store.Tx) error {
			return tx.AddTasks(ctx, start, mission.NewTask(m, mission.TaskContentPublish, publish.To.ID, start))
		}))
		dispatched, err := f.db.Dispatch(ctx, start, 10)
		f.must(err)
		for _, d := range dispatched {
			_, _, err := f.db.Claim(ctx, d.Task.ID, start, time.Minute)
			f.must(err)
		}
		publishing(true)
		_, err = f.db.ExpireLeases(ctx, 2*time.Minute, start)
		f.must(err)
		publishing(false)
		for done := publish; done.To.Status != mission.ContentPublished; {
			done, err = done.To.RecordPart(mission.Publication{PostID: "p1", URL: "https://x", PublishedAt: start}, start)
			f.must(err)
			f.must(f.tx(func(tx store.Tx) error { return tx.ChangeContent(ctx, done) }))
			kept, err := f.db.Content(ctx, m.TenantID, done.To.ID)
			if err != nil || !reflect.DeepEqual(kept.Published, done.To.Published) {
				t.Errorf("stored publications: %+v, want %+v: %v", kept.Published, done.To.Published, err)
			}
		}
		f.wantCounts(m, mission.ContentCounts{Generated: 4, Approved: 4, Scheduled: 3, Published: 1})
		got, err = f.db.Job(ctx, m.TenantID, j.ID)
		if err != nil || got.Written != 4 || got.Settled != 1 || got.Cost != 0 {
			t.Errorf("the job counts %d, %d, %d micros, %v", got.Written, got.Settled, got.Cost, err)
		}
		due, err := f.db.PostsToMeasure(ctx, m.TenantID, m.ID, start.Add(mission.FirstMeasure), 10)
		f.must(err)
		if len(due) != 1 || *due[0].PlatformPostID != "p1" || !due[0].PublishedAt.Equal(start) {
			t.Errorf("the posts to measure are %+v", due)
		}
	})
}

func (f *fixture) wantCounts(m mission.Mission, want mission.ContentCounts) {
	f.t.Helper()
	got, err := f.db.Mission(ctx, m.TenantID, m.ID)
	f.must(err)
	if got.Counts != want {
		f.t.Errorf("the counters are %+v, want %+v", got.Counts, want)
	}
}

// Two posts of a mission can't have one slot.
func TestOnePostASlot(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j := f.job(f.mission(nil))
		f.posts(j)
		slot := j.Plan.Slots[0]
		slot.Position = 99
		c, events := mission.NewContent("cnt_duplicate", j, mission.NewAssignment(j, slot), mission.Draft{Format: slot.Format, Text: "x"}, mission.Verdict{}, start)
		if err := f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, events) }); err == nil {
			t.Error("a slot has two posts")
		}
	})
}

func TestDeleteTakesEverythingUnderIt(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		j := f.job(m)
		f.posts(j)
		f.task(m, start)
		f.must(f.tx(func(tx store.Tx) error { return tx.DeleteMission(ctx, m) }))
		_, err := f.db.Job(ctx, m.TenantID, j.ID)
		f.wantCode(err, mission.CodeNotFound)
		if _, waits, err := f.db.NextDispatch(ctx); waits || err != nil {
			t.Errorf("a task is left: %v", err)
		}
		if n, err := f.db.CountMissions(ctx, m.TenantID, store.MissionFilter{Platform: mission.Twitter}); n != 0 || err != nil {
			t.Errorf("%d missions are counted, %v", n, err)
		}
		if len(f.eventTypes(m)) == 0 {
			t.Error("the mission's events are gone")
		}
	})
}

func TestDevClockIsKept(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if c, err := f.db.DevClock(ctx); c != nil || err != nil {
			t.Errorf("a new database has the clock %v, %v", c, err)
		}
		want := store.DevClock{Anchor: clock.Anchor{Real: start, Domain: start.Add(time.Hour), Speed: 1440}, SeenReal: start.Add(time.Second)}
		for range 2 {
			f.must(f.tx(func(tx store.Tx) error { return tx.SetDevClock(ctx, want) }))
		}
		if got, err := f.db.DevClock(ctx); err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("the clock is %+v, %v", got, err)
		}
	})
}

// Only a tenant's own records can be locked: another tenant's id is not found.
func TestLocksAreATenantsOwn(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		m := f.mission(nil)
		j := f.job(m)
		post := f.posts(j)[0]
		theirs, _ := f.makeTenant("theirs")
		for name, lock := range map[string]func(tx store.Tx, tenantID string) error{
			"mission": func(tx store.Tx, tenantID string) error { _, err := tx.LockMission(ctx, tenantID, m.ID); return err },
			"job":     func(tx store.Tx, tenantID string) error { _, err := tx.LockJob(ctx, tenantID, j.ID); return err },
			"post":    func(tx store.Tx, tenantID string) error { _, err := tx.LockContent(ctx, tenantID, post.ID); return err },
			"user":    func(tx store.Tx, tenantID string) error { _, err := tx.LockUser(ctx, tenantID, f.user.ID); return err },
		} {
			for tenantID, want := range map[string]mission.Code{f.tenant.ID: mission.CodeOf(nil), theirs.ID: mission.CodeNotFound} {
				err := f.tx(func(tx store.Tx) error { return lock(tx, tenantID) })
				if got := mission.CodeOf(err); got != want {
					t.Errorf("locking a %s: %v, want %q", name, err, want)
				}
			}
		}
	})
}

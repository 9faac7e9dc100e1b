package feed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"missiond/internal/feed"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"))
}

// follow runs a feed until the test ends. Commits wake it if woken is true; if not, it is
// like the feed of another process.
func follow(w *world.World, woken bool) *feed.Feed {
	f := feed.New(w.DB, w.Missions.StatusViews, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if woken {
		w.DB.OnEvents(f.Wake)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); f.Run(ctx) }()
	w.T.Cleanup(func() { cancel(); <-done })
	return f
}

func create(w *world.World, name string) mission.Mission {
	w.T.Helper()
	return w.Create(func(in *mission.CreateInput) { in.Name = name })
}

// collect reads n events.
func collect(t *testing.T, e *feed.Events, n int) (ids []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), await.Long())
	defer cancel()
	for len(ids) < n {
		list, err := e.Next(ctx)
		if err != nil {
			t.Errorf("after %d of %d events: %v", len(ids), n, err)
			return ids
		}
		for _, event := range list {
			ids = append(ids, event.ID)
		}
	}
	return ids
}

// Every listener gets each event once and in the log's order: in any process, from any
// event on, and at any speed.
func TestListenersMissNothing(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		w := world.New(t, db)
		home, away := follow(w, true), follow(w, false)
		listen := func(f *feed.Feed, after string) *feed.Events {
			e, err := f.Events(t.Context(), w.Tenant.TenantID, after, store.EventFilter{})
			w.Must(err)
			t.Cleanup(e.Close)
			return e
		}
		quick, far, slow := listen(home, ""), listen(away, ""), listen(home, "")
		const writers, missions = 4, 40 // two events each: more than a feed keeps
		written := make(chan struct{})
		for i := range writers {
			go func() {
				defer func() { written <- struct{}{} }()
				for n := range missions {
					create(w, fmt.Sprint(i, n))
				}
			}()
		}
		const all = writers * missions * 2
		first := collect(t, quick, all)
		for range writers {
			<-written
		}
		log, err := w.DB.EventsBetween(t.Context(), w.Tenant.TenantID, 0, all, store.EventFilter{})
		w.Must(err)
		want := make([]string, len(log))
		for i, e := range log {
			want[i] = e.ID
		}
		late := listen(away, want[9])
		for name, got := range map[string][]string{
			"at once": first, "in another process": collect(t, far, all), "slowly": collect(t, slow, all),
			"since the tenth": append(want[:10:10], collect(t, late, all-10)...),
		} {
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("a listener %s got %d events, or others, of %d", name, len(got), len(want))
			}
		}
	})
}

// A filter applies to events from memory and from the log alike, and Next goes on waiting
// after events that don't match.
func TestListenersPick(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		w := world.New(t, db)
		f := follow(w, true)
		before := create(w, "before")
		from, err := w.DB.EventsBetween(t.Context(), w.Tenant.TenantID, 0, 1, store.EventFilter{})
		w.Must(err)
		for name, after := range map[string]string{"from now on": "", "since the first": from[0].ID} {
			e, err := f.Events(t.Context(), w.Tenant.TenantID, after, store.EventFilter{Types: []mission.EventType{mission.EventMissionPaused}, MissionID: before.ID})
			w.Must(err)
			other := create(w, "other")
			_, err = w.Missions.PauseMission(t.Context(), w.Tenant, other.ID)
			w.Must(err)
			_, err = w.Missions.PauseMission(t.Context(), w.Tenant, before.ID)
			w.Must(err)
			ctx, cancel := context.WithTimeout(t.Context(), await.Long())
			list, err := e.Next(ctx)
			if err != nil || list[0].MissionID != before.ID || list[0].Type != mission.EventMissionPaused {
				t.Errorf("a listener %s got %v, %v", name, list, err)
			}
			cancel()
			e.Close()
			_, err = w.Missions.ResumeMission(t.Context(), w.Tenant, before.ID)
			w.Must(err)
		}
		if n := f.Listeners(); n != 0 {
			t.Errorf("%d still listen", n)
		}
		_, err = f.Events(t.Context(), w.Tenant.TenantID, "evt_x", store.EventFilter{})
		if mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("an invalid cursor returns %v", err)
		}
	})
}

// A mission's watchers get every change of its status, also changes without an event, and
// ErrGone when it is deleted.
func TestWatchersSeeEveryChange(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		w := world.New(t, db)
		m := create(w, "watched")
		var watchers []*feed.Status
		for _, f := range []*feed.Feed{follow(w, true), follow(w, false)} {
			for range 2 {
				seen, err := w.Missions.Status(t.Context(), w.Tenant, m.ID)
				w.Must(err)
				watcher, err := f.Status(t.Context(), w.Tenant.TenantID, seen)
				w.Must(err)
				defer watcher.Close()
				watchers = append(watchers, watcher)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), await.Long())
		defer cancel()
		become := func(what string, is func(v mission.StatusView) bool) {
			t.Helper()
			for i, watcher := range watchers {
				v, err := watcher.Next(ctx)
				for err == nil && !is(v) {
					v, err = watcher.Next(ctx)
				}
				if err != nil {
					t.Fatalf("watcher %d waits in vain for %s: %v", i, what, err)
				}
			}
		}
		job, err := w.DB.Job(t.Context(), w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error { return tx.ChangeJob(t.Context(), job.Begin(1, world.Began)) }))
		become("a stage that runs", func(v mission.StatusView) bool { return v.Pipeline.Stages.Intake.Status == mission.RunRunning })
		_, err = w.Missions.PauseMission(t.Context(), w.Tenant, m.ID)
		w.Must(err)
		become("the pause", func(v mission.StatusView) bool { return v.Status == mission.StatusPaused })
		w.Must(w.Missions.DeleteMission(t.Context(), w.Tenant, m.ID))
		for _, watcher := range watchers {
			if _, err := watcher.Next(ctx); !errors.Is(err, feed.ErrGone) {
				t.Errorf("Next returns %v for a deleted mission", err)
			}
		}
	})
}

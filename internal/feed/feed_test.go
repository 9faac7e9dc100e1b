package feed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"missiond/internal/clock"
	"missiond/internal/feed"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/writer/grammar"
	"missiond/mission"
	"missiond/store"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"))
}

const patience = 60 * time.Second

var began = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// house is a service with a tenant, and a feed that follows it.
type house struct {
	t       *testing.T
	db      *store.DB
	service *missions.API
	clock   *clock.Manual
	p       mission.Principal
}

func open(t *testing.T, db *store.DB) *house {
	t.Helper()
	h := &house{t: t, db: db, clock: clock.NewManual(began)}
	h.service = missions.New(db, missions.Options{Clock: h.clock, Writer: grammar.New(), Sandbox: true})
	tenant := mission.Tenant{ID: db.NewID(mission.PrefixTenant, began), Name: "T", Slug: "t", Plan: mission.PlanPro, CreatedAt: began, UpdatedAt: began}
	h.p.TenantID = tenant.ID
	h.must(db.Tx(t.Context(), func(tx store.Tx) error { _, err := tx.AddTenant(t.Context(), tenant); return err }))
	return h
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// follow runs a feed until the test ends. Commits wake it if woken is true; if not, it is
// like the feed of another process.
func (h *house) follow(woken bool) *feed.Feed {
	f := feed.New(h.db, h.service.StatusViews, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if woken {
		h.db.OnEvents(f.Wake)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); f.Run(ctx) }()
	h.t.Cleanup(func() { cancel(); <-done })
	return f
}

func (h *house) create(name string) mission.Mission {
	h.t.Helper()
	days, now := 2, true
	m, err := h.service.CreateMission(context.Background(), h.p, mission.CreateInput{
		Name: name, Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &now,
	})
	h.must(err)
	return m
}

// collect reads n events.
func collect(t *testing.T, e *feed.Events, n int) (ids []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
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
		h := open(t, db)
		home, away := h.follow(true), h.follow(false)
		listen := func(f *feed.Feed, after string) *feed.Events {
			e, err := f.Events(t.Context(), h.p.TenantID, after, store.EventFilter{})
			h.must(err)
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
					h.create(fmt.Sprint(i, n))
				}
			}()
		}
		const all = writers * missions * 2
		first := collect(t, quick, all)
		for range writers {
			<-written
		}
		log, err := h.db.EventsBetween(t.Context(), h.p.TenantID, 0, all, store.EventFilter{})
		h.must(err)
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
		h := open(t, db)
		f := h.follow(true)
		before := h.create("before")
		from, err := h.db.EventsBetween(t.Context(), h.p.TenantID, 0, 1, store.EventFilter{})
		h.must(err)
		for name, after := range map[string]string{"from now on": "", "since the first": from[0].ID} {
			e, err := f.Events(t.Context(), h.p.TenantID, after, store.EventFilter{Types: []mission.EventType{mission.EventMissionPaused}, MissionID: before.ID})
			h.must(err)
			other := h.create("other")
			_, err = h.service.PauseMission(t.Context(), h.p, other.ID)
			h.must(err)
			_, err = h.service.PauseMission(t.Context(), h.p, before.ID)
			h.must(err)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			list, err := e.Next(ctx)
			if err != nil || list[0].MissionID != before.ID || list[0].Type != mission.EventMissionPaused {
				t.Errorf("a listener %s got %v, %v", name, list, err)
			}
			cancel()
			e.Close()
			_, err = h.service.ResumeMission(t.Context(), h.p, before.ID)
			h.must(err)
		}
		if n := f.Listeners(); n != 0 {
			t.Errorf("%d still listen", n)
		}
		_, err = f.Events(t.Context(), h.p.TenantID, "evt_x", store.EventFilter{})
		if mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("an invalid cursor returns %v", err)
		}
	})
}

// A mission's watchers get every change of its status, also changes without an event, and
// ErrGone when it is deleted.
func TestWatchersSeeEveryChange(t *testing.T) {
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		h := open(t, db)
		m := h.create("watched")
		var watchers []*feed.Status
		for _, f := range []*feed.Feed{h.follow(true), h.follow(false)} {
			for range 2 {
				seen, err := h.service.Status(t.Context(), h.p, m.ID)
				h.must(err)
				w, err := f.Status(t.Context(), h.p.TenantID, seen)
				h.must(err)
				defer w.Close()
				watchers = append(watchers, w)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		become := func(what string, is func(v mission.StatusView) bool) {
			t.Helper()
			for i, w := range watchers {
				v, err := w.Next(ctx)
				for err == nil && !is(v) {
					v, err = w.Next(ctx)
				}
				if err != nil {
					t.Fatalf("watcher %d waits in vain for %s: %v", i, what, err)
				}
			}
		}
		job, err := h.db.Job(t.Context(), h.p.TenantID, *m.PipelineJobID)
		h.must(err)
		h.must(h.db.Tx(t.Context(), func(tx store.Tx) error { return tx.ChangeJob(t.Context(), job.Begin(1, began)) }))
		become("a stage that runs", func(v mission.StatusView) bool { return v.Pipeline.Stages.Intake.Status == mission.RunRunning })
		_, err = h.service.PauseMission(t.Context(), h.p, m.ID)
		h.must(err)
		become("the pause", func(v mission.StatusView) bool { return v.Status == mission.StatusPaused })
		h.must(h.service.DeleteMission(t.Context(), h.p, m.ID))
		for _, w := range watchers {
			if _, err := w.Next(ctx); !errors.Is(err, feed.ErrGone) {
				t.Errorf("Next returns %v for a deleted mission", err)
			}
		}
	})
}

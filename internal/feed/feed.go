// Package feed follows the event log for those who listen to it: it reads, once
// for a whole process, what tenants' logs have got, and what the missions that
// are watched have come to. Listeners take what they haven't seen when they are
// ready to, so a slow one holds nothing in memory but its place.
package feed

import (
	"context"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
	"missiond/store"
)

// How often a feed looks: at the logs of the tenants that somebody listens to,
// one statement for all of them, and at all missions that are watched, four. A
// commit of the same process has it look at once.
const (
	pollEvery  = 200 * time.Millisecond
	sweepEvery = time.Second
	lookGap    = 10 * time.Millisecond
	// lookLimit ends a look at a database that doesn't answer.
	lookLimit = 5 * time.Second
)

// recentEvents is how many of a tenant's last events are kept in memory for its
// listeners; who is further behind reads the log.
const recentEvents = 256

// viewsAtOnce bounds the missions that are looked at with one statement.
const viewsAtOnce = 500

// Log is where events are read from; *store.DB is one.
type Log interface {
	EventHeads(ctx context.Context, tenantIDs []string) (map[string]int64, error)
	EventSeq(ctx context.Context, tenantID, id string) (int64, error)
	EventsBetween(ctx context.Context, tenantID string, above, upTo int64, f store.EventFilter) ([]mission.Event, error)
}

// Views returns missions' status views, by the missions' ids.
type Views func(ctx context.Context, missionIDs []string) (map[string]mission.StatusView, error)

// Feed is one process's. It is safe for concurrent use.
type Feed struct {
	db    Log
	views Views
	log   *slog.Logger
	wake  chan struct{}

	mu        sync.Mutex
	listeners int
	tenants   map[string]*tail
	missions  map[string]*watched
}

// tail is the end of a tenant's log, as far as it is known.
type tail struct {
	listeners int
	head      int64
	recent    []mission.Event // up to head; never changed, only replaced
	changed   chan struct{}   // closed when head moves
}

// watched is a mission that somebody watches.
type watched struct {
	watchers int
	looks    int // how often it was looked at
	view     *mission.StatusView
	dirty    bool
	joined   bool          // whether somebody began to watch since the last look
	changed  chan struct{} // closed when it was looked at and isn't as before
}

// New returns a feed, which stands still until it is Run.
func New(db Log, views Views, log *slog.Logger) *Feed {
	return &Feed{db: db, views: views, log: log, wake: make(chan struct{}, 1), tenants: map[string]*tail{}, missions: map[string]*watched{}}
}

// Wake has the feed look at once. It doesn't block.
func (f *Feed) Wake() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Run follows the log until ctx ends.
func (f *Feed) Run(ctx context.Context) {
	poll, sweep := time.NewTicker(pollEvery), time.NewTicker(sweepEvery)
	defer poll.Stop()
	defer sweep.Stop()
	for {
		swept := false
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
			if clock.Sleep(ctx, lookGap) != nil { // what commits in the next moment is seen with it
				return
			}
		case <-poll.C:
		case <-sweep.C:
			swept = true
		}
		if err := f.look(ctx, swept); err != nil && ctx.Err() == nil {
			f.log.Warn("feed: the log can't be read", "error", err)
		}
	}
}

// look reads what is new, and tells those who wait for it. With sweep it looks
// at every mission that is watched, else at those that had events.
func (f *Feed) look(ctx context.Context, sweep bool) error {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	known := f.heads()
	if len(known) > 0 {
		ids := make([]string, 0, len(known))
		for id := range known {
			ids = append(ids, id)
		}
		heads, err := f.db.EventHeads(ctx, ids)
		if err != nil {
			return err
		}
		for id, head := range heads {
			if head == known[id] {
				continue
			}
			events, err := f.db.EventsBetween(ctx, id, max(known[id], head-recentEvents), head, store.EventFilter{})
			if err != nil {
				return err
			}
			f.advance(id, known[id], head, events)
		}
	}
	return f.lookAtMissions(ctx, sweep)
}

func (f *Feed) heads() map[string]int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	heads := make(map[string]int64, len(f.tenants))
	for id, t := range f.tenants {
		heads[id] = t.head
	}
	return heads
}

// advance moves a tenant's head, from where it was known to be.
func (f *Feed) advance(tenantID string, from, head int64, events []mission.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range events {
		if m := f.missions[e.MissionID]; m != nil {
			m.dirty = true
		}
	}
	t := f.tenants[tenantID]
	if t == nil || t.head != from {
		return // its listeners left, and others came
	}
	if head-from < recentEvents {
		events = append(t.recent[:len(t.recent):len(t.recent)], events...)
	}
	t.head, t.recent = head, events[max(0, len(events)-recentEvents):]
	close(t.changed)
	t.changed = make(chan struct{})
}

func (f *Feed) lookAtMissions(ctx context.Context, sweep bool) error {
	ids := f.missionsToLookAt(sweep)
	for len(ids) > 0 {
		some := ids[:min(len(ids), viewsAtOnce)]
		ids = ids[len(some):]
		views, err := f.views(ctx, some)
		if err != nil {
			return err
		}
		f.show(some, views)
	}
	return nil
}

func (f *Feed) missionsToLookAt(sweep bool) (ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, m := range f.missions {
		if m.dirty || sweep {
			m.dirty = false
			ids = append(ids, id)
		}
	}
	return ids
}

// show keeps what missions have come to, and tells who waits for a change.
func (f *Feed) show(ids []string, views map[string]mission.StatusView) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		m := f.missions[id]
		if m == nil {
			continue
		}
		var now *mission.StatusView
		if v, ok := views[id]; ok {
			now = &v
		}
		m.looks++
		if !m.joined && reflect.DeepEqual(m.view, now) {
			continue
		}
		m.view, m.joined = now, false
		close(m.changed)
		m.changed = make(chan struct{})
	}
}

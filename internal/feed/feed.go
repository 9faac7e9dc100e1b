// Package feed follows the event log on behalf of listeners. It reads new events of
// tenants, and the status views of watched missions, once for the whole process.
// Listeners fetch what they haven't seen when they are ready, so that a slow one keeps
// nothing in memory but its seq.
package feed

import (
	"context"
	"log/slog"
	"maps"
	"reflect"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
	"missiond/store"
)

// How often a feed reads: every pollEvery the logs of the tenants with listeners, in one
// statement, and every sweepEvery all watched missions, in four. A commit of the same
// process has it read at once.
const (
	pollEvery  = 200 * time.Millisecond
	sweepEvery = time.Second
	// wakeDelay is how long a feed waits after Wake, to read the events of several
	// commits together.
	wakeDelay = 10 * time.Millisecond
	// readLimit is the time limit of a read.
	readLimit = 5 * time.Second
)

// recentNotes is the same as recentEvents for notifications, of which there are few.
const recentNotes = 16

// recentEvents is how many of a tenant's latest events are cached in memory for its
// listeners; a listener that is further behind reads the log.
const recentEvents = 256

// maxViews is how many missions are read with one statement at most.
const maxViews = 500

// Log is the event log; *store.DB implements it.
type Log interface {
	Heads(ctx context.Context, tenantIDs []string) (map[string]store.Heads, error)
	EventSeq(ctx context.Context, tenantID, id string) (int64, error)
	EventsBetween(ctx context.Context, tenantID string, above, upTo int64, f store.EventFilter) ([]mission.Event, error)
	NotificationSeq(ctx context.Context, tenantID, id string) (int64, error)
	NotificationsBetween(ctx context.Context, tenantID string, above, upTo int64) ([]mission.Notification, error)
}

// Views returns the status views of missions, by mission id.
type Views func(ctx context.Context, missionIDs []string) (map[string]mission.StatusView, error)

// Feed is the feed of a process. It is safe for concurrent use.
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

// tail is the end of a tenant's log, as last read.
type tail struct {
	listeners int
	head      int64
	recent    []mission.Event // up to head; never changed, only replaced
	changed   chan struct{}   // closed when head moves

	// The same of notifications; noted is the seq of notes' first one, less one.
	notesHead, noted int64
	notes            []mission.Notification
	notified         chan struct{}

	// The same of changes: counts is never changed, only replaced.
	counts  map[mission.ChangeKind]int64
	counted chan struct{}
}

// watched is a mission with watchers.
type watched struct {
	watchers int
	reads    int // how often it was read
	view     *mission.StatusView
	dirty    bool
	joined   bool          // whether a watcher joined since the last read
	changed  chan struct{} // closed by a read that finds a change, or follows a join
}

// New returns a feed, which reads nothing until Run is called.
func New(db Log, views Views, log *slog.Logger) *Feed {
	return &Feed{db: db, views: views, log: log, wake: make(chan struct{}, 1), tenants: map[string]*tail{}, missions: map[string]*watched{}}
}

// Wake has the feed read at once. It doesn't block.
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
			if clock.Sleep(ctx, wakeDelay) != nil {
				return
			}
		case <-poll.C:
		case <-sweep.C:
			swept = true
		}
		if err := f.read(ctx, swept); err != nil && ctx.Err() == nil {
			f.log.Warn("feed: read the event log", "error", err)
		}
	}
}

// read reads new events and status views, and wakes the listeners that wait for them.
// With sweep it reads every watched mission, else those that had events.
func (f *Feed) read(ctx context.Context, sweep bool) error {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	known := f.heads()
	if len(known) > 0 {
		ids := make([]string, 0, len(known))
		for id := range known {
			ids = append(ids, id)
		}
		heads, err := f.db.Heads(ctx, ids)
		if err != nil {
			return err
		}
		for id, head := range heads {
			if err := f.readTenant(ctx, id, known[id], head); err != nil {
				return err
			}
		}
	}
	return f.readMissions(ctx, sweep)
}

// readTenant reads what a tenant's log and its notifications have beyond the heads
// that were known, and tells of its changes.
func (f *Feed) readTenant(ctx context.Context, id string, known, head store.Heads) error {
	if head.Events != known.Events {
		events, err := f.db.EventsBetween(ctx, id, max(known.Events, head.Events-recentEvents), head.Events, store.EventFilter{})
		if err != nil {
			return err
		}
		f.advance(id, known.Events, head.Events, events)
	}
	f.count(id, head.Changes)
	if head.Notifications == known.Notifications {
		return nil
	}
	from := max(known.Notifications, head.Notifications-recentNotes)
	notes, err := f.db.NotificationsBetween(ctx, id, from, head.Notifications)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.tenants[id]; t != nil && t.notesHead == known.Notifications {
		t.notesHead, t.noted, t.notes = head.Notifications, from, notes
		close(t.notified)
		t.notified = make(chan struct{})
	}
	return nil
}

// count wakes a tenant's listeners to changes, if there were some.
func (f *Feed) count(tenantID string, counts map[mission.ChangeKind]int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.tenants[tenantID]; t != nil && !maps.Equal(t.counts, counts) {
		t.counts = counts
		close(t.counted)
		t.counted = make(chan struct{})
	}
}

func (f *Feed) heads() map[string]store.Heads {
	f.mu.Lock()
	defer f.mu.Unlock()
	heads := make(map[string]store.Heads, len(f.tenants))
	for id, t := range f.tenants {
		heads[id] = store.Heads{Events: t.head, Notifications: t.notesHead}
	}
	return heads
}

// advance moves a tenant's head from the seq that was known.
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

func (f *Feed) readMissions(ctx context.Context, sweep bool) error {
	ids := f.missionsToRead(sweep)
	for len(ids) > 0 {
		some := ids[:min(len(ids), maxViews)]
		ids = ids[len(some):]
		views, err := f.views(ctx, some)
		if err != nil {
			return err
		}
		f.show(some, views)
	}
	return nil
}

func (f *Feed) missionsToRead(sweep bool) (ids []string) {
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

// show stores the status views that were read, and wakes the watchers of those that
// changed. Missions without a view were deleted.
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
		m.reads++
		if !m.joined && reflect.DeepEqual(m.view, now) {
			continue
		}
		m.view, m.joined = now, false
		close(m.changed)
		m.changed = make(chan struct{})
	}
}

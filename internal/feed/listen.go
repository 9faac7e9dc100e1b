package feed

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"missiond/mission"
	"missiond/store"
)

// ErrGone means that the mission was deleted.
var ErrGone = errors.New("feed: the mission is gone")

// maxRead is how many events of the log one statement covers at most.
const maxRead = 500

// maxListeners and maxTenantListeners are how many listeners a process, and a tenant in
// it, may have.
const (
	maxListeners       = 20_000
	maxTenantListeners = 5_000
)

// Events is a listener to a tenant's events. Close it after use.
type Events struct {
	feed     *Feed
	tenantID string
	filter   store.EventFilter
	tail     *tail
	seq      int64 // of the last event that was returned or skipped
}

// Events returns a listener to a tenant's events that match a filter, from now on, or
// after the event with the id after. Errors: invalid_request if after isn't an event of
// the tenant; service_unavailable if there are too many listeners.
func (f *Feed) Events(ctx context.Context, tenantID, after string, filter store.EventFilter) (*Events, error) {
	heads, err := f.db.Heads(ctx, []string{tenantID})
	if err != nil {
		return nil, err
	}
	e := &Events{feed: f, tenantID: tenantID, filter: filter, seq: heads[tenantID].Events}
	if after != "" {
		if e.seq, err = f.db.EventSeq(ctx, tenantID, after); err != nil {
			return nil, err
		}
	}
	e.tail, err = f.join(tenantID, heads[tenantID])
	return e, err
}

// join adds a listener to a tenant, whose heads are those that were read last.
// Errors: service_unavailable.
func (f *Feed) join(tenantID string, heads store.Heads) (*tail, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tenants[tenantID]
	if f.listeners >= maxListeners || t != nil && t.listeners >= maxTenantListeners {
		return nil, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many subscriptions are open."}
	}
	if t == nil {
		t = &tail{
			head: heads.Events, changed: make(chan struct{}),
			notesHead: heads.Notifications, noted: heads.Notifications, notified: make(chan struct{}),
			counts: heads.Changes, counted: make(chan struct{}),
		}
		f.tenants[tenantID] = t
	}
	t.listeners++
	f.listeners++
	return t, nil
}

// leave removes a listener.
func (f *Feed) leave(tenantID string, t *tail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listeners--
	if t.listeners--; t.listeners == 0 && f.tenants[tenantID] == t {
		delete(f.tenants, tenantID)
	}
}

// Listeners returns the number of open listeners.
func (f *Feed) Listeners() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listeners
}

// Close closes the listener.
func (e *Events) Close() { e.feed.leave(e.tenantID, e.tail) }

// Next waits for events that it hasn't returned before, and returns one or more of them,
// in the log's order. Errors: ctx's.
func (e *Events) Next(ctx context.Context) ([]mission.Event, error) {
	for {
		e.feed.mu.Lock()
		head, recent, changed := e.tail.head, e.tail.recent, e.tail.changed
		e.feed.mu.Unlock()
		if e.seq >= head {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-changed:
			}
			continue
		}
		events, upTo, err := e.read(ctx, head, recent)
		if err != nil {
			return nil, err
		}
		e.seq = upTo
		if len(events) > 0 {
			return events, nil
		}
	}
}

// read returns the events after the listener's seq that match its filter, and the seq up
// to which it has read.
func (e *Events) read(ctx context.Context, head int64, recent []mission.Event) (events []mission.Event, upTo int64, err error) {
	if len(recent) == 0 || recent[0].Seq > e.seq+1 {
		upTo = min(head, e.seq+maxRead)
		events, err = e.feed.db.EventsBetween(ctx, e.tenantID, e.seq, upTo, e.filter)
		return events, upTo, err
	}
	for _, event := range recent {
		if event.Seq > e.seq && picks(e.filter, event) {
			events = append(events, event)
		}
	}
	return events, head, nil
}

func picks(f store.EventFilter, e mission.Event) bool {
	return (f.MissionID == "" || f.MissionID == e.MissionID) && (len(f.Types) == 0 || slices.Contains(f.Types, e.Type))
}

// Status is a watcher of a mission's status view. Close it after use.
type Status struct {
	feed      *Feed
	missionID string
	mission   *watched
	joined    int // the mission's reads when the watcher joined: earlier views are older than seen
	seen      mission.StatusView
	tail      *Events // has the feed read the tenant's log, and so the mission after its events
}

// Status returns a watcher of a tenant's mission; seen is the status view that the caller
// has already.
func (f *Feed) Status(ctx context.Context, tenantID string, seen mission.StatusView) (*Status, error) {
	events, err := f.Events(ctx, tenantID, "", store.EventFilter{MissionID: seen.MissionID})
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.missions[seen.MissionID]
	if m == nil {
		m = &watched{changed: make(chan struct{})}
		f.missions[seen.MissionID] = m
	}
	m.watchers++
	m.dirty, m.joined = true, true // it may have changed since seen was read
	f.Wake()
	return &Status{feed: f, missionID: seen.MissionID, mission: m, joined: m.reads, seen: seen, tail: events}, nil
}

// Close closes the watcher.
func (s *Status) Close() {
	s.tail.Close()
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	if s.mission.watchers--; s.mission.watchers == 0 && s.feed.missions[s.missionID] == s.mission {
		delete(s.feed.missions, s.missionID)
	}
}

// Next waits until the mission's status view differs from the last one, and returns it.
// Views in between are skipped. Errors: ErrGone, ctx's.
func (s *Status) Next(ctx context.Context) (mission.StatusView, error) {
	for {
		s.feed.mu.Lock()
		view, reads, changed := s.mission.view, s.mission.reads, s.mission.changed
		s.feed.mu.Unlock()
		if reads > s.joined {
			if view == nil {
				return mission.StatusView{}, ErrGone
			}
			if !reflect.DeepEqual(*view, s.seen) {
				s.seen = *view
				return *view, nil
			}
		}
		select {
		case <-ctx.Done():
			return mission.StatusView{}, ctx.Err()
		case <-changed:
		}
	}
}

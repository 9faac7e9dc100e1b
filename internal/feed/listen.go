package feed

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"missiond/mission"
	"missiond/store"
)

// ErrGone is a mission that is no longer there.
var ErrGone = errors.New("feed: the mission is gone")

// readAtOnce bounds how far one statement goes through the log.
const readAtOnce = 500

// maxListeners and maxTenantListeners are how many a process has, and a tenant
// there.
const (
	maxListeners       = 20_000
	maxTenantListeners = 5_000
)

// Events is somebody who listens to a tenant's events. Close it.
type Events struct {
	feed     *Feed
	tenantID string
	filter   store.EventFilter
	tail     *tail
	place    int64 // of the last event that was seen, or passed over
}

// Events begins to listen to the events of a tenant's that a filter picks, from
// now or from behind the event with the id after. Errors: invalid_request for
// after if that is none of the tenant's.
func (f *Feed) Events(ctx context.Context, tenantID, after string, filter store.EventFilter) (*Events, error) {
	heads, err := f.db.EventHeads(ctx, []string{tenantID})
	if err != nil {
		return nil, err
	}
	e := &Events{feed: f, tenantID: tenantID, filter: filter, place: heads[tenantID]}
	if after != "" {
		if e.place, err = f.db.EventSeq(ctx, tenantID, after); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e.tail = f.tenants[tenantID]
	if f.listeners >= maxListeners || e.tail != nil && e.tail.listeners >= maxTenantListeners {
		return nil, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many subscriptions are open."}
	}
	if e.tail == nil {
		e.tail = &tail{head: heads[tenantID], changed: make(chan struct{})}
		f.tenants[tenantID] = e.tail
	}
	e.tail.listeners++
	f.listeners++
	return e, nil
}

// Listeners returns how many listen.
func (f *Feed) Listeners() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listeners
}

// Close ends the listening.
func (e *Events) Close() {
	e.feed.mu.Lock()
	defer e.feed.mu.Unlock()
	e.feed.listeners--
	if e.tail.listeners--; e.tail.listeners == 0 && e.feed.tenants[e.tenantID] == e.tail {
		delete(e.feed.tenants, e.tenantID)
	}
}

// Next waits for events that weren't answered before and answers some of them,
// in their order: at least one. Errors: ctx's.
func (e *Events) Next(ctx context.Context) ([]mission.Event, error) {
	for {
		e.feed.mu.Lock()
		head, recent, changed := e.tail.head, e.tail.recent, e.tail.changed
		e.feed.mu.Unlock()
		if e.place >= head {
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
		e.place = upTo
		if len(events) > 0 {
			return events, nil
		}
	}
}

// read returns the events that are picked of those behind the listener's place,
// and how far that goes.
func (e *Events) read(ctx context.Context, head int64, recent []mission.Event) (events []mission.Event, upTo int64, err error) {
	if len(recent) == 0 || recent[0].Seq > e.place+1 {
		upTo = min(head, e.place+readAtOnce)
		events, err = e.feed.db.EventsBetween(ctx, e.tenantID, e.place, upTo, e.filter)
		return events, upTo, err
	}
	for _, event := range recent {
		if event.Seq > e.place && picks(e.filter, event) {
			events = append(events, event)
		}
	}
	return events, head, nil
}

func picks(f store.EventFilter, e mission.Event) bool {
	return (f.MissionID == "" || f.MissionID == e.MissionID) && (len(f.Types) == 0 || slices.Contains(f.Types, e.Type))
}

// Status is somebody who watches a mission. Close it.
type Status struct {
	feed      *Feed
	missionID string
	mission   *watched
	joined    int // what had been looked at before is older than what was seen
	seen      mission.StatusView
	tail      *Events // has the mission looked at after each of its events
}

// Status begins to watch a mission of a tenant's whose status view is seen as
// given.
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
	m.dirty, m.joined = true, true // what happened since seen was read
	f.Wake()
	return &Status{feed: f, missionID: seen.MissionID, mission: m, joined: m.looks, seen: seen, tail: events}, nil
}

// Close ends the watching.
func (s *Status) Close() {
	s.tail.Close()
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	if s.mission.watchers--; s.mission.watchers == 0 && s.feed.missions[s.missionID] == s.mission {
		delete(s.feed.missions, s.missionID)
	}
}

// Next waits until the mission's status view isn't what was seen last and
// answers it. What it was in between is left out. Errors: ErrGone, ctx's.
func (s *Status) Next(ctx context.Context) (mission.StatusView, error) {
	for {
		s.feed.mu.Lock()
		view, looks, changed := s.mission.view, s.mission.looks, s.mission.changed
		s.feed.mu.Unlock()
		if looks > s.joined {
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

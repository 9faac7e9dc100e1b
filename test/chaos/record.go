package main

import (
	"fmt"
	"sync"
	"time"
)

// outcome is what a client knows about a request.
type outcome int

const (
	// unknown: no response came, or one that leaves it open. The request was
	// executed completely, or not at all.
	unknown outcome = iota
	// done: the response was successful, and holds for ever.
	done
	// declined: the response was an error that says that nothing was done.
	declined
)

// tally counts successful requests (Sure), and those of unknown outcome (Maybe).
type tally struct{ Sure, Maybe int }

func (t *tally) add(o outcome) {
	switch o {
	case done:
		t.Sure++
	case unknown:
		t.Maybe++
	case declined:
	}
}

// allows reports whether n executions are consistent with the responses.
func (t tally) allows(n int) bool { return n >= t.Sure && n <= t.Sure+t.Maybe }

func (t tally) String() string {
	if t.Maybe == 0 {
		return fmt.Sprint(t.Sure)
	}
	return fmt.Sprintf("%d to %d", t.Sure, t.Sure+t.Maybe)
}

// tallies counts requests by what they did.
type tallies map[string]tally

func (t tallies) add(what string, o outcome) {
	n := t[what]
	n.add(o)
	t[what] = n
}

// sentMission is a mission that a client created, under a unique name.
type sentMission struct {
	Name     string
	TenantID string
	ID       string // "" if no response had it
	Created  tally
	// What the request stated.
	Platforms   []string
	PostsPerDay int
	Days        int
	Approval    bool
	Budget      int64 // in cents; 0 for none
	// Steps counts the changes made to it, by the type of their event.
	Steps   tallies
	Deleted tally

	// doubtful means that the outcome of a request about it is unknown.
	doubtful bool
}

func (m *sentMission) step(event string, o outcome) {
	m.Steps.add(event, o)
	m.doubtful = m.doubtful || o == unknown
}

// sentHook is an endpoint that a client created, at a unique path.
type sentHook struct {
	TenantID string
	Path     string
	ID       string // "" if no response had it
	Created  tally
	Events   []string
	// Early means that it was created before the first mission.
	Early bool
}

// record has everything that clients requested, and the outcomes. It is safe for
// concurrent use.
type record struct {
	mu       sync.Mutex
	began    time.Time
	missions map[string]*sentMission // by name
	reviews  map[string]tallies      // by post and action: approve, reject, regenerate
	hooks    map[string]*sentHook    // by path
	requests map[string]int          // by outcome
	waiting  map[string]string       // the last responses to requests without an outcome, by key
	broken   result                  // broken promises that clients noticed
}

func newRecord() *record {
	return &record{
		missions: map[string]*sentMission{}, reviews: map[string]tallies{}, hooks: map[string]*sentHook{},
		requests: map[string]int{}, waiting: map[string]string{}, broken: result{check: "responses agree with each other"},
	}
}

func (b *record) begin() { b.write(func() { b.began = time.Now() }) }

// write calls change under the record's lock.
func (b *record) write(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

// checked counts a response that was checked against a promise.
func (b *record) checked() { b.write(func() { b.broken.saw++ }) }

// violated records that a response breaks a promise.
func (b *record) violated(id, want, is string) { b.write(func() { b.broken.found(id, want, is) }) }

// countRequest counts a request by its outcome.
func (b *record) countRequest(what string) { b.write(func() { b.requests[what]++ }) }

// review counts a review of a post.
func (b *record) review(post, action string, o outcome) {
	b.write(func() {
		if b.reviews[post] == nil {
			b.reviews[post] = tallies{}
		}
		b.reviews[post].add(action, o)
	})
}

package main

import (
	"fmt"
	"sync"
	"time"
)

// outcome is what a client knows of a request.
type outcome int

const (
	// unknown: no answer came, or one that leaves it open. It was done whole, or
	// not at all.
	unknown outcome = iota
	// done was answered with success: it holds for ever.
	done
	// declined was answered with an error that says that nothing was done.
	declined
)

// tally counts requests that were answered with success, and those of which
// nobody knows.
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

// allows reports whether n times is what the answers leave room for.
func (t tally) allows(n int) bool { return n >= t.Sure && n <= t.Sure+t.Maybe }

func (t tally) String() string {
	if t.Maybe == 0 {
		return fmt.Sprint(t.Sure)
	}
	return fmt.Sprintf("%d to %d", t.Sure, t.Sure+t.Maybe)
}

// sentMission is a mission that a client asked for, under a name of its own.
type sentMission struct {
	Name     string
	TenantID string
	ID       string // "" where nobody told
	Created  tally
	// What it states.
	Platforms   []string
	PostsPerDay int
	Days        int
	Approval    bool
	Budget      int64 // in cents; 0 is none
	// Steps counts what was done to it, by the type of the event that tells of it.
	Steps   map[string]*tally
	Deleted tally

	// doubtful tells that an answer about it never came.
	doubtful bool
}

func (m *sentMission) step(event string, o outcome) {
	if m.Steps[event] == nil {
		m.Steps[event] = &tally{}
	}
	m.Steps[event].add(o)
	m.doubtful = m.doubtful || o == unknown
}

// of returns what was done to the mission, as an event tells it.
func (m *sentMission) of(event string) tally {
	if t := m.Steps[event]; t != nil {
		return *t
	}
	return tally{}
}

// sentReview is what a client said of a post.
type sentReview struct {
	PostID    string
	Approved  tally
	Rejected  tally
	Rewritten tally
}

// of returns the tally of a verb.
func (r *sentReview) of(verb string) *tally {
	switch verb {
	case "approve":
		return &r.Approved
	case "reject":
		return &r.Rejected
	default:
		return &r.Rewritten
	}
}

// sentHook is an endpoint that a client asked for, at a path of its own.
type sentHook struct {
	TenantID string
	Path     string
	ID       string // "" where nobody told
	Created  tally
	Events   []string
	// Early tells that it was there before the first mission.
	Early bool
}

// book has all that clients asked for and what they were answered. It is safe
// for concurrent use.
type book struct {
	mu       sync.Mutex
	began    time.Time
	missions map[string]*sentMission // by name
	reviews  map[string]*sentReview  // by post
	hooks    map[string]*sentHook    // by path
	requests map[string]int          // by what became of them
	waiting  map[string]string       // what requests without an outcome were answered last, by key
	broken   result                  // promises that clients saw broken
}

func newBook() *book {
	return &book{
		missions: map[string]*sentMission{}, reviews: map[string]*sentReview{}, hooks: map[string]*sentHook{},
		requests: map[string]int{}, waiting: map[string]string{}, broken: result{check: "answers agree with each other"},
	}
}

func (b *book) begin() { b.write(func() { b.began = time.Now() }) }

// write changes the book, or what it holds.
func (b *book) write(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

// looked counts an answer that is held against a promise.
func (b *book) looked() { b.write(func() { b.broken.saw++ }) }

// broke keeps that an answer breaks a promise.
func (b *book) broke(id, want, is string) { b.write(func() { b.broken.found(id, want, is) }) }

// heard counts an answer.
func (b *book) heard(what string) { b.write(func() { b.requests[what]++ }) }

// review returns the review of a post, which is made where there is none.
func (b *book) review(postID string) *sentReview {
	if b.reviews[postID] == nil {
		b.reviews[postID] = &sentReview{PostID: postID}
	}
	return b.reviews[postID]
}

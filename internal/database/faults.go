package database

import (
	"context"
	"sync"
	"time"
)

// Faults lets tests count a database's statements, read them, and make one
// fail. In Options it sees each statement before it runs, COMMIT included.
type Faults struct {
	mu       sync.Mutex
	seen     int64
	at       int64
	action   func()
	listener func(statement string, values ...any)
	refused  func(statement string) bool
	later    time.Duration
}

// Arm makes action run before the n-th statement from now, counted from 1.
func (f *Faults) Arm(n int64, action func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.action = f.seen+n, action
}

// Disarm undoes Arm.
func (f *Faults) Disarm() { f.Arm(0, nil) }

// Listen calls listener with the text of each statement from now on, in which $1, $2 …
// stand for the values, and with these. nil stops it.
func (f *Faults) Listen(listener func(statement string, values ...any)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listener = listener
}

// Refuse has the time limit of each statement that match accepts pass at once,
// from now on, as though the database didn't respond. nil stops it.
func (f *Faults) Refuse(match func(statement string) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused = match
}

// Later moves the database's clock ahead by d from now on, for decisions about
// leases.
func (f *Faults) Later(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.later += d
}

// Ahead returns how far the database's clock was moved ahead.
func (f *Faults) Ahead() time.Duration {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.later
}

// Statements returns how many statements have run.
func (f *Faults) Statements() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// before counts and reports a statement that is about to run, or to be kept back for a
// message. The context is over if the statement is refused.
func (f *Faults) before(ctx context.Context, s statement) context.Context {
	if f == nil {
		return ctx
	}
	f.mu.Lock()
	f.seen++
	action, listener, refused := f.action, f.listener, f.refused
	if f.seen != f.at {
		action = nil
	}
	f.mu.Unlock()
	if listener != nil {
		listener(s.text, s.values...)
	}
	if action != nil {
		action()
	}
	if refused != nil && refused(s.text) {
		over, cancel := context.WithDeadline(ctx, time.Unix(0, 0))
		cancel() // its deadline has passed, which stays its error
		return over
	}
	return ctx
}

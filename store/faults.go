package store

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
)

// Faults lets tests count a database's statements, read them, and make one
// fail. As a hook in Options it sees each statement before it runs, COMMIT
// included.
type Faults struct {
	mu       sync.Mutex
	seen     int64
	at       int64
	action   func()
	listener func(statement string, values ...any)
	refused  func(statement string) bool
	later    time.Duration
}

var _ bun.QueryHook = (*Faults)(nil)

// Arm makes action run before the n-th statement from now, counted from 1.
func (f *Faults) Arm(n int64, action func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.action = f.seen+n, action
}

// Disarm undoes Arm.
func (f *Faults) Disarm() { f.Arm(0, nil) }

// Listen calls listener with the text of each statement from now on, and with
// the values of those that are prepared. nil stops it.
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

// ahead returns how far the database's clock was moved ahead.
func (f *Faults) ahead() time.Duration {
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

// BeforeQuery counts and reports a statement. It implements bun.QueryHook.
func (f *Faults) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	f.mu.Lock()
	f.seen++
	action, listener, refused := f.action, f.listener, f.refused
	if f.seen != f.at {
		action = nil
	}
	f.mu.Unlock()
	query := withoutMarks(e.Query)
	if listener != nil && !isBound(query) {
		listener(query)
	}
	if action != nil {
		action()
	}
	if refused != nil && refused(query) {
		over, cancel := context.WithDeadline(ctx, time.Unix(0, 0))
		cancel() // its deadline has passed, which stays its error
		return over
	}
	return ctx
}

// isBound reports whether prepared reports a statement, not BeforeQuery.
func isBound(query string) bool { return strings.Contains(query, "$1") }

// prepared reports a prepared statement with its values.
func (f *Faults) prepared(query string, values []any) {
	if f == nil {
		return
	}
	f.mu.Lock()
	listener := f.listener
	f.mu.Unlock()
	if listener != nil && isBound(query) {
		listener(query, values...)
	}
}

// AfterQuery does nothing.
func (f *Faults) AfterQuery(context.Context, *bun.QueryEvent) {}

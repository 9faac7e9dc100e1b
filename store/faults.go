package store

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
)

// Faults counts a database's statements, tells what they are, and lets a test
// have one fail: as a hook in Options it sees each before it is run, COMMIT
// included.
type Faults struct {
	mu     sync.Mutex
	seen   int64
	at     int64
	action func()
	heard  func(statement string, values ...any)
	later  time.Duration
}

var _ bun.QueryHook = (*Faults)(nil)

// Arm has action called before the n-th statement from now, from 1.
func (f *Faults) Arm(n int64, action func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.action = f.seen+n, action
}

// Disarm takes that back.
func (f *Faults) Disarm() { f.Arm(0, nil) }

// Listen has each statement's text told to heard from now on, or to nobody where
// it is nil: those that are prepared with their values.
func (f *Faults) Listen(heard func(statement string, values ...any)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = heard
}

// Later has the database's clock be later by d from now on, where it decides about
// leases.
func (f *Faults) Later(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.later += d
}

// ahead is by how much the database's clock is taken to be later.
func (f *Faults) ahead() time.Duration {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.later
}

// Statements returns how many statements were seen.
func (f *Faults) Statements() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// BeforeQuery sees a statement.
func (f *Faults) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	f.mu.Lock()
	f.seen++
	action, heard := f.action, f.heard
	if f.seen != f.at {
		action = nil
	}
	f.mu.Unlock()
	if heard != nil && !isBound(e.Query) {
		heard(e.Query)
	}
	if action != nil {
		action()
	}
	return ctx
}

// isBound tells a statement that bound tells of.
func isBound(query string) bool { return strings.Contains(query, "$1") }

// bound is told of a statement with its values.
func (f *Faults) bound(query string, values []any) {
	if f == nil {
		return
	}
	f.mu.Lock()
	heard := f.heard
	f.mu.Unlock()
	if heard != nil && isBound(query) {
		heard(query, values...)
	}
}

// AfterQuery does nothing.
func (f *Faults) AfterQuery(context.Context, *bun.QueryEvent) {}

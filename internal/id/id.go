// Package id makes the service's identifiers: a type prefix and a lower-case ULID,
// so that ids of one type sort by creation time.
package id

import (
	"crypto/rand"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// Source makes ids. The ids of one Source also rise strictly within a millisecond,
// so what one transaction writes retains its order. It is safe for concurrent use.
type Source struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// NewSource returns a Source over random, or over crypto/rand if random is nil.
func NewSource(random io.Reader) *Source {
	if random == nil {
		random = rand.Reader
	}
	return &Source{entropy: ulid.Monotonic(random, 0)}
}

// New returns an id with the prefix (including its underscore), made at a time. It
// panics if the random source fails, as crypto/rand does.
func (s *Source) New(prefix string, at time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := ulid.MustNew(ulid.Timestamp(at), s.entropy)
	return prefix + strings.ToLower(u.String())
}

// Least returns the least id with the prefix (including its underscore) that can be made at
// a time or later. Before 1970 it is that of 1970.
func Least(prefix string, at time.Time) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(max(at.UnixMilli(), 0))) // only a time after the year 10889 is an error
	return prefix + strings.ToLower(u.String())
}

// Time returns the time at which an id with the prefix was made; ok is false if it has
// another form.
func Time(prefix, id string) (at time.Time, ok bool) {
	text, ok := strings.CutPrefix(id, prefix)
	u, err := ulid.ParseStrict(strings.ToUpper(text))
	return u.Timestamp().UTC(), ok && err == nil
}

// Package scalar reads and writes the GraphQL API's own scalars.
package scalar

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// Error describes what is wrong with a caller's value, for the caller.
type Error struct{ words string }

func (e *Error) Error() string { return e.words }

func invalid(format string, args ...any) error { return &Error{words: fmt.Sprintf(format, args...)} }

// MarshalDateTime writes a time as the REST API does.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = io.WriteString(w, strconv.Quote(t.UTC().Format(jsonwire.TimeFormat)))
	})
}

// UnmarshalDateTime reads an RFC 3339 time.
func UnmarshalDateTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, invalid("a DateTime is a string, as in 2026-01-31T09:30:00Z")
	}
	t, err := mission.ParseTime(s)
	if err != nil {
		return time.Time{}, invalid("%q is no DateTime, which is %s", s, mission.TimeForm)
	}
	return t.UTC(), nil
}

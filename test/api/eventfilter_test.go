package api

import (
	"fmt"
	"testing"
	"time"

	"missiond/internal/testkit"
)

// Events before a time are listed and counted, with the other filters.
func TestEventsBefore(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			first := s.make(rest, object{})
			s.clock.Advance(time.Hour)
			between := s.clock.Now()
			s.clock.Advance(time.Hour)
			s.make(rest, object{})
			list := func(filter string) string {
				t.Helper()
				return fmt.Sprint(gql.query(`{ events(filter: {types: [MISSION_CREATED], ` + filter + `}) { totalCount edges { node { mission { id } } } } }`)["events"])
			}
			if got, want := list(fmt.Sprintf("createdTo: %q", between.Format(time.RFC3339))), "map[edges:[map[node:map[mission:map[id:"+first+"]]]] totalCount:1]"; got != want {
				t.Errorf("before a time got %s, want %s", got, want)
			}
			if got, want := list(fmt.Sprintf("createdTo: %q", "2020-01-01T00:00:00Z")), "map[edges:[] totalCount:0]"; got != want {
				t.Errorf("before all got %s, want %s", got, want)
			}
			s.key = s.keys["theirs"]
			if got, want := list(fmt.Sprintf("createdTo: %q", s.clock.Now().Add(time.Hour).Format(time.RFC3339))), "map[edges:[] totalCount:0]"; got != want {
				t.Errorf("another tenant gets %s", got)
			}
		})
	}
}

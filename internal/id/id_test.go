package id

import (
	"sync"
	"testing"
	"time"

	"missiond/mission"
)

// Ids have the form that look-ups ask for, sort by their time, and rise within
// a millisecond; concurrent callers get different ones.
func TestIDs(t *testing.T) {
	s := NewSource(nil)
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	last := ""
	for i := range 2000 {
		id := s.New(mission.PrefixMission, at.Add(time.Duration(i/100)*time.Millisecond))
		if !mission.HasIDForm(mission.PrefixMission, id) || id <= last {
			t.Fatalf("%q comes after %q", id, last)
		}
		last = id
	}
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				id := s.New("x_", at)
				mu.Lock()
				if seen[id] {
					t.Errorf("%s comes twice", id)
				}
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
}

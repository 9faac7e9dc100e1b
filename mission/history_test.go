package mission

import (
	"testing"
	"time"
)

// A text was written when the one before it was superseded; the first one, with its post.
func TestHistory(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 11, 24, 10, minute, 0, 0, time.UTC) }
	c := Content{Revision: 3, CreatedAt: at(0), UpdatedAt: at(9)}
	older := []Revision{{Revision: 2, CreatedAt: at(5)}, {Revision: 1, CreatedAt: at(2)}}
	for i, want := range []time.Time{at(5), at(2), at(0)} {
		if got := c.History(older)[i]; got.WrittenAt == nil || !got.WrittenAt.Equal(want) {
			t.Errorf("revision %d was written at %v, want %v", got.Revision, got.WrittenAt, want)
		}
	}
	if got := c.History(older[:1])[1].WrittenAt; got != nil {
		t.Errorf("without the first text the second was written at %v", got)
	}
}

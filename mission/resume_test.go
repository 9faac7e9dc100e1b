package mission

import (
	"slices"
	"testing"
	"time"
)

// dates counts instants by their local dates.
func dates(slots []time.Time, zone *time.Location) map[date]int {
	n := map[date]int{}
	for _, s := range slots {
		n[dateOf(s.In(zone))]++
	}
	return n
}

// The posts that a pause held up over the end of their day take the next posting times: none at
// night, and no date has too many.
func TestResumeAtNight(t *testing.T) {
	p := newPlay(t, parse(t, "2026-11-25T10:00:00Z"), func(m *Mission) {
		m.DurationDays, m.Constraints.PostsPerDay, m.Constraints.PostingTimes = 10, 2, []string{"09:00", "13:00"}
	})
	p.run(parse(t, "2026-11-25T11:00:00Z"))
	p.pause(parse(t, "2026-11-28T02:00:00Z"))
	var late []time.Time
	for _, c := range p.posts {
		late = append(late, *c.ScheduledAt)
	}
	want := []time.Time{parse(t, "2026-11-28T09:00:00Z"), parse(t, "2026-11-28T13:00:00Z")}
	if !slices.EqualFunc(late, want, time.Time.Equal) {
		t.Errorf("late posts move to %s, want %s", late, want)
	}
	p.run(*p.m.EndsAt)
	for d, n := range dates(p.published, time.UTC) {
		if n > 2 {
			t.Errorf("%v has %d posts", d, n)
		}
	}
	if len(p.published) != 20 {
		t.Errorf("got %d posts, want 20", len(p.published))
	}
}

package mission

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Late slots move to free ones: none before now or after the mission's end, each at
// least a minute from all others that moved and from the neighbors; slots that aren't
// late stay. Only near the mission's end some have no free slot.
func TestReslot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		w := m.window(0)
		slots := m.Constraints.Slots(w, 0)
		now := Millis(w.Start.Add(time.Duration(rapid.Int64Range(0, 30*3600_000).Draw(t, "now")) * time.Millisecond))
		w.End = w.End.Add(time.Duration(rapid.IntRange(0, 72).Draw(t, "shift")) * time.Hour)
		var neighbors []time.Time
		for i, s := range m.Reslot(m.Constraints, w, slots, nil, now) {
			if i%2 == 0 && !slices.Contains(slots, s) && !s.IsZero() {
				neighbors = append(neighbors, s)
			}
		}
		seen := slices.Clone(neighbors)
		for i, s := range m.Reslot(m.Constraints, w, slots, neighbors, now) {
			if !m.Late(slots[i], now) {
				if !s.Equal(slots[i]) {
					t.Fatalf("slot %s, not late at %s, moved to %s", slots[i], now, s)
				}
				continue
			}
			if s.IsZero() {
				if m.EndsAt.Sub(now) > time.Hour {
					t.Fatalf("slot %s has no free slot at %s, long before %s", slots[i], now, m.EndsAt)
				}
				continue
			}
			near := func(other time.Time) bool { return s.Sub(other).Abs() < slotGap }
			timed := slices.Contains(m.Constraints.PostingTimes, s.In(m.Constraints.Zone()).Format("15:04"))
			if s.Before(now) || !s.Before(*m.EndsAt) || !timed && slices.ContainsFunc(seen, near) || slices.ContainsFunc(seen, s.Equal) {
				t.Fatalf("slot %s moved to %s at %s, with %v taken, before %s", slots[i], s, now, seen, m.EndsAt)
			}
			seen = append(seen, s)
		}
	})
}

// A post is late if its slot has passed, or is at or after its mission's end.
func TestLate(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), nil)
	now, end := m.StartsAt.Add(time.Hour), *m.EndsAt
	for slot, want := range map[time.Time]bool{now: false, now.Add(-1): true, end.Add(-1): false, end: true, end.Add(time.Hour): true} {
		if got := m.Late(slot, now); got != want {
			t.Errorf("at %s a post at %s, in a mission until %s: got late %v", now, slot, end, got)
		}
	}
}

// Equal instants are moved apart, within the window.
func TestSeparate(t *testing.T) {
	w := Window{Start: parse(t, "2026-11-21T10:00:00Z"), End: parse(t, "2026-11-22T10:00:00Z")}
	last := w.End.Add(-slotGap)
	want := []time.Time{w.Start, w.Start.Add(slotGap), last.Add(-slotGap), last}
	if got := w.separate([]time.Time{last, w.Start, last, w.Start}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOneLatePostGoesOutAtOnce(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), nil)
	w := m.window(0)
	now := w.Start.Add(5 * time.Second)
	if got := m.Reslot(m.Constraints, w, m.Constraints.Slots(w, 0), nil, now); len(got) != 1 || !got[0].Equal(now) {
		t.Errorf("got %v, want %s", got, now)
	}
}

// Posts that fit before the mission's end are published before it; the others aren't.
func TestReslotBeforeTheEnd(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), func(m *Mission) { m.DurationDays, m.Constraints.PostsPerDay = 1, 6 })
	w := m.window(0)
	slots := m.Constraints.Slots(w, 0)
	for _, tt := range []struct {
		left time.Duration
		want int
	}{{30 * time.Minute, 6}, {6 * time.Minute, 6}, {3 * time.Minute, 3}, {time.Minute, 1}, {time.Millisecond, 1}, {0, 0}, {-time.Hour, 0}} {
		got := m.Reslot(m.Constraints, w, slots, nil, w.End.Add(-tt.left))
		fit := slices.DeleteFunc(got, time.Time.IsZero)
		if len(fit) != tt.want || tt.want > 0 && !fit[len(fit)-1].Before(*m.EndsAt) {
			t.Errorf("%s before the end %d posts fit, want %d: %v", tt.left, len(fit), tt.want, fit)
		}
	}
	// In a pause the mission's time is stopped.
	at := w.End.Add(-30 * time.Minute)
	m.PausedAt = &at
	if got := m.Reslot(m.Constraints, w, slots, nil, w.End.Add(time.Hour)); slices.ContainsFunc(got, time.Time.IsZero) || !got[0].Equal(at) {
		t.Errorf("in a pause got %v", got)
	}
}

// Posts that are late one by one are as far apart as those that are late together.
func TestLateOneByOne(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), func(m *Mission) { m.Constraints.PostsPerDay = 6 })
	w := m.window(0)
	var out []time.Time
	for i, slot := range m.Constraints.Slots(w, 0) {
		now := w.Start.Add(22*time.Hour + time.Duration(5*i)*time.Second)
		out = append(out, m.Reslot(m.Constraints, w, []time.Time{slot}, out, now)...)
	}
	for i, at := range out {
		if i == 0 && !at.Equal(w.Start.Add(22*time.Hour)) || i > 0 && at.Sub(out[i-1]) < 9*time.Minute || !at.Before(w.End) {
			t.Errorf("post %d of %v is at %s", i, out, at)
		}
	}
}

func TestNeighbors(t *testing.T) {
	now := parse(t, "2026-11-21T10:00:00Z")
	passed, ahead := now.Add(-time.Minute), now.Add(time.Minute)
	posts := []Content{
		{ID: "waits, passed", Status: ContentPendingReview, ScheduledAt: &passed},
		{ID: "approved, passed", Status: ContentApproved, ScheduledAt: &passed},
		{ID: "waits", Status: ContentPendingReview, ScheduledAt: &ahead},
		{ID: "goes out", Status: ContentScheduled, ScheduledAt: &passed},
		{ID: "mine", Status: ContentScheduled, ScheduledAt: &ahead},
		{ID: "none"},
	}
	out := now.Add(-time.Hour)
	got := Neighbors(posts, []time.Time{out}, func(c Content) bool { return c.ID == "mine" }, now)
	if want := []time.Time{out, ahead, passed}; !slices.Equal(got, want) {
		t.Errorf("got the neighbors %v, want %v", got, want)
	}
}

// The time for late posts is bounded by the mission's end.
func TestRoom(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), func(m *Mission) { m.DurationDays, m.Constraints.PostsPerDay = 3, 2 })
	j := jobOf(m, 0)
	for n, want := range map[int]time.Time{1: j.Window.End, 4: m.StartsAt.Add(54 * time.Hour), 9: *m.EndsAt} {
		if got := m.Room(j, n, m.StartsAt.Add(6*time.Hour)); !got.Start.Equal(j.Window.Start) || !got.End.Equal(want) {
			t.Errorf("%d late posts: got until %s, want %s", n, got.End, want)
		}
	}
}

func TestFreeSlot(t *testing.T) {
	at := parse(t, "2026-11-21T10:00:00Z")
	next := at.Add(time.Minute)
	posts := []Content{{ScheduledAt: &at}, {ScheduledAt: &next}, {}}
	if got := FreeSlot(at, posts); !got.Equal(at.Add(2 * time.Minute)) {
		t.Errorf("got the free slot %s", got)
	}
}

package mission

import (
	"slices"
	"time"
)

// Clock is what the mission's own clock shows at now: it stands still in a pause.
func (m Mission) Clock(now time.Time) time.Time {
	if m.PausedAt != nil {
		return *m.PausedAt
	}
	return now
}

// before returns t, or the mission's end where that comes first.
func (m Mission) before(t time.Time) time.Time {
	if m.EndsAt != nil && m.EndsAt.Before(t) {
		return *m.EndsAt
	}
	return t
}

// Room is the window that n late posts of a job are moved to: the job's own, or
// as many days as the mission gives that many posts, within the mission's time.
func (m Mission) Room(j Job, n int, now time.Time) Window {
	w, perDay := j.Window, max(j.Brief.Constraints.PostsPerDay, 1)
	if pace := now.Add(time.Duration(n) * 24 * time.Hour / time.Duration(perDay)); w.End.Before(pace) {
		w.End = pace
	}
	w.End = m.before(w.End)
	return w
}

// minRoom is the least span that passed posts are spread over, where the mission
// lasts as long.
const minRoom = time.Hour

// Neighborhood is how far a post that was published keeps others away, at most.
const Neighborhood = 24 * time.Hour

// Neighbors are the instants that a mission's other posts keep late ones away
// from: those of posts that are out, of which published are the times, and the
// slots of posts that are to go out. A slot that passed by a post that waits for
// review is none. Posts for which skip holds aren't counted.
func Neighbors(posts []Content, published []time.Time, skip func(c Content) bool, now time.Time) []time.Time {
	neighbors := slices.Clone(published)
	for _, c := range posts {
		if c.ScheduledAt == nil || skip(c) {
			continue
		}
		waits := c.Status == ContentPendingReview || c.Status == ContentApproved
		if !waits || !c.ScheduledAt.Before(now) {
			neighbors = append(neighbors, *c.ScheduledAt)
		}
	}
	return neighbors
}

// Late reports whether a post can't go out at its slot: that has passed at now, or
// lies behind the mission's end.
func (m Mission) Late(slot, now time.Time) bool {
	return slot.Before(m.Clock(now)) || m.EndsAt != nil && !slot.Before(*m.EndsAt)
}

// Reslot moves the slots that have passed at now, or that lie behind the mission's
// end, to free ones in the rest of the window: to posting times that are still to
// come, then evenly over what is left of it, the first of those at once, and none
// near a neighbor. A single late post is so published now, several are not a
// burst, also where they come one after the other. The answer has slots' order and
// length; the zero time stands for a post that no time is left for before the
// mission's end. A paused mission's time stands still.
func (m Mission) Reslot(c Constraints, w Window, slots, neighbors []time.Time, now time.Time) []time.Time {
	moved := slices.Clone(slots)
	busy := slices.Clone(neighbors)
	var late []int
	for i, s := range slots {
		if m.Late(s, now) {
			late = append(late, i)
			moved[i] = time.Time{}
		} else {
			busy = append(busy, s)
		}
	}
	now = m.Clock(now)
	w.End = m.before(w.End)
	free := c.freeTimes(w, now, busy)
	free = free[:min(len(free), len(late))]
	end := w.End
	if least := now.Add(minRoom); end.Before(least) {
		end = m.before(least)
	}
	free = append(free, place(Window{Start: now, End: end}, len(late)-len(free), c.PostsPerDay, append(busy, free...))...)
	slices.SortFunc(free, time.Time.Compare)
	for i, at := range free {
		moved[late[i]] = at
	}
	return moved
}

// place finds room for n posts in a window: spread evenly, each at least half an
// even spacing of a day's posts away from what is busy, or nearer where there is no
// other way, but a minute. It returns fewer where the window has no more.
func place(w Window, n, perDay int, busy []time.Time) []time.Time {
	if n == 0 || !w.Start.Before(w.End) {
		return nil
	}
	slices.SortFunc(busy, time.Time.Compare)
	gap := w.End.Sub(w.Start) / time.Duration(2*max(n, perDay))
	for ; gap > slotGap; gap /= 2 {
		if placed := w.fill(spread(w.Start, w.End, n, 0), gap, busy); len(placed) == n {
			return placed
		}
	}
	if placed := w.fill(spread(w.Start, w.End, n, 0), slotGap, busy); len(placed) == n {
		return placed
	}
	return w.fill(slices.Repeat([]time.Time{w.Start}, n), slotGap, busy)
}

// fill moves instants, which are in order, to the first places from theirs on that
// lie a gap apart from each other and from what is busy, as far as the window goes.
func (w Window) fill(wanted []time.Time, gap time.Duration, busy []time.Time) []time.Time {
	var placed []time.Time
	earliest := w.Start
	for _, t := range wanted {
		if t.Before(earliest) {
			t = earliest
		}
		for _, b := range busy {
			if t.Sub(b).Abs() < gap {
				t = b.Add(gap)
			}
		}
		if t = t.Add(time.Millisecond - 1).Truncate(time.Millisecond); !t.Before(w.End) {
			return placed
		}
		placed = append(placed, t)
		earliest = t.Add(gap)
	}
	return placed
}

// FreeSlot returns at, or the first instant after it that none of the posts
// has, in steps of a minute.
func FreeSlot(at time.Time, posts []Content) time.Time {
	busy := map[int64]bool{}
	for _, c := range posts {
		if c.ScheduledAt != nil {
			busy[c.ScheduledAt.UnixMilli()] = true
		}
	}
	for busy[at.UnixMilli()] {
		at = at.Add(slotGap)
	}
	return at
}

// freeTimes are the posting times of the dates up to the window's end that are
// to come and not busy, in order.
func (c Constraints) freeTimes(w Window, now time.Time, busy []time.Time) []time.Time {
	zone := c.Zone()
	var free []time.Time
	last := dateOf(w.End.In(zone)).utc()
	for d := dateOf(now.In(zone)); !d.utc().After(last); d = d.addDays(1) {
		for _, s := range c.PostingTimes {
			t := resolveLocal(d, wallTime(s), zone)
			if !t.Before(now) && t.Before(w.End) && !slices.ContainsFunc(busy, t.Equal) && !slices.ContainsFunc(free, t.Equal) {
				free = append(free, t)
			}
		}
	}
	slices.SortFunc(free, time.Time.Compare)
	return free
}

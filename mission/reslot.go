package mission

import (
	"slices"
	"time"
)

// Clock returns the mission's own time at now: it is stopped in a pause.
func (m Mission) Clock(now time.Time) time.Time {
	if m.PausedAt != nil {
		return *m.PausedAt
	}
	return now
}

// before returns t, or the mission's end if that is earlier.
func (m Mission) before(t time.Time) time.Time {
	if m.EndsAt != nil && m.EndsAt.Before(t) {
		return *m.EndsAt
	}
	return t
}

// Room returns the window that n late posts of a job are moved to: the job's
// own, or as many days as the mission takes for that many posts, up to the
// mission's end.
func (m Mission) Room(j Job, n int, now time.Time) Window {
	w, perDay := j.Window, max(j.Brief.Constraints.PostsPerDay, 1)
	if pace := now.Add(time.Duration(n) * 24 * time.Hour / time.Duration(perDay)); w.End.Before(pace) {
		w.End = pace
	}
	w.End = m.before(w.End)
	return w
}

// minRoom is the least span over which late posts are spread, if the mission
// lasts that long.
const minRoom = time.Hour

// Neighborhood is the greatest distance at which a published post keeps others
// away.
const Neighborhood = 24 * time.Hour

// Neighbors returns the times that late posts of a mission are kept away from:
// the times of published posts, given by published, and the slots of posts that
// will be published. A slot that passed while its post waited for review
// doesn't count. Posts for which skip returns true don't count.
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

// Late reports whether a post can't be published at its slot, because that has
// passed at now, is after the mission's end, or is in a blackout.
func (m Mission) Late(slot, now time.Time) bool {
	_, silent := m.BlackoutAt(slot)
	return silent || slot.Before(m.Clock(now)) || m.EndsAt != nil && !slot.Before(*m.EndsAt)
}

// Reslot moves the slots that have passed at now, that are after the mission's
// end, or that are in blackouts, to free ones in the rest of the window: to posting
// times still ahead, then evenly over the rest of the window, the first of those at
// once, and none near a neighbor. So a single late post is published now, and several
// don't form a burst, even if they become late one after the other. A slot that is
// still ahead, in a blackout, isn't moved to an earlier time. The result
// has slots' order and length; the zero time means that no time is left for a
// post before the mission's end. A paused mission's time is stopped. Blackouts
// have none of the slots, and don't count in what is left of the window.
func (m Mission) Reslot(c Constraints, w Window, slots, neighbors []time.Time, now time.Time) []time.Time {
	moved := slices.Clone(slots)
	busy := slices.Clone(neighbors)
	var late, silent []int
	from := m.Clock(now) // the first of the silent
	for i, s := range slots {
		switch {
		case !m.Late(s, now):
			busy = append(busy, s)
			continue
		case s.After(m.Clock(now)) && (m.EndsAt == nil || s.Before(*m.EndsAt)):
			if len(silent) == 0 || s.Before(from) {
				from = s
			}
			silent = append(silent, i)
		default:
			late = append(late, i)
		}
		moved[i] = time.Time{}
	}
	for _, group := range []struct {
		posts []int
		from  time.Time
	}{{late, m.Clock(now)}, {silent, from}} {
		free := m.free(c, w, len(group.posts), busy, group.from)
		for i, at := range free {
			moved[group.posts[i]] = at
		}
		busy = append(busy, free...)
	}
	return moved
}

// free returns up to n times in the rest of a window for posts, in their order; see Reslot.
func (m Mission) free(c Constraints, w Window, n int, busy []time.Time, from time.Time) []time.Time {
	b := m.silence()
	start := b.open(from)
	w.End = m.before(b.plus(from, w.End.Sub(from)))
	free := b.outside(c.freeTimes(w, start, busy))
	free = free[:min(len(free), n)]
	end := w.End
	if least := b.plus(from, minRoom); end.Before(least) {
		end = m.before(least)
	}
	free = append(free, b.freeSpread(Window{Start: start, End: end}, n-len(free), c.PostsPerDay, append(slices.Clone(busy), free...))...)
	slices.SortFunc(free, time.Time.Compare)
	return free
}

// freeSpread returns times for n posts in a window: spread evenly, each at
// least half the even spacing of a day's posts away from the busy times, or
// closer if there is no other way, but at least a minute. It returns fewer if
// the window has no room for more.
func freeSpread(w Window, n, perDay int, busy []time.Time) []time.Time {
	if n == 0 || !w.Start.Before(w.End) {
		return nil
	}
	slices.SortFunc(busy, time.Time.Compare)
	length := w.End.Sub(w.Start)
	gap := min(length/time.Duration(2*n), min(length, 24*time.Hour)/time.Duration(2*perDay))
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

// fill moves sorted instants to the first times, not before their own, that are
// at least a gap apart from each other and from the busy times, within the
// window.
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

// NextFree returns the slot of a new post: one of the posting times of the next day that no
// post has, or else a time that is away from the posts, the given unsettled ones and those
// published at the times published; see Reslot. ok is false if the mission's end leaves no
// time.
func (m Mission) NextFree(posts []Content, published []time.Time, now time.Time) (at time.Time, ok bool) {
	late := []time.Time{{}}
	w := Window{End: m.Clock(now).Add(24 * time.Hour)}
	at = m.Reslot(m.Constraints, w, late, Neighbors(posts, published, func(Content) bool { return false }, m.Clock(now)), now)[0]
	if at.IsZero() {
		return at, false
	}
	at = m.FreeSlot(at, posts)
	return at, m.EndsAt == nil || at.Before(*m.EndsAt)
}

// FreeSlots returns the next n free slots, in order: of an active mission the first is NextFree,
// the others are what it would be after the one before. after, if not nil, is a time behind which they are. Those of a paused mission are as if it
// were resumed now. There are fewer if the mission's end leaves no time.
func (m Mission) FreeSlots(posts []Content, published []time.Time, after *time.Time, n int, now time.Time) (slots []time.Time) {
	m.PausedAt, posts, slots = nil, slices.Clone(posts), []time.Time{}
	take := func(at time.Time) {
		posts = append(posts, Content{Status: ContentScheduled, ScheduledAt: &at})
		if next := at.Add(slotGap); next.After(now) {
			now = next
		}
	}
	if after != nil {
		take(*after)
	}
	for len(slots) < n {
		at, ok := m.NextFree(posts, published, now)
		if !ok {
			break
		}
		take(at)
		slots = append(slots, at)
	}
	return slots
}

// FreeSlot is FreeSlot outside of the mission's blackouts.
func (m Mission) FreeSlot(at time.Time, posts []Content) time.Time {
	for {
		at = FreeSlot(m.silence().open(at), posts)
		if _, in := m.BlackoutAt(at); !in {
			return at
		}
	}
}

// FreeSlot returns at, or the first instant after it, in steps of a minute,
// that is no slot of posts.
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

// freeTimes returns the posting times after now, up to the window's end, that
// are not busy, in order.
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

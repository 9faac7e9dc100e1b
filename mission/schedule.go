package mission

import (
	"math"
	"slices"
	"time"
)

// Window is the span of a cycle: one posting day, from Start up to, not
// including, End.
type Window struct {
	// Day is the posting day's number within the mission, from 0.
	Day        int
	Start, End time.Time
}

// window is day's window: calendar days in the mission's zone from its start,
// moved by the pauses so far.
func (m Mission) window(day int) Window {
	zone := m.Constraints.Zone()
	return Window{
		Day:   day,
		Start: AddDays(*m.StartsAt, day, zone).Add(m.PausedFor),
		End:   AddDays(*m.StartsAt, day+1, zone).Add(m.PausedFor),
	}
}

// NextWindow answers the first posting day, from day on, whose window isn't
// over at now; ok is false where the mission has none left. Days that passed
// while nothing ran are left out: they would only come as a burst.
func (m Mission) NextWindow(day int, now time.Time) (w Window, ok bool) {
	if m.StartsAt == nil {
		return Window{}, false
	}
	for ; day < m.DurationDays; day++ {
		if w := m.window(day); m.isPostingDay(w) && w.End.After(now) {
			return w, true
		}
	}
	return Window{}, false
}

func (m Mission) isPostingDay(w Window) bool {
	zone := m.Constraints.Zone()
	switch m.Constraints.Cadence {
	case Weekdays:
		wd := dateOf(w.Start.In(zone)).weekday()
		return wd != time.Saturday && wd != time.Sunday
	case Weekly:
		return w.Day%7 == 0
	case Biweekly:
		return w.Day%14 == 0
	case Monthly:
		first := dateOf(m.StartsAt.In(zone))
		for months := 0; ; months++ {
			offset := int(first.addMonths(months).utc().Sub(first.utc()) / (24 * time.Hour))
			if offset >= w.Day {
				return offset == w.Day
			}
		}
	default:
		return true
	}
}

// EstimatedPosts is posting days times posts a day, for a draft without a
// start as if it started at now.
func (m Mission) EstimatedPosts(now time.Time) int {
	if m.StartsAt == nil {
		m.StartsAt = &now
	}
	m.PausedFor = 0
	days := 0
	for day := range m.DurationDays {
		if m.isPostingDay(m.window(day)) {
			days++
		}
	}
	return days * m.Constraints.PostsPerDay
}

// Slots are the instants of a window's posts, in order and all different:
// the posting times first (in their order, as many as there are posts), the
// rest spaced evenly over the day; without posting times evenly from the
// window's start, so that the first is at once.
func (c Constraints) Slots(w Window) []time.Time {
	slots := c.timed(w)
	lead := 0.0
	if len(slots) > 0 {
		lead = 0.5 // between the times, not on the window's edge
	}
	slots = append(slots, spread(w.Start, w.End, c.PostsPerDay-len(slots), lead)...)
	slices.SortFunc(slots, time.Time.Compare)
	return separate(slots)
}

// timed are the instants of the posting times that are used.
func (c Constraints) timed(w Window) []time.Time {
	zone := c.Zone()
	var slots []time.Time
	for _, t := range c.PostingTimes[:min(c.PostsPerDay, len(c.PostingTimes))] {
		slots = append(slots, w.at(wallTime(t), zone))
	}
	return slots
}

// slotStep is about how far the instants lie apart that slotsBy chooses from.
const slotStep = 30 * time.Minute

// slotsBy are Slots whose rest is where it is liked best altogether, each at
// least half an even spacing from all the others.
func (c Constraints) slotsBy(w Window, liking func(t time.Time) float64) []time.Time {
	slots := c.timed(w)
	half := w.End.Sub(w.Start) / time.Duration(2*c.PostsPerDay)
	apart := max(1, int(half/slotStep)) // in steps
	step := max(time.Millisecond, (half / time.Duration(apart)).Truncate(time.Millisecond))
	var grid []time.Time
	var likings []float64
	for t := w.Start.Add(time.Millisecond - 1).Truncate(time.Millisecond); t.Before(w.End); t = t.Add(step) {
		near := func(s time.Time) bool { return t.Sub(s).Abs() < time.Duration(apart)*step }
		x := math.Inf(-1)
		if !slices.ContainsFunc(slots, near) {
			x = liking(t)
		}
		grid, likings = append(grid, t.UTC()), append(likings, x)
	}
	places, ok := highest(likings, c.PostsPerDay-len(slots), apart)
	if !ok {
		return c.Slots(w)
	}
	for _, i := range places {
		slots = append(slots, grid[i])
	}
	slices.SortFunc(slots, time.Time.Compare)
	return separate(slots)
}

// highest answers n places of a row, each at least apart from the next, whose
// values have the highest sum; ok is false where there are none. -Inf is no
// place.
func highest(row []float64, n, apart int) (places []int, ok bool) {
	// sums[k][i] is the highest sum of k of the first i.
	sums := make([][]float64, n+1)
	sums[0] = make([]float64, len(row)+1)
	for k := 1; k <= n; k++ {
		sums[k] = make([]float64, len(row)+1)
		sums[k][0] = math.Inf(-1)
		for i := 1; i <= len(row); i++ {
			sums[k][i] = max(sums[k][i-1], row[i-1]+sums[k-1][max(0, i-apart)])
		}
	}
	i := len(row)
	if math.IsInf(sums[n][i], -1) {
		return nil, false
	}
	for k := n; k > 0; k-- {
		for sums[k][i] == sums[k][i-1] {
			i--
		}
		places = append(places, i-1)
		i = max(0, i-apart)
	}
	return places, true
}

// wallTime reads HH:MM, which validation has checked.
func wallTime(s string) time.Duration {
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0
	}
	return timeOfDay(t)
}

// at places a wall clock in the window: on the date of its start, or on the
// next where the start is later in the day. The wall clock decides, not the
// instant, so that each date's slot is used once also around DST changes.
func (w Window) at(tod time.Duration, zone *time.Location) time.Time {
	d, start := w.wallStart(zone)
	if tod < start {
		d = d.addDays(1)
	}
	t := resolveLocal(d, tod, zone)
	if last := w.End.Add(-time.Minute); t.After(last) {
		return last // moved past the window's end by a DST gap
	}
	return t
}

// wallStart is the date and the wall clock that the window is meant to start
// at. Where its start lies right behind a gap it may have been moved there; the
// window's end has the wall clock that was meant, then.
func (w Window) wallStart(zone *time.Location) (d date, tod time.Duration) {
	local := w.Start.In(zone)
	d, tod = dateOf(local), timeOfDay(local)
	change, _ := local.ZoneBounds()
	if change.IsZero() {
		return d, tod
	}
	gap := offsetAt(change, zone) - offsetAt(change.Add(-1), zone)
	if gap <= 0 || w.Start.Sub(change) >= gap {
		return d, tod
	}
	if meant := d.utc().Add(tod - gap); timeOfDay(meant) == timeOfDay(w.End.In(zone)) {
		return dateOf(meant), timeOfDay(meant)
	}
	return d, tod
}

// spread spaces n instants evenly over start to end; lead is how much of a
// step comes before the first.
func spread(start, end time.Time, n int, lead float64) []time.Time {
	slots := make([]time.Time, 0, n)
	step := end.Sub(start) / time.Duration(max(n, 1))
	for i := range n {
		offset := time.Duration(i)*step + time.Duration(lead*float64(step))
		slots = append(slots, Millis(start.Add(offset)))
	}
	return slots
}

// slotGap keeps two posts that would share an instant apart.
const slotGap = time.Minute

// separate moves instants that don't lie after the one before, in order.
func separate(slots []time.Time) []time.Time {
	for i := 1; i < len(slots); i++ {
		if !slots[i].After(slots[i-1]) {
			slots[i] = slots[i-1].Add(slotGap)
		}
	}
	return slots
}

// Room is the window that n late posts of a job are moved to: the job's own, or
// as many days as the mission gives that many posts, within the mission's time.
func (m Mission) Room(j Job, n int, now time.Time) Window {
	w, perDay := j.Window, max(j.Brief.Constraints.PostsPerDay, 1)
	if pace := now.Add(time.Duration(n) * 24 * time.Hour / time.Duration(perDay)); w.End.Before(pace) {
		w.End = pace
	}
	if m.EndsAt != nil && w.End.After(*m.EndsAt) {
		w.End = *m.EndsAt
	}
	return w
}

// minRoom is the least span that passed posts are spread over.
const minRoom = time.Hour

// Reslot moves the slots that lie before now to free ones in the rest of the
// window: to posting times that are still to come, then evenly over what is
// left of it, the first of those at once. A single late post is so published
// now, several are not a burst. taken are the instants of the mission's other
// posts. The answer has slots' order and length.
func (c Constraints) Reslot(w Window, slots, taken []time.Time, now time.Time) []time.Time {
	moved := slices.Clone(slots)
	busy := map[int64]bool{}
	passed := []int{}
	for i, s := range slots {
		if s.Before(now) {
			passed = append(passed, i)
		} else {
			busy[s.UnixMilli()] = true
		}
	}
	for _, t := range taken {
		busy[t.UnixMilli()] = true
	}
	free := c.freeTimes(w, now, busy)
	free = free[:min(len(free), len(passed))]
	end := w.End
	if least := now.Add(minRoom); end.Before(least) {
		end = least
	}
	for _, t := range spread(now, end, len(passed)-len(free), 0) {
		for busy[t.UnixMilli()] {
			t = t.Add(slotGap)
		}
		busy[t.UnixMilli()] = true
		free = append(free, t)
	}
	slices.SortFunc(free, time.Time.Compare)
	for i, at := range passed {
		moved[at] = free[i]
	}
	return moved
}

// FreeSlot answers at, or the first instant after it that none of the posts
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
// to come and not busy; it marks them busy.
func (c Constraints) freeTimes(w Window, now time.Time, busy map[int64]bool) []time.Time {
	zone := c.Zone()
	var free []time.Time
	last := dateOf(w.End.In(zone)).utc()
	for d := dateOf(now.In(zone)); !d.utc().After(last); d = d.addDays(1) {
		for _, s := range c.PostingTimes {
			t := resolveLocal(d, wallTime(s), zone)
			if t.Before(now) || !t.Before(w.End) || busy[t.UnixMilli()] {
				continue
			}
			busy[t.UnixMilli()] = true
			free = append(free, t)
		}
	}
	slices.SortFunc(free, time.Time.Compare)
	return free
}

package mission

import (
	"cmp"
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

// NextWindow returns the first posting day, from day on, whose window isn't
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

// Slots are the instants of a cycle's posts, in order and all different, within
// its window: the posting times first, the rest spaced evenly over the day;
// without posting times evenly from the window's start, so that the first is at
// once. With more posting times than posts, the cycles, counted from 0, take them
// in turn.
func (c Constraints) Slots(w Window, cycle int) []time.Time {
	var slots []time.Time
	for _, n := range c.dealt(cycle) {
		slots = append(slots, c.timed(w, n))
	}
	lead := 0.0
	if len(slots) > 0 {
		lead = 0.5 // between the times, not on the window's edge
	}
	return w.separate(append(slots, spread(w.Start, w.End, c.PostsPerDay-len(slots), lead)...))
}

// dealt are the numbers of a cycle's posts that have a posting time; see timed.
func (c Constraints) dealt(cycle int) []int {
	numbers := make([]int, min(c.PostsPerDay, len(c.PostingTimes)))
	for i := range numbers {
		numbers[i] = i
		if len(c.PostingTimes) > c.PostsPerDay {
			numbers[i] += cycle * c.PostsPerDay
		}
	}
	return numbers
}

// timed is the instant of a posting time in a window, counted on from the last to
// the first.
func (c Constraints) timed(w Window, n int) time.Time {
	return w.at(wallTime(c.PostingTimes[n%len(c.PostingTimes)]), c.Zone())
}

// timesBy are the posting times of a window that are liked best, as many as there
// are posts.
func (c Constraints) timesBy(w Window, liking func(t time.Time) float64) []time.Time {
	slots := make([]time.Time, len(c.PostingTimes))
	for n := range slots {
		slots[n] = c.timed(w, n)
	}
	if len(slots) > c.PostsPerDay {
		slices.SortStableFunc(slots, func(a, b time.Time) int { return cmp.Compare(liking(b), liking(a)) })
		slots = slots[:c.PostsPerDay]
	}
	return slots
}

// slotStep is about how far the instants lie apart that slotsBy chooses from.
const slotStep = 30 * time.Minute

// slotsBy are Slots that are liked best altogether: of the posting times, where
// there are more than posts, and for the rest, each at least half an even spacing
// from all the others.
func (c Constraints) slotsBy(w Window, cycle int, liking func(t time.Time) float64) []time.Time {
	slots := c.timesBy(w, liking)
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
		return c.Slots(w, cycle)
	}
	for _, i := range places {
		slots = append(slots, grid[i])
	}
	return w.separate(slots)
}

// highest returns n places of a row, each at least apart from the next, whose
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
// instant, so that each date's slot is used once also around DST changes. Where a
// change moves it out of the window, the nearest instant inside takes its place.
func (w Window) at(tod time.Duration, zone *time.Location) time.Time {
	d, start := w.wallStart(zone)
	if tod < start {
		d = d.addDays(1)
	}
	t := resolveLocal(d, tod, zone)
	if t.Before(w.Start) {
		t = again(t, zone) // a doubled wall clock's first time may be over
	}
	switch last := w.End.Add(-slotGap); {
	case t.Before(w.Start):
		return w.Start // a wall clock between the meant start and the real one, behind a gap
	case t.After(last):
		return last
	}
	return t
}

// again is the second time of a doubled wall clock, from its first; t where there
// is none.
func again(t time.Time, zone *time.Location) time.Time {
	_, change := t.In(zone).ZoneBounds()
	if change.IsZero() {
		return t
	}
	back := offsetAt(t, zone) - offsetAt(change, zone)
	if second := t.Add(back); back > 0 && !second.Before(change) {
		return second
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

// separate puts instants in order, and moves those that share one apart, within
// the window.
func (w Window) separate(slots []time.Time) []time.Time {
	slices.SortFunc(slots, time.Time.Compare)
	for i := 1; i < len(slots); i++ {
		if !slots[i].After(slots[i-1]) {
			slots[i] = slots[i-1].Add(slotGap)
		}
	}
	end := w.End
	for i := len(slots) - 1; i >= 0 && !slots[i].Before(end); i-- {
		slots[i] = end.Add(-slotGap)
		end = slots[i]
	}
	return slots
}

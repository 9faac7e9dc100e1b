package mission

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Slots returns the instants of a cycle's posts, sorted and all different,
// within its window: the posting times first, the rest spaced evenly over the
// day; without posting times evenly from the window's start, so that the first
// is at once. If there are more posting times than posts, the cycles, counted
// from 0, take them in turn. Where the guidance prefers or avoids parts of the day, they
// stay as near to that as it allows.
func (c Constraints) Slots(w Window, cycle int) []time.Time {
	even := c.even(w, cycle)
	if !c.Guidance.GuidesHours() {
		return even
	}
	zone := c.Zone()
	return c.SlotsBy(w, cycle, func(t time.Time) float64 {
		nearest := slices.MinFunc(even, func(a, b time.Time) int { return cmp.Compare(t.Sub(a).Abs(), t.Sub(b).Abs()) })
		return c.Guidance.HourScore(t.In(zone)) - t.Sub(nearest).Abs().Hours()/24
	})
}

// even returns the Slots without guidance.
func (c Constraints) even(w Window, cycle int) []time.Time {
	var slots []time.Time
	for _, n := range c.dealt(cycle) {
		slots = append(slots, c.PostingTime(w, n))
	}
	lead := 0.0
	if len(slots) > 0 {
		lead = 0.5 // between the times, not on the window's edge
	}
	return w.separate(append(slots, spread(w.Start, w.End, c.PostsPerDay-len(slots), lead)...))
}

// dealt returns the numbers of a cycle's posts that have a posting time; see
// PostingTime.
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

// PostingTime returns the instant of posting time n, modulo their number, in a
// window.
func (c Constraints) PostingTime(w Window, n int) time.Time {
	return w.at(wallTime(c.PostingTimes[n%len(c.PostingTimes)]), c.Zone())
}

// timesBy returns the posting times of a window with the highest scores, one
// for each post.
func (c Constraints) timesBy(w Window, score func(t time.Time) float64) []time.Time {
	var slots []time.Time
	for n := range c.PostingTimes {
		slots = append(slots, c.PostingTime(w, n))
	}
	if len(slots) > c.PostsPerDay {
		slices.SortStableFunc(slots, func(a, b time.Time) int { return cmp.Compare(score(b), score(a)) })
		slots = slots[:c.PostsPerDay]
	}
	return slots
}

// slotStep is the approximate distance between the instants that slotsBy
// chooses from.
const slotStep = 30 * time.Minute

// SlotsBy returns the Slots with the highest total score: among the posting
// times, if there are more than posts, and for the rest, each at least half an
// even spacing from all the others.
func (c Constraints) SlotsBy(w Window, cycle int, score func(t time.Time) float64) []time.Time {
	slots := c.timesBy(w, score)
	half := w.End.Sub(w.Start) / time.Duration(2*c.PostsPerDay)
	apart := max(1, int(half/slotStep)) // in steps
	step := max(time.Millisecond, (half / time.Duration(apart)).Truncate(time.Millisecond))
	var grid []time.Time
	var scores []float64
	for t := w.Start.Add(time.Millisecond - 1).Truncate(time.Millisecond); t.Before(w.End); t = t.Add(step) {
		near := func(s time.Time) bool { return t.Sub(s).Abs() < time.Duration(apart)*step }
		x := math.Inf(-1)
		if !slices.ContainsFunc(slots, near) {
			x = score(t)
		}
		grid, scores = append(grid, t.UTC()), append(scores, x)
	}
	chosen, ok := highest(scores, c.PostsPerDay-len(slots), apart)
	if !ok {
		return c.even(w, cycle)
	}
	for _, i := range chosen {
		slots = append(slots, grid[i])
	}
	return w.separate(slots)
}

// highest returns n indexes of a row, each at least apart from the next, whose
// values have the highest sum; ok is false if there are none. Values of -Inf
// are never chosen.
func highest(row []float64, n, apart int) (chosen []int, ok bool) {
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
		chosen = append(chosen, i-1)
		i = max(0, i-apart)
	}
	return chosen, true
}

// wallTime parses HH:MM, which validation has checked.
func wallTime(s string) time.Duration {
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0
	}
	return timeOfDay(t)
}

// at returns the instant of a wall-clock time in the window: on the date of its
// start, or on the next if the start is later in the day. The wall-clock time
// decides, not the instant, so that each date's slot is used once even around
// DST changes. If a change moves it out of the window, the nearest instant
// inside is returned.
func (w Window) at(tod time.Duration, zone *time.Location) time.Time {
	d, start := w.wallStart(zone)
	if tod < start {
		d = d.addDays(1)
	}
	t := resolveLocal(d, tod, zone)
	if t.Before(w.Start) {
		t = again(t, zone) // the first of a repeated wall-clock time may be over
	}
	switch last := w.End.Add(-slotGap); {
	case t.Before(w.Start):
		return w.Start // a wall-clock time between the intended start and the actual one, after a gap
	case t.After(last):
		return last
	}
	return t
}

// again returns the second instant of a repeated wall-clock time, given its
// first; t if there is none.
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

// wallStart returns the date and the wall-clock time at which the window is
// intended to start. A start right after a gap may have been moved there; then
// the window's end has the intended wall-clock time.
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

// spread returns n instants spaced evenly from start to end; lead is the
// fraction of a step before the first.
func spread(start, end time.Time, n int, lead float64) []time.Time {
	slots := make([]time.Time, 0, n)
	step := end.Sub(start) / time.Duration(max(n, 1))
	for i := range n {
		offset := time.Duration(i)*step + time.Duration(lead*float64(step))
		slots = append(slots, Millis(start.Add(offset)))
	}
	return slots
}

// slotGap is the distance between two posts that would otherwise share an
// instant.
const slotGap = time.Minute

// separate sorts instants, and moves equal ones apart, within the window.
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

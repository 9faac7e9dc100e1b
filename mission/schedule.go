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

// window returns a posting day's window: a calendar day in the mission's zone from the
// time of day of its start, which pauses don't move: they move windows by whole days. So
// the last ends with the mission, before its day is over, where the pauses' last day was
// one only in part.
func (m Mission) window(day int) Window {
	zone := m.Constraints.Zone()
	later := day + m.pausedDays(zone)
	w := Window{Day: day, Start: AddDays(*m.StartsAt, later, zone), End: AddDays(*m.StartsAt, later+1, zone)}
	if m.PausedFor > 0 {
		w.End = m.before(w.End)
	}
	return w
}

// pausedDays returns the calendar days that the pauses so far take, the last of them
// whole.
func (m Mission) pausedDays(zone *time.Location) int {
	over := m.StartsAt.Add(m.PausedFor)
	days := max(0, int(m.PausedFor/(24*time.Hour))-1) // a day may have 25 hours
	for AddDays(*m.StartsAt, days, zone).Before(over) {
		days++
	}
	return days
}

// Resumed returns the window of a job that was running in a pause, for the mission as it
// is after the pause, which lasted for shift: it goes on until the next day's begins.
func (m Mission) Resumed(j Job, shift time.Duration) Window {
	w := j.Window
	w.End = w.End.Add(shift)
	if end := m.window(w.Day).End; w.End.Before(end) {
		w.End = end
	}
	return w
}

// NextWindow returns the first posting day, from day on, whose window isn't
// over at now; ok is false where the mission has none left. Days that passed
// while the service was down are skipped, so that their posts don't form a
// burst; so is a last day of which the mission's end leaves less than minRoom, and
// one that lies in blackouts.
func (m Mission) NextWindow(day int, now time.Time) (w Window, ok bool) {
	if m.StartsAt == nil {
		return Window{}, false
	}
	for ; day < m.DurationDays; day++ {
		if w := m.window(day); m.isPostingDay(w) && w.End.After(now) && w.End.Sub(w.Start) >= minRoom && !m.silent(w) {
			return w, true
		}
	}
	return Window{}, false
}

// silent reports whether a window lies in blackouts.
func (m Mission) silent(w Window) bool { return !m.silence().open(w.Start).Before(w.End) }

// Slots returns the Slots of the mission's constraints that aren't in a blackout: a day
// that has one has fewer posts.
func (m Mission) Slots(w Window, cycle int) []time.Time {
	return m.silence().outside(m.Constraints.Slots(w, cycle))
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

// EstimatedPosts returns posting days times posts per day, without the slots that are in
// blackouts; a draft without a start is treated as if it started at now.
func (m Mission) EstimatedPosts(now time.Time) int {
	if m.StartsAt == nil {
		m.StartsAt = &now
	}
	m.PausedFor = 0
	posts, cycle := 0, 0
	for day := range m.DurationDays {
		w := m.window(day)
		switch {
		case !m.isPostingDay(w) || m.silent(w):
			continue
		case m.silence().between(w.Start, w.End) == w.End.Sub(w.Start):
			posts += m.Constraints.PostsPerDay
		default:
			posts += len(m.Slots(w, cycle))
		}
		cycle++
	}
	return posts
}

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
		if t := c.PostingTime(w.whole(c.Zone()), n); t.Before(w.End) {
			slots = append(slots, t)
		}
	}
	lead := 0.0
	if len(slots) > 0 {
		lead = 0.5 // between the times, not on the window's edge
	}
	return w.separate(append(slots, spread(w.Start, w.End, c.PostsPerDay-len(slots), lead)...))
}

// whole returns a window that the mission's end cuts short as it would be without that
// end: until its time of day on the next date.
func (w Window) whole(zone *time.Location) Window {
	d, tod := w.wallStart(zone)
	if end := resolveLocal(d.addDays(1), tod, zone); w.End.Before(end) {
		w.End = end
	}
	return w
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
		if t := c.PostingTime(w.whole(c.Zone()), n); t.Before(w.End) {
			slots = append(slots, t)
		}
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

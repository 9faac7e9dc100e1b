package mission

import (
	"slices"
	"time"
)

// Window is the span of a cycle: a posting day, or the part of one in which the mission plans
// posts, from Start up to, not including, End.
type Window struct {
	// Day is the calendar day's number within the mission, from 0.
	Day   int
	Start time.Time `bun:"window_start"`
	End   time.Time `bun:"window_end"`
}

// holds reports whether an instant is in the window.
func (w Window) holds(at time.Time) bool { return !at.Before(w.Start) && at.Before(w.End) }

// day returns a calendar day of the mission: from the time of day of its start, in its zone, to
// the same of the next date, whatever was paused.
func (m Mission) day(n int) Window {
	zone := m.Constraints.Zone()
	return Window{Day: n, Start: AddDays(*m.StartsAt, n, zone), End: AddDays(*m.StartsAt, n+1, zone)}
}

// window returns the part of a calendar day in which the mission plans posts: not before
// PlannedFrom, nor behind its end.
func (m Mission) window(n int) Window {
	w := m.day(n)
	if m.PlannedFrom != nil {
		w.Start = later(w.Start, *m.PlannedFrom)
	}
	if end := m.end(); end.Before(w.End) {
		w.End = end
	}
	return w
}

// end returns the mission's end, also of one that has none yet.
func (m Mission) end() time.Time {
	if m.EndsAt != nil {
		return *m.EndsAt
	}
	return AddDays(*m.StartsAt, m.DurationDays, m.Constraints.Zone()).Add(m.PausedFor)
}

// NextWindow returns the window of the first posting day, from calendar day number day on, that
// isn't over at now; ok is false where the mission has none left. NextCycle is the number of its
// cycle. Days that passed while the service was down are skipped, so that their posts don't form a
// burst; so is one that lies in blackouts, and a part of a day that has no slot. Days beyond the
// duration exist only through pauses, and have posts only to make up for those that pauses took.
func (m Mission) NextWindow(day int, now time.Time) (w Window, ok bool) {
	if m.StartsAt == nil {
		return Window{}, false
	}
	end := m.end()
	for ; day < m.DurationDays || m.Owed > 0; day++ {
		whole := m.day(day)
		if !whole.Start.Before(end) {
			break
		}
		if !whole.End.After(now) || !m.isPostingDay(whole) {
			continue
		}
		w := m.window(day)
		switch part := w != whole; {
		case !w.End.After(now), m.silent(w), part && len(m.Slots(w, m.NextCycle)) == 0:
		default:
			return w, true
		}
	}
	return Window{}, false
}

// silent reports whether a window lies in blackouts.
func (m Mission) silent(w Window) bool { return !m.silence().open(w.Start).Before(w.End) }

// Slots returns the slots of the window of a cycle, counted from 0: those of its whole day, by the
// mission's constraints, that lie in the window and in no blackout. So a part of a day, and a day that
// has a blackout, have fewer posts. Days beyond the mission's duration have those that it owes.
func (m Mission) Slots(w Window, cycle int) []time.Time {
	whole := m.day(w.Day)
	slots := slices.DeleteFunc(m.Constraints.Slots(whole, cycle), func(at time.Time) bool { return !w.holds(at) })
	return m.due(w, m.silence().outside(slots))
}

// Planning returns a job as its plan is made: with the mission's blackouts of now, and the whole day of which
// its window may be a part.
func (m Mission) Planning(j Job) Job {
	j.Brief.Blackouts = m.Blackouts
	m.Constraints = j.Brief.Constraints
	j.Whole = m.day(j.Window.Day)
	return j
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
// blackouts, whatever was paused; a draft without a start is treated as if it started at now.
func (m Mission) EstimatedPosts(now time.Time) int {
	if m.StartsAt == nil {
		m.StartsAt = &now
	}
	posts, cycle := 0, 0
	for day := range m.DurationDays {
		w := m.day(day)
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

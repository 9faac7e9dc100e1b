package mission

import (
	"math"
	"time"
)

// due returns those of a window's slots that have posts: beyond the mission's duration only as many as
// it owes.
func (m Mission) due(w Window, slots []time.Time) []time.Time {
	if w.Day < m.DurationDays {
		return slots
	}
	return slots[:min(len(slots), m.Owed)]
}

// planned returns the mission after so many posts were planned in a window.
func (m Mission) planned(w Window, posts int) Mission {
	if w.Day >= m.DurationDays {
		m.Owed = max(0, m.Owed-posts)
	}
	return m
}

// Owing returns those slots of a job's plan that have posts, which are all but beyond the mission's
// duration, and the mission after they are planned.
func (m Mission) Owing(j Job, p Plan) (Plan, Mission) {
	if j.Window.Day >= m.DurationDays {
		p.Slots = p.Slots[:min(len(p.Slots), m.Owed)]
	}
	return p, m.planned(j.Window, len(p.Slots))
}

// planFrom returns the mission with PlannedFrom, if that was earlier: the slots before it of the days
// from number day on that weren't over before a pause have no post, so the mission owes one for each.
func (m Mission) planFrom(at, pausedAt time.Time, day int) Mission {
	if m.PlannedFrom != nil && !m.PlannedFrom.Before(at) {
		return m
	}
	for ; day < m.DurationDays; day++ {
		w := m.window(day)
		if !w.Start.Before(at) {
			break
		}
		if w.End.After(pausedAt) {
			m.Owed += m.slotsBefore(at, w)
		}
	}
	m.PlannedFrom = &at
	return m
}

// slotsBefore returns how many slots before a time a day's window has that has no job.
func (m Mission) slotsBefore(at time.Time, w Window) (n int) {
	if !m.isPostingDay(m.day(w.Day)) {
		return 0
	}
	for _, slot := range m.Slots(w, m.NextCycle) {
		if slot.Before(at) {
			n++
		}
	}
	return n
}

// Relasting returns the mission after an update, before which it was from, with the posts that it owes: it makes up for
// what pauses took of the days that its duration has now. lastDay is the latest day that has a job, or -1.
func (m Mission) Relasting(from Mission, lastDay int) Mission {
	if m.PlannedFrom == nil || m.DurationDays == from.DurationDays {
		return m
	}
	all := m.unbound()
	all.PlannedFrom, all.EndsAt = nil, m.PlannedFrom
	for day := max(lastDay+1, min(from.DurationDays, m.DurationDays)); day < max(from.DurationDays, m.DurationDays); day++ {
		n := all.slotsBefore(*m.PlannedFrom, all.window(day))
		if m.DurationDays < from.DurationDays {
			n = -n
		}
		m.Owed = max(0, m.Owed+n)
	}
	return m
}

// next returns the first n slots of the days from number day on.
func (m Mission) next(day, n int, now time.Time) (slots []time.Time) {
	for w, ok := m.NextWindow(day, now); ok && len(slots) < n; w, ok = m.NextWindow(w.Day+1, now) {
		at := m.Slots(w, m.NextCycle)
		slots = append(slots, at...)
		m = m.planned(w, len(at))
		m.NextCycle++
	}
	return slots[:min(len(slots), n)]
}

// unbound returns the mission as if each day until its end had all of its posts.
func (m Mission) unbound() Mission {
	m.Owed = math.MaxInt
	return m
}

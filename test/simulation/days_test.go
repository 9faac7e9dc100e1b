package simulation

import (
	"encoding/json"
	"fmt"
	"time"
)

// cycleRow is a posting day of a mission.
type cycleRow struct {
	starts when
	slots  []time.Time
}

// late is by how much a day's cycle may begin late: instances may be down.
const late = 3 * time.Hour

// checkDays: pauses cost no posting day. Each calendar day of a mission, from the time of day of its start in its zone,
// that wasn't paused when it began has its cycle; but the post that another day's pause held up may have its slot. And no
// mission plans more than its days have.
func (a *audit) checkDays(final bool) {
	if !final {
		return
	}
	cycles := map[string][]cycleRow{}
	a.rows("SELECT mission_id, window_start, plan FROM jobs ORDER BY id", func(scan func(...any)) {
		var id, plan string
		var c cycleRow
		scan(&id, &c.starts, &plan)
		var planned struct{ Slots []struct{ At time.Time } }
		_ = json.Unmarshal([]byte(plan), &planned)
		for _, s := range planned.Slots {
			c.slots = append(c.slots, s.At)
		}
		cycles[id] = append(cycles[id], c)
	})
	a.rows(`SELECT id, duration_days, constraints->>'timezone', constraints->>'posts_per_day' FROM missions
		WHERE status = 'completed' ORDER BY id`, func(scan func(...any)) {
		var id, zone string
		var days, perDay int
		scan(&id, &days, &zone, &perDay)
		if known := a.people.model.missions[id]; known != nil && a.missions[id].starts.Valid {
			a.checkDaysOf(known, cycles[id], days, perDay, zone)
		}
	})
}

// checkDaysOf is checkDays of a mission.
func (a *audit) checkDaysOf(m *missionModel, cycles []cycleRow, days, perDay int, zone string) {
	pauses, end := a.pausesOf(m.id)
	location, err := time.LoadLocation(zone)
	if err != nil || end.IsZero() {
		return
	}
	paused := func(from, to time.Time) bool {
		for _, p := range pauses {
			if p.from.Before(to) && p.to.After(from) {
				return true
			}
		}
		return false
	}
	planned, held, missing := 0, 0, []string{}
	for _, c := range cycles {
		planned += len(c.slots)
		for _, at := range c.slots {
			if paused(at, at.Add(time.Millisecond)) {
				held++
			}
		}
	}
	first := a.missions[m.id].starts.Time.In(location)
	for d := range days {
		from, to := first.AddDate(0, 0, d), first.AddDate(0, 0, d+1)
		if to.After(end) || paused(from.Add(-late), from.Add(late)) {
			continue
		}
		a.count("a day that wasn't paused when it began")
		has := false
		for _, c := range cycles {
			has = has || !c.starts.Time.Before(from.Add(-late)) && c.starts.Time.Before(to.Add(-late))
		}
		if !has {
			missing = append(missing, from.Sub(a.began).String())
		}
	}
	want := fmt.Sprintf("a cycle on each day, or one of %d posts that pauses held", held)
	a.hold(len(missing) <= held, "pauses cost no posting day", m.id, want, missing)
	if len(pauses) > 0 && !m.updated {
		a.count("a mission of which a pause has ended")
		a.hold(planned <= days*perDay, "pauses add no posts", m.id, fmt.Sprint(days*perDay), planned)
	}
}

// pausesOf returns the pauses of a mission, by its log, and when it was completed.
func (a *audit) pausesOf(id string) (pauses []pauseSpan, end time.Time) {
	open := time.Time{}
	for _, e := range a.events[id] {
		switch e.kind {
		case "mission.paused":
			open = e.at.Time
		case "mission.resumed":
			pauses, open = append(pauses, pauseSpan{open, e.at.Time}), time.Time{}
		case "mission.completed":
			end = e.at.Time
		}
	}
	if !open.IsZero() {
		pauses = append(pauses, pauseSpan{open, end})
	}
	return pauses, end
}

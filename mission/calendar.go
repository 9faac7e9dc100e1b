package mission

import (
	"cmp"
	"slices"
	"time"
)

// Bounds of a calendar. Posts and counts are those of a day.
const (
	MaxCalendarDays = 62
	CalendarPosts   = 20
	CalendarCounted = 100
	// CalendarMissions is how many missions' slots are planned ahead, the newest, and
	// CalendarSlots how many slots there are, the earliest.
	CalendarMissions = 100
	CalendarSlots    = 2000
)

// CalendarInput selects a calendar: the days From to To, both included, YYYY-MM-DD; an
// empty field doesn't filter.
type CalendarInput struct {
	From, To string
	// TimeZone is an IANA name; "" is that of the mission, or UTC without one.
	TimeZone      string
	MissionID     string
	Platform      Platform
	IntegrationID string
	// Statuses are the states of the posts. With any, the calendar has no planned slots:
	// nothing is in a state yet.
	Statuses []ContentStatus
}

// Check checks all but the time zone. It doesn't look up the mission and the account.
// Errors: invalid_request, naming the parameter.
func (in CalendarInput) Check() error {
	for _, end := range []struct{ param, day string }{{"from", in.From}, {"to", in.To}} {
		if end.day == "" {
			return Invalid(end.param, "The day is required, as YYYY-MM-DD.")
		}
	}
	if _, err := ParseDateRange(in.From, in.To); err != nil {
		return err
	}
	first, last := parseDay(in.From), parseDay(in.To)
	if first.addDays(MaxCalendarDays - 1).utc().Before(last.utc()) {
		return Invalid("to", "A calendar has at most %d days.", MaxCalendarDays)
	}
	if err := CheckPlatform("platform", in.Platform); in.Platform != "" && err != nil {
		return err
	}
	if err := checkStatuses(in.Statuses); err != nil {
		return err
	}
	if in.TimeZone == "" {
		return nil
	}
	return checkZoneOf("time_zone", in.TimeZone)
}

// ZoneOf returns the calendar's time zone: that of the input or of its mission, or UTC.
func (in CalendarInput) ZoneOf(m *Mission) string {
	switch {
	case in.TimeZone != "":
		return in.TimeZone
	case m != nil:
		return m.Constraints.Timezone
	default:
		return "UTC"
	}
}

// parseDay returns the date of YYYY-MM-DD, which has been checked.
func parseDay(day string) date {
	t, _ := time.Parse(time.DateOnly, day)
	return dateOf(t)
}

// Day is a calendar day in a time zone: from Start up to, not including, End.
type Day struct {
	Date             string
	StartsAt, EndsAt time.Time
}

// Days returns the calendar's days in a time zone. A day without a midnight begins when
// its first hour does; one that the zone skipped has no time.
func (in CalendarInput) Days(zone *time.Location) []Day {
	var days []Day
	last := parseDay(in.To).utc()
	for d := parseDay(in.From); !d.utc().After(last); d = d.addDays(1) {
		days = append(days, Day{
			Date: d.utc().Format(time.DateOnly), StartsAt: resolveLocal(d, 0, zone), EndsAt: resolveLocal(d.addDays(1), 0, zone),
		})
	}
	return days
}

// On returns those of the calendar's slots, which are in their order, that are on a day
// and that its filters select. They leave out what isn't decided.
func (in CalendarInput) On(d Day, slots []PlannedSlot) []PlannedSlot {
	on := []PlannedSlot{}
	for _, s := range slots {
		if s.At.Before(d.StartsAt) || !s.At.Before(d.EndsAt) ||
			in.Platform != "" && (s.Platform == nil || *s.Platform != in.Platform) ||
			in.IntegrationID != "" && (s.IntegrationID == nil || *s.IntegrationID != in.IntegrationID) {
			continue
		}
		on = append(on, s)
	}
	return on
}

// CalendarAt returns the time at which a calendar has a post: that of its publication,
// or its slot until then. It is nil for a post without one.
func (c Content) CalendarAt() *time.Time {
	if c.Status == ContentPublished {
		return c.PublishedAt
	}
	return c.ScheduledAt
}

// CalendarDay is what a calendar has on a day: posts by their publication, or by their
// slots until then.
type CalendarDay struct {
	Day

	// Counts are the numbers of posts by state, of those states that there are posts in.
	Counts []StatusCount
	// Posts are the first posts, and HasMore reports that there are others.
	Posts   []Content
	HasMore bool
	// Planned are the slots without a post, in their order.
	Planned []PlannedSlot
}

// StatusCount is how many posts are in a state: at most CalendarCounted, and Capped
// reports that they are more.
type StatusCount struct {
	Status ContentStatus
	Count  int
	Capped bool
}

// Calendar is a tenant's calendar.
type Calendar struct {
	CalendarInput

	Days []CalendarDay
	// Occasions and Blackouts are those of the missions whose slots are planned ahead.
	Occasions []CalendarOccasion
	Blackouts []CalendarBlackout
	// PlannedTruncated reports that there are more planned slots.
	PlannedTruncated bool
}

// CalendarOccasion is an event of a mission.
type CalendarOccasion struct {
	MissionID string
	Occasion
}

// CalendarBlackout is a blackout of a mission.
type CalendarBlackout struct {
	MissionID string
	Blackout
}

// WithDates returns the calendar with what its days have of a mission's events and blackouts.
func (c Calendar) WithDates(m Mission) Calendar {
	first, last := c.Days[0], c.Days[len(c.Days)-1]
	for _, o := range m.Occasions {
		if o.StartsOn <= last.Date && o.EndsOn >= first.Date {
			c.Occasions = append(c.Occasions, CalendarOccasion{m.ID, o})
		}
	}
	for _, b := range m.Blackouts {
		if b.StartsAt.Before(last.EndsAt) && b.EndsAt.After(first.StartsAt) {
			c.Blackouts = append(c.Blackouts, CalendarBlackout{m.ID, b})
		}
	}
	return c
}

// PlannedSlot is a slot for which no post is written yet. Those of cycles that haven't
// been planned are where the mission's posting times, or an even spacing, put them.
type PlannedSlot struct {
	MissionID string
	// JobID is the job that will write the post; nil if its cycle hasn't begun.
	JobID *string
	At    time.Time
	// Platform, IntegrationID and AccountHandle are nil where they aren't decided, and
	// so are the account of a platform's default, and a handle that isn't known.
	Platform                     *Platform
	IntegrationID, AccountHandle *string
}

// Outlook is what the slots ahead of an active mission follow from.
type Outlook struct {
	Mission Mission
	// Job is the latest; nil if there is none.
	Job *Job
	// Written are the positions in the job's plan that have a post.
	Written []int
}

// Ahead returns the slots without a post of active missions from one time up to, not
// including, another, in their order; more reports that the list ends before that time.
func Ahead(outlooks []Outlook, from, until, now time.Time, most int) (slots []PlannedSlot, more bool) {
	var cycles []upcoming
	for _, o := range outlooks {
		if o.Mission.Status != StatusActive {
			continue
		}
		slots = append(slots, within(o.unwritten(), from, until)...)
		if u := newUpcoming(o); u.next(later(from, now), now) {
			cycles = append(cycles, u)
		}
	}
	for len(cycles) > 0 {
		i := earliest(cycles)
		if u := cycles[i]; !u.window.Start.Before(until) || len(slots) >= most {
			more = u.window.Start.Before(until)
			break
		}
		slots = append(slots, within(cycles[i].slots(), from, until)...)
		if u := &cycles[i]; !u.next(u.window.End, now) {
			cycles = slices.Delete(cycles, i, i+1)
		}
	}
	slices.SortStableFunc(slots, func(a, b PlannedSlot) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.MissionID, b.MissionID)) })
	return slots[:min(len(slots), most)], more || len(slots) > most
}

// within returns the slots from one time up to, not including, another.
func within(slots []PlannedSlot, from, until time.Time) []PlannedSlot {
	return slices.DeleteFunc(slots, func(s PlannedSlot) bool { return s.At.Before(from) || !s.At.Before(until) })
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// unwritten returns the slots of the latest job that have no post yet, while its posts
// are still being written.
func (o Outlook) unwritten() []PlannedSlot {
	j := o.Job
	if j == nil || j.Status != RunRunning || j.CurrentStage.Index() > StageContent.Index() {
		return nil
	}
	if len(j.Plan.Slots) == 0 {
		if j.CurrentStage == StageContent {
			return nil
		}
		return planned(o.Mission.ID, &j.ID, j.Brief.Platforms, o.unplanned())
	}
	var slots []PlannedSlot
	for _, s := range j.Plan.Slots {
		if _, silent := o.Mission.BlackoutAt(s.At); !silent && !slices.Contains(o.Written, s.Position) {
			slots = append(slots, PlannedSlot{
				MissionID: o.Mission.ID, JobID: &j.ID, At: s.At, Platform: &s.Platform,
				IntegrationID: some(s.IntegrationID), AccountHandle: some(s.AccountHandle),
			})
		}
	}
	return slots
}

// unplanned returns the slots of the latest job, while it has no plan.
func (o Outlook) unplanned() []time.Time {
	m := o.Mission
	m.Constraints = o.Job.Brief.Constraints
	return m.Slots(o.Job.Window, o.Job.Cycle-1)
}

// some returns nil for "".
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// planned returns slots that have no plan yet. A mission's only platform is decided.
func planned(missionID string, jobID *string, platforms []Platform, at []time.Time) []PlannedSlot {
	slots := make([]PlannedSlot, len(at))
	for i := range at {
		slots[i] = PlannedSlot{MissionID: missionID, JobID: jobID, At: at[i]}
		if len(platforms) == 1 {
			slots[i].Platform = &platforms[0]
		}
	}
	return slots
}

// upcoming goes through the cycles of a mission that haven't begun.
type upcoming struct {
	mission Mission // after the window's cycle
	window  Window
	at      []time.Time // the window's slots
}

// newUpcoming returns the mission's latest cycle.
func newUpcoming(o Outlook) upcoming {
	u := upcoming{mission: o.Mission, window: Window{Day: -1}}
	if o.Job == nil {
		return u
	}
	u.window = o.Job.Window
	if o.Job.CurrentStage.Index() <= StageStrategy.Index() && o.Job.Status == RunRunning && len(o.Job.Plan.Slots) == 0 {
		u.at = o.unplanned()
	}
	u.mission = u.mission.planned(u.window, len(u.at))
	return u
}

// earliest returns the index of the cycle that begins first.
func earliest(cycles []upcoming) (first int) {
	for i, u := range cycles {
		if u.window.Start.Before(cycles[first].window.Start) {
			first = i
		}
	}
	return first
}

// next goes to the first window that ends after a time; ok is false if there is none.
// Windows that are over by now don't become cycles.
func (u *upcoming) next(after, now time.Time) (ok bool) {
	for {
		if u.window, ok = u.mission.NextWindow(u.window.Day+1, now); !ok {
			return false
		}
		cycle := u.mission.NextCycle
		u.mission.NextCycle++
		if u.window.End.After(after) || u.window.Day >= u.mission.DurationDays {
			u.at = u.mission.Slots(u.window, cycle)
			u.mission = u.mission.planned(u.window, len(u.at))
		}
		if u.window.End.After(after) {
			return true
		}
	}
}

func (u *upcoming) slots() []PlannedSlot {
	return planned(u.mission.ID, nil, u.mission.Platforms, u.at)
}

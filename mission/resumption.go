package mission

import (
	"slices"
	"time"
)

// Resumption is a mission that goes on after a pause, with what the pause held up.
type Resumption struct {
	// Mission is the mission after its Resume, at Now; PausedAt is when the pause began.
	Mission       Mission
	PausedAt, Now time.Time
	// LastDay is the latest day that has a job, or -1.
	LastDay int
	// Jobs are those that run.
	Jobs []Job
	// Posts are the unsettled posts, and Published when others were published within the
	// Neighborhood before the pause.
	Posts     []Content
	Published []time.Time
}

// Moves is what a mission goes on with.
type Moves struct {
	// Mission has the time from which on it plans posts, and the posts that it owes.
	Mission Mission
	// Jobs are those that run, with their windows.
	Jobs []Job
	// Slots are those of the scheduled posts, by id; the zero time for one to which the mission's
	// end leaves none.
	Slots map[string]time.Time
}

// Move moves the posts whose slots passed in the pause. Days stay where they are: those that have no
// job yet lose the slots that the pause took, and the days that the mission's later end adds make up for
// them, as far as they have slots. A post of a running job moves to a time in the rest of its own day that is
// away from all other slots or, if there is none, to the next slot of the mission, if a later day makes up
// for that one. Otherwise it goes out between two slots. Posts by people, and of jobs that don't run, move
// at the mission's pace, between the others.
func (r Resumption) Move() Moves {
	m := &mover{Resumption: r, slots: map[string]time.Time{}}
	before := m.Mission
	m.Mission = m.Mission.planFrom(r.Now, r.PausedAt, r.LastDay+1)
	late := func(c Content) bool { return c.Status == ContentScheduled && m.Mission.Late(*c.ScheduledAt, r.Now) }
	m.busy = Neighbors(r.Posts, r.Published, late, r.Now)
	jobs, rest := slices.Clone(r.Jobs), []Content{}
	held := map[string][]Content{}
	for _, c := range r.Posts {
		running := slices.ContainsFunc(jobs, func(j Job) bool { return j.ID == c.JobID })
		switch {
		case c.Status != ContentScheduled:
		case !late(c):
			m.slots[c.ID] = *c.ScheduledAt
		case running && c.ScheduledAt.Before(r.Now):
			held[c.JobID] = append(held[c.JobID], c)
		default:
			rest = append(rest, c)
		}
	}
	for i, j := range jobs {
		jobs[i] = m.job(j, held[j.ID])
	}
	m.others(rest)
	if len(held) == 0 {
		m.catchUp(before)
	}
	return Moves{Mission: m.Mission, Jobs: jobs, Slots: m.slots}
}

// mover moves the posts of a resumption.
type mover struct {
	Resumption

	busy  []time.Time // the slots of posts that stay, or are moved already
	slots map[string]time.Time
}

// catchUp has the day that goes on, if it has no job yet, begin with the last of the slots that it lost, if no later day
// makes up for that, and its post, which is late then, isn't near to others. before is the mission as it was before the
// pause.
func (r *mover) catchUp(before Mission) {
	m, day := r.Mission, r.LastDay+1
	beyond := m.unbound().next(max(day, m.DurationDays), m.Owed, r.Now)
	if m.Owed <= len(beyond) || !m.PlannedFrom.Equal(r.Now) {
		return
	}
	for day < m.DurationDays && !m.day(day).End.After(r.Now) {
		day++
	}
	if day >= m.DurationDays || !m.isPostingDay(m.day(day)) {
		return
	}
	lost := slices.DeleteFunc(before.Slots(before.window(day), m.NextCycle), func(at time.Time) bool { return !at.Before(r.Now) })
	if len(lost) == 0 {
		return
	}
	lost = lost[len(lost)-1:]
	w := m.window(day)
	at := m.Reslot(m.Constraints, w, lost, slices.Concat(r.busy, m.Slots(w, m.NextCycle)), r.Now)[0]
	gap := r.apart(m.Constraints)
	near := func(o time.Time) bool { return at.Sub(o).Abs() < gap }
	if !at.IsZero() && !slices.ContainsFunc(r.ahead(m.Constraints, 1), near) {
		r.Mission.PlannedFrom, r.Mission.Owed = &lost[0], m.Owed-1
	}
}

// spare returns how many slots, n at most, the days beyond the duration have that the mission doesn't owe.
func (r *mover) spare(n int) int {
	beyond := r.Mission.unbound().next(max(r.LastDay+1, r.Mission.DurationDays), r.Mission.Owed+n, r.Now)
	return max(0, len(beyond)-r.Mission.Owed)
}

// job moves the posts of a running job, and returns it with its window: its day, or until behind the
// last of them.
func (r *mover) job(j Job, held []Content) Job {
	slices.SortStableFunc(held, func(a, b Content) int { return a.ScheduledAt.Compare(*b.ScheduledAt) })
	waiting := r.waiting(j)
	n, inPause := len(held)+waiting, waiting
	for _, c := range held {
		if !c.ScheduledAt.Before(r.PausedAt) {
			inPause++
		}
	}
	if n == 0 {
		return j
	}
	c := j.Brief.Constraints
	rest := Window{Start: r.Now, End: r.restEnd(j, n)}
	var behind []time.Time
	fit := len(r.place(c, rest, n))
	if beyond := min(inPause, n-fit); beyond > 0 {
		behind = r.Mission.unbound().next(r.LastDay+1, r.spare(beyond), r.Now)
		behind = behind[:min(len(behind), beyond)]
	}
	if len(behind) > 0 {
		last := behind[len(behind)-1].Add(time.Millisecond)
		r.Mission = r.Mission.planFrom(last, r.PausedAt, r.LastDay+1)
		j.Window.End = r.Mission.before(later(j.Window.End, last))
	}
	first := held[:max(0, len(held)-len(behind))]
	for i, c := range held[len(first):] {
		r.take(c, behind[i])
	}
	at := r.between(c, rest, len(first))
	for i, c := range first {
		r.take(c, at[i])
		j.Window.End = r.Mission.before(later(j.Window.End, at[i].Add(slotGap)))
	}
	switch {
	case waiting == 0:
	case n-len(behind) > fit:
		j.Window.End = r.Mission.Room(j, n-len(behind), r.Now).End
	default:
		j.Window.End = later(j.Window.End, rest.End)
	}
	return j
}

// waiting returns how many posts of a job have a slot that passed in the pause and can't be moved: they
// wait for review, or aren't written.
func (r *mover) waiting(j Job) (n int) {
	passed := func(at time.Time) bool { return !at.Before(r.PausedAt) && at.Before(r.Now) }
	for _, c := range r.Posts {
		waits := c.Status == ContentPendingReview || c.Status == ContentApproved
		if c.JobID == j.ID && waits && c.ScheduledAt != nil && passed(*c.ScheduledAt) {
			n++
		}
	}
	if j.CurrentStage.Index() > StageContent.Index() {
		return n
	}
	m, unwritten := r.Mission, 0
	m.Constraints = j.Brief.Constraints
	slots := m.Slots(j.Window, j.Cycle-1)
	if j.Planned > 0 {
		slots = slots[:0]
		for _, s := range j.Plan.Slots {
			slots = append(slots, s.At)
		}
	}
	for _, at := range slots {
		if passed(at) {
			unwritten++
		}
	}
	return n + max(0, min(unwritten, len(slots)-j.Written))
}

// restEnd returns until when n posts of a job are moved without another slot of the mission: the end of
// its own day, or the next slot where that is far, or where posts have no times.
func (r *mover) restEnd(j Job, n int) time.Time {
	c, end := j.Brief.Constraints, j.Window.End
	pace := r.Now.Add(time.Duration(n) * 24 * time.Hour / time.Duration(max(c.PostsPerDay, 1)))
	until := *r.Mission.EndsAt
	if next := r.Mission.next(r.LastDay+1, 1, r.Now); len(next) > 0 {
		until = next[0]
	}
	switch {
	case until.After(pace):
		end = later(end, pace)
	case len(c.PostingTimes) == 0:
		end = later(end, until)
	}
	return r.Mission.before(end)
}

// take gives a post a slot, or the next minute that no other has.
func (r *mover) take(c Content, at time.Time) {
	if !at.IsZero() {
		for slices.ContainsFunc(r.busy, at.Equal) {
			at = at.Add(slotGap)
		}
		r.busy = append(r.busy, at)
	}
	r.slots[c.ID] = at
}

// ahead returns busy times and the next slots of the mission, as many as so many posts may come near to.
func (r *mover) ahead(c Constraints, n int) []time.Time {
	return slices.Concat(r.busy, r.Mission.next(r.LastDay+1, 2*(n+max(c.PostsPerDay, 1)), r.Now))
}

// place returns up to n times in a window that are away from all others: posting times, then others.
func (r *mover) place(c Constraints, w Window, n int) (times []time.Time) {
	if n == 0 {
		return nil
	}
	busy, b, gap := r.ahead(c, n), r.Mission.silence(), r.apart(c)
	w.Start = b.open(w.Start)
	for _, at := range b.outside(c.freeTimes(w, w.Start, busy)) {
		if len(times) < n && !slices.ContainsFunc(busy, func(o time.Time) bool { return at.Sub(o).Abs() < gap }) {
			times, busy = append(times, at), append(busy, at)
		}
	}
	left := n - len(times)
	even := b.free(w, slices.Clone(busy), func(w Window, busy []time.Time) []time.Time {
		return w.fill(spread(w.Start, w.End, left, 0), gap, busy)
	})
	if len(even) < left {
		even = r.soonest(w, left, gap, busy)
	}
	times = append(times, even...)
	slices.SortFunc(times, time.Time.Compare)
	return times
}

// soonest returns up to n of the first times in a window that are a gap away from each other and the busy
// times, and in no blackout.
func (r *mover) soonest(w Window, n int, gap time.Duration, busy []time.Time) (times []time.Time) {
	slices.SortFunc(busy, time.Time.Compare)
	at := w.Start
	for len(times) < n {
		free := r.Mission.silence().open(at)
		for _, b := range busy {
			if free.Sub(b).Abs() < gap {
				free = b.Add(gap)
			}
		}
		switch {
		case !free.Before(w.End):
			return times
		case free.After(at):
			at = free
		default:
			times, at = append(times, at), at.Add(gap)
		}
	}
	return times
}

// between returns n times for posts: in a window, or else until the mission's end; closer to others, down to
// a minute, only where there is no other way. Those that are left are zero.
func (r *mover) between(c Constraints, w Window, n int) []time.Time {
	at := r.place(c, w, n)
	w.End = *r.Mission.EndsAt
	busy := append(r.ahead(c, n), at...)
	for gap := r.apart(c); len(at) < n && gap > 0; gap /= 2 {
		more := r.soonest(w, n-len(at), max(gap, slotGap), busy)
		at, busy = append(at, more...), append(busy, more...)
		if gap <= slotGap {
			break
		}
	}
	slices.SortFunc(at, time.Time.Compare)
	return append(at, make([]time.Time, n-len(at))...)
}

// apart returns how far a moved post is from others: half of the least distance of the slots of days that
// go through all posting times.
func (r *mover) apart(c Constraints) time.Duration {
	least := 24 * time.Hour / time.Duration(max(c.PostsPerDay, 1))
	var slots []time.Time
	for i := range 2 + len(c.PostingTimes) {
		slots = append(slots, c.Slots(r.Mission.day(r.LastDay+i), i)...)
	}
	for i := range slots[1:] {
		least = min(least, slots[i+1].Sub(slots[i]))
	}
	return max(least/2, slotGap)
}

// others moves posts that aren't those of a running job.
func (r *mover) others(posts []Content) {
	if len(posts) == 0 {
		return
	}
	j := r.Mission.JobOf(Content{})
	slots := make([]time.Time, len(posts))
	for i, c := range posts {
		slots[i] = *c.ScheduledAt
	}
	w := r.Mission.Room(j, len(posts), r.Now)
	for i, at := range r.Mission.Reslot(r.Mission.Constraints, w, slots, r.ahead(r.Mission.Constraints, len(posts)), r.Now) {
		r.take(posts[i], at)
	}
}

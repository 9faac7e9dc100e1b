package mission

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// span is from one time up to another.
type span struct{ from, to time.Time }

// overlap returns how much of two spans is in both.
func (s span) overlap(o span) time.Duration {
	if s.from.Before(o.from) {
		s.from = o.from
	}
	if o.to.Before(s.to) {
		s.to = o.to
	}
	return max(0, s.to.Sub(s.from))
}

// play plays a mission as the service does: jobs begin with their windows and plan their posts, which go
// out at their slots.
type play struct {
	t         rapid.TB
	m         Mission
	now       time.Time
	jobs      []Job // of which posts aren't out
	last      *Job
	posts     []Content // that aren't out
	published []time.Time
	pauses    []span
	planned   []time.Time // what was planned ahead after the latest pause or update
	since     time.Time   // when that was, and before is how many posts were out then
	before    int
	late      int // how many slots days may have lost that an update adds after they began
}

func newPlay(t rapid.TB, begin time.Time, change func(m *Mission)) *play {
	t.Helper()
	m := Mission{
		ID: "msn_1", Name: "A", Disclosure: NewDisclosure(), Status: StatusDraft, DurationDays: 5,
		Objectives: []string{"a"}, Platforms: []Platform{Mastodon},
		Constraints: (*ConstraintsInput)(nil).withDefaults(),
	}
	if change != nil {
		change(&m)
	}
	started, err := m.Start(begin)
	if err != nil {
		t.Fatal(err)
	}
	return &play{t: t, m: started.To, now: begin}
}

func (p *play) lastDay() int {
	if p.last == nil {
		return -1
	}
	return p.last.Window.Day
}

// run goes on until a time.
func (p *play) run(until time.Time) {
	for {
		w, cycle := p.m.NextWindow(p.lastDay()+1, p.now)
		begin := later(w.Start, p.now)
		slices.SortStableFunc(p.posts, func(a, b Content) int { return a.ScheduledAt.Compare(*b.ScheduledAt) })
		post := len(p.posts) > 0 && (!cycle || p.posts[0].ScheduledAt.Before(begin))
		at := begin
		if post {
			at = later(*p.posts[0].ScheduledAt, p.now)
		}
		if !post && !cycle || at.After(until) || !at.Before(*p.m.EndsAt) {
			p.now = until
			return
		}
		p.now = at
		if post {
			p.publish()
		} else {
			p.begin(w)
		}
	}
}

func (p *play) publish() {
	c := p.posts[0]
	p.posts, p.published = p.posts[1:], append(p.published, p.now)
	if !slices.ContainsFunc(p.posts, func(o Content) bool { return o.JobID == c.JobID }) {
		p.jobs = slices.DeleteFunc(p.jobs, func(j Job) bool { return j.ID == c.JobID })
	}
}

func (p *play) begin(w Window) {
	j := p.m.Planning(NewJob(fmt.Sprint("job_", p.m.NextCycle), p.m, w, Brand{}, p.now))
	p.m.NextCycle = j.Cycle
	whole, _ := j.Day()
	at := j.Brief.Constraints.Slots(whole, j.Cycle-1)
	for position, i := range j.Slots(at) {
		j.Plan.Slots = append(j.Plan.Slots, Slot{Position: position, At: at[i]})
	}
	j.Plan, p.m = p.m.Owing(j, j.Plan)
	j.Whole, j.CurrentStage, j.Planned, j.Written = Window{}, StagePublish, len(j.Plan.Slots), len(j.Plan.Slots)
	if j.Planned == 0 && len(p.m.Blackouts) == 0 {
		p.t.Fatalf("day %d from %s to %s has no post", w.Day, w.Start, w.End)
	}
	slots := make([]time.Time, len(j.Plan.Slots))
	for i, s := range j.Plan.Slots {
		slots[i] = s.At
	}
	busy := Neighbors(p.posts, p.recent(p.now), func(Content) bool { return false }, p.now)
	for i, at := range p.m.Reslot(j.Brief.Constraints, j.Window, slots, busy, p.now) {
		j.Plan.Slots[i].At = at
	}
	for _, s := range j.Plan.Slots {
		p.posts = append(p.posts, Content{ID: fmt.Sprint(j.ID, "/", s.Position), JobID: j.ID, Status: ContentScheduled, ScheduledAt: &s.At})
	}
	if p.last = &j; j.Planned > 0 {
		p.jobs = append(p.jobs, j)
	}
}

// recent returns the latest publications.
func (p *play) recent(now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(p.published), func(at time.Time) bool { return !at.After(now.Add(-Neighborhood)) })
}

// lasting gives the mission another duration.
func (p *play) lasting(days int) {
	c, err := p.m.Update(UpdateInput{DurationDays: Some(days)}, p.now)
	if err != nil && strings.Contains(err.Error(), "would have ended") {
		return
	}
	if err != nil {
		p.t.Fatal(err)
	}
	for _, post := range p.posts {
		if !post.ScheduledAt.Before(p.m.day(p.m.DurationDays).Start) || !post.ScheduledAt.Before(*c.To.EndsAt) {
			return // it would move, or be where a new day has a slot
		}
	}
	p.m, p.late = c.To.Relasting(p.m, p.lastDay()), p.late+p.m.Constraints.PostsPerDay
	p.plan()
}

// plan records what is planned ahead.
func (p *play) plan() {
	p.before, p.planned, p.since = len(p.published), nil, p.now
	slots, _ := Ahead([]Outlook{{Mission: p.m, Job: p.last}}, p.now.AddDate(0, 0, -7), *p.m.EndsAt, p.now, 1<<30)
	for _, c := range p.posts {
		p.planned = append(p.planned, *c.ScheduledAt)
	}
	for _, s := range slots {
		p.planned = append(p.planned, s.At)
	}
	slices.SortFunc(p.planned, time.Time.Compare)
}

// pause pauses the mission until a time.
func (p *play) pause(until time.Time) {
	p.t.Helper()
	paused, err := p.m.Pause(p.now)
	if err != nil {
		p.t.Fatal(err)
	}
	c, err := paused.To.Resume(until)
	if err != nil {
		p.t.Fatal(err)
	}
	r := Resumption{Mission: c.To, PausedAt: p.now, Now: until, LastDay: p.lastDay(), Jobs: p.jobs, Posts: p.posts}
	r.Published = p.recent(until)
	moves := r.Move()
	p.pauses, p.now = append(p.pauses, span{p.now, until}), until
	p.m, p.jobs = moves.Mission, moves.Jobs
	kept := []Content{}
	for _, c := range p.posts {
		at, ok := moves.Slots[c.ID]
		if !ok {
			p.t.Fatalf("%s, which is scheduled, has no slot", c.ID)
		}
		if !c.ScheduledAt.Before(until) && !at.Equal(*c.ScheduledAt) {
			p.t.Fatalf("%s moved from %s to %s, in a pause until %s", c.ID, c.ScheduledAt, at, until)
		}
		if at.IsZero() && len(p.m.Blackouts) > 0 {
			continue // it lasts until the end
		}
		if at.IsZero() {
			p.t.Fatalf("%s has no time left: it was to go out at %s, and the mission ends at %s", c.ID, c.ScheduledAt, p.m.EndsAt)
		}
		c.ScheduledAt = &at
		kept = append(kept, c)
	}
	p.posts = kept
	p.plan()
}

// twin returns the publications of the mission as if it weren't paused.
func (p *play) twin() []time.Time {
	q := &play{t: p.t, m: p.m, now: *p.m.StartsAt}
	end := p.m.EndsAt.Add(-p.m.PausedFor)
	q.m.EndsAt, q.m.PausedFor, q.m.PlannedFrom, q.m.Owed, q.m.NextCycle = &end, 0, nil, 0, 0
	q.run(end)
	return q.published
}

// longest returns how long a gap may be by the mission's cadence, its pauses and blackouts.
func (p *play) longest(gap span) time.Duration {
	days := map[Cadence]int{Daily: 1, Weekdays: 3, Weekly: 7, Biweekly: 14, Monthly: 31}[p.m.Constraints.Cadence]
	if len(p.m.Constraints.PostingTimes) > p.m.Constraints.PostsPerDay {
		days++ // the days rotate through the times
	}
	most := time.Duration(days)*24*time.Hour + time.Hour // a day may have 25 hours
	around := span{gap.from.Add(-time.Millisecond), gap.to.Add(time.Millisecond)}
	spans := slices.Clone(p.pauses)
	for _, b := range p.m.Blackouts {
		spans = append(spans, span{b.StartsAt, b.EndsAt})
	}
	longest := most
	for _, s := range spans {
		if in := around.overlap(s); in > 0 {
			longest += in + most // it took a slot, or the post that it held up moved by one
		}
	}
	return longest
}

// check checks what holds however the mission was paused.
func (p *play) check() {
	t := p.t
	t.Helper()
	twin := p.twin()
	want, held := p.m.EstimatedPosts(p.now), 0
	if len(twin) != want {
		t.Fatalf("without pauses %d posts go out, want %d", len(twin), want)
	}
	var sum time.Duration
	for _, pause := range p.pauses {
		sum += pause.to.Sub(pause.from)
	}
	if end := AddDays(*p.m.StartsAt, p.m.DurationDays, p.m.Constraints.Zone()).Add(sum); !p.m.EndsAt.Equal(end) {
		t.Fatalf("the mission ends at %s, want %s", p.m.EndsAt, end)
	}
	whole := p.m.unbound()
	whole.PlannedFrom, whole.NextCycle = nil, 0
	for _, at := range whole.next(0, 1<<30, *p.m.StartsAt) {
		if slices.ContainsFunc(p.pauses, func(s span) bool { return !at.Before(s.from) && at.Before(s.to) }) {
			held++
		}
	}
	// Where days rotate through the times, a blackout takes the slot of another day's turn after a pause.
	silent := 0
	if c := p.m.Constraints; len(c.PostingTimes) > c.PostsPerDay {
		silent = len(p.m.Blackouts) * 4 * c.PostsPerDay
	}
	if c := p.m.Constraints; len(p.pauses) == 1 && c.Cadence == Daily && len(p.m.Blackouts) == 0 && len(c.PostingTimes) <= c.PostsPerDay {
		held = 0 // a day is as good as another
	}
	if n := len(p.published); n > want+silent || n < want-held-silent-p.late {
		t.Fatalf("%d posts go out, want %d, and pauses held %d slots:\n%s\ntwin %s", n, want, held, p.published, twin)
	}
	end, least := p.m.EndsAt.AddDate(0, 0, 9), 24*time.Hour
	whole.Blackouts, whole.Constraints.Cadence, whole.EndsAt = nil, Daily, &end
	for all, i := whole.next(0, 1<<30, *p.m.StartsAt), 1; i < len(all); i++ {
		least = min(least, all[i].Sub(all[i-1]))
	}
	least = min(least, 24*time.Hour/time.Duration(p.m.Constraints.PostsPerDay)) / 2
	if len(p.m.Blackouts) > 0 || p.late > 0 {
		least /= 8 // there may be no other time, or a later day that nobody knew of
	}
	for i := range max(0, len(p.published)-1) {
		gap := span{p.published[i], p.published[i+1]}
		if gap.to.Sub(gap.from) < least {
			t.Fatalf("posts go out at %s and %s, want %s between them:\n%s", gap.from, gap.to, least, p.published)
		}
		if length, most := gap.to.Sub(gap.from), p.longest(gap); length > most {
			t.Fatalf("nothing goes out from %s to %s, want %s at most:\n%s", gap.from, gap.to, most, p.published)
		}
	}
	if len(p.pauses) > 0 {
		out := p.published[p.before:]
		late := len(p.planned) > 0 && p.planned[0].Before(p.since) // of a job that begins at once
		if len(out) != len(p.planned) || !late && !slices.EqualFunc(out, p.planned, time.Time.Equal) {
			t.Fatalf("after the last pause, posts go out at %s, and the calendar had %s", out, p.planned)
		}
	}
}

// drawPlay draws a mission in any zone, with any cadence, times and blackouts.
func drawPlay(t *rapid.T) *play {
	zone := rapid.SampledFrom([]string{
		"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Havana", "Pacific/Auckland",
	}).Draw(t, "zone")
	begin := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 365*24*60).Draw(t, "begin")) * time.Minute)
	return newPlay(t, begin, func(m *Mission) {
		m.Constraints.Timezone = zone
		m.Constraints.Cadence = rapid.SampledFrom([]Cadence{Daily, Daily, Daily, Weekdays, Weekly, Biweekly, Monthly}).Draw(t, "cadence")
		m.DurationDays = rapid.IntRange(1, 12).Draw(t, "days")
		if m.Constraints.Cadence != Daily {
			m.DurationDays = rapid.IntRange(1, 90).Draw(t, "long")
		}
		m.Constraints.PostsPerDay = rapid.IntRange(1, 6).Draw(t, "posts")
		times := [][]string{nil, {"09:00", "17:00"}, {"08:30"}, {"07:15", "12:00", "18:45"}, {"09:00", "10:00", "21:00", "22:30"}}
		m.Constraints.PostingTimes = rapid.SampledFrom(times).Draw(t, "times")
		for range rapid.IntRange(0, 2).Draw(t, "blackouts") * rapid.IntRange(0, 1).Draw(t, "silent") {
			from := begin.Add(time.Duration(rapid.IntRange(0, m.DurationDays*24*60).Draw(t, "from")) * time.Minute)
			length := time.Duration(rapid.IntRange(1, 3*24*60).Draw(t, "length")) * time.Minute
			m.Blackouts = append(m.Blackouts, Blackout{StartsAt: from, EndsAt: from.Add(length)})
		}
	})
}

// However a mission is paused, and given other days before its last: its end moves by the pauses exactly, it has as many
// posts as without, but for slots that the pauses took, nothing goes out in a burst, no day is left out, and the calendar
// says what comes.
func TestPauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlay(t)
		for range rapid.IntRange(1, 4).Draw(t, "pauses") {
			left := int(p.m.EndsAt.Sub(p.now) / time.Second)
			p.run(p.now.Add(time.Duration(rapid.IntRange(0, left-1).Draw(t, "run")) * time.Second))
			unit := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour}).Draw(t, "unit")
			p.pause(p.now.Add(time.Duration(rapid.IntRange(0, 150).Draw(t, "pause")) * unit))
			if days := rapid.IntRange(0, 20).Draw(t, "update"); days > p.lastDay()+1 && p.now.Before(p.m.day(p.m.DurationDays).Start) {
				p.lasting(days)
			}
		}
		p.run(*p.m.EndsAt)
		p.check()
	})
}

// A mission of four days with four posts each, paused from one hour to another.
func TestPausesOfADay(t *testing.T) {
	begin := parse(t, "2026-11-28T14:50:00Z")
	for _, tt := range []struct {
		from, to float64
		want     string
	}{
		{10, 10.5, "0 6 12 18 24 30 36 42 48 54 60 66 72 78 84 90"},
		{23.5, 24.4, "0 6 12 18 30 36 42 48 54 60 66 72 78 84 90 96"},
		{23, 25.2, "0 6 12 18 30 36 42 48 54 60 66 72 78 84 90 96"},
		{5.5, 6.5, "0 6.5 12 18 24 30 36 42 48 54 60 66 72 78 84 90"},
		{5.5, 11, "0 12 15 18 24 30 36 42 48 54 60 66 72 78 84 90"},
	} {
		p := newPlay(t, begin, func(m *Mission) { m.DurationDays, m.Constraints.PostsPerDay = 4, 4 })
		hour := func(h float64) time.Time { return begin.Add(time.Duration(h * float64(time.Hour))) }
		p.run(hour(tt.from))
		p.pause(hour(tt.to))
		p.run(*p.m.EndsAt)
		p.check()
		var got []string
		for _, at := range p.published {
			got = append(got, fmt.Sprint(at.Sub(begin).Hours()))
		}
		if fmt.Sprint(got) != "["+tt.want+"]" {
			t.Errorf("paused from %g to %g: posts go out at %v, want %s", tt.from, tt.to, got, tt.want)
		}
	}
}

// A mission that is paused for five minutes each morning, when its day begins with a post, loses none.
func TestPausedEachMorning(t *testing.T) {
	begin := parse(t, "2026-11-28T09:00:00Z")
	p := newPlay(t, begin, func(m *Mission) { m.Constraints.PostsPerDay = 2 })
	for day := range 4 {
		p.run(begin.AddDate(0, 0, day+1).Add(-time.Minute))
		p.pause(p.now.Add(5 * time.Minute))
	}
	p.run(*p.m.EndsAt)
	p.check()
	if len(p.published) != 10 {
		t.Errorf("got %d posts, want 10: %s", len(p.published), p.published)
	}
}

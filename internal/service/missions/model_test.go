package missions_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// model is the expected state of a mission, derived from the operations on it:
// without a database, tasks or times of its own.
type model struct {
	id       string
	status   mission.Status
	days     int
	starts   time.Time // of a started mission
	paused   time.Duration
	pausedAt time.Time
	events   []mission.EventType
	// published is the number of posts when the pause world.Began: it publishes none.
	published int
	excluded  []string
	// placed are the times that people chose, by the post's id.
	placed map[string]time.Time
	// repaired are the ends of posts that were reopened, by their events.
	repaired map[mission.EventType]int
}

// mentions reports whether a text mentions an excluded topic: the world's texts and
// the generated topics are plain words.
func (m *model) mentions(text string) bool {
	return slices.ContainsFunc(m.excluded, func(topic string) bool { return strings.Contains(strings.ToLower(text), topic) })
}

// ends returns the mission's end: its pauses don't count.
func (m *model) ends() time.Time { return m.starts.AddDate(0, 0, m.days).Add(m.paused) }

// play is one run: a world, and its missions with their models.
type play struct {
	*world.World

	t        *rapid.T
	faults   *database.Faults
	missions []*model
}

// TestModel runs operations of callers, time and crashes in any order, and checks
// the service against the model after each step.
func TestModel(t *testing.T) {
	for dialect, open := range testkit.Both() {
		t.Run(dialect, func(t *testing.T) {
			if dialect == "postgres" {
				testkit.SkipIfShort(t)
			}
			if checks := flag.Lookup("rapid.checks"); !testkit.Nightly() && checks.Value.String() == checks.DefValue {
				if err := checks.Value.Set("40"); err != nil {
					t.Fatal(err)
				}
				defer func() { _ = checks.Value.Set(checks.DefValue) }()
			}
			faults := &database.Faults{}
			db := open(t, store.Options{Timing: world.Timing, Database: database.Options{Faults: faults}})
			rapid.Check(t, func(rt *rapid.T) {
				p := &play{World: world.New(t, db), t: rt, faults: faults}
				rt.Repeat(map[string]func(*rapid.T){
					"create": p.create, "start": p.start, "pause": p.pause, "resume": p.resume, "complete": p.complete,
					"delete": p.remove, "update": p.update, "exclude": p.exclude, "review": p.review, "reopen": p.reopen, "rewrite": p.rewrite, "post": p.post, "place": p.place, "withhold": p.withhold, "wait": p.wait, "crash": p.crash,
					"": p.check,
				})
				p.clear()
			})
		})
	}
}

// pick chooses a mission; nil if there is none.
func (p *play) pick() *model {
	if len(p.missions) == 0 {
		return nil
	}
	return rapid.SampledFrom(p.missions).Draw(p.t, "mission")
}

func (p *play) create(*rapid.T) {
	if len(p.missions) == 2 {
		return
	}
	days, posts := rapid.IntRange(1, 4).Draw(p.t, "days"), rapid.IntRange(1, 3).Draw(p.t, "posts")
	now, approval := rapid.Bool().Draw(p.t, "at once"), rapid.Bool().Draw(p.t, "approval")
	m := p.World.Create(func(in *mission.CreateInput) {
		in.DurationDays, in.StartImmediately, in.Constraints.PostsPerDay, in.Constraints.RequireApproval = &days, &now, &posts, &approval
	})
	made := &model{id: m.ID, status: mission.StatusDraft, days: days, events: []mission.EventType{mission.EventMissionCreated}, placed: map[string]time.Time{}, repaired: map[mission.EventType]int{}}
	p.missions = append(p.missions, made)
	if now {
		p.started(made)
	}
}

func (p *play) started(m *model) {
	m.status, m.starts = mission.StatusActive, p.Clock.Now()
	m.events = append(m.events, mission.EventMissionStarted)
}

// try runs an operation that is allowed in some states, and a conflict in the others.
func (p *play) try(m *model, name string, allowed []mission.Status, do func(id string) error, then func()) {
	if m == nil {
		return
	}
	err := do(m.id)
	if ok := slices.Contains(allowed, m.status); ok != (err == nil) || err != nil && mission.CodeOf(err) != mission.CodeConflict {
		p.t.Fatalf("%s of a mission that is %s returned %v", name, m.status, err)
	} else if ok {
		then()
	}
}

var ctx = context.Background()

func (p *play) start(*rapid.T) {
	m := p.pick()
	p.try(m, "start", []mission.Status{mission.StatusDraft}, func(id string) error { return of(p.Missions.StartMissionNow(ctx, p.Tenant, id)) },
		func() { p.started(m) })
}

func (p *play) pause(*rapid.T) {
	m := p.pick()
	p.try(m, "pause", []mission.Status{mission.StatusActive}, func(id string) error { return of(p.Missions.PauseMission(ctx, p.Tenant, id)) }, func() {
		m.status, m.pausedAt, m.published = mission.StatusPaused, p.Clock.Now(), p.Mission(m.id).Counts.Published
		m.events = append(m.events, mission.EventMissionPaused)
	})
}

func (p *play) resume(*rapid.T) {
	m := p.pick()
	p.try(m, "resume", []mission.Status{mission.StatusPaused}, func(id string) error { return of(p.Missions.ResumeMission(ctx, p.Tenant, id)) }, func() {
		m.status = mission.StatusActive
		m.paused += p.Clock.Now().Sub(m.pausedAt)
		m.events = append(m.events, mission.EventMissionResumed)
	})
}

func (p *play) complete(*rapid.T) {
	m := p.pick()
	p.try(m, "complete", []mission.Status{mission.StatusActive, mission.StatusPaused},
		func(id string) error { return of(p.Missions.CompleteMission(ctx, p.Tenant, id)) },
		func() {
			m.status = mission.StatusCompleted
			m.events = append(m.events, mission.EventMissionCompleted)
		})
}

func (p *play) remove(*rapid.T) {
	m := p.pick()
	p.try(m, "delete", []mission.Status{mission.StatusDraft, mission.StatusPaused, mission.StatusCompleted},
		func(id string) error { return p.Missions.DeleteMission(ctx, p.Tenant, id) },
		func() { p.missions = slices.DeleteFunc(p.missions, func(other *model) bool { return other == m }) })
}

// update changes a mission's duration; one that would end the mission in the past is
// refused.
func (p *play) update(*rapid.T) {
	m := p.pick()
	if m == nil {
		return
	}
	days := rapid.IntRange(1, 5).Draw(p.t, "days")
	err := of(p.Missions.UpdateMission(ctx, p.Tenant, m.id, mission.UpdateInput{DurationDays: mission.Some(days)}))
	changed := *m
	changed.days = days
	now := p.Clock.Now()
	if m.status == mission.StatusPaused {
		now = m.pausedAt
	}
	want := mission.Code("")
	switch {
	case m.status == mission.StatusCompleted:
		want = mission.CodeConflict
	case m.status != mission.StatusDraft && days != m.days && !changed.ends().After(now):
		want = mission.CodeInvalidRequest
	default:
		m.days = days
		maps.DeleteFunc(m.placed, func(_ string, at time.Time) bool { return !at.Before(m.ends()) }) // they move before the end
	}
	if mission.CodeOf(err) != want {
		p.t.Fatalf("%d days for a mission that is %s returned %v, want %q", days, m.status, err, want)
	}
}

// exclude replaces a mission's excluded topics by words of the writer's texts, or of
// people's.
func (p *play) exclude(*rapid.T) {
	m := p.pick()
	if m == nil {
		return
	}
	topics := rapid.SampledFrom([][]string{{}, {"hand"}, {"question", "story"}, {"insight", "hand", "myth"}}).Draw(p.t, "topics")
	err := of(p.Missions.UpdateMission(ctx, p.Tenant, m.id, exclusion(topics...)))
	want := mission.Code("")
	if m.status == mission.StatusCompleted {
		want = mission.CodeConflict
	} else {
		m.excluded = topics
	}
	if mission.CodeOf(err) != want {
		p.t.Fatalf("excluding %v from a mission that is %s returned %v, want %q", topics, m.status, err, want)
	}
}

// waiting chooses a post of a mission in review.
func (p *play) waiting(m *model) (mission.Content, bool) {
	if m == nil {
		return mission.Content{}, false
	}
	part, err := p.Missions.Contents(ctx, p.Tenant, store.ContentFilter{MissionID: m.id, Status: mission.ContentPendingReview}, store.Page{Limit: 50})
	p.Must(err)
	if len(part.List) == 0 {
		return mission.Content{}, false
	}
	return rapid.SampledFrom(part.List).Draw(p.t, "post"), true
}

func (p *play) review(*rapid.T) {
	m := p.pick()
	c, ok := p.waiting(m)
	if !ok {
		return
	}
	if rapid.IntRange(0, 3).Draw(p.t, "verdict") > 0 {
		err := of(p.Missions.ApproveContent(ctx, p.Tenant, c.ID, &c.Revision))
		if breaks := m.mentions(c.Text); breaks != (err != nil) || breaks && mission.CodeOf(err) != mission.CodeConflict {
			p.t.Fatalf("approving %q, where %v is excluded, returned %v", c.Text, m.excluded, err)
		}
		return
	}
	p.Must(of(p.Missions.RejectContent(ctx, p.Tenant, c.ID, "no", &c.Revision)))
}

// rewrite edits or regenerates some post, in any state.
func (p *play) rewrite(*rapid.T) {
	m := p.pick()
	if m == nil {
		return
	}
	part, err := p.Missions.Contents(ctx, p.Tenant, store.ContentFilter{MissionID: m.id}, store.Page{Limit: 50})
	p.Must(err)
	if len(part.List) == 0 {
		return
	}
	c := rapid.SampledFrom(part.List).Draw(p.t, "post")
	revisable := c.CheckRevisable("changed") == nil && m.status != mission.StatusCompleted
	want := mission.CodeConflict
	if rapid.Bool().Draw(p.t, "by hand") {
		const text = "By hand."
		if revisable && m.mentions(text) {
			revisable, want = false, mission.CodeInvalidRequest
		}
		err = of(p.Missions.EditContent(ctx, p.Tenant, c.ID, withText(text)))
	} else {
		// The writer's text names the angle of the post's slot, whatever was excluded since.
		revisable = revisable && m.status == mission.StatusActive && c.Origin == mission.OriginWriter && !m.mentions(string(c.Angle))
		err = of(p.Missions.RegenerateContent(ctx, p.Tenant, c.ID, "anew", nil))
	}
	if (err == nil) != revisable || err != nil && mission.CodeOf(err) != want {
		p.t.Fatalf("a new text for a post that is %s, of a mission that is %s, returned %v", c.Status, m.status, err)
	}
}

// instant draws a time that a person chooses for a post of a mission.
func (p *play) instant() time.Time {
	return p.Clock.Now().Add(time.Duration(rapid.IntRange(-30, 100).Draw(p.t, "half hours")) * 30 * time.Minute).Truncate(30 * time.Minute)
}

// slotError returns the code of the error for a time that a person chooses for a post on a
// platform, other than id, or "".
func (p *play) slotError(m *model, at time.Time, id string, to mission.Destination) mission.Code {
	if !at.After(p.Clock.Now()) || !at.Before(m.ends()) {
		return mission.CodeInvalidRequest
	}
	part, err := p.Missions.Contents(ctx, p.Tenant, store.ContentFilter{MissionID: m.id}, store.Page{Limit: store.MaxPage})
	p.Must(err)
	if mission.Taken(slices.DeleteFunc(part.List, func(c mission.Content) bool { return c.Status.Settled() }), id, to, at) {
		return mission.CodeConflict
	}
	return ""
}

// post makes a post by hand.
func (p *play) post(*rapid.T) {
	m := p.pick()
	if m == nil {
		return
	}
	text := rapid.SampledFrom([]string{"By hand.", "Hello, world."}).Draw(p.t, "text")
	in := missions.ContentInput{MissionID: m.id, Platform: p.Mission(m.id).Platforms[0], Text: &text}
	want := mission.Code("")
	if rapid.Bool().Draw(p.t, "placed") {
		at := p.instant()
		in.ScheduledAt = &at
		if m.status != mission.StatusDraft {
			want = p.slotError(m, at, "", mission.Destination{Platform: in.Platform})
		}
	}
	switch {
	case m.status == mission.StatusDraft || m.status == mission.StatusCompleted:
		want = mission.CodeConflict
	case m.mentions(text):
		want = mission.CodeInvalidRequest
	}
	c, err := p.Missions.CreateContent(ctx, p.Tenant, in)
	if noTime := in.ScheduledAt == nil && want == "" && mission.CodeOf(err) == mission.CodeConflict; noTime && m.ends().Sub(p.Clock.Now()) < 2*time.Hour {
		return
	}
	if mission.CodeOf(err) != want {
		p.t.Fatalf("a post at %v of a mission that is %s returned %v, want %q", in.ScheduledAt, m.status, err, want)
	}
	if err == nil && in.ScheduledAt != nil {
		m.placed[c.ID] = *c.ScheduledAt
	}
}

// some chooses a post of a mission.
func (p *play) some(m *model) (mission.Content, bool) {
	if m == nil {
		return mission.Content{}, false
	}
	part, err := p.Missions.Contents(ctx, p.Tenant, store.ContentFilter{MissionID: m.id}, store.Page{Limit: store.MaxPage})
	p.Must(err)
	if len(part.List) == 0 {
		return mission.Content{}, false
	}
	return rapid.SampledFrom(part.List).Draw(p.t, "post"), true
}

// waits reports whether a post waits for review or for its slot.
func waits(m *model, c mission.Content) bool {
	return m.status != mission.StatusCompleted && !c.Status.Settled() && c.Status != mission.ContentPublishing && c.Status != mission.ContentUnknown && !c.MayBePublished()
}

// place moves some post, in any state.
func (p *play) place(*rapid.T) {
	m := p.pick()
	c, ok := p.some(m)
	if !ok {
		return
	}
	at, want := p.instant(), mission.CodeConflict
	if waits(m, c) {
		want = p.slotError(m, at, c.ID, c.Destination())
	}
	if err := of(p.Missions.RescheduleContent(ctx, p.Tenant, c.ID, at)); mission.CodeOf(err) != want {
		p.t.Fatalf("%s for a post that is %s, of a mission that is %s, returned %v, want %q", at, c.Status, m.status, err, want)
	}
	if want == "" {
		m.placed[c.ID] = at
	}
}

// withhold cancels some post, in any state.
func (p *play) withhold(*rapid.T) {
	m := p.pick()
	c, ok := p.some(m)
	if !ok {
		return
	}
	want := mission.CodeConflict
	if waits(m, c) {
		want = ""
	}
	if err := of(p.Missions.CancelContent(ctx, p.Tenant, c.ID)); mission.CodeOf(err) != want {
		p.t.Fatalf("canceling a post that is %s, of a mission that is %s, returned %v, want %q", c.Status, m.status, err, want)
	}
}

// reopen takes back what was decided about some post, in any state.
func (p *play) reopen(*rapid.T) {
	m := p.pick()
	c, ok := p.some(m)
	if !ok {
		return
	}
	want := mission.CodeConflict
	switch {
	case c.MayBePublished():
	case c.Status.Settled() && c.Status != mission.ContentPublished, waits(m, c) && c.Status != mission.ContentPendingReview && c.ReviewedAt != nil:
		want = ""
	}
	if m.status == mission.StatusCompleted {
		want = mission.CodeConflict
	}
	got, err := p.Missions.ReopenContent(ctx, p.Tenant, c.ID)
	if noTime := want == "" && mission.CodeOf(err) == mission.CodeConflict; noTime && m.ends().Sub(p.Clock.Now()) < 2*time.Hour {
		return
	}
	if mission.CodeOf(err) != want {
		p.t.Fatalf("reopening a post that is %s, of a mission that is %s, returned %v, want %q", c.Status, m.status, err, want)
	}
	if err == nil && got.Status != mission.ContentPendingReview {
		p.t.Fatalf("a reopened post is %s", got.Status)
	}
	if event, ended := endEvents[c.Status]; err == nil && ended {
		m.repaired[event]++
	}
	if _, placed := m.placed[c.ID]; err == nil && placed {
		m.placed[c.ID] = *got.ScheduledAt // another has the time by now
	}
}

// checkPlaced checks that posts stay where people put them as long as their time lies ahead.
func (p *play) checkPlaced(m *model) {
	for id, at := range m.placed {
		c, err := p.Missions.Content(ctx, p.Tenant, id)
		p.Must(err)
		ahead := at.After(p.Clock.Now()) && at.Before(m.ends()) && !c.Status.Settled()
		if ahead && !c.ScheduledAt.Equal(at) {
			p.t.Fatalf("a person put a post at %s, it is at %s", at, c.ScheduledAt)
		}
	}
}

// wait advances the clock, from task to task.
func (p *play) wait(*rapid.T) {
	p.pass(time.Duration(rapid.IntRange(0, 30*60).Draw(p.t, "minutes")) * time.Minute)
}

func (p *play) pass(d time.Duration) {
	p.Pass(d)
	p.ended()
}

// ended ends the models whose time has come.
func (p *play) ended() {
	for _, m := range p.missions {
		if m.status == mission.StatusActive && !p.Clock.Now().Before(m.ends()) {
			m.status = mission.StatusCompleted
			m.events = append(m.events, mission.EventMissionCompleted)
		}
	}
}

// crash crashes the process at one of the next statements of its tasks, and starts
// another.
func (p *play) crash(*rapid.T) {
	n := rapid.Int64Range(1, 60).Draw(p.t, "statement")
	p.CrashesAt(p.faults, n, func() { p.Step() })
	p.ExpireLeases()
	p.Step()
	p.ended()
}

// check compares every mission with its model.
func (p *play) check(*rapid.T) {
	for _, m := range p.missions {
		got := p.Mission(m.id)
		if got.Status != m.status {
			p.t.Fatalf("got the mission %s, want %s", got.Status, m.status)
		}
		if m.status != mission.StatusDraft && m.status != mission.StatusCompleted && !got.EndsAt.Equal(m.ends()) {
			p.t.Fatalf("got its end %s, want %s", got.EndsAt, m.ends())
		}
		if m.status == mission.StatusPaused && got.Counts.Published != m.published {
			p.t.Fatalf("%d posts were published in a pause", got.Counts.Published-m.published)
		}
		p.checkEvents(m)
		p.checkPosts(m, got)
		p.checkExclusions(m)
		p.checkPlaced(m)
	}
}

// checkEvents checks that the log has one event for each transition, in order.
func (p *play) checkEvents(m *model) {
	events := slices.DeleteFunc(p.Events(m.id), func(e mission.EventType) bool { return e[:8] != "mission." })
	if !slices.Equal(events, m.events) {
		p.t.Fatalf("got its events %v, want %v", events, m.events)
	}
}

// checkExclusions checks the posts that may be published, and the verdicts of the
// others, against the exclusions.
func (p *play) checkExclusions(m *model) {
	part, err := p.Missions.Contents(ctx, p.Tenant, store.ContentFilter{MissionID: m.id}, store.Page{Limit: store.MaxPage})
	p.Must(err)
	for _, c := range part.List {
		switch c.Status {
		case mission.ContentApproved, mission.ContentScheduled:
			if m.mentions(c.Text) && !c.MayBePublished() {
				p.t.Fatalf("the post %q is %s, though %v is excluded", c.Text, c.Status, m.excluded)
			}
		case mission.ContentPendingReview:
			if c.Verdict.Passed() == m.mentions(c.Text) {
				p.t.Fatalf("the verdict of the post %q is %+v, though %v is excluded", c.Text, c.Verdict, m.excluded)
			}
		default:
		}
	}
}

// endEvents are the events of posts' ends, by their states.
var endEvents = map[mission.ContentStatus]mission.EventType{
	mission.ContentExpired: mission.EventContentExpired, mission.ContentCanceled: mission.EventContentCanceled,
}

// checkEnds checks that the log has one event for each time that a post expired or was
// canceled, and that nothing is scheduled outside the mission's time.
func (p *play) checkEnds(of *model, m mission.Mission, posts []mission.Content) {
	want, got := maps.Clone(of.repaired), map[mission.EventType]int{}
	for _, c := range posts {
		switch c.Status {
		case mission.ContentExpired, mission.ContentCanceled:
			want[endEvents[c.Status]]++
		case mission.ContentPendingReview:
			if c.ExpiresAt == nil || m.Status == mission.StatusActive && c.Expired(p.Clock.Now().Add(-time.Millisecond)) {
				p.t.Fatalf("a post is in review until %s at %s", c.ExpiresAt, p.Clock.Now())
			}
		case mission.ContentScheduled:
			if !c.ScheduledAt.Before(*m.EndsAt) {
				p.t.Fatalf("a post is scheduled at %s, the mission ends at %s", c.ScheduledAt, m.EndsAt)
			}
		default:
		}
	}
	for _, e := range p.Events(m.ID) {
		if e == mission.EventContentExpired || e == mission.EventContentCanceled {
			got[e]++
		}
	}
	if !maps.Equal(got, want) {
		p.t.Fatalf("got %v events of ends, want %v", got, want)
	}
}

// checkPosts checks the counters against the stored posts, and the platform for one
// publication of each post and in each slot.
func (p *play) checkPosts(of *model, m mission.Mission) {
	filter := store.ContentFilter{MissionID: m.ID}
	part, err := p.Missions.Contents(ctx, p.Tenant, filter, store.Page{Limit: store.MaxPage})
	p.Must(err)
	total, err := p.Missions.CountContents(ctx, p.Tenant, filter)
	p.Must(err)
	var counted mission.ContentCounts
	slots, byStatus := map[string]bool{}, map[mission.ContentStatus]int{}
	for _, c := range part.List {
		counted = counted.Plus(mission.Moved("", c.Status))
		byStatus[c.Status]++
		slot := fmt.Sprint(c.ScheduledAt.UnixMilli())
		if c.Placed { // on another account, another post may have it
			slot += string(c.Platform)
		}
		out := c.Status == mission.ContentPublished && c.Origin == mission.OriginWriter // a plan doesn't know people's
		if !c.Status.Settled() || out {
			if slots[slot] {
				p.t.Fatalf("two posts share the slot %s", c.ScheduledAt)
			}
			slots[slot] = true
		}
	}
	p.checkEnds(of, m, part.List)
	if part.More || total != len(part.List) || counted != m.Counts {
		p.t.Fatalf("got the counts %[2]d and %+[3]v of %[1]d posts, want %+[4]v", len(part.List), total, m.Counts, counted)
	}
	for status, n := range byStatus {
		filter.Status = status
		if got, err := p.Missions.CountContents(ctx, p.Tenant, filter); err != nil || got != n {
			p.t.Fatalf("%d posts are %s, got the count %d, %v", n, status, got, err)
		}
	}
	posts, err := p.DB.SandboxPosts(ctx, m.ID)
	p.Must(err)
	on := map[string]int{} // the parts, by post
	for _, post := range posts {
		if post.Part != on[post.ContentID] {
			p.t.Fatalf("part %d of %s is on the platform after %d", post.Part, post.ContentID, on[post.ContentID])
		}
		on[post.ContentID]++
	}
	if len(on) != byStatus[mission.ContentPublished] {
		p.t.Fatalf("the platform has %d posts, %d are published", len(on), byStatus[mission.ContentPublished])
	}
}

// clear ends and deletes all missions; afterwards no task is left, and all counters
// are zero.
func (p *play) clear() {
	for _, m := range slices.Clone(p.missions) {
		if m.status == mission.StatusActive {
			p.Must(of(p.Missions.CompleteMission(ctx, p.Tenant, m.id)))
		}
		p.Must(p.Missions.DeleteMission(ctx, p.Tenant, m.id))
	}
	p.Step() // e-mails that are due
	if _, waits, err := p.DB.NextDispatch(ctx); err != nil || waits {
		p.t.Fatalf("a task is left: %v", err)
	}
	n, err := p.Missions.CountContents(ctx, p.Tenant, store.ContentFilter{})
	if err != nil || n != 0 {
		p.t.Fatalf("%d posts are still counted, %v", n, err)
	}
}

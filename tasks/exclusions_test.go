package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/service"
	"missiond/mission"
)

// exclude replaces a mission's excluded topics.
func (w *world) exclude(id string, topics ...string) {
	w.t.Helper()
	_, err := w.service.UpdateMission(context.Background(), w.tenant, id, exclusion(topics...))
	w.must(err)
}

func exclusion(topics ...string) mission.UpdateInput {
	return mission.UpdateInput{Constraints: mission.ConstraintsUpdate{ExcludedTopics: append([]string{}, topics...)}}
}

// excludeByBrand replaces the excluded topics of the tenant's brand.
func (w *world) excludeByBrand(topics ...string) {
	w.t.Helper()
	in := mission.TenantInput{Brand: &mission.BrandInput{ExcludedTopics: append([]string{}, topics...)}}
	_, err := w.worker.parts.Accounts.UpdateTenant(context.Background(), w.tenant, in)
	w.must(err)
}

// says gives a post a text.
func (w *world) says(id, text string) {
	w.t.Helper()
	_, err := w.service.EditContent(context.Background(), w.tenant, id, serviceEdit(text))
	w.must(err)
}

func (w *world) content(id string) mission.Content {
	w.t.Helper()
	c, err := w.service.Content(context.Background(), w.tenant, id)
	w.must(err)
	return c
}

// fourADay has a mission of one day post each six hours, the first at once.
func fourADay(in *mission.CreateInput) {
	posts, days := 4, 1
	in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
}

// An exclusion that is added while a cycle runs holds for the posts that are
// scheduled: one that breaks it waits for review, though the mission needs none,
// and can't be approved while it does.
func TestExclusionsHoldAtOnce(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(fourADay)
		w.step() // the first is out
		list := w.all(m.ID)
		w.says(list[1].ID, "All about gardens.")
		w.says(list[2].ID, "A garden for everyone.")
		w.exclude(m.ID, "weather", "GARDEN")

		for i, c := range list {
			want := []mission.ContentStatus{mission.ContentPublished, mission.ContentPendingReview, mission.ContentPendingReview, mission.ContentScheduled}[i]
			if got := w.content(c.ID); got.Status != want || !got.ScheduledAt.Equal(*c.ScheduledAt) {
				t.Errorf("the post %q is %s at %s, want %s at %s", got.Text, got.Status, got.ScheduledAt, want, c.ScheduledAt)
			}
		}
		held := w.content(list[1].ID)
		if want := (mission.Verdict{ExcludedTopic: "GARDEN", TopicsChecked: 2}); held.Verdict != want || held.ReviewedAt != nil || held.Revision != 2 {
			t.Errorf("the post is held as %+v", held)
		}
		if want := (mission.ContentCounts{Generated: 4, PendingReview: 2, Approved: 2, Published: 1, Scheduled: 1}); w.mission(m.ID).Counts != want {
			t.Errorf("the counts are %+v, want %+v", w.mission(m.ID).Counts, want)
		}
		if told := w.events(m.ID); !slices.Equal(told[len(told)-2:], []mission.EventType{mission.EventContentHeld, mission.EventContentHeld}) {
			t.Errorf("the events are %v", told)
		}
		_, err := w.service.ApproveContent(ctx, w.tenant, held.ID, nil)
		wantCode(t, err, mission.CodeConflict)
		_, err = w.service.ApproveContents(ctx, w.tenant, []string{list[1].ID, list[2].ID})
		wantCode(t, err, mission.CodeConflict)
		_, err = w.service.EditContent(ctx, w.tenant, held.ID, serviceEdit("Our greenhouse."))
		w.must(err)
		_, err = w.service.EditContent(ctx, w.tenant, held.ID, serviceEdit("Our Gardens."))
		wantCode(t, err, mission.CodeInvalidRequest)
		w.clock.Advance(20 * time.Hour)
		for _, task := range w.due() {
			if task.Subject == list[2].ID {
				t.Errorf("a post that is held back has a task %s", task.Type)
			}
			w.run(task.ID)
		}
		w.step()
		if n := len(w.posts(m.ID)); n != 3 {
			t.Errorf("%d posts are out, want the first, the last and the one with another text", n)
		}
		w.exclude(m.ID)
		approved, err := w.service.ApproveContent(ctx, w.tenant, list[2].ID, nil)
		w.must(err)
		if !approved.Verdict.Passed() || approved.Status != mission.ContentScheduled {
			t.Errorf("once nothing is excluded the post is %s, %+v", approved.Status, approved.Verdict)
		}
		w.idle()
		if c := w.content(list[2].ID); c.Status != mission.ContentPublished {
			t.Errorf("the post is %s", c.Status)
		}
	})
}

// A post that is held back and that nobody sees to ends with its cycle, as any
// other does; the job goes on.
func TestHeldPostsExpire(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(fourADay)
		w.step()
		list := w.all(m.ID)
		w.says(list[1].ID, "All about gardens.")
		w.exclude(m.ID, "garden")
		w.idle()
		j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if c := w.content(list[1].ID); c.Status.Settled() == false || c.Status == mission.ContentPublished || j.Status != mission.RunCompleted {
			t.Errorf("the post is %s, the job %s", c.Status, j.Status)
		}
		if n := len(w.posts(m.ID)); n != 3 {
			t.Errorf("%d posts are out, want 3", n)
		}
	})
}

// A brand's exclusions hold for all missions of its tenant, those that are paused
// too, and for no other tenant's.
func TestBrandExclusionsHoldForEveryMission(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		runs, paused := w.create(fourADay), w.create(fourADay)
		own := w.tenant
		w.tenant = w.makeTenant("Other")
		other := w.create(fourADay)
		w.step()
		others := w.all(other.ID)[1]
		w.says(others.ID, "All about gardens.")
		w.tenant = own
		var ids []string
		for _, m := range []mission.Mission{runs, paused} {
			c := w.all(m.ID)[1]
			w.says(c.ID, "All about gardens.")
			ids = append(ids, c.ID)
		}
		_, err := w.service.PauseMission(ctx, w.tenant, paused.ID)
		w.must(err)
		w.excludeByBrand("garden")
		w.step()
		for _, id := range ids {
			if c := w.content(id); c.Status != mission.ContentPendingReview || c.Verdict.ExcludedTopic != "garden" {
				t.Errorf("the post is %s, %+v", c.Status, c.Verdict)
			}
		}
		_, err = w.service.ResumeMission(ctx, w.tenant, paused.ID)
		w.must(err)
		w.idle()
		for _, m := range []mission.Mission{runs, paused} {
			if n := len(w.posts(m.ID)); n != 3 {
				t.Errorf("%d posts of a mission are out, want 3", n)
			}
		}
		theirs, err := w.db.Content(ctx, others.TenantID, others.ID)
		w.must(err)
		if theirs.Status != mission.ContentPublished {
			t.Errorf("another tenant's post is %s", theirs.Status)
		}
	})
}

// A tenant may have any number of missions: a run goes through some of them, and
// leaves the others to the next.
func TestBrandExclusionsGoThroughMissionsInSteps(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		const missions = 55 // more than a run takes
		for range missions - 1 {
			m := w.create(nil)
			_, err := w.service.PauseMission(context.Background(), w.tenant, m.ID)
			w.must(err)
		}
		last := w.create(fourADay)
		w.step()
		c := w.all(last.ID)[1]
		w.says(c.ID, "All about gardens.")
		w.excludeByBrand("garden")
		runs := 0
		for tasks := w.due(); len(tasks) > 0; tasks = w.due() {
			for _, task := range tasks {
				if task.Type == mission.TaskTenantRecheck {
					runs++
				}
				w.run(task.ID)
			}
		}
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview || runs != 2 {
			t.Errorf("after %d runs the last mission's post is %s", runs, got.Status)
		}
	})
}

// What was overtaken on its way to the posts holds all the same: right before it
// is published, a post is looked at once more.
func TestExclusionsHoldBeforePublishing(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(fourADay)
		w.step()
		c := w.all(m.ID)[1]
		w.says(c.ID, "All about gardens.")
		w.excludeByBrand("garden")
		w.clock.Advance(c.ScheduledAt.Sub(w.clock.Now()))
		for _, task := range w.due() {
			if task.Type == mission.TaskContentPublish {
				w.run(task.ID)
			}
		}
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview || got.Verdict.ExcludedTopic != "garden" {
			t.Errorf("the post is %s, %+v", got.Status, got.Verdict)
		}
		w.onPlatform(m.ID, 1)
		if told := w.events(m.ID); told[len(told)-1] != mission.EventContentHeld {
			t.Errorf("the events are %v", told)
		}
		w.idle()
		w.onPlatform(m.ID, 3)
	})
}

// A post that its platform has in part, or may have, can't be held back: what is
// left of it isn't sent, and it has failed.
func TestExclusionsHoldForPostsThatWereBegun(t *testing.T) {
	for name, tt := range map[string]struct {
		writer  service.Writer
		answers []error
		code    string
		parts   int
	}{
		"half a thread": {threadWriter{}, []error{nil, outcome(mission.OutcomeNotTaken)}, mission.CodeExcludedTopic, 1},
		"in doubt":      {plainWriter{}, []error{errors.New("connection reset")}, mission.CodeNeverKnown, 0},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				platform := &scripted{Publisher: w.worker.parts.Publisher, answers: tt.answers}
				w.worker.parts.Publisher, w.writer.Writer = platform, tt.writer
				one := 1
				m := w.create(onTwitter(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &one }))
				w.step()
				begun := w.all(m.ID)[0]
				w.exclude(m.ID, "show", "two")
				if c := w.content(begun.ID); c.Status != begun.Status || platform.calls != len(tt.answers) {
					t.Fatalf("after %d calls a post that was %s is %s", platform.calls, begun.Status, c.Status)
				}
				w.over(m.ID)
				got := w.content(begun.ID)
				if got.Status != mission.ContentFailed || got.Error == nil || got.Error.Code != tt.code || len(got.Published) != tt.parts {
					t.Errorf("the post is %s with %d parts, %+v", got.Status, len(got.Published), got.Error)
				}
				if platform.calls != len(tt.answers) {
					t.Errorf("the platform was called %d times, want %d", platform.calls, len(tt.answers))
				}
			})
		})
	}
}

// meddler is a writer whose mission's exclusions change while it writes its first
// post.
type meddler struct {
	plainWriter

	asked  *[][]string // the exclusions that it was asked to heed, post by post
	meddle func()
}

func (m meddler) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*m.asked = append(*m.asked, a.Brief.Constraints.ExcludedTopics)
	if len(*m.asked) == 1 {
		m.meddle()
	}
	return m.plainWriter.Write(ctx, a)
}

// A post that is being written when an exclusion is added is held to it, and the
// writer is told of it from the next on. The same goes for a new revision.
func TestExclusionsHoldForWhatIsBeingWritten(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		var m mission.Mission
		var asked [][]string
		w.writer.Writer = meddler{asked: &asked, meddle: func() { w.exclude(m.ID, "shows") }}
		m = w.create(fourADay)
		w.step()
		for i, c := range w.all(m.ID) {
			if c.Status != mission.ContentPendingReview || c.Verdict != (mission.Verdict{ExcludedTopic: "shows", TopicsChecked: 1}) {
				t.Errorf("post %d is %s, %+v", i, c.Status, c.Verdict)
			}
		}
		want := [][]string{{}, {"shows"}, {"shows"}, {"shows"}}
		if !slices.EqualFunc(asked, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
			t.Errorf("the writer was told %v, want %v", asked, want)
		}

		asked = nil
		w.writer.Writer = meddler{asked: &asked, meddle: func() { w.exclude(m.ID) }}
		c, err := w.service.RegenerateContent(context.Background(), w.tenant, w.all(m.ID)[3].ID, "")
		w.must(err)
		if c.Status != mission.ContentScheduled || !slices.Equal(asked[0], []string{"shows"}) {
			t.Errorf("a new revision, whose writer was told %v, is %s, %+v", asked, c.Status, c.Verdict)
		}
		w.idle()
	})
}

// An objective that is excluded by now costs the day its own posts, not the
// others'.
func TestExcludedObjectivesAreSkipped(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.writer.Writer = plainWriter{fail: func(a mission.Assignment) error {
			if a.Slot.Position == 1 {
				return mission.Invalid("objectives", "Nothing can be written about it.")
			}
			return nil
		}}
		m := w.create(fourADay)
		w.step()
		_, stage := w.contentStage(m)
		if n := len(w.all(m.ID)); n != 3 || stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Message != "Nothing can be written about it." {
			t.Errorf("%d posts are written; the stage is %s, %+v", n, stage.Status, stage.Error)
		}
		w.idle()
	})
}

// A post whose cycle is over has a day to be reviewed once it is held back.
func TestHeldPostsOfADayThatIsOverHaveADay(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		i := w.connect(mission.Twitter)
		m := w.create(onTwitter(func(in *mission.CreateInput) {
			one, days := 1, 5
			in.Constraints.PostsPerDay, in.DurationDays = &one, &days
		}))
		w.set(i, refused) // its posts wait for it
		w.step()
		c := w.all(m.ID)[0]
		for range 30 { // into the next day
			w.clock.Advance(time.Hour)
			w.step()
		}
		w.exclude(m.ID, "show")
		w.step()
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview {
			t.Fatalf("the post is %s", got.Status)
		}
		w.clock.Advance(23 * time.Hour)
		w.step()
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview {
			t.Errorf("before its day is over the post is %s", got.Status)
		}
		w.clock.Advance(2 * time.Hour)
		w.step()
		if got := w.content(c.ID); got.Status != mission.ContentExpired {
			t.Errorf("after its day the post is %s", got.Status)
		}
	})
}

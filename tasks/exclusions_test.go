package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/service/missions"
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

// setText sets a post's text.
func (w *world) setText(id, text string) {
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

// fourADay makes a mission publish a post every six hours, the first at once.
func fourADay(in *mission.CreateInput) {
	posts, days := 4, 1
	in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
}

// An exclusion that is added while a cycle runs applies to scheduled posts: one that
// violates it goes to review, even if the mission requires none, and can't be
// approved while it violates it.
func TestExclusionsHoldAtOnce(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(fourADay)
		w.step() // the first is published
		list := w.all(m.ID)
		w.setText(list[1].ID, "All about gardens.")
		w.setText(list[2].ID, "A garden for everyone.")
		w.exclude(m.ID, "weather", "GARDEN")

		for i, c := range list {
			want := []mission.ContentStatus{mission.ContentPublished, mission.ContentPendingReview, mission.ContentPendingReview, mission.ContentScheduled}[i]
			if got := w.content(c.ID); got.Status != want || !got.ScheduledAt.Equal(*c.ScheduledAt) {
				t.Errorf("got the post %q %s at %s, want %s at %s", got.Text, got.Status, got.ScheduledAt, want, c.ScheduledAt)
			}
		}
		held := w.content(list[1].ID)
		if want := (mission.Verdict{ExcludedTopic: "GARDEN", TopicsChecked: 2}); held.Verdict != want || held.ReviewedAt != nil || held.Revision != 2 {
			t.Errorf("got the held post %+v", held)
		}
		if want := (mission.ContentCounts{Generated: 4, PendingReview: 2, Approved: 2, Published: 1, Scheduled: 1}); w.mission(m.ID).Counts != want {
			t.Errorf("got the counts %+v, want %+v", w.mission(m.ID).Counts, want)
		}
		if events := w.events(m.ID); !slices.Equal(events[len(events)-2:], []mission.EventType{mission.EventContentHeld, mission.EventContentHeld}) {
			t.Errorf("got the events %v", events)
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
				t.Errorf("a held post has a task %s", task.Type)
			}
			w.run(task.ID)
		}
		w.step()
		if n := len(w.posts(m.ID)); n != 3 {
			t.Errorf("got %d published posts, want the first, the last and the one with another text", n)
		}
		w.exclude(m.ID)
		approved, err := w.service.ApproveContent(ctx, w.tenant, list[2].ID, nil)
		w.must(err)
		if !approved.Verdict.Passed() || approved.Status != mission.ContentScheduled {
			t.Errorf("without exclusions got the post %s, %+v", approved.Status, approved.Verdict)
		}
		w.idle()
		if c := w.content(list[2].ID); c.Status != mission.ContentPublished {
			t.Errorf("got the post %s", c.Status)
		}
	})
}

// A held post that nobody reviews expires with its cycle, as any other does; the job
// continues.
func TestHeldPostsExpire(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(fourADay)
		w.step()
		list := w.all(m.ID)
		w.setText(list[1].ID, "All about gardens.")
		w.exclude(m.ID, "garden")
		w.idle()
		j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if c := w.content(list[1].ID); c.Status.Settled() == false || c.Status == mission.ContentPublished || j.Status != mission.RunCompleted {
			t.Errorf("got the post %s, the job %s", c.Status, j.Status)
		}
		if n := len(w.posts(m.ID)); n != 3 {
			t.Errorf("got %d published posts, want 3", n)
		}
	})
}

// A brand's exclusions apply to all missions of its tenant, including paused ones,
// and to no other tenant's.
func TestBrandExclusionsHoldForEveryMission(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		runs, paused := w.create(fourADay), w.create(fourADay)
		own := w.tenant
		w.tenant = w.makeTenant("Other")
		other := w.create(fourADay)
		w.step()
		others := w.all(other.ID)[1]
		w.setText(others.ID, "All about gardens.")
		w.tenant = own
		var ids []string
		for _, m := range []mission.Mission{runs, paused} {
			c := w.all(m.ID)[1]
			w.setText(c.ID, "All about gardens.")
			ids = append(ids, c.ID)
		}
		_, err := w.service.PauseMission(ctx, w.tenant, paused.ID)
		w.must(err)
		w.excludeByBrand("garden")
		w.step()
		for _, id := range ids {
			if c := w.content(id); c.Status != mission.ContentPendingReview || c.Verdict.ExcludedTopic != "garden" {
				t.Errorf("got the post %s, %+v", c.Status, c.Verdict)
			}
		}
		_, err = w.service.ResumeMission(ctx, w.tenant, paused.ID)
		w.must(err)
		w.idle()
		for _, m := range []mission.Mission{runs, paused} {
			if n := len(w.posts(m.ID)); n != 3 {
				t.Errorf("got %d published posts of a mission, want 3", n)
			}
		}
		theirs, err := w.db.Content(ctx, others.TenantID, others.ID)
		w.must(err)
		if theirs.Status != mission.ContentPublished {
			t.Errorf("got another tenant's post %s", theirs.Status)
		}
	})
}

// A tenant may have any number of missions: a run checks some of them, and leaves
// the others to the next.
func TestBrandExclusionsGoThroughMissionsInSteps(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		const missions = 55 // more than a run checks
		for range missions - 1 {
			m := w.create(nil)
			_, err := w.service.PauseMission(context.Background(), w.tenant, m.ID)
			w.must(err)
		}
		last := w.create(fourADay)
		w.step()
		c := w.all(last.ID)[1]
		w.setText(c.ID, "All about gardens.")
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
			t.Errorf("after %d runs got the last mission's post %s", runs, got.Status)
		}
	})
}

// An exclusion that hasn't been applied to the posts yet is enforced all the same: a
// post is checked again right before it is published.
func TestExclusionsHoldBeforePublishing(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(fourADay)
		w.step()
		c := w.all(m.ID)[1]
		w.setText(c.ID, "All about gardens.")
		w.excludeByBrand("garden")
		w.clock.Advance(c.ScheduledAt.Sub(w.clock.Now()))
		for _, task := range w.due() {
			if task.Type == mission.TaskContentPublish {
				w.run(task.ID)
			}
		}
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview || got.Verdict.ExcludedTopic != "garden" {
			t.Errorf("got the post %s, %+v", got.Status, got.Verdict)
		}
		w.onPlatform(m.ID, 1)
		if events := w.events(m.ID); events[len(events)-1] != mission.EventContentHeld {
			t.Errorf("got the events %v", events)
		}
		w.idle()
		w.onPlatform(m.ID, 3)
	})
}

// A post that its platform has in part, or may have, can't be held: the rest of it isn't
// sent, and it fails. One that its platform turns out not to have expires with its cycle.
func TestExclusionsHoldForPostsThatWereBegun(t *testing.T) {
	for name, tt := range map[string]struct {
		writer  missions.Writer
		results []error
		status  mission.ContentStatus
		parts   int
	}{
		"half a thread": {threadWriter{}, []error{nil, outcome(mission.OutcomeNotAccepted)}, mission.ContentFailed, 1},
		"in doubt":      {plainWriter{}, []error{errors.New("connection reset")}, mission.ContentExpired, 0},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				platform := &scripted{Publisher: w.worker.parts.Publisher, results: tt.results}
				w.worker.parts.Publisher, w.writer.Writer = platform, tt.writer
				one := 1
				m := w.create(onTwitter(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &one }))
				w.step()
				begun := w.all(m.ID)[0]
				w.exclude(m.ID, "show", "two")
				if c := w.content(begun.ID); c.Status != begun.Status || platform.calls != len(tt.results) {
					t.Fatalf("after %d calls a post that was %s is %s", platform.calls, begun.Status, c.Status)
				}
				w.over(m.ID)
				got := w.content(begun.ID)
				if got.Status != tt.status || len(got.Published) != tt.parts || tt.parts > 0 && (got.Error == nil || got.Error.Code != mission.CodeExcludedTopic) {
					t.Errorf("got the post %s with %d parts, %+v", got.Status, len(got.Published), got.Error)
				}
				if platform.calls != len(tt.results) {
					t.Errorf("got %d calls of the platform, want %d", platform.calls, len(tt.results))
				}
			})
		})
	}
}

// meddler is a writer whose mission's exclusions change while it writes its first
// post.
type meddler struct {
	plainWriter

	requested *[][]string // the exclusions that it was given, by post
	meddle    func()
}

func (m meddler) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*m.requested = append(*m.requested, a.Brief.Constraints.ExcludedTopics)
	if len(*m.requested) == 1 {
		m.meddle()
	}
	return m.plainWriter.Write(ctx, a)
}

// A post whose writing is under way when an exclusion is added is checked against
// it, and the writer gets it from the next post on. So is a new revision.
func TestExclusionsHoldForWhatIsBeingWritten(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		var m mission.Mission
		var requested [][]string
		w.writer.Writer = meddler{requested: &requested, meddle: func() { w.exclude(m.ID, "shows") }}
		m = w.create(fourADay)
		w.step()
		for i, c := range w.all(m.ID) {
			if c.Status != mission.ContentPendingReview || c.Verdict != (mission.Verdict{ExcludedTopic: "shows", TopicsChecked: 1}) {
				t.Errorf("got post %d %s, %+v", i, c.Status, c.Verdict)
			}
		}
		want := [][]string{{}, {"shows"}, {"shows"}, {"shows"}}
		if !slices.EqualFunc(requested, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
			t.Errorf("the writer got %v, want %v", requested, want)
		}

		requested = nil
		w.writer.Writer = meddler{requested: &requested, meddle: func() { w.exclude(m.ID) }}
		c, err := w.service.RegenerateContent(context.Background(), w.tenant, w.all(m.ID)[3].ID, "", nil)
		w.must(err)
		if c.Status != mission.ContentScheduled || !slices.Equal(requested[0], []string{"shows"}) {
			t.Errorf("a new revision, whose writer got %v, is %s, %+v", requested, c.Status, c.Verdict)
		}
		w.idle()
	})
}

// An objective that is now excluded costs the day its own posts, and no others.
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
			t.Errorf("got %d posts; the stage is %s, %+v", n, stage.Status, stage.Error)
		}
		w.idle()
	})
}

// A post that is held after the end of its cycle can be reviewed for a day.
func TestHeldPostsOfADayThatIsOverHaveADay(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		i := w.connect(mission.Twitter)
		m := w.create(onTwitter(func(in *mission.CreateInput) {
			one, days := 1, 5
			in.Constraints.PostsPerDay, in.DurationDays = &one, &days
		}))
		w.set(i, refused) // its posts wait for the integration
		w.step()
		c := w.all(m.ID)[0]
		for range 30 { // into the next day
			w.clock.Advance(time.Hour)
			w.step()
		}
		w.exclude(m.ID, "show")
		w.step()
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview {
			t.Fatalf("got the post %s", got.Status)
		}
		w.clock.Advance(23 * time.Hour)
		w.step()
		if got := w.content(c.ID); got.Status != mission.ContentPendingReview {
			t.Errorf("before the end of its day got the post %s", got.Status)
		}
		w.clock.Advance(2 * time.Hour)
		w.step()
		if got := w.content(c.ID); got.Status != mission.ContentExpired {
			t.Errorf("after its day got the post %s", got.Status)
		}
	})
}

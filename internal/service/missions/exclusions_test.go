package missions_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/admission"
	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// exclude replaces a mission's excluded topics.
func exclude(w *world.World, id string, topics ...string) {
	w.T.Helper()
	_, err := w.Missions.UpdateMission(context.Background(), w.Tenant, id, exclusion(topics...))
	w.Must(err)
}

func exclusion(topics ...string) mission.UpdateInput {
	return mission.UpdateInput{Constraints: mission.ConstraintsUpdate{ExcludedTopics: append([]string{}, topics...)}}
}

// excludeByBrand replaces the excluded topics of the tenant's brand.
func excludeByBrand(w *world.World, topics ...string) {
	w.T.Helper()
	in := mission.TenantInput{Brand: &mission.BrandInput{ExcludedTopics: append([]string{}, topics...)}}
	_, err := w.Parts.Accounts.UpdateTenant(context.Background(), w.Tenant, in)
	w.Must(err)
}

// fourADay makes a mission publish a post every six hours, the first at once.
func fourADay(in *mission.CreateInput) {
	posts, days := 4, 1
	in.Constraints.PostsPerDay, in.DurationDays = &posts, &days
}

// broke is an allowance with nothing left. It keeps how many rows were weighed.
type broke struct{ rows int }

func (b *broke) Weigh(_ context.Context, _ mission.Operation, rows int) error {
	b.rows = rows
	return mission.RateLimited(time.Second, "Nothing is left.")
}

func (*broke) Draw(context.Context, mission.Operation, int) error { return nil }

// Posts that other topics have checked again are counted and weighed before they are read.
func TestExclusionsAreWeighedBeforePostsAreRead(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		m := w.Create(fourADay)
		w.Step() // the first is published
		read, left := false, &broke{}
		faults.Listen(func(text string, _ ...any) { read = read || strings.Contains(text, `"contents"`) })
		_, err := w.Missions.UpdateMission(admission.WithAllowance(context.Background(), left), w.Tenant, m.ID, exclusion("weather"))
		faults.Listen(nil)
		world.WantCode(t, err, mission.CodeRateLimitExceeded)
		if read || left.rows != 3 {
			t.Errorf("%d posts were weighed, want 3; they were read: %t", left.rows, read)
		}
	})
}

// An exclusion that is added while a cycle runs applies to scheduled posts: one that
// violates it goes to review, even if the mission requires none, and can't be
// approved while it violates it.
func TestExclusionsHoldAtOnce(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(fourADay)
		w.Step() // the first is published
		list := w.Posts(m.ID)
		setText(w, list[1].ID, "All about gardens.")
		setText(w, list[2].ID, "A garden for everyone.")
		exclude(w, m.ID, "weather", "GARDEN")

		for i, c := range list {
			want := []mission.ContentStatus{mission.ContentPublished, mission.ContentPendingReview, mission.ContentPendingReview, mission.ContentScheduled}[i]
			if got := w.Content(c.ID); got.Status != want || !got.ScheduledAt.Equal(*c.ScheduledAt) {
				t.Errorf("got the post %q %s at %s, want %s at %s", got.Text, got.Status, got.ScheduledAt, want, c.ScheduledAt)
			}
		}
		held := w.Content(list[1].ID)
		if v := held.Verdict; v.ExcludedTopic != "GARDEN" || v.TopicsChecked != 2 || v.Passed() || held.ReviewedAt != nil || held.Revision != 2 {
			t.Errorf("got the held post %+v", held)
		}
		if want := (mission.ContentCounts{Generated: 4, PendingReview: 2, Approved: 2, Published: 1, Scheduled: 1}); w.Mission(m.ID).Counts != want {
			t.Errorf("got the counts %+v, want %+v", w.Mission(m.ID).Counts, want)
		}
		if events := w.Events(m.ID); !slices.Equal(events[len(events)-4:], []mission.EventType{mission.EventContentHeld, mission.EventReviewRequested, mission.EventContentHeld, mission.EventReviewRequested}) {
			t.Errorf("got the events %v", events)
		}
		_, err := w.Missions.ApproveContent(ctx, w.Tenant, held.ID, nil)
		world.WantCode(t, err, mission.CodeConflict)
		_, err = w.Missions.ApproveContents(ctx, w.Tenant, []string{list[1].ID, list[2].ID})
		world.WantCode(t, err, mission.CodeConflict)
		_, err = w.Missions.EditContent(ctx, w.Tenant, held.ID, withText("Our greenhouse."))
		w.Must(err)
		_, err = w.Missions.EditContent(ctx, w.Tenant, held.ID, withText("Our Gardens."))
		world.WantCode(t, err, mission.CodeInvalidRequest)
		w.Clock.Advance(20 * time.Hour)
		for _, task := range w.Due() {
			if task.Subject == list[2].ID {
				t.Errorf("a held post has a task %s", task.Type)
			}
			w.Run(task.ID)
		}
		w.Step()
		if n := len(w.Published(m.ID)); n != 3 {
			t.Errorf("got %d published posts, want the first, the last and the one with another text", n)
		}
		exclude(w, m.ID)
		approved, err := w.Missions.ApproveContent(ctx, w.Tenant, list[2].ID, nil)
		w.Must(err)
		if !approved.Verdict.Passed() || approved.Status != mission.ContentScheduled {
			t.Errorf("without exclusions got the post %s, %+v", approved.Status, approved.Verdict)
		}
		w.Idle()
		if c := w.Content(list[2].ID); c.Status != mission.ContentPublished {
			t.Errorf("got the post %s", c.Status)
		}
	})
}

// A held post that nobody reviews expires with its cycle, as any other does; the job
// continues.
func TestHeldPostsExpire(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(fourADay)
		w.Step()
		list := w.Posts(m.ID)
		setText(w, list[1].ID, "All about gardens.")
		exclude(w, m.ID, "garden")
		w.Idle()
		j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		if c := w.Content(list[1].ID); c.Status.Settled() == false || c.Status == mission.ContentPublished || j.Status != mission.RunCompleted {
			t.Errorf("got the post %s, the job %s", c.Status, j.Status)
		}
		if n := len(w.Published(m.ID)); n != 3 {
			t.Errorf("got %d published posts, want 3", n)
		}
	})
}

// A brand's exclusions apply to all missions of its tenant, including paused ones,
// and to no other tenant's.
func TestBrandExclusionsHoldForEveryMission(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		runs, paused := w.Create(fourADay), w.Create(fourADay)
		own := w.Tenant
		w.Tenant = w.NewTenant("Other")
		other := w.Create(fourADay)
		w.Step()
		others := w.Posts(other.ID)[1]
		setText(w, others.ID, "All about gardens.")
		w.Tenant = own
		var ids []string
		for _, m := range []mission.Mission{runs, paused} {
			c := w.Posts(m.ID)[1]
			setText(w, c.ID, "All about gardens.")
			ids = append(ids, c.ID)
		}
		_, err := w.Missions.PauseMission(ctx, w.Tenant, paused.ID)
		w.Must(err)
		excludeByBrand(w, "garden")
		w.Step()
		for _, id := range ids {
			if c := w.Content(id); c.Status != mission.ContentPendingReview || c.Verdict.ExcludedTopic != "garden" {
				t.Errorf("got the post %s, %+v", c.Status, c.Verdict)
			}
		}
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, paused.ID)
		w.Must(err)
		w.Idle()
		for _, m := range []mission.Mission{runs, paused} {
			if n := len(w.Published(m.ID)); n != 3 {
				t.Errorf("got %d published posts of a mission, want 3", n)
			}
		}
		theirs, err := w.DB.Content(ctx, others.TenantID, others.ID)
		w.Must(err)
		if theirs.Status != mission.ContentPublished {
			t.Errorf("got another tenant's post %s", theirs.Status)
		}
	})
}

// A tenant may have any number of missions: a run checks some of them, and leaves
// the others to the next.
func TestBrandExclusionsGoThroughMissionsInSteps(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		const missions = 55 // more than a run checks
		for range missions - 1 {
			m := w.Create(nil)
			_, err := w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
		}
		last := w.Create(fourADay)
		w.Step()
		c := w.Posts(last.ID)[1]
		setText(w, c.ID, "All about gardens.")
		excludeByBrand(w, "garden")
		runs := 0
		for tasks := w.Due(); len(tasks) > 0; tasks = w.Due() {
			for _, task := range tasks {
				if task.Type == mission.TaskTenantRecheck {
					runs++
				}
				w.Run(task.ID)
			}
		}
		if got := w.Content(c.ID); got.Status != mission.ContentPendingReview || runs != 2 {
			t.Errorf("after %d runs got the last mission's post %s", runs, got.Status)
		}
	})
}

// An exclusion that hasn't been applied to the posts yet is enforced all the same: a
// post is checked again right before it is published.
func TestExclusionsHoldBeforePublishing(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(fourADay)
		w.Step()
		c := w.Posts(m.ID)[1]
		setText(w, c.ID, "All about gardens.")
		excludeByBrand(w, "garden")
		w.Clock.Advance(c.ScheduledAt.Sub(w.Clock.Now()))
		for _, task := range w.Due() {
			if task.Type == mission.TaskContentPublish {
				w.Run(task.ID)
			}
		}
		if got := w.Content(c.ID); got.Status != mission.ContentPendingReview || got.Verdict.ExcludedTopic != "garden" {
			t.Errorf("got the post %s, %+v", got.Status, got.Verdict)
		}
		w.OnPlatform(m.ID, 1)
		if events := w.Events(m.ID); !slices.Equal(events[len(events)-2:], []mission.EventType{mission.EventContentHeld, mission.EventReviewRequested}) {
			t.Errorf("got the events %v", events)
		}
		w.Idle()
		w.OnPlatform(m.ID, 3)
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
		"in doubt":      {world.PlainWriter{}, []error{errors.New("connection reset")}, mission.ContentExpired, 0},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				platform := &scripted{Publisher: w.Parts.Publisher, results: tt.results}
				w.Parts.Publisher, w.Writer = platform, tt.writer
				one := 1
				m := w.Create(onTwitter(func(in *mission.CreateInput) { in.Constraints.PostsPerDay, in.DurationDays = &one, &one }))
				w.Step()
				begun := w.Posts(m.ID)[0]
				exclude(w, m.ID, "show", "two")
				if c := w.Content(begun.ID); c.Status != begun.Status || platform.calls != len(tt.results) {
					t.Fatalf("after %d calls a post that was %s is %s", platform.calls, begun.Status, c.Status)
				}
				w.Over(m.ID)
				got := w.Content(begun.ID)
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
	world.PlainWriter

	requested *[][]string // the exclusions that it was given, by post
	meddle    func()
}

func (m meddler) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*m.requested = append(*m.requested, a.Brief.Constraints.ExcludedTopics)
	if len(*m.requested) == 1 {
		m.meddle()
	}
	return m.PlainWriter.Write(ctx, a)
}

// A post whose writing is under way when an exclusion is added is checked against
// it, and the writer gets it from the next post on: what it writes against it is left out.
// So is a new revision.
func TestExclusionsHoldForWhatIsBeingWritten(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		var m mission.Mission
		var requested [][]string
		w.Writer = meddler{requested: &requested, meddle: func() { exclude(w, m.ID, "shows") }}
		m = w.Create(fourADay)
		w.Step()
		posts := w.Posts(m.ID)
		if c := posts[0]; len(posts) != 1 || c.Status != mission.ContentPendingReview || c.Verdict.ExcludedTopic != "shows" || c.Verdict.TopicsChecked != 1 {
			t.Errorf("got %d posts, the first %s, %+v", len(posts), c.Status, c.Verdict)
		}
		want := [][]string{{}, {"shows"}, {"shows"}, {"shows"}}
		if !slices.EqualFunc(requested, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
			t.Errorf("the writer got %v, want %v", requested, want)
		}

		requested = nil
		w.Writer = meddler{requested: &requested, meddle: func() { exclude(w, m.ID) }}
		_, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, posts[0].ID, "", nil)
		world.WantCode(t, err, mission.CodeConflict)
		c, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, posts[0].ID, "", nil)
		w.Must(err)
		if c.Status != mission.ContentScheduled || !slices.Equal(requested[0], []string{"shows"}) {
			t.Errorf("a new revision, whose writer got %v, is %s, %+v", requested, c.Status, c.Verdict)
		}
		w.Idle()
	})
}

// An objective that is now excluded costs the day its own posts, and no others.
func TestExcludedObjectivesAreSkipped(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
			if a.Slot.Position == 1 {
				return mission.Invalid("objectives", "Nothing can be written about it.")
			}
			return nil
		}}
		m := w.Create(fourADay)
		w.Step()
		_, stage := contentStage(w, m)
		if n := len(w.Posts(m.ID)); n != 3 || stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Message != "Nothing can be written about it." {
			t.Errorf("got %d posts; the stage is %s, %+v", n, stage.Status, stage.Error)
		}
		w.Idle()
	})
}

// A post that is held after the end of its cycle can be reviewed for a day.
func TestHeldPostsOfADayThatIsOverHaveADay(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.Twitter)
		m := w.Create(onTwitter(func(in *mission.CreateInput) {
			one, days := 1, 5
			in.Constraints.PostsPerDay, in.DurationDays = &one, &days
		}))
		set(w, i, refused) // its posts wait for the integration
		w.Step()
		c := w.Posts(m.ID)[0]
		for range 30 { // into the next day
			w.Clock.Advance(time.Hour)
			w.Step()
		}
		exclude(w, m.ID, "show")
		w.Step()
		if got := w.Content(c.ID); got.Status != mission.ContentPendingReview {
			t.Fatalf("got the post %s", got.Status)
		}
		w.Clock.Advance(23 * time.Hour)
		w.Step()
		if got := w.Content(c.ID); got.Status != mission.ContentPendingReview {
			t.Errorf("before the end of its day got the post %s", got.Status)
		}
		w.Clock.Advance(2 * time.Hour)
		w.Step()
		if got := w.Content(c.ID); got.Status != mission.ContentExpired {
			t.Errorf("after its day got the post %s", got.Status)
		}
	})
}

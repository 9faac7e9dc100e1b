package missions_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// commented is a platform that responds as configured to first comments, and counts the
// calls with them.
type commented struct {
	world.Publisher
	results []error // in order; nil accepts the comment, as do all later calls
	takes   bool    // whether it accepts the comment although it returns an error
	blind   bool    // whether it doesn't say whether it has a comment
	calls   int
	taken   int // without an error
}

func (p *commented) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, error) {
	if part.Content.Comment == nil || part.Index == 0 {
		return p.Publisher.Publish(ctx, via, part)
	}
	call := p.calls
	p.calls++
	if call >= len(p.results) || p.results[call] == nil {
		made, err := p.Publisher.Publish(ctx, via, part)
		if err == nil {
			p.taken++
		}
		return made, err
	}
	if p.takes {
		if _, err := p.Publisher.Publish(ctx, via, part); err != nil {
			return mission.Publication{}, err
		}
	}
	return mission.Publication{}, p.results[call]
}

func (p *commented) Find(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, bool, error) {
	if p.blind && part.Index > 0 {
		return mission.Publication{}, false, mission.ErrUnknowable
	}
	return p.Publisher.Find(ctx, via, part)
}

// withComment makes a mission with one post by hand in an hour, which has a first comment.
func withComment(w *world.World, change func(in *mission.CreateInput)) (mission.Mission, mission.Content) {
	w.T.Helper()
	one := 1
	m := w.Create(func(in *mission.CreateInput) {
		in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = []mission.Platform{mission.Mastodon}, &one, &one
		if change != nil {
			change(in)
		}
	})
	text, comment, at := "By hand.", "More about it.", w.Clock.Now().Add(time.Hour)
	c, err := w.Missions.CreateContent(context.Background(), w.Tenant, missions.ContentInput{
		MissionID: m.ID, Platform: m.Platforms[0], Text: &text, FirstComment: &comment, ScheduledAt: &at,
	})
	w.Must(err)
	return m, c
}

// What becomes of first comments; their posts stay published.
func TestFirstComments(t *testing.T) {
	lost := errors.New("connection reset")
	for name, tt := range map[string]struct {
		platform commented
		before   func(w *world.World, m mission.Mission) // the comment's task runs
		status   mission.CommentStatus
		code     string
		calls    int
		there    bool
	}{
		"taken":                      {status: mission.CommentPublished, calls: 1, there: true},
		"refused":                    {platform: commented{results: []error{outcome(mission.OutcomeRefused)}}, status: mission.CommentFailed, code: "platform_error", calls: 1},
		"not taken, then taken":      {platform: commented{results: []error{outcome(mission.OutcomeNotAccepted)}}, status: mission.CommentPublished, calls: 2, there: true},
		"no response, but accepted":  {platform: commented{results: []error{lost}, takes: true}, status: mission.CommentPublished, calls: 1, there: true},
		"no response, not accepted":  {platform: commented{results: []error{lost}}, status: mission.CommentPublished, calls: 2, there: true},
		"no response, never known":   {platform: commented{results: []error{lost}, takes: true, blind: true}, status: mission.CommentFailed, code: mission.CodeOutcomeUnknown, calls: 1, there: true},
		"not taken, and blind":       {platform: commented{results: []error{outcome(mission.OutcomeNotAccepted)}, blind: true}, status: mission.CommentPublished, calls: 2, there: true},
		"a topic excluded meanwhile": {before: func(w *world.World, m mission.Mission) { exclude(w, m.ID, "more about") }, status: mission.CommentFailed, code: mission.CodeExcludedTopic},
		"the mission ends meanwhile": {before: func(w *world.World, m mission.Mission) {
			_, err := w.Missions.CompleteMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
		}, status: mission.CommentFailed, code: mission.CodeMissionEnded},
		"a pause": {before: func(w *world.World, m mission.Mission) {
			_, err := w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
			w.Clock.Advance(time.Hour)
			w.Step()
			_, err = w.Missions.ResumeMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
		}, status: mission.CommentPublished, calls: 1, there: true},
		"a pause, and the end": {before: func(w *world.World, m mission.Mission) {
			_, err := w.Missions.PauseMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
			_, err = w.Missions.CompleteMission(context.Background(), w.Tenant, m.ID)
			w.Must(err)
		}, status: mission.CommentFailed, code: mission.CodeMissionEnded},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				platform := tt.platform
				platform.Publisher = w.Parts.Publisher
				w.Parts.Publisher = &platform
				m, c := withComment(w, nil)
				runUntil(w, mission.TaskContentComment, c.ID)
				if tt.before != nil {
					tt.before(w, m)
				}
				w.Idle()
				got := w.Content(c.ID)
				code := ""
				if got.Comment.Error != nil {
					code = got.Comment.Error.Code
				}
				if got.Status != mission.ContentPublished || got.Error != nil || len(got.Published) != 1 || got.Text != "By hand." || len(got.Parts) > 0 {
					t.Errorf("got the post %+v", got)
				}
				if got.Comment.Status != tt.status || code != tt.code || platform.calls != tt.calls || (got.Comment.URL() != nil) != (tt.status == mission.CommentPublished) {
					t.Errorf("after %d calls got the comment %+v with the error %q", platform.calls, got.Comment, code)
				}
				hasComment(w, c, tt.there)
			})
		})
	}
}

// hasComment fails the test unless the sandbox has a post once, and its comment once or,
// if it shall not be there, never.
func hasComment(w *world.World, c mission.Content, there bool) {
	w.T.Helper()
	posts, err := w.DB.SandboxPosts(context.Background(), c.MissionID)
	w.Must(err)
	times := map[int]int{}
	for _, p := range posts {
		if p.ContentID == c.ID {
			times[p.Part]++
		}
	}
	want := 0
	if there {
		want = 1
	}
	if times[0] != 1 || times[1] != want || len(times) != 1+want {
		w.T.Errorf("the platform has the post's parts %v", times)
	}
}

// A crash at any statement of the tasks that send a post and its first comment sends
// neither twice, also on a platform that can't be asked for comments.
func TestFirstCommentsSurviveCrashes(t *testing.T) {
	testkit.SkipIfShort(t)
	for name, blind := range map[string]bool{"looked up": false, "blind": true} {
		t.Run(name, func(t *testing.T) {
			world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
				alive := w.Parts.Publisher
				unsure := 0
				for n := int64(1); ; n += int64(testkit.Size(11, 5, 1, 1)) {
					platform := &commented{Publisher: alive, blind: blind}
					w.Parts.Publisher = platform
					m, c := withComment(w, nil)
					crashed := commentWithCrash(w, faults, c, n)
					w.Parts.Publisher = platform
					w.Idle()
					got := w.Content(c.ID)
					sure := got.Comment.Status == mission.CommentPublished
					if !sure {
						unsure++
					}
					if got.Status != mission.ContentPublished || !sure && (!blind || got.Comment.Status != mission.CommentFailed || got.Comment.Error.Code != mission.CodeOutcomeUnknown) {
						t.Errorf("after a crash at statement %d got the post %s with the comment %+v", n, got.Status, got.Comment)
					}
					if sure && platform.taken != 1 || blind && platform.calls > 1 {
						t.Errorf("after a crash at statement %d the platform took %d comments in %d calls", n, platform.taken, platform.calls)
					}
					hasComment(w, c, platform.taken > 0)
					if m := w.Mission(m.ID); m.Status != mission.StatusCompleted || m.Counts.Published != 2 || m.Reserved != 0 {
						t.Errorf("after a crash at statement %d got the mission %s with %+v", n, m.Status, m.Counts)
					}
					if !crashed {
						t.Logf("%d crashes, of which %d left the comment's outcome open", n-1, unsure)
						if n < 15 || blind && unsure == 0 || !blind && unsure > 0 {
							t.Error("the crashes don't cover the comment's call")
						}
						return
					}
				}
			})
		})
	}
}

// commentWithCrash publishes a post and its comment, with a crash before the n-th
// statement of the two tasks, and reports whether there was one. It returns false once
// both were run without.
func commentWithCrash(w *world.World, faults *database.Faults, c mission.Content, n int64) (crashed bool) {
	w.T.Helper()
	for _, of := range []mission.TaskType{mission.TaskContentPublish, mission.TaskContentComment} {
		task := runUntil(w, of, c.ID)
		before := faults.Statements()
		if w.CrashesAt(faults, n, func() { w.Run(task.ID) }) {
			w.ExpireLeases()
			return true
		}
		n -= faults.Statements() - before
	}
	return false
}

// A first comment is paid for as a part is, and fails if the budget can't pay for it.
func TestFirstCommentsCost(t *testing.T) {
	for name, tt := range map[string]struct {
		cents  int64
		status mission.CommentStatus
		cost   mission.Micros
	}{
		"enough":   {100, mission.CommentPublished, 30_000},
		"too poor": {7, mission.CommentFailed, 15_000}, // a part and a lookup take 6.5
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				connect(w, mission.Twitter)
				m, c := withComment(w, func(in *mission.CreateInput) {
					in.Platforms, in.Constraints.BudgetCents, in.Constraints.PostingTimes = []mission.Platform{mission.Twitter}, &tt.cents, []string{"20:00"}
				})
				task := runUntil(w, mission.TaskContentComment, c.ID)
				w.Run(task.ID)
				got, m := w.Content(c.ID), w.Mission(m.ID)
				if got.Status != mission.ContentPublished || got.Comment.Status != tt.status || got.Cost != tt.cost || m.Spent != tt.cost || m.Reserved != 0 {
					t.Errorf("got the post %s for %d, its comment %+v, %d spent and %d reserved", got.Status, got.Cost, got.Comment, m.Spent, m.Reserved)
				}
				if tt.status == mission.CommentFailed && got.Comment.Error.Code != mission.CodeBudgetExhausted {
					t.Errorf("got the error %+v", got.Comment.Error)
				}
				w.Idle()
			})
		})
	}
}

// Of a restored database, a first comment that may have gone out after the backup is looked
// up before it is sent, or fails where that can't be found out.
func TestReconcileFirstComments(t *testing.T) {
	for name, tt := range map[string]struct {
		platform  mission.Platform
		published bool // the post, at the backup; else its platform took it afterwards
		taken     bool // the comment, after the backup
		want      mission.CommentStatus
		sent      int
	}{
		"both went out":              {mission.Mastodon, false, true, mission.CommentPublished, 1},
		"the post went out":          {mission.Mastodon, false, false, mission.CommentPublished, 1},
		"the comment went out":       {mission.Mastodon, true, true, mission.CommentPublished, 1},
		"nothing more went out":      {mission.Mastodon, true, false, mission.CommentPublished, 1},
		"it went out, on LinkedIn":   {mission.LinkedIn, true, true, mission.CommentFailed, 1},
		"it didn't yet, on LinkedIn": {mission.LinkedIn, true, false, mission.CommentFailed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				ctx := context.Background()
				connect(w, tt.platform)
				platform := newShelf(w.Parts.Publisher)
				w.Parts.Publisher = platform
				m, c := withComment(w, func(in *mission.CreateInput) {
					in.Platforms, in.Constraints.PostingTimes = []mission.Platform{tt.platform}, []string{"20:00"}
				})
				if tt.published {
					runUntil(w, mission.TaskContentComment, c.ID)
				} else {
					w.Step()
				}
				backup := w.Clock.Now()
				w.Clock.Advance(2 * time.Hour)
				c = w.Content(c.ID)
				if !tt.published {
					platform.take(c)
				}
				c.Status, c.Published = mission.ContentPublished, []mission.Publication{{}}
				comment := c.Commenting().NextPart().Key()
				if tt.taken {
					platform.sent[comment]++
				}
				w.Must(w.Missions.HoldPublishing(ctx, "a restore"))
				_, err := w.Missions.Reconcile(ctx, backup)
				w.Must(err)
				w.Must(w.Missions.ReleasePublishing(ctx))
				w.Over(m.ID)
				got := w.Content(c.ID)
				if got.Status != mission.ContentPublished || got.Comment.Status != tt.want || platform.sent[comment] != tt.sent {
					t.Errorf("got the post %s with the comment %+v, which is there %d times", got.Status, got.Comment, platform.sent[comment])
				}
				if e := got.Comment.Error; tt.want == mission.CommentFailed && (e == nil || e.Code != mission.CodeOutcomeUnknown) {
					t.Errorf("got the error %+v", e)
				}
			})
		})
	}
}

// A first comment that waits for its account is sent as soon as that is connected again.
func TestCommentsWaitForTheirAccount(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		i := connect(w, mission.Mastodon)
		_, c := withComment(w, nil)
		task := runUntil(w, mission.TaskContentComment, c.ID)
		set(w, i, refused)
		w.Run(task.ID)
		if got := w.Content(c.ID).Comment; got.Status != mission.CommentWaiting {
			t.Fatalf("the comment through a refused account is %s", got.Status)
		}
		if due := w.Due(); slices.ContainsFunc(due, func(d mission.Task) bool { return d.ID == task.ID }) {
			t.Fatal("the comment is tried without end")
		}
		set(w, i, connected)
		w.Step()
		if got := w.Content(c.ID).Comment; got.Status != mission.CommentPublished {
			t.Errorf("once its account is connected the comment is %s", got.Status)
		}
		hasComment(w, c, true)
	})
}

package missions_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/internal/writer/builtin"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/mission"
	"missiond/store"
)

// unusable is a writer's error for a post that it can't write.
func unusable(code string) error {
	return &mission.WritingError{Failure: mission.Failure{Code: code, Message: "The model says no (" + code + ")."}}
}

// choosy is a priced writer that returns errors for some positions, and records what
// it tried.
type choosy struct {
	pricedWriter

	tried *[]int
	fail  func(position int) error
}

func newChoosy(fail func(position int) error) choosy {
	return choosy{pricedWriter: pricedWriter{price: 20_000, cost: 10_000}, tried: new([]int), fail: fail}
}

func (c choosy) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*c.tried = append(*c.tried, a.Slot.Position)
	if err := c.fail(a.Slot.Position); err != nil {
		return mission.Draft{Cost: c.cost}, err
	}
	return c.pricedWriter.Write(ctx, a)
}

// A post that can't be written is skipped and paid for; the others are written, and
// the stage says why there are fewer.
func TestUnusablePostsAreSkipped(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		c := newChoosy(func(position int) error {
			return map[int]error{0: unusable(mission.CodeWriterRefused), 2: unusable(mission.CodeWriterInvalid)}[position]
		})
		w.Writer = c
		m := w.Create(budget(100))
		w.Step()
		m = w.Mission(m.ID)
		_, stage := contentStage(w, m)
		if m.Counts.Generated != 1 || m.Spent != 30_000 || m.Reserved != 0 || !slices.Equal(*c.tried, []int{0, 1, 2}) {
			t.Errorf("got %d posts for %d, %d reserved, of %v", m.Counts.Generated, m.Spent, m.Reserved, *c.tried)
		}
		if stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Code != mission.CodeWriterInvalid || stage.Attempts != 1 {
			t.Errorf("got the stage %+v, %+v", stage, stage.Error)
		}
	})
}

// The note of an exhausted budget takes precedence.
func TestOverdraftTakesPrecedence(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = newChoosy(func(position int) error {
			if position == 0 {
				return unusable(mission.CodeWriterRefused)
			}
			return nil
		})
		m := w.Create(budget(3))
		w.Step()
		m = w.Mission(m.ID)
		if _, stage := contentStage(w, m); stage.Error == nil || stage.Error.Code != mission.CodeBudgetExhausted || m.Spent != 20_000 || m.Counts.Generated != 1 {
			t.Errorf("got the stage's note %+v, %d spent for %d posts", stage.Error, m.Spent, m.Counts.Generated)
		}
	})
}

// Without any post the stage fails, is retried, and its error says why.
func TestStageWithoutPostsFails(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		c := newChoosy(func(int) error { return unusable(mission.CodeWriterRefused) })
		w.Writer = c
		m := w.Create(budget(100))
		w.Idle()
		m = w.Mission(m.ID)
		j, stage := contentStage(w, m)
		if len(*c.tried) != 15 || m.Spent != 150_000 || m.Reserved != 0 || stage.Attempts != 5 {
			t.Errorf("after %d tries in %d attempts got %d spent, %d reserved", len(*c.tried), stage.Attempts, m.Spent, m.Reserved)
		}
		if j.Status != mission.RunFailed || stage.Error == nil || stage.Error.Code != mission.CodeWriterRefused || stage.Error.Message != "The model says no (writer_refused)." {
			t.Errorf("got the job %s, its stage's error %+v", j.Status, stage.Error)
		}
	})
}

// writeOne runs a content stage that has time for one post only.
func writeOne(w *world.World, task mission.Task) {
	w.T.Helper()
	ctx, taken := context.Background(), claim(w, task)
	work, err := w.Missions.OpenStage(ctx, taken)
	if err == nil {
		err = w.Missions.WritePosts(ctx, taken, work, func() bool { return false })
	}
	var unwritten *mission.WritingError
	if errors.As(err, &unwritten) {
		_, err = w.Missions.FailTask(ctx, taken, missions.Setback{Failure: unwritten.Failure})
	}
	w.Must(err)
}

// A slow writer continues in further runs, which spend no attempt; posts that it
// refused before wait until the others are written.
func TestLongWritingGoesOn(t *testing.T) {
	for name, tt := range map[string]struct {
		fail    func(position int) error
		tried   []int
		written int
		note    string
		spent   int // attempts
	}{
		"all":                  {func(int) error { return nil }, []int{0, 1, 2}, 3, "", 1},
		"the second is no use": {func(p int) error { return map[int]error{1: unusable("x")}[p] }, []int{0, 1}, 1, "x", 1},
		"none is":              {func(int) error { return unusable("x") }, []int{0, 0, 0, 0, 0}, 0, "x", 5},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				c := newChoosy(tt.fail)
				w.Writer = c
				m := w.Create(budget(100))
				for {
					_, stage := contentStage(w, m)
					if stage.Status == mission.RunCompleted || stage.Status == mission.RunFailed {
						break
					}
					writeOne(w, runUntil(w, mission.TaskStageContent, *m.PipelineJobID))
				}
				m = w.Mission(m.ID)
				_, stage := contentStage(w, m)
				note := ""
				if stage.Error != nil {
					note = stage.Error.Code
				}
				if !slices.Equal(*c.tried, tt.tried) || m.Counts.Generated != tt.written || note != tt.note || stage.Attempts != tt.spent {
					t.Errorf("tried %v for %d posts in %d attempts, with the note %q", *c.tried, m.Counts.Generated, stage.Attempts, note)
				}
			})
		})
	}
}

// Posts that were tried before come last in the next run.
func TestFreshSlotsComeFirst(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		broken := true
		c := newChoosy(func(position int) error {
			switch {
			case position == 0:
				return unusable("x")
			case position == 2 && broken:
				return errors.New("the endpoint is down")
			}
			return nil
		})
		w.Writer = c
		m := w.Create(budget(100))
		w.Step() // 0 is unusable, 1 is written, 2 fails temporarily
		broken = false
		w.Clock.Advance(2 * time.Second)
		w.Step()
		if m = w.Mission(m.ID); !slices.Equal(*c.tried, []int{0, 1, 2, 2, 0}) || m.Counts.Generated != 2 || m.Reserved != 0 {
			t.Errorf("tried %v for %d posts, %d reserved", *c.tried, m.Counts.Generated, m.Reserved)
		}
	})
}

// A reviewer gets an error that says why there is no new revision; the call is paid.
func TestRegeneratingReturnsRefusals(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(func(in *mission.CreateInput) { budget(100)(in); world.NeedsApproval(in) })
		w.Step()
		w.Writer = newChoosy(func(int) error { return unusable(mission.CodeWriterRefused) })
		post := w.Posts(m.ID)[0]
		_, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, post.ID, "be rude", nil)
		world.WantCode(t, err, mission.CodeConflict)
		var e *mission.Error
		if !errors.As(err, &e) || e.Message != "The model says no (writer_refused)." {
			t.Errorf("got %v", err)
		}
		if m := w.Mission(m.ID); m.Spent != 10_000 || m.Reserved != 0 {
			t.Errorf("got %d spent, %d reserved", m.Spent, m.Reserved)
		}
	})
}

// A request that times out while its post is written leaves no reservation.
func TestEndedRequestIsSettled(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(func(in *mission.CreateInput) { budget(100)(in); world.NeedsApproval(in) })
		w.Step()
		ctx, cancel := context.WithCancel(context.Background())
		w.Writer = newChoosy(func(int) error { cancel(); return ctx.Err() })
		if _, err := w.Missions.RegenerateContent(ctx, w.Tenant, w.Posts(m.ID)[0].ID, "", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if m := w.Mission(m.ID); m.Spent != 10_000 || m.Reserved != 0 {
			t.Errorf("got %d spent, %d reserved", m.Spent, m.Reserved)
		}
	})
}

// attentive is a writer that records how many used openings each assignment has.
type attentive struct {
	world.PlainWriter

	openings *[]int
}

func (w attentive) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*w.openings = append(*w.openings, len(a.UsedOpenings))
	return w.PlainWriter.Write(ctx, a)
}

// An assignment has the openings of all posts of its mission: of its own stage, of
// another platform and of the days before, also for a new revision; none of another's.
func TestWritersGetUsedOpenings(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		a := attentive{openings: &[]int{}}
		w.Writer = a
		approval := true
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.RequireApproval = &approval })
		w.Step()
		filter := store.ContentFilter{MissionID: m.ID}
		posts, err := w.DB.Contents(context.Background(), w.Tenant.TenantID, filter, store.Page{Limit: 10})
		w.Must(err)
		_, err = w.Missions.RegenerateContent(context.Background(), w.Tenant, posts.List[0].ID, "", nil)
		w.Must(err)
		w.Idle()
		w.Create(func(in *mission.CreateInput) { *in.Constraints.PostsPerDay = 1 })
		w.Step()
		if !slices.Equal(*a.openings, []int{0, 1, 2, 2, 3, 0}) {
			t.Errorf("the writer got %v openings", *a.openings)
		}
	})
}

// The content stage says that the brief isn't in the language of the posts.
func TestStageRemarks(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = builtin.New()
		m := w.Create(func(in *mission.CreateInput) {
			in.Description, in.Constraints.Language = new(builtintest.Description), new("de")
		})
		w.Step()
		_, stage := contentStage(w, w.Mission(m.ID))
		if stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Code != mission.CodeWriterLanguage {
			t.Errorf("got the stage %s with the note %+v", stage.Status, stage.Error)
		}
	})
}

// When the brief is used up the stage ends with the posts that it has, and says so; with nothing to say it
// fails.
func TestBriefIsUsedUp(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = builtin.New()
		for _, want := range []struct {
			description, objective string
			posts                  int
			status                 mission.RunStatus
		}{
			{"We bake bread in Leeds. The oven is from 1921.", "Sell bread", 3, mission.RunCompleted},
			{"", "Sell bread", 1, mission.RunCompleted},
			{"", "Win 100 followers", 0, mission.RunFailed},
		} {
			m := w.Create(func(in *mission.CreateInput) {
				daily(1)(in)
				in.Description, in.Objectives = &want.description, []string{want.objective}
				in.Platforms, in.Constraints.PostsPerDay = []mission.Platform{mission.Mastodon}, new(4)
				world.NeedsApproval(in)
			})
			w.Step()
			for range 5 {
				w.Pass(10 * time.Minute)
			}
			_, stage := contentStage(w, w.Mission(m.ID))
			if n := len(w.Posts(m.ID)); n != want.posts || stage.Status != want.status || stage.Error == nil || stage.Error.Code != mission.CodeWriterUsedUp {
				t.Errorf("of %q, %q got %d posts, the stage %s with the note %+v", want.description, want.objective, n, stage.Status, stage.Error)
			}
		}
	})
}

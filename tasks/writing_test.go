package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/mission"
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

func (w *world) contentStage(m mission.Mission) (mission.Job, mission.Stage) {
	w.t.Helper()
	j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
	w.must(err)
	return j, j.Stages[mission.StageContent.Index()]
}

// A post that can't be written is skipped and paid for; the others are written, and
// the stage says why there are fewer.
func TestUnusablePostsAreSkipped(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := newChoosy(func(position int) error {
			return map[int]error{0: unusable(mission.CodeWriterRefused), 2: unusable(mission.CodeWriterInvalid)}[position]
		})
		w.writer.Writer = c
		m := w.create(budget(100))
		w.step()
		m = w.mission(m.ID)
		_, stage := w.contentStage(m)
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
	eachWorld(t, func(t *testing.T, w *world) {
		w.writer.Writer = newChoosy(func(position int) error {
			if position == 0 {
				return unusable(mission.CodeWriterRefused)
			}
			return nil
		})
		m := w.create(budget(3))
		w.step()
		m = w.mission(m.ID)
		if _, stage := w.contentStage(m); stage.Error == nil || stage.Error.Code != mission.CodeBudgetExhausted || m.Spent != 20_000 || m.Counts.Generated != 1 {
			t.Errorf("got the stage's note %+v, %d spent for %d posts", stage.Error, m.Spent, m.Counts.Generated)
		}
	})
}

// Without any post the stage fails, is retried, and its error says why.
func TestStageWithoutPostsFails(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := newChoosy(func(int) error { return unusable(mission.CodeWriterRefused) })
		w.writer.Writer = c
		m := w.create(budget(100))
		w.idle()
		m = w.mission(m.ID)
		j, stage := w.contentStage(m)
		if len(*c.tried) != 15 || m.Spent != 150_000 || m.Reserved != 0 || stage.Attempts != 5 {
			t.Errorf("after %d tries in %d attempts got %d spent, %d reserved", len(*c.tried), stage.Attempts, m.Spent, m.Reserved)
		}
		if j.Status != mission.RunFailed || stage.Error == nil || stage.Error.Code != mission.CodeWriterRefused || stage.Error.Message != "The model says no (writer_refused)." {
			t.Errorf("got the job %s, its stage's error %+v", j.Status, stage.Error)
		}
	})
}

// shortRuns makes a run write one post at most.
func (w *world) shortRuns() {
	w.worker.handlers[mission.TaskStageContent] = func(ctx context.Context, c *claim) error {
		work, err := w.service.OpenStage(ctx, c.Task)
		if err != nil {
			return err
		}
		return w.service.WritePosts(ctx, c.Task, work, func() bool { return false })
	}
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
			eachWorld(t, func(t *testing.T, w *world) {
				w.shortRuns()
				c := newChoosy(tt.fail)
				w.writer.Writer = c
				m := w.create(budget(100))
				w.until("the writing's end", func() bool {
					_, stage := w.contentStage(w.mission(m.ID))
					return stage.Status == mission.RunCompleted || stage.Status == mission.RunFailed
				})
				m = w.mission(m.ID)
				_, stage := w.contentStage(m)
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
	eachWorld(t, func(t *testing.T, w *world) {
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
		w.writer.Writer = c
		m := w.create(budget(100))
		w.step() // 0 is unusable, 1 is written, 2 fails temporarily
		broken = false
		w.clock.Advance(2 * time.Second)
		w.step()
		if m = w.mission(m.ID); !slices.Equal(*c.tried, []int{0, 1, 2, 2, 0}) || m.Counts.Generated != 2 || m.Reserved != 0 {
			t.Errorf("tried %v for %d posts, %d reserved", *c.tried, m.Counts.Generated, m.Reserved)
		}
	})
}

// A reviewer gets an error that says why there is no new revision; the call is paid.
func TestRegeneratingReturnsRefusals(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(func(in *mission.CreateInput) { budget(100)(in); needsApproval(in) })
		w.step()
		w.writer.Writer = newChoosy(func(int) error { return unusable(mission.CodeWriterRefused) })
		post := w.all(m.ID)[0]
		_, err := w.service.RegenerateContent(context.Background(), w.tenant, post.ID, "be rude", nil)
		wantCode(t, err, mission.CodeConflict)
		var e *mission.Error
		if !errors.As(err, &e) || e.Message != "The model says no (writer_refused)." {
			t.Errorf("got %v", err)
		}
		if m := w.mission(m.ID); m.Spent != 10_000 || m.Reserved != 0 {
			t.Errorf("got %d spent, %d reserved", m.Spent, m.Reserved)
		}
	})
}

// A request that times out while its post is written leaves no reservation.
func TestEndedRequestIsSettled(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(func(in *mission.CreateInput) { budget(100)(in); needsApproval(in) })
		w.step()
		ctx, cancel := context.WithCancel(context.Background())
		w.writer.Writer = newChoosy(func(int) error { cancel(); return ctx.Err() })
		if _, err := w.service.RegenerateContent(ctx, w.tenant, w.all(m.ID)[0].ID, "", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if m := w.mission(m.ID); m.Spent != 10_000 || m.Reserved != 0 {
			t.Errorf("got %d spent, %d reserved", m.Spent, m.Reserved)
		}
	})
}

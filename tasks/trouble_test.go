package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// ended fails the test unless a mission's job is completed with one attempt for each
// stage, and all its posts are published.
func (w *world) ended(m mission.Mission) {
	w.t.Helper()
	j := w.firstJob(m)
	for _, s := range j.Stages {
		if s.Status != mission.RunCompleted || s.Attempts != 1 || s.Error != nil {
			w.t.Errorf("the stage %s is %s after %d attempts: %+v", s.Name, s.Status, s.Attempts, s.Error)
		}
	}
	if c := w.mission(m.ID).Counts; c.Published == 0 || c.Published != c.Generated {
		w.t.Errorf("the mission's posts are %+v", c)
	}
}

// Whichever statements of tasks the database doesn't respond to, for a while, no run
// uses an attempt, and everything settles.
func TestTroubleUsesNoAttempt(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(statement string) bool{
		"any":     func(string) bool { return true },
		"reads":   func(s string) bool { return strings.HasPrefix(s, "SELECT") },
		"updates": func(s string) bool { return strings.HasPrefix(s, "UPDATE") },
		"inserts": func(s string) bool { return strings.HasPrefix(s, "INSERT") },
		"begins":  func(s string) bool { return strings.HasPrefix(s, "BEGIN") },
		"commits": func(s string) bool { return s == "COMMIT" },
	}
	for kind, match := range kinds {
		t.Run(kind, func(t *testing.T) {
			testkit.EachFaultyDB(t, store.Options{Timing: timing}, func(t *testing.T, db *store.DB, faults *store.Faults) {
				w := newWorld(t, db)
				w.writer.Writer = dearWriter{plainWriter{}}
				seed := rand.New(rand.NewPCG(1, uint64(len(kind))))
				refused := 0
				for task, h := range w.worker.handlers {
					w.worker.handlers[task] = func(ctx context.Context, c *claim) error {
						defer faults.Refuse(nil)
						faults.Refuse(func(s string) bool {
							hit := refused < 40 && match(s) && seed.IntN(4) == 0
							if hit {
								refused++
							}
							return hit
						})
						return h(ctx, c)
					}
				}
				m := w.create(nil)
				w.over(m.ID)
				w.idle()
				w.ended(m)
				if w.outcomes["retry"]+w.outcomes["failed"] > 0 || refused == 0 {
					t.Errorf("after %d refused statements the runs ended as %v", refused, w.outcomes)
				}
			})
		})
	}
}

// dearWriter is a writer whose posts cost money.
type dearWriter struct{ plainWriter }

func (dearWriter) Price(mission.Assignment) mission.Micros { return 10 }

func (w dearWriter) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.plainWriter.Write(ctx, a)
	d.Cost = 10
	return d, err
}

// What a platform took is recorded although the database is unavailable when the
// response comes, and isn't looked up.
func TestResultOutlastsTrouble(t *testing.T) {
	testkit.EachFaultyDB(t, store.Options{Timing: timing}, func(t *testing.T, db *store.DB, faults *store.Faults) {
		w := newWorld(t, db)
		calls := &tallied{Publisher: w.worker.parts.Publisher}
		w.worker.parts.Publisher = calls
		const failures = 3
		calls.took = func() {
			left := failures
			faults.Refuse(func(s string) bool {
				left--
				return left >= 0
			})
		}
		m := w.create(oneDay)
		w.over(m.ID)
		faults.Refuse(nil)
		if calls.published == 0 || calls.found > 0 || w.outcomes["trouble"] > 0 {
			t.Errorf("got %d calls and %d lookups; the runs ended as %v", calls.published, calls.found, w.outcomes)
		}
		w.ended(m)
	})
}

// tallied counts the calls of a publisher, and calls took after each post.
type tallied struct {
	Publisher

	took             func()
	published, found int
}

func (p *tallied) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, error) {
	taken, err := p.Publisher.Publish(ctx, via, part)
	p.published++
	p.took()
	return taken, err
}

func (p *tallied) Find(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, bool, error) {
	p.found++
	return p.Publisher.Find(ctx, via, part)
}

// A result that is recorded a second time, because the reply to its COMMIT was lost,
// changes nothing: a thread goes on with its next part.
func TestResultIsRecordedOnce(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.writer.Writer = threads{}
		m := w.create(func(in *mission.CreateInput) {
			oneDay(in)
			in.Platforms = []mission.Platform{mission.Twitter}
		})
		seen := 0
		w.worker.handlers[mission.TaskContentPublish] = func(ctx context.Context, c *claim) error {
			call, err := w.service.OpenPost(ctx, c.Task)
			for err == nil && call.Ready {
				var r mission.PublishResult
				if r, err = w.worker.call(ctx, call); err != nil {
					return err
				}
				first, err := w.service.SettlePost(ctx, c.Task, call, r)
				if err != nil {
					return err
				}
				again, err := w.service.SettlePost(ctx, c.Task, call, r)
				if first.Ready {
					seen++
					if err != nil || !again.Ready || len(again.Content.Published) != len(first.Content.Published) {
						t.Errorf("again got %+v, %v; first %+v", again, err, first)
					}
				} else if !errors.Is(err, store.ErrLost) {
					t.Errorf("again got %v, want ErrLost", err)
				}
				call = first
			}
			return err
		}
		w.over(m.ID)
		if seen == 0 {
			t.Error("no thread was published")
		}
		w.ended(m)
	})
}

// threads is a writer of threads of three parts.
type threads struct{ plainWriter }

func (w threads) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.plainWriter.Write(ctx, a)
	d.Format, d.Parts = mission.FormatThread, []string{d.Text, "More of it.", "The rest."}
	return d, err
}

// troubles of a Postgres that stays up.
var troubles = map[string]func(tr *testkit.Trouble, lasts time.Duration){
	"statement timeout": func(tr *testkit.Trouble, lasts time.Duration) {
		tr.Set("statement_timeout", "30ms")
		defer tr.Reset("statement_timeout")
		_ = clock.Sleep(context.Background(), lasts)
	},
	"read-only": func(tr *testkit.Trouble, lasts time.Duration) {
		tr.Set("default_transaction_read_only", "on")
		defer tr.Reset("default_transaction_read_only")
		_ = clock.Sleep(context.Background(), lasts)
	},
	"canceled statements": func(tr *testkit.Trouble, lasts time.Duration) {
		const every = 200 * time.Millisecond
		for range lasts / every {
			tr.CancelAll()
			_ = clock.Sleep(context.Background(), every)
		}
	},
}

// Under each trouble of a Postgres no job fails, no stage uses a second attempt, and
// all posts are published soon after it ends.
func TestJobsOutlastTroubleOfPostgres(t *testing.T) {
	testkit.SkipIfShort(t)
	lasts, missions := 3*time.Second, 24
	if testkit.Nightly() {
		lasts, missions = 30*time.Second, 240
	}
	for name, befall := range troubles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testkit.PostgresURL(t)
			db, err := store.OpenPostgres(url, store.Options{Timing: Timing(clock.Real())})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			m := start(t, db, testkit.Miniredis(t), plainWriter{}, 0)
			defer m.stop()
			trouble := testkit.NewTrouble(t, url)
			over := make(chan struct{})
			go func() { defer close(over); befall(trouble, lasts) }()
			var all []mission.Mission
			for n := range missions {
				all = append(all, m.insist(fmt.Sprint("mission ", n)))
			}
			<-over
			for _, x := range all {
				await(t, "the job of "+x.Name, time.Minute, m.jobEnded(x.ID))
				m.ended(x)
			}
		})
	}
}

// jobEnded is jobDone for a database whose connections may just have ended.
func (m *machine) jobEnded(id string) func() bool {
	return func() bool {
		v, err := m.service.Status(context.Background(), m.tenant, id)
		if err != nil && !store.Unavailable(err) {
			m.t.Fatal(err)
		}
		return err == nil && v.Pipeline.Status == mission.RunCompleted
	}
}

// insist creates a mission of one day, again while the database is unavailable.
func (m *machine) insist(name string) mission.Mission {
	m.t.Helper()
	days, posts, now := 1, 1, true
	in := mission.CreateInput{
		Name: name, Objectives: []string{"Show what we make"}, Platforms: []mission.Platform{mission.Twitter, mission.LinkedIn},
		Constraints: &mission.ConstraintsInput{PostsPerDay: &posts}, DurationDays: &days, StartImmediately: &now,
	}
	for {
		x, err := m.service.CreateMission(context.Background(), m.tenant, in)
		switch {
		case err == nil:
			return x
		case !store.Unavailable(err):
			m.t.Fatal(err)
		}
		_ = clock.Sleep(context.Background(), 50*time.Millisecond)
	}
}

// trouble tells whose fault an error is.
func TestTroubleIsOurs(t *testing.T) {
	over, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	canceled, cancelIt := context.WithCancel(t.Context())
	cancelIt()
	refused := errors.New("dial tcp: connection refused")
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		ours bool
	}{
		"a mistake of the program":         {t.Context(), io.ErrUnexpectedEOF, false},
		"the writer's outage":              {t.Context(), &mission.OutageError{Err: context.DeadlineExceeded}, false},
		"a platform's refusal":             {t.Context(), errors.Join(&mission.PublishError{}, errTrouble), false},
		"a run that took too long":         {over, fmt.Errorf("read: %w", over.Err()), false},
		"a mail server that is down":       {t.Context(), refused, false},
		"a lease that runs out":            {t.Context(), fmt.Errorf("publish: %w", errTrouble), true},
		"a run that Asynq has canceled":    {canceled, canceled.Err(), true},
		"a failure that came of a refusal": {t.Context(), mission.Conflict("settled"), false},
	} {
		if got := trouble(c.ctx, c.err); got != c.ours {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

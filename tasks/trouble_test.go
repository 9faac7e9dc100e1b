package tasks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// ended fails the test unless a mission's job is completed with one attempt for each
// stage, and all its posts are published.
func ended(w *world.World, m mission.Mission) {
	w.T.Helper()
	j := w.Job(m)
	for _, s := range j.Stages {
		if s.Status != mission.RunCompleted || s.Attempts != 1 || s.Error != nil {
			w.T.Errorf("the stage %s is %s after %d attempts: %+v", s.Name, s.Status, s.Attempts, s.Error)
		}
	}
	if c := w.Mission(m.ID).Counts; c.Published == 0 || c.Published != c.Generated {
		w.T.Errorf("the mission's posts are %+v", c)
	}
}

// Whichever statements of tasks the database doesn't respond to, for a while, no run
// uses an attempt, and everything settles.
func TestTroubleUsesNoAttempt(t *testing.T) {
	testkit.Full(t)
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
			testkit.EachFaultyDB(t, store.Options{Timing: world.Timing}, func(t *testing.T, db *store.DB, faults *database.Faults) {
				w := world.New(t, db)
				w.Writer = dearWriter{world.PlainWriter{}}
				seed := rand.New(rand.NewPCG(1, uint64(len(kind))))
				refused := 0
				w.NewRunner = func(p tasks.Parts) *tasks.Runner {
					r := tasks.NewRunner(p)
					r.Around(func(handle func() error) error {
						defer faults.Refuse(nil)
						faults.Refuse(func(s string) bool {
							hit := refused < 40 && match(s) && seed.IntN(4) == 0
							if hit {
								refused++
							}
							return hit
						})
						return handle()
					})
					return r
				}
				m := w.Create(nil)
				w.Over(m.ID)
				w.Idle()
				ended(w, m)
				if w.Outcomes["retry"]+w.Outcomes["failed"] > 0 || refused == 0 {
					t.Errorf("after %d refused statements the runs ended as %v", refused, w.Outcomes)
				}
			})
		})
	}
}

// dearWriter is a writer whose posts cost money.
type dearWriter struct{ world.PlainWriter }

func (dearWriter) Price(mission.Assignment) mission.Micros { return 10 }

func (w dearWriter) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.PlainWriter.Write(ctx, a)
	d.Cost = 10
	return d, err
}

// What a platform took is recorded although the database is unavailable when the
// response comes, and isn't looked up.
func TestResultOutlastsTrouble(t *testing.T) {
	testkit.EachFaultyDB(t, store.Options{Timing: world.Timing}, func(t *testing.T, db *store.DB, faults *database.Faults) {
		w := world.New(t, db)
		calls := &tallied{Publisher: w.Parts.Publisher}
		w.Parts.Publisher = calls
		const failures = 3
		calls.took = func() {
			left := failures
			faults.Refuse(func(s string) bool {
				left--
				return left >= 0
			})
		}
		m := w.Create(world.OneDay)
		w.Over(m.ID)
		faults.Refuse(nil)
		if calls.published == 0 || calls.found > 0 || w.Outcomes["trouble"] > 0 {
			t.Errorf("got %d calls and %d lookups; the runs ended as %v", calls.published, calls.found, w.Outcomes)
		}
		ended(w, m)
	})
}

// tallied counts the calls of a publisher, and calls took after each post.
type tallied struct {
	world.Publisher

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
	testkit.Full(t)
	lasts, missions := 3*time.Second, 24
	if testkit.Nightly() {
		lasts, missions = 30*time.Second, 240
	}
	for name, befall := range troubles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testkit.PostgresURL(t)
			db, err := store.OpenPostgres(url, store.Options{Timing: tasks.Timing(clock.Real())})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			p := start(t, db, testkit.Miniredis(t), world.PlainWriter{}, 0)
			defer p.stop()
			trouble := testkit.NewTrouble(t, url)
			over := make(chan struct{})
			go func() { defer close(over); befall(trouble, lasts) }()
			var all []mission.Mission
			for n := range missions {
				all = append(all, p.insist(fmt.Sprint("mission ", n)))
			}
			<-over
			for _, x := range all {
				await.Until(t, "the job of "+x.Name, p.jobEnded(x.ID))
				ended(p.World, x)
			}
		})
	}
}

// jobEnded is jobDone for a database whose connections may just have ended.
func (p *process) jobEnded(id string) func() bool {
	return func() bool {
		v, err := p.Missions.Status(context.Background(), p.Tenant, id)
		if err != nil && !database.Unavailable(err) {
			p.T.Fatal(err)
		}
		return err == nil && v.Pipeline.Status == mission.RunCompleted
	}
}

// insist creates a mission of one day, again while the database is unavailable.
func (p *process) insist(name string) mission.Mission {
	p.T.Helper()
	days, posts, now := 1, 1, true
	in := mission.CreateInput{
		Name: name, Objectives: []string{"Show what we make"}, Platforms: []mission.Platform{mission.Twitter, mission.LinkedIn},
		Constraints: &mission.ConstraintsInput{PostsPerDay: &posts}, DurationDays: &days, StartImmediately: &now,
	}
	for {
		x, err := p.Missions.CreateMission(context.Background(), p.Tenant, in)
		switch {
		case err == nil:
			return x
		case !database.Unavailable(err):
			p.T.Fatal(err)
		}
		_ = clock.Sleep(context.Background(), 50*time.Millisecond)
	}
}

package missions_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// pricedWriter is a writer with a maximum price and an actual cost.
type pricedWriter struct {
	world.PlainWriter

	price, cost mission.Micros
}

func (w pricedWriter) Price(mission.Assignment) mission.Micros { return w.price }

func (w pricedWriter) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.PlainWriter.Write(ctx, a)
	d.Cost = w.cost
	return d, err
}

func budget(cents int64) func(in *mission.CreateInput) {
	return func(in *mission.CreateInput) {
		posts, days := 3, 1
		in.Constraints.PostsPerDay, in.DurationDays, in.Constraints.BudgetCents = &posts, &days, &cents
	}
}

// The stage ends with the posts that the budget covered, and says so; the whole
// price of a call must be available before it.
func TestBudgetEndsTheWriting(t *testing.T) {
	for name, tt := range map[string]struct {
		cents       int64
		price, cost mission.Micros
		written     int
		spent       mission.Micros
	}{
		"enough":             {100, 20_000, 15_000, 3, 45_000},
		"for two":            {5, 25_000, 20_000, 2, 40_000},
		"to the last cent":   {6, 20_000, 20_000, 3, 60_000},
		"a micro too little": {6, 20_001, 20_000, 3, 60_000},
		"for none":           {1, 10_001, 1, 0, 0},
		"nothing":            {0, 1, 1, 0, 0},
		"free":               {0, 0, 0, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				if name == "a micro too little" {
					tt.written, tt.spent = 2, 40_000
				}
				w.Writer = pricedWriter{price: tt.price, cost: tt.cost}
				m := w.Create(budget(tt.cents))
				w.Idle()
				m = w.Mission(m.ID)
				if m.Counts.Published != tt.written || m.Spent != tt.spent || m.Reserved != 0 || m.Status != mission.StatusCompleted {
					t.Errorf("got %d posts for %d micros, %d reserved, %s; want %d for %d", m.Counts.Published, m.Spent, m.Reserved, m.Status, tt.written, tt.spent)
				}
				j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, *m.PipelineJobID)
				w.Must(err)
				note := j.Stages[mission.StageContent.Index()].Error
				if (note != nil) != (tt.written < 3) || note != nil && note.Code != mission.CodeBudgetExhausted {
					t.Errorf("got the content stage's note %+v", note)
				}
				if j.Status != mission.RunCompleted || j.Cost != tt.spent {
					t.Errorf("got the job's status %s and cost %d", j.Status, j.Cost)
				}
			})
		})
	}
}

// A call whose outcome is unknown counts as made: its price is spent.
func TestInterruptedCallIsPaid(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		died := errors.New("killed")
		calls, counted := 0, mission.Micros(0)
		w.DB.OnCommit(func(c store.Committed) { counted += c.Spent[mission.SpendWriting] })
		w.Writer = pricedWriter{price: 20_000, cost: 10_000, PlainWriter: world.PlainWriter{Fail: func(mission.Assignment) error {
			if calls++; calls == 2 {
				panic(died)
			}
			return nil
		}}}
		m := w.Create(budget(6))
		w.Step()
		if m := w.Mission(m.ID); m.Spent != 10_000 || m.Reserved != 20_000 {
			t.Errorf("after the crash got %d spent and %d reserved", m.Spent, m.Reserved)
		}
		w.Idle()
		// 10,000 for the first, 20,000 for the call that crashed, and 30,000 remain: 10,000
		// for the second, and none for a third, which may cost 20,000.
		if m := w.Mission(m.ID); m.Spent != 50_000 || m.Reserved != 0 || m.Counts.Generated != 3 {
			t.Errorf("at the end got %d spent, %d reserved, for %d posts", m.Spent, m.Reserved, m.Counts.Generated)
		}
		if counted != 50_000 {
			t.Errorf("%d micros were counted, want 50,000", counted)
		}
	})
}

// If the budget covers no other call after one whose outcome is unknown, its price
// is spent all the same, and not reserved forever.
func TestInterruptedCallIsPaidAtTheEnd(t *testing.T) {
	for name, fail := range map[string]error{"over budget": nil, "failed for good": errors.New("the endpoint is down")} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				cents := int64(4)
				if fail != nil {
					cents = 100
				}
				calls := 0
				w.Writer = pricedWriter{price: 20_000, cost: 10_000, PlainWriter: world.PlainWriter{Fail: func(mission.Assignment) error {
					if calls++; calls == 2 {
						panic("killed")
					}
					if calls > 2 {
						return fail
					}
					return nil
				}}}
				m := w.Create(budget(cents))
				w.Idle()
				m = w.Mission(m.ID)
				j, _ := contentStage(w, m)
				if m.Reserved != 0 || m.Spent < 30_000 || m.Spent > mission.Micros(cents)*mission.MicrosPerCent || j.Cost != m.Spent {
					t.Errorf("at the end got %d spent, %d reserved; the job cost %d", m.Spent, m.Reserved, j.Cost)
				}
			})
		})
	}
}

// A mission that ends after a call whose outcome is unknown pays its price too, once
// no call can be under way: nothing stays reserved forever.
func TestInterruptedCallOfAnEndedMissionIsPaid(t *testing.T) {
	for name, dies := range map[string]int{"a post's": 2, "a new revision's": 4} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				calls := 0
				w.Writer = pricedWriter{price: 20_000, cost: 10_000, PlainWriter: world.PlainWriter{Fail: func(mission.Assignment) error {
					if calls++; calls == dies {
						panic("killed")
					}
					return nil
				}}}
				m := w.Create(func(in *mission.CreateInput) { budget(100)(in); world.NeedsApproval(in) })
				w.Step()
				if dies == 4 {
					func() {
						defer func() { _ = recover() }()
						_, _ = w.Missions.RegenerateContent(context.Background(), w.Tenant, w.Posts(m.ID)[0].ID, "", nil)
					}()
				}
				before := w.Mission(m.ID)
				w.Must(of(w.Missions.CompleteMission(context.Background(), w.Tenant, m.ID)))
				if m := w.Mission(m.ID); m.Reserved != 20_000 || m.Spent != before.Spent {
					t.Errorf("at the mission's end got %d spent, %d reserved", m.Spent, m.Reserved)
				}
				w.Idle()
				if m := w.Mission(m.ID); m.Reserved != 0 || m.Spent != before.Spent+20_000 || m.Status != mission.StatusCompleted {
					t.Errorf("at the end got %d spent, %d reserved, before %d; its status is %s", m.Spent, m.Reserved, before.Spent, m.Status)
				}
			})
		})
	}
}

// A mission that ends or pauses during a call pays its cost at once.
func TestCallThatEndsTooLateIsPaid(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(w *world.World, id string) error
		then mission.Status
	}{
		"completed": {func(w *world.World, id string) error {
			return of(w.Missions.CompleteMission(context.Background(), w.Tenant, id))
		}, mission.StatusCompleted},
		"paused": {func(w *world.World, id string) error {
			return of(w.Missions.PauseMission(context.Background(), w.Tenant, id))
		}, mission.StatusPaused},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				var m mission.Mission
				w.Writer = pricedWriter{price: 20_000, cost: 10_000, PlainWriter: world.PlainWriter{Fail: func(mission.Assignment) error {
					w.Must(tt.end(w, m.ID))
					return nil
				}}}
				m = w.Create(budget(100))
				w.Step()
				m = w.Mission(m.ID)
				if j, _ := contentStage(w, m); m.Status != tt.then || m.Spent != 10_000 || m.Reserved != 0 || j.Cost != 10_000 || m.Counts.Generated != 0 {
					t.Errorf("got the mission %s, with %d posts, %d spent, %d reserved; the job cost %d", m.Status, m.Counts.Generated, m.Spent, m.Reserved, j.Cost)
				}
			})
		})
	}
}

// The reservation of a mission that is deleted during a call is deleted with it.
func TestCallOfADeletedMission(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		var m mission.Mission
		w.Writer = pricedWriter{price: 20_000, cost: 10_000, PlainWriter: world.PlainWriter{Fail: func(mission.Assignment) error {
			w.Must(of(w.Missions.CompleteMission(context.Background(), w.Tenant, m.ID)))
			w.Must(w.Missions.DeleteMission(context.Background(), w.Tenant, m.ID))
			return nil
		}}}
		m = w.Create(budget(100))
		w.Idle()
	})
}

// A worker that returns after its lease expired settles its own call, and leaves
// the reservation that another worker made for the same post in the meantime.
func TestStaleWriterSettlesItsOwnCall(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		calls, writing, settled := 0, make(chan struct{}), make(chan struct{})
		var other sync.WaitGroup
		w.Writer = pricedWriter{price: 20_000, cost: 10_000, PlainWriter: world.PlainWriter{Fail: func(mission.Assignment) error {
			switch calls++; calls {
			case 1:
				w.ExpireLeases()
				task := w.Due()[0]
				other.Go(func() { w.Run(task.ID) })
				<-writing
				return errors.New("at last")
			case 2:
				close(writing)
				<-settled
			}
			return nil
		}}}
		m := w.Create(budget(100))
		w.Step()
		// The first call counted as lost when it was repeated.
		if m := w.Mission(m.ID); m.Spent != 20_000 || m.Reserved != 20_000 {
			t.Errorf("while the other writes, got %d spent, %d reserved", m.Spent, m.Reserved)
		}
		close(settled)
		other.Wait()
		w.Idle()
		if m := w.Mission(m.ID); m.Spent != 50_000 || m.Reserved != 0 || m.Counts.Published != 3 {
			t.Errorf("got %d posts for %d, %d reserved", m.Counts.Published, m.Spent, m.Reserved)
		}
	})
}

// A new revision is paid for from the same budget.
func TestRevisionsAreOnTheBudget(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = pricedWriter{price: 10_000, cost: 10_000}
		m := w.Create(func(in *mission.CreateInput) { budget(4)(in); world.NeedsApproval(in) })
		w.Step()
		c := w.Posts(m.ID)[0]
		before, unread := w.Mission(m.ID), c.Revision+1
		_, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, c.ID, "", &unread)
		world.WantCode(t, err, mission.CodeConflict)
		if m := w.Mission(m.ID); m.Spent != before.Spent || m.Reserved != 0 {
			t.Errorf("nothing was written, and got %d spent of %d before, %d reserved", m.Spent, before.Spent, m.Reserved)
		}
		again, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, c.ID, "", &c.Revision)
		w.Must(err)
		if again.Cost != 20_000 {
			t.Errorf("got the post's cost %d", again.Cost)
		}
		_, err = w.Missions.RegenerateContent(context.Background(), w.Tenant, c.ID, "", nil)
		world.WantCode(t, err, mission.CodeConflict)
		if m := w.Mission(m.ID); m.Spent != 40_000 || m.Reserved != 0 {
			t.Errorf("got %d spent, %d reserved", m.Spent, m.Reserved)
		}
	})
}

// Concurrent writers never spend more than the budget, in any order.
func TestWritersAtOnceNeverOverspend(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = pricedWriter{price: 10_000, cost: 10_000}
		m := w.Create(func(in *mission.CreateInput) { budget(6)(in); world.NeedsApproval(in) }) // three cents remain
		w.Step()
		posts := w.Posts(m.ID)
		var all sync.WaitGroup
		var mu sync.Mutex
		written := 0
		for i := range 12 {
			all.Go(func() {
				_, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, posts[i%len(posts)].ID, "", nil)
				if err != nil && mission.CodeOf(err) != mission.CodeConflict {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					written++
				}
			})
		}
		all.Wait()
		m = w.Mission(m.ID)
		if m.Spent > 60_000 || m.Reserved != 0 || written == 0 || written > 3 || m.Spent < 30_000+mission.Micros(written)*10_000 {
			t.Errorf("got %d revisions, %d spent, %d reserved", written, m.Spent, m.Reserved)
		}
	})
}

// A platform's fee is reserved before the post is sent, with that of its lookup: a
// post that the budget doesn't cover fails and says why. A refused post is free, and
// figures that the budget doesn't cover aren't read.
func TestFeesAreOnTheBudget(t *testing.T) {
	for name, tt := range map[string]struct {
		cents     int64
		results   []error
		takes     map[int]bool
		published int
		most      mission.Micros
	}{
		"not taken at first": {cents: 12, results: []error{outcome(mission.OutcomeNotAccepted)}, published: 3, most: 120_000},
		"for none":           {cents: 6, published: 0},
		"for some":           {cents: 8, published: 2, most: 80_000},
		"with looks":         {cents: 20, results: []error{errors.New("lost"), errors.New("lost")}, takes: map[int]bool{0: true}, published: 3, most: 200_000},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				w.Parts.Publisher = &scripted{Publisher: w.Parts.Publisher, results: tt.results, takesSilently: tt.takes}
				connect(w, mission.Twitter)
				w.Writer = postWriter{}
				m := w.Create(onTwitter(budget(tt.cents)))
				w.Idle()
				m = w.Mission(m.ID)
				if m.Counts.Published != tt.published || m.Spent > tt.most || m.Reserved != 0 || m.Spent < 15_000*mission.Micros(tt.published) {
					t.Errorf("got %d posts for %d micros, %d reserved; want %d for at most %d", m.Counts.Published, m.Spent, m.Reserved, tt.published, tt.most)
				}
				exhausted := 0
				for _, c := range w.Posts(m.ID) {
					if c.Status == mission.ContentFailed && c.Error.Code == mission.CodeBudgetExhausted {
						exhausted++
					}
				}
				if exhausted != 3-tt.published {
					t.Errorf("got %d posts with an exhausted budget", exhausted)
				}
			})
		})
	}
}

// postWriter writes posts without a link.
type postWriter struct{ world.PlainWriter }

func (postWriter) Write(_ context.Context, a mission.Assignment) (mission.Draft, error) {
	return mission.Draft{Format: mission.FormatPost, Text: "Number " + a.Slot.At.Format("15:04")}, nil
}

package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

// examination adds the task of a file's examination.
func (f *fixture) examination(tenantID, file string, at time.Time) {
	f.t.Helper()
	f.must(f.tx(func(tx store.Tx) error {
		return tx.AddTasks(ctx, at, mission.NewTenantTask(tenantID, mission.TaskMediaExamine, file, at))
	}))
}

// claimExamining claims the next examination; ok is false if there is none.
func (f *fixture) claimExamining(at time.Time) (mission.Task, bool) {
	f.t.Helper()
	t, ok, err := f.db.ClaimExamining(ctx, at, time.Minute)
	f.must(err)
	return t, ok
}

// examined ends an examination that took cpu.
func (f *fixture) examined(t mission.Task, at time.Time, cpu time.Duration) {
	f.t.Helper()
	f.must(f.db.ChargeExamining(ctx, t.TenantID, at, cpu, mission.MaxDebt))
	f.must(f.tx(func(tx store.Tx) error { return tx.FinishTask(ctx, t) }))
}

// tenants creates n tenants and returns their ids.
func (f *fixture) tenants(n int) (ids []string) {
	f.t.Helper()
	for i := range n {
		t, _ := f.makeTenant(fmt.Sprint("turns-", i))
		ids = append(ids, t.ID)
	}
	return ids
}

// However many files a tenant has, and whatever they cost: another's is next as soon as one of those that are examined
// ends, after at most one of each further tenant's.
func TestFloodOfFilesDelaysNobody(t *testing.T) {
	for flooders, most := range map[int]int{1: 0, 5: 5} {
		t.Run(fmt.Sprint(flooders), func(t *testing.T) {
			each(t, func(t *testing.T, f *fixture) {
				ids, at := f.tenants(flooders+1), start
				newcomer := ids[flooders]
				for n := range 60 / flooders {
					for _, flooder := range ids[:flooders] {
						f.examination(flooder, fmt.Sprint("f", n), at)
					}
				}
				var running []mission.Task
				claim := func() string {
					task, _ := f.claimExamining(at)
					running = append(running, task)
					return task.TenantID
				}
				for range 2 {
					claim()
				}
				for round := range 6 {
					at = at.Add(time.Second)
					f.examination(newcomer, fmt.Sprint("n", round), at)
					before := map[string]int{}
					for sum := 0; ; sum++ {
						at = at.Add(20 * time.Second)
						f.examined(running[0], at, 20*time.Second)
						running = running[1:]
						id := claim()
						if id == newcomer { // it is quick
							f.examined(running[1], at, time.Millisecond)
							running = running[:1]
							claim()
							break
						}
						if before[id]++; before[id] > 1 || sum >= most {
							t.Fatalf("in round %d it waits for %v", round, before)
						}
					}
				}
			})
		})
	}
}

// What tenants' files cost decides about their turns, and each file has one: whoever has the fewest examined goes first,
// then whose turn is the earliest.
func TestTurnsByWhatFilesCost(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		r, ids, at := rand.New(rand.NewPCG(1, 2)), f.tenants(4), start
		waiting, turns, running := map[string][]time.Time{}, map[string]time.Time{}, map[string]int{}
		var under []mission.Task
		claimed := 0
		for step := range 160 {
			at = at.Add(time.Duration(1+r.IntN(1000)) * time.Millisecond)
			if id := ids[r.IntN(len(ids))]; step < 80 && r.IntN(2) == 0 {
				f.examination(id, fmt.Sprint(step), at)
				waiting[id] = append(waiting[id], at)
			}
			if len(under) == 3 || len(under) > 0 && r.IntN(3) == 0 {
				i, cost := r.IntN(len(under)), time.Duration(1+r.IntN(30_000))*time.Millisecond
				f.examined(under[i], at, cost)
				turns[under[i].TenantID] = mission.NextTurn(turns[under[i].TenantID], at, cost, mission.MaxDebt)
				running[under[i].TenantID]--
				under = slices.Delete(under, i, i+1)
			}
			task, ok := f.claimExamining(at)
			turn := func(id string) time.Time {
				return slices.MaxFunc([]time.Time{waiting[id][0], turns[id]}, time.Time.Compare)
			}
			var may []string
			for _, id := range ids {
				if len(waiting[id]) > 0 {
					may = append(may, id)
				}
			}
			if ok != (len(may) > 0) {
				t.Fatalf("in step %d something is claimed: %v", step, ok)
			}
			if !ok {
				continue
			}
			want := slices.MinFunc(may, func(a, b string) int {
				return cmp.Or(cmp.Compare(running[a], running[b]), turn(a).Compare(turn(b)))
			})
			if task.TenantID != want || !task.RunAt.Equal(waiting[want][0]) || task.Fence != 1 || task.Attempt != 1 || task.Type != mission.TaskMediaExamine {
				t.Fatalf("in step %d %+v is claimed, want the first of %s", step, task, want)
			}
			waiting[want] = waiting[want][1:]
			running[want]++
			under = append(under, task)
			claimed++
		}
		if claimed < 30 {
			t.Errorf("only %d are claimed", claimed)
		}
	})
}

// Two workers that claim at once don't both take the files of the tenant that is next.
func TestTurnsOfConcurrentClaims(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if strings.HasSuffix(t.Name(), "sqlite") { // which has one writer
			return
		}
		ids := f.tenants(2)
		f.examination(ids[0], "first", start)
		f.examination(ids[0], "second", start)
		f.examination(ids[1], "other", start.Add(time.Second))
		rolledBack := errors.New("rolled back")
		if err := f.tx(func(tx store.Tx) error {
			f.must(tx.DropSubjects(ctx, "", mission.TaskMediaExamine, "first"))
			_, err := tx.LockTenant(ctx, ids[0]) // sends the deferred write
			f.must(err)
			if task, ok := f.claimExamining(start.Add(time.Minute)); !ok || task.Subject != "other" {
				t.Errorf("claimed is %+v", task)
			}
			return rolledBack
		}); !errors.Is(err, rolledBack) {
			t.Error(err)
		}
		if task, ok := f.claimExamining(start); !ok || task.Subject != "first" {
			t.Errorf("claimed is %+v", task)
		}
	})
}

// A file that isn't due yet, and other tasks, aren't claimed; a file whose worker died is claimed again, and meanwhile
// counts as examined.
func TestWhatIsClaimedInTurn(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		ids := f.tenants(2)
		f.task(f.mission(nil), start)
		f.examination(ids[0], "late", start.Add(time.Minute))
		if task, ok := f.claimExamining(start); ok {
			t.Errorf("claimed is %+v", task)
		}
		at := start.Add(time.Minute)
		died, _ := f.claimExamining(at)
		f.examination(ids[0], "next", start)
		f.examination(ids[1], "other", at)
		if task, _ := f.claimExamining(at); task.Subject != "other" {
			t.Errorf("claimed is %+v beside one of its tenant's", task)
		}
		if _, err := f.db.ExpireLeases(ctx, time.Hour, at); err != nil {
			t.Fatal(err)
		}
		if task, _ := f.claimExamining(at); task.Subject != "next" {
			t.Errorf("claimed is %+v", task)
		}
		f.wantLost(f.tx(func(tx store.Tx) error { return tx.FinishTask(ctx, died) }))
	})
}

func (f *fixture) wantLost(err error) {
	f.t.Helper()
	if !errors.Is(err, store.ErrLost) {
		f.t.Errorf("got %v, want ErrLost", err)
	}
}

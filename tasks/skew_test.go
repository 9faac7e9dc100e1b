package tasks_test

import (
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/store"
	"missiond/tasks"
)

// A worker whose clock is slightly ahead of the database's claims a task that it was
// given once the database's clock says that it is due.
func TestClaimsWhenTheDatabaseIsBehind(t *testing.T) {
	production := tasks.Timing(clock.Real())
	production.Production = true
	testkit.EachFaultyDB(t, store.Options{Timing: production}, func(t *testing.T, db *store.DB, faults *database.Faults) {
		w := world.InRealTime(t, db)
		faults.Later(-300 * time.Millisecond)
		w.Create(world.OneDay)
		due, err := db.Dispatch(t.Context(), time.Now(), 1)
		w.Must(err)
		c, err := tasks.NewRunner(w.Parts).Claim(t.Context(), due[0].Task.ID)
		if err != nil || c == nil {
			t.Errorf("got the claim %v, %v", c, err)
		}
	})
}

// A lease begins with the statement that grants it, however long its claim has waited for others.
func TestLeaseBeginsWithItsStatement(t *testing.T) {
	testkit.EachDB(t, store.Options{Timing: tasks.Timing(clock.Real())}, func(t *testing.T, db *store.DB) {
		w := world.InRealTime(t, db)
		w.Create(world.OneDay)
		due, err := db.Dispatch(t.Context(), time.Now(), 1)
		w.Must(err)
		r := tasks.NewRunner(w.Parts)
		var began time.Time
		r.BeforeClaims(func() { began = time.Now() })
		c, err := r.Claim(t.Context(), due[0].Task.ID)
		w.Must(err)
		if least := began.Add(tasks.Lease); c == nil || c.Until().Before(least) {
			t.Errorf("got the claim %v, want one until %s at least", c, least)
		}
	})
}

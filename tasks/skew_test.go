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

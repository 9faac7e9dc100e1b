package tasks

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"missiond/internal/clock"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/store"
)

// A worker whose clock is slightly ahead of the database's claims a task that it was
// given once the database's clock says that it is due.
func TestClaimsWhenTheDatabaseIsBehind(t *testing.T) {
	production := Timing(clock.Real())
	production.Production = true
	testkit.EachFaultyDB(t, store.Options{Timing: production}, func(t *testing.T, db *store.DB, faults *store.Faults) {
		w := &world{t: t, db: db, service: newVerbs(db, missions.Options{Clock: clock.Real(), Writer: plainWriter{}, Sandbox: true})}
		worker := newWorker(Parts{DB: db, Clock: clock.Real(), Metrics: NewMetrics(prometheus.NewRegistry())})
		defer worker.stop()
		w.tenant = w.makeTenant("Test")
		faults.Later(-300 * time.Millisecond)
		w.create(oneDay)
		due, err := db.Dispatch(t.Context(), time.Now(), 1)
		w.must(err)
		c, err := worker.claim(t.Context(), due[0].Task.ID)
		if err != nil || c == nil {
			t.Errorf("got the claim %v, %v", c, err)
		}
	})
}

package store_test

import (
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// skews are differences between a process's clock and the database's.
var skews = []time.Duration{-10 * time.Minute, 0, 10 * time.Minute}

// A lease lasts as long as it was granted for by the database's clock, whatever
// the clocks of the processes that grant, renew and check it.
func TestLeasesIgnoreClocks(t *testing.T) {
	testkit.EachFaultyDB(t, options, func(t *testing.T, db *store.DB, faults *database.Faults) {
		f := newFixture(t, db)
		now := mission.Millis(time.Now())
		expired := func(skew time.Duration) int {
			t.Helper()
			n, err := f.db.ExpireLeases(ctx, 0, now.Add(skew))
			f.must(err)
			return n
		}
		for _, holder := range skews {
			for _, sweeper := range skews {
				f.task(f.mission(nil), now.Add(-time.Hour))
				id := f.dispatch(now, 1)[0].Task.ID
				task, ok, err := f.db.Claim(ctx, id, now.Add(holder), time.Minute)
				if err != nil || !ok {
					t.Fatalf("a process whose clock is off by %s claims nothing: %v", holder, err)
				}
				faults.Later(50 * time.Second)
				f.must(f.db.Renew(ctx, []mission.Task{task}, time.Minute))
				faults.Later(50 * time.Second)
				if n := expired(sweeper); n != 0 {
					t.Errorf("clocks off by %s and %s: a renewed lease expired", holder, sweeper)
				}
				faults.Later(20 * time.Second)
				if n := expired(sweeper); n != 1 {
					t.Errorf("clocks off by %s and %s: %d leases expired, want 1", holder, sweeper, n)
				}
				task, ok, err = f.db.Claim(ctx, id, now, time.Minute)
				if err != nil || !ok {
					t.Fatalf("the task isn't claimed again: %v", err)
				}
				f.must(f.tx(func(tx store.Tx) error { return tx.FinishTask(ctx, task) }))
			}
		}
	})
}

// A request can be taken over once its holder's lease has expired by the
// database's clock, and not before.
func TestRequestsLeases(t *testing.T) {
	testkit.EachFaultyDB(t, options, func(t *testing.T, db *store.DB, faults *database.Faults) {
		f := newFixture(t, db)
		const lease = 5 * time.Second
		for _, skew := range skews {
			at := mission.Millis(time.Now().Add(skew))
			r := store.KeyedRequest{TenantID: f.tenant.ID, Key: skew.String(), Fingerprint: "f", Holder: "one", CreatedAt: at}
			if _, claimed, err := f.db.ClaimRequest(ctx, r, lease, at.Add(-24*time.Hour)); err != nil || !claimed {
				t.Fatalf("the request isn't claimed: %v", err)
			}
			takenOver := func(when string, want bool) {
				t.Helper()
				if ok, err := f.db.TakeOverRequest(ctx, r, "two", lease); err != nil || ok != want {
					t.Errorf("a clock off by %s: %s the request is taken over: %t, %v", skew, when, ok, err)
				}
			}
			takenOver("at once", false)
			faults.Later(4 * time.Second)
			f.must(f.db.RenewRequest(ctx, r, lease))
			faults.Later(4 * time.Second)
			takenOver("once it was renewed", false)
			faults.Later(2 * time.Second)
			takenOver("in the end", true)
		}
	})
}

// A lease that ends later than any is granted for, which a process with a wrong
// clock may have left, counts as expired.
func TestLeasesAreNeverLong(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.task(f.mission(nil), start)
		id := f.dispatch(start, 1)[0].Task.ID
		if _, ok, err := f.db.Claim(ctx, id, start, 5*time.Hour); err != nil || !ok {
			t.Fatal(err)
		}
		if n, err := f.db.ExpireLeases(ctx, 0, start); n != 1 || err != nil {
			t.Errorf("%d leases expired, %v", n, err)
		}
	})
}

// In production a task is due by the database's clock too: a process whose clock is
// ahead claims nothing early.
func TestClaimsWaitForTheDatabase(t *testing.T) {
	production := options
	production.Timing.Production = true
	testkit.EachFaultyDB(t, production, func(t *testing.T, db *store.DB, faults *database.Faults) {
		f := newFixture(t, db)
		now, ahead := mission.Millis(time.Now()), 2*time.Minute
		f.task(f.mission(nil), now.Add(time.Minute))
		id := f.dispatch(now.Add(ahead), 1)[0].Task.ID
		claims := func() int {
			t.Helper()
			many, err := f.db.ClaimFree(ctx, []string{id}, now.Add(ahead), time.Minute)
			f.must(err)
			_, ok, err := f.db.Claim(ctx, id, now.Add(ahead), time.Minute)
			f.must(err)
			if ok {
				return len(many) + 1
			}
			return len(many)
		}
		if n := claims(); n != 0 {
			t.Errorf("a process that is %s ahead claimed a task a minute early", ahead)
		}
		faults.Later(time.Minute)
		if n := claims(); n != 1 {
			t.Errorf("got %d claims of a task that is due, want 1", n)
		}
	})
}

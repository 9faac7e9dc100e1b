package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// Behind a pooler in transaction mode, which hands each transaction of several
// clients another connection, statements work as the start finds them, and
// prepared ones are refused at the start.
func TestPooler(t *testing.T) {
	t.Parallel()
	through, _ := testkit.PgBouncer(t, testkit.MigratedURL(t), "default_pool_size = 3")
	open := func(address string, s database.Statements) *store.DB {
		db, err := store.OpenPostgres(address, store.Options{Database: database.Options{Statements: s}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	for name, db := range map[string]*store.DB{
		"prepared":        open(through, database.StatementsPrepared),
		"prepared by URL": open(through+"&default_query_exec_mode=cache_statement", ""),
	} {
		if err := db.Migrated(ctx); err == nil || !strings.Contains(err.Error(), "--database-statements") {
			t.Errorf("%s: the start returns %v, want a refusal that names the flag", name, err)
		}
	}
	for name, db := range map[string]*store.DB{
		"auto":                     open(through, ""),
		"plain":                    open(through, database.StatementsPlain),
		"plain by URL":             open(through+"&default_query_exec_mode=exec", ""),
		"without a cache by URL":   open(through+"&statement_cache_capacity=0", ""),
		"in the text, by URL":      open(through+"&default_query_exec_mode=simple_protocol", ""),
		"auto, beside the refused": open(through, database.StatementsAuto),
	} {
		if err := db.Migrated(ctx); err != nil {
			t.Errorf("%s: the start: %v", name, err)
		}
		f := &fixture{t: t, db: db}
		f.tenant, f.user = f.makeTenant(strings.ReplaceAll(name, " ", "-"))
		f.must(f.crowd(8))
	}
}

// crowd reads and writes in as many goroutines.
func (f *fixture) crowd(n int) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			for range 10 {
				_, err := f.db.Tenant(ctx, f.tenant.ID)
				errs[i] = errors.Join(errs[i], err, f.tx(func(tx store.Tx) error {
					if _, err := tx.Tenant(ctx, f.tenant.ID); err != nil {
						return err
					}
					return tx.SetLimits(ctx, f.tenant.ID, mission.Limits{})
				}))
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// A connection that prepares statements plans each once, unless it is said otherwise. One to
// a pooler is left as it is: its settings would stay with other clients.
func TestPlannedOnce(t *testing.T) {
	t.Parallel()
	direct := testkit.MigratedURL(t)
	pooled, _ := testkit.PgBouncer(t, direct)
	for name, c := range map[string]struct {
		address    string
		statements database.Statements
		want       string
	}{
		"a connection":             {direct, "", "force_generic_plan"},
		"prepared":                 {direct, database.StatementsPrepared, "force_generic_plan"},
		"plain":                    {direct, database.StatementsPlain, "auto"},
		"the URL's":                {direct + "&plan_cache_mode=force_custom_plan", "", "force_custom_plan"},
		"a connection to a pooler": {pooled, "", "auto"},
	} {
		db := openAt(t, c.address, store.Options{Database: database.Options{Statements: c.statements}})
		if got, err := store.PlanCacheMode(ctx, db); err != nil || got != c.want {
			t.Errorf("%s: plan_cache_mode is %q (%v), want %q", name, got, err, c.want)
		}
	}
}

// A transaction doesn't wait for a lock for as long as a request may take, whatever is
// between, unless an operator has said how long.
func TestLockTimeout(t *testing.T) {
	t.Parallel()
	direct, own := testkit.MigratedURL(t), testkit.MigratedURL(t)
	set := testkit.NewTrouble(t, own)
	set.Set("lock_timeout", "70ms")
	t.Cleanup(func() { set.Reset("lock_timeout") }) // other tests use the database again
	pooled, _ := testkit.PgBouncer(t, direct)
	ownPooled, _ := testkit.PgBouncer(t, own)
	for name, c := range map[string]struct{ address, want string }{
		"a connection":             {direct, "20s"},
		"a connection to a pooler": {pooled, "20s"},
		"the URL's":                {direct + "&lock_timeout=3s", "3s"},
		"the database's":           {own, "70ms"},
		"the database's, on a connection to a pooler": {ownPooled, "70ms"},
	} {
		if got, err := store.LockTimeout(ctx, openAt(t, c.address, store.Options{})); err != nil || got != c.want {
			t.Errorf("%s: lock_timeout is %q (%v), want %q", name, got, err, c.want)
		}
	}
	lock, err := pgx.Connect(ctx, own)
	if err == nil {
		_, err = lock.Exec(ctx, "BEGIN; LOCK TABLE tenants")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Close(ctx) })
	err = openAt(t, own, store.Options{}).Tx(ctx, func(tx store.Tx) error {
		return tx.SetLimits(ctx, "ten_1", mission.Limits{})
	})
	if !database.Unavailable(err) {
		t.Errorf("a table is locked: %v, want an error of the database's trouble", err)
	}
}

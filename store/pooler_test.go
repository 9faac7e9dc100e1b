package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

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
	open := func(address string, s store.Statements) *store.DB {
		db, err := store.OpenPostgres(address, store.Options{Statements: s})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	for name, db := range map[string]*store.DB{
		"prepared":        open(through, store.StatementsPrepared),
		"prepared by URL": open(through+"&default_query_exec_mode=cache_statement", ""),
	} {
		if err := db.Migrated(ctx); err == nil || !strings.Contains(err.Error(), "--database-statements") {
			t.Errorf("%s: the start returns %v, want a refusal that names the flag", name, err)
		}
	}
	for name, db := range map[string]*store.DB{
		"auto":                     open(through, ""),
		"plain":                    open(through, store.StatementsPlain),
		"plain by URL":             open(through+"&default_query_exec_mode=exec", ""),
		"without a cache by URL":   open(through+"&statement_cache_capacity=0", ""),
		"in the text, by URL":      open(through+"&default_query_exec_mode=simple_protocol", ""),
		"auto, beside the refused": open(through, store.StatementsAuto),
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
		statements store.Statements
		want       string
	}{
		"a connection":             {direct, "", "force_generic_plan"},
		"prepared":                 {direct, store.StatementsPrepared, "force_generic_plan"},
		"plain":                    {direct, store.StatementsPlain, "auto"},
		"the URL's":                {direct + "&plan_cache_mode=force_custom_plan", "", "force_custom_plan"},
		"a connection to a pooler": {pooled, "", "auto"},
	} {
		db := openAt(t, c.address, store.Options{Statements: c.statements})
		if got, err := store.PlanCacheMode(ctx, db); err != nil || got != c.want {
			t.Errorf("%s: plan_cache_mode is %q (%v), want %q", name, got, err, c.want)
		}
	}
}

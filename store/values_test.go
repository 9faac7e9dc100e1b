package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// Every way of sending statements stores the same values, whatever the options and the URL say.
func TestWrittenValues(t *testing.T) {
	t.Parallel()
	address := testkit.MigratedURL(t)
	for i, c := range []struct {
		statements database.Statements
		parameter  string
	}{
		{database.StatementsPrepared, ""}, {database.StatementsPlain, ""}, {database.StatementsAuto, "default_query_exec_mode=exec"},
		{database.StatementsAuto, "default_query_exec_mode=simple_protocol"}, {database.StatementsAuto, "default_query_exec_mode=describe_exec"},
		{database.StatementsAuto, "statement_cache_capacity=0"}, {database.StatementsPrepared, "statement_cache_capacity=0"},
		{database.StatementsPlain, "description_cache_capacity=0"},
	} {
		s := fmt.Sprint(c.statements, " ", c.parameter)
		db, err := store.OpenPostgres(testkit.Pooled(t, address)+"&"+c.parameter, store.Options{Database: database.Options{Statements: c.statements}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		f := &fixture{t: t, db: db}
		f.tenant, f.user = f.makeTenant(fmt.Sprint("t", i))
		for _, text := range []string{"", "'", "''", `\'`, "NULL", "$1", "a; COMMIT; --", "42", "TRUE", "é\n\t🎈", strings.Repeat("'", 1000)} {
			for range 2 { // once prepared by the same message, once before
				tenant := f.tenant
				tenant.Name, tenant.Brand.Voice, tenant.Brand.ExcludedTopics = text, text, []string{text}
				f.must(f.tx(func(tx store.Tx) error { return tx.SetTenant(ctx, tenant, f.entry(tenant.ID)) }))
				got, err := db.Tenant(ctx, tenant.ID)
				f.must(err)
				if got.Name != text || got.Brand.Voice != text || got.Brand.ExcludedTopics[0] != text {
					t.Errorf("%s: %q became %q, %q and %q", s, text, got.Name, got.Brand.Voice, got.Brand.ExcludedTopics)
				}
			}
		}
		tenant := f.tenant
		tenant.Name = "a\x00b"
		if err := f.tx(func(tx store.Tx) error { return tx.SetTenant(ctx, tenant, f.entry(tenant.ID)) }); err == nil {
			t.Errorf("%s: a text with a NUL byte is stored", s)
		}
	}
}

// After a write that failed a connection prepares again what wasn't reached.
func TestPreparedWritesAfterAFailure(t *testing.T) {
	t.Parallel()
	db, err := store.OpenPostgres(testkit.Pooled(t, testkit.MigratedURL(t)), store.Options{Database: database.Options{
		Statements: database.StatementsPrepared, Connections: database.MinConnections,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	f := newFixture(t, db)
	duplicate := func(tx store.Tx) error { return tx.AddUser(ctx, f.user, f.entry(f.tenant.ID)) }
	limits := func(tx store.Tx) error { return tx.SetLimits(ctx, f.tenant.ID, mission.Limits{}) }
	if err := f.tx(func(tx store.Tx) error {
		if err := duplicate(tx); err != nil {
			return err
		}
		return limits(tx)
	}); err == nil {
		t.Error("a duplicate is stored")
	}
	for range 2 {
		f.must(f.tx(limits))
	}
}

// Times are read in UTC and in milliseconds, whatever a database has, and durations as they were written.
func TestTimesOfRows(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.must(store.SetTimes(ctx, f.db, f.tenant.ID, start.Add(1234567*time.Nanosecond).In(time.FixedZone("", 3600))))
		want := start.Add(time.Millisecond)
		list, err := f.db.Tenants(ctx, "", 1)
		f.must(err)
		one, err := f.db.Tenant(ctx, f.tenant.ID)
		f.must(err)
		for how, got := range map[string]mission.Tenant{"of a list": list[0], "alone": one} {
			if got.UpdatedAt != want || *got.DeletesAt != want || got.DeletionAskedAt != nil {
				t.Errorf("%s, got %s, %s and %v, want %s twice", how, got.UpdatedAt, got.DeletesAt, got.DeletionAskedAt, want)
			}
		}
		m := f.mission(nil)
		pause, err := m.Pause(start)
		f.must(err)
		pause.To.PausedFor = 90*time.Minute + 250*time.Millisecond
		f.must(f.tx(func(tx store.Tx) error { return tx.ChangeMission(ctx, pause) }))
		got, err := f.db.Mission(ctx, f.tenant.ID, m.ID)
		f.must(err)
		if got.PausedFor != pause.To.PausedFor {
			t.Errorf("it was paused for %s, want %s", got.PausedFor, pause.To.PausedFor)
		}
	})
}

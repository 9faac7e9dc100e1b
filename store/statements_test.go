package store_test

import (
	"flag"
	"strings"
	"sync"
	"testing"

	"missiond/internal/database"
	"missiond/store"
)

// explain has the tests print what they say to Postgres: go test ./store -v -explain.
var explain = flag.Bool("explain", false, "print each statement that is sent to Postgres, and its plan")

// explained has the statements that were printed.
var explained sync.Map

// explainAll prints the statements of a database that weren't printed yet.
func explainAll(t *testing.T, db *store.DB, faults *database.Faults) {
	t.Helper()
	faults.Listen(func(text string, _ ...any) {
		if _, again := explained.LoadOrStore(text, nil); again || !planned(text) {
			return
		}
		plan, err := store.Explain(ctx, db, text)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		t.Logf("%s\n\n%s\n", text, plan)
	})
}

// planned reports whether a statement has a plan.
func planned(text string) bool {
	verb, _, _ := strings.Cut(text, " ")
	return strings.Contains("SELECT INSERT UPDATE DELETE WITH", verb)
}

// Each statement has its values beside it and is planned for any, so that it can be explained
// as it is sent.
func TestStatementsAreExplained(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if !f.db.RowLocks() {
			return // EXPLAIN is tried on Postgres
		}
		var mu sync.Mutex
		texts := map[string]int{}
		f.faults.Listen(func(text string, values ...any) {
			mu.Lock()
			defer mu.Unlock()
			texts[text] = len(values)
		})
		f.posts(f.job(f.mission(nil)))
		_, err := f.db.Missions(ctx, f.tenant.ID, store.MissionFilter{}, store.Page{Limit: 20, Total: true})
		f.must(err)
		_, err = f.db.Dispatch(ctx, start, 10)
		f.must(err)
		f.faults.Listen(nil)
		some := 0
		for text, values := range texts {
			if !planned(text) {
				continue
			}
			plan, err := store.Explain(ctx, f.db, text)
			if err != nil {
				t.Errorf("%v\n%s", err, text)
			}
			if !strings.Contains(plan, "cost=") {
				t.Errorf("the plan of %s is %s", text, plan)
			}
			some += min(values, 1)
		}
		if some < 5 {
			t.Errorf("%d statements with values were heard", some)
		}
	})
}

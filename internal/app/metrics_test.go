package app

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/internal/clock"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// value returns the value of a metric with a label's value, or without labels.
func value(t *testing.T, r *prometheus.Registry, name, label string) (v float64, ok bool) {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && (label == "" || len(m.GetLabel()) > 0 && m.GetLabel()[0].GetValue() == label) {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue(), true
			}
		}
	}
	return 0, false
}

// The counters are shown from the start, and count what ends.
func TestOutcomeMetrics(t *testing.T) {
	t.Parallel()
	r := prometheus.NewRegistry()
	count := countOutcomes(promauto.With(r))
	all := map[string]string{"missiond_posts_total": "failed", "missiond_jobs_total": "failed", "missiond_deliveries_total": "failed", "missiond_spent_total": "writing"}
	for name, label := range all {
		if v, ok := value(t, r, name, label); !ok || v != 0 {
			t.Errorf("at the start %s{%s} is %v, %v", name, label, v, ok)
		}
	}
	count(store.Committed{
		Events:     map[mission.EventType]int{mission.EventContentFailed: 2, mission.EventJobFailed: 2, mission.EventMissionPaused: 5},
		Deliveries: map[mission.DeliveryStatus]int{mission.DeliveryFailed: 2},
		Spent:      map[mission.SpendingKind]mission.Micros{mission.SpendWriting: 200 * mission.MicrosPerCent},
	})
	for name, label := range all {
		if v, _ := value(t, r, name, label); v != 2 {
			t.Errorf("%s{%s} is %v, want 2", name, label, v)
		}
	}
}

// The gauges show what is due, for how long, and that publishing is held.
func TestBacklogMetrics(t *testing.T) {
	t.Parallel()
	testkit.EachDB(t, store.Options{Timing: tasks.Timing(clock.Real())}, func(t *testing.T, db *store.DB) {
		ctx, c := context.Background(), clock.NewManual(time.Now())
		a := New(Config{Backend: &Backend{DB: db, Clock: c}})
		kind := mission.TaskTenantRecheck
		if v, ok := value(t, a.Metrics, "missiond_ledger_due", string(kind)); !ok || v != 0 {
			t.Errorf("an empty ledger has %v due tasks, %v", v, ok)
		}
		tenant, _, err := a.Accounts.CreateTenant(ctx, accounts.NewTenant{Name: "Test", Plan: mission.PlanFree})
		if err != nil {
			t.Fatal(err)
		}
		err = db.Tx(ctx, func(tx store.Tx) error {
			return tx.AddTasks(ctx, c.Now(), mission.NewTenantTask(tenant.ID, kind, "", c.Now().Add(-time.Minute)))
		})
		if err == nil {
			err = a.Missions.HoldPublishing(ctx, "a test")
		}
		if err != nil {
			t.Fatal(err)
		}
		r := prometheus.NewRegistry() // with a collector that hasn't read yet
		r.MustRegister(&backlogCollector{app: a})
		for _, want := range []struct {
			name, label string
			v           float64
		}{
			{"missiond_ledger_due", string(kind), 1}, {"missiond_ledger_oldest_due_seconds", string(kind), 60},
			{"missiond_publishing_held", "", 1}, {"missiond_deliveries_pending", "", 0},
		} {
			if v, ok := value(t, r, want.name, want.label); !ok || v != want.v {
				t.Errorf("%s{%s} is %v, %v; want %v", want.name, want.label, v, ok, want.v)
			}
		}
	})
}

// Every metric that the documentation and the alerts name exists.
func TestDocumentedMetricsExist(t *testing.T) {
	t.Parallel()
	root, sources := filepath.Join("..", ".."), ""
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			sources += string(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range []string{"docs/operating.md", "deploy/prometheus/alerts.yml", "deploy/grafana/missiond.json"} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bmissiond_[a-z_]+\b`).FindAllString(string(text), -1) {
			named++
			name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count"), "_sum")
			part, pooled := strings.CutPrefix(name, "missiond_database_") // which is a prefix in the sources
			if !strings.Contains(sources, `"`+name+`"`) && !(pooled && strings.Contains(sources, `desc("`+part+`"`)) {
				t.Errorf("%s names %s, which no source does", file, name)
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d metrics are named", named)
	}
}

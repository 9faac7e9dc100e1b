package tasks

import (
	"context"
	"slices"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// each runs a benchmark on the embedded parts and on the servers.
func eachBench(b *testing.B, run func(b *testing.B, m *machine)) {
	b.Helper()
	for name, parts := range map[string]struct {
		db    func(testing.TB, store.Options) *store.DB
		redis func(testing.TB) string
	}{"embedded": {testkit.SQLite, testkit.Miniredis}, "servers": {testkit.Postgres, testkit.Redis}} {
		b.Run(name, func(b *testing.B) {
			m := start(b, parts.db(b, store.Options{Timing: Timing(clock.Real())}), parts.redis(b), plainWriter{})
			defer m.stop()
			run(b, m)
		})
	}
}

// BenchmarkChainedStage measures how long a stage that another one leaves takes
// to begin: from the end of the one to the start of the next, on an idle
// machine.
func BenchmarkChainedStage(b *testing.B) {
	eachBench(b, func(b *testing.B, m *machine) {
		var gaps []time.Duration
		for b.Loop() {
			created := m.create(oneDay)
			await(b, "a job that is done", 30*time.Second, m.jobDone(created.ID))
			j, err := m.db.Job(context.Background(), m.tenant.TenantID, *created.PipelineJobID)
			m.must(err)
			for i := 1; i < len(j.Stages); i++ {
				gaps = append(gaps, j.Stages[i].StartedAt.Sub(*j.Stages[i-1].CompletedAt))
			}
		}
		report(b, gaps)
	})
}

// BenchmarkDueTask measures how late a task begins whose time was set a little
// ahead.
func BenchmarkDueTask(b *testing.B) {
	eachBench(b, func(b *testing.B, m *machine) {
		var late []time.Duration
		for b.Loop() {
			starts := mission.Millis(time.Now().Add(300 * time.Millisecond))
			created := m.create(func(in *mission.CreateInput) {
				oneDay(in)
				in.StartImmediately, in.StartsAt = nil, &starts
			})
			await(b, "the start", 30*time.Second, func() bool { return m.mission(created.ID).Status == mission.StatusActive })
			late = append(late, m.mission(created.ID).UpdatedAt.Sub(starts))
		}
		report(b, late)
	})
}

func report(b *testing.B, durations []time.Duration) {
	b.Helper()
	slices.Sort(durations)
	at := func(share float64) float64 {
		return float64(durations[int(share*float64(len(durations)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "ms-p50")
	b.ReportMetric(at(0.99), "ms-p99")
	b.ReportMetric(0, "ns/op")
}

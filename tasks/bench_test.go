package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/internal/webhook"
	"missiond/mission"
	"missiond/store"
)

// each runs a benchmark on the embedded databases and on the servers.
func eachBench(b *testing.B, run func(b *testing.B, m *machine)) {
	b.Helper()
	for name, parts := range map[string]struct {
		db    func(testing.TB, store.Options) *store.DB
		redis func(testing.TB) string
	}{"embedded": {testkit.SQLite, testkit.Miniredis}, "servers": {testkit.Postgres, testkit.Redis}} {
		b.Run(name, func(b *testing.B) {
			m := start(b, parts.db(b, store.Options{Timing: Timing(clock.Real())}), parts.redis(b), plainWriter{}, 0)
			defer m.stop()
			run(b, m)
		})
	}
}

// BenchmarkChainedStage measures the time between the end of a stage and the start
// of the next one, on an idle machine.
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

// BenchmarkDueTask measures how late a task starts whose time is slightly in the
// future.
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

// pipes are receivers of which one hangs until its request is canceled; the others
// respond at once, and report when an event that arrived was written.
type pipes struct {
	hangs   string
	arrived chan arrival
}

type arrival struct {
	event string
	at    time.Time
}

func (p *pipes) Send(ctx context.Context, m webhook.Message) webhook.Result {
	if m.URL == p.hangs {
		const wait = 5 * time.Second
		_ = clock.Sleep(ctx, wait)
		return webhook.Result{Duration: wait, Error: "The receiver did not answer within 5 seconds."}
	}
	p.arrived <- arrival{m.EventID, time.Now()}
	return webhook.Result{StatusCode: 200, Duration: time.Millisecond}
}

// BenchmarkDeliveryBesideAHangingEndpoint measures the time from an event to its
// arrival at a healthy endpoint, while another endpoint of the tenant hangs with
// 10,000 deliveries pending.
func BenchmarkDeliveryBesideAHangingEndpoint(b *testing.B) {
	eachBench(b, func(b *testing.B, m *machine) {
		p := &pipes{hangs: "http://127.0.0.1/hangs", arrived: make(chan arrival, 100)}
		hooks := m.hooks(p)
		ctx := context.Background()
		add := func(url string, e mission.EventType) mission.Webhook {
			w, _, err := hooks.Create(ctx, m.tenant, mission.WebhookInput{URL: url, Events: []mission.EventType{e}})
			m.must(err)
			return w
		}
		add("http://127.0.0.1/healthy", mission.EventMissionPaused)
		hanging := add(p.hangs, mission.EventMissionCreated)
		m.pend(m.create(oneDay), hanging, 10_000)
		var took []time.Duration
		for b.Loop() {
			created := m.create(oneDay)
			_, err := m.service.PauseMission(ctx, m.tenant, created.ID)
			m.must(err)
			a := <-p.arrived
			e, err := m.db.Event(ctx, m.tenant.TenantID, a.event)
			m.must(err)
			took = append(took, a.at.Sub(e.CreatedAt))
		}
		report(b, took)
	})
}

// pend inserts n deliveries of a mission's creation, pending for an endpoint.
func (m *machine) pend(created mission.Mission, w mission.Webhook, n int) {
	ctx := context.Background()
	events, err := m.db.MissionEvents(ctx, m.tenant.TenantID, created.ID, "", 1)
	m.must(err)
	const batch = 500
	for range n / batch {
		now := time.Now()
		list := make([]mission.Delivery, batch)
		for i := range list {
			list[i] = mission.Delivery{
				ID: m.db.NewID(mission.PrefixDelivery, now), TenantID: w.TenantID, WebhookID: w.ID, EventID: events[0].ID, EventType: events[0].Type,
				MissionID: created.ID, Status: mission.DeliveryPending, NextAttemptAt: &now, CreatedAt: now,
			}
		}
		m.must(m.db.Tx(ctx, func(tx store.Tx) error {
			return errors.Join(tx.RunDeliveryTask(ctx, w, now), tx.AddDeliveries(ctx, list))
		}))
	}
}

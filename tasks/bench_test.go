package tasks_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/internal/webhook"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// each runs a benchmark on the embedded databases and on the servers.
func eachBench(b *testing.B, run func(b *testing.B, p *process)) {
	b.Helper()
	for name, parts := range map[string]struct {
		db    func(testing.TB, store.Options) *store.DB
		redis func(testing.TB) string
	}{"embedded": {testkit.SQLite, testkit.Miniredis}, "servers": {testkit.Postgres, testkit.Redis}} {
		b.Run(name, func(b *testing.B) {
			p := start(b, parts.db(b, store.Options{Timing: tasks.Timing(clock.Real())}), parts.redis(b), world.PlainWriter{}, 0)
			defer p.stop()
			run(b, p)
		})
	}
}

// BenchmarkChainedStage measures the time between the end of a stage and the start
// of the next one, on an idle process.
func BenchmarkChainedStage(b *testing.B) {
	eachBench(b, func(b *testing.B, p *process) {
		var gaps []time.Duration
		for b.Loop() {
			created := p.Create(world.OneDay)
			await.Until(b, "a job that is done", p.jobDone(created.ID))
			j, err := p.DB.Job(context.Background(), p.Tenant.TenantID, *created.PipelineJobID)
			p.Must(err)
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
	eachBench(b, func(b *testing.B, p *process) {
		var late []time.Duration
		for b.Loop() {
			starts := mission.Millis(time.Now().Add(300 * time.Millisecond))
			created := p.Create(func(in *mission.CreateInput) {
				world.OneDay(in)
				in.StartImmediately, in.StartsAt = nil, &starts
			})
			await.Until(b, "the start", func() bool { return p.Mission(created.ID).Status == mission.StatusActive })
			late = append(late, p.Mission(created.ID).UpdatedAt.Sub(starts))
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
	eachBench(b, func(b *testing.B, p *process) {
		to := &pipes{hangs: "http://127.0.0.1/hangs", arrived: make(chan arrival, 100)}
		p.Sender = to
		ctx := context.Background()
		p.Hook("http://127.0.0.1/healthy", mission.EventMissionPaused)
		hanging, _ := p.Hook(to.hangs, mission.EventMissionCreated)
		p.pend(p.Create(world.OneDay), hanging, 10_000)
		var took []time.Duration
		for b.Loop() {
			created := p.Create(world.OneDay)
			_, err := p.Missions.PauseMission(ctx, p.Tenant, created.ID)
			p.Must(err)
			a := <-to.arrived
			e, err := p.DB.Event(ctx, p.Tenant.TenantID, a.event)
			p.Must(err)
			took = append(took, a.at.Sub(e.CreatedAt))
		}
		report(b, took)
	})
}

// pend inserts n deliveries of a mission's creation, pending for an endpoint.
func (p *process) pend(created mission.Mission, w mission.Webhook, n int) {
	ctx := context.Background()
	events, err := p.DB.MissionEvents(ctx, p.Tenant.TenantID, created.ID, "", 1)
	p.Must(err)
	const batch = 500
	for range n / batch {
		now := time.Now()
		list := make([]mission.Delivery, batch)
		for i := range list {
			list[i] = mission.Delivery{
				ID: p.DB.NewID(mission.PrefixDelivery, now), TenantID: w.TenantID, WebhookID: w.ID, EventID: events[0].ID, EventType: events[0].Type,
				MissionID: created.ID, Status: mission.DeliveryPending, NextAttemptAt: &now, CreatedAt: now,
			}
		}
		p.Must(p.DB.Tx(ctx, func(tx store.Tx) error {
			return errors.Join(tx.RunDeliveryTask(ctx, w, now), tx.AddDeliveries(ctx, list))
		}))
	}
}

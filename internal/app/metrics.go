package app

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/mission"
	"missiond/store"
)

// countedPosts and countedJobs are the events that metrics count, by the outcome that they stand for.
var (
	countedPosts = map[mission.EventType]string{
		mission.EventContentPublished: "published", mission.EventContentFailed: "failed", mission.EventContentCanceled: "canceled",
		mission.EventContentExpired: "expired", mission.EventContentRejected: "rejected",
	}
	countedJobs = map[mission.EventType]string{mission.EventJobCompleted: "completed", mission.EventJobFailed: "failed"}
)

// assembleMetrics counts what the process's transactions change, and measures the
// backlog of the database, which all processes report alike.
func (a *App) assembleMetrics() {
	a.DB.OnCommit(countOutcomes(promauto.With(a.Metrics)))
	a.Metrics.MustRegister(&backlogCollector{app: a}, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "missiond_log_lines_dropped_total",
		Help: "Lines of the log that were dropped because standard error took none: nobody reads it, or it is closed.",
	}, func() float64 {
		if a.LogDropped == nil {
			return 0
		}
		return float64(a.LogDropped())
	}))
}

// countOutcomes returns a function that counts what transactions change.
func countOutcomes(f promauto.Factory) func(c store.Committed) {
	counter := func(name, help string, outcomes ...string) *prometheus.CounterVec {
		v := f.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"outcome"})
		for _, o := range outcomes {
			v.WithLabelValues(o) // shown from the start, so that an increase from 0 is seen
		}
		return v
	}
	posts := counter("missiond_posts_total", "Posts that ended, by outcome.", "published", "failed", "canceled", "expired", "rejected")
	jobs := counter("missiond_jobs_total", "Jobs that ended, by outcome.", "completed", "failed")
	deliveries := counter("missiond_deliveries_total", "Webhook deliveries that ended, by outcome.",
		string(mission.DeliveryDelivered), string(mission.DeliveryFailed))
	spent := f.NewCounterVec(
		prometheus.CounterOpts{Name: "missiond_spent_total", Help: "Money spent, in units of the budgets' currency, by what it was spent on."},
		[]string{"kind"},
	)
	for _, k := range []mission.SpendingKind{mission.SpendWriting, mission.SpendPublishing, mission.SpendMeasuring} {
		spent.WithLabelValues(string(k))
	}
	return func(c store.Committed) {
		for kind, money := range c.Spent {
			spent.WithLabelValues(string(kind)).Add(float64(money) / 1e6)
		}
		for kind, n := range c.Events {
			if outcome, ok := countedPosts[kind]; ok {
				posts.WithLabelValues(outcome).Add(float64(n))
			}
			if outcome, ok := countedJobs[kind]; ok {
				jobs.WithLabelValues(outcome).Add(float64(n))
			}
		}
		for status, n := range c.Deliveries {
			deliveries.WithLabelValues(string(status)).Add(float64(n))
		}
	}
}

// The descriptions of the backlog's gauges.
var (
	dueDesc = prometheus.NewDesc(
		"missiond_ledger_due", "Tasks that are due and wait for a worker, by type; at most 10,000 are counted.",
		[]string{"type"}, nil,
	)
	ageDesc = prometheus.NewDesc(
		"missiond_ledger_oldest_due_seconds", "How long the oldest due task has waited for a worker, by type.",
		[]string{"type"}, nil,
	)
	troubledDesc = prometheus.NewDesc(
		"missiond_tasks_in_trouble", "Tasks that something of the service's own keeps from being done, by what it is; at most 10,000 are counted.",
		[]string{"trouble"}, nil,
	)
	troubleAgeDesc = prometheus.NewDesc(
		"missiond_tasks_in_trouble_seconds", "For how long the first of the tasks in trouble has been, by what it is.", []string{"trouble"}, nil,
	)
	pending = prometheus.NewDesc(
		"missiond_deliveries_pending",
		"Webhook deliveries that wait for their next attempt; at most 10,000 are counted.", nil, nil,
	)
	heldNow = prometheus.NewDesc("missiond_publishing_held", "Whether publishing is held (1) or not (0).", nil, nil)
)

const (
	// backlogAge is how old the reported backlog may be.
	backlogAge = 15 * time.Second
	// backlogLimit is the time limit for reading it.
	backlogLimit = 5 * time.Second
)

// backlogCollector reports the backlog. It reads the database only if it is scraped, at
// most once in backlogAge. A backlog that can't be read isn't reported.
type backlogCollector struct {
	app *App

	mu   sync.Mutex
	read time.Time // in real time
	at   time.Time // the domain time of last
	last *store.Backlog
}

// Describe implements [prometheus.Collector].
func (*backlogCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{dueDesc, ageDesc, troubledDesc, troubleAgeDesc, pending, heldNow} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *backlogCollector) Collect(out chan<- prometheus.Metric) {
	b, at := c.backlog()
	if b == nil {
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for t := range mission.TaskTypes() {
		age := 0.0
		if oldest, ok := b.OldestDue[t]; ok {
			age = at.Sub(oldest).Seconds()
		}
		gauge(dueDesc, float64(b.Due[t]), string(t))
		gauge(ageDesc, age, string(t))
	}
	for _, t := range mission.AllTroubles() {
		age := 0.0
		if since, ok := b.TroubledSince[t]; ok {
			age = at.Sub(since).Seconds()
		}
		gauge(troubledDesc, float64(b.Troubled[t]), string(t))
		gauge(troubleAgeDesc, age, string(t))
	}
	held := 0.0
	if b.Held {
		held = 1
	}
	gauge(pending, float64(b.Deliveries))
	gauge(heldNow, held)
}

// backlog returns the backlog and its domain time; nil if it can't be read.
func (c *backlogCollector) backlog() (*store.Backlog, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.read) < backlogAge {
		return c.last, c.at
	}
	ctx, cancel := context.WithTimeout(context.Background(), backlogLimit)
	defer cancel()
	c.read, c.at, c.last = time.Now(), c.app.Clock.Now(), nil
	b, err := c.app.DB.Backlog(ctx, c.at)
	if err != nil {
		c.app.Log.Warn("metrics: read the backlog", "error", err)
		return nil, c.at
	}
	c.last = &b
	return c.last, c.at
}

// warnIfHeld logs that publishing is held, so that nobody looks for another reason why
// no posts are published.
func (a *App) warnIfHeld(ctx context.Context) {
	h, err := a.DB.PublishingHold(ctx)
	if err == nil && h != nil {
		a.Log.Warn("publishing is held: no posts are published until missiond publishing release", "since", h.Since, "reason", h.Reason)
	}
}

package tasks

import "github.com/prometheus/client_golang/prometheus"

// Metrics are the metrics of dispatchers, workers and sweepers.
type Metrics struct {
	dispatches       *prometheus.CounterVec
	dispatchFailures prometheus.Counter
	leasesLost       prometheus.Counter
	runs             *prometheus.CounterVec
	seconds          *prometheus.HistogramVec
	lateness         prometheus.Histogram
}

// NewMetrics returns the metrics, registered.
func NewMetrics(r prometheus.Registerer) *Metrics {
	m := &Metrics{
		dispatches: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "missiond_task_handovers_total", Help: "Tasks enqueued in Asynq, by type.",
		}, []string{"type"}),
		dispatchFailures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "missiond_task_handover_failures_total", Help: "Tasks that couldn't be enqueued; they are dispatched again.",
		}),
		leasesLost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "missiond_task_leases_lost_total", Help: "Leases that expired because a worker died.",
		}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "missiond_task_runs_total",
			Help: "Runs of tasks, by type and outcome (done, nothing, put_off, retry, failed, lost, returned, trouble).",
		}, []string{"type", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "missiond_task_run_seconds", Help: "How long runs of tasks take.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 9),
		}, []string{"type"}),
		lateness: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "missiond_task_lateness_seconds", Help: "How long after its time a task is claimed, in real seconds; not of examinations of files.",
			Buckets: prometheus.ExponentialBuckets(0.005, 3, 9),
		}),
	}
	r.MustRegister(m.dispatches, m.dispatchFailures, m.leasesLost, m.runs, m.seconds, m.lateness)
	return m
}

package httpserver

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/internal/admission"
	"missiond/mission"
)

// Metrics counts requests.
type Metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

// buckets are the bounds of the latency histogram, in seconds: from a read to what a
// request may take.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// NewMetrics registers the metrics of requests, and of the gate that admits them.
func NewMetrics(r prometheus.Registerer, gate *admission.Gate) *Metrics {
	metrics := promauto.With(r)
	metrics.NewCounterFunc(prometheus.CounterOpts{Name: "missiond_http_shed_total", Help: "Requests refused because too many of their tenant, or of all, were in progress."},
		func() float64 { return float64(gate.Stats().Shed) })
	metrics.NewGaugeFunc(prometheus.GaugeOpts{Name: "missiond_http_waiting", Help: "Requests that wait for their turn."},
		func() float64 { return float64(gate.Stats().Waiting) })
	return &Metrics{
		requests: metrics.NewCounterVec(prometheus.CounterOpts{
			Name: "missiond_http_requests_total", Help: "Requests by operation (GraphQL's kinds, other for paths beside the APIs) and HTTP status.",
		}, []string{"operation", "status"}),
		seconds: metrics.NewHistogramVec(prometheus.HistogramOpts{
			Name: "missiond_http_request_seconds", Help: "How long requests took, by operation; streams and sockets aside.", Buckets: buckets,
		}, []string{"operation"}),
		inFlight: metrics.NewGauge(prometheus.GaugeOpts{Name: "missiond_http_in_flight", Help: "Requests in progress, streams included."}),
	}
}

// other is the operation of paths beside the APIs.
const other = "other"

// count counts a request that has ended. The operations are mission.Operations and
// GraphQL's kinds, so there are only so many.
func (m *Metrics) count(operation string, status int, took time.Duration, stream bool) {
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	if !stream {
		m.seconds.WithLabelValues(operation).Observe(took.Seconds())
	}
}

// operationLabel returns the operation of a request as metrics show it.
func operationLabel(operation string) string {
	_, known := mission.PolicyOf(mission.Operation(operation))
	switch {
	case known, operation == "graphql", operation == "graphql.query", operation == "graphql.mutation", operation == "graphql.subscription":
		return operation
	}
	return other
}

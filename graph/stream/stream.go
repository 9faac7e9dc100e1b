// Package stream has the transports of operations with more than one response:
// WebSockets, and server-sent events.
package stream

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/internal/clock"
	"missiond/internal/gateway"
	"missiond/mission"
)

// Options are what New needs.
type Options struct {
	Gateway *gateway.Gateway
	// Identify only checks a credential; the gateway's Auth also counts it.
	Identify func(ctx context.Context, credential string) (mission.Principal, error)
	Log      *slog.Logger
	// Metrics may be nil.
	Metrics prometheus.Registerer
	// MaxBody limits an operation as the client writes it, in bytes, and Timeout one
	// that isn't a subscription.
	MaxBody int64
	Timeout time.Duration
	// Check checks an operation as the client wrote it.
	Check func(operation []byte) error
	// Present returns an error as the client sees it.
	Present func(ctx context.Context, err error) *gqlerror.Error
	// Fail responds to a request that opens no stream. A status of 0 is that of the
	// error's code.
	Fail func(w http.ResponseWriter, r *http.Request, err error, status int)
}

// Server serves the streams of a process. It is safe for concurrent use.
type Server struct {
	Options

	streams  *registry
	visitors visitors
	now      func() time.Duration // of a monotonic clock
	slow     prometheus.Counter
}

// New returns a server without streams.
func New(o Options) *Server {
	s := &Server{Options: o, streams: newRegistry(o.Identify, o.Log), now: clock.Running}
	metrics := promauto.With(o.Metrics)
	s.slow = metrics.NewCounter(prometheus.CounterOpts{
		Name: "missiond_graphql_slow_peers_total", Help: "Streams closed because their peer did not read in time.",
	})
	metrics.NewGaugeFunc(prometheus.GaugeOpts{Name: "missiond_graphql_streams", Help: "Open WebSockets and event streams."}, s.streams.count)
	return s
}

// Run ends the streams whose credentials have ended, until ctx ends.
func (s *Server) Run(ctx context.Context) { s.streams.run(ctx) }

// Close ends the streams and refuses new ones: their clients reconnect elsewhere.
func (s *Server) Close() { s.streams.close() }

func (s *Server) errors(ctx context.Context, err error) gqlerror.List {
	return gqlerror.List{s.Present(ctx, err)}
}

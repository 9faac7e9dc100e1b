package app

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// watched is a store of files whose checks the test ends, and what is known of it.
type watched struct {
	*filesWatch

	t       *testing.T
	results chan error
	checks  atomic.Int64
	log     strings.Builder
	metrics *prometheus.Registry
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{t: t, results: make(chan error, 1), metrics: prometheus.NewRegistry()}
	w.filesWatch = newFilesWatch(func(context.Context) error {
		w.checks.Add(1)
		return <-w.results
	}, slog.New(slog.NewTextHandler(&w.log, nil)), w.metrics)
	return w
}

// expect checks what is known after a look: the state, and the metric.
func (w *watched) expect(state string, usable float64) {
	w.t.Helper()
	w.look(w.t.Context())
	if got := w.State(); got != state {
		w.t.Errorf("the state is %q, want %q", got, state)
	}
	metric, err := w.metrics.Gather()
	if err != nil || metric[0].GetName() != "missiond_files_usable" || metric[0].GetMetric()[0].GetGauge().GetValue() != usable {
		w.t.Errorf("the metrics are %v, %v, want %v", metric, err, usable)
	}
}

// What changes is logged once, and is the metric.
func TestFilesAreWatched(t *testing.T) {
	w := newWatched(t)
	for _, step := range []struct {
		err    error
		state  string
		usable float64
	}{{nil, "ok", 1}, {fs.ErrPermission, "access denied", 0}, {fs.ErrPermission, "access denied", 0}, {nil, "ok", 1}} {
		w.results <- step.err
		w.expect(step.state, step.usable)
	}
	if log := w.log.String(); strings.Count(log, "\n") != 2 || !strings.Contains(log, "permission denied") || !strings.Contains(log, "can be used again") {
		t.Errorf("the log is %s", log)
	}
}

// A check that hangs isn't waited for, and no other one is started beside it.
func TestHangingFiles(t *testing.T) {
	w := newWatched(t)
	w.limit = time.Millisecond
	w.expect("unreachable", 0)
	w.expect("unreachable", 0)
	if n := w.checks.Load(); n != 1 {
		t.Errorf("%d checks were started", n)
	}
	w.results <- nil
	w.limit = time.Minute
	w.expect("ok", 1)
}

// A process without its store of files goes on working: it is degraded.
func TestReadinessWithoutFiles(t *testing.T) {
	w := newWatched(t)
	well := func(context.Context) error { return nil }
	for _, step := range []struct {
		err  error
		want map[string]string
	}{
		{fs.ErrNotExist, map[string]string{"status": "degraded", "database": "ok", "redis": "ok", "files": "missing"}},
		{nil, map[string]string{"status": "ok", "database": "ok", "redis": "ok", "files": "ok"}},
	} {
		w.results <- step.err
		w.look(t.Context())
		ready := &readiness{
			redis: well, database: well, files: w.filesWatch, draining: &atomic.Bool{},
			now: func() time.Duration { return 0 }, log: slog.New(slog.DiscardHandler),
		}
		response := httptest.NewRecorder()
		ready.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		var got map[string]string
		if err := json.Unmarshal(response.Body.Bytes(), &got); err != nil || response.Code != http.StatusOK || !maps.Equal(got, step.want) {
			t.Errorf("got %d %v, %v, want %v", response.Code, got, err, step.want)
		}
	}
}

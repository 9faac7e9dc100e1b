package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/redis/go-redis/v9"

	"missiond/bench/report"
	"missiond/internal/clock"
)

// What memory is measured with.
const (
	subscriptions = 1000
	// settling is how long a process has for what it does at first, or after.
	settling = 8 * time.Second
	// retention is how long the dashboard shows tasks in this case, and
	// forgetting how long Asynq takes to remove what is older.
	retention  = time.Second
	forgetting = 70 * time.Second
)

// memory is what processes keep: idle, with subscriptions, after many jobs.
func (b *bench) memory(ctx context.Context) ([]report.Row, error) {
	api, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	if err := clock.Sleep(ctx, b.scaledTime(settling)); err != nil {
		return nil, err
	}
	idle := api.rss()
	rows := []report.Row{{Section: "Memory", Case: "missiond serve, idle", Figure: fmt.Sprintf("%.0f MiB", idle), Against: idle, Target: report.AtMost(60, "MiB")}}
	each, err := b.subscribed(ctx, api, idle)
	if err != nil {
		return nil, err
	}
	rows = append(rows, report.Row{
		Section: "Memory", Case: fmt.Sprintf("a subscription, of %d on sockets of their own", b.scaled(subscriptions)), Figure: fmt.Sprintf("%.0f KiB", each), Against: each,
		Target: report.AtMost(40, "KiB"), PeakMiB: api.rss(),
	})
	api.Stop()
	after, err := b.afterTasks(ctx)
	return append(rows, after...), err
}

// subscribed returns how many KiB more the process has for each subscription.
func (b *bench) subscribed(ctx context.Context, api *process, idle float64) (float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	n := b.scaled(subscriptions)
	failed := make(chan error, n)
	var sockets []*websocket.Conn
	defer func() {
		for _, s := range sockets {
			_ = s.CloseNow()
		}
		all.Wait()
	}()
	for i := range n {
		s, err := subscribe(ctx, api.Addr, b.kept.Readers[i%len(b.kept.Readers)])
		if err != nil {
			return 0, err
		}
		sockets = append(sockets, s)
		all.Go(func() {
			// It is silent but for pings, which reading answers.
			if _, text, err := s.Read(ctx); err == nil && !strings.Contains(string(text), `"ping"`) {
				failed <- fmt.Errorf("a subscription tells %.200s", text)
			}
		})
	}
	if err := listening(ctx, api, n); err != nil {
		return 0, err
	}
	if err := clock.Sleep(ctx, b.scaledTime(settling)); err != nil {
		return 0, err
	}
	select {
	case err := <-failed:
		return 0, err
	default:
	}
	return (api.rss() - idle) * 1024 / float64(n), listening(ctx, api, n)
}

// listening waits until a process has so many subscriptions.
func listening(ctx context.Context, api *process, n int) error {
	ctx, cancel := context.WithTimeoutCause(ctx, roundLimit, errStuck)
	defer cancel()
	for {
		listeners, err := metric(ctx, api, "missiond_feed_listeners")
		if err != nil || listeners == float64(n) {
			return err
		}
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			return fmt.Errorf("%.0f of %d subscriptions are there: %w", listeners, n, context.Cause(ctx))
		}
	}
}

// subscribe opens a socket that follows a tenant's events.
func subscribe(ctx context.Context, addr string, t tenant) (*websocket.Conn, error) {
	s, resp, err := websocket.Dial(ctx, "ws://"+addr+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + t.Key}},
	})
	if resp != nil && resp.Body != nil {
		defer func() { _ = resp.Body.Close() }()
	}
	if err != nil {
		return nil, err
	}
	var ack struct{ Type string }
	err = errors.Join(
		wsjson.Write(ctx, s, map[string]string{"type": "connection_init"}),
		wsjson.Read(ctx, s, &ack))
	if err == nil && ack.Type != "connection_ack" {
		err = fmt.Errorf("a socket is answered with %q", ack.Type)
	}
	if err == nil {
		err = wsjson.Write(ctx, s, map[string]any{"id": "1", "type": "subscribe", "payload": map[string]string{"query": "subscription { events { id type } }"}})
	}
	return s, err
}

// metric reads one of a process's metrics.
func metric(ctx context.Context, p *process, name string) (float64, error) {
	text, err := get(ctx, "http://"+p.ops+"/metrics")
	if err != nil {
		return 0, err
	}
	return valueOf(text, name+" ")
}

// valueOf returns the number after a prefix, in the line that has it.
func valueOf(text, prefix string) (float64, error) {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, prefix); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("no line begins with %q", prefix)
}

// afterTasks returns what a worker and Redis keep after many tasks.
func (b *bench) afterTasks(ctx context.Context) ([]report.Row, error) {
	client := redis.NewClient(&redis.Options{Addr: b.redis.Addr})
	defer func() { _ = client.Close() }()
	if err := client.FlushAll(ctx).Err(); err != nil {
		return nil, err
	}
	p, err := b.work(ctx, "--task-retention", retention.String())
	if err != nil {
		return nil, err
	}
	run := func(n int) error {
		_, err := b.runTasks(ctx, n)
		return errors.Join(err, clock.Sleep(ctx, b.scaledTime(forgetting)))
	}
	if err := run(b.scaled(warmTasks)); err != nil {
		return nil, err
	}
	before, err := usedMemory(ctx, client)
	if err != nil {
		return nil, err
	}
	p.resetPeak()
	start := p.rss()
	b.say("running %d tasks", b.tasks)
	if err := run(b.tasks); err != nil {
		return nil, err
	}
	after, err := usedMemory(ctx, client)
	if err != nil {
		return nil, err
	}
	rss := p.rss()
	return []report.Row{
		{Section: "Memory", Case: fmt.Sprintf("missiond worker, after %d tasks", b.tasks), Figure: fmt.Sprintf("%.0f MiB, from %.0f MiB", rss, start), PeakMiB: p.peak()},
		{
			Section: "Memory", Case: fmt.Sprintf("Redis after %d tasks", b.tasks), Figure: fmt.Sprintf("%.2f MiB", after), Limit: fmt.Sprintf("%.2f MiB", before),
			Ratio: report.SpreadOf([]float64{after / before}), Target: report.AtMost(1.2, "× its start"),
		},
	}, nil
}

// usedMemory returns the memory that Redis uses, in MiB.
func usedMemory(ctx context.Context, client *redis.Client) (float64, error) {
	text, err := client.Info(ctx, "memory").Result()
	if err != nil {
		return 0, err
	}
	n, err := valueOf(text, "used_memory:")
	return n / (1 << 20), err
}

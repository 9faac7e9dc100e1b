package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

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
	each, err := b.subscribed(ctx, api, idle)
	if err != nil {
		return nil, err
	}
	api.Stop()
	after, err := b.afterTasks(ctx)
	return append([]report.Row{
		{Case: "Memory: missiond serve, idle", Figure: fmt.Sprintf("%.0f MiB", idle), Against: idle, Target: report.AtMost(60, "MiB")},
		{
			Case:   fmt.Sprintf("Memory: a subscription, of %d on sockets of their own", b.scaled(subscriptions)),
			Figure: fmt.Sprintf("%.0f KiB", each), Against: each, Target: report.AtMost(40, "KiB"),
		},
	}, after...), err
}

// subscribed returns how many KiB more the process has for each subscription.
func (b *bench) subscribed(ctx context.Context, api *process, idle float64) (float64, error) {
	n := b.scaled(subscriptions)
	following, cancel := context.WithCancel(ctx)
	var all errgroup.Group
	defer func() { cancel(); _ = all.Wait() }()
	for i := range n {
		s, err := subscribe(ctx, api.Addr, b.readers[i%len(b.readers)])
		if err != nil {
			return 0, err
		}
		// It is silent but for pings, to which reading responds; the end of the context
		// closes it.
		all.Go(func() error { _, _, err := s.Read(following); return err })
	}
	if err := listening(ctx, api, n); err != nil {
		return 0, err
	}
	if err := clock.Sleep(ctx, b.scaledTime(settling)); err != nil {
		return 0, err
	}
	return (api.rss() - idle) * 1024 / float64(n), listening(ctx, api, n)
}

// listening waits until a process has so many subscriptions.
func listening(ctx context.Context, api *process, n int) error {
	return until(ctx, soon, func(ctx context.Context) (bool, error) {
		text, err := get(ctx, "http://"+api.ops+"/metrics")
		if err != nil {
			return false, err
		}
		listeners, err := valueOf(text, "missiond_feed_listeners ")
		return listeners == float64(n), err
	})
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
		query := map[string]string{"query": "subscription { events { id type } }"}
		err = wsjson.Write(ctx, s, map[string]any{"id": "1", "type": "subscribe", "payload": query})
	}
	return s, err
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
	// run runs tasks, and returns what the worker and Redis have once they are forgotten.
	run := func(n int) (worker, used float64, err error) {
		_, err = b.runTasks(ctx, n)
		if err = errors.Join(err, clock.Sleep(ctx, b.scaledTime(forgetting))); err != nil {
			return 0, 0, err
		}
		used, err = usedMemory(ctx, client)
		return p.rss(), used, err
	}
	start, before, err := run(b.scaled(warmTasks))
	if err != nil {
		return nil, err
	}
	b.say("running %d tasks", b.tasks)
	end, after, err := run(b.tasks)
	return []report.Row{
		{Case: fmt.Sprintf("Memory: missiond worker, after %d tasks", b.tasks), Figure: fmt.Sprintf("%.0f MiB, from %.0f MiB", end, start)},
		{
			Case:   fmt.Sprintf("Memory: Redis after %d tasks", b.tasks),
			Figure: fmt.Sprintf("%.2f MiB", after), Limit: fmt.Sprintf("%.2f MiB", before),
			Ratio: report.SpreadOf([]float64{after / before}), Target: report.AtMost(1.2, "× its start"),
		},
	}, err
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

package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"missiond/bench/report"
	"missiond/internal/id"
	"missiond/internal/webhook"
	"missiond/mission"
)

// What is delivered: to one endpoint so many events, to each of a hundred so
// many.
const (
	deliveriesToOne  = 3000
	postedToOne      = 30_000 // by the limit, which is done soon
	deliveriesToEach = 100
	hundred          = 100
	perTenant        = 20 // endpoints, as many as a tenant gets
	// concurrency is how many calls to an endpoint the service makes at once, and
	// so does the limit.
	concurrency = 16
)

// receiver takes webhooks on this machine. While it hangs it doesn't respond to
// one path.
type receiver struct {
	*httptest.Server

	hanging     string // the path
	hangs, hung atomic.Bool
	mu          sync.Mutex
	count       int
	first, last time.Time
}

func startReceiver() *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(r.take))
	return r
}

func (r *receiver) take(_ http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body) // whoever sends sees what comes of it
	if r.hangs.Load() && req.URL.Path == r.hanging {
		r.hung.Store(true)
		<-req.Context().Done()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = time.Now()
	if r.count++; r.count == 1 {
		r.first = r.last
	}
}

// reset forgets what was taken.
func (r *receiver) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count = 0
}

// rate waits for n messages and returns how many came in a second, from the
// first to the last.
func (r *receiver) rate(ctx context.Context, n int) (rate float64, err error) {
	err = until(ctx, soon, func(context.Context) (bool, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		rate = float64(r.count-1) / r.last.Sub(r.first).Seconds()
		return r.count >= n, nil
	})
	return rate, err
}

// deliver has n new events delivered to each endpoint of tenants: as the
// service leaves them, with a new task for each endpoint.
func (b *bench) deliver(ctx context.Context, tenants []tenant, n int) error {
	if err := b.cleanTenants(ctx, tenants); err != nil {
		return err
	}
	b.added++
	_, err := b.db.Exec(ctx, `UPDATE webhooks SET status = 'active', enabled = true WHERE tenant_id = ANY($1)`, idsOf(tenants))
	if err != nil {
		return err
	}
	// A delivery and its event are found in the month that their ids begin with.
	begins := func(prefix string) string { return id.Least(prefix, time.Now())[:len(prefix)+10] }
	_, err = b.db.Exec(ctx, deliverStatement, idsOf(tenants), n, webhookBody, strconv.Itoa(b.added),
		begins(mission.PrefixEvent), begins(mission.PrefixDelivery))
	return err
}

//go:embed sql/deliver.sql
var deliverStatement string

// webhookBody is an envelope up to the id that ends it.
const webhookBody = `{"id":"evt_0bench","type":"content.published","created_at":"2026-01-31T09:30:00.000Z","data":{"content_id":"cnt_01jd0000000000000000000000",` +
	`"mission_id":"msn_01jd0000000000000000000000","platform":"mastodon","type":"post","platform_post_id":"110000000000000000",` +
	`"platform_url":"https://mastodon.example/@bench/110000000000000000","published_at":"2026-01-31T09:30:00.000Z","note":"`

// webhooks is deliveries to receivers on this machine.
func (b *bench) webhooks(ctx context.Context) ([]report.Row, error) {
	r := startReceiver()
	defer func() { r.CloseClientConnections(); r.Close() }()
	all := idsOf(slices.Concat(b.one, b.hundred))
	_, err := b.db.Exec(ctx, `UPDATE webhooks SET url = $2 || '/' || id WHERE tenant_id = ANY($1)`, all, r.URL)
	if err != nil {
		return nil, err
	}
	// Only dev's webhooks may go to this machine.
	if _, err := b.startMissiond(ctx, "dev", "--addr", "--data-dir", filepath.Join(b.folder, "dev")); err != nil {
		return nil, err
	}
	one, err := b.toOne(ctx, r)
	if err != nil {
		return nil, err
	}
	many, err := b.toHundred(ctx, r)
	return []report.Row{one, many}, err
}

// toOne delivers to one endpoint, and posts the same to it by hand.
func (b *bench) toOne(ctx context.Context, r *receiver) (report.Row, error) {
	round := func(n int) (float64, error) {
		r.reset()
		if err := b.deliver(ctx, b.one, n); err != nil {
			return 0, err
		}
		rate, err := r.rate(ctx, n)
		if err != nil {
			return 0, err
		}
		return rate, b.untilNone(ctx, "SELECT FROM deliveries WHERE tenant_id = ANY($1) AND status = 'pending'", b.one)
	}
	if _, err := round(b.scaled(100)); err != nil {
		return report.Row{}, err
	}
	n, posted := b.scaled(deliveriesToOne), b.scaled(postedToOne)
	return b.inTurns("Webhooks: deliveries to a receiver", report.AtLeast(0.15),
		func() (float64, error) { return round(n) },
		func() (float64, error) {
			r.reset()
			if err := postAll(ctx, r.URL, posted); err != nil {
				return 0, err
			}
			return r.rate(ctx, posted)
		})
}

// postAll posts n signed bodies, as many at once as the service does.
func postAll(ctx context.Context, url string, n int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency}}
	defer client.CloseIdleConnections()
	secret := webhook.NewSecret()
	var next atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	for range concurrency {
		all.Go(func() error {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				if err := postOne(ctx, client, url, secret, fmt.Sprintf("evt_0bench%020x", i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all.Wait()
}

func postOne(ctx context.Context, client *http.Client, url, secret, id string) error {
	body := []byte(webhookBody + id + `"}}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	webhook.Sign(req.Header, id, body, time.Now(), 0, secret)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return err
}

// toHundred delivers to a hundred endpoints, of which one hangs, and again with
// all of them sound.
func (b *bench) toHundred(ctx context.Context, r *receiver) (report.Row, error) {
	err := b.db.QueryRow(ctx, "SELECT '/' || min(id) FROM webhooks WHERE tenant_id = $1", b.hundred[0].ID).Scan(&r.hanging)
	if err != nil {
		return report.Row{}, err
	}
	each := b.scaled(deliveriesToEach)
	round := func(hangs bool, receivers int) (float64, error) {
		r.reset()
		r.hangs.Store(hangs)
		if err := b.deliver(ctx, b.hundred, each); err != nil {
			return 0, err
		}
		rate, err := r.rate(ctx, receivers*each)
		if err != nil {
			return 0, err
		}
		// What hangs is let go of before the next round begins.
		r.hangs.Store(false)
		r.CloseClientConnections()
		err = b.untilNone(ctx, "SELECT FROM tasks WHERE tenant_id = ANY($1) AND state = 'running'", b.hundred)
		// By receiver, for one more of them takes its part.
		return rate / float64(receivers) * hundred, err
	}
	row, err := b.inTurns("Webhooks: 100 receivers, of which one hangs; the limit: none does", report.AtLeast(0.9),
		func() (float64, error) { return round(true, hundred-1) },
		func() (float64, error) { return round(false, hundred) })
	if err == nil && !r.hung.Load() {
		err = errors.New("nothing was sent to the receiver that hangs")
	}
	return row, err
}

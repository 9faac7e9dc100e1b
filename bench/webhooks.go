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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"missiond/bench/report"
	"missiond/internal/clock"
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

// receiver takes webhooks on this machine. It doesn't respond to /hang/… until
// release.
type receiver struct {
	*httptest.Server

	mu    sync.Mutex
	count int
	first time.Time
	last  time.Time
	hangs atomic.Int64
	// released is closed when what hangs is let go of.
	released chan struct{}
}

func startReceiver() *receiver {
	r := &receiver{released: make(chan struct{})}
	r.Server = httptest.NewServer(http.HandlerFunc(r.take))
	return r
}

func (r *receiver) take(_ http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body) // whoever sends sees what comes of it
	if strings.HasPrefix(req.URL.Path, "/hang/") {
		r.hangs.Add(1)
		r.mu.Lock()
		released := r.released
		r.mu.Unlock()
		select {
		case <-req.Context().Done():
		case <-released:
			panic(http.ErrAbortHandler) // without a response
		}
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
	r.count, r.released = 0, make(chan struct{})
}

// release ends the requests that hang, and those that come until reset.
func (r *receiver) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.released)
}

// rate waits for n messages and returns how many came in a second, from the
// first to the last.
func (r *receiver) rate(ctx context.Context, n int) (float64, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, roundLimit, errStuck)
	defer cancel()
	for {
		r.mu.Lock()
		count, took := r.count, r.last.Sub(r.first)
		r.mu.Unlock()
		if count >= n {
			return float64(count-1) / took.Seconds(), nil
		}
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			return 0, fmt.Errorf("%d of %d webhooks came: %w", count, n, context.Cause(ctx))
		}
	}
}

// deliver has n new events delivered to each endpoint of tenants: as the
// service leaves them, with a new task for each endpoint.
func (b *bench) deliver(ctx context.Context, tenants []tenant, n int) error {
	if err := b.cleanTenants(ctx, idsOf(tenants)); err != nil {
		return err
	}
	b.added++
	_, err := b.db.Exec(ctx, `UPDATE webhooks SET status = 'active', enabled = true WHERE tenant_id = ANY($1)`, idsOf(tenants))
	if err != nil {
		return err
	}
	// A delivery and its event are found in the month that their ids begin with.
	begins := func(prefix string) string { return id.Least(prefix, time.Now())[:len(prefix)+10] }
	_, err = b.db.Exec(ctx, deliverStatement, idsOf(tenants), n, webhookBody, strconv.Itoa(b.added), begins(mission.PrefixEvent), begins(mission.PrefixDelivery))
	return err
}

//go:embed sql/deliver.sql
var deliverStatement string

// webhookBody is an envelope up to the id that ends it.
const webhookBody = `{"id":"evt_0bench","type":"content.published","created_at":"2026-01-31T09:30:00.000Z","data":{"content_id":"cnt_01jd0000000000000000000000",` +
	`"mission_id":"msn_01jd0000000000000000000000","platform":"mastodon","type":"post","platform_post_id":"110000000000000000",` +
	`"platform_url":"https://mastodon.example/@bench/110000000000000000","published_at":"2026-01-31T09:30:00.000Z","note":"`

// dev starts everything in one process, whose webhooks may go to this machine.
func (b *bench) dev(ctx context.Context) (*process, error) {
	p, err := newProcess("dev")
	if err != nil {
		return nil, err
	}
	p.ops = p.Addr
	return p, b.startMissiond(ctx, p, "dev", "--addr", p.Addr, "--data-dir", filepath.Join(b.folder, "dev"))
}

// webhooks is deliveries to receivers on this machine.
func (b *bench) webhooks(ctx context.Context) ([]report.Row, error) {
	tenants, r := b.kept.Hooked, startReceiver()
	defer func() { r.CloseClientConnections(); r.Close() }()
	if _, err := b.db.Exec(ctx, `UPDATE webhooks SET url = $2 || '/' || id WHERE tenant_id = ANY($1)`, idsOf(tenants), r.URL); err != nil {
		return nil, err
	}
	p, err := b.dev(ctx)
	if err != nil {
		return nil, err
	}
	one, err := b.toOne(ctx, p, r, tenants[:1])
	if err != nil {
		return nil, err
	}
	many, err := b.toHundred(ctx, p, r, tenants[1:])
	return []report.Row{one, many}, err
}

// toOne delivers to one endpoint, and posts the same to it by hand.
func (b *bench) toOne(ctx context.Context, p *process, r *receiver, tenants []tenant) (report.Row, error) {
	round := func(n int) (float64, error) {
		r.reset()
		if err := b.deliver(ctx, tenants, n); err != nil {
			return 0, err
		}
		rate, err := r.rate(ctx, n)
		if err != nil {
			return 0, err
		}
		return rate, b.delivered(ctx, tenants)
	}
	if _, err := round(b.scaled(100)); err != nil {
		return report.Row{}, err
	}
	p.resetPeak()
	n, posted := b.scaled(deliveriesToOne), b.scaled(postedToOne)
	ours, limit, err := b.inTurns(func() (float64, error) { return round(n) }, func() (float64, error) {
		r.reset()
		if err := postAll(ctx, r.URL, posted); err != nil {
			return 0, err
		}
		return r.rate(ctx, posted)
	})
	if err != nil {
		return report.Row{}, err
	}
	ours.peak = p.peak()
	ours.statements, err = b.logged(ctx, n, func() error { _, err := round(n); return err })
	return row("Webhooks", "deliveries to a receiver", ours, limit, report.AtLeast(0.15)), err
}

// delivered waits until the attempts to tenants' endpoints are recorded.
func (b *bench) delivered(ctx context.Context, tenants []tenant) error {
	ctx, cancel := context.WithTimeoutCause(ctx, roundLimit, errStuck)
	defer cancel()
	for {
		var pending bool
		err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM deliveries WHERE tenant_id = ANY($1) AND status = 'pending')`, idsOf(tenants)).Scan(&pending)
		if err != nil || !pending {
			return err
		}
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			return context.Cause(ctx)
		}
	}
}

// resting waits until no task of the tenants runs.
func (b *bench) resting(ctx context.Context, tenants []tenant) error {
	ctx, cancel := context.WithTimeoutCause(ctx, roundLimit, errStuck)
	defer cancel()
	for {
		var running bool
		err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM tasks WHERE tenant_id = ANY($1) AND state = 'running')`, idsOf(tenants)).Scan(&running)
		if err != nil || !running {
			return err
		}
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			return context.Cause(ctx)
		}
	}
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
func (b *bench) toHundred(ctx context.Context, p *process, r *receiver, tenants []tenant) (report.Row, error) {
	var hanging string
	if err := b.db.QueryRow(ctx, "SELECT id FROM webhooks WHERE tenant_id = $1 ORDER BY id LIMIT 1", tenants[0].ID).Scan(&hanging); err != nil {
		return report.Row{}, err
	}
	each := b.scaled(deliveriesToEach)
	round := func(path string, receivers int) (float64, error) {
		if _, err := b.db.Exec(ctx, "UPDATE webhooks SET url = $2 WHERE id = $1", hanging, r.URL+path+hanging); err != nil {
			return 0, err
		}
		r.reset()
		if err := b.deliver(ctx, tenants, each); err != nil {
			return 0, err
		}
		rate, err := r.rate(ctx, receivers*each)
		if err != nil {
			return 0, err
		}
		// What hangs is let go of before the next round begins.
		r.release()
		// By receiver, for one more of them takes its part.
		return rate / float64(receivers) * hundred, b.resting(ctx, tenants)
	}
	p.resetPeak()
	hung, sound, err := b.inTurns(func() (float64, error) { return round("/hang/", hundred-1) }, func() (float64, error) { return round("/", hundred) })
	hung.peak = p.peak()
	if err == nil && r.hangs.Load() == 0 {
		err = errors.New("nothing was sent to the receiver that hangs")
	}
	return row("Webhooks", "100 receivers, of which one hangs; the limit: none does", hung, sound, report.AtLeast(0.9)), err
}

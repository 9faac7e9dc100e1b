package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"missiond/bench/report"
	"missiond/internal/clock"
	"missiond/internal/webhook"
	"missiond/store"
)

// What is delivered: to one endpoint so many events, to each of a hundred so
// many.
const (
	deliveriesToOne  = 3000
	postedToOne      = 30_000 // by the limit, which is done soon
	deliveriesToEach = 100
	hundred          = 100
	perTenant        = 20 // endpoints, as many as a tenant gets
	// waveSize is how many calls to an endpoint the service makes at once, and
	// so does the limit.
	waveSize = 16
)

// receiver takes webhooks on this machine: /hang/… never answers.
type receiver struct {
	server *http.Server
	url    string
	mu     sync.Mutex
	count  int
	first  time.Time
	last   time.Time
	hangs  atomic.Int64
}

func startReceiver(ctx context.Context) (*receiver, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{url: "http://" + l.Addr().String()}
	r.server = &http.Server{Handler: http.HandlerFunc(r.take), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = r.server.Serve(l) }()
	return r, nil
}

func (r *receiver) take(_ http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body) // whoever sends sees what comes of it
	if strings.HasPrefix(req.URL.Path, "/hang/") {
		r.hangs.Add(1)
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

// rate waits for n messages and answers how many came in a second, from the
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

// hooked returns the tenants with endpoints: the first has one, the others a
// hundred together. They are made where they are missing.
func (b *bench) hooked(ctx context.Context) ([]tenant, error) {
	if len(b.kept.Hooked) > 0 {
		return b.kept.Hooked, nil
	}
	db, err := store.OpenPostgres(b.url(), store.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	tenants, err := b.makeTenants(ctx, db, "Hooked", 1+hundred/perTenant)
	if err != nil {
		return nil, err
	}
	for i, t := range tenants {
		n := perTenant
		if i == 0 {
			n = 1
		}
		for range n {
			if err := b.makeEndpoints(ctx, db, t, "http://127.0.0.1:9/"); err != nil {
				return nil, err
			}
		}
	}
	b.kept.Hooked = tenants
	return tenants, b.keep()
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
	_, err = b.db.Exec(ctx, `WITH now AS (SELECT date_trunc('milliseconds', clock_timestamp()) AS at), e AS (
			INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq)
			SELECT id, tenant, '', 'content.published', now.at, convert_to($3::text || id || '"}}', 'UTF8'), i
			FROM now, (SELECT 'evt_0bench' || substr(md5(tenant || i), 1, 20) AS id, tenant, i FROM unnest($1::text[]) tenant, generate_series(1, $2::int) i) x
			RETURNING id, tenant_id, created_at
		), d AS (
			INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
			SELECT 'dlv_0bench' || substr(md5(w.id || e.id), 1, 20), e.tenant_id, w.id, e.id, 'content.published', '', 'pending', 0, e.created_at, e.created_at
			FROM e JOIN webhooks w ON w.tenant_id = e.tenant_id
		), c AS (
			INSERT INTO counters (tenant_id, name, n) SELECT tenant_id, 'deliveries:' || id || ':pending', $2 FROM webhooks WHERE tenant_id = ANY($1)
			UNION ALL SELECT tenant, 'event_seq', $2 FROM unnest($1::text[]) tenant UNION ALL SELECT tenant, 'events::content.published', $2 FROM unnest($1::text[]) tenant
		)
		INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
		SELECT 'tsk_0bench' || substr(md5(w.id || $4), 1, 20), w.tenant_id, '', 'webhook:deliver', 'webhooks', w.id, 0, now.at, now.at, 'waiting', '', 0, 0, 0, 0, now.at
		FROM now, webhooks w WHERE w.tenant_id = ANY($1)`, idsOf(tenants), n, webhookBody, strconv.Itoa(b.added))
	return err
}

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
	tenants, err := b.hooked(ctx)
	if err != nil {
		return nil, err
	}
	r, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.server.Close() }()
	_, err = b.db.Exec(ctx, `UPDATE webhooks SET url = $2 || '/' || id WHERE tenant_id = ANY($1)`, idsOf(tenants), r.url)
	if err != nil {
		return nil, err
	}
	p, err := b.dev(ctx)
	if err != nil {
		return nil, err
	}
	defer p.Stop()
	one, err := b.toOne(ctx, p, r, tenants[:1])
	if err != nil {
		return nil, err
	}
	many, err := b.toHundred(ctx, p, r, tenants[1:])
	if err != nil {
		return nil, err
	}
	return []report.Row{one, many}, b.cleanTenants(ctx, idsOf(tenants))
}

// toOne delivers to one endpoint, and posts the same to it by hand.
func (b *bench) toOne(ctx context.Context, p *process, r *receiver, tenants []tenant) (report.Row, error) {
	var ours, limit measured
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
	if _, err := round(100); err != nil {
		return report.Row{}, err
	}
	p.resetPeak()
	for range b.rounds {
		rate, err := round(deliveriesToOne)
		if err != nil {
			return report.Row{}, err
		}
		ours.perSecond = append(ours.perSecond, rate)
		r.reset()
		if err := postAll(ctx, r.url, postedToOne); err != nil {
			return report.Row{}, err
		}
		if rate, err = r.rate(ctx, postedToOne); err != nil {
			return report.Row{}, err
		}
		limit.perSecond = append(limit.perSecond, rate)
	}
	ours.peak = p.peak()
	n, err := b.logged(ctx, func() error { _, err := round(deliveriesToOne); return err })
	ours.statements = float64(n) / deliveriesToOne
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

// postAll posts n signed bodies, as many at once as the service does.
func postAll(ctx context.Context, url string, n int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: waveSize}}
	defer client.CloseIdleConnections()
	secret, failed := webhook.NewSecret(), make(chan error, waveSize)
	var next atomic.Int64
	var all sync.WaitGroup
	for range waveSize {
		all.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				if err := postOne(ctx, client, url, secret, fmt.Sprintf("evt_0bench%020x", i)); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

func postOne(ctx context.Context, client *http.Client, url, secret, id string) error {
	body := []byte(webhookBody + id + `"}}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	webhook.Sign(req.Header, id, body, time.Now(), secret)
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
	var hung, sound measured
	var hanging string
	if err := b.db.QueryRow(ctx, "SELECT id FROM webhooks WHERE tenant_id = $1 ORDER BY id LIMIT 1", tenants[0].ID).Scan(&hanging); err != nil {
		return report.Row{}, err
	}
	p.resetPeak()
	for range b.rounds {
		for path, side := range map[string]*measured{"/hang/": &hung, "/": &sound} {
			if _, err := b.db.Exec(ctx, "UPDATE webhooks SET url = $2 WHERE id = $1", hanging, r.url+path+hanging); err != nil {
				return report.Row{}, err
			}
			r.reset()
			if err := b.deliver(ctx, tenants, deliveriesToEach); err != nil {
				return report.Row{}, err
			}
			receivers := hundred
			if path == "/hang/" {
				receivers--
			}
			rate, err := r.rate(ctx, receivers*deliveriesToEach)
			if err != nil {
				return report.Row{}, err
			}
			// By receiver, for one more of them takes its part.
			side.perSecond = append(side.perSecond, rate/float64(receivers)*hundred)
			// What hangs is let go of before the next begins.
			if err := clock.Sleep(ctx, 6*time.Second); err != nil {
				return report.Row{}, err
			}
		}
	}
	hung.peak = p.peak()
	if r.hangs.Load() == 0 {
		return report.Row{}, fmt.Errorf("nothing was sent to the receiver that hangs")
	}
	return row("Webhooks", "100 receivers, of which one hangs; the limit: none does", hung, sound, report.AtLeast(0.9)), nil
}

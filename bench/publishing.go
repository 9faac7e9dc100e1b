package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"time"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/jsonwire"
	"missiond/mission"
)

// What is published: posts of some tenants, each at its time, so that what a post takes isn't
// what it waits for others.
const (
	publishers     = 5
	publishedEach  = 60
	publishedEvery = 100 * time.Millisecond
	// picturesOfPost are as many as Mastodon takes.
	picturesOfPost = 4
	// publishedAhead is when posts are due as they are made: later than tasks are dispatched
	// ahead, so that they can be moved.
	publishedAhead = 12 * time.Hour
	// dispatched is how long before the first of a round is due it is moved there.
	dispatched = time.Second
)

// fediverse is a Mastodon server on this machine, which reads the files that it is sent and
// keeps nothing. The sandbox doesn't read files.
type fediverse struct {
	*httptest.Server

	files, last atomic.Int64
}

func startFediverse() *fediverse {
	f := &fediverse{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/accounts/verify_credentials", func(w http.ResponseWriter, _ *http.Request) {
		f.respond(w, map[string]string{"id": "1", "username": "ada", "acct": "ada"})
	})
	mux.HandleFunc("POST /api/v2/media", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the sender has gone
		}
		f.files.Add(1)
		f.respond(w, map[string]string{"id": f.next()})
	})
	mux.HandleFunc("POST /api/v1/statuses", func(w http.ResponseWriter, _ *http.Request) {
		id := f.next()
		f.respond(w, map[string]string{"id": id, "url": f.URL + "/@ada/" + id, "created_at": time.Now().UTC().Format(jsonwire.TimeFormat)})
	})
	f.Server = httptest.NewServer(mux)
	return f
}

func (f *fediverse) next() string { return fmt.Sprint(f.last.Add(1)) }

func (f *fediverse) respond(w http.ResponseWriter, body map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // whoever asked sees what comes of it
}

// publisher is a tenant with a mission, and pictures that are ready.
type publisher struct {
	tenant

	mission  string
	pictures []string
}

// publishing is posts to a platform, with pictures and without.
func (b *bench) publishing(ctx context.Context) ([]report.Row, error) {
	platform := startFediverse()
	defer platform.Close()
	// Only dev's posts may go to this machine.
	dev, err := b.startMissiond(ctx, "dev", "--addr", "--data-dir", filepath.Join(b.folder, "dev"))
	if err != nil {
		return nil, err
	}
	list, err := b.openPublishers(ctx, dev, platform)
	if err != nil {
		return nil, err
	}
	kinds := []struct {
		name     string
		pictures int
		measured
	}{{name: "text alone"}, {name: fmt.Sprintf("with %d pictures", picturesOfPost), pictures: picturesOfPost}}
	for range b.rounds {
		for i := range kinds {
			k := &kinds[i]
			before := platform.files.Load()
			if err := b.publishingRound(ctx, dev, list, k.pictures, &k.measured); err != nil {
				return nil, fmt.Errorf("%s: %w", k.name, err)
			}
			if sent, want := platform.files.Load()-before, int64(k.pictures*b.scaled(publishedEach)); sent != want {
				return nil, fmt.Errorf("%s: %d files were sent, not %d", k.name, sent, want)
			}
		}
	}
	var rows []report.Row
	for _, k := range kinds {
		p50 := report.Percentile(k.latencies, 0.5)
		rows = append(rows, report.Row{
			Case: "Publishing: a post, " + k.name + ": due to published", Figure: report.Millis(p50), P50: p50,
			P99: report.Percentile(k.latencies, 0.99), CPU: k.perRequest(),
		})
	}
	return rows, b.cleanFiles(ctx)
}

// openPublishers connects tenants to a platform, and starts a mission and uploads pictures for
// each.
func (b *bench) openPublishers(ctx context.Context, dev *process, platform *fediverse) ([]publisher, error) {
	var pictures [picturesOfPost][]byte // a post sends the same bytes once
	for i := range pictures {
		var err error
		if pictures[i], err = webPicture(byte(i)); err != nil {
			return nil, err
		}
	}
	var list []publisher
	for _, t := range b.runners[:min(b.scaled(publishers), len(b.runners))] {
		p := publisher{tenant: t}
		var err error
		account := fmt.Sprintf(`{"platform":"mastodon","server":%q,"access_token":"token"}`, platform.URL)
		if _, err = created(ctx, dev, load.Request("POST", dev.Addr, "/v1/integrations", account, bearer(t))); err != nil {
			return nil, err
		}
		if p.mission, err = created(ctx, dev, load.Request("POST", dev.Addr, "/v1/missions", startedNow, bearer(t))); err != nil {
			return nil, err
		}
		for _, picture := range pictures {
			id, err := created(ctx, dev, uploadRequest(dev, t, picture))
			if err != nil {
				return nil, err
			}
			p.pictures = append(p.pictures, id)
		}
		list = append(list, p)
	}
	if err := b.filesReady(ctx); err != nil {
		return nil, err
	}
	return list, b.jobsDone(ctx, len(list))
}

// publishingRound makes posts, moves them to now, and adds what their publication takes.
func (b *bench) publishingRound(ctx context.Context, dev *process, list []publisher, pictures int, to *measured) error {
	type file struct {
		MediaID string `json:"media_id"`
	}
	var ids []string
	begin := time.Now().Add(publishedAhead)
	for i := range b.scaled(publishedEach) {
		p, files := list[i%len(list)], []file{}
		for _, id := range p.pictures[:pictures] {
			files = append(files, file{id})
		}
		body, err := json.Marshal(map[string]any{
			"mission_id": p.mission, "platform": mission.Mastodon, "text": fmt.Sprintf("Our door is red now, and so is the sign with number %d.", i), "media": files,
			"scheduled_at": begin.Add(time.Duration(i) * publishedEvery).UTC().Format(jsonwire.TimeFormat),
		})
		if err != nil {
			return err
		}
		id, err := created(ctx, dev, load.Request("POST", dev.Addr, "/v1/content", string(body), bearer(p.tenant)))
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	err := b.spend(dev, to, func() (int, error) { return len(ids), b.publishNow(ctx, ids, begin) })
	if err != nil {
		return err
	}
	took, err := b.durations(ctx, "SELECT extract(epoch FROM published_at - scheduled_at) FROM contents WHERE id = ANY($1) AND status = 'published'", ids)
	if err == nil && len(took) < len(ids) {
		err = fmt.Errorf("%d of %d posts were published", len(took), len(ids))
	}
	to.latencies = append(to.latencies, took...)
	return err
}

// publishNow moves posts that begin at a time, so that they begin soon, and waits until they
// are settled.
func (b *bench) publishNow(ctx context.Context, ids []string, begin time.Time) error {
	_, err := b.db.Exec(ctx, `WITH moved AS (UPDATE contents SET scheduled_at = scheduled_at - $2::interval WHERE id = ANY($1) RETURNING id, scheduled_at)
		UPDATE tasks SET run_at = scheduled_at, ring_at = date_trunc('milliseconds', clock_timestamp()) FROM moved
		WHERE subject = moved.id AND type = 'content:publish'`, ids, time.Until(begin)-dispatched)
	if err != nil {
		return err
	}
	return until(ctx, 10*soon, func(ctx context.Context) (done bool, err error) {
		err = b.db.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM contents WHERE id = ANY($1) AND status IN ('scheduled', 'publishing'))", ids).Scan(&done)
		return done, err
	})
}

// Package redirect leads those who follow the tracked links of posts to where the links lead, and counts
// them: by link and day, and nothing else about them.
package redirect

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"missiond/internal/batchcache"
	"missiond/internal/clock"
	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

const (
	// flushEvery is how often counts are written, lastFlush how long the last ones may take.
	flushEvery = time.Second
	lastFlush  = 2 * time.Second
	// flushBatch is how many counts are written in one statement, maxCounts how many are kept until they
	// can be: clicks beyond that aren't counted.
	flushBatch = 500
	maxCounts  = 100_000
	// targetTTL is how long a target is used without being looked up: targets never change, but links
	// expire.
	targetTTL = time.Minute
)

// Clock returns the domain's time.
type Clock interface {
	Now() time.Time
}

// Limits bounds how often an address is counted, and asks for links that there aren't.
type Limits interface {
	// ChargeLink counts a request. Errors: rate_limit_exceeded.
	ChargeLink(w http.ResponseWriter, r *http.Request) error
}

// Options are what New needs.
type Options struct {
	Clock  Clock
	Limits Limits
	// Fail responds with an error.
	Fail func(w http.ResponseWriter, r *http.Request, err error)
	Log  *slog.Logger
}

// Links serves the paths below missions.LinkPath. It is safe for concurrent use.
type Links struct {
	db      *store.DB
	options Options
	targets batchcache.Cache[string]

	mu     sync.Mutex
	counts map[use]int64
	lost   int64 // clicks that couldn't be kept
}

// use is a link on a day.
type use struct{ code, day string }

// New returns the links of a store.
func New(db *store.DB, o Options) *Links {
	l := &Links{db: db, options: o, counts: map[use]int64{}}
	l.targets = batchcache.Cache[string]{TTL: targetTTL, Lookup: func(ctx context.Context, codes []string) (map[string]string, error) {
		targets, err := db.LinkTargets(ctx, codes, o.Clock.Now())
		for code, target := range targets {
			targets[code] = location(target)
		}
		return targets, err
	}}
	return l
}

// ServeHTTP implements [http.Handler]. An address beyond its limit is still led to where a link leads, since
// many people may share it, but isn't counted.
func (l *Links) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		l.options.Fail(w, r, &mission.Error{Code: mission.CodeMethodNotAllowed, Message: "A link is followed by GET or HEAD."})
		return
	}
	limited := l.options.Limits.ChargeLink(w, r)
	code := strings.TrimPrefix(r.URL.Path, missions.LinkPath)
	target, err := l.target(r.Context(), code)
	switch {
	case err == nil:
	case limited != nil:
		l.options.Fail(w, r, limited)
		return
	default:
		l.options.Fail(w, r, err)
		return
	}
	if limited == nil && follows(r) {
		l.count(code)
	}
	// The site sees the platform that a reader comes from, as without the link in between.
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Location", target)
	w.WriteHeader(http.StatusFound)
}

// target returns where a link leads. Errors: not_found.
func (l *Links) target(ctx context.Context, code string) (string, error) {
	none := &mission.Error{Code: mission.CodeNotFound, Message: "There is no such link."}
	if !mission.IsLinkCode(code) {
		return "", none
	}
	target, ok, err := l.targets.Get(ctx, code)
	if err == nil && !ok {
		return "", none
	}
	return target, err
}

func (l *Links) count(code string) {
	l.add(store.LinkUse{Code: code, Day: l.options.Clock.Now().UTC().Format(time.DateOnly), Clicks: 1})
}

func (l *Links) add(u store.LinkUse) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := use{u.Code, u.Day}
	if _, ok := l.counts[key]; !ok && len(l.counts) >= maxCounts {
		l.lost += u.Clicks
		return
	}
	l.counts[key] += u.Clicks
}

// take empties the counts and returns them, with how many clicks were lost.
func (l *Links) take() (uses []store.LinkUse, lost int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, n := range l.counts {
		uses = append(uses, store.LinkUse{Code: key.code, Day: key.day, Clicks: n})
	}
	lost = l.lost
	l.counts, l.lost = map[use]int64{}, 0
	return uses, lost
}

// Flush writes the counts since the last flush. Those that can't be written are retained for the next
// flush.
func (l *Links) Flush(ctx context.Context) error {
	uses, lost := l.take()
	if lost > 0 {
		l.options.Log.Warn("links: clicks weren't counted, since too many couldn't be written", "clicks", lost)
	}
	for len(uses) > 0 {
		batch := uses[:min(len(uses), flushBatch)]
		if err := l.db.Tx(ctx, func(tx store.Tx) error { return tx.AddLinkClicks(ctx, batch) }); err != nil {
			for _, u := range uses {
				l.add(u)
			}
			return err
		}
		uses = uses[len(batch):]
	}
	return nil
}

// Run writes the counts until ctx ends, and then the last ones: no request may be served any more by then.
func (l *Links) Run(ctx context.Context) {
	for clock.Sleep(ctx, flushEvery) == nil {
		if err := l.Flush(ctx); err != nil && ctx.Err() == nil {
			l.options.Log.Warn("links: write clicks", "error", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
	defer cancel()
	if err := l.Flush(ctx); err != nil {
		l.options.Log.Warn("links: write the last clicks", "error", err)
	}
}

package stream

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"missiond/mission"
)

// Limits of streams: sockets, and responses that are sent as events.
const (
	// maxStreams and maxTenantStreams are how many streams a process, and a tenant
	// in one process, may have open.
	maxStreams       = 10_000
	maxTenantStreams = 2_000
	// checkEvery is how often the credentials of streams are checked, so that a
	// stream ends within 5 s of its credential.
	checkEvery = 2 * time.Second
	checkLimit = time.Second
	// checkers is how many credentials are checked concurrently.
	checkers = 8
	// pingEvery is how many checks pass between pings, which keep streams open
	// through proxies and find peers that are gone.
	pingEvery = 12
	// sendLimit is how long a peer may take to read what is sent to it before it is
	// dropped. Nothing is buffered for it meanwhile.
	sendLimit = 10 * time.Second
)

// Causes of a stream's end.
var (
	errCredential = errors.New("stream: the credential ended")
	errShutdown   = errors.New("stream: the process ends")
)

// stream is a caller's open connection.
type stream struct {
	credential string
	principal  atomic.Pointer[mission.Principal]
	end        context.CancelCauseFunc
	ping       func()
}

// registry has the open streams of a process.
type registry struct {
	identify func(ctx context.Context, credential string) (mission.Principal, error)
	log      *slog.Logger

	mu      sync.Mutex
	open    map[*stream]struct{}
	tenants map[string]int
	closed  bool
}

func newRegistry(identify func(context.Context, string) (mission.Principal, error), log *slog.Logger) *registry {
	return &registry{identify: identify, log: log, open: map[*stream]struct{}{}, tenants: map[string]int{}}
}

// add opens a caller's stream, which ends with the context that add returns.
// Errors: service_unavailable if there are too many.
func (r *registry) add(ctx context.Context, credential string, p mission.Principal, ping func()) (context.Context, *stream, error) {
	ctx, end := context.WithCancelCause(ctx)
	one := &stream{credential: credential, end: end, ping: ping}
	one.principal.Store(&p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || len(r.open) >= maxStreams || r.tenants[p.TenantID] >= maxTenantStreams {
		end(errShutdown)
		return ctx, nil, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many streams are open."}
	}
	r.open[one] = struct{}{}
	r.tenants[p.TenantID]++
	return ctx, one, nil
}

// remove ends a stream.
func (r *registry) remove(one *stream) {
	one.end(nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.open[one]; !ok {
		return
	}
	delete(r.open, one)
	tenant := one.principal.Load().TenantID
	if r.tenants[tenant]--; r.tenants[tenant] == 0 {
		delete(r.tenants, tenant)
	}
}

// count returns how many streams are open.
func (r *registry) count() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return float64(len(r.open))
}

// run ends the streams whose credentials have ended, until ctx ends.
func (r *registry) run(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			r.close()
			return
		case <-ticker.C:
		}
		r.check(ctx)
		if n%pingEvery == 0 {
			for _, list := range r.byCredential() {
				for _, one := range list {
					one.ping()
				}
			}
		}
	}
}

func (r *registry) byCredential() map[string][]*stream {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := make(map[string][]*stream, len(r.open))
	for one := range r.open {
		open[one.credential] = append(open[one.credential], one)
	}
	return open
}

// check checks each credential once.
func (r *registry) check(ctx context.Context) {
	work := make(chan func())
	var all sync.WaitGroup
	for range checkers {
		all.Go(func() {
			for recheck := range work {
				recheck()
			}
		})
	}
	for credential, list := range r.byCredential() {
		work <- func() { r.recheck(ctx, credential, list) }
	}
	close(work)
	all.Wait()
}

// recheck ends the streams of a credential that has ended.
func (r *registry) recheck(ctx context.Context, credential string, list []*stream) {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	p, err := r.identify(ctx, credential)
	ended := mission.CodeOf(err) == mission.CodeUnauthorized
	if err != nil && !ended {
		r.log.Warn("stream: a stream's credential can't be checked", "error", err) // the next check decides
		return
	}
	for _, one := range list {
		if ended || !one.mayContinue(p) {
			one.end(errCredential)
		}
	}
}

// mayContinue reports whether a stream may continue for its credential's holder as it is
// now, and stores the holder's new state: a caller whose scopes have changed must
// open another stream.
func (s *stream) mayContinue(p mission.Principal) bool {
	was := s.principal.Load()
	if was.TenantID != p.TenantID || !slices.Equal(was.Scopes, p.Scopes) {
		return false
	}
	s.principal.Store(&p)
	return true
}

// close ends all streams and refuses new ones.
func (r *registry) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for one := range r.open {
		one.end(errShutdown)
	}
}

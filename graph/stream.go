package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/graph/node"
	"missiond/internal/clock"
	"missiond/internal/feed"
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
	errCredential = errors.New("graph: the credential ended")
	errShutdown   = errors.New("graph: the process ends")
)

// stream is a caller's open connection.
type stream struct {
	credential string
	principal  atomic.Pointer[mission.Principal]
	end        context.CancelCauseFunc
	ping       func()
}

// streams are the open streams of a process.
type streams struct {
	identify func(ctx context.Context, credential string) (mission.Principal, error)
	log      *slog.Logger

	mu      sync.Mutex
	open    map[*stream]struct{}
	tenants map[string]int
	closed  bool
}

func newStreams(identify func(context.Context, string) (mission.Principal, error), log *slog.Logger) *streams {
	return &streams{identify: identify, log: log, open: map[*stream]struct{}{}, tenants: map[string]int{}}
}

// add opens a caller's stream, which ends with the context that add returns.
// Errors: service_unavailable if there are too many.
func (s *streams) add(ctx context.Context, credential string, p mission.Principal, ping func()) (context.Context, *stream, error) {
	ctx, end := context.WithCancelCause(ctx)
	one := &stream{credential: credential, end: end, ping: ping}
	one.principal.Store(&p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.open) >= maxStreams || s.tenants[p.TenantID] >= maxTenantStreams {
		end(errShutdown)
		return ctx, nil, &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: 1, Message: "Too many streams are open."}
	}
	s.open[one] = struct{}{}
	s.tenants[p.TenantID]++
	return ctx, one, nil
}

// remove ends a stream.
func (s *streams) remove(one *stream) {
	one.end(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.open[one]; !ok {
		return
	}
	delete(s.open, one)
	tenant := one.principal.Load().TenantID
	if s.tenants[tenant]--; s.tenants[tenant] == 0 {
		delete(s.tenants, tenant)
	}
}

// count returns how many streams are open.
func (s *streams) count() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return float64(len(s.open))
}

// run ends the streams whose credentials have ended, until ctx ends.
func (s *streams) run(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			s.close()
			return
		case <-ticker.C:
		}
		s.check(ctx)
		if n%pingEvery == 0 {
			for _, list := range s.byCredential() {
				for _, one := range list {
					one.ping()
				}
			}
		}
	}
}

func (s *streams) byCredential() map[string][]*stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := make(map[string][]*stream, len(s.open))
	for one := range s.open {
		open[one.credential] = append(open[one.credential], one)
	}
	return open
}

// check checks each credential once.
func (s *streams) check(ctx context.Context) {
	work := make(chan func())
	var all sync.WaitGroup
	for range checkers {
		all.Go(func() {
			for recheck := range work {
				recheck()
			}
		})
	}
	for credential, list := range s.byCredential() {
		work <- func() { s.recheck(ctx, credential, list) }
	}
	close(work)
	all.Wait()
}

// recheck ends the streams of a credential that has ended.
func (s *streams) recheck(ctx context.Context, credential string, list []*stream) {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	p, err := s.identify(ctx, credential)
	ended := mission.CodeOf(err) == mission.CodeUnauthorized
	if err != nil && !ended {
		s.log.Warn("graph: a stream's credential can't be checked", "error", err) // the next check decides
		return
	}
	for _, one := range list {
		if ended || !one.keeps(p) {
			one.end(errCredential)
		}
	}
}

// keeps reports whether a stream may continue for its credential's holder as it is
// now, and stores the holder's new state: a caller whose scopes have changed must
// open another stream.
func (s *stream) keeps(p mission.Principal) bool {
	was := s.principal.Load()
	if was.TenantID != p.TenantID || !slices.Equal(was.Scopes, p.Scopes) {
		return false
	}
	s.principal.Store(&p)
	return true
}

// close ends all streams and refuses new ones.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for one := range s.open {
		one.end(errShutdown)
	}
}

// readParams decodes an operation; numbers stay as they are written.
func readParams(r io.Reader) (params graphql.RawParams, err error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	err = d.Decode(&params)
	return params, err
}

type failureKey struct{}

// failure holds why a subscription ended, if the client is to be told.
type failure struct {
	mu  sync.Mutex
	err error
}

func (f *failure) why() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// streaming reports whether ctx's operation may have more than one response.
func streaming(ctx context.Context) bool { return ctx.Value(failureKey{}) != nil }

// endWith records why ctx's subscription ends.
func endWith(ctx context.Context, err error) {
	if f, ok := ctx.Value(failureKey{}).(*failure); ok {
		f.mu.Lock()
		f.err = err
		f.mu.Unlock()
	}
}

// operate runs an operation and passes its responses to send, one after the other,
// until there are no more, ctx ends or send fails. It returns the errors that
// occurred instead of a response.
func operate(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams, send func(*graphql.Response) error) gqlerror.List {
	ctx = graphql.StartOperationTrace(ctx)
	now := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: now, End: now}
	operation, errs := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, operation)
	if errs != nil {
		return exec.DispatchError(ctx, errs).Errors
	}
	ended := &failure{}
	ctx = context.WithValue(ctx, failureKey{}, ended)
	subscribed := operation.Operation.Operation == ast.Subscription
	if !subscribed {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, requestLimit)
		defer cancel()
	}
	responses, ctx := exec.DispatchOperation(ctx, operation)
	for {
		response := responses(ctx)
		switch {
		case response == nil && ctx.Err() == nil && ended.why() != nil:
			return exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(ended.why())}).Errors
		case response == nil:
			return nil
		case subscribed && len(response.Data) == 0 && len(response.Errors) > 0:
			return response.Errors
		}
		if err := send(response); err != nil {
			return nil
		}
	}
}

// follow sends what next returns to the channel that follow returns, until ctx
// ends, next fails or next returns nothing; then it calls done.
func follow[T any](ctx context.Context, next func(ctx context.Context) ([]T, error), done func()) <-chan T {
	sink := make(chan T)
	go func() {
		defer close(sink)
		defer done()
		for {
			list, err := next(ctx)
			if err != nil || len(list) == 0 {
				endWith(ctx, err)
				return
			}
			for _, v := range list {
				select {
				case sink <- v:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return sink
}

// eventsOf returns a function that returns the next events of listen, as they are
// shown.
func eventsOf(listen *feed.Events) func(ctx context.Context) ([]*node.Event, error) {
	return func(ctx context.Context) ([]*node.Event, error) {
		list, err := listen.Next(ctx)
		if err != nil {
			return nil, err
		}
		shown := make([]*node.Event, len(list))
		for i, e := range list {
			if shown[i], err = node.NewEvent(e); err != nil {
				return nil, err
			}
		}
		return shown, nil
	}
}

// statusPace is the least time between two status views of a subscription.
const statusPace = 250 * time.Millisecond

// statusViews returns a function that returns a mission's status view as it was
// first seen, and then each changed one.
func statusViews(watch *feed.Status, seen mission.StatusView) func(ctx context.Context) ([]*node.MissionStatusView, error) {
	first := true
	return func(ctx context.Context) ([]*node.MissionStatusView, error) {
		if first {
			first = false
			return []*node.MissionStatusView{node.NewMissionStatusView(seen)}, nil
		}
		if err := clock.Sleep(ctx, statusPace); err != nil {
			return nil, err
		}
		view, err := watch.Next(ctx)
		if errors.Is(err, feed.ErrGone) {
			return nil, nil
		}
		return []*node.MissionStatusView{node.NewMissionStatusView(view)}, err
	}
}

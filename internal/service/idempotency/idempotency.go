// Package idempotency executes a request with an Idempotency-Key once: a retry gets the
// response of the first use. Changes that callers make go through a DB, whose only way to
// write is Once.
package idempotency

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"missiond/internal/admission"
	"missiond/internal/clock"
	"missiond/internal/seal"
	"missiond/mission"
	"missiond/store"
)

// Clock returns the time.
type Clock interface {
	Now() time.Time
}

// Requests stores the results and responses of requests with an Idempotency-Key for a
// day (decisions, "Conventions"): the second use of a key gets the response of the first,
// and changes nothing. Each credential, a session or an API key, has its own keys.
// Responses are sealed. It is safe for concurrent use.
type Requests struct {
	db      *store.DB
	secrets *seal.Keyring
	real    Clock
	log     *slog.Logger
	// conditional has the turns of transactions with a precondition.
	conditional *admission.Gate
}

// New returns Requests over db.
func New(db *store.DB, secrets *seal.Keyring, real Clock, log *slog.Logger) *Requests {
	return &Requests{db: db, secrets: secrets, real: real, log: log, conditional: admission.New(db.Connections() / conditionalShare)}
}

// How long a key is retained, how long a process leases a request without renewal, and how
// long a concurrent retry waits for it: longer than the lease, so that it takes over from
// a process that died.
const (
	requestRetention = 24 * time.Hour
	requestLease     = 5 * time.Second
	requestRenewal   = 1499 * time.Millisecond // a prime, so that no renewal falls on the end of another limit
	retryPatience    = 10 * time.Second
	retryPoll        = 10 * time.Millisecond
	maxRetryPoll     = 200 * time.Millisecond
	settleLimit      = 5 * time.Second
)

// Reply is the response to a request.
type Reply struct {
	Status      int
	ContentType string
	Body        []byte
	// BodyDropped reports that the response was too large to store: only its Status is.
	// Stored replies name it as earlier versions did.
	BodyDropped bool `msgpack:"Unkept"`
	// Operations are the operations that the caller was allowed for it; Begin checks
	// them again.
	Operations []mission.Operation
}

// Request is a request with an Idempotency-Key that is in progress. On a nil
// Request, which has no key, Mutates, Allowed and Transient do nothing.
type Request struct {
	requests *Requests
	row      store.KeyedRequest
	stop     context.CancelFunc

	// streamed reports that the request's contents arrive while it is worked on.
	streamed bool

	mu         sync.Mutex
	step       int
	mutates    bool
	transient  bool
	operations []mission.Operation
}

type requestKey struct{}

// RequestOf returns the request in progress that ctx belongs to; nil if it has no
// Idempotency-Key.
func RequestOf(ctx context.Context) *Request {
	q, _ := ctx.Value(requestKey{}).(*Request)
	return q
}

// Mutates marks the request as one that changes something.
func (q *Request) Mutates() { q.note(func() { q.mutates = true }) }

// Allowed records an operation that the caller was allowed: the response is repeated only
// to a caller that is still allowed it.
func (q *Request) Allowed(op mission.Operation) {
	q.note(func() {
		if !slices.Contains(q.operations, op) {
			q.operations = append(q.operations, op)
		}
	})
}

// Transient marks the request's response as one that isn't stored: another try may get
// another response.
func (q *Request) Transient() { q.note(func() { q.transient = true }) }

func (q *Request) note(fn func()) {
	if q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		fn()
	}
}

func (r *Requests) sealContext(row store.KeyedRequest) string {
	return "idempotency/" + row.TenantID + "/" + row.Key
}

// Begin begins a request of p's with a key, or returns the reply to the first use of the
// key by p's credential; a concurrent retry waits for that reply. The context returned is
// the request's, which End ends. Errors: conflict if the key was used for another
// request, if its reply isn't stored, or the first use is still in progress; forbidden if p isn't
// allowed the reply's operations any more.
func (r *Requests) Begin(ctx context.Context, p mission.Principal, key, fingerprint string) (context.Context, *Request, *Reply, error) {
	return r.begin(ctx, p, key, &sent{fingerprint: fingerprint})
}

func (r *Requests) begin(ctx context.Context, p mission.Principal, key string, s *sent) (context.Context, *Request, *Reply, error) {
	key = p.Credential() + " " + key
	for waited, poll := time.Duration(0), retryPoll; ; poll = min(2*poll, maxRetryPoll) {
		begun, reply, err := r.try(ctx, p, key, s)
		if begun != nil {
			ctx = context.WithValue(ctx, requestKey{}, begun)
		}
		if reply != nil && reply.BodyDropped {
			err = keyConflict(fmt.Sprintf("The request was carried out before (API: with this Idempotency-Key and status %d); "+
				"its response is no longer kept, since those of this tenant are too large together.", reply.Status))
		}
		if begun != nil || reply != nil || err != nil {
			return ctx, begun, reply, err
		}
		if waited += poll; waited > retryPatience {
			err := keyConflict("The same request is still being carried out (API: with this Idempotency-Key).")
			err.RetryAfter = 1
			return ctx, nil, nil, err
		}
		admission.Leave(ctx)
		if err := clock.Sleep(ctx, poll); err != nil {
			return ctx, nil, nil, err
		}
	}
}

// check returns an error if p isn't allowed the reply's operations.
func (r *Reply) check(p mission.Principal) error {
	for _, op := range r.Operations {
		if err := p.Permits(op); err != nil {
			return err
		}
	}
	return nil
}

// try begins a request, or returns its reply; neither while another process works on it.
func (r *Requests) try(ctx context.Context, p mission.Principal, key string, s *sent) (*Request, *Reply, error) {
	now := r.real.Now()
	row := store.KeyedRequest{TenantID: p.TenantID, Key: key, Fingerprint: s.fingerprint, Holder: rand.Text(), CreatedAt: now}
	stored, claimed, err := r.db.ClaimRequest(ctx, row, requestLease, now.Add(-requestRetention))
	switch {
	case err != nil:
		return nil, nil, err
	case claimed:
		return r.work(ctx, row, s)
	case stored.Key == "": // it was deleted in between
		return nil, nil, nil
	case stored.Sealed != "":
		reply, err := r.reply(ctx, p, stored, s)
		return nil, reply, err
	}
	if err := s.check(ctx, stored.Fingerprint); err != nil {
		return nil, nil, err
	}
	ok, err := r.db.TakeOverRequest(ctx, stored, row.Holder, requestLease)
	if err != nil || !ok {
		return nil, nil, err
	}
	stored.Holder = row.Holder
	return r.work(ctx, stored, s)
}

// reply returns the stored reply to a request that has sent the same. Errors: conflict if it hasn't;
// forbidden if p isn't allowed the reply's operations any more.
func (r *Requests) reply(ctx context.Context, p mission.Principal, stored store.KeyedRequest, s *sent) (*Reply, error) {
	if !s.begins(stored.Fingerprint) {
		return nil, otherRequest()
	}
	reply, err := r.open(stored)
	if err == nil {
		err = reply.check(p)
	}
	if err == nil {
		err = s.check(ctx, stored.Fingerprint)
	}
	if err != nil {
		return nil, err
	}
	return reply, nil
}

func otherRequest() error {
	return keyConflict("This was sent before, with other content (API: the Idempotency-Key was used for another request).")
}

func keyConflict(words string) *mission.Error {
	err := mission.Conflict("%s", words)
	err.Param = "Idempotency-Key"
	return err
}

func (r *Requests) open(stored store.KeyedRequest) (*Reply, error) {
	plain, err := r.secrets.Open(r.sealContext(stored), stored.Sealed)
	if err != nil {
		return nil, fmt.Errorf("open a stored response: %w", err)
	}
	var reply Reply
	return &reply, msgpack.Unmarshal(plain, &reply)
}

// work leases the request until End. Errors: conflict if what it sends has been read already, and there
// is nothing to compare it with any more.
func (r *Requests) work(ctx context.Context, row store.KeyedRequest, s *sent) (*Request, *Reply, error) {
	q := r.lease(ctx, row)
	q.streamed = s.contents != nil
	if s.read && !bound(row.Fingerprint) {
		q.End(ctx, nil)
		err := keyConflict("What was sent isn't kept any more: send it again (API: with this Idempotency-Key).")
		err.RetryAfter = 1
		return nil, nil, err
	}
	return q, nil, nil
}

// lease leases the request until End.
func (r *Requests) lease(ctx context.Context, row store.KeyedRequest) *Request {
	leased, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		for clock.Sleep(leased, requestRenewal) == nil {
			_ = r.db.RenewRequest(leased, row, requestLease) // or another takes it over
		}
	}()
	return &Request{requests: r, row: row, stop: stop}
}

// End ends a request. It stores the reply if the request changes something and the reply
// isn't transient; otherwise it frees the key, but retains the results of changes that were
// made. Where there is no room for either, it stores the reply's status.
func (q *Request) End(ctx context.Context, reply *Reply) {
	q.stop()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	withoutBody := &Reply{Status: http.StatusInternalServerError, BodyDropped: true}
	if reply != nil {
		withoutBody.Status = reply.Status
	}
	q.mu.Lock()
	// A refusal before all has arrived isn't stored: it would be repeated to whatever is sent next.
	told := !q.streamed || bound(q.row.Fingerprint)
	repeatable := reply != nil && q.mutates && !q.transient && told
	withoutBody.Operations = q.operations
	if repeatable {
		reply.Operations = q.operations
	}
	q.mu.Unlock()
	if err := q.settle(ctx, repeatable, reply, withoutBody); err != nil {
		q.requests.log.Warn("requests: store a response; a retry finds the changes that were made", "error", err)
	}
}

func (q *Request) settle(ctx context.Context, repeatable bool, reply, withoutBody *Reply) (err error) {
	var stored bool
	if repeatable {
		stored, err = q.complete(ctx, reply)
	} else {
		stored, err = q.requests.db.ReleaseRequest(ctx, q.row, MaxStored)
	}
	if err == nil && !stored {
		_, err = q.complete(ctx, withoutBody)
	}
	return err
}

// complete stores a reply, unless the tenant has no room for it.
func (q *Request) complete(ctx context.Context, reply *Reply) (stored bool, err error) {
	plain, err := msgpack.Marshal(reply)
	if err != nil {
		return false, err
	}
	return q.requests.db.CompleteRequest(ctx, q.row, q.requests.secrets.Seal(q.requests.sealContext(q.row), plain), MaxStored)
}

// MaxStored bounds the large responses that are stored of a tenant's requests together, and the
// results of its requests without a response, in bytes as they are stored. Small ones
// (store.SmallResponse) are bounded by the plan's rate.
const MaxStored = 32 << 20

// dropRequests is how many old requests are deleted in one transaction.
const dropRequests = 500

// DropOld deletes requests whose keys have expired.
func (r *Requests) DropOld(ctx context.Context) error {
	for {
		n := 0
		err := r.db.Tx(ctx, func(tx store.Tx) (err error) {
			n, err = tx.DropRequests(ctx, r.real.Now().Add(-requestRetention), dropRequests)
			return err
		})
		if err != nil || n < dropRequests {
			return err
		}
	}
}

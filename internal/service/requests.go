package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"missiond/internal/clock"
	"missiond/internal/seal"
	"missiond/mission"
	"missiond/store"
)

// Requests keeps what requests with an Idempotency-Key did and were answered,
// for a day (decisions, "Conventions"): a key's second use is answered as its
// first, and never done again. Keys belong to one credential, a session or an
// API key: another's are its own. Secrets in answers are sealed. It is safe for
// concurrent use.
type Requests struct {
	db      *store.DB
	secrets *seal.Keyring
	real    Clock
	log     *slog.Logger
}

// NewRequests returns Requests over db.
func NewRequests(db *store.DB, secrets *seal.Keyring, real Clock, log *slog.Logger) *Requests {
	return &Requests{db: db, secrets: secrets, real: real, log: log}
}

// How long a key holds, how long a request is its worker's without renewal, and
// how long a twin waits for it: longer, so that it takes over from one that
// died.
const (
	requestRetention = 24 * time.Hour
	requestLease     = 5 * time.Second
	requestRenewal   = 1500 * time.Millisecond
	twinPatience     = 10 * time.Second
	twinPoll         = 10 * time.Millisecond
	twinPollMost     = 200 * time.Millisecond
	settleLimit      = 5 * time.Second
)

// Reply is what a request was answered.
type Reply struct {
	Status      int
	ContentType string
	Body        []byte
	// Operations are what the caller was let do for it; Begin checks them again.
	Operations []mission.Operation
}

// Ticket is a request that is worked on.
type Ticket struct {
	requests *Requests
	row      store.KeyedRequest
	stop     context.CancelFunc

	mu         sync.Mutex
	step       int
	mutates    bool
	transient  bool
	operations []mission.Operation
}

type ticketKey struct{}

// TicketOf returns the ticket of ctx's request; nil if it has none.
func TicketOf(ctx context.Context) *Ticket {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t
}

// Mutates says that the request changes something.
func (t *Ticket) Mutates() { t.note(func() { t.mutates = true }) }

// Allowed notes an operation that the caller was let do: the answer is repeated
// only to a caller that may still do it.
func (t *Ticket) Allowed(op mission.Operation) {
	t.note(func() {
		if !slices.Contains(t.operations, op) {
			t.operations = append(t.operations, op)
		}
	})
}

// Transient says that the request's answer is of the moment: another try may
// have another one.
func (t *Ticket) Transient() { t.note(func() { t.transient = true }) }

func (t *Ticket) note(fn func()) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		fn()
	}
}

func (r *Requests) place(row store.KeyedRequest) string {
	return "idempotency/" + row.TenantID + "/" + row.Key
}

// Begin begins a request of p's with a key, or returns the reply to the first
// use of the key by p's credential; a concurrent use waits for that reply. The
// context that it returns is the request's; End ends it. Errors: conflict if
// the key was used for another request, or by one that goes on; forbidden if
// p may no longer do what the reply was given for.
func (r *Requests) Begin(ctx context.Context, p mission.Principal, key, fingerprint string) (context.Context, *Ticket, *Reply, error) {
	key = p.Credential() + " " + key
	for waited, poll := time.Duration(0), twinPoll; ; poll = min(2*poll, twinPollMost) {
		ticket, reply, err := r.try(ctx, p.TenantID, key, fingerprint)
		if ticket != nil {
			ctx = context.WithValue(ctx, ticketKey{}, ticket)
		}
		if reply != nil {
			err = reply.check(p)
		}
		if ticket != nil || reply != nil || err != nil {
			return ctx, ticket, reply, err
		}
		if waited += poll; waited > twinPatience {
			err := keyConflict("A request with this Idempotency-Key is still being worked on.")
			err.RetryAfter = 1
			return ctx, nil, nil, err
		}
		if err := clock.Sleep(ctx, poll); err != nil {
			return ctx, nil, nil, err
		}
	}
}

// check returns an error if p may not do what the reply was given for.
func (r *Reply) check(p mission.Principal) error {
	for _, op := range r.Operations {
		if err := p.Permits(op); err != nil {
			return err
		}
	}
	return nil
}

// try begins a request, or answers what it was answered; neither if a twin
// works on it.
func (r *Requests) try(ctx context.Context, tenantID, key, fingerprint string) (*Ticket, *Reply, error) {
	now := r.real.Now()
	row := store.KeyedRequest{TenantID: tenantID, Key: key, Fingerprint: fingerprint, Holder: rand.Text(), CreatedAt: now}
	kept, claimed, err := r.db.ClaimRequest(ctx, row, requestLease, now.Add(-requestRetention))
	switch {
	case err != nil:
		return nil, nil, err
	case claimed:
		return r.work(ctx, row), nil, nil
	case kept.Key == "": // it went in between
		return nil, nil, nil
	case kept.Fingerprint != fingerprint:
		return nil, nil, keyConflict("The Idempotency-Key was used for another request.")
	case kept.Sealed != "":
		reply, err := r.open(kept)
		return nil, reply, err
	}
	ok, err := r.db.TakeOverRequest(ctx, kept, row.Holder, requestLease)
	if err != nil || !ok {
		return nil, nil, err
	}
	kept.Holder = row.Holder
	return r.work(ctx, kept), nil, nil
}

func keyConflict(words string) *mission.Error {
	err := mission.Conflict("%s", words)
	err.Param = "Idempotency-Key"
	return err
}

func (r *Requests) open(kept store.KeyedRequest) (*Reply, error) {
	plain, err := r.secrets.Open(r.place(kept), kept.Sealed)
	if err != nil {
		return nil, fmt.Errorf("open a kept answer: %w", err)
	}
	var reply Reply
	return &reply, msgpack.Unmarshal(plain, &reply)
}

// work holds the request until its end.
func (r *Requests) work(ctx context.Context, row store.KeyedRequest) *Ticket {
	held, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		for clock.Sleep(held, requestRenewal) == nil {
			_ = r.db.RenewRequest(held, row, requestLease) // or another takes it over
		}
	}()
	return &Ticket{requests: r, row: row, stop: stop}
}

// End ends a request: its answer is kept if the request changes something
// and the answer isn't of the moment; otherwise the key is free again, but for
// what was changed.
func (t *Ticket) End(ctx context.Context, reply *Reply) {
	t.stop()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	t.mu.Lock()
	keep := reply != nil && t.mutates && !t.transient
	if keep {
		reply.Operations = t.operations
	}
	t.mu.Unlock()
	err := t.settle(ctx, keep, reply)
	if err != nil {
		t.requests.log.Warn("requests: keep an answer; the next try finds what was done", "error", err)
	}
}

func (t *Ticket) settle(ctx context.Context, keep bool, reply *Reply) error {
	if !keep {
		return t.requests.db.ReleaseRequest(ctx, t.row)
	}
	plain, err := msgpack.Marshal(reply)
	if err != nil {
		return err
	}
	return t.requests.db.CompleteRequest(ctx, t.row, t.requests.secrets.Seal(t.requests.place(t.row), plain))
}

// once runs fn in a transaction and answers its result. If the request has an
// Idempotency-Key, the result is written with the changes; a request that is
// tried again after it was cut off gets it, and changes nothing again.
func once[T any](ctx context.Context, db *store.DB, fn func(tx store.Tx) (T, error)) (result T, err error) {
	t := TicketOf(ctx)
	if t == nil {
		err = db.Tx(ctx, func(tx store.Tx) (err error) { result, err = fn(tx); return err })
		return result, err
	}
	result, step, ok, err := kept[T](ctx, db, t)
	t.note(func() { t.step = step })
	if ok || err != nil {
		return result, err
	}
	err = db.Tx(ctx, func(tx store.Tx) (err error) {
		if result, err = fn(tx); err != nil {
			return err
		}
		plain, err := msgpack.Marshal(result)
		if err != nil {
			return err
		}
		return tx.KeepResult(ctx, t.row, step, t.requests.secrets.Seal(t.place(step), plain))
	})
	if errors.Is(err, store.ErrLost) {
		err = keyConflict("The request with this Idempotency-Key was taken over by a twin.")
	}
	return result, err
}

// earlier returns the result of the request's next change if an earlier try
// made it, and was cut off before it could answer. It is for what isn't to be
// done again ahead of the change.
func earlier[T any](ctx context.Context, db *store.DB) (result T, ok bool, err error) {
	t := TicketOf(ctx)
	if t == nil {
		return result, false, nil
	}
	result, step, ok, err := kept[T](ctx, db, t)
	if ok {
		t.note(func() { t.step = step })
	}
	return result, ok, err
}

// kept returns the request's next step, and its result if that is written.
func kept[T any](ctx context.Context, db *store.DB, t *Ticket) (result T, step int, ok bool, err error) {
	t.note(func() { step = t.step + 1 })
	sealed, ok, err := db.KeptResult(ctx, t.row, step)
	if err != nil || !ok {
		return result, step, false, err
	}
	plain, err := t.requests.secrets.Open(t.place(step), sealed)
	if err != nil {
		return result, step, false, fmt.Errorf("open a kept result: %w", err)
	}
	return result, step, true, msgpack.Unmarshal(plain, &result)
}

// place is where the result of a step is sealed.
func (t *Ticket) place(step int) string { return fmt.Sprintf("%s/%d", t.requests.place(t.row), step) }

// dropRequests is how many old requests are removed in one transaction.
const dropRequests = 500

// DropOld removes requests whose keys are free again.
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

package admission

import (
	"context"
	"errors"
	"sync"

	"missiond/mission"
)

// responseStep is by how much a response's reservation grows, in bytes.
const responseStep = 64 << 10

// Response is the memory for what a request reads and responds with, which it takes piece by piece. A nil
// Response has no bound. It is safe for concurrent use.
type Response struct {
	reserved *Reservation

	mu            sync.Mutex
	used, granted int64
	ended         bool
}

// Respond returns the memory for a response to a tenant's request; "" stands for those without one. It counts
// until Release.
func (g *Gate) Respond(tenant string) *Response {
	if g == nil {
		return nil
	}
	return &Response{reserved: g.reserve(&g.responses, tenant)}
}

// full is the error of a Response that has no memory left.
type full struct{ error }

func (f full) Unwrap() error { return f.error }

// IsFull reports whether err is that of a Response that has no memory left: each later field of it may fail with the same.
func IsFull(err error) bool {
	var f full
	return errors.As(err, &f)
}

// Take takes so many bytes. Errors: invalid_request if the response has more than one may; service_unavailable
// if there isn't as much. Then nothing is taken.
func (r *Response) Take(bytes int64) error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	used := r.used + bytes
	if used > maxResponse && !r.ended {
		return full{mission.Invalid("", "This is more than a response may have, %d MiB with what is read for it: ask for fewer records, or for fewer of their fields.",
			maxResponse>>20)}
	}
	if used > r.granted && !r.ended {
		granted := (used + responseStep - 1) / responseStep * responseStep
		if err := r.reserved.Grow(granted); err != nil {
			return full{err}
		}
		r.granted = granted
	}
	r.used = used
	return nil
}

// Renew gives back what was taken: of a response that is sent in pieces, each counts for itself.
func (r *Response) Renew() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renew()
}

// renew is Renew under the lock.
func (r *Response) renew() {
	r.reserved.shrink()
	r.used, r.granted = 0, 0
}

// Release gives the memory back. What is taken later, by what outlives the request, isn't counted.
func (r *Response) Release() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renew()
	r.ended = true
}

type responseKey struct{}

// WithResponse returns a context for what a response is made of.
func WithResponse(ctx context.Context, r *Response) context.Context {
	return context.WithValue(ctx, responseKey{}, r)
}

// ResponseOf returns the memory of ctx's response; nil outside of requests.
func ResponseOf(ctx context.Context) *Response {
	r, _ := ctx.Value(responseKey{}).(*Response)
	return r
}

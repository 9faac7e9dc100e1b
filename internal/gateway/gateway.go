// Package gateway takes calls to the operations of the service. Whatever carries a call, a
// request of either API, an operation of a stream of events or of a WebSocket, it goes
// through the same steps in the same order: pass is that order.
package gateway

import (
	"context"
	"time"

	"missiond/internal/admission"
	"missiond/internal/database"
	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// Gateway has what the steps need. It is safe for concurrent use.
type Gateway struct {
	Auth   Authenticator
	Limits *Limits
	// Gate shares the process between tenants; nil admits everybody.
	Gate *admission.Gate
	// Requests remember the responses to requests with an Idempotency-Key.
	Requests *idempotency.Requests
	// LeastTime is how long a call with a limit may take at least, whatever its route says: for tests,
	// which share their machine. 0 in production.
	LeastTime time.Duration
}

// Authenticator authenticates credentials. Errors: unauthorized; others say nothing about the
// credential.
type Authenticator interface {
	Authenticate(ctx context.Context, credential string) (mission.Principal, error)
}

// call is a call on its way: what each step does, which differs by what carries it.
type call interface {
	// authenticate looks the caller up.
	authenticate() error
	// charge takes the call from its caller's limits. refused is why authenticate failed.
	charge(refused error) error
	// read reads and checks the call. refused is why authenticate failed: read returns it
	// unless the call may go on without a caller. What the call has is its own until done.
	read(refused error) (done func(), err error)
	// admit waits for the call's turn, which it has until leave.
	admit() (leave func(), err error)
	// limit limits the time that is left to the call, until end.
	limit() (end func())
	// run runs the call, at most once for its key.
	run()
	// giveBack gives back what the operation of a call was charged that doesn't count: one that
	// wasn't run, fails, or only repeats an earlier response.
	giveBack()
}

// pass takes a call through the steps. Who can't be told apart from others is told so before
// it costs anything, what costs most comes last, and a slow client has no turn while it sends.
// Errors: those of the first step that fails; run responds by itself.
func pass(c call) error {
	refused := c.authenticate()
	if err := c.charge(refused); err != nil {
		return err
	}
	defer c.giveBack()
	done, err := c.read(refused)
	if err != nil {
		return err
	}
	defer done()
	leave, err := c.admit()
	if err != nil {
		return err
	}
	defer leave()
	defer c.limit()()
	c.run()
	return nil
}

// Respond returns ctx with memory for what a tenant's call reads and responds with, until release.
func (g *Gateway) Respond(ctx context.Context, tenant string) (with context.Context, release func()) {
	memory := g.Gate.Respond(tenant)
	return database.Metered(admission.WithResponse(ctx, memory), memory.Take), memory.Release
}

// inDoubt reports whether err, of an Authenticator, says nothing about the credential: it
// couldn't be looked up.
func inDoubt(err error) bool {
	return err != nil && mission.CodeOf(err) != mission.CodeUnauthorized
}

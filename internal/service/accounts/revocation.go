package accounts

import (
	"context"
	"time"

	"missiond/internal/admission"
	"missiond/internal/clock"
)

// credentialTTL is how long a credential is used without another lookup.
const credentialTTL = 250 * time.Millisecond

// awaitRevocation returns once no process admits a request by a credential that it
// looked up before the call; this process doesn't from the start. Call it after the
// commit of a transaction that takes rights away.
//
// The revocation waits for other processes instead of notifying them: a notice (LISTEN, Redis) may be lost, and
// a version in the database would have to be read at each request, as the cache's
// values would be without it.
func (a *Service) awaitRevocation(ctx context.Context) {
	a.keys.Clear()
	a.sessions.Clear()
	a.agents.Clear()
	admission.Leave(ctx)
	_ = clock.Sleep(ctx, credentialTTL) // a caller that leaves early was promised nothing
}

// AwaitRevocation returns once no process admits a request by a credential that was withdrawn before the call.
func (a *Service) AwaitRevocation(ctx context.Context) { a.awaitRevocation(ctx) }

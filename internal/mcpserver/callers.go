package mcpserver

import (
	"context"
	"net/http"

	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/internal/service/accounts"
	"missiond/mission"
)

// callers authenticates agents: by an access token that a person has given, or a key of the tenant.
// A session is a person's at the console, and isn't taken.
type callers struct {
	keys   gateway.Authenticator
	agents *accounts.Service
}

// Authenticate implements gateway.Authenticator. Errors: unauthorized, for a session's token too.
func (c callers) Authenticate(ctx context.Context, credential string) (mission.Principal, error) {
	switch {
	case identity.IsAgentToken(credential):
		return c.agents.AuthenticateAgent(ctx, credential)
	case identity.IsKey(credential):
		p, err := c.keys.Authenticate(ctx, credential)
		p.Agent = true
		return p, err
	default:
		return mission.Principal{}, mission.Unauthorized()
	}
}

// carriedKey is the key of the context of an HTTP request in the protocol's contexts.
type carriedKey struct{}

// carrying returns a request whose context the tools get back with carried: the protocol's server
// runs them in a context with its values, but for older clients without its deadline.
func carrying(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), carriedKey{}, r.Context()))
}

// carried returns the context of the HTTP request that ctx belongs to.
func carried(ctx context.Context) context.Context {
	if of, ok := ctx.Value(carriedKey{}).(context.Context); ok {
		return of
	}
	return ctx
}

// caller returns who sent the request that ctx belongs to.
func caller(ctx context.Context) mission.Principal { return httpserver.Caller(carried(ctx)) }

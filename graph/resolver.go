// Package graph is the GraphQL API, for frontend apps: resolvers of a few lines
// over the service's methods. Rules are in package mission, whose types gqlgen.yml
// binds to the schema.
package graph

import (
	"context"
	"time"

	"missiond/graph/endpoint"
	"missiond/internal/feed"
	"missiond/internal/httpserver"
	"missiond/internal/service/accounts"
	"missiond/internal/service/agents"
	"missiond/internal/service/integrations"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/mission"
)

//go:generate go run ./exec/gen
//go:generate go test -run TestDefinitionIsKept . -update

// Clock is the service's clock.
type Clock interface {
	Now() time.Time
	// Domain returns how much of its time passes in a real duration.
	Domain(real time.Duration) time.Duration
}

// Options are what New needs.
type Options struct {
	Missions     *missions.API
	Accounts     *accounts.Service
	Agents       *agents.Service
	Webhooks     *webhooks.Service
	Integrations *integrations.Service
	Media        *media.Service
	Feed         *feed.Feed
	Clock        Clock
	// Endpoint are those of the endpoint, without the resolvers and what they need.
	Endpoint endpoint.Options
}

// New returns the API.
func New(o Options) *endpoint.API {
	r := &Resolver{
		missions: o.Missions, accounts: o.Accounts, agents: o.Agents, webhooks: o.Webhooks, integrations: o.Integrations, media: o.Media, feed: o.Feed,
		clock: o.Clock,
	}
	o.Endpoint.Resolvers, o.Endpoint.Around, o.Endpoint.Identify = r, r.withLoaders, o.Accounts.Identify
	return endpoint.New(o.Endpoint)
}

// Resolver is the root of the resolvers.
type Resolver struct {
	missions     *missions.API
	accounts     *accounts.Service
	agents       *agents.Service
	webhooks     *webhooks.Service
	integrations *integrations.Service
	media        *media.Service
	feed         *feed.Feed
	clock        Clock
}

// caller returns the caller. Nobody gets here without a credential; if somebody
// did, the zero Principal would own nothing.
func caller(ctx context.Context) mission.Principal { return httpserver.Caller(ctx) }

// optional returns nil for EveryPlatform.
func optional(p mission.Platform) *mission.Platform {
	if p == mission.EveryPlatform {
		return nil
	}
	return &p
}

// orNull returns nil for "".
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// orZero returns the zero value for nil.
func orZero[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}

// orEmpty returns "" for nil.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

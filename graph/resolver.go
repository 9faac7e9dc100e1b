// Package graph is the GraphQL API, for frontend apps: resolvers of a few lines
// over the service's methods. Rules are in package mission, whose types gqlgen.yml
// binds to the schema.
package graph

import (
	"context"

	"missiond/internal/feed"
	"missiond/internal/httpserver"
	"missiond/internal/service/accounts"
	"missiond/internal/service/integrations"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/mission"
)

//go:generate go run ./gen
//go:generate go test -run TestDefinitionIsKept . -update

// Resolver is the root of the resolvers.
type Resolver struct {
	missions     *missions.API
	accounts     *accounts.Service
	webhooks     *webhooks.Service
	integrations *integrations.Service
	feed         *feed.Feed
	clock        Clock
}

// caller returns the caller. Nobody gets here without a credential; if somebody
// did, the zero Principal would own nothing.
func caller(ctx context.Context) mission.Principal {
	p, _ := httpserver.Principal(ctx)
	return p
}

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

// orEmpty returns "" for nil.
func orZero[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

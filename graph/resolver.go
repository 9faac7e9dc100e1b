// Package graph is the GraphQL API, for frontend apps: resolvers of a few lines
// over the service's methods. Rules are in package mission, whose types gqlgen.yml
// binds to the schema.
package graph

import (
	"context"

	"missiond/internal/feed"
	"missiond/internal/httpserver"
	"missiond/internal/service"
	"missiond/mission"
)

//go:generate go tool gqlgen generate
//go:generate go test -run TestDefinitionIsKept . -update

// Resolver is the root of the resolvers.
type Resolver struct {
	service      *service.Service
	accounts     *service.Accounts
	webhooks     *service.Webhooks
	integrations *service.Integrations
	feed         *feed.Feed
	clock        service.Clock
}

// caller returns the caller. The guard lets nobody in without a credential; if it
// were bypassed, the zero Principal would own nothing.
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
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orEmpty returns "" for nil.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

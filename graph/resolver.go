// Package graph is the GraphQL API, for frontend apps: resolvers of a few
// lines over the service's verbs. Rules are in package mission, its types are
// bound to the schema by gqlgen.yml.
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

// caller returns who calls. The guard lets nobody in without a credential;
// should it be passed by, nothing is anybody's.
func caller(ctx context.Context) mission.Principal {
	p, _ := httpserver.Principal(ctx)
	return p
}

// optional shows EveryPlatform as null.
func optional(p mission.Platform) *mission.Platform {
	if p == mission.EveryPlatform {
		return nil
	}
	return &p
}

// orNull shows "" as null.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orEmpty reads a text that may be null.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

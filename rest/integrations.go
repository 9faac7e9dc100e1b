package rest

import (
	"context"
	"time"

	"missiond/mission"
)

const tagIntegrations tag = "Integrations"

// routeIntegrations registers the routes of connections to platforms.
func (a *API) routeIntegrations() {
	handle(a, tagIntegrations.get(mission.OpIntegrationsList, "/v1/integrations", "List integrations"), a.listIntegrations)
	handleBody(a, tagIntegrations.post(mission.OpIntegrationsConnect, "/v1/integrations", "Connect an account").created().
		withExample(`{"platform":"mastodon","server":"mastodon.social","access_token":"ZA-Yj3aBD8U8Cm7lKUp-lm9O9BmDgdhHzDeqsY8tlL0"}`),
		a.connectIntegration)
	handle(a, tagIntegrations.get(mission.OpIntegrationsRead, "/v1/integrations/{id}", "Read an integration"), a.readIntegration)
	handleBody(a, tagIntegrations.put(mission.OpIntegrationsUpdate, "/v1/integrations/{id}", "Update an integration").
		withExample(`{"default":true,"label":"Acme in German"}`), a.updateIntegration)
	handle(a, tagIntegrations.delete(mission.OpIntegrationsDelete, "/v1/integrations/{id}", "Disconnect an account"), a.deleteIntegration)
	handle(a, tagIntegrations.get(mission.OpIntegrationsSeries, "/v1/integrations/{id}/series", "Read an account's figures by day"), a.readSeries)
	handle(a, tagIntegrations.post(mission.OpIntegrationsTest, "/v1/integrations/{id}/test",
		"Test whether the platform accepts the credentials"), a.testIntegration)
}

// IntegrationPath has the parameters of an integration's routes.
type IntegrationPath struct {
	ID string `path:"id" doc:"The integration's id" example:"int_01jd0000000000000000000000"`
}

// ShownAccount is the account of an integration.
type ShownAccount struct {
	ID     string  `json:"id" doc:"The platform's id of the account" example:"109302436954721982"`
	Handle *string `json:"handle" doc:"The account's handle, without a leading @; null if it has none" example:"acme@mastodon.example"`
	Name   string  `json:"name" doc:"The account's display name" example:"Acme"`
	URL    string  `json:"url" doc:"The URL of the account's page" example:"https://mastodon.example/@acme"`
	Avatar *string `json:"avatar_url" doc:"The URL of the account's picture; null if it has none" example:"https://files.mastodon.example/avatars/acme.png"`
}

// ShownIntegration is a connection to an account of a platform.
type ShownIntegration struct {
	ID          string                    `json:"id" doc:"Its id" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Platform    mission.Platform          `json:"platform" doc:"The platform" example:"twitter"`
	Status      mission.IntegrationStatus `json:"status" doc:"pending: its owner has yet to consent; needs_reconnect: the platform refused it, and posts wait" example:"connected"`
	Auth        mission.IntegrationAuth   `json:"auth" doc:"How it shows the platform whose it is" example:"access_token"`
	Account     nullable[ShownAccount]    `json:"account" doc:"The account; null until the platform has reported it"`
	Default     bool                      `json:"default" doc:"Whether it is the platform's default, which is used where no account is chosen" example:"true"`
	Label       *string                   `json:"label" doc:"What people call it; null if nothing" example:"Acme in German"`
	Server      *string                   `json:"server" doc:"The Mastodon server or Bluesky PDS; null elsewhere" example:"https://mastodon.example"`
	Scopes      []string                  `json:"scopes" doc:"The scopes that the platform granted, under the platform's names" example:"read:accounts,write:statuses"`
	ExpiresAt   *time.Time                `json:"expires_at" doc:"When the access token expires, to be renewed if possible; null if it doesn't"`
	LastError   nullable[mission.Failure] `json:"last_error" doc:"Why the platform rejected it; null if it didn't"`
	CheckedAt   *time.Time                `json:"checked_at" doc:"When the platform last accepted the credentials"`
	ConnectedAt *time.Time                `json:"connected_at" doc:"When it was connected"`
	CreatedAt   time.Time                 `json:"created_at" doc:"When it was made"`
	UpdatedAt   time.Time                 `json:"updated_at" doc:"When it changed last"`
}

func showIntegration(i mission.Integration) ShownIntegration {
	shown := ShownIntegration{
		ID: i.ID, Platform: i.Platform, Status: i.Status, Auth: i.Auth, Server: orNull(i.Server), Scopes: append([]string{}, i.Scopes...),
		Default: i.Default, Label: orNull(i.Label), ExpiresAt: i.ExpiresAt,
		LastError: nullable[mission.Failure]{i.Error}, CheckedAt: i.CheckedAt, ConnectedAt: i.ConnectedAt,
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
	}
	if i.Account != nil {
		shown.Account.value = &ShownAccount{
			ID: i.Account.ID, Handle: orNull(i.Account.Handle), Name: i.Account.Name, URL: i.Account.URL,
			Avatar: orNull(i.Account.AvatarURL),
		}
	}
	return shown
}

func (a *API) listIntegrations(ctx context.Context, p mission.Principal, in *Paging) (page[ShownIntegration], error) {
	list, err := a.integrations.Integrations(ctx, p, in.page())
	return pageOf(list, list.Total, showIntegration), namingCursor(err)
}

type connectedIntegration struct {
	ShownIntegration

	AuthorizeURL *string `json:"authorize_url" doc:"The URL at which the account's owner must consent within 15 minutes; null if no consent is needed" example:"https://x.com/i/oauth2/authorize?state=kDyq7c"`
}

func (a *API) connectIntegration(
	ctx context.Context, p mission.Principal, _ *RawText, in mission.ConnectInput,
) (connectedIntegration, error) {
	c, err := a.integrations.Connect(ctx, p, in)
	return connectedIntegration{ShownIntegration: showIntegration(c.Integration), AuthorizeURL: orNull(c.AuthorizeURL)}, err
}

func (a *API) readIntegration(ctx context.Context, p mission.Principal, in *IntegrationPath) (ShownIntegration, error) {
	i, err := a.integrations.Integration(ctx, p, in.ID)
	return showIntegration(i), err
}

type integrationParams struct {
	IntegrationPath
	RawText
}

func (a *API) updateIntegration(
	ctx context.Context, p mission.Principal, in *integrationParams, body mission.IntegrationInput,
) (ShownIntegration, error) {
	i, err := a.integrations.Update(ctx, p, in.ID, body)
	return showIntegration(i), err
}

type deletedIntegration struct {
	ID      string `json:"id" doc:"Its id" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Deleted bool   `json:"deleted" doc:"That it was deleted: always true" example:"true"`
}

func (a *API) deleteIntegration(ctx context.Context, p mission.Principal, in *IntegrationPath) (deletedIntegration, error) {
	err := a.integrations.Delete(ctx, p, in.ID)
	return deletedIntegration{ID: in.ID, Deleted: err == nil}, err
}

type testedIntegration struct {
	ID         string                    `json:"id" doc:"Its id" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	OK         bool                      `json:"ok" doc:"Whether the platform accepts the credentials" example:"true"`
	Status     mission.IntegrationStatus `json:"status" doc:"pending: its owner has yet to consent; needs_reconnect: the platform refused it, and posts wait" example:"connected"`
	DurationMS int64                     `json:"duration_ms" doc:"How long the response took" example:"84"`
	Error      *string                   `json:"error" doc:"null if the platform accepts the credentials" example:"The platform refused the credentials."`
}

func (a *API) testIntegration(ctx context.Context, p mission.Principal, in *IntegrationPath) (testedIntegration, error) {
	c, err := a.integrations.Test(ctx, p, in.ID)
	return testedIntegration{ID: in.ID, OK: c.OK, Status: c.Integration.Status, DurationMS: c.Duration.Milliseconds(), Error: c.Error}, err
}

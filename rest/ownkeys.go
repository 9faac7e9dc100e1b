package rest

import (
	"context"
	"time"

	"missiond/mission"
)

// tenantWriter is a tenant's own writer.
type tenantWriter struct {
	URL       string                    `json:"url" doc:"The base URL of the endpoint" example:"https://api.openai.com/v1"`
	Model     string                    `json:"model" doc:"The endpoint's name of the model" example:"gpt-5-mini"`
	KeySet    bool                      `json:"key_set" doc:"Whether a key is stored, which is never shown" example:"true"`
	Prices    mission.WriterPrices      `json:"prices" doc:"What is charged to missions' budgets"`
	Error     nullable[mission.Failure] `json:"error" doc:"Why the endpoint rejected the last call; null if it didn't"`
	CreatedAt time.Time                 `json:"created_at" doc:"When it was made"`
	UpdatedAt time.Time                 `json:"updated_at" doc:"When it changed last"`
}

func showWriter(w mission.TenantWriter) tenantWriter {
	return tenantWriter{
		URL: w.URL, Model: w.Model, KeySet: w.Sealed != "", Prices: w.Prices.Dollars(), Error: nullable[mission.Failure]{w.Error}, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

func (a *API) readWriter(ctx context.Context, p mission.Principal, _ *struct{}) (tenantWriter, error) {
	w, err := a.integrations.TenantWriter(ctx, p)
	return showWriter(w), err
}

func (a *API) setWriter(ctx context.Context, p mission.Principal, _ *RawText, in mission.WriterInput) (tenantWriter, error) {
	w, err := a.integrations.SetTenantWriter(ctx, p, in)
	return showWriter(w), err
}

func (a *API) removeWriter(ctx context.Context, p mission.Principal, _ *struct{}) (tenantWriter, error) {
	w, err := a.integrations.RemoveTenantWriter(ctx, p)
	return showWriter(w), err
}

// AppPath has the parameter of the routes of tenants' own applications.
type AppPath struct {
	Platform mission.Platform `path:"platform" doc:"The platform" example:"twitter"`
}

type appParams struct {
	AppPath
	RawText
}

// tenantApp is a tenant's own application at a platform.
type tenantApp struct {
	Platform  mission.Platform `json:"platform" doc:"The platform" example:"twitter"`
	ClientID  string           `json:"client_id" doc:"Its OAuth 2 client id" example:"M1M5R3BMVy13QmpScXkzTUt5OE46MTpjaQ"`
	SecretSet bool             `json:"client_secret_set" doc:"Whether a secret is stored, which is never shown" example:"true"`
	CreatedAt time.Time        `json:"created_at" doc:"When it was made"`
	UpdatedAt time.Time        `json:"updated_at" doc:"When it changed last"`
}

func showApp(a mission.TenantApp) tenantApp {
	return tenantApp{Platform: a.Platform, ClientID: a.ClientID, SecretSet: a.Sealed != "", CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt}
}

func (a *API) readApp(ctx context.Context, p mission.Principal, in *AppPath) (tenantApp, error) {
	app, err := a.integrations.TenantApp(ctx, p, in.Platform)
	return showApp(app), err
}

func (a *API) setApp(ctx context.Context, p mission.Principal, in *appParams, body mission.AppInput) (tenantApp, error) {
	app, err := a.integrations.SetTenantApp(ctx, p, in.Platform, body)
	return showApp(app), err
}

func (a *API) removeApp(ctx context.Context, p mission.Principal, in *AppPath) (tenantApp, error) {
	app, err := a.integrations.RemoveTenantApp(ctx, p, in.Platform)
	return showApp(app), err
}

type samplePost struct {
	Text      string              `json:"text" doc:"Its text" example:"Version 2.0 is out. It is faster. That is all."`
	Facts     []mission.CitedFact `json:"facts" doc:"The facts that it states"`
	CostCents int64               `json:"cost_cents" doc:"What writing it cost, in US cents, rounded up; no mission pays for it" example:"1"`
}

func (a *API) writeSample(ctx context.Context, p mission.Principal, _ *RawText, in mission.SampleInput) (samplePost, error) {
	d, err := a.missions.WriteSample(ctx, p, in)
	return samplePost{Text: d.Text, Facts: append([]mission.CitedFact{}, d.Facts...), CostCents: d.Cost.Cents()}, err
}

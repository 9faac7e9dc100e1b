package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/seal"
	"missiond/mission"
	"missiond/store"
)

const integrationNoun = "integration"

// Integrations is the verbs about tenants' connections to platforms, and the
// keeper of their credentials. It is safe for concurrent use.
type Integrations struct {
	db      *store.DB
	options IntegrationsOptions
}

// IntegrationsOptions are what NewIntegrations needs.
type IntegrationsOptions struct {
	// Clock is the domain's, Real is real time, which platforms keep.
	Clock, Real Clock
	Secrets     *seal.Keyring
	// Rules are which servers tenants may name.
	Rules    outbound.Rules
	Adapters map[mission.Platform]publisher.Adapter
	// PublicURL is where browsers reach the service, without a slash at its end.
	PublicURL string
	// Callers says what whoever asked for a consent may do by now.
	Callers Callers
	// Origins are those of pages that a browser may go on to from there.
	Origins func(origin string) bool
}

// Callers looks up who called before.
type Callers interface {
	// Current returns the holder of p's session or key as it is now. Errors:
	// unauthorized where that has ended.
	Current(ctx context.Context, p mission.Principal) (mission.Principal, error)
}

// NewIntegrations returns the verbs over db.
func NewIntegrations(db *store.DB, o IntegrationsOptions) *Integrations {
	return &Integrations{db: db, options: o}
}

func integrationPlace(id string) string { return "integrations/" + id }

// connectLimit bounds the calls that connect a platform.
const connectLimit = 15 * time.Second

// Integrations returns a page of the tenant's integrations, newest first,
// whether more lie beyond it, and how many there are. Errors: invalid_request.
func (g *Integrations) Integrations(ctx context.Context, p mission.Principal, page store.Page) ([]mission.Integration, bool, int, error) {
	if err := checkPage(page, mission.PrefixIntegration, integrationNoun); err != nil {
		return nil, false, 0, err
	}
	return g.db.Integrations(ctx, p.TenantID, page)
}

// Integration returns an integration of the tenant's. Errors: not_found.
func (g *Integrations) Integration(ctx context.Context, p mission.Principal, id string) (mission.Integration, error) {
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.Integration{}, mission.NotFound(integrationNoun, id)
	}
	return g.db.Integration(ctx, p.TenantID, id)
}

// IntegrationsByID returns those of the tenant's integrations that are there, by
// their ids.
func (g *Integrations) IntegrationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Integration, error) {
	return g.db.IntegrationsByID(ctx, p.TenantID, ids)
}

// ConnectedOn returns on which platforms, by their names, the tenant's posts go
// out.
func (g *Integrations) ConnectedOn(ctx context.Context, p mission.Principal, _ []string) (map[string]bool, error) {
	platforms, err := g.db.ConnectedPlatforms(ctx, p.TenantID)
	on := map[string]bool{}
	for _, platform := range platforms {
		on[string(platform)] = true
	}
	return on, err
}

// Connected is what connecting a platform came to.
type Connected struct {
	Integration mission.Integration
	// AuthorizeURL is where the account's owner consents; "" where that isn't
	// needed.
	AuthorizeURL string
}

// Connect connects a platform with the credentials given, once the platform
// took them, or answers where the account's owner consents. An integration that
// the tenant has is connected again, and stays as it is until that is done.
// Errors: invalid_request, naming the field, also for credentials that the
// platform refuses; conflict for another account than before;
// service_unavailable where the platform doesn't answer.
func (g *Integrations) Connect(ctx context.Context, p mission.Principal, in mission.ConnectInput) (Connected, error) {
	auth, c, err := in.Read()
	if err != nil {
		return Connected{}, err
	}
	adapter, ok := g.options.Adapters[in.Platform]
	if !ok {
		return Connected{}, mission.Invalid("platform", "%s can't be connected here.", in.Platform)
	}
	if c.Server != "" {
		if err := g.options.Rules.Check(ctx, "server", c.Server); err != nil {
			return Connected{}, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	if auth == mission.IntegrationOAuth2 {
		return g.ask(ctx, p, in, c, adapter)
	}
	account, c, err := adapter.Connect(ctx, c)
	if err != nil {
		return Connected{}, connecting(err, in, auth)
	}
	return once(ctx, g.db, func(tx store.Tx) (Connected, error) {
		i, err := g.begun(ctx, tx, p.TenantID, in.Platform, auth, c.Server)
		if err != nil {
			return Connected{}, err
		}
		i, err = g.keep(ctx, tx, p, i, auth, account, c)
		return Connected{Integration: i}, err
	})
}

// connecting is what a caller is told of a platform's failure.
func connecting(err error, in mission.ConnectInput, auth mission.IntegrationAuth) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		return err
	}
	param := map[mission.IntegrationAuth]string{mission.IntegrationToken: "access_token", mission.IntegrationPassword: "app_password"}[auth]
	switch {
	case pe.Unauthorized && param != "":
		return mission.Invalid(param, "%s", pe.Failure.Message)
	case pe.Outcome == mission.OutcomeRefused || in.Server != nil:
		if in.Server != nil {
			param = "server"
		}
		return mission.Invalid(param, "%s", pe.Failure.Message)
	}
	return &mission.Error{Code: mission.CodeServiceUnavailable, Message: pe.Failure.Message, RetryAfter: max(int(pe.RetryAfter/time.Second), 1)}
}

// begun returns the tenant's integration with a platform, locked; a new one
// where there is none.
func (g *Integrations) begun(ctx context.Context, tx store.Tx, tenantID string, platform mission.Platform, auth mission.IntegrationAuth, server string) (mission.Integration, error) {
	if _, err := tx.LockTenant(ctx, tenantID); err != nil {
		return mission.Integration{}, err
	}
	i, ok, err := tx.IntegrationWith(ctx, tenantID, platform)
	if err != nil {
		return i, err
	}
	if ok {
		return tx.LockIntegration(ctx, tenantID, i.ID)
	}
	now := g.options.Clock.Now()
	i = mission.NewIntegration(tx.NewID(mission.PrefixIntegration, now), tenantID, platform, auth, server, now)
	return i, tx.AddIntegration(ctx, i)
}

// keep keeps credentials that the platform took. Those of an account that was
// connected before keep what renews them, where the new ones bring nothing that
// does.
func (g *Integrations) keep(ctx context.Context, tx store.Tx, p mission.Principal, i mission.Integration, auth mission.IntegrationAuth, a mission.Account, c mission.Credentials) (mission.Integration, error) {
	if err := i.CheckAccount(a); err != nil {
		return i, err
	}
	if i.Sealed != "" && !c.Renewable() {
		old, err := g.open(i)
		if err != nil {
			return i, err
		}
		c.RefreshToken = old.RefreshToken
	}
	sealed, err := g.seal(i.ID, c)
	if err != nil {
		return i, err
	}
	now := g.options.Clock.Now()
	i.Auth, i.Server = auth, c.Server
	i = i.Connected(a, c, sealed, now)
	if err := tx.SetIntegration(ctx, i, now); err != nil {
		return i, err
	}
	details := map[string]any{"platform": i.Platform, "account": a.ID}
	return i, tx.Audit(ctx, audit(tx, p, mission.AuditIntegrationConnected, i.ID, details, now))
}

func (g *Integrations) seal(id string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return g.options.Secrets.Seal(integrationPlace(id), plain), nil
}

func (g *Integrations) unseal(id, sealed string, v any) error {
	plain, err := g.options.Secrets.Open(integrationPlace(id), sealed)
	if err != nil {
		return fmt.Errorf("open the credentials of %s: %w", id, err)
	}
	return json.Unmarshal(plain, v)
}

func (g *Integrations) open(i mission.Integration) (c mission.Credentials, err error) {
	return c, g.unseal(i.ID, i.Sealed, &c)
}

// Delete disconnects a platform: its credentials are gone. Posts that are under
// way fail, as nobody can tell any more whether the platform took them. Errors:
// not_found.
func (g *Integrations) Delete(ctx context.Context, p mission.Principal, id string) error {
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.NotFound(integrationNoun, id)
	}
	_, err := once(ctx, g.db, func(tx store.Tx) (string, error) {
		i, err := tx.LockIntegration(ctx, p.TenantID, id)
		if err != nil {
			return "", err
		}
		return i.ID, tx.DeleteIntegration(ctx, i, audit(tx, p, mission.AuditIntegrationDisconnected, i.ID, map[string]any{"platform": i.Platform}, g.options.Clock.Now()))
	})
	return err
}

// Checked is what came of a test.
type Checked struct {
	Integration mission.Integration
	OK          bool
	Duration    time.Duration
	Error       *string // nil where the platform took the credentials
}

// Test asks a platform whether it takes an integration's credentials, and keeps
// what it says. Errors: not_found; conflict for one that nobody consented to yet.
func (g *Integrations) Test(ctx context.Context, p mission.Principal, id string) (Checked, error) {
	i, err := g.Integration(ctx, p, id)
	if err != nil {
		return Checked{}, err
	}
	if i.Sealed == "" {
		return Checked{}, mission.Conflict("The integration waits for its account's owner to consent.")
	}
	adapter, ok := g.options.Adapters[i.Platform]
	if !ok {
		return Checked{}, mission.Conflict("%s can't be connected here.", i.Platform)
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	start := g.options.Real.Now()
	err = g.With(ctx, i, func(c mission.Credentials) error {
		account, _, err := adapter.Connect(ctx, c)
		if err != nil {
			return err
		}
		return g.checked(ctx, i, account)
	})
	checked := Checked{OK: err == nil, Duration: g.options.Real.Now().Sub(start)}
	var pe *mission.PublishError
	if err != nil && !errors.As(err, &pe) {
		return checked, err
	}
	if pe != nil {
		checked.Error = &pe.Failure.Message
	}
	checked.Integration, err = g.db.Integration(context.WithoutCancel(ctx), i.TenantID, i.ID)
	return checked, err
}

// checked keeps that a platform took an integration's credentials.
func (g *Integrations) checked(ctx context.Context, i mission.Integration, a mission.Account) error {
	return g.db.Tx(ctx, func(tx store.Tx) error {
		i, err := tx.LockIntegration(ctx, i.TenantID, i.ID)
		if err != nil || i.CheckAccount(a) != nil {
			return err
		}
		now := g.options.Clock.Now()
		return tx.SetIntegration(ctx, i.Taken(a, now), now)
	})
}

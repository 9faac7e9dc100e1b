// Package integrations has the operations on tenants' connections to platforms.
package integrations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"missiond/internal/admission"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/seal"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const integrationNoun = "integration"

// Clock returns the time.
type Clock interface {
	Now() time.Time
}

// Service has the operations on tenants' connections to platforms, and keeps their
// credentials. It is safe for concurrent use.
type Service struct {
	db      idempotency.DB
	options Options
}

// Options are what New needs.
type Options struct {
	// Clock is the domain's clock, Real the real one, which platforms keep.
	Clock, Real Clock
	Secrets     *seal.Keyring
	// Rules decide which servers tenants may name.
	Rules    outbound.Rules
	Adapters map[mission.Platform]publisher.Adapter
	// PublicURL is the service's address for browsers, without a trailing slash.
	PublicURL string
	// Callers looks up what the caller who began a consent may do by now.
	Callers Callers
	// Origins reports whether a browser may go on to a page of an origin after a
	// consent.
	Origins func(origin string) bool
}

// Callers looks up callers of earlier requests.
type Callers interface {
	// Current returns the holder of p's session or key as it is now. Errors:
	// unauthorized if the session or key has ended.
	Current(ctx context.Context, p mission.Principal) (mission.Principal, error)
}

// New returns a Service over db.
func New(db *store.DB, o Options) *Service {
	return &Service{db: idempotency.Of(db), options: o}
}

func integrationContext(id string) string { return "integrations/" + id }

// connectLimit bounds the calls that connect a platform.
const connectLimit = 15 * time.Second

// recordLimit is how long recording the result of a call is tried.
const recordLimit = 30 * time.Second

// Integrations returns a page of the tenant's integrations, newest first, with
// the number of all. Errors: invalid_request.
func (g *Service) Integrations(ctx context.Context, p mission.Principal, page store.Page) (part store.Part[mission.Integration], err error) {
	if err := page.Check(mission.PrefixIntegration, integrationNoun); err != nil {
		return part, err
	}
	return g.db.Integrations(ctx, p.TenantID, page)
}

// Integration returns an integration of the tenant's. Errors: not_found.
func (g *Service) Integration(ctx context.Context, p mission.Principal, id string) (mission.Integration, error) {
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.Integration{}, mission.NotFound(integrationNoun, id)
	}
	return g.db.Integration(ctx, p.TenantID, id)
}

// IntegrationsByID returns the tenant's integrations with the given ids, by id. Ids
// that don't exist are absent.
func (g *Service) IntegrationsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Integration, error) {
	return g.db.IntegrationsByID(ctx, p.TenantID, ids)
}

// ConnectedOn returns the platforms, by name, on which the tenant's posts are
// published.
func (g *Service) ConnectedOn(ctx context.Context, p mission.Principal, _ []string) (map[string]bool, error) {
	platforms, err := g.db.ConnectedPlatforms(ctx, p.TenantID)
	on := map[string]bool{}
	for _, platform := range platforms {
		on[string(platform)] = true
	}
	return on, err
}

// Connected is the result of connecting a platform.
type Connected struct {
	Integration mission.Integration
	// AuthorizeURL is the address at which the account's owner consents; "" if no
	// consent is needed.
	AuthorizeURL string
}

// Connect connects a platform with the credentials given, after the platform has
// accepted them, or returns the address at which the account's owner consents. An
// integration that the tenant already has is reconnected, and doesn't change before
// that is done. Errors: invalid_request, naming the field, also for credentials that
// the platform refuses; conflict for another account than before;
// service_unavailable if the platform is unavailable.
func (g *Service) Connect(ctx context.Context, p mission.Principal, in mission.ConnectInput) (Connected, error) {
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
	admission.Leave(ctx)
	if auth == mission.IntegrationOAuth2 {
		return g.beginConsent(ctx, p, in, c, adapter)
	}
	account, c, err := adapter.Connect(ctx, c)
	if err != nil {
		return Connected{}, connecting(err, in, auth)
	}
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (Connected, error) {
		i, err := g.lockOrAdd(ctx, tx, p.TenantID, in.Platform, auth, c.Server)
		if err != nil {
			return Connected{}, err
		}
		i, err = g.keep(ctx, tx, p, i, auth, account, c)
		return Connected{Integration: i}, err
	})
}

// connecting returns the error that a caller sees for a platform's failure.
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

// lockOrAdd returns the tenant's integration with a platform, locked; a new one if
// there is none.
func (g *Service) lockOrAdd(ctx context.Context, tx store.Tx, tenantID string, platform mission.Platform, auth mission.IntegrationAuth, server string) (mission.Integration, error) {
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

// keep stores credentials that the platform accepted. If they have no refresh token,
// the one of the earlier credentials is kept.
func (g *Service) keep(ctx context.Context, tx store.Tx, p mission.Principal, i mission.Integration, auth mission.IntegrationAuth, a mission.Account, c mission.Credentials) (mission.Integration, error) {
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
	return i, tx.Audit(ctx, tx.AuditEntry(p, mission.AuditIntegrationConnected, i.ID, details, now))
}

func (g *Service) seal(id string, v any) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return g.options.Secrets.Seal(integrationContext(id), plain), nil
}

func (g *Service) unseal(id, sealed string, v any) error {
	plain, err := g.options.Secrets.Open(integrationContext(id), sealed)
	if err != nil {
		return fmt.Errorf("open the credentials of %s: %w", id, err)
	}
	return json.Unmarshal(plain, v)
}

func (g *Service) open(i mission.Integration) (c mission.Credentials, err error) {
	return c, g.unseal(i.ID, i.Sealed, &c)
}

// Delete disconnects a platform and deletes its credentials. Posts in flight fail,
// since it can't be found out any more whether the platform took them. Errors:
// not_found.
func (g *Service) Delete(ctx context.Context, p mission.Principal, id string) error {
	if !mission.HasIDForm(mission.PrefixIntegration, id) {
		return mission.NotFound(integrationNoun, id)
	}
	_, err := idempotency.Once(ctx, g.db, func(tx store.Tx) (string, error) {
		i, err := tx.LockIntegration(ctx, p.TenantID, id)
		if err != nil {
			return "", err
		}
		return i.ID, tx.DeleteIntegration(ctx, i, tx.AuditEntry(p, mission.AuditIntegrationDisconnected, i.ID, map[string]any{"platform": i.Platform}, g.options.Clock.Now()))
	})
	return err
}

// Checked is the result of a test.
type Checked struct {
	Integration mission.Integration
	OK          bool
	Duration    time.Duration
	Error       *string // nil if the platform accepted the credentials
}

// Test checks with the platform whether it accepts an integration's credentials, and
// records the result. Errors: not_found; conflict if the account's owner hasn't
// consented yet.
func (g *Service) Test(ctx context.Context, p mission.Principal, id string) (Checked, error) {
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
	admission.Leave(ctx)
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

// checked records that a platform accepted an integration's credentials.
func (g *Service) checked(ctx context.Context, i mission.Integration, a mission.Account) error {
	return g.db.DB.Tx(ctx, func(tx store.Tx) error {
		i, err := tx.LockIntegration(ctx, i.TenantID, i.ID)
		if err != nil || i.CheckAccount(a) != nil {
			return err
		}
		now := g.options.Clock.Now()
		return tx.SetIntegration(ctx, i.Taken(a, now), now)
	})
}

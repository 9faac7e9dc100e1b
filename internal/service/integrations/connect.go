package integrations

import (
	"context"
	"errors"
	"time"

	"missiond/internal/admission"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Connected is the result of connecting a platform.
type Connected struct {
	Integration mission.Integration
	// AuthorizeURL is the address at which the account's owner consents; "" if no
	// consent is needed.
	AuthorizeURL string
}

// Connect connects an account with the credentials given, after the platform has
// accepted them, or returns the address at which the account's owner consents. An
// account that needs to be reconnected, or was disconnected, gets its integration back,
// which doesn't change before that is done. Errors: invalid_request, naming the field,
// also for credentials that the platform refuses; conflict for an account that is
// connected already, and for a tenant with MaxIntegrations; service_unavailable if the
// platform is unavailable.
func (g *Service) Connect(ctx context.Context, p mission.Principal, in mission.ConnectInput) (Connected, error) {
	auth, c, err := in.Read()
	if err != nil {
		return Connected{}, err
	}
	if made, ok, err := idempotency.Earlier[Connected](ctx, g.db); ok || err != nil {
		return made, err // the platform may not accept the same credentials again
	}
	adapter, ok := g.options.Adapters[in.Platform]
	if !ok {
		return Connected{}, mission.Invalid("platform", "%s can't be connected here.", in.Platform.Name())
	}
	if caps, _ := mission.CapabilitiesOf(in.Platform); g.options.Hidden && caps.Fetches && caps.Media.Required {
		return Connected{}, mission.Invalid(
			"platform", "%s fetches the files of posts, and this service has no public address: its operator must set one (--media-public-url).",
			in.Platform.Name(),
		)
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
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return Connected{}, err
		}
		i, err := g.added(ctx, tx, p.TenantID, in.Platform, auth, c.Server)
		if err != nil {
			return Connected{}, err
		}
		i, err = g.storeConnected(ctx, tx, p, i, auth, account, c)
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
	case pe.Param != "":
		return mission.Invalid(pe.Param, "%s", pe.Failure.Message)
	case pe.Unauthorized && param != "":
		return mission.Invalid(param, "%s", pe.Failure.Message)
	case pe.Outcome == mission.OutcomeRefused || in.Server != nil:
		if in.Server != nil {
			param = "server"
		}
		return mission.Invalid(param, "%s", pe.Failure.Message)
	}
	return &mission.Error{
		Code: mission.CodeServiceUnavailable, Message: pe.Failure.Message,
		RetryAfter: max(int(pe.RetryAfter/time.Second), 1),
	}
}

// added returns a new integration, which isn't stored yet. The caller has the tenant's
// lock. Errors: conflict if the tenant has too many.
func (g *Service) added(
	ctx context.Context, tx store.Tx, tenantID string, platform mission.Platform, auth mission.IntegrationAuth,
	server string,
) (mission.Integration, error) {
	n, err := tx.CountIntegrations(ctx, tenantID)
	if err != nil {
		return mission.Integration{}, err
	}
	if n >= mission.MaxIntegrations {
		return mission.Integration{}, mission.Conflict("The tenant has %d integrations, the most that are allowed.", n)
	}
	now := g.options.Clock.Now()
	return mission.NewIntegration(tx.NewID(mission.PrefixIntegration, now), tenantID, platform, auth, server, now), nil
}

// awaiting returns the integration for which an owner's consent is asked, stored: the
// platform's, or server's, that needs it, if there is exactly one, and otherwise a pending
// one. The account decides in the end (see storeConnected).
func (g *Service) awaiting(
	ctx context.Context, tx store.Tx, tenantID string, platform mission.Platform, server string,
) (mission.Integration, error) {
	if _, err := tx.LockTenant(ctx, tenantID); err != nil {
		return mission.Integration{}, err
	}
	list, err := tx.IntegrationsWith(ctx, tenantID, platform)
	if err != nil {
		return mission.Integration{}, err
	}
	var needing, pending []mission.Integration
	for _, i := range list {
		switch {
		case i.Server != server:
		case i.Status == mission.IntegrationNeedsReconnect:
			needing = append(needing, i)
		case i.Status == mission.IntegrationPending:
			pending = append(pending, i)
		}
	}
	switch {
	case len(needing) == 1:
		return needing[0], nil
	case len(pending) > 0:
		return pending[0], nil
	}
	i, err := g.added(ctx, tx, tenantID, platform, mission.IntegrationOAuth2, server)
	if err != nil {
		return i, err
	}
	return i, tx.StoreIntegration(ctx, i)
}

// storeConnected stores credentials that the platform accepted, in the integration of their
// account: the one that the account had before or, if it had none, i, which may not be
// stored yet, or another one, if i is another account's. The first of a platform becomes
// its default. If the credentials have no refresh token, the one of the earlier
// credentials is retained. The caller has the tenant's lock. Errors: conflict if the account
// is connected.
func (g *Service) storeConnected(
	ctx context.Context, tx store.Tx, p mission.Principal, i mission.Integration, auth mission.IntegrationAuth,
	a mission.Account, c mission.Credentials,
) (mission.Integration, error) {
	i, err := g.place(ctx, tx, i, mission.AccountKey(i.Platform, c.Server, a), auth, c.Server)
	if err != nil {
		return i, err
	}
	if i.Sealed != "" && !c.Renewable() {
		old, err := g.open(i)
		if err != nil {
			return i, err
		}
		if old.ClientID == c.ClientID { // another application can't use it
			c.RefreshToken = old.RefreshToken
		}
	}
	sealed, err := g.seal(i.ID, c)
	if err != nil {
		return i, err
	}
	now := g.options.Clock.Now()
	i.Auth, i.Server = auth, c.Server
	i = i.Connected(a, c, sealed, now)
	_, others, err := tx.PublishingIntegration(ctx, i.TenantID, i.Platform, "")
	if err != nil {
		return i, err
	}
	i.Default = i.Default || !others
	if err := tx.SetIntegration(ctx, i, now); err != nil {
		return i, err
	}
	details := map[string]any{"platform": i.Platform, "account": a.ID}
	return i, tx.Audit(ctx, tx.AuditEntry(p, mission.AuditIntegrationConnected, i.ID, details, now))
}

// place returns the stored integration of an account that is about to be connected; see
// storeConnected.
func (g *Service) place(
	ctx context.Context, tx store.Tx, i mission.Integration, key string, auth mission.IntegrationAuth,
	server string,
) (mission.Integration, error) {
	same, ok, err := tx.IntegrationOf(ctx, i.TenantID, i.Platform, key)
	if err != nil {
		return i, err
	}
	switch {
	case ok:
		if err := same.CheckConnectable(); err != nil {
			return i, err
		}
		return same, tx.DropUnawaited(ctx, i, g.options.Real.Now())
	case i.Account != nil: // another account was meant
		if i, err = g.added(ctx, tx, i.TenantID, i.Platform, auth, server); err != nil {
			return i, err
		}
	}
	return i, tx.StoreIntegration(ctx, i)
}

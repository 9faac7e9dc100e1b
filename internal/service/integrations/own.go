package integrations

import (
	"cmp"
	"context"
	"strings"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// TenantWriter returns the writer of the caller's tenant's own. Errors: not_found.
func (g *Service) TenantWriter(ctx context.Context, p mission.Principal) (mission.TenantWriter, error) {
	w, ok, err := g.db.TenantWriter(ctx, p.TenantID)
	return w, orMissing(err, ok, errNoWriter)
}

var (
	errNoWriter = &mission.Error{Code: mission.CodeNotFound, Message: "The tenant has no writer of its own."}
	errNoApp    = &mission.Error{Code: mission.CodeNotFound, Message: "The tenant has no application of its own at the platform."}
)

// orMissing returns err or, if there is none and a record was not found, missing.
func orMissing(err error, found bool, missing error) error {
	if err == nil && !found {
		return missing
	}
	return err
}

// SetTenantWriter has the posts of the caller's tenant written by a language model of its own.
// Errors: invalid_request, naming the field.
func (g *Service) SetTenantWriter(ctx context.Context, p mission.Principal, in mission.WriterInput) (mission.TenantWriter, error) {
	if err := in.Check(); err != nil {
		return mission.TenantWriter{}, err
	}
	if w, ok, err := idempotency.Earlier[mission.TenantWriter](ctx, g.db); ok || err != nil {
		return w, err
	}
	if err := g.options.Rules.Check(ctx, "url", strings.TrimSpace(in.URL)); err != nil {
		return mission.TenantWriter{}, err
	}
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (mission.TenantWriter, error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return mission.TenantWriter{}, err
		}
		was, _, err := tx.TenantWriter(ctx, p.TenantID)
		if err != nil {
			return was, err
		}
		now := g.options.Clock.Now()
		w, fields, key, err := was.Set(p.TenantID, in, now)
		if err != nil {
			return was, err
		}
		if key != nil {
			w.Sealed = g.sealed(w.SecretName(), *key)
		}
		return w, tx.SetTenantWriter(ctx, w, tx.AuditEntry(p, mission.AuditWriterSet, w.TenantID, map[string]any{"fields": fields}, now))
	})
}

// sealed seals a secret; none stays none.
func (g *Service) sealed(context, secret string) string {
	if secret == "" {
		return ""
	}
	return g.options.Secrets.Seal(context, []byte(secret))
}

// RemoveTenantWriter has the posts of the caller's tenant written by the service's writer again,
// and returns the one that is removed. Errors: not_found.
func (g *Service) RemoveTenantWriter(ctx context.Context, p mission.Principal) (mission.TenantWriter, error) {
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (mission.TenantWriter, error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return mission.TenantWriter{}, err
		}
		w, ok, err := tx.TenantWriter(ctx, p.TenantID)
		if err = orMissing(err, ok, errNoWriter); err != nil {
			return w, err
		}
		now := g.options.Clock.Now()
		return w, tx.DropTenantWriter(ctx, w.TenantID, tx.AuditEntry(p, mission.AuditWriterRemoved, w.TenantID, nil, now))
	})
}

// TenantApp returns the application of the caller's tenant's own at a platform. Errors:
// invalid_request; not_found.
func (g *Service) TenantApp(ctx context.Context, p mission.Principal, at mission.Platform) (mission.TenantApp, error) {
	if err := mission.CheckAppPlatform(at); err != nil {
		return mission.TenantApp{}, err
	}
	a, ok, err := g.db.TenantApp(ctx, p.TenantID, at)
	return a, orMissing(err, ok, errNoApp)
}

// SetTenantApp has accounts of a platform connected through an application of the caller's tenant's
// own from now on. Those that another application connected stay with that one until they are
// connected again; a new secret of the same application is theirs too. Errors: invalid_request,
// naming the field.
func (g *Service) SetTenantApp(ctx context.Context, p mission.Principal, at mission.Platform, in mission.AppInput) (mission.TenantApp, error) {
	if err := cmp.Or(mission.CheckAppPlatform(at), in.Check()); err != nil {
		return mission.TenantApp{}, err
	}
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (mission.TenantApp, error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return mission.TenantApp{}, err
		}
		was, _, err := tx.TenantApp(ctx, p.TenantID, at)
		if err != nil {
			return was, err
		}
		now := g.options.Clock.Now()
		a, fields, secret, err := was.Set(p.TenantID, at, in, now)
		if err != nil {
			return was, err
		}
		if secret != nil {
			a.Sealed = g.sealed(a.SecretName(), *secret)
			if err := g.spread(ctx, tx, a, *secret, now); err != nil {
				return was, err
			}
		}
		details := map[string]any{"platform": at, "fields": fields}
		return a, tx.SetTenantApp(ctx, a, tx.AuditEntry(p, mission.AuditAppSet, a.TenantID, details, now))
	})
}

// spread gives the integrations that an application connected its new secret.
func (g *Service) spread(ctx context.Context, tx store.Tx, a mission.TenantApp, secret string, now time.Time) error {
	return g.connectedBy(ctx, tx, a, func(i mission.Integration, c mission.Credentials) error {
		c.ClientSecret = secret
		sealed, err := g.seal(i.ID, c)
		if err != nil {
			return err
		}
		return tx.SetIntegration(ctx, i.Rekeyed(sealed, now), now)
	})
}

// connectedBy calls fn with the integrations that an application connected, locked, and their
// credentials. The caller has the tenant's lock.
func (g *Service) connectedBy(
	ctx context.Context, tx store.Tx, a mission.TenantApp, fn func(i mission.Integration, c mission.Credentials) error,
) error {
	list, err := tx.IntegrationsWith(ctx, a.TenantID, a.Platform)
	for _, i := range list {
		if err != nil {
			return err
		}
		if i.Sealed == "" || i.Auth != mission.IntegrationOAuth2 {
			continue
		}
		c, failed := g.open(i)
		if failed != nil {
			return failed
		}
		if c.ClientID == a.ClientID {
			err = fn(i, c)
		}
	}
	return err
}

// RemoveTenantApp deletes the application of the caller's tenant's own at a platform, and returns
// it: new accounts are connected through the operator's. Errors: invalid_request; not_found;
// conflict, naming them, while there are accounts that the application connected, since only it
// can renew their credentials.
func (g *Service) RemoveTenantApp(ctx context.Context, p mission.Principal, at mission.Platform) (mission.TenantApp, error) {
	if err := mission.CheckAppPlatform(at); err != nil {
		return mission.TenantApp{}, err
	}
	return idempotency.Once(ctx, g.db, func(tx store.Tx) (mission.TenantApp, error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return mission.TenantApp{}, err
		}
		a, ok, err := tx.TenantApp(ctx, p.TenantID, at)
		if err = orMissing(err, ok, errNoApp); err != nil {
			return a, err
		}
		var needing []string
		err = g.connectedBy(ctx, tx, a, func(i mission.Integration, _ mission.Credentials) error {
			needing = append(needing, i.ID)
			return nil
		})
		if err != nil {
			return a, err
		}
		if len(needing) > 0 {
			return a, mission.Conflict("The application connected accounts that are renewed with it: %s. Disconnect them first; their posts wait until they are connected again.",
				strings.Join(needing, ", "))
		}
		now := g.options.Clock.Now()
		return a, tx.DropTenantApp(ctx, a, tx.AuditEntry(p, mission.AuditAppRemoved, a.TenantID, map[string]any{"platform": at}, now))
	})
}

// withApp returns a grant for the tenant's own application at a platform, if it has one.
func (g *Service) withApp(ctx context.Context, tenantID string, at mission.Platform, grant mission.Grant) (mission.Grant, error) {
	a, ok, err := g.db.TenantApp(ctx, tenantID, at)
	if err != nil || !ok {
		return grant, err
	}
	grant.ClientID = a.ClientID
	if a.Sealed == "" {
		return grant, nil
	}
	secret, err := g.options.Secrets.Open(a.SecretName(), a.Sealed)
	grant.ClientSecret = string(secret)
	return grant, err
}

// checkApp returns an error if an owner consented to an application of the tenant's own that is
// another by now. The caller has the tenant's lock. Errors: invalid_request.
func checkApp(ctx context.Context, tx store.Tx, i mission.Integration, grant mission.Grant) error {
	if grant.ClientID == "" || !mission.TakesApp(i.Platform) {
		return nil
	}
	a, _, err := tx.TenantApp(ctx, i.TenantID, i.Platform)
	if err == nil && a.ClientID != grant.ClientID {
		err = mission.Invalid("state", "The tenant's application was replaced or removed meanwhile; connect the platform again.")
	}
	return err
}

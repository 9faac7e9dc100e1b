package integrations

import (
	"context"
	"errors"
	"time"

	"missiond/internal/database"
	"missiond/internal/publisher"
	"missiond/mission"
	"missiond/store"
)

// Times of credentials, in real time.
const (
	// renewAhead is how long before its expiry a token is renewed; see also
	// mission.Capabilities.RenewAhead.
	renewAhead = 2 * time.Minute
	// renewLease is how long the process that renews credentials has for it, and
	// renewWait how long others wait before they retry.
	renewLease = 20 * time.Second
	renewWait  = 3 * time.Second
)

// With calls do with an integration's credentials. It renews credentials that are
// about to expire before the call, and those that the platform refuses after it,
// if they are renewable; in the second case it calls do again. If only their owner
// can renew them, the integration needs to be reconnected and its tenant is
// notified. Errors: do's; a *mission.PublishError if the credentials can't be
// renewed.
func (g *Service) With(ctx context.Context, i mission.Integration, do func(c mission.Credentials) error) error {
	c, err := g.open(i)
	if err != nil {
		return err
	}
	caps, _ := mission.CapabilitiesOf(i.Platform)
	expiresWithin := func(d time.Duration) bool {
		return c.ExpiresAt != nil && c.ExpiresAt.Before(g.options.Real.Now().Add(d))
	}
	renewed := false
	if c.Renewable() && expiresWithin(max(caps.RenewAhead, renewAhead)) {
		next, fresh, err := g.renew(ctx, i, c)
		switch {
		case err == nil:
			i, c, renewed = next, fresh, true
		case isUnauthorized(err) || expiresWithin(renewAhead):
			return err
		} // else the token is good for a while, and is renewed by a later call
	}
	err = do(c)
	if !isUnauthorized(err) {
		return err
	}
	if c.Renewable() && !renewed {
		if i, c, err = g.renew(ctx, i, c); err != nil {
			return err
		}
		err = do(c)
	}
	var pe *mission.PublishError
	if errors.As(err, &pe) && pe.Unauthorized {
		return errors.Join(err, g.refuse(ctx, i, pe.Failure))
	}
	return err
}

func isUnauthorized(err error) bool {
	var pe *mission.PublishError
	return errors.As(err, &pe) && pe.Unauthorized
}

// renew renews an integration's credentials, unless another process has. One
// process at a time does so, since a refresh token may be valid only once. Errors:
// a *mission.PublishError; nothing was published.
func (g *Service) renew(
	ctx context.Context, i mission.Integration, c mission.Credentials,
) (mission.Integration, mission.Credentials, error) {
	mine, err := g.beginRenewing(ctx, &i)
	if err != nil {
		return i, c, err
	}
	if !mine {
		if c, err = g.open(i); err != nil {
			return i, c, err
		}
		return i, c, nil
	}
	adapter, ok := g.options.Adapters[i.Platform]
	if !ok {
		return i, c, errNoAdapter
	}
	fresh, err := adapter.Refresh(ctx, c)
	if err != nil {
		return i, c, g.notRenewed(ctx, i, err)
	}
	// The result is stored even if the process is shutting down: the old refresh token
	// is used up.
	if err = database.Insist(ctx, recordLimit, func(ctx context.Context) (err error) {
		i, err = g.storeRenewed(ctx, i, c, fresh)
		return err
	}); err != nil {
		return i, c, err
	}
	c, err = g.open(i)
	return i, c, err
}

// storeRenewed stores the credentials fresh that replace old, and returns the
// integration as it is stored then; with an error, i.
func (g *Service) storeRenewed(ctx context.Context, i mission.Integration, old, fresh mission.Credentials) (mission.Integration, error) {
	stored := i
	err := g.store.Tx(ctx, func(tx store.Tx) error {
		now, current := g.options.Clock.Now(), fresh
		locked, err := tx.LockIntegration(ctx, i.TenantID, i.ID)
		if err != nil {
			return err
		}
		if locked.Version != i.Version {
			// It was reconnected meanwhile, perhaps with the refresh token of the old
			// credentials, which is used up now.
			newer, err := g.open(locked)
			if err != nil || newer.RefreshToken != old.RefreshToken {
				stored = locked
				return err
			}
			newer.RefreshToken = fresh.RefreshToken
			current = newer
		}
		sealed, err := g.seal(i.ID, current)
		if err != nil {
			return err
		}
		stored = locked.Renewed(current, sealed, now)
		return tx.SetIntegration(ctx, stored, now)
	})
	if err != nil {
		return i, err
	}
	return stored, nil
}

var errNoAdapter = errors.New("integrations: no adapter for the platform")

// beginRenewing reports whether the caller is to renew i's credentials; if another
// process has renewed them, i is set to the result. Errors: a
// *mission.PublishError if another process is renewing them.
func (g *Service) beginRenewing(ctx context.Context, i *mission.Integration) (mine bool, err error) {
	err = g.store.Tx(ctx, func(tx store.Tx) error {
		if mine, err = tx.Renewing(ctx, *i, renewLease); err != nil || mine {
			return err
		}
		locked, err := tx.LockIntegration(ctx, i.TenantID, i.ID)
		if err != nil {
			return err
		}
		if locked.Version == i.Version {
			return &mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: renewWait, Failure: mission.Failure{
				Code: publisher.CodeUnauthorized, Message: "The integration's credentials are being renewed.",
			}}
		}
		*i = locked
		return nil
	})
	return mine, err
}

// notRenewed records that credentials couldn't be renewed, and returns the reason
// as the failure of a post that wasn't taken.
func (g *Service) notRenewed(ctx context.Context, i mission.Integration, err error) error {
	var pe *mission.PublishError
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer cancel()
	stop := func() error { return g.store.Tx(ctx, func(tx store.Tx) error { return tx.StopRenewing(ctx, i) }) }
	if errors.As(err, &pe) && pe.Unauthorized {
		return errors.Join(err, g.refuse(ctx, i, pe.Failure), stop())
	}
	failed := mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: renewLease, Failure: mission.Failure{
		Code: publisher.CodeUnreachable, Message: "The integration's credentials could not be renewed.",
	}}
	if pe != nil {
		failed.Failure, failed.RetryAfter = pe.Failure, max(pe.RetryAfter, renewLease)
	}
	return errors.Join(&failed, stop())
}

// refuse records that the platform refused an integration's credentials, unless
// they have changed since, and notifies its tenant once.
func (g *Service) refuse(ctx context.Context, i mission.Integration, f mission.Failure) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer cancel()
	return g.store.Tx(ctx, func(tx store.Tx) error {
		locked, err := tx.LockIntegration(ctx, i.TenantID, i.ID)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return nil
		}
		if err != nil || locked.Version != i.Version || locked.Status == mission.IntegrationNeedsReconnect {
			return err
		}
		now := g.options.Clock.Now()
		locked = locked.Refused(f, now)
		if err := tx.SetIntegration(ctx, locked, now); err != nil {
			return err
		}
		return tx.AddNotification(ctx, locked.Notify(tx.NewID(mission.PrefixNotification, now), now))
	})
}

// Reseal seals with the first secret key all credentials that other keys sealed, of integrations,
// tenants' own writers and applications, and returns how many those were.
func (g *Service) Reseal(ctx context.Context) (n int, err error) {
	var i mission.Integration
	var w mission.TenantWriter
	var a mission.TenantApp
	ofIntegrations, err := resealAll(ctx, g, func(tx store.Tx) ([]mission.Integration, error) { return tx.SealedIntegrations(ctx, i.ID, resealBatch) },
		func(tx store.Tx, each mission.Integration) (resealed bool, err error) {
			i = each
			if resealed, err = g.reseal(integrationContext(each.ID), &each.Sealed); resealed {
				err = tx.ResealIntegration(ctx, each)
			}
			return resealed, err
		})
	if err != nil {
		return ofIntegrations, err
	}
	ofWriters, err := resealAll(ctx, g, func(tx store.Tx) ([]mission.TenantWriter, error) {
		return tx.SealedTenantWriters(ctx, w.TenantID, resealBatch)
	},
		func(tx store.Tx, each mission.TenantWriter) (resealed bool, err error) {
			w = each
			if resealed, err = g.reseal(each.SecretName(), &each.Sealed); resealed {
				err = tx.ResealTenantWriter(ctx, each)
			}
			return resealed, err
		})
	if err != nil {
		return ofIntegrations + ofWriters, err
	}
	ofApps, err := resealAll(ctx, g, func(tx store.Tx) ([]mission.TenantApp, error) {
		return tx.SealedTenantApps(ctx, a.TenantID, a.Platform, resealBatch)
	},
		func(tx store.Tx, each mission.TenantApp) (resealed bool, err error) {
			a = each
			if resealed, err = g.reseal(each.SecretName(), &each.Sealed); resealed {
				err = tx.ResealTenantApp(ctx, each)
			}
			return resealed, err
		})
	return ofIntegrations + ofWriters + ofApps, err
}

// resealBatch is how many secrets are sealed again in a transaction.
const resealBatch = 100

// resealAll reads batches of records and seals their secrets again, and returns how many were.
func resealAll[T any](
	ctx context.Context, g *Service, read func(tx store.Tx) ([]T, error), reseal func(tx store.Tx, record T) (bool, error),
) (n int, err error) {
	for more := true; more && err == nil; {
		err = g.store.Tx(ctx, func(tx store.Tx) error {
			list, err := read(tx)
			more = len(list) == resealBatch
			for _, record := range list {
				resealed, err := reseal(tx, record)
				if err != nil {
					return err
				}
				if resealed {
					n++
				}
			}
			return err
		})
	}
	return n, err
}

// reseal seals a secret again that another key than the first sealed.
func (g *Service) reseal(of string, sealed *string) (resealed bool, err error) {
	if *sealed == "" || !g.options.Secrets.Stale(*sealed) {
		return false, nil
	}
	plain, err := g.options.Secrets.Open(of, *sealed)
	if err != nil {
		return false, err
	}
	*sealed = g.options.Secrets.Seal(of, plain)
	return true, nil
}

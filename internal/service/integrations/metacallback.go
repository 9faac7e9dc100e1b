package integrations

import (
	"context"
	"time"

	"missiond/internal/publisher/meta"
	"missiond/mission"
	"missiond/store"
)

// metaPlatforms are the platforms whose applications Meta tells of people who leave.
var metaPlatforms = []mission.Platform{mission.Facebook, mission.Instagram, mission.Threads}

// MetaCall is a request that Meta made of itself: a person removed an application, or asks to delete
// data.
type MetaCall struct {
	// Signed is the signed request.
	Signed string
	// TenantID is that of the tenant whose own application was called; "" for the operator's.
	TenantID string
}

// leaver is a person who leaves an application.
type leaver struct {
	platform mission.Platform
	// app is the tenant's own application, the zero one for the operator's.
	app mission.TenantApp
	id  string
	at  time.Time
	// code is that of the request.
	code string
}

// errForged is the error for each request that isn't Meta's: it says nothing of what is wrong, or of
// who is known here.
func errForged() error {
	return mission.Invalid("signed_request", "It must be a request that Meta signed just now for an application that is known here.")
}

// leavers returns whom a call is about, for each application that it may be of. Errors: invalid_request,
// the same for all that is wrong.
func (g *Service) leavers(ctx context.Context, call MetaCall) ([]leaver, error) {
	signed, ok := meta.ReadSigned(call.Signed)
	if !ok {
		return nil, errForged()
	}
	var found []leaver
	for _, p := range metaPlatforms {
		of, secret := leaver{platform: p}, g.options.MetaSecrets[p]
		if call.TenantID != "" {
			var err error
			if of.app, secret, err = g.ownSecret(ctx, call.TenantID, p); err != nil {
				return nil, err
			}
		}
		if signed.By(secret) {
			of.code = signed.Code(secret)
			found = append(found, of)
		}
	}
	id, at, ok := signed.Person(g.options.Real.Now())
	if !ok || len(found) == 0 {
		return nil, errForged()
	}
	for i := range found {
		found[i].id, found[i].at = id, at
	}
	return found, nil
}

// ownSecret returns a tenant's own application at a platform and its secret; "" if there is none.
func (g *Service) ownSecret(ctx context.Context, tenantID string, p mission.Platform) (a mission.TenantApp, secret string, err error) {
	if !mission.HasIDForm(mission.PrefixTenant, tenantID) {
		return a, "", nil
	}
	a, ok, err := g.store.TenantApp(ctx, tenantID, p)
	if err != nil || !ok || a.Sealed == "" {
		return a, "", err
	}
	plain, err := g.options.Secrets.Open(a.SecretName(), a.Sealed)
	return a, string(plain), err
}

// Deauthorized disconnects the accounts of a person who removed an application at Meta. The second time
// nothing is left to do. Errors: invalid_request.
func (g *Service) Deauthorized(ctx context.Context, call MetaCall) error {
	people, err := g.leavers(ctx, call)
	if err != nil {
		return err
	}
	for _, l := range people {
		if err := g.leave(ctx, l, false); err != nil {
			return err
		}
	}
	return nil
}

// DeleteData deletes what is stored of a person's accounts, since the person asked Meta for that, and
// returns the request, the same if it is made again. Errors: invalid_request.
func (g *Service) DeleteData(ctx context.Context, call MetaCall) (d mission.DataDeletion, err error) {
	people, err := g.leavers(ctx, call)
	if err != nil {
		return d, err
	}
	now := g.options.Real.Now().UTC().Truncate(time.Millisecond)
	d = mission.DataDeletion{Code: people[0].code, Platform: people[0].platform, RequestedAt: now}
	if err := g.recordDeletion(ctx, d); err != nil {
		return d, err
	}
	for _, l := range people {
		if err := g.leave(ctx, l, true); err != nil {
			return d, err
		}
	}
	d.CompletedAt = &now
	return d, g.recordDeletion(ctx, d)
}

func (g *Service) recordDeletion(ctx context.Context, d mission.DataDeletion) error {
	return g.store.Tx(ctx, func(tx store.Tx) error { return tx.SetDataDeletion(ctx, d, d.RequestedAt.Add(-mission.DeletionsKept)) })
}

// Deletion returns a request to delete data by its code. Errors: not_found.
func (g *Service) Deletion(ctx context.Context, code string) (mission.DataDeletion, error) {
	if len(code) != codeLength {
		return mission.DataDeletion{}, mission.NotFound("deletion", code)
	}
	d, ok, err := g.store.DataDeletion(ctx, code)
	return d, orMissing(err, ok, mission.NotFound("deletion", code))
}

// codeLength is how long the codes of requests are.
const codeLength = 32

// leaveBatch is how many connections of a person are read at once.
const leaveBatch = 50

// leave disconnects the accounts of a person in each tenant that has them, and erases what is stored of
// them too, if it is asked for. What was connected after the request was made stays: the person consented
// again. The operator's application doesn't speak for a tenant's own, nor the other way round.
func (g *Service) leave(ctx context.Context, l leaver, erase bool) error {
	var last mission.Integration
	for {
		list, err := g.store.OwnedIntegrations(ctx, l.app.TenantID, l.platform, l.id, erase, last, leaveBatch)
		if err != nil {
			return err
		}
		for _, i := range list {
			if err := g.leaveOne(ctx, l, i, erase); err != nil {
				return err
			}
			last = i
		}
		if len(list) < leaveBatch {
			return nil
		}
	}
}

func (g *Service) leaveOne(ctx context.Context, l leaver, found mission.Integration, erase bool) error {
	return g.store.Tx(ctx, func(tx store.Tx) error {
		if _, err := tx.LockTenant(ctx, found.TenantID); err != nil {
			return err
		}
		i, ok, err := tx.IntegrationOf(ctx, found.TenantID, found.Platform, found.AccountKey())
		if err != nil || !ok || i.ID != found.ID || i.DeletedAt != nil && !erase {
			return err
		}
		if mine, err := g.speaksFor(l, i); err != nil || !mine {
			return err
		}
		now := g.options.Clock.Now()
		reason := "deauthorized"
		if i.DeletedAt == nil {
			if err := g.disconnect(ctx, tx, i, now); err != nil {
				return err
			}
			i = i.Disconnected(now)
		}
		if erase {
			reason = "data_deletion"
			if err := tx.SetIntegration(ctx, i.Erased(now), now); err != nil {
				return err
			}
		}
		details := map[string]any{"platform": i.Platform, "reason": reason}
		return tx.Audit(ctx, tx.AuditEntry(mission.Principal{TenantID: i.TenantID}, mission.AuditIntegrationDisconnected, i.ID, details, now))
	})
}

// speaksFor reports whether an application may end a connection: its own, or one of a token that its
// owner typed in, of which it isn't known whose it is; and one that is older than the request.
func (g *Service) speaksFor(l leaver, i mission.Integration) (bool, error) {
	if i.ConnectedAt != nil && i.ConnectedAt.After(l.at.Add(time.Minute)) && i.DeletedAt == nil {
		return false, nil
	}
	if i.Sealed == "" {
		return true, nil
	}
	c, err := g.open(i)
	return c.ClientID == "" || c.ClientID == l.app.ClientID, err
}

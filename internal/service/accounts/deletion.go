package accounts

import (
	"context"
	"errors"
	"time"

	"missiond/internal/clock"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// DeleteTenant schedules the caller's tenant for deletion after
// mission.DeletionGrace. When it returns, the tenant's missions are paused, its keys
// aren't accepted, and only its admins' sessions are. confirm repeats its slug.
// Errors: invalid_request on confirm, or for an API key; conflict if the tenant is
// to be deleted already.
func (a *Service) DeleteTenant(ctx context.Context, p mission.Principal, confirm string) (mission.Tenant, error) {
	if err := p.InSession(); err != nil {
		return mission.Tenant{}, err
	}
	return a.askDeletion(ctx, p, confirm, mission.DeletionGrace)
}

// DeleteTenantAs is DeleteTenant for the operator, who sets the grace.
func (a *Service) DeleteTenantAs(ctx context.Context, tenantID, confirm string, grace time.Duration) (mission.Tenant, error) {
	return a.askDeletion(ctx, mission.Principal{TenantID: tenantID}, confirm, grace)
}

func (a *Service) askDeletion(ctx context.Context, p mission.Principal, confirm string, grace time.Duration) (t mission.Tenant, err error) {
	t, requested, err := idempotency.Earlier[mission.Tenant](ctx, a.db)
	if err != nil {
		return t, err
	}
	if !requested {
		if t, err = a.scheduleDeletion(ctx, p, confirm, grace); err != nil {
			return t, err
		}
	}
	a.awaitRevocation(ctx)
	// What can't be paused now is paused by the tenant's task, and by each task of a
	// mission.
	if a.missions == nil {
		return t, nil
	}
	err = a.missions.PauseAll(ctx, t.ID)
	if mission.CodeOf(err) == mission.CodeServiceUnavailable {
		err = nil // a call that is under way ends by itself
	}
	return t, err
}

func (a *Service) scheduleDeletion(ctx context.Context, p mission.Principal, confirm string, grace time.Duration) (mission.Tenant, error) {
	// Refuse what can be refused before a transaction begins.
	t, err := a.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return t, err
	}
	if _, err := t.AskDeletion(confirm, p, grace, a.clock.Now()); err != nil {
		return t, err
	}
	return idempotency.Once(ctx, a.db, func(tx store.Tx) (mission.Tenant, error) {
		now := a.clock.Now()
		t, err := tx.LockTenant(ctx, p.TenantID)
		if err != nil {
			return t, err
		}
		if t, err = t.AskDeletion(confirm, p, grace, now); err != nil {
			return t, err
		}
		if err := tx.AddNotification(ctx, t.NotifyDeletion(tx.NewID(mission.PrefixNotification, now), now)); err != nil {
			return t, err
		}
		return t, tx.SetDeletion(ctx, t, now, tx.AuditEntry(p, mission.AuditDeletionAsked, t.ID, map[string]any{"deletes_at": t.DeletesAt}, now))
	})
}

// RestoreTenant cancels the deletion of the caller's tenant. Its missions stay
// paused until they are resumed; its keys and sessions are accepted again. Errors:
// conflict if it isn't to be deleted, or it is too late; invalid_request for an API
// key.
func (a *Service) RestoreTenant(ctx context.Context, p mission.Principal) (mission.Tenant, error) {
	if err := p.InSession(); err != nil {
		return mission.Tenant{}, err
	}
	return a.restore(ctx, p)
}

// RestoreTenantAs is RestoreTenant for the operator.
func (a *Service) RestoreTenantAs(ctx context.Context, tenantID string) (mission.Tenant, error) {
	return a.restore(ctx, mission.Principal{TenantID: tenantID})
}

func (a *Service) restore(ctx context.Context, p mission.Principal) (mission.Tenant, error) {
	return idempotency.Once(ctx, a.db, func(tx store.Tx) (mission.Tenant, error) {
		now := a.clock.Now()
		t, err := tx.LockTenant(ctx, p.TenantID)
		if err != nil {
			return t, err
		}
		if t, err = t.Restore(now); err != nil {
			return t, err
		}
		return t, tx.SetDeletion(ctx, t, now, tx.AuditEntry(p, mission.AuditRestored, t.ID, nil, now))
	})
}

// Limits of a run that deletes a tenant: how many rows it deletes in one
// transaction, and how long it takes before it lets other tasks run.
const (
	dropRows  = 500
	dropsTime = 2 * time.Minute
)

// RunDeletion runs the task of a tenant that is to be deleted: it pauses the
// missions that are still active, waits until the tenant is due, and then deletes
// everything that the tenant has. Errors: store.ErrLost.
func (a *Service) RunDeletion(ctx context.Context, t mission.Task) error {
	tenant, err := a.db.Tenant(ctx, t.TenantID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return store.ErrLost // the task was deleted with it
	}
	if err != nil {
		return err
	}
	now := a.clock.Now()
	switch {
	case tenant.DeletesAt == nil:
		return a.store.Tx(ctx, func(tx store.Tx) error { return tx.FinishTask(ctx, t) })
	case now.Before(*tenant.DeletesAt):
		if err := a.missions.PauseAll(ctx, t.TenantID); err != nil {
			return err
		}
		return a.store.Tx(ctx, func(tx store.Tx) error { return tx.ReleaseTask(ctx, t, *tenant.DeletesAt, now, 0) })
	}
	if err := a.removeFiles(ctx, t.TenantID); err != nil {
		return err
	}
	began := clock.Running()
	for _, table := range store.TenantTables() {
		for more := true; more; {
			if clock.Running()-began > dropsTime {
				return a.store.Tx(ctx, func(tx store.Tx) error { return tx.ReleaseTask(ctx, t, now, now, 0) })
			}
			if more, err = a.dropRows(ctx, table, t); err != nil {
				return err
			}
		}
	}
	return a.store.Tx(ctx, func(tx store.Tx) error {
		if err := leaving(ctx, tx, t); err != nil {
			return err
		}
		if err := tx.FinishTask(ctx, t); err != nil {
			return err
		}
		return tx.DropTenant(ctx, t.TenantID)
	})
}

// removeFiles removes the bytes of a tenant's files, whose rows go afterwards.
func (a *Service) removeFiles(ctx context.Context, tenantID string) error {
	if a.media == nil {
		return nil
	}
	return a.media.RemoveAll(ctx, tenantID)
}

// dropRows deletes up to dropRows of a tenant's rows of a table, and reports whether
// there may be more.
func (a *Service) dropRows(ctx context.Context, table store.TenantTable, t mission.Task) (more bool, err error) {
	err = a.store.Tx(ctx, func(tx store.Tx) error {
		if err := leaving(ctx, tx, t); err != nil {
			return err
		}
		if err := tx.RequireLease(ctx, t); err != nil {
			return err
		}
		n, err := tx.DropTenantRows(ctx, table, t.TenantID, dropRows)
		more = n == dropRows
		return err
	})
	return more, err
}

var errStays = errors.New("accounts: the tenant stays")

// leaving locks a tenant, and checks that it is still to be deleted. Errors:
// errStays.
func leaving(ctx context.Context, tx store.Tx, t mission.Task) error {
	tenant, err := tx.LockTenant(ctx, t.TenantID)
	if err == nil && tenant.DeletesAt == nil {
		err = errStays
	}
	return err
}

package missions

import (
	"context"
	"time"

	"missiond/internal/admission"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// TenantHold returns the hold on all that the caller's tenant would publish, or nil.
func (s *API) TenantHold(ctx context.Context, p mission.Principal) (*mission.Hold, error) {
	t, err := s.db.Tenant(ctx, p.TenantID)
	return t.Hold, err
}

// HoldTenant puts the caller's tenant on hold, or gives its hold another reason and end. After
// it returns, nothing of the tenant's is published: it waits for the calls to platforms that are
// under way. A task pauses the running missions; those that it hasn't come to are paused when
// they would do something. Errors: invalid_request, naming the field; service_unavailable if a
// platform doesn't respond in time (the tenant is on hold nevertheless).
func (s *API) HoldTenant(ctx context.Context, p mission.Principal, in mission.HoldInput) (*mission.Hold, error) {
	if err := in.Check(s.clock.Now()); err != nil {
		return nil, err
	}
	held, err := idempotency.Once(ctx, s.db, func(tx store.Tx) (*mission.Hold, error) {
		now := s.clock.Now()
		locked, err := tx.LockTenant(ctx, p.TenantID)
		if err != nil {
			return nil, err
		}
		t, e, err := locked.PutOnHold(in, p, now)
		if err != nil {
			return nil, err
		}
		details := map[string]any{"reason": t.Hold.Reason, "until": t.Hold.Until}
		return t.Hold, tx.SetHold(ctx, t, now, e, tx.AuditEntry(p, mission.AuditHeld, t.ID, details, now))
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, inFlightLimit)
	defer cancel()
	admission.Leave(ctx)
	if _, err := s.awaitPosts(ctx, p.TenantID); err != nil {
		return nil, &mission.Error{
			Code: mission.CodeServiceUnavailable, RetryAfter: 1,
			Message: "The tenant is on hold, but a platform has not responded yet about a post that is being published.",
		}
	}
	return held, nil
}

// ReleaseTenant ends the hold on the caller's tenant, and returns it. A task resumes the missions
// that the hold has paused, as ResumeMission does. Errors: conflict if there is no hold.
func (s *API) ReleaseTenant(ctx context.Context, p mission.Principal) (*mission.Hold, error) {
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (*mission.Hold, error) {
		locked, err := tx.LockTenant(ctx, p.TenantID)
		if err != nil {
			return nil, err
		}
		return locked.Hold, release(ctx, tx, locked, p, s.clock.Now())
	})
}

// release ends the hold on a locked tenant. Errors: conflict if there is none.
func release(ctx context.Context, tx store.Tx, locked mission.Tenant, by mission.Principal, now time.Time) error {
	t, e, err := locked.Release(by, now)
	if err != nil {
		return err
	}
	details := map[string]any{"since": locked.Hold.Since}
	return tx.SetHold(ctx, t, now, e, tx.AuditEntry(by, mission.AuditReleased, t.ID, details, now))
}

// FollowHold ends a tenant's hold that is over, and has the tenant's missions follow: those of a
// tenant on hold are paused, those that its hold has paused are resumed after it. It takes a
// transaction for each mission, and a task for each batch of missions; the task's subject is the
// last mission of the batch before.
func (s *Pipeline) FollowHold(ctx context.Context, t mission.Task) error {
	ended := false
	err := s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		tenant, err := tx.LockTenant(ctx, t.TenantID)
		if ended = err == nil && tenant.Hold != nil && tenant.Hold.Over(now); !ended {
			return err
		}
		if err := tx.FinishTask(ctx, t); err != nil {
			return err
		}
		return release(ctx, tx, tenant, mission.Principal{TenantID: t.TenantID}, now)
	})
	if err != nil || ended {
		return err
	}
	return s.byMission(ctx, t, s.store.HoldableMissions, s.followHold)
}

// followHold pauses a mission of a tenant on hold, or resumes one that a hold has paused.
func (s *Pipeline) followHold(ctx context.Context, tenantID, id string) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		m, err := tx.LockMission(ctx, tenantID, id)
		if err != nil {
			return err
		}
		if m.Held && !m.OnHold {
			_, err = s.resume(ctx, tx, m, now)
		} else {
			_, err = stop(ctx, tx, m, now)
		}
		if err != nil {
			return err
		}
		return distrust(ctx, tx, m, now)
	})
}

// stop pauses a locked mission if it is active although its tenant is on hold or to be deleted.
func stop(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
	switch {
	case m.Status != mission.StatusActive:
		return m, nil
	case m.Leaving:
		return pause(ctx, tx, m.Pause, now)
	case m.OnHold:
		return pause(ctx, tx, m.Hold, now)
	}
	return m, nil
}

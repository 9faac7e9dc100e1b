package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// audienceBatch is how many accounts get their tasks in a transaction.
const audienceBatch = 100

// PlanAudiences adds the tasks that read accounts' figures, for the connected accounts that have none:
// those that were connected since, and those whose task ended while they weren't. Several processes
// may call it concurrently.
func (s *Pipeline) PlanAudiences(ctx context.Context) error {
	on := mission.AudiencePlatforms(s.paidFigures)
	for {
		accounts, err := s.store.UnreadAccounts(ctx, on, audienceBatch)
		if err != nil || len(accounts) == 0 {
			return err
		}
		now := s.clock.Now()
		list := make([]mission.Task, len(accounts))
		for n, i := range accounts {
			list[n] = mission.NewTenantTask(i.TenantID, mission.TaskAccountFigures, i.ID, i.FirstAudience(now))
		}
		if err := s.store.Tx(ctx, func(tx store.Tx) error { return tx.AddAccountTasks(ctx, now, list...) }); err != nil {
			return err
		}
		if len(accounts) < audienceBatch {
			return nil
		}
	}
}

// OpenAudience returns the account whose figures a task reads, and since which day those by day are
// asked for. Errors: ErrDone, with the task finished, if the account isn't read any more, which
// PlanAudiences changes once it is connected again; store.ErrLost.
func (s *Pipeline) OpenAudience(ctx context.Context, t mission.Task) (i mission.Integration, since string, err error) {
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		var ok bool
		if i, ok, err = s.readAccount(ctx, tx, t); err != nil {
			return err
		}
		if !ok {
			return tx.FinishTask(ctx, t)
		}
		return tx.RequireLease(ctx, t)
	})
	if err == nil && i.ID == "" {
		err = ErrDone
	}
	return i, mission.AudienceSince(s.clock.Now()), err
}

// readAccount locks the account of a task that reads figures; ok is false, and i zero, if they aren't
// read any more.
func (s *Pipeline) readAccount(ctx context.Context, tx store.Tx, t mission.Task) (i mission.Integration, ok bool, err error) {
	i, err = tx.LockIntegration(ctx, t.TenantID, t.Subject)
	switch {
	case mission.CodeOf(err) == mission.CodeNotFound:
		return mission.Integration{}, false, nil
	case err != nil:
		return i, false, err
	case !i.Usable() || !mission.AudienceRuleOf(i.Platform).Asked(s.paidFigures):
		return mission.Integration{}, false, nil
	}
	return i, true, nil
}

// RecordAudience writes what a platform reported of an account, and schedules the next reading: on the
// next day, or earlier if this one failed. retryAfter is the wait that the platform requested, in
// domain time, or 0. What an account reported isn't written once it was disconnected. Errors:
// store.ErrLost.
func (s *Pipeline) RecordAudience(ctx context.Context, t mission.Task, a mission.Audience, failed bool, retryAfter time.Duration) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		i, ok, err := s.readAccount(ctx, tx, t)
		if err != nil {
			return err
		}
		if !ok {
			return tx.FinishTask(ctx, t)
		}
		now := s.clock.Now()
		if failed {
			at, same := i.AudienceAgain(t.Attempt, retryAfter, now)
			attempt := 0
			if same {
				attempt = t.Attempt
			}
			return tx.ReleaseTask(ctx, t, mission.Millis(at), now, attempt)
		}
		if err := tx.ReleaseTask(ctx, t, i.NextAudience(now), now, 0); err != nil {
			return err
		}
		return tx.SetAccountDays(ctx, i.AccountDays(a, now), now)
	})
}

// DropAccountDays deletes the days of accounts that are older than what may be kept of their
// platforms. Several processes may call it concurrently.
func (s *Pipeline) DropAccountDays(ctx context.Context) error {
	for _, p := range mission.AllPlatforms() {
		first := mission.AudienceRuleOf(p).KeptSince(s.clock.Now())
		for n := dropDays; n == dropDays; {
			err := s.store.Tx(ctx, func(tx store.Tx) (err error) {
				n, err = tx.DropAccountDays(ctx, p, first, dropDays)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// dropDays is how many days are deleted in a transaction.
const dropDays = 500

package media

import (
	"cmp"
	"context"
	"errors"
	"time"

	"missiond/internal/mediafile"
	"missiond/mission"
	"missiond/store"
)

// mayWait returns an error if no other file of a tenant may wait to be examined.
func (s *Service) mayWait(ctx context.Context, tenantID string) error {
	waiting, err := s.store.MediaExamining(ctx, tenantID)
	if err != nil {
		return err
	}
	return mission.CheckExamining(waiting)
}

// within returns an error if a file that was just added to those that wait is one too many. What others add waits
// for the transaction's end.
func within(ctx context.Context, tx store.Tx, m mission.Media) error {
	waiting, err := tx.MediaExamining(ctx, m.TenantID)
	if err != nil {
		return err
	}
	return mission.CheckExamining(waiting - 1)
}

// handOn has a file examined whose task was written by an earlier version of the program, which examined in the same
// task.
func (s *Service) handOn(ctx context.Context, t mission.Task) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		if err := tx.FinishTask(ctx, t); err != nil {
			return err
		}
		now := s.clock.Now()
		return tx.AddTasks(ctx, now, mission.NewTenantTask(t.TenantID, mission.TaskMediaExamine, t.Subject, now))
	})
}

// waits decides about a file whose examination ended with an error that isn't a verdict. In trouble of the service's own
// the file says that it waits, and is refused for why when that has lasted for too long. Errors: err.
func (s *Service) waits(ctx context.Context, t mission.Task, m mission.Media, err error) (why *mission.Failure, failed error) {
	var trouble *mission.TroubleError
	if !errors.As(err, &trouble) {
		return nil, err
	}
	if t.TroubleLasts(trouble.By, s.clock.Now()) {
		return &mission.Failure{Code: "media_unexamined", Message: "The service couldn't read the file for a day: upload it again."}, nil
	}
	if m.Error != nil {
		return nil, err
	}
	return nil, errors.Join(err, s.store.Tx(ctx, func(tx store.Tx) error {
		if err := tx.RequireLease(ctx, t); err != nil {
			return err
		}
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if err != nil || locked.Status != mission.MediaProcessing {
			return err // it was deleted meanwhile
		}
		waits := locked
		waits.Error = &mission.Failure{
			Code: string(mission.ReasonTrouble), Message: "The service can't read its files at the moment: the file is examined when it can.",
		}
		return tx.SetMedia(ctx, locked, waits)
	}))
}

// counted returns err, how a file's examination ended that took cpu of the processor, which its tenant is charged.
// One that broke off is counted, and the last that may is the file's refusal, a *mediafile.Refused. Errors:
// store.ErrLost.
func (s *Service) counted(ctx context.Context, t mission.Task, m mission.Media, cpu time.Duration, err error) error {
	if failed := s.store.ChargeExamining(ctx, m.TenantID, s.clock.Now(), s.clock.Domain(cpu), s.clock.Domain(mission.MaxDebt)); failed != nil {
		return cmp.Or(err, failed)
	}
	var died *mediafile.Died
	if !errors.As(err, &died) {
		return err
	}
	deaths := 0
	failed := s.store.Tx(ctx, func(tx store.Tx) error {
		if err := tx.RequireLease(ctx, t); err != nil {
			return err
		}
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if err != nil || locked.Status != mission.MediaProcessing {
			return err // it was deleted meanwhile
		}
		counted := locked
		counted.Deaths++
		deaths = counted.Deaths
		return tx.SetMedia(ctx, locked, counted)
	})
	switch {
	case failed != nil:
		return failed
	case deaths < mission.MaxDeaths:
		return err
	}
	return died.Verdict()
}

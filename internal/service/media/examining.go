package media

import (
	"context"
	"errors"

	"missiond/internal/mediafile"
	"missiond/mission"
	"missiond/store"
)

// counted returns err, how a file's examination ended. One that broke off is counted, and the last
// that may is the file's refusal, a *mediafile.Refused. Errors: store.ErrLost.
func (s *Service) counted(ctx context.Context, t mission.Task, m mission.Media, err error) error {
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

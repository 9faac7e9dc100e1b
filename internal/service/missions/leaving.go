package missions

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

// missionBatch is how many missions are looked up at a time.
const missionBatch = 100

// PauseAll pauses a tenant's active missions one by one, and then waits for the
// calls to platforms that are under way. Errors: awaitInFlight's.
func (s *API) PauseAll(ctx context.Context, tenantID string) error {
	var paused []mission.Mission
	for after := ""; ; {
		ids, err := s.db.ActiveMissions(ctx, tenantID, after, missionBatch)
		if err != nil {
			return err
		}
		for _, id := range ids {
			after = id
			var m mission.Mission
			err := s.store.Tx(ctx, func(tx store.Tx) error {
				if m, err = tx.LockMission(ctx, tenantID, id); err != nil || m.Status != mission.StatusActive {
					return err
				}
				m, err = pause(ctx, tx, m.Pause, s.clock.Now())
				return err
			})
			if err != nil && mission.CodeOf(err) != mission.CodeNotFound {
				return err
			}
			paused = append(paused, m)
		}
		if len(ids) < missionBatch {
			break
		}
	}
	waiting, cancel := context.WithTimeout(ctx, inFlightLimit)
	defer cancel()
	for _, m := range paused {
		if err := s.awaitInFlight(waiting, m, "paused"); err != nil {
			return err
		}
	}
	return nil
}

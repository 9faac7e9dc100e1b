package missions

import (
	"cmp"
	"context"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// StartMissionNow starts a draft at once, whatever its starts_at. Errors:
// not_found, conflict.
func (s *API) StartMissionNow(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	tenant, err := s.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return mission.Mission{}, err
	}
	return s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		c, err := m.Start(now)
		if err != nil {
			return m, err
		}
		if err := tx.ChangeMission(ctx, c); err != nil {
			return m, err
		}
		if err := tx.DropTasks(ctx, m.ID, []mission.TaskType{mission.TaskMissionStart}, ""); err != nil {
			return m, err
		}
		return begin(ctx, tx, c.To, tenant.Brand, now)
	})
}

// CompleteMission ends a mission early and cancels its unpublished posts. It waits
// for calls to platforms that are under way: after it returns, nothing of the
// mission is published. Errors: not_found, conflict; service_unavailable if a
// platform doesn't respond in time (the mission is completed nevertheless).
func (s *API) CompleteMission(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	m, err := s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		c, err := m.Complete(now)
		if err != nil {
			return m, err
		}
		if err := tx.ChangeMission(ctx, c); err != nil {
			return m, err
		}
		if err := s.windUp(ctx, tx, c.To, "", now); err != nil {
			return m, err
		}
		if m.Status != mission.StatusPaused {
			return c.To, nil
		}
		// Tasks that are still to be run, such as a last measurement, were parked.
		tasks, err := tx.ParkedTasks(ctx, m.ID)
		if err != nil {
			return m, err
		}
		return c.To, tx.Unpark(ctx, tasks, now)
	})
	if err != nil {
		return m, err
	}
	return m, s.awaitInFlight(ctx, m, "completed")
}

// RetryMission runs an active mission's latest failed job again, from the stage that
// failed. Errors: not_found; conflict, also if no job has failed.
func (s *API) RetryMission(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	return s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		if err := retryable(m); err != nil {
			return m, err
		}
		j, ok, err := tx.FailedJob(ctx, m.TenantID, m.ID)
		if err != nil {
			return m, err
		}
		if !ok {
			return m, mission.Conflict("The mission has no failed job to retry.")
		}
		return m, s.rerun(ctx, tx, m, j, now)
	})
}

// retryable returns a conflict if a mission's failed jobs can't be retried.
func retryable(m mission.Mission) error {
	if m.Status != mission.StatusActive {
		return mission.Conflict("A mission that is %s can't be retried.", m.Status)
	}
	return nil
}

// rerun runs a failed job of an active mission again, from the stage that failed. Errors:
// conflict.
func (s *API) rerun(ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
	ch, err := j.Rerun(now)
	if err != nil {
		return err
	}
	if err := tx.ChangeJob(ctx, ch); err != nil {
		return err
	}
	tasks := []mission.Task{mission.NewTask(m, mission.StageTask(j.CurrentStage), j.ID, now)}
	if !ch.To.Window.End.Equal(j.Window.End) {
		more, err := s.prolong(ctx, tx, m, ch.To, now)
		if err != nil {
			return err
		}
		tasks = append(tasks, more...)
	}
	return tx.AddTasks(ctx, now, tasks...)
}

// UpdateMission changes a mission's settings; see mission.Mission.Update. Errors:
// not_found; invalid_request, naming the field; conflict if the mission is
// completed.
func (s *API) UpdateMission(ctx context.Context, p mission.Principal, id string, in mission.UpdateInput) (mission.Mission, error) {
	if err := cmp.Or(in.Check(), in.CheckChange(p)); err != nil {
		return mission.Mission{}, err
	}
	foresee := func() (verdicts, error) { return s.foreseeUpdate(ctx, p.TenantID, id, in) }
	return foreseen(foresee, func(v verdicts) (mission.Mission, error) { return s.update(ctx, p, id, in, v) })
}

func (s *API) update(
	ctx context.Context, p mission.Principal, id string, in mission.UpdateInput, foreseen verdicts,
) (mission.Mission, error) {
	return s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		c, err := m.Update(in, now)
		if err != nil {
			return m, err
		}
		if err := checkChosen(ctx, tx, c.To, in); err != nil {
			return m, err
		}
		if in.Disclosure != (mission.DisclosureUpdate{}) || in.Constraints.ExcludedTopics != nil {
			brand, err := tx.Brand(ctx, m.TenantID)
			if err := cmp.Or(err, checkDisclosure(c.To, brand)); err != nil {
				return m, err
			}
		}
		if err := tx.UpdateMission(ctx, c); err != nil {
			return m, err
		}
		if m.Status == mission.StatusDraft {
			return c.To, nil
		}
		return c.To, s.follow(ctx, tx, m, c.To, foreseen, now)
	})
}

// follow applies the update of a mission that has begun to its posts and tasks.
func (s *API) follow(ctx context.Context, tx store.Tx, from, to mission.Mission, foreseen verdicts, now time.Time) error {
	if !slices.Equal(to.Constraints.ExcludedTopics, from.Constraints.ExcludedTopics) {
		if err := s.recheck(ctx, tx, to, foreseen, now); err != nil {
			return err
		}
	}
	if from.Autonomy != nil {
		if err := endAutonomy(ctx, tx, to, now); err != nil {
			return err
		}
	}
	return s.replan(ctx, tx, from, to, now)
}

// foreseeUpdate checks the posts of a mission against the topics that an update excludes,
// before its transaction. The caller's own errors are not found here: this may be a retry.
func (s *API) foreseeUpdate(ctx context.Context, tenantID, id string, in mission.UpdateInput) (verdicts, error) {
	if in.Constraints.ExcludedTopics == nil || !mission.HasIDForm(mission.PrefixMission, id) {
		return verdicts{}, nil
	}
	v, err := s.foresee(ctx, tenantID, id, func(m mission.Mission, now time.Time) (mission.Mission, error) {
		c, err := m.Update(in, now)
		return c.To, err
	})
	if code := mission.CodeOf(err); code == mission.CodeInternal || code == mission.CodeRateLimitExceeded {
		return verdicts{}, err
	}
	return v, nil
}

// replan schedules the mission's end and its next cycle again after an update, and
// moves the posts that lie behind its end or in a blackout. If the mission is paused, these tasks are
// parked when they are due, and move when it resumes.
func (s *API) replan(ctx context.Context, tx store.Tx, from, m mission.Mission, now time.Time) error {
	if err := tx.DropTasks(ctx, m.ID, []mission.TaskType{mission.TaskMissionEnd, mission.TaskCycleBegin}, ""); err != nil {
		return err
	}
	if err := tx.AddTasks(ctx, now, mission.NewTask(m, mission.TaskMissionEnd, m.ID, *m.EndsAt)); err != nil {
		return err
	}
	day, err := tx.LastDay(ctx, m.ID)
	if err != nil {
		return err
	}
	if after := m.Relasting(from, day); after.Owed != m.Owed {
		if err := tx.SetOwed(ctx, after); err != nil {
			return err
		}
		m = after
	}
	if next, ok := m.NextWindow(day+1, m.Clock(now)); ok {
		if err := tx.AddTasks(ctx, now, cycleTask(m, next)); err != nil {
			return err
		}
	}
	return s.makeRoom(ctx, tx, m, now)
}

package missions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"missiond/internal/admission"
	"missiond/internal/checks"
	"missiond/internal/clock"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// CreateMission creates a mission. If it starts at once and its first day is a
// posting day, its first cycle begins. Errors: invalid_request, with all problems.
func (s *API) CreateMission(ctx context.Context, p mission.Principal, in mission.CreateInput) (mission.Mission, error) {
	// What was accepted once is accepted again, so only the transaction decides by the time.
	if in.Check() != nil {
		found, err := problems(ctx, s.db, p.TenantID, in, s.clock.Now())
		return mission.Mission{}, cmp.Or(err, found.Err())
	}
	if err := in.CheckNew(p); err != nil {
		return mission.Mission{}, err
	}
	tenant, err := s.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return mission.Mission{}, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Mission, error) {
		return s.CreateMissionIn(ctx, tx, tenant, p.UserID, in, s.clock.Now())
	})
}

// choiceReader reads what missions choose from of a tenant's: the database, or a transaction.
type choiceReader interface {
	IntegrationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Integration, error)
	MediaByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Media, error)
	UsersByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.User, error)
}

// problems returns all that is wrong with a new mission of a tenant at a time.
func problems(ctx context.Context, from choiceReader, tenantID string, in mission.CreateInput, now time.Time) (mission.Problems, error) {
	found := in.Problems(now)
	if chosen := in.ChosenIDs(); len(chosen) > 0 {
		accounts, err := from.IntegrationsByID(ctx, tenantID, chosen)
		if err != nil {
			return found, err
		}
		found = found.And(in.CheckChosen(accounts))
	}
	reviewers, err := checkReviewers(ctx, from, tenantID, in.Reviewers)
	if err != nil {
		return found, err
	}
	found = found.And(checkLine(in.Disclosure.WithDefaults().Line(), in.Platforms, checks.NewExclusions(mission.Exclusions{})))
	files, err := mediaOf(ctx, from, tenantID, in.PictureIDs())
	return found.And(reviewers).And(in.CheckPictures(files)), err
}

// mediaOf returns a tenant's files with ids, by id. It takes no statement for none.
func mediaOf(ctx context.Context, from choiceReader, tenantID string, ids []string) (map[string]mission.Media, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return from.MediaByID(ctx, tenantID, ids)
}

// checkChosen checks the accounts and the pictures that an update chooses. What is disconnected or
// deleted afterwards stays chosen. Errors: invalid_request, with all problems.
func checkChosen(ctx context.Context, tx store.Tx, m mission.Mission, in mission.UpdateInput) error {
	if len(in.IntegrationIDs) > 0 {
		found, err := tx.IntegrationsByID(ctx, m.TenantID, m.IntegrationIDs)
		if err := cmp.Or(err, m.CheckChosen(found)); err != nil {
			return err
		}
	}
	if len(in.Reviewers) > 0 {
		found, err := checkReviewers(ctx, tx, m.TenantID, m.Reviewers)
		if err := cmp.Or(err, found.Err()); err != nil {
			return err
		}
	}
	if in.MediaIDs == nil {
		return nil
	}
	found, err := mediaOf(ctx, tx, m.TenantID, m.MediaIDs)
	return cmp.Or(err, m.CheckPictures(found))
}

// CreateMissionIn creates a tenant's mission within a transaction, for a user.
func (s *API) CreateMissionIn(
	ctx context.Context, tx store.Tx, t mission.Tenant, by string, in mission.CreateInput, now time.Time,
) (mission.Mission, error) {
	found, err := problems(ctx, tx, t.ID, in, now)
	if err := cmp.Or(err, found.Err()); err != nil {
		return mission.Mission{}, err
	}
	m, events, err := mission.New(tx.NewID(mission.PrefixMission, now), t.ID, in, now)
	if err := cmp.Or(err, checkDisclosure(m, t.Brand)); err != nil {
		return m, err
	}
	m.CreatedBy = by
	var first *mission.Job
	var tasks []mission.Task
	switch {
	case m.Status == mission.StatusActive:
		m, first, tasks = opening(tx, m, t.Brand, now)
	case m.StartsAt != nil:
		tasks = append(tasks, mission.NewTask(m, mission.TaskMissionStart, m.ID, *m.StartsAt))
	}
	if err := tx.CreateMission(ctx, m, events); err != nil {
		return m, err
	}
	if first != nil {
		if err := tx.CreateJob(ctx, *first); err != nil {
			return m, err
		}
	}
	return m, tx.AddTasks(ctx, now, tasks...)
}

// Mission returns a tenant's mission. Errors: not_found.
func (s *API) Mission(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	if !mission.HasIDForm(mission.PrefixMission, id) {
		return mission.Mission{}, mission.NotFound("mission", id)
	}
	return s.db.Mission(ctx, p.TenantID, id)
}

// MissionsByID returns the tenant's missions with the given ids, by id. Ids that don't
// exist are absent.
func (s *API) MissionsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Mission, error) {
	return s.db.MissionsByID(ctx, p.TenantID, ids)
}

// Missions returns a page of the tenant's missions, newest first. The page's limit is
// 1 to store.MaxPage. Errors: invalid_request; without a param for a cursor that isn't the
// list's.
func (s *API) Missions(
	ctx context.Context, p mission.Principal, f store.MissionFilter, page store.Page,
) (listed store.Listed[mission.Mission], err error) {
	if err := page.Check(mission.PrefixMission, "mission"); err != nil {
		return listed, err
	}
	return s.db.Missions(ctx, p.TenantID, f, page)
}

// CountMissions returns how many of the tenant's missions match a filter.
func (s *API) CountMissions(ctx context.Context, p mission.Principal, f store.MissionFilter) (int, error) {
	return s.db.CountMissions(ctx, p.TenantID, f)
}

// Status returns a mission's status view. Errors: not_found.
func (s *API) Status(ctx context.Context, p mission.Principal, id string) (mission.StatusView, error) {
	if !mission.HasIDForm(mission.PrefixMission, id) {
		return mission.StatusView{}, mission.NotFound("mission", id)
	}
	m, err := s.db.MissionState(ctx, p.TenantID, id)
	if err != nil {
		return mission.StatusView{}, err
	}
	return mission.NewStatusView(m.Mission, m.Job, m.NextPublishAt, s.clock.Now()), nil
}

// StatusViews returns the status views of missions of any tenant, by mission id. The
// caller must have checked access to each. Missions that don't exist are absent. It
// takes as many statements as one view does.
func (s *API) StatusViews(ctx context.Context, ids []string) (map[string]mission.StatusView, error) {
	missions, err := s.db.WatchedMissions(ctx, ids)
	views, now := make(map[string]mission.StatusView, len(missions)), s.clock.Now()
	for _, m := range missions {
		views[m.Mission.ID] = mission.NewStatusView(m.Mission, m.Job, m.NextPublishAt, now)
	}
	return views, err
}

// Job returns a job of the tenant's with its mission. Errors: not_found.
func (s *API) Job(ctx context.Context, p mission.Principal, id string) (mission.Mission, mission.Job, error) {
	if !mission.HasIDForm(mission.PrefixJob, id) {
		return mission.Mission{}, mission.Job{}, mission.NotFound("job", id)
	}
	j, err := s.db.Job(ctx, p.TenantID, id)
	if err != nil {
		return mission.Mission{}, j, err
	}
	m, err := s.db.Mission(ctx, p.TenantID, j.MissionID)
	return m, j, err
}

// inFlightLimit is how long Pause waits for calls to platforms that are under
// way; they have time limits of their own below it.
const (
	inFlightLimit = 15 * time.Second
	inFlightPoll  = 20 * time.Millisecond
)

// PauseMission pauses a mission and parks its tasks. It waits for calls to platforms
// that are under way: after it returns, nothing of the mission is published. Errors:
// not_found, conflict; service_unavailable if a platform doesn't respond in time (the
// mission is paused nevertheless).
func (s *API) PauseMission(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	m, err := s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		return pause(ctx, tx, m.Pause, now)
	})
	if err != nil {
		return m, err
	}
	return m, s.awaitInFlight(ctx, m, "paused")
}

// pause pauses a mission by a rule, its Pause or Hold, in a transaction that locks it, and parks
// its tasks.
func pause(
	ctx context.Context, tx store.Tx, rule func(now time.Time) (mission.MissionChange, error), now time.Time,
) (mission.Mission, error) {
	c, err := rule(now)
	if err != nil {
		return c.To, err
	}
	if err := tx.ChangeMission(ctx, c); err != nil {
		return c.To, err
	}
	return c.To, tx.ParkTasks(ctx, c.To.ID)
}

func (s *API) awaitInFlight(ctx context.Context, m mission.Mission, state string) error {
	ctx, cancel := context.WithTimeout(ctx, inFlightLimit)
	defer cancel()
	admission.Leave(ctx)
	for {
		busy, err := s.db.Publishing(ctx, m.ID)
		if err == nil && !busy {
			return nil
		}
		if err := errors.Join(err, clock.Sleep(ctx, inFlightPoll)); err != nil {
			return &mission.Error{
				Code: mission.CodeServiceUnavailable, RetryAfter: 1,
				Message: "The mission is " + state + ", but a platform has not responded yet about a post that is being published.",
			}
		}
	}
}

// ResumeMission resumes a mission where it was paused. Its end and its retries move later
// by the length of the pause, its days stay. Posts whose slot has passed move to
// later slots; those that would fall behind the mission's end are canceled.
// Errors: not_found, conflict.
func (s *API) ResumeMission(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	return s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		return s.resume(ctx, tx, m, now)
	})
}

// DeleteMission deletes a mission that isn't active, and everything that belongs to it but the
// records of its posts.
// Errors: not_found, conflict.
func (s *API) DeleteMission(ctx context.Context, p mission.Principal, id string) error {
	_, err := s.change(ctx, p, id, func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
		if err := m.CheckDelete(); err != nil {
			return m, err
		}
		if err := recordAll(ctx, tx, m, now); err != nil {
			return m, err
		}
		return m, tx.DeleteMission(ctx, m)
	})
	return err
}

// change runs fn in a transaction that locks the tenant's mission.
func (s *API) change(ctx context.Context, p mission.Principal, id string,
	fn func(tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error),
) (mission.Mission, error) {
	if !mission.HasIDForm(mission.PrefixMission, id) {
		return mission.Mission{}, mission.NotFound("mission", id)
	}
	changed, err := idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Mission, error) {
		m, err := tx.LockMission(ctx, p.TenantID, id)
		if err != nil {
			return m, err
		}
		return fn(tx, m, s.clock.Now())
	})
	if err != nil && mission.CodeOf(err) == mission.CodeInternal {
		return changed, fmt.Errorf("change the mission %s: %w", id, err)
	}
	return changed, err
}

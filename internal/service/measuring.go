package service

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Measured is what measuring posts came to.
type Measured struct {
	// Asked are the posts that were to be measured; those without Metrics
	// couldn't be.
	Asked   []mission.Content
	Metrics map[string]mission.Metrics
	// Quiet is how long platforms want to be left alone.
	Quiet map[mission.Platform]time.Duration
}

const (
	// measuredPosts bounds what one run measures.
	measuredPosts = 200
	// measureGap is the least time between two runs for a mission, so that posts
	// due one after the other are measured together.
	measureGap = time.Minute
)

// PostsDue answers the posts of the task's mission that are to be measured,
// a run's worth. Errors: ErrDone where the mission is paused, store.ErrLost.
func (s *Service) PostsDue(ctx context.Context, t mission.Task) ([]mission.Content, error) {
	now := s.clock.Now()
	if err := s.held(ctx, t, func(store.Tx, mission.Mission, time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return s.db.PostsToMeasure(ctx, t.TenantID, t.MissionID, now, measuredPosts)
}

// FreshPosts answers the mission's posts that are to be measured, or were never.
func (s *Service) FreshPosts(ctx context.Context, w Work) ([]mission.Content, error) {
	return s.db.PostsToMeasure(ctx, w.Mission.TenantID, w.Mission.ID, s.clock.Now().Add(mission.FirstMeasure), measuredPosts)
}

// RecordMeasured keeps what was measured, and leaves the task to be run when the
// mission's next post is due. Errors: ErrDone, store.ErrLost.
func (s *Service) RecordMeasured(ctx context.Context, t mission.Task, got Measured) error {
	return s.held(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		if err := keepMeasured(ctx, tx, m, got, now); err != nil {
			return err
		}
		next, ok, err := tx.NextMeasure(ctx, m.ID)
		if err != nil {
			return err
		}
		if !ok {
			return tx.FinishTask(ctx, t)
		}
		if soon := now.Add(measureGap); len(got.Asked) < measuredPosts && next.Before(soon) {
			next = soon
		}
		return tx.ReleaseTask(ctx, t, next, now, 0)
	})
}

// FinishAnalytics keeps what was measured and completes the stage.
func (s *Service) FinishAnalytics(ctx context.Context, t mission.Task, got Measured) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		if err := keepMeasured(ctx, tx, m, got, now); err != nil {
			return err
		}
		if err := finish(ctx, tx, m, j, nil, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// keepMeasured writes what was measured of m's posts, and when they are measured
// next.
func keepMeasured(ctx context.Context, tx store.Tx, m mission.Mission, got Measured, now time.Time) error {
	ids := make([]string, len(got.Asked))
	for i, c := range got.Asked {
		ids[i] = c.ID
	}
	posts, err := tx.LockMetrics(ctx, m.ID, ids)
	if err != nil {
		return err
	}
	next := map[string]*time.Time{}
	for _, c := range posts {
		_, ok := got.Metrics[c.ID]
		next[c.ID] = c.MeasureAgain(ok, got.Quiet[c.Platform], now)
	}
	if err := tx.SetMeasureAt(ctx, next); err != nil {
		return err
	}
	points := mission.Measurements(posts, got.Metrics, now)
	if len(points) == 0 {
		return nil
	}
	if err := tx.AddMeasurements(ctx, points); err != nil {
		return err
	}
	peers, err := tx.Peers(ctx, m.ID, m.PeersNeeded(points))
	if err != nil {
		return err
	}
	return tx.KeepAssessment(ctx, m, m.Assess(posts, points, peers, now))
}

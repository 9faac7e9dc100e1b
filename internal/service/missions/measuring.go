package missions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Measured is the result of measuring posts.
type Measured struct {
	// Due are the posts that were due; those without Metrics couldn't be measured.
	Due     []mission.Content
	Metrics map[string]mission.Metrics
	// Shown is what the platforms show of posts that were read back, by their ids.
	Shown map[string][]mission.Shown
	// Replies is what was read of the replies to posts, by their ids.
	Replies map[string]mission.ReadReplies
	// Quiet is the pause that a platform requested for an account, by Batch.Account.
	Quiet map[string]time.Duration
}

const (
	// measuredPosts is how many posts one run measures at most.
	measuredPosts = 200
	// measureGap is the least time between two runs for a mission, so that posts that
	// are due shortly after each other are measured together.
	measureGap = time.Minute
)

// Batch is a set of posts to be measured that were published through one integration.
type Batch struct {
	Platform mission.Platform
	// Via is the integration that published them; nil is the sandbox.
	Via   *mission.Integration
	Posts []mission.Content
}

// Account identifies the batch's account, or platform in the sandbox.
func (b Batch) Account() string { return accountOf(b.Posts[0]) }

func accountOf(c mission.Content) string { return string(c.Platform) + "/" + c.IntegrationID }

// Due is the posts to be measured.
type Due struct {
	Posts []mission.Content
	// Batches has the posts that can be measured: not those whose integration was
	// deleted or needs to be reconnected, nor those whose platform reports nothing.
	Batches []Batch
	// constraints are their mission's.
	constraints mission.Constraints
}

// ReadsReplies reports whether the replies to a batch's posts are read.
func (d Due) ReadsReplies(b Batch) bool { return d.constraints.ReadsReplies(b.Platform, b.Via) }

// PostsDue returns the posts of the task's mission that are due to be measured, at
// most measuredPosts. Errors: ErrDone if the mission is paused, store.ErrLost.
func (s *Pipeline) PostsDue(ctx context.Context, t mission.Task) (Due, error) {
	now := s.clock.Now()
	var with mission.Constraints
	if err := s.leased(ctx, t, func(_ store.Tx, m mission.Mission, _ time.Time) error { with = m.Constraints; return nil }); err != nil {
		return Due{}, err
	}
	posts, err := s.store.PostsToMeasure(ctx, t.TenantID, t.MissionID, now, measuredPosts)
	if err != nil {
		return Due{}, err
	}
	return s.batched(ctx, t.TenantID, posts, with)
}

// FreshPosts returns the mission's posts that are due to be measured, and younger
// posts that haven't been measured yet.
func (s *Pipeline) FreshPosts(ctx context.Context, w Work) (Due, error) {
	now := s.clock.Now()
	posts, err := s.store.PostsToMeasure(ctx, w.Mission.TenantID, w.Mission.ID, now.Add(mission.FirstMeasure), measuredPosts)
	if err != nil {
		return Due{}, err
	}
	posts = slices.DeleteFunc(posts, func(c mission.Content) bool { return c.MeasureAt.After(now) && c.MeasurementRequested() })
	return s.batched(ctx, w.Mission.TenantID, posts, w.Mission.Constraints)
}

// batched returns posts with the batches in which they are measured.
func (s *Pipeline) batched(ctx context.Context, tenantID string, posts []mission.Content, with mission.Constraints) (Due, error) {
	d := Due{Posts: posts, constraints: with}
	var ids []string
	for _, c := range d.Posts {
		if c.IntegrationID != "" && !slices.Contains(ids, c.IntegrationID) {
			ids = append(ids, c.IntegrationID)
		}
	}
	integrations := map[string]mission.Integration{}
	if len(ids) > 0 {
		var err error
		if integrations, err = s.store.IntegrationsByID(ctx, tenantID, ids); err != nil {
			return d, err
		}
	}
	for _, c := range d.Posts {
		via, ok := integrations[c.IntegrationID]
		if c.Reported() && (c.IntegrationID == "" || ok && via.Usable()) {
			d.add(c, via)
		}
	}
	return d, nil
}

// add puts a post into its batch.
func (d *Due) add(c mission.Content, via mission.Integration) {
	i := slices.IndexFunc(d.Batches, func(b Batch) bool {
		return b.Platform == c.Platform && (b.Via == nil) == (via.ID == "") && (b.Via == nil || b.Via.ID == via.ID)
	})
	if i < 0 {
		b := Batch{Platform: c.Platform}
		if via.ID != "" {
			b.Via = &via
		}
		d.Batches, i = append(d.Batches, b), len(d.Batches)
	}
	d.Batches[i].Posts = append(d.Batches[i].Posts, c)
}

// RecordMeasured writes measurements, and schedules the task for when the mission's
// next post is due. Errors: ErrDone, store.ErrLost.
func (s *Pipeline) RecordMeasured(ctx context.Context, t mission.Task, got Measured) error {
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		if err := keepMeasured(ctx, tx, m, t, got, now); err != nil {
			return err
		}
		next, ok, err := tx.NextMeasure(ctx, m.ID)
		if err != nil {
			return err
		}
		if !ok {
			return tx.FinishTask(ctx, t)
		}
		if soon := now.Add(measureGap); len(got.Due) < measuredPosts && next.Before(soon) {
			next = soon
		}
		return tx.ReleaseTask(ctx, t, next, now, 0)
	})
}

// FinishAnalytics writes measurements and completes the stage.
func (s *Pipeline) FinishAnalytics(ctx context.Context, t mission.Task, got Measured) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		if err := keepMeasured(ctx, tx, m, t, got, now); err != nil {
			return err
		}
		if err := finish(ctx, tx, m, j, nil, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// ToReadBack returns those of a tenant's posts, which were just measured, that are to be read back,
// with their texts.
func (s *Pipeline) ToReadBack(
	ctx context.Context, tenantID string, posts []mission.Content, measured map[string]mission.Metrics,
) ([]mission.Content, error) {
	now := s.clock.Now()
	var ids []string
	for _, c := range posts {
		if _, ok := measured[c.ID]; ok && c.AwaitsReadback(now) {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.store.ContentsByID(ctx, tenantID, ids)
	return slices.SortedFunc(maps.Values(found), func(a, b mission.Content) int { return strings.Compare(a.ID, b.ID) }), err
}

// withClicks returns the figures of m's posts with the service's own counts of clicks, for those whose
// platform reports none.
func withClicks(
	ctx context.Context, tx store.Tx, m mission.Mission, posts []mission.Content, figures map[string]mission.Metrics,
) (map[string]mission.Metrics, error) {
	var counted []string
	for _, c := range posts {
		if c.CountsLinkClicks() {
			counted = append(counted, c.ID)
		}
	}
	if len(counted) == 0 {
		return figures, nil
	}
	clicks, err := tx.PostClicks(ctx, m.TenantID, counted)
	return mission.WithClicks(posts, figures, clicks), err
}

// keepReadbacks writes what the platforms of m's posts show.
func keepReadbacks(ctx context.Context, tx store.Tx, m mission.Mission, shown map[string][]mission.Shown, now time.Time) error {
	found := map[string]mission.Readback{}
	for id, parts := range shown {
		if r, ok := mission.NewReadback(parts, now); ok {
			found[id] = r
		}
	}
	return tx.SetReadbacks(ctx, m.ID, found)
}

// keepMeasured writes the measurements of m's posts, and when they are due next.
func keepMeasured(ctx context.Context, tx store.Tx, m mission.Mission, t mission.Task, got Measured, now time.Time) error {
	if m.Reserved > 0 { // perhaps by a run that was killed
		if err := tx.SettleLost(ctx, m.ID, mission.SpendMeasuring, readingsOf(t), now); err != nil {
			return err
		}
	}
	ids := make([]string, len(got.Due))
	for i, c := range got.Due {
		ids[i] = c.ID
	}
	posts, err := tx.LockMetrics(ctx, m.ID, ids)
	if err != nil {
		return err
	}
	next := map[string]*time.Time{}
	for _, c := range posts {
		_, ok := got.Metrics[c.ID]
		next[c.ID] = c.MeasureAgain(ok && !got.Replies[c.ID].Behind, got.Quiet[accountOf(c)], now)
	}
	read := errors.Join(keepReadbacks(ctx, tx, m, got.Shown, now), keepReplies(ctx, tx, m, posts, got, now))
	figures, err := withClicks(ctx, tx, m, posts, got.Metrics)
	if err = errors.Join(read, err); err != nil {
		return err
	}
	points := mission.Measurements(posts, figures, now)
	if len(points) == 0 {
		return tx.SetMeasureAt(ctx, next)
	}
	if err := tx.AddMeasurements(ctx, points); err != nil {
		return err
	}
	var measured []mission.Destination
	if mission.Ripened(points) {
		if measured, err = tx.MeasuredAccounts(ctx, m); err != nil {
			return err
		}
	}
	peers, err := tx.Peers(ctx, m.ID, mission.PeersNeeded(points, measured), now)
	if err != nil {
		return err
	}
	a := m.Assess(posts, points, peers, now)
	if err := tx.StoreAssessment(ctx, m, a, next); err != nil || len(a.Unusual) == 0 {
		return err
	}
	m.AutonomyEnded = a.AutonomyEnded
	return distrust(ctx, tx, m, now)
}

package missions

import (
	"context"
	"slices"
	"time"

	"missiond/internal/links"
	"missiond/mission"
	"missiond/store"
)

// Autonomy returns how far a mission has come with earning its autonomy. Errors: not_found.
func (s *API) Autonomy(ctx context.Context, p mission.Principal, id string) (mission.Standing, error) {
	m, err := s.Mission(ctx, p, id)
	if err != nil {
		return mission.Standing{}, err
	}
	return s.db.Standing(ctx, m)
}

// newContent returns a post that the writer has written, and its events. It goes out without review
// if the mission has earned that for it.
func newContent(
	ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, a mission.Assignment, d mission.Draft, v mission.Verdict, now time.Time,
) (mission.Content, []mission.Event, error) {
	standing, posts, err := tx.Standing(ctx, m, d.Writer)
	c, events := standing.NewContent(tx.NewID(mission.PrefixContent, now), j, a, d, v, posts, linksOf, now)
	return c, events, err
}

// linksOf returns what a post leads to: its links and mentions as they are written, and the hosts
// that it may lead to otherwise.
func linksOf(c mission.Content) []string {
	text := c.FullText()
	to, _ := links.Anywhere(text)
	for _, l := range links.On(c.Platform, text) {
		to = append(to, text[l.Start:l.End])
	}
	for _, e := range links.Mentions(c.Platform, text) {
		to = append(to, text[e.Start:e.End])
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// distrust is endAutonomy if the mission has autonomy.
func distrust(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
	if m.Autonomy == nil {
		return nil
	}
	return endAutonomy(ctx, tx, m, now)
}

// endAutonomy has those posts of a mission wait for review that were to go out without, if its
// autonomy has ended for what wrote them. The caller holds the mission's lock.
func endAutonomy(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
	unreviewed, err := tx.Unreviewed(ctx, m.ID)
	if err != nil || len(unreviewed) == 0 {
		return err
	}
	standings := map[mission.WrittenBy]mission.Standing{} // rarely more than one
	var changes []mission.ContentChange
	var ids []string
	for _, c := range unreviewed {
		earned, ok := standings[c.Writer]
		if !ok {
			if earned, _, err = tx.Standing(ctx, m, c.Writer); err != nil {
				return err
			}
			standings[c.Writer] = earned
		}
		if ch, ok := c.Distrust(now); ok && earned.State != mission.AutonomyEarned {
			changes, ids = append(changes, ch), append(ids, c.ID)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if err := tx.DropSubjects(ctx, m.ID, mission.TaskContentPublish, ids...); err != nil {
		return err
	}
	posts, err := tx.Slots(ctx, m.ID)
	if err != nil {
		return err
	}
	if err := startReview(ctx, tx, m, posts, changes, now); err != nil {
		return err
	}
	return tx.ChangeContent(ctx, changes...)
}

// stopUnreviewed has a post that is about to be sent without review wait for it, if its mission's autonomy has ended
// for what wrote it. stopped reports whether it did.
func (p lockedPost) stopUnreviewed(ctx context.Context) (stopped bool, err error) {
	ch, ok := p.Distrust(p.now)
	if !ok {
		return false, nil
	}
	earned, _, err := p.tx.Standing(ctx, p.mission, p.Writer)
	if err != nil || earned.State == mission.AutonomyEarned {
		return false, err
	}
	return true, p.review(ctx, ch)
}

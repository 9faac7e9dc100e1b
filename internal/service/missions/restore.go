package missions

import (
	"cmp"
	"context"
	"errors"
	"time"

	"missiond/mission"
	"missiond/store"
)

// ErrNotHeld means that posts may be published while the database is reconciled.
var ErrNotHeld = errors.New("publishing isn't held: run missiond publishing hold before any process starts on the restored database")

// Reconciled is what Reconcile did about posts whose slots have passed.
type Reconciled struct {
	// LookedUp is how many posts are looked up on their platforms before they are sent.
	LookedUp int `json:"looked_up"`
	// Sandbox is how many belong to the sandbox, which was restored with the database.
	Sandbox int `json:"sandbox"`
	// Failed are the posts that a person has to look at, because their platforms can't
	// be asked or their missions' budgets don't pay for it; they stay unknown.
	Failed []mission.Content `json:"-"`
	// InReview are posts that wait for approval: they may have been approved and
	// published since the backup.
	InReview []mission.Content `json:"-"`
}

// Reconcile prepares the release of posts on a restored database, whose backup began at a
// time: posts that may have been published since are looked up before they are sent, or
// stay unknown. A post that isn't scheduled yet and whose slot has passed will be canceled. It
// may be repeated. Errors: ErrNotHeld.
func (s *API) Reconcile(ctx context.Context, backup time.Time) (r Reconciled, err error) {
	hold, err := s.db.PublishingHold(ctx)
	if err != nil {
		return r, err
	}
	if hold == nil {
		return r, ErrNotHeld
	}
	now := s.clock.Now()
	if backup.After(now) {
		return r, errors.New("the backup's time lies in the future")
	}
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		return tx.SetRestore(ctx, mission.Restore{Backup: backup, Reconciled: now})
	})
	if err != nil {
		return r, err
	}
	// Reconciled posts become unknown: those that are already come first.
	for _, status := range []mission.ContentStatus{mission.ContentUnknown, mission.ContentPublishing, mission.ContentScheduled} {
		if err := s.passed(ctx, status, now, func(c mission.Content) error { return s.reconcile(ctx, c, backup, &r) }); err != nil {
			return r, err
		}
	}
	err = s.passed(ctx, mission.ContentPendingReview, now, func(c mission.Content) error {
		r.InReview = append(r.InReview, c)
		return nil
	})
	return r, err
}

// passed calls fn with each post in a state whose slot has passed.
func (s *API) passed(ctx context.Context, status mission.ContentStatus, now time.Time, fn func(c mission.Content) error) error {
	for after := ""; ; {
		posts, err := s.db.PassedContents(ctx, status, now, after, operatorBatch)
		if err != nil {
			return err
		}
		for _, c := range posts {
			after = c.ID
			if err := fn(c); err != nil {
				return err
			}
		}
		if len(posts) < operatorBatch {
			return nil
		}
	}
}

// reconcile reconciles a post, and adds it to the result.
func (s *API) reconcile(ctx context.Context, found mission.Content, backup time.Time, r *Reconciled) error {
	var to mission.Content
	err := s.store.Tx(ctx, func(tx store.Tx) (err error) {
		to, err = s.reconcileIn(ctx, tx, found, backup)
		return err
	})
	switch {
	case err != nil:
		return err
	case to.AwaitsPerson():
		r.Failed = append(r.Failed, to)
	case to.IntegrationID == "":
		r.Sandbox++
	case to.Status == mission.ContentUnknown:
		r.LookedUp++
	}
	return nil
}

// reconcileIn reconciles a post in a transaction, and returns it. A post of a tenant
// without an integration stays as it is.
func (s *API) reconcileIn(ctx context.Context, tx store.Tx, found mission.Content, backup time.Time) (mission.Content, error) {
	now := s.clock.Now()
	m, err := tx.LockMission(ctx, found.TenantID, found.MissionID)
	if err != nil {
		return found, err
	}
	c, err := tx.LockContent(ctx, found.TenantID, found.ID)
	if err != nil || c.Status != found.Status || c.AwaitsPerson() {
		return c, err
	}
	via, ok, err := tx.PublishingIntegration(ctx, c.TenantID, c.Platform, c.IntegrationID)
	if err != nil || c.IntegrationID == "" && (!ok || c.Status != mission.ContentScheduled) {
		return c, err // of the sandbox
	}
	n, err := c.Reconcile(cmp.Or(via.ID, c.IntegrationID), s.lookupOf(&via, mission.TaskContentPublish), backup, now)
	if err == nil && n.FeesDue() {
		err = settleFees(ctx, tx, m, &n.Change.To, false, now)
	}
	if err == nil {
		n, err = reserveRest(ctx, tx, n, now)
	}
	if err == nil {
		err = tx.ChangeContent(ctx, n.Change)
	}
	if err != nil {
		return c, err
	}
	return n.Change.To, s.requeue(ctx, tx, m, n.Change.To, now)
}

// requeue has the task of a reconciled post run at once, or drops it if the post is
// settled.
func (s *API) requeue(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, now time.Time) error {
	if !c.Settled() {
		return tx.RetimeSubject(ctx, m.ID, mission.TaskContentPublish, c.ID, now)
	}
	if err := tx.DropSubjects(ctx, m.ID, mission.TaskContentPublish, c.ID); err != nil {
		return err
	}
	return s.finishPublish(ctx, tx, m, c.JobID, now)
}

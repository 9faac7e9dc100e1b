package missions

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

// subjectOf locks the post of a task that publishes and returns it; for a first comment,
// as mission.Content.Commenting returns it.
func subjectOf(ctx context.Context, tx store.Tx, t mission.Task) (mission.Content, error) {
	c, err := tx.LockContent(ctx, t.TenantID, t.Subject)
	if err == nil && t.Type == mission.TaskContentComment {
		c = c.Commenting()
	}
	return c, err
}

// write writes a change of a post or of its first comment.
func (p lockedPost) write(ctx context.Context, ch mission.ContentChange) error {
	if p.task.Type == mission.TaskContentComment {
		return p.tx.ChangeComment(ctx, ch.To, ch.To.Commented())
	}
	return p.tx.ChangeContent(ctx, ch)
}

// dropComment settles a first comment whose mission has ended: it isn't sent any more, and
// is looked up if the platform may have it.
func (s *Pipeline) dropComment(ctx context.Context, p lockedPost) error {
	n, err := p.Drop(p.now)
	if err != nil {
		return err
	}
	n.RunAt = p.now
	_, err = s.settlePost(ctx, p, n)
	return err
}

// restored puts back a first comment that may have been sent between the backup and the
// reconciliation of a restored database, so that it is looked up first, and reports
// whether it did. One whose platform can't be asked fails.
func (s *Pipeline) restored(ctx context.Context, p lockedPost) (done bool, err error) {
	if p.task.Type != mission.TaskContentComment || p.Status != mission.ContentScheduled || p.CalledAt != nil || p.IntegrationID == "" {
		return false, nil
	}
	restore, err := p.tx.Restore(ctx)
	if err != nil || restore == nil || p.PublishedAt.After(restore.Reconciled) {
		return false, err
	}
	via, _, err := p.tx.PublishingIntegration(ctx, p.TenantID, p.Platform, p.IntegrationID)
	if err != nil {
		return false, err
	}
	n, err := p.Reconcile(p.IntegrationID, s.lookupOf(&via, p.task.Type), restore.Backup, p.now)
	if err == nil {
		_, err = s.settlePost(ctx, p, n)
	}
	return err == nil, err
}

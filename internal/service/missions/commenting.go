package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// subjectOf locks the post of a task that publishes and returns it; for a first comment,
// as mission.Content.Commenting returns it, for an answer to a reply, as
// mission.Content.Answering does.
func subjectOf(ctx context.Context, tx store.Tx, m mission.Mission, t mission.Task, now time.Time) (lockedPost, error) {
	p := lockedPost{tx: tx, task: t, mission: m, now: now}
	var err error
	if t.Type == mission.TaskReplyAnswer {
		err = p.lockAnswer(ctx)
	} else {
		p.Content, err = tx.LockContent(ctx, t.TenantID, t.Subject)
	}
	if err == nil && t.Type == mission.TaskContentComment {
		p.Content = p.Commenting()
	}
	p.at = mission.ContentSituation{Content: p.Content, Mission: m, Now: now}
	return p, err
}

// write writes a change of a post, of its first comment or of an answer.
func (p lockedPost) write(ctx context.Context, ch mission.ContentChange) error {
	switch {
	case p.task.Type == mission.TaskContentComment:
		return p.tx.ChangeComment(ctx, ch.To, ch.To.Commented())
	case p.reply != nil:
		r, events := p.reply.Answered(ch.To, p.now)
		return p.tx.ChangeReply(ctx, r, events...)
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

// reconcile puts back a first comment or an answer that may have been sent between the backup and the
// reconciliation of a restored database, so that it is looked up first. One whose platform can't be asked fails.
func (s *Pipeline) reconcile(ctx context.Context, p lockedPost) error {
	if err := s.readIntegration(ctx, &p); err != nil {
		return err
	}
	n, err := p.Reconcile(p.IntegrationID, p.at.Lookup, p.at.Restore.Backup, p.now)
	if err == nil {
		_, err = s.settlePost(ctx, p, n)
	}
	return err
}

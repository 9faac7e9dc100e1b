package missions

import (
	"context"

	"missiond/internal/posturl"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// SettleInput is what a person says about a post whose outcome is unknown: exactly one of
// both.
type SettleInput struct {
	// PublishedURL is the post's address on its platform.
	PublishedURL *string
	// PublishAgain has the post sent once more.
	PublishAgain *bool
}

// check validates the input. Errors: invalid_request.
func (in SettleInput) check() error {
	again := in.PublishAgain != nil && *in.PublishAgain
	switch {
	case in.PublishedURL != nil && again:
		return mission.Invalid("publish_again", "The post is either published or to be published again, not both (API: published_url, publish_again).")
	case in.PublishAgain != nil && !again:
		return mission.Invalid("publish_again", "The only value is true.")
	case in.PublishedURL == nil && !again:
		return mission.Invalid("published_url", "Say where the post is published, or that it is to be published again (API: published_url, publish_again).")
	case in.PublishedURL != nil && len(*in.PublishedURL) > mission.MaxURL:
		return mission.Invalid("published_url", "The address must have at most %d bytes.", mission.MaxURL)
	}
	return nil
}

// SettleContent records what a person says became of a post whose outcome is unknown, while
// the service looks for it or after it gave up. The task that looks for it is dropped, so
// that what it finds no longer counts, and nothing goes out twice. Errors: invalid_request,
// naming the field; not_found; conflict, also for a post of a completed mission that is to
// be sent again.
func (s *API) SettleContent(ctx context.Context, p mission.Principal, id string, in SettleInput) (mission.Content, error) {
	if err := in.check(); err != nil {
		return mission.Content{}, err
	}
	found, err := s.Content(ctx, p, id)
	if err != nil {
		return mission.Content{}, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (c mission.Content, err error) {
		now := s.clock.Now()
		m, err := tx.LockMission(ctx, p.TenantID, found.MissionID)
		if mission.CodeOf(err) == mission.CodeNotFound {
			err = mission.NotFound(contentNoun, id) // it was deleted with its mission
		}
		if err != nil {
			return c, err
		}
		if c, err = tx.LockContent(ctx, p.TenantID, id); err != nil {
			return c, err
		}
		locked := lockedPost{Content: c, tx: tx, mission: m, now: now}
		n, details, err := in.settlement(ctx, tx, p, m, locked)
		if err != nil {
			return c, err
		}
		if err := s.writeDecision(ctx, locked, n, tx.AuditEntry(p, mission.AuditContentSettled, id, details, now)); err != nil {
			return c, err
		}
		return tx.LockContent(ctx, p.TenantID, id)
	})
}

// settlement returns what becomes of the post, and the details for the audit log.
func (in SettleInput) settlement(
	ctx context.Context, tx store.Tx, p mission.Principal, m mission.Mission, c lockedPost,
) (n mission.Settlement, details map[string]any, err error) {
	if err := c.CheckSettleable(); err != nil {
		return n, nil, err
	}
	by := p.Author()
	details = map[string]any{"mission_id": m.ID, "platform": c.Platform}
	if in.PublishedURL == nil {
		details["decision"] = "publish_again"
		n, err = c.PublishAgain(by, m.Status, c.now)
		return n, details, err
	}
	via, _, err := tx.PublishingIntegration(ctx, p.TenantID, c.Platform, c.IntegrationID)
	if err != nil {
		return n, nil, err
	}
	via.Platform = c.Platform
	at, err := posturl.Parse(via, *in.PublishedURL)
	if err == nil {
		err = checkUntaken(ctx, tx, c, at)
	}
	if err != nil {
		return n, nil, err
	}
	details["decision"], details["published_url"] = "published", at.URL
	n, err = c.SettleAsPublished(at, by, m.Status, c.now)
	return n, details, err
}

// checkUntaken returns an error if another post, or another part of this one, is the
// publication. Errors: those of CheckPublishedAt; invalid_request on published_url.
func checkUntaken(ctx context.Context, tx store.Tx, c lockedPost, at mission.Publication) error {
	if err := c.CheckPublishedAt(at); err != nil || at.PostID == "" {
		return err
	}
	taken, err := tx.PostNamed(ctx, c.TenantID, c.IntegrationID, at.PostID)
	if err == nil && taken != "" {
		err = mission.Invalid("published_url", "This is the post %s.", taken)
	}
	return err
}

// writeDecision writes a person's settlement of a post, with the task that it needs.
func (s *API) writeDecision(ctx context.Context, p lockedPost, n mission.Settlement, e mission.AuditEntry) error {
	if err := p.tx.DropSubjects(ctx, p.mission.ID, mission.TaskContentPublish, p.ID); err != nil {
		return err
	}
	if n.FeesDue() {
		if err := settleFees(ctx, p.tx, p.mission, &n.Change.To, false, p.now); err != nil {
			return err
		}
	}
	n, err := reserveRest(ctx, p.tx, n, p.now)
	if err != nil {
		return err
	}
	if err := p.tx.SettleContent(ctx, n.Change, e); err != nil {
		return err
	}
	if n.Task != "" {
		return p.tx.AddTasks(ctx, p.now, mission.NewTask(p.mission, mission.TaskContentPublish, p.ID, p.now))
	}
	return s.published(ctx, p, n.Change)
}

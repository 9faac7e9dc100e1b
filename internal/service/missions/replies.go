package missions

import (
	"context"
	"slices"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/store"
)

const replyNoun = "reply"

// checkReplyFilter returns an error for a filter that can't select anything. Errors:
// invalid_request, naming the field.
func checkReplyFilter(f store.ReplyFilter) error {
	for _, id := range []struct{ param, of, prefix string }{
		{"mission_id", f.MissionID, mission.PrefixMission}, {"content_id", f.ContentID, mission.PrefixContent},
		{"integration_id", f.IntegrationID, mission.PrefixIntegration},
	} {
		if id.of != "" && !mission.HasIDForm(id.prefix, id.of) {
			return mission.Invalid(id.param, "Invalid id %.40q: must be %s and 26 characters.", id.of, id.prefix)
		}
	}
	if f.Platform != "" {
		if err := mission.CheckPlatform("platform", f.Platform); err != nil {
			return err
		}
	}
	if f.Status != "" && !slices.Contains(mission.AllReplyStatuses(), f.Status) {
		return mission.Invalid("status", "Unknown status %q.", f.Status)
	}
	return nil
}

// Replies returns a page of the replies to the tenant's posts, those that were received last first.
// Errors: invalid_request, naming the field.
func (s *API) Replies(ctx context.Context, p mission.Principal, f store.ReplyFilter, page store.Page) (listed store.Listed[mission.Reply], err error) {
	if err := page.Check(mission.PrefixReply, replyNoun); err != nil {
		return listed, err
	}
	if err := checkReplyFilter(f); err != nil {
		return listed, err
	}
	return s.db.Replies(ctx, p.TenantID, f, page)
}

// CountReplies returns how many of the tenant's replies match a filter, or store.Uncounted if they
// are too many.
func (s *API) CountReplies(ctx context.Context, p mission.Principal, f store.ReplyFilter) (int, error) {
	if err := checkReplyFilter(f); err != nil {
		return 0, err
	}
	return s.db.CountReplies(ctx, p.TenantID, f)
}

// Reply returns a reply to a post of the tenant's. Errors: not_found.
func (s *API) Reply(ctx context.Context, p mission.Principal, id string) (mission.Reply, error) {
	if !mission.HasIDForm(mission.PrefixReply, id) {
		return mission.Reply{}, mission.NotFound(replyNoun, id)
	}
	return s.db.Reply(ctx, p.TenantID, id)
}

// RepliesByID returns the tenant's replies with the given ids, by id.
func (s *API) RepliesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Reply, error) {
	return s.db.RepliesByID(ctx, p.TenantID, ids)
}

// AnswerReply has an answer to a reply sent: its task goes on as a post's does, see
// Pipeline.OpenPost. Errors: invalid_request; not_found; conflict if the reply can't be answered,
// or has been.
func (s *API) AnswerReply(ctx context.Context, p mission.Principal, id, text string) (mission.Reply, error) {
	text = mission.Tidy(text)
	if err := mission.CheckAnswer(text); err != nil {
		return mission.Reply{}, err
	}
	return s.changeReply(ctx, p, id, func(tx store.Tx, m mission.Mission, r mission.Reply, now time.Time) (mission.Reply, error) {
		sent := r.AnswerText(text)
		answered, err := r.Give(tx.NewID(mission.PrefixAnswer, now), sent, p.Author(), now)
		if err != nil {
			return r, err
		}
		if err := s.checkAnswer(ctx, tx, m, r, sent); err != nil {
			return r, err
		}
		return answered, tx.AddTasks(ctx, now, mission.NewTask(m, mission.TaskReplyAnswer, r.ID, now))
	})
}

// checkAnswer checks an answer as it is sent: its platform's limits, and what no text of the mission
// may have. Errors: invalid_request on text; conflict if the account isn't connected any more.
func (s *API) checkAnswer(ctx context.Context, tx store.Tx, m mission.Mission, r mission.Reply, text string) error {
	caps, _ := mission.CapabilitiesOf(r.Platform)
	if r.IntegrationID != "" {
		via, ok, err := tx.PublishingIntegration(ctx, r.TenantID, r.Platform, r.IntegrationID)
		if err != nil {
			return err
		}
		if !ok || via.DeletedAt != nil {
			return mission.Conflict("%s", mission.AccountGone(r.Platform).Message)
		}
		if via.Account != nil {
			caps = caps.Within(via.Account.Limits)
		}
	}
	if err := textlimit.CheckAnswer(caps, "text", text); err != nil {
		return err
	}
	excluded, err := exclusions(ctx, tx, m)
	if err != nil {
		return err
	}
	if v := excluded.Words(text); !v.Passed() {
		return mission.Invalid("text", "%s", v.Failure().Message)
	}
	return nil
}

// HideReply has a reply hidden on its platform. Errors: not_found; conflict if the platform hides
// none, or the reply is hidden or deleted.
func (s *API) HideReply(ctx context.Context, p mission.Principal, id string) (mission.Reply, error) {
	return s.changeReply(ctx, p, id, func(tx store.Tx, m mission.Mission, r mission.Reply, now time.Time) (mission.Reply, error) {
		hidden, err := r.Hide(p.Author(), now)
		if err != nil {
			return r, err
		}
		return hidden, tx.AddTasks(ctx, now, mission.NewTask(m, mission.TaskReplyHide, r.ID, now))
	})
}

// SetReplyAside sets a reply aside, or with done false takes that back. Errors: not_found; conflict
// if the reply is hidden, deleted or being answered.
func (s *API) SetReplyAside(ctx context.Context, p mission.Principal, id string, done bool) (mission.Reply, error) {
	return s.changeReply(ctx, p, id, func(_ store.Tx, _ mission.Mission, r mission.Reply, now time.Time) (mission.Reply, error) {
		return r.SetAside(done, p.Author(), now)
	})
}

// changeReply changes a reply in a transaction that locks its mission and itself, and returns it
// as it was written.
func (s *API) changeReply(
	ctx context.Context, p mission.Principal, id string,
	change func(tx store.Tx, m mission.Mission, r mission.Reply, now time.Time) (mission.Reply, error),
) (mission.Reply, error) {
	found, err := s.Reply(ctx, p, id)
	if err != nil {
		return found, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Reply, error) {
		now := s.clock.Now()
		m, err := tx.LockMission(ctx, p.TenantID, found.MissionID)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return found, mission.NotFound(replyNoun, id) // it was deleted with its mission
		}
		if err != nil {
			return found, err
		}
		r, err := tx.LockReply(ctx, p.TenantID, id)
		if err != nil {
			return r, err
		}
		changed, err := change(tx, m, r, now)
		if err != nil {
			return r, err
		}
		return changed, tx.ChangeReply(ctx, changed)
	})
}

package missions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// lockAnswer locks the reply of the task with its post, which becomes the answer. Errors: ErrDone
// if there is no answer to be sent.
func (p *lockedPost) lockAnswer(ctx context.Context) error {
	r, post, err := lockReply(ctx, p.tx, p.task)
	if err != nil {
		return err
	}
	if r.Answer == nil {
		return ErrDone
	}
	p.Content, p.reply = post.Answering(r), &r
	return nil
}

// lockReply locks the reply of a task and its post. Errors: store.ErrLost if it was deleted.
func lockReply(ctx context.Context, tx store.Tx, t mission.Task) (r mission.Reply, post mission.Content, err error) {
	if r, err = tx.LockReply(ctx, t.TenantID, t.Subject); err == nil {
		post, err = tx.LockContent(ctx, t.TenantID, r.ContentID)
	}
	if mission.CodeOf(err) == mission.CodeNotFound {
		err = store.ErrLost
	}
	return r, post, err
}

// Hiding is a reply that is to be hidden.
type Hiding struct {
	Reply mission.Reply
	// Via is the integration through which it is hidden; nil is the sandbox.
	Via *mission.Integration
	// Ready reports whether the platform is to be called.
	Ready bool
}

// OpenHiding returns the task's reply, if its platform is to be asked to hide it. Errors: ErrDone,
// store.ErrLost.
func (s *Pipeline) OpenHiding(ctx context.Context, t mission.Task) (h Hiding, err error) {
	err = s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		r, post, err := lockReply(ctx, tx, t)
		if err != nil {
			return err
		}
		if r.Status != mission.ReplyHidden || r.Hiding == nil || r.Hiding.Done {
			return ErrDone
		}
		h = Hiding{Reply: r, Ready: true}
		if r.IntegrationID == "" {
			return nil
		}
		p := lockedPost{Content: post, tx: tx, task: t, mission: m, now: now}
		stops, err := tx.PublishingStops(ctx, r.TenantID, r.Platform, r.IntegrationID)
		if err != nil {
			return err
		}
		via, ok, err := tx.PublishingIntegration(ctx, r.TenantID, r.Platform, r.IntegrationID)
		if err != nil {
			return err
		}
		h.Via, h.Ready = &via, false
		switch {
		case stops.Held:
			return p.wait(ctx, now.Add(mission.HoldPoll))
		case !ok || via.DeletedAt != nil:
			gone := mission.AccountGone(r.Platform)
			return errors.Join(tx.ChangeReply(ctx, r.Concealed(&gone, now)), tx.FinishTask(ctx, t))
		}
		again, ok := mission.AccountState{Integration: &via, PausedUntil: stops.Until}.Callable(now)
		if h.Ready = ok; !ok {
			return p.wait(ctx, again)
		}
		return nil
	})
	return h, err
}

// SettleHiding records what became of a call that hides the task's reply. Errors: ErrDone,
// store.ErrLost.
func (s *Pipeline) SettleHiding(ctx context.Context, t mission.Task, r mission.PublishResult) error {
	return s.leased(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		reply, _, err := lockReply(ctx, tx, t)
		if err != nil {
			return err
		}
		delay, again := t.Type.Plan().Delay(t.Attempt)
		switch {
		case r.Outcome == mission.OutcomeAccepted:
			reply = reply.Concealed(nil, now)
		case r.Outcome == mission.OutcomeRefused || !again:
			reply = reply.Concealed(&r.Failure, now)
		default:
			if r.RetryAfter > 0 {
				if err := tx.PauseAccount(ctx, reply.TenantID, reply.Platform, reply.IntegrationID, now.Add(r.RetryAfter)); err != nil {
					return err
				}
			}
			return tx.ReleaseTask(ctx, t, now.Add(max(delay, r.RetryAfter)), now, t.Attempt)
		}
		if err := tx.ChangeReply(ctx, reply); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// readOf returns those of the locked posts whose replies were read, by id: not those that another run has read on in
// the meantime.
func readOf(locked []mission.Content, got Measured) map[string]mission.Content {
	posts := map[string]mission.Content{}
	for _, c := range got.Due {
		if _, read := got.Replies[c.ID]; read && slices.ContainsFunc(locked, func(l mission.Content) bool { return l.ID == c.ID && l.ReplyReads == c.ReplyReads }) {
			posts[c.ID] = c
		}
	}
	return posts
}

// keepReplies writes what was read of the replies to m's posts, which are locked. The number of
// statements doesn't grow with the posts or their replies.
func keepReplies(ctx context.Context, tx store.Tx, m mission.Mission, locked []mission.Content, got Measured, now time.Time) error {
	posts := readOf(locked, got)
	var ids, found, whole []string
	reads := map[string]mission.ReplyReads{}
	for _, id := range slices.Sorted(maps.Keys(posts)) {
		r := got.Replies[id]
		ids = append(ids, id)
		for _, f := range r.Replies {
			found = append(found, f.ID)
		}
		found = append(found, r.Gone...)
		if r.All() {
			whole = append(whole, id)
		}
		if r.Reads != posts[id].ReplyReads {
			reads[id] = r.Reads
		}
	}
	if len(found)+len(whole) == 0 {
		return tx.SetReplyReads(ctx, m.ID, reads)
	}
	known, err := tx.KnownReplies(ctx, ids, found, whole)
	if err != nil {
		return err
	}
	counts, err := tx.CountReplies(ctx, ids)
	if err != nil {
		return err
	}
	of := map[string][]mission.Reply{}
	for _, r := range known {
		of[r.ContentID] = append(of[r.ContentID], r)
	}
	var all mission.TakenOver
	newID := func() string { return tx.NewID(mission.PrefixReply, now) }
	for _, id := range ids {
		t := posts[id].TakeOver(of[id], got.Replies[id], counts[id], newID, now)
		all.Added, all.Changed = append(all.Added, t.Added...), append(all.Changed, t.Changed...)
		all.Seen, all.Events = append(all.Seen, t.Seen...), append(all.Events, t.Events...)
	}
	if err := fitReplies(ctx, tx, m.TenantID, &all); err != nil {
		return err
	}
	if err := tx.TakeOverReplies(ctx, m.TenantID, all); err != nil {
		return err
	}
	return tx.SetReplyReads(ctx, m.ID, reads)
}

// fitReplies leaves out new replies for which the tenant has no room.
func fitReplies(ctx context.Context, tx store.Tx, tenantID string, t *mission.TakenOver) error {
	if len(t.Added) == 0 {
		return nil
	}
	room, err := tx.RoomForReplies(ctx, tenantID)
	n := min(len(t.Added), room)
	t.Added, t.Events = t.Added[:n], t.Events[:n]
	return err
}

// OpenReplies reserves what reading up to limit replies to a post may cost; ok is false if the
// budget can't pay for it.
func (s *Pipeline) OpenReplies(ctx context.Context, t mission.Task, b Batch, c mission.Content, limit int) (r Reading, ok bool, err error) {
	r = Reading{task: t, fees: feesOf(c), subject: readingsOf(t) + c.ID + "/replies", limit: limit}
	if b.Via == nil || r.fees.Reply == 0 {
		r.limit = 0
		return r, true, nil
	}
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, t.TenantID, t.MissionID)
		if err != nil {
			return err
		}
		price := r.fees.Reply * mission.Micros(limit)
		planned := m.Counts.PendingReview + m.Counts.Approved - m.Counts.Published
		if !m.Affords(price + (r.fees.Post+r.fees.Lookup)*mission.Micros(planned)) {
			return errOverBudget
		}
		_, err = reserve(ctx, tx, m, c.JobID, mission.SpendMeasuring, r.subject, price, s.clock.Now())
		return err
	})
	if errors.Is(err, errOverBudget) {
		return r, false, nil
	}
	return r, err == nil, err
}

// CloseReplies records what reading replies cost: those that the platform charges for, or all that
// were asked for if its response was lost. It does so even if ctx is canceled.
func (s *Pipeline) CloseReplies(ctx context.Context, r Reading, charged int, lost bool) error {
	if r.limit == 0 {
		return nil
	}
	if lost {
		charged = r.limit
	}
	return s.settleReading(ctx, r, r.fees.Reply*mission.Micros(min(charged, r.limit)))
}

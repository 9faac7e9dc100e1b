package missions

import (
	"context"
	"errors"
	"net/url"
	"time"

	"missiond/internal/links"
	"missiond/mission"
	"missiond/store"
)

// PendingUpload is a file that a post's platform doesn't have yet.
type PendingUpload struct {
	File mission.PostMedia
	// Draft reports that it is no file but the post's next part, as a draft.
	Draft bool
	// So is how far it has come.
	So mission.Upload
}

// filesSubject returns the subject of the reservation for what a post's files cost.
func filesSubject(c mission.Content) string { return c.ID + "/files" }

// upload returns the next step of the post's next file; ok is false if the platform has all. A
// post has its files on the platform before it is sent, so that sending it is one call.
// Errors: errOverBudget.
func (s *Pipeline) upload(ctx context.Context, p lockedPost, via *mission.Integration, lookup mission.Lookup) (call Call, ok bool, err error) {
	if via == nil {
		return Call{}, false, nil
	}
	if p.task.Type != mission.TaskContentPublish {
		return p.draft(via, lookup)
	}
	file, so, ok := p.NextUpload(p.now)
	if !ok {
		if file, ok = cardOf(p.Content); ok {
			so = p.UploadOf(file, p.now)
			ok = so.State != mission.UploadReady
		}
	}
	if !ok {
		return p.draft(via, lookup)
	}
	call = Call{Content: p.Content, Via: via, Ready: true, Lookup: lookup, Upload: &PendingUpload{File: file, So: so}}
	if price := s.altTextPrice(via, so); price > 0 {
		_, err = reserve(ctx, p.tx, p.mission, p.JobID, mission.SpendPublishing, filesSubject(p.Content), price, p.now)
	}
	return call, true, err
}

// draft returns the next step of the post's next part as a draft; ok is false if its platform has it,
// or no drafts.
func (p lockedPost) draft(via *mission.Integration, lookup mission.Lookup) (call Call, ok bool, err error) {
	if !p.Drafts() {
		return Call{}, false, nil
	}
	so := p.Draft(p.now)
	return Call{Content: p.Content, Via: via, Ready: true, Lookup: lookup, Upload: &PendingUpload{Draft: true, So: so}}, so.State != mission.UploadReady, nil
}

// cardOf returns the first link of a post as the file of its card; ok is false if the post shows none,
// or its platform makes cards itself.
func cardOf(c mission.Content) (card mission.PostMedia, ok bool) {
	caps, _ := mission.CapabilitiesOf(c.Platform)
	if !caps.LinkCards || len(c.Media) > 0 || len(c.Published) > 0 {
		return card, false
	}
	text := c.SentTexts()[0]
	for _, l := range links.On(c.Platform, text) {
		address := text[l.Start:l.End]
		if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			return mission.LinkFile(address, c.LeadsTo(address)), true
		}
	}
	return card, false
}

// altTextPrice returns what telling the platform an alt text costs, if that is still to be
// done.
func (*Pipeline) altTextPrice(via *mission.Integration, so mission.Upload) mission.Micros {
	if so.AltText == "" || so.Described {
		return 0
	}
	caps, _ := mission.CapabilitiesOf(via.Platform)
	return caps.Fees.AltText
}

// SettleUpload records a step of an upload, made is how far it has come by then, and returns the
// next step for the post. failed is why the step failed; r is what that means. Errors: ErrDone,
// store.ErrLost.
func (s *Pipeline) SettleUpload(ctx context.Context, t mission.Task, call Call, made mission.Upload, r mission.PublishResult) (next Call, err error) {
	err = s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		p, err := subjectOf(ctx, tx, m, t, now)
		if err != nil {
			return err
		}
		c := p.Content
		if err := s.settleAltText(ctx, &p, call, made); err != nil {
			return err
		}
		if c.Status != mission.ContentScheduled || c.Revision != call.Content.Revision {
			return p.wait(ctx, now) // it has changed meanwhile: from the beginning
		}
		if r.Outcome != mission.OutcomeAccepted {
			return s.uploadFailed(ctx, p, call, r)
		}
		var late bool
		if p.Content, late = p.Uploaded(made, now); late {
			return s.abandon(ctx, p, p.FinalFailure(mission.Unprocessed(p.Platform)))
		}
		if err := p.write(ctx, mission.ContentChange{From: c.Status, FromSlot: c.ScheduledAt, To: p.Content}); err != nil {
			return err
		}
		if made.Wait > 0 {
			return p.wait(ctx, now.Add(made.Wait))
		}
		if p.mission.Status != mission.StatusActive {
			return p.wait(ctx, now)
		}
		next, err = s.begin(ctx, p, call.Via, call.Lookup)
		next.Presentation = call.Presentation
		return err
	})
	return next, err
}

// settleAltText records what telling the platform an alt text has cost, if it was told one.
func (s *Pipeline) settleAltText(ctx context.Context, p *lockedPost, call Call, made mission.Upload) error {
	price := s.altTextPrice(call.Via, call.Upload.So)
	if price == 0 {
		return nil
	}
	if !made.Described {
		price = 0
	}
	p.Cost += price
	return p.tx.Settle(ctx, p.MissionID, mission.SpendPublishing, filesSubject(p.Content), price, p.now)
}

// uploadFailed settles a post whose file couldn't be uploaded.
func (s *Pipeline) uploadFailed(ctx context.Context, p lockedPost, call Call, r mission.PublishResult) error {
	j, err := jobOf(ctx, p.tx, p.mission, p.Content)
	if err != nil {
		return err
	}
	f := mission.PublishAttempt{Number: p.task.Attempt, WindowEnd: j.Window.End, Task: p.task}.AfterUpload(p.Content, r, p.now)
	if !f.More {
		return s.abandon(ctx, p, p.FinalFailure(f.Failure))
	}
	if !f.PausedUntil.IsZero() {
		if err := p.tx.PauseAccount(ctx, p.TenantID, p.Platform, call.Via.ID, f.PausedUntil); err != nil {
			return err
		}
	}
	if r.FilesGone {
		anew, _ := p.Uploaded(mission.Upload{Hash: call.Upload.So.Hash, AltText: call.Upload.So.AltText}, p.now)
		if err := p.write(ctx, mission.ContentChange{From: p.Status, FromSlot: p.ScheduledAt, To: anew}); err != nil {
			return err
		}
	}
	return p.tx.ReleaseTroubled(ctx, p.task, f.Trouble, f.RunAt, p.now, f.Attempts)
}

// begin returns the next step of a post whose slot has come and that may go out: an upload, or
// the call that sends it, which is recorded. A post that the budget can't pay fails.
func (s *Pipeline) begin(ctx context.Context, p lockedPost, via *mission.Integration, lookup mission.Lookup) (Call, error) {
	call, ok, err := s.upload(ctx, p, via, lookup)
	if err == nil && !ok {
		call, err = s.send(ctx, p, via, lookup)
	}
	if errors.Is(err, errOverBudget) {
		return Call{}, s.abandon(ctx, p, p.FinalFailure(mission.BudgetExhausted()))
	}
	return call, err
}

// send records that the post's platform is about to be called. Errors: errOverBudget.
func (s *Pipeline) send(ctx context.Context, p lockedPost, via *mission.Integration, lookup mission.Lookup) (Call, error) {
	ch, err := p.Publishing(via, p.now)
	if err != nil {
		return Call{}, err
	}
	if err := reserveFees(ctx, p.tx, p.mission, ch.To, p.now); err != nil {
		return Call{}, err
	}
	if err := p.tx.AddTrackedLinks(ctx, ch.To.TrackedLinks(), p.now); err != nil {
		return Call{}, err
	}
	return Call{Content: ch.To, Via: via, Ready: true, Lookup: lookup}, p.write(ctx, ch)
}

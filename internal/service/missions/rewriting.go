package missions

import (
	"context"
	"errors"
	"fmt"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// RegenerateContent has the writer write a post again, with a reviewer's
// instructions or "". revision is the one that was read; nil replaces any. Errors:
// invalid_request on instructions; not_found; conflict, also if the mission isn't
// active, the budget is used up, the writer can't write the post, or the post changed
// meanwhile; service_unavailable if the writer is unavailable.
func (s *API) RegenerateContent(ctx context.Context, p mission.Principal, id, instructions string, revision *int) (mission.Content, error) {
	instructions = mission.Tidy(instructions)
	if err := mission.CheckInstructions(instructions); err != nil {
		return mission.Content{}, err
	}
	if c, ok, err := idempotency.Earlier[mission.Content](ctx, s.db); ok || err != nil {
		return c, err
	}
	c, err := s.Content(ctx, p, id)
	if err != nil {
		return c, err
	}
	texts, openings, err := s.used(ctx, p, c)
	if err != nil {
		return mission.Content{}, err
	}
	limits, err := s.ownLimits(ctx, accountsOn{}, p.TenantID, c.Platform, c.IntegrationID)
	if err != nil {
		return mission.Content{}, err
	}
	o, err := s.order(ctx, p, c, revision, instructions, limits)
	if err != nil {
		return mission.Content{}, err
	}
	o.assignment.UsedTexts, o.assignment.LatestTexts, o.assignment.UsedOpenings = texts.used, texts.own, openings
	d, v, err := s.write(ctx, o.pen, o.assignment)
	if o.price > 0 {
		err = s.settleCall(ctx, p.TenantID, o.missionID, o.money, d.Cost, err)
	}
	if err = refusal(err); err != nil {
		return mission.Content{}, err
	}
	return s.changePost(ctx, p, id, func(tx store.Tx, now opened) error {
		if now.content.Revision+1 != o.assignment.Revision {
			return mission.Conflict("The post was changed meanwhile; it is at revision %d.", now.content.Revision)
		}
		if err := checkFiles(ctx, tx, now.content); err != nil {
			return err
		}
		excluded, err := exclusions(ctx, tx, now.mission)
		if err != nil {
			return err
		}
		comment, discloses := now.content.CommentText(), o.assignment.Disclosure
		d := d.Disclosing(discloses.Line())
		v = v.With(excluded.Verdict(mission.FullText(d.Text, comment), d.Facts, now.content.OutAt(now.now)))
		return s.revise(ctx, tx, now, mission.Wording{
			Draft: d, Comment: comment, Media: now.content.MediaWithin(len(d.Texts())), Facts: d.Facts, Verdict: v, Instructions: o.assignment.Instructions,
			Disclosed: discloses.Disclose(discloses.Line()), Outgoing: outgoing(c.Platform, o.assignment.Links.Of(c.ID), d, comment),
		})
	})
}

// used returns what a new revision of a post must not repeat: texts, and how the mission's posts
// begin.
func (s *API) used(ctx context.Context, p mission.Principal, c mission.Content) (texts latest, openings mission.TextSet, err error) {
	m, err := s.db.Mission(ctx, p.TenantID, c.MissionID)
	if err != nil {
		return texts, nil, err
	}
	texts, err = s.latestTexts(ctx, textSets{}, p.TenantID, destination{c.Platform, c.IntegrationID}, m.Disclosure.Line())
	if err != nil {
		return texts, nil, err
	}
	openings, err = s.openings(ctx, c.MissionID)
	return texts, openings, err
}

// refusal returns the error that a reviewer sees for a writer's error.
func refusal(err error) error {
	var unusable *mission.WritingError
	var outage *mission.OutageError
	switch {
	case errors.As(err, &unusable):
		return mission.Conflict("%s", unusable.Failure.Message)
	case errors.As(err, &outage):
		return &mission.Error{
			Code: mission.CodeServiceUnavailable, Message: outage.Failure.Message, RetryAfter: max(int(outage.RetryAfter.Seconds()), outageRetry),
		}
	}
	return err
}

// outageRetry is the least Retry-After, in seconds, while the writer is
// unavailable.
const outageRetry = 60

// order is a revision that the writer is to write.
type order struct {
	assignment mission.Assignment
	pen        tenantPen
	missionID  string
	price      mission.Micros
	money      string // the reservation's id, if the price isn't 0
}

// rewritable returns an error for a post that can't be written again: before anything is paid for it. Errors: conflict.
func rewritable(ctx context.Context, tx store.Tx, o opened, revision *int) error {
	if o.mission.Status != mission.StatusActive {
		return mission.Conflict("A mission that is %s writes nothing.", o.mission.Status)
	}
	if err := o.content.CheckRevisableAt(revision, "regenerated"); err != nil {
		return err
	}
	if o.content.Origin == mission.OriginPerson {
		return mission.Conflict("A person wrote the post; edit it instead.")
	}
	return tx.CheckTextQuota(ctx, o.mission.TenantID)
}

// order reserves the price of a post's next revision; revision is the one that was read, nil
// any. Each try of a request makes a reservation of its own, as it calls the writer again. Errors: conflict, also if
// the budget is used up.
func (s *API) order(
	ctx context.Context, p mission.Principal, c mission.Content, revision *int, instructions string,
	own mission.TextLimits,
) (o order, err error) {
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		found, err := s.open(ctx, tx, p, c.MissionID, c.ID)
		if err != nil {
			return err
		}
		c, m := found.content, found.mission
		if err := rewritable(ctx, tx, found, revision); err != nil {
			return err
		}
		slot, ok := found.job.Plan.Slot(c.Position)
		if !ok {
			return fmt.Errorf("the job %s plans no post %d", found.job.ID, c.Position)
		}
		slot.Format, slot.At = c.Format, c.OutAt(found.now)
		o = order{assignment: mission.NewAssignment(found.job, slot), missionID: m.ID}
		brand, err := tx.Brand(ctx, m.TenantID)
		if err != nil {
			return err
		}
		o.assignment = o.assignment.Under(m.Exclusions(brand))
		o.assignment.Revision, o.assignment.Instructions, o.assignment.Limits = c.Revision+1, instructions, own
		o.assignment.Captioned = len(c.Media) > 0
		if o.assignment.Replaced = c.Texts(); c.Repeats != "" {
			o.assignment.Original = &c
		}
		o.assignment = disclosing(o.assignment, m.Disclosure)
		o.assignment.Links = s.linkRule(m, c.Platform)
		subject := fmt.Sprintf("%s/%d", c.ID, o.assignment.Revision)
		if o.pen, err = s.penOf(ctx, tx, m.TenantID); err != nil {
			return err
		}
		o.price = o.pen.Price(o.assignment)
		if o.price == 0 {
			return nil
		}
		o.money, err = reserve(ctx, tx, m, found.job.ID, mission.SpendWriting, subject, o.price, found.now)
		if errors.Is(err, errOverBudget) {
			return mission.Conflict("The mission's budget is used up.")
		}
		return err
	})
	return o, err
}

package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"missiond/internal/topic"
	"missiond/mission"
	"missiond/store"
)

// errOverBudget is a call that the mission's budget doesn't bear.
var errOverBudget = errors.New("service: the budget is used up")

// WritePosts writes the posts that the plan of the task's job still lacks, each
// kept as soon as it is written, and completes the stage. If the budget is
// used up, or posts can't be written, the stage ends with what it has, and says
// so; without any post at all it fails. more is asked before each post but the
// first: if it says no, the task is let go of and goes on in another run.
// Errors: ErrDone, store.ErrLost, the writer's.
func (s *Service) WritePosts(ctx context.Context, t mission.Task, j mission.Job, more func() bool) error {
	slots, err := s.unwritten(ctx, j)
	if err != nil {
		return err
	}
	excluded, openings, err := s.unwelcome(ctx, j)
	if err != nil {
		return err
	}
	said := sayings{}
	wrote := 0
	var unusable *mission.WritingError // the last that there was
	for i, slot := range slots {
		if i > 0 && !more() {
			if wrote > 0 {
				return s.ReturnTask(ctx, t)
			}
			break // the next run would meet the same refusals, and go on for ever
		}
		a := mission.NewAssignment(j, slot)
		a.Brief.Constraints.ExcludedTopics, a.UsedOpenings = excluded, openings
		if a.UsedTexts, err = s.said(ctx, said, j.TenantID, slot.Platform); err != nil {
			return err
		}
		err := s.writePost(ctx, t, &a)
		excluded = a.Brief.Constraints.ExcludedTopics
		switch {
		case err == nil:
			wrote++
		case errors.Is(err, errOverBudget):
			note := mission.Overdraft()
			return s.finishWriting(ctx, t, &note)
		default:
			failed := unwritable(err)
			if failed == nil {
				return err
			}
			unusable = failed
		}
	}
	switch none := wrote == 0 && len(slots) == len(j.Plan.Slots); {
	case unusable == nil:
		return s.finishWriting(ctx, t, s.writer.Remark(j.Brief))
	case none:
		return unusable
	}
	return s.finishWriting(ctx, t, &unusable.Failure)
}

// unwritable returns a writer's failure that another try at once won't mend: it
// can't write the post, or tells the tenant what to change, as if an objective
// is an excluded topic by now. nil is any other.
func unwritable(err error) *mission.WritingError {
	var failed *mission.WritingError
	var told *mission.Error
	switch {
	case errors.As(err, &failed):
		return failed
	case errors.As(err, &told) && told.Code == mission.CodeInvalidRequest:
		return &mission.WritingError{Failure: mission.Failure{Code: string(told.Code), Message: told.Message}}
	}
	return nil
}

// excludedNow are the topics that a job's posts don't mention, as they are now.
func (s *Service) excludedNow(ctx context.Context, j mission.Job) ([]string, error) {
	m, err := s.db.Mission(ctx, j.TenantID, j.MissionID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil, store.ErrLost
	}
	if err != nil {
		return nil, err
	}
	tenant, err := s.db.Tenant(ctx, j.TenantID)
	return m.Exclusions(tenant.Brand), err
}

// finishWriting completes the task's stage. What runs that were killed have
// left reserved counts as spent.
func (s *Service) finishWriting(ctx context.Context, t mission.Task, note *mission.Failure) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		if m.Reserved > 0 {
			if err := tx.SettleLost(ctx, m.ID, mission.SpendWriting, placesOf(j), now); err != nil {
				return err
			}
		}
		if err := finish(ctx, tx, m, j, note, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// sayings are what tenants' latest posts say, by platform.
type sayings map[mission.Platform]mission.TextSet

// saidPosts is how many posts a writer doesn't repeat.
const saidPosts = 60

// said returns what a tenant's latest posts on a platform say, and keeps it.
func (s *Service) said(ctx context.Context, known sayings, tenantID string, p mission.Platform) (mission.TextSet, error) {
	if said, ok := known[p]; ok {
		return said, nil
	}
	texts, err := s.db.LatestTexts(ctx, tenantID, p, saidPosts)
	if err != nil {
		return nil, err
	}
	said := mission.TextSet{}
	said.Add(texts...)
	known[p] = said
	return said, nil
}

// unwelcome returns what no post of a job may mention, and how none may begin.
func (s *Service) unwelcome(ctx context.Context, j mission.Job) (excluded []string, openings mission.TextSet, err error) {
	if excluded, err = s.excludedNow(ctx, j); err != nil {
		return nil, nil, err
	}
	openings, err = s.openings(ctx, j.MissionID)
	return excluded, openings, err
}

// openings returns how a mission's posts begin.
func (s *Service) openings(ctx context.Context, missionID string) (mission.TextSet, error) {
	texts, err := s.db.Beginnings(ctx, missionID, mission.MaxOpening)
	if err != nil {
		return nil, err
	}
	openings := mission.TextSet{}
	for _, text := range texts {
		openings.Add(mission.Opening(text))
	}
	return openings, nil
}

// unwritten returns the slots of a job's plan that have no post yet: those
// behind the last post first, since those before it were tried already.
func (s *Service) unwritten(ctx context.Context, j mission.Job) ([]mission.Slot, error) {
	written, err := s.db.Written(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	has := map[int]bool{}
	for _, position := range written {
		has[position] = true
	}
	var tried, fresh []mission.Slot
	for _, slot := range j.Plan.Slots {
		if has[slot.Position] {
			tried, fresh = append(tried, fresh...), nil
			continue
		}
		fresh = append(fresh, slot)
	}
	return append(fresh, tried...), nil
}

// writePost writes one post: its price is reserved before the writer is
// called, and settled with the post. The assignment has the exclusions as they are
// then. Errors: errOverBudget too.
func (s *Service) writePost(ctx context.Context, t mission.Task, a *mission.Assignment) error {
	price, money := s.writer.Price(*a), ""
	if price > 0 {
		err := s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) (err error) {
			money, err = reserve(ctx, tx, m, j.ID, mission.SpendWriting, fmt.Sprintf("%s%d/%d", placesOf(j), a.Slot.Position, a.Revision), price, now)
			return err
		})
		if err != nil {
			return err
		}
	}
	d, v, err := s.write(ctx, *a)
	if err == nil {
		err = s.keepPost(ctx, t, a, d, v, money)
	}
	if err != nil && money != "" {
		err = s.settleCall(ctx, t.TenantID, t.MissionID, money, d.Cost, err)
	}
	return err
}

// placesOf is how the subjects begin of what is reserved for the places of a
// job's plan.
func placesOf(j mission.Job) string { return j.ID + "/" }

// keepPost keeps what was written, and settles money, the reservation for it.
// If the exclusions changed meanwhile, the text is held to what they are now.
func (s *Service) keepPost(ctx context.Context, t mission.Task, a *mission.Assignment, d mission.Draft, v mission.Verdict, money string) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		if money != "" {
			if err := tx.SettleOne(ctx, money, d.Cost, now); err != nil {
				return err
			}
		}
		posts, err := tx.UnsettledContents(ctx, j.MissionID)
		if err != nil {
			return err
		}
		brand, err := tx.Brand(ctx, m.TenantID)
		if err != nil {
			return err
		}
		if current := m.Exclusions(brand); !slices.Equal(current, a.Brief.Constraints.ExcludedTopics) {
			a.Brief.Constraints.ExcludedTopics, v = current, judge(d.Text, topic.NewList(current))
		}
		a.UsedTexts.Add(d.Texts()...)
		a.UsedOpenings.Add(mission.Opening(d.Text))
		a.Slot.At = mission.FreeSlot(a.Slot.At, posts)
		c, events := mission.NewContent(tx.NewID(mission.PrefixContent, now), j, *a, d, v, now)
		if err := tx.AddContent(ctx, c, events); err != nil {
			return err
		}
		return tx.AddTasks(ctx, now, reviewTasks(m, j, posts, c)...)
	})
}

// write has a draft written, and checks it. Its cost is told also if it is
// refused.
func (s *Service) write(ctx context.Context, a mission.Assignment) (mission.Draft, mission.Verdict, error) {
	d, err := s.writer.Write(ctx, a)
	if err != nil {
		return d, mission.Verdict{}, err
	}
	if d.Cost < 0 {
		return mission.Draft{}, mission.Verdict{}, fmt.Errorf("the writer's draft costs %d micros", d.Cost)
	}
	v, err := check(a.Slot.Platform, d, topic.NewList(a.Brief.Constraints.ExcludedTopics))
	return d, v, err
}

// reserve keeps what a call may cost, if the mission's budget bears it, and
// answers the reservation's id. Errors: errOverBudget.
func reserve(ctx context.Context, tx store.Tx, m mission.Mission, jobID string, kind mission.SpendingKind, subject string, price mission.Micros, now time.Time) (id string, err error) {
	if !m.Affords(price) {
		return "", errOverBudget
	}
	id = tx.NewID(mission.PrefixSpending, now)
	return id, tx.Reserve(ctx, mission.Spending{
		ID: id, TenantID: m.TenantID, MissionID: m.ID, JobID: jobID, Kind: kind, Subject: subject, Reserved: price,
	}, now)
}

// settleCall records what a call cost that ended with err, by the id of its
// reservation, and answers err. If that fails, only err's words go with the failure, lest somebody goes on
// as though the call were settled.
func (s *Service) settleCall(ctx context.Context, tenantID, missionID, id string, cost mission.Micros, err error) error {
	failed := s.settleWriting(ctx, tenantID, missionID, id, cost)
	switch {
	case failed == nil:
		return err
	case err == nil:
		return failed
	}
	return errors.Join(failed, errors.New(err.Error()))
}

// bookLimit bounds recording what a call cost whose run is over.
const bookLimit = 2 * time.Second

// settleWriting records what a call cost whose draft isn't kept, also if
// the run has ended meanwhile: what is known to be spent is no reservation.
func (s *Service) settleWriting(ctx context.Context, tenantID, missionID, id string, cost mission.Micros) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookLimit)
	defer cancel()
	return s.db.Tx(ctx, func(tx store.Tx) error {
		_, err := tx.LockMission(ctx, tenantID, missionID)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return nil // its money went with it
		}
		if err != nil {
			return err
		}
		return tx.SettleOne(ctx, id, cost, s.clock.Now())
	})
}

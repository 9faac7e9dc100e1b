package missions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"missiond/internal/checks"
	"missiond/internal/database"
	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/store"
)

// errOverBudget means that the mission's budget can't pay for a call.
var errOverBudget = errors.New("missions: the budget is used up")

// WritePosts writes the posts that the plan of the work's job still lacks, stores each as
// soon as it is written, and completes the stage. If the budget is used up, or posts
// can't be written, the stage ends with the posts that it has and a note; without any
// post it fails, unless posts were left out because of what they said. more is called
// before each post but the first: if it returns false, the task is released and goes on
// in another run. Errors: ErrDone, store.ErrLost, the writer's.
func (s *Pipeline) WritePosts(ctx context.Context, t mission.Task, w Work, more func() bool) error {
	j := w.Job
	slots, err := s.unwritten(ctx, j)
	if err != nil {
		return err
	}
	known, err := s.readFor(ctx, w)
	if err != nil {
		return err
	}
	wrote := 0
	var missing []*mission.WritingError
	for i, slot := range slots {
		if i > 0 && !more() {
			if wrote > 0 {
				return s.ReturnTask(ctx, t, t.Trouble, 0)
			}
			break // the next run would get the same refusals, without end
		}
		failed, err := s.writeSlot(ctx, t, j, slot, &known)
		switch {
		case errors.Is(err, errOverBudget):
			note := mission.BudgetExhausted()
			return s.finishWriting(ctx, t, &note)
		case err != nil:
			return err
		case failed == nil:
			wrote++
		default:
			missing = append(missing, failed)
		}
	}
	return s.endWriting(ctx, t, j, missing, wrote == 0 && len(slots) == len(j.Plan.Slots))
}

// endWriting completes the stage of a job, with why posts are missing. It fails if there are none at
// all, unless some were left out because of what they said.
func (s *Pipeline) endWriting(ctx context.Context, t mission.Task, j mission.Job, missing []*mission.WritingError, none bool) error {
	if len(missing) == 0 {
		return s.finishWithRemark(ctx, t, j)
	}
	last := missing[len(missing)-1]
	leftOut := slices.ContainsFunc(missing, func(e *mission.WritingError) bool { return e.Failure.Code == mission.CodeWriterBrokeRule })
	if none && !leftOut {
		return last
	}
	return s.finishWriting(ctx, t, &last.Failure)
}

// writeSlot writes the post of a slot, and updates what is known. failed is why it can't be written, unless that
// is an error of the run. Errors: errOverBudget too.
func (s *Pipeline) writeSlot(ctx context.Context, t mission.Task, j mission.Job, slot mission.Slot, known *jobReads) (failed *mission.WritingError, err error) {
	a, err := s.assign(ctx, j, slot, *known)
	if err != nil {
		return nil, err
	}
	a, a.UsedOpenings = a.Under(known.excluded), known.openings
	err = s.writeOrRepeat(ctx, t, &a, known)
	known.excluded = a.Exclusions()
	if err == nil || errors.Is(err, errOverBudget) {
		return nil, err
	}
	if failed = unwritable(err); failed != nil {
		err = nil
	}
	return failed, err
}

// finishWithRemark completes the stage of a job whose posts are written, with what the writer remarks.
func (s *Pipeline) finishWithRemark(ctx context.Context, t mission.Task, j mission.Job) error {
	pen, err := s.penOf(ctx, s.store, t.TenantID)
	if err != nil {
		return err
	}
	return s.finishWriting(ctx, t, pen.Remark(j.Brief))
}

// jobReads are what the assignments of a job have in common, each read once: what the tenant's posts say,
// its accounts, what no post of the mission may have, as it is now, how its posts begin, and its pictures.
type jobReads struct {
	latest   textSets
	accounts accountsOn
	excluded mission.Exclusions
	openings mission.TextSet
	pictures mission.Pictures
	// disclosure is what the mission's posts disclose.
	disclosure mission.Disclosure
	// links is what becomes of their links.
	links func(mission.Platform) mission.LinkRule
}

// assign returns the assignment for a slot of a job's plan, without what no post of the
// mission may mention or repeat. It caches in known what it reads.
func (s *Pipeline) assign(ctx context.Context, j mission.Job, slot mission.Slot, known jobReads) (a mission.Assignment, err error) {
	a = mission.NewAssignment(j, slot)
	a.Pictures = known.pictures.For(slot)
	line := known.disclosure.Line()
	latest, err := s.latestTexts(ctx, known.latest, j.TenantID, destination{slot.Platform, slot.IntegrationID}, line)
	if err != nil {
		return a, err
	}
	a.UsedTexts, a.LatestTexts = latest.used, latest.own
	a.Limits, err = s.ownLimits(ctx, known.accounts, j.TenantID, slot.Platform, slot.IntegrationID)
	a.Links = known.links(slot.Platform)
	return disclosing(a, known.disclosure), err
}

// unwritable returns a writer's failure that an immediate retry won't fix: the post can't
// be written, or the tenant has to change something, such as an objective that is an
// excluded topic by now. It returns nil for any other error.
func unwritable(err error) *mission.WritingError {
	var failed *mission.WritingError
	var failure *mission.Error
	switch {
	case errors.As(err, &failed):
		return failed
	case errors.As(err, &failure) && failure.Code == mission.CodeInvalidRequest:
		return &mission.WritingError{Failure: mission.Failure{Code: string(failure.Code), Message: failure.Message}}
	}
	return nil
}

// finishWriting completes the task's stage. Reservations that killed runs left behind
// count as spent.
func (s *Pipeline) finishWriting(ctx context.Context, t mission.Task, note *mission.Failure) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		if m.Reserved > 0 {
			if err := tx.SettleLost(ctx, m.ID, mission.SpendWriting, slotSubjects(j), now); err != nil {
				return err
			}
		}
		if err := finish(ctx, tx, m, j, note, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// readFor returns what the assignments of a job have in common, as far as each needs it.
func (s *Pipeline) readFor(ctx context.Context, w Work) (known jobReads, err error) {
	tenant, err := s.store.Tenant(ctx, w.Mission.TenantID)
	if err != nil {
		return known, err
	}
	known = jobReads{
		latest: textSets{}, accounts: accountsOn{}, excluded: w.Mission.Exclusions(tenant.Brand), disclosure: w.Mission.Disclosure,
		links: func(p mission.Platform) mission.LinkRule { return s.linkRule(w.Mission, p) },
	}
	if known.openings, err = s.openings(ctx, w.Mission.ID); err != nil {
		return known, err
	}
	known.pictures, err = s.pictures(ctx, w)
	return known, err
}

// openings returns how a mission's posts begin.
func (s *core) openings(ctx context.Context, missionID string) (mission.TextSet, error) {
	texts, err := s.store.Beginnings(ctx, missionID, mission.MaxOpening)
	if err != nil {
		return nil, err
	}
	openings := mission.TextSet{}
	for _, text := range texts {
		openings.Add(mission.Opening(text))
	}
	return openings, nil
}

// unwritten returns the slots of a job's plan that have no post yet: those after the last
// post first, since the others were tried already.
func (s *Pipeline) unwritten(ctx context.Context, j mission.Job) ([]mission.Slot, error) {
	if j.Written == 0 {
		return j.Plan.Slots, nil
	}
	written, err := s.store.Written(ctx, j.ID)
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

// writePost writes one post. It reserves the price before it calls the writer, and
// settles it with the post. It updates a's exclusions if they have changed. Errors:
// errOverBudget too.
func (s *Pipeline) writePost(ctx context.Context, t mission.Task, a *mission.Assignment, pictures mission.Pictures) error {
	if len(a.Pictures) == 0 && a.Original == nil && a.NeedsPicture() {
		if pictures.Coming() {
			return errPicturesComing
		}
		return a.NoPicture()
	}
	pen, err := s.penOf(ctx, s.store, t.TenantID)
	if err != nil {
		return err
	}
	price, money := pen.Price(*a), ""
	if price > 0 {
		err := s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) (err error) {
			money, err = reserve(
				ctx, tx, m, j.ID, mission.SpendWriting,
				fmt.Sprintf("%s%d/%d", slotSubjects(j), a.Slot.Position, a.Revision), price, now,
			)
			return err
		})
		if err != nil {
			return err
		}
	}
	d, v, err := s.write(ctx, pen, *a)
	if err == nil {
		err = s.storePost(ctx, t, a, d, v, money, pictures)
	}
	if err != nil && money != "" {
		err = s.settleCall(ctx, t.TenantID, t.MissionID, money, d.Cost, err)
	}
	return err
}

// slotSubjects returns the prefix of the subjects of reservations for the slots of a
// job's plan.
func slotSubjects(j mission.Job) string { return j.ID + "/" }

// storePost stores a written post, and settles money, the id of its reservation. If the
// exclusions have changed meanwhile, it checks the text against them again.
func (s *Pipeline) storePost(
	ctx context.Context, t mission.Task, a *mission.Assignment, d mission.Draft, v mission.Verdict, money string, pictures mission.Pictures,
) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		if money != "" {
			if err := tx.SettleOne(ctx, money, d.Cost, now); err != nil {
				return err
			}
		}
		posts, err := tx.Slots(ctx, j.MissionID)
		if err != nil {
			return err
		}
		brand, err := tx.Brand(ctx, m.TenantID)
		if err != nil {
			return err
		}
		if current := m.Exclusions(brand); !current.Equal(a.Exclusions()) {
			*a = a.Under(current)
			v = v.With(checks.NewExclusions(current).Verdict(d.Text, d.Facts, a.Slot.At))
		}
		a.UsedTexts.Add(d.Texts()...)
		a.LatestTexts.Add(d.Texts()...)
		a.UsedOpenings.Add(mission.Opening(d.Text))
		a.Slot.At = mission.FreeSlot(a.Slot.At, posts)
		if d.Media, err = filesOf(ctx, tx, m.TenantID, *a, d, pictures); err != nil {
			return err
		}
		c, events, err := newContent(ctx, tx, m, j, *a, d, v, now)
		if err != nil {
			return err
		}
		c.Outgoing = outgoing(c.Platform, a.Links.Of(c.ID), mission.Draft{Text: c.Text, Parts: c.Parts}, c.CommentText())
		if err := tx.AddContent(ctx, c, events); err != nil {
			return err
		}
		return tx.AddTasks(ctx, now, reviewTasks(m, j, posts, c)...)
	})
}

// write has pen write a draft, and checks it by all rules. The draft's cost is set with an error too. Errors: the writer's; invalid_request, naming text or parts; a *mission.WritingError if
// the draft breaks a rule.
func (s *core) write(ctx context.Context, pen tenantPen, a mission.Assignment) (mission.Draft, mission.Verdict, error) {
	d, err := pen.Write(ctx, a)
	if err = s.judgePen(ctx, pen, err); err != nil {
		return d, mission.Verdict{}, err
	}
	if d.Cost < 0 {
		return mission.Draft{}, mission.Verdict{}, fmt.Errorf("the writer's draft costs %d micros", d.Cost)
	}
	caps, ok := a.Capabilities()
	if !ok {
		return d, mission.Verdict{}, mission.CheckPlatform("platform", a.Slot.Platform)
	}
	if err := textlimit.Check(caps, d); err != nil {
		return d, mission.Verdict{}, err
	}
	v := checks.New(a).Verdict(d)
	if c, broken := v.Broken(); broken {
		return d, v, mission.LeftOut(c.Rule, *c.Message)
	}
	return d, v, nil
}

// reserve reserves what a call may cost, if the mission's budget can pay it, and returns
// the reservation's id. Errors: errOverBudget.
func reserve(
	ctx context.Context, tx store.Tx, m mission.Mission, jobID string, kind mission.SpendingKind, subject string,
	price mission.Micros, now time.Time,
) (id string, err error) {
	if !m.Affords(price) {
		return "", errOverBudget
	}
	id = tx.NewID(mission.PrefixSpending, now)
	return id, tx.Reserve(ctx, mission.Spending{
		ID: id, TenantID: m.TenantID, MissionID: m.ID, JobID: jobID, Kind: kind, Subject: subject, Reserved: price,
	}, now)
}

// settleCall records the cost of a call that ended with err, by the id of its
// reservation, and returns err. If that fails, it returns the failure with err's message
// only, so that no caller matches err and goes on as though the call were settled.
func (s *core) settleCall(ctx context.Context, tenantID, missionID, id string, cost mission.Micros, err error) error {
	failed := s.settleWriting(ctx, tenantID, missionID, id, cost)
	switch {
	case failed == nil:
		return err
	case err == nil:
		return failed
	}
	return errors.Join(failed, errors.New(err.Error()))
}

// bookLimit is how long recording the cost of a call is tried after its run has ended.
const bookLimit = 30 * time.Second

// settleWriting records the cost of a call whose draft isn't stored, even if the run has
// ended meanwhile: a known cost must not stay a reservation.
func (s *core) settleWriting(ctx context.Context, tenantID, missionID, id string, cost mission.Micros) error {
	return database.Insist(ctx, bookLimit, func(ctx context.Context) error {
		return s.store.Tx(ctx, func(tx store.Tx) error {
			_, err := tx.LockMission(ctx, tenantID, missionID)
			if mission.CodeOf(err) == mission.CodeNotFound {
				return nil // its spending was deleted with it
			}
			if err != nil {
				return err
			}
			return tx.SettleOne(ctx, id, cost, s.clock.Now())
		})
	})
}

package missions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"missiond/internal/admission"
	"missiond/internal/checks"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// MaxBulk bounds how many posts are decided about at once.
const MaxBulk = 100

// Review names a post, and the revision of it that was reviewed.
type Review struct {
	ID       string
	Revision int
}

// Reviewed is what became of a post that was decided about with others.
type Reviewed struct {
	ID string
	// Content is the post as it is now; nil if there is none.
	Content *mission.Content
	// Error is why nothing was decided about it; nil if something was.
	Error *mission.Failure
}

// ApproveContents approves several posts, all of them or none, and returns them in
// the order of ids. The number of statements grows only with their missions and
// jobs. Errors: invalid_request on ids; not_found; conflict, naming the id.
func (s *API) ApproveContents(ctx context.Context, p mission.Principal, ids []string) ([]mission.Content, error) {
	if err := checkBulk("ids", ids); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !mission.HasIDForm(mission.PrefixContent, id) {
			return nil, mission.NotFound(contentNoun, id)
		}
	}
	if err := admission.Weigh(ctx, mission.OpContentApprove, len(ids)); err != nil {
		return nil, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) ([]mission.Content, error) {
		b := bulk{tx: tx, principal: p, now: s.clock.Now(), decision: s.approval(p)}
		if err := b.decide(ctx, ids, nil); err != nil {
			return nil, err
		}
		if err := b.refusal(ids); err != nil {
			return nil, err
		}
		approved := make([]mission.Content, len(ids))
		for i, id := range ids {
			approved[i] = b.posts[id]
		}
		return approved, nil
	})
}

// ApproveEach approves several posts, of which one that can't be approved doesn't stop the
// others, and returns what became of each in their order. Errors: invalid_request on
// items.
func (s *API) ApproveEach(ctx context.Context, p mission.Principal, items []Review) ([]Reviewed, error) {
	return s.reviewEach(ctx, p, mission.OpContentApprove, items, s.approval(p))
}

// RejectEach is ApproveEach for a rejection, for a reason or "". Errors: invalid_request on
// reason or items.
func (s *API) RejectEach(ctx context.Context, p mission.Principal, items []Review, reason string) ([]Reviewed, error) {
	if err := mission.CheckReason(reason); err != nil {
		return nil, err
	}
	return s.reviewEach(ctx, p, mission.OpContentReject, items, s.rejection(p, reason))
}

func (s *API) reviewEach(ctx context.Context, p mission.Principal, op mission.Operation, items []Review, d decision) ([]Reviewed, error) {
	ids, revisions := make([]string, len(items)), map[string]int{}
	for i, item := range items {
		if item.Revision < 1 {
			return nil, mission.Invalid(fmt.Sprintf("items[%d].revision", i), "The revision must be 1 or more.")
		}
		ids[i], revisions[item.ID] = item.ID, item.Revision
	}
	return s.decideEach(ctx, p, op, ids, "items[%d].id", revisions, d)
}

// decideEach decides about each post by itself, and returns what became of each in their
// order. param is the name of the i-th id, with %d. Errors: invalid_request.
func (s *API) decideEach(
	ctx context.Context, p mission.Principal, op mission.Operation, ids []string, param string, revisions map[string]int, d decision,
) ([]Reviewed, error) {
	list, _, _ := strings.Cut(param, "[")
	if err := checkBulk(list, ids); err != nil {
		return nil, err
	}
	for i, id := range ids {
		if !mission.HasIDForm(mission.PrefixContent, id) {
			return nil, mission.Invalid(fmt.Sprintf(param, i), "A post's id begins with %s.", mission.PrefixContent)
		}
	}
	if err := admission.Weigh(ctx, op, len(ids)); err != nil {
		return nil, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) ([]Reviewed, error) {
		b := bulk{tx: tx, principal: p, now: s.clock.Now(), decision: d}
		if err := b.decide(ctx, ids, revisions); err != nil {
			return nil, err
		}
		return b.results(ids), nil
	})
}

// checkBulk checks a list of posts. param is its name. Errors: invalid_request.
func checkBulk(param string, ids []string) error {
	if len(ids) == 0 || len(ids) > MaxBulk {
		return mission.Invalid(param, "Give 1 to %d %s.", MaxBulk, param)
	}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return mission.Invalid(fmt.Sprintf("%s[%d]", param, i), "Duplicate id %q.", id)
		}
	}
	return nil
}

// decision is what is decided about each of several posts.
type decision struct {
	// of returns the change of a post of a mission. Errors: those of the decision.
	of func(m mission.Mission, c mission.Content, revision *int, excluded *checks.Exclusions, now time.Time) (mission.ContentChange, error)
	// beside refuses those of the changes that can't be made beside the others; nil if all can.
	beside func(ctx context.Context, b *bulk) error
	// write writes the changes of a mission's posts, and goes on with their jobs.
	write func(ctx context.Context, b *bulk, m mission.Mission, changes []mission.ContentChange) error
}

func (s *API) approval(p mission.Principal) decision {
	return decision{
		of: func(m mission.Mission, c mission.Content, revision *int, excluded *checks.Exclusions, now time.Time) (mission.ContentChange, error) {
			if err := m.CheckApprover(p, c); err != nil {
				return mission.ContentChange{}, err
			}
			ch, err := c.Approve(p.Reviewer(), judge(c, excluded, now), revision, now)
			return ch.ReviewedWith(p), err
		},
		write: func(ctx context.Context, b *bulk, m mission.Mission, changes []mission.ContentChange) error {
			if err := b.tx.ChangeContent(ctx, changes...); err != nil {
				return err
			}
			return s.scheduleJobs(ctx, b.tx, m, jobsOf(changes), b.now)
		},
	}
}

func (s *API) rejection(p mission.Principal, reason string) decision {
	return decision{
		of: func(m mission.Mission, c mission.Content, revision *int, _ *checks.Exclusions, now time.Time) (mission.ContentChange, error) {
			if err := m.CheckReviewer(p); err != nil {
				return mission.ContentChange{}, err
			}
			ch, err := c.Reject(p.Reviewer(), reason, revision, now)
			return ch.ReviewedWith(p), err
		},
		write: func(ctx context.Context, b *bulk, m mission.Mission, changes []mission.ContentChange) error {
			if err := b.tx.ChangeContent(ctx, changes...); err != nil {
				return err
			}
			if err := distrust(ctx, b.tx, m, b.now); err != nil {
				return err
			}
			for _, id := range jobsOf(changes) {
				if err := s.finishPublish(ctx, b.tx, m, id, b.now); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// jobsOf returns the ids of the jobs whose posts change, in their order; "" of posts by people.
func jobsOf(changes []mission.ContentChange) []string {
	ids := make([]string, len(changes))
	for i, ch := range changes {
		ids[i] = ch.To.JobID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// bulk decides about several posts of any missions.
type bulk struct {
	tx        store.Tx
	principal mission.Principal
	now       time.Time
	decision  decision
	// posts are those that exist, as they are at the end; failed is why nothing was
	// decided about others.
	posts  map[string]mission.Content
	failed map[string]*mission.Error
	// decided is what was decided, by mission.
	decided []decided
}

// changes returns what was decided about posts of all missions.
func (b *bulk) changes() (all []mission.ContentChange) {
	for _, d := range b.decided {
		all = append(all, d.changes...)
	}
	return all
}

// decided are the changes of a mission's posts.
type decided struct {
	mission mission.Mission
	changes []mission.ContentChange
}

// decide decides about the posts with some ids; revisions are those that were reviewed, or
// nil. It locks their missions in one order, so that concurrent decisions don't deadlock.
func (b *bulk) decide(ctx context.Context, ids []string, revisions map[string]int) error {
	b.posts, b.failed = map[string]mission.Content{}, map[string]*mission.Error{}
	missions, err := b.tx.ContentMissions(ctx, b.principal.TenantID, ids)
	if err != nil {
		return err
	}
	of := map[string][]string{}
	for id, missionID := range missions {
		of[missionID] = append(of[missionID], id)
	}
	for _, missionID := range slices.Sorted(maps.Keys(of)) {
		if err := b.decideOf(ctx, missionID, of[missionID], revisions); err != nil {
			return err
		}
	}
	if b.decision.beside != nil && len(b.decided) > 0 {
		if err := b.decision.beside(ctx, b); err != nil {
			return err
		}
	}
	for _, d := range b.decided {
		if err := b.decision.write(ctx, b, d.mission, d.changes); err != nil {
			return err
		}
	}
	now, err := b.tx.LockContents(ctx, b.principal.TenantID, ids)
	for _, c := range now {
		b.posts[c.ID] = c
	}
	for _, id := range ids {
		if _, ok := b.posts[id]; !ok {
			b.failed[id] = mission.NotFound(contentNoun, id)
		}
	}
	return err
}

// decideOf decides about posts of one mission, and locks it.
func (b *bulk) decideOf(ctx context.Context, missionID string, ids []string, revisions map[string]int) error {
	m, err := b.tx.LockMission(ctx, b.principal.TenantID, missionID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil // it was deleted with its posts
	}
	if err != nil {
		return err
	}
	posts, err := b.tx.LockContents(ctx, b.principal.TenantID, ids)
	if err != nil {
		return err
	}
	excluded, err := exclusions(ctx, b.tx, m)
	if err != nil {
		return err
	}
	var changes []mission.ContentChange
	for _, c := range posts {
		ch, err := b.change(m, c, revisions, excluded)
		var refused *mission.Error
		switch {
		case errors.As(err, &refused):
			b.failed[c.ID] = refused
		case err != nil:
			return err
		default:
			changes = append(changes, ch)
		}
	}
	if len(changes) > 0 {
		b.decided = append(b.decided, decided{m, changes})
	}
	return nil
}

// change returns the change that the decision makes to a post of a mission. Errors:
// conflict; those of the decision.
func (b *bulk) change(m mission.Mission, c mission.Content, revisions map[string]int, excluded *checks.Exclusions) (mission.ContentChange, error) {
	if err := reviewing(m); err != nil {
		return mission.ContentChange{}, err
	}
	var revision *int
	if seen, ok := revisions[c.ID]; ok {
		revision = &seen
	}
	return b.decision.of(m, c, revision, excluded, b.now)
}

// results returns what became of the posts.
func (b *bulk) results(ids []string) []Reviewed {
	results := make([]Reviewed, len(ids))
	for i, id := range ids {
		results[i].ID = id
		if c, ok := b.posts[id]; ok {
			results[i].Content = &c
		}
		if e := b.failed[id]; e != nil {
			results[i].Error = &mission.Failure{Code: string(e.Code), Message: e.Message}
		}
	}
	return results
}

// refusal returns why the posts aren't decided about together, or nil: the first that
// doesn't exist, or the first error, which names its id.
func (b *bulk) refusal(ids []string) error {
	var first error
	for i, id := range ids {
		e := b.failed[id]
		switch {
		case e == nil:
		case e.Code == mission.CodeNotFound:
			return e
		case first == nil:
			first = naming(fmt.Sprintf("ids[%d]", i), e)
		}
	}
	return first
}

// scheduleJobs schedules the approved posts of jobs, of which there are rarely
// more than one.
func (s *API) scheduleJobs(ctx context.Context, tx store.Tx, m mission.Mission, ids []string, now time.Time) error {
	for _, id := range ids {
		j := m.JobOf(mission.Content{}) // of posts by people
		if id != "" {
			var err error
			if j, err = tx.LockJob(ctx, m.TenantID, id); err != nil {
				return err
			}
		}
		if err := s.scheduleApproved(ctx, tx, opened{mission: m, job: j, now: now}); err != nil {
			return err
		}
	}
	return nil
}

// naming returns a copy of an error with a param.
func naming(field string, err *mission.Error) error {
	named := *err
	named.Param = field
	return &named
}

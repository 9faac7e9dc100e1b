package missions

import (
	"context"
	"errors"
	"time"

	"missiond/internal/admission"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// MaxTogether is how many posts are made together.
const MaxTogether = 20

// Posted is what became of a post that was to be made with others.
type Posted struct {
	// Content is the post; nil if none was made.
	Content *mission.Content
	// Error is why none was made, Param the field that it is about; nil if one was.
	Error *mission.Failure
	Param *string
}

// CreateContents makes posts of a mission, each by itself: one that can't be made doesn't stop
// the others. It returns what became of each, in their order; see CreateContent. Errors:
// invalid_request on items or mission_id; rate_limit_exceeded.
func (s *API) CreateContents(ctx context.Context, p mission.Principal, missionID string, items []ContentInput) ([]Posted, error) {
	if len(items) == 0 || len(items) > MaxTogether {
		return nil, mission.Invalid("items", "Give 1 to %d items.", MaxTogether)
	}
	if _, err := s.Mission(ctx, p, missionID); mission.CodeOf(err) == mission.CodeNotFound {
		return nil, noMission(missionID)
	} else if err != nil {
		return nil, err
	}
	if err := admission.Weigh(ctx, mission.OpContentCreate, len(items)-1); err != nil {
		return nil, err
	}
	if done, ok, err := idempotency.Earlier[[]Posted](ctx, s.db); ok || err != nil {
		return done, err
	}
	problems := make([]error, len(items))
	var sound []ContentInput
	for i, in := range items {
		if problems[i] = in.check(); problems[i] == nil {
			sound = append(sound, in)
		}
	}
	latest, err := s.latestOn(ctx, p.TenantID, sound)
	if err != nil {
		return nil, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) ([]Posted, error) {
		made, refused, err := s.post(ctx, tx, p, sound, &checkedTexts{latest: latest})
		if err != nil {
			return nil, err
		}
		return postedOf(problems, made, refused)
	})
}

// postedOf returns what became of items: of those that have no problem, the next post that was
// made or refused.
func postedOf(problems []error, made []mission.Content, refused []error) ([]Posted, error) {
	results, n := make([]Posted, len(problems)), 0
	for i, problem := range problems {
		if problem == nil {
			results[i].Content, problem = &made[n], refused[n]
			n++
		}
		if problem == nil {
			continue
		}
		var e *mission.Error
		if !errors.As(problem, &e) || e.Code == mission.CodeInternal {
			return nil, problem
		}
		results[i] = Posted{Error: &mission.Failure{Code: string(e.Code), Message: e.Message}}
		if e.Param != "" {
			results[i].Param = &e.Param
		}
	}
	return results, nil
}

// MaxFreeSlots is how many free slots are returned at most.
const MaxFreeSlots = 10

// FreeSlots returns a mission's next free slots, in order: the first is that of a post made now
// that asks for none. after is a time behind which they are, or nil.
// Errors: invalid_request on first; not_found; conflict.
func (s *API) FreeSlots(ctx context.Context, p mission.Principal, missionID string, after *time.Time, first int) (slots []time.Time, err error) {
	if first < 1 || first > MaxFreeSlots {
		return nil, mission.Invalid("first", "It must be between 1 and %d.", MaxFreeSlots)
	}
	if _, err := s.Mission(ctx, p, missionID); err != nil {
		return nil, err
	}
	err = s.store.View(ctx, func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, p.TenantID, missionID)
		if err != nil {
			return err
		}
		if err := m.CheckTakesContent(); err != nil {
			return err
		}
		posts, err := tx.Slots(ctx, m.ID)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		published, err := tx.PublishedSince(ctx, m.ID, now.Add(-mission.Neighborhood))
		slots = m.FreeSlots(posts, published, after, first, now)
		return err
	})
	return slots, err
}

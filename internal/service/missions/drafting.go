package missions

import (
	"context"
	"encoding/json"
	"strings"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const draftNoun = "draft"

// DraftInput is what is saved of a draft.
type DraftInput struct {
	// ID is the draft's; nil for a new one.
	ID *string
	// Version is the one that was read; it is needed with an ID.
	Version   *int
	MissionID string
	Body      string
}

// check validates what needs no mission. Errors: invalid_request.
func (in DraftInput) check() error {
	switch {
	case len(in.Body) > mission.MaxPostDraftBody:
		return mission.Invalid("body", "At most %d KiB are allowed.", mission.MaxPostDraftBody>>10)
	case in.ID != nil && !mission.HasIDForm(mission.PrefixPostDraft, *in.ID):
		return mission.Invalid("id", "A draft's id begins with %s.", mission.PrefixPostDraft)
	case !mission.HasIDForm(mission.PrefixMission, in.MissionID):
		return noMission(in.MissionID)
	case (in.ID == nil) != (in.Version == nil):
		return mission.Invalid("version", "Give the version that was read with the draft's id, and neither for a new draft.")
	case !json.Valid([]byte(in.Body)), !strings.HasPrefix(strings.TrimSpace(in.Body), "{"):
		return mission.Invalid("body", "It must be a JSON object.")
	}
	return nil
}

// PostDrafts returns the caller's drafts, the one that was saved last first. Errors:
// invalid_request for a key.
func (s *API) PostDrafts(ctx context.Context, p mission.Principal) ([]mission.PostDraft, error) {
	if err := p.InSession(); err != nil {
		return nil, err
	}
	return s.db.PostDrafts(ctx, p.TenantID, p.UserID)
}

// SavePostDraft saves a draft of the caller's: a new one, or a new version. Errors:
// invalid_request on id, body, version or mission_id, and for a key; not_found; conflict if it has
// another version than was read, or if the caller has as many drafts as are allowed.
func (s *API) SavePostDraft(ctx context.Context, p mission.Principal, in DraftInput) (d mission.PostDraft, err error) {
	if err := p.InSession(); err != nil {
		return d, err
	}
	if err := in.check(); err != nil {
		return d, err
	}
	if _, err := s.Mission(ctx, p, in.MissionID); mission.CodeOf(err) == mission.CodeNotFound {
		return d, noMission(in.MissionID)
	} else if err != nil {
		return d, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (d mission.PostDraft, err error) {
		if in.ID == nil {
			d, err = s.beginDraft(ctx, tx, p, in)
		} else if d, err = tx.LockPostDraft(ctx, p.TenantID, p.UserID, *in.ID); err == nil {
			d, err = d.Saved(in.MissionID, in.Body, *in.Version, s.clock.Now())
		}
		if err != nil {
			return d, err
		}
		return d, tx.StorePostDraft(ctx, d)
	})
}

// beginDraft returns a new draft. It locks its user, so that the drafts can be counted. Errors:
// conflict.
func (s *API) beginDraft(ctx context.Context, tx store.Tx, p mission.Principal, in DraftInput) (d mission.PostDraft, err error) {
	if _, err := tx.LockUser(ctx, p.TenantID, p.UserID); err != nil {
		return d, err
	}
	own, all, err := tx.CountPostDrafts(ctx, p.TenantID, p.UserID)
	if err != nil {
		return d, err
	}
	if err := mission.CheckPostDrafts(own, all); err != nil {
		return d, err
	}
	now := s.clock.Now()
	return mission.PostDraft{
		ID: tx.NewID(mission.PrefixPostDraft, now), TenantID: p.TenantID, UserID: p.UserID, MissionID: in.MissionID, Body: in.Body,
		Version: 1, CreatedAt: now, UpdatedAt: now,
	}, nil
}

// DeletePostDraft deletes a draft of the caller's. Errors: invalid_request for a key; not_found.
func (s *API) DeletePostDraft(ctx context.Context, p mission.Principal, id string) error {
	if err := p.InSession(); err != nil {
		return err
	}
	if !mission.HasIDForm(mission.PrefixPostDraft, id) {
		return mission.NotFound(draftNoun, id)
	}
	_, err := idempotency.Once(ctx, s.db, func(tx store.Tx) (string, error) {
		return id, tx.DropPostDraft(ctx, p.TenantID, p.UserID, id)
	})
	return err
}

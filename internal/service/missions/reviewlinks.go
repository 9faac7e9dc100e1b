package missions

import (
	"context"
	"crypto/subtle"
	"time"

	"missiond/internal/identity"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const linkNoun = "review link"

// ReviewPath is the path below which review links lead.
const ReviewPath = "/review/"

// MadeReviewLink is a new link with its address, which has its token.
type MadeReviewLink struct {
	Link mission.ReviewLink
	URL  string
}

// CreateReviewLink makes a link with which people without an account review a mission's posts, and
// returns its address, which can't be read again. Errors: invalid_request; not_found; conflict if
// the mission is completed, or has mission.MaxReviewLinks that work.
func (s *API) CreateReviewLink(ctx context.Context, p mission.Principal, missionID string, in mission.ReviewLinkInput) (MadeReviewLink, error) {
	if err := in.Check(); err != nil {
		return MadeReviewLink{}, err
	}
	if !mission.HasIDForm(mission.PrefixMission, missionID) {
		return MadeReviewLink{}, mission.NotFound("mission", missionID)
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (made MadeReviewLink, err error) {
		now, token := s.clock.Now(), identity.NewReviewToken()
		m, err := tx.LockMission(ctx, p.TenantID, missionID)
		if err != nil {
			return made, err
		}
		working, err := tx.WorkingReviewLinks(ctx, m.ID, now)
		if err != nil {
			return made, err
		}
		made.URL = s.reviewURL + token
		l, err := m.NewReviewLink(tx.NewID(mission.PrefixReviewLink, now), in, p, working, now)
		if err != nil {
			return made, err
		}
		e := tx.AuditEntry(p, mission.AuditLinkCreated, l.ID, l.AuditDetails(), now)
		if err := tx.AddReviewLink(ctx, l, identity.HashKey(token), e); err != nil {
			return made, err
		}
		made.Link, err = tx.LockReviewLink(ctx, p.TenantID, l.ID)
		return made, err
	})
}

// ReviewLink returns a link of the tenant's, of a mission unless that is "". Errors: not_found.
func (s *API) ReviewLink(ctx context.Context, p mission.Principal, missionID, id string) (mission.ReviewLink, error) {
	if !mission.HasIDForm(mission.PrefixReviewLink, id) {
		return mission.ReviewLink{}, mission.NotFound(linkNoun, id)
	}
	l, err := s.db.ReviewLink(ctx, p.TenantID, id)
	if err == nil && missionID != "" && l.MissionID != missionID {
		return mission.ReviewLink{}, mission.NotFound(linkNoun, id)
	}
	return l, err
}

// RevokeReviewLink ends a link at once and returns it; one that has ended stays as it is. Errors:
// as for ReviewLink.
func (s *API) RevokeReviewLink(ctx context.Context, p mission.Principal, missionID, id string) (mission.ReviewLink, error) {
	if _, err := s.ReviewLink(ctx, p, missionID, id); err != nil {
		return mission.ReviewLink{}, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.ReviewLink, error) {
		now := s.clock.Now()
		l, err := tx.LockReviewLink(ctx, p.TenantID, id)
		if err != nil {
			return l, err
		}
		l, changed := l.Revoke(now)
		if !changed {
			return l, nil
		}
		return l, tx.RevokeReviewLink(ctx, l, tx.AuditEntry(p, mission.AuditLinkRevoked, l.ID, l.AuditDetails(), now))
	})
}

// ReviewLinks returns a page of a mission's links, newest first, with their number: those that
// have ended are listed too. Errors: invalid_request; not_found.
func (s *API) ReviewLinks(
	ctx context.Context, p mission.Principal, missionID string, page store.Page,
) (listed store.Listed[mission.ReviewLink], err error) {
	if err := page.Check(mission.PrefixReviewLink, linkNoun); err != nil {
		return listed, err
	}
	if _, err := s.Mission(ctx, p, missionID); err != nil {
		return listed, err
	}
	parts, err := s.db.ReviewLinksOf(ctx, p.TenantID, []string{missionID}, page)
	if err != nil {
		return listed, err
	}
	counts, err := s.db.CountReviewLinksOf(ctx, p.TenantID, []string{missionID})
	listed = parts[missionID]
	listed.Total = counts[missionID]
	return listed, err
}

// ReviewLinksOf returns the same page of the links of each mission, newest first, by the missions'
// ids. Errors: invalid_request.
func (s *API) ReviewLinksOf(
	ctx context.Context, p mission.Principal, missionIDs []string, page store.Page,
) (map[string]store.Listed[mission.ReviewLink], error) {
	if err := page.Check(mission.PrefixReviewLink, linkNoun); err != nil {
		return nil, err
	}
	return s.db.ReviewLinksOf(ctx, p.TenantID, missionIDs, page)
}

// CountReviewLinksOf returns how many links each mission has, by the missions' ids.
func (s *API) CountReviewLinksOf(ctx context.Context, p mission.Principal, missionIDs []string) (map[string]int, error) {
	return s.db.CountReviewLinksOf(ctx, p.TenantID, missionIDs)
}

// ReviewLinksByID returns the tenant's links with the given ids, by id.
func (s *API) ReviewLinksByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.ReviewLink, error) {
	return s.db.ReviewLinksByID(ctx, p.TenantID, ids)
}

// OpenReviewLink returns the link with a token. Errors: not_found; conflict if it has ended.
func (s *API) OpenReviewLink(ctx context.Context, token string) (mission.ReviewLink, error) {
	unknown := mission.NotFound(linkNoun, "")
	if !identity.IsReviewToken(token) {
		return mission.ReviewLink{}, unknown
	}
	hash := identity.HashKey(token)
	l, stored, ok, err := s.db.ReviewLinkHashed(ctx, hash)
	switch {
	case err != nil:
		return mission.ReviewLink{}, err
	case !ok, subtle.ConstantTimeCompare([]byte(hash), []byte(stored)) != 1:
		return mission.ReviewLink{}, unknown
	case !l.Works(s.clock.Now()):
		return mission.ReviewLink{}, linkEnded()
	}
	return l, nil
}

// useLink records that the link that a caller has is used for op and returns it; without one it does
// nothing. Errors: conflict if it has ended meanwhile; forbidden if op isn't done with it.
func useLink(ctx context.Context, tx store.Tx, p mission.Principal, op mission.Operation, now time.Time) (l mission.ReviewLink, err error) {
	if p.LinkID == "" {
		return l, nil
	}
	l, err = tx.LockReviewLink(ctx, p.TenantID, p.LinkID)
	if err == nil && !l.Works(now) {
		err = linkEnded()
	}
	if err == nil {
		err = l.Check(op)
	}
	if err != nil {
		return l, err
	}
	return l, tx.UseReviewLink(ctx, l.ID, now)
}

func linkEnded() error { return mission.Conflict("The review link has ended.") }

// auditLink records a decision in the audit log if it is made with a link, and not by a user
// whom the post could name.
func auditLink(ctx context.Context, tx store.Tx, p mission.Principal, l mission.ReviewLink, ch mission.ContentChange, now time.Time) error {
	if l.ID == "" {
		return nil
	}
	details := map[string]any{
		"mission_id": l.MissionID, "name": l.Name, "content_id": ch.To.ID, "revision": ch.To.Revision, "decision": ch.To.Status,
	}
	return tx.Audit(ctx, tx.AuditEntry(p, mission.AuditLinkDecided, l.ID, details, now))
}

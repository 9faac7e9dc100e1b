package mission

import (
	"strings"
	"time"
)

// Bounds of review links.
const (
	// MaxReviewLinkName bounds a link's name, in characters.
	MaxReviewLinkName = 100
	// MaxReviewLinkHours is how long a link lives at most.
	MaxReviewLinkHours = 720
	// MaxReviewLinks is how many links of a mission work at a time.
	MaxReviewLinks = 20
)

// ReviewLink is an address with which people without an account review the posts of a mission:
// what they do, the link did.
type ReviewLink struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	// Name is whom it is for: the name that its decisions and comments are shown with.
	Name string
	// MayDecide reports whether posts can be approved and rejected with it, MayComment whether they can be
	// commented on.
	MayDecide  bool
	MayComment bool `bun:"-"`
	// CreatedBy is the user or the API key that made it.
	CreatedBy            string
	ExpiresAt, CreatedAt time.Time
	RevokedAt            *time.Time
	// LastUsedAt is when somebody decided or commented with it last; nil if nobody did.
	LastUsedAt *time.Time
}

// ReviewLinkInput is the link that a caller requests.
type ReviewLinkInput struct {
	Name           string `json:"name" doc:"Whom it is for: the name that decisions and comments are shown with. 1 to 100 characters" example:"Acme, marketing"`
	ExpiresInHours int    `json:"expires_in_hours" doc:"In how many hours it expires, 1 to 720" example:"72"`
	MayDecide      *bool  `json:"may_decide,omitempty" nullable:"true" doc:"Whether posts can be approved and rejected with it; false by default" example:"true"`
}

// Check returns an error if no link can be made of the input. Errors: invalid_request.
func (in ReviewLinkInput) Check() error {
	if err := checkLine("name", in.Name, 1, MaxReviewLinkName); err != nil {
		return err
	}
	if in.ExpiresInHours < 1 || in.ExpiresInHours > MaxReviewLinkHours {
		return Invalid("expires_in_hours", "The link must expire in 1 to %d hours.", MaxReviewLinkHours)
	}
	return nil
}

// NewReviewLink returns a link for the mission's posts, of whose links so many work. Errors:
// invalid_request; conflict if these are MaxReviewLinks, or the mission is completed.
func (m Mission) NewReviewLink(id string, in ReviewLinkInput, by Principal, working int, now time.Time) (ReviewLink, error) {
	if err := in.Check(); err != nil {
		return ReviewLink{}, err
	}
	if m.Status == StatusCompleted {
		return ReviewLink{}, Conflict("The mission is completed: nothing of it can be reviewed any more.")
	}
	if m.ReviewersOnly && deref(in.MayDecide, false) {
		return ReviewLink{}, Invalid("may_decide", "Only the mission's reviewers may decide about its posts.")
	}
	if working >= MaxReviewLinks {
		return ReviewLink{}, Conflict("A mission has at most %d review links that work; revoke one first.", MaxReviewLinks)
	}
	return ReviewLink{
		ID: id, TenantID: m.TenantID, MissionID: m.ID, Name: strings.TrimSpace(in.Name), MayDecide: deref(in.MayDecide, false), CreatedBy: by.Author(),
		ExpiresAt: now.Add(time.Duration(in.ExpiresInHours) * time.Hour), CreatedAt: now,
	}, nil
}

// Under returns a link as it was made as it is now, under its maker and its mission: it ends with either, and what its
// maker may not do can't be done with it. completedAt is when its mission was completed; nil if it wasn't.
func (l ReviewLink) Under(by Maker, completedAt *time.Time) ReviewLink {
	p := by.principal()
	l.MayComment = p.Permits(OpContentComment) == nil
	l.MayDecide = l.MayDecide && p.Permits(OpContentApprove) == nil
	l.ExpiresAt = *soonest(&l.ExpiresAt, by.EndsAt, completedAt)
	if p.Permits(OpContentRead) != nil { // whatever their role, users may, so this maker never might
		l.ExpiresAt = l.CreatedAt
	}
	return l
}

// Check returns an error unless op is done with the link. Errors: forbidden, naming the scope that it lacks.
func (l ReviewLink) Check(op Operation) error {
	if op == OpContentComment && l.MayComment {
		return nil
	}
	return l.Principal().Check(op)
}

// Works reports whether the link can be used at a time.
func (l ReviewLink) Works(now time.Time) bool { return l.RevokedAt == nil && now.Before(l.ExpiresAt) }

// Revoke ends the link at once. changed is false if it has ended already.
func (l ReviewLink) Revoke(now time.Time) (revoked ReviewLink, changed bool) {
	if !l.Works(now) {
		return l, false
	}
	l.RevokedAt = &now
	return l, true
}

// Principal returns whoever has the link as a caller, who may read the posts of its mission and,
// if the link may decide, review them.
func (l ReviewLink) Principal() Principal {
	p := Principal{TenantID: l.TenantID, LinkID: l.ID, MissionID: l.MissionID, Scopes: []Scope{ScopeContentRead}}
	if l.MayDecide {
		p.Scopes = append(p.Scopes, ScopeContentWrite)
	}
	return p
}

// AuditDetails returns what the audit log says of the link.
func (l ReviewLink) AuditDetails() map[string]any {
	return map[string]any{"mission_id": l.MissionID, "name": l.Name, "may_decide": l.MayDecide, "expires_at": l.ExpiresAt}
}

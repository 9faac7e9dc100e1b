package accounts

import (
	"context"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Preferences are a person's own settings.
type Preferences struct {
	// ReviewEmails reports whether the person gets e-mails about posts that wait for review.
	ReviewEmails bool
}

// Preferences returns those of the caller or, for an API key, of the user who created it.
func (a *Service) Preferences(ctx context.Context, p mission.Principal) (Preferences, error) {
	u, err := a.db.Maker(ctx, p.TenantID, p.UserID)
	return Preferences{ReviewEmails: !u.ReviewEmailsOff}, err
}

// UpdatePreferences changes the caller's preferences; nil leaves one as it is. Errors:
// invalid_request for an API key.
func (a *Service) UpdatePreferences(ctx context.Context, p mission.Principal, reviewEmails *bool) (Preferences, error) {
	if err := p.InSession(); err != nil {
		return Preferences{}, err
	}
	if reviewEmails == nil {
		return a.Preferences(ctx, p)
	}
	return idempotency.Once(ctx, a.db, func(tx store.Tx) (Preferences, error) {
		return Preferences{ReviewEmails: *reviewEmails}, tx.SetReviewEmails(ctx, p.TenantID, p.UserID, *reviewEmails)
	})
}

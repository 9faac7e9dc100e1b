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
	// Views are the lists of posts that the person has saved.
	Views []mission.SavedView
}

// PreferencesInput is what changes of a person's preferences; nil leaves it as it is.
type PreferencesInput struct {
	ReviewEmails *bool
	// SaveView is a view to save, in place of the one of its name if there is one.
	SaveView *mission.SavedView
	// DeleteView is the name of a view to delete.
	DeleteView *string
}

// check checks the bounds. Errors: invalid_request.
func (in PreferencesInput) check() error {
	if in.SaveView != nil {
		if err := in.SaveView.Check("save_view"); err != nil {
			return err
		}
	}
	if in.DeleteView != nil {
		return mission.CheckViewName("delete_view", *in.DeleteView)
	}
	return nil
}

// Preferences returns those of the caller or, for an API key, of the user who created it.
func (a *Service) Preferences(ctx context.Context, p mission.Principal) (Preferences, error) {
	u, err := a.db.Maker(ctx, p.TenantID, p.UserID)
	if err != nil {
		return Preferences{}, err
	}
	views, err := a.db.Views(ctx, p.TenantID, p.UserID)
	return Preferences{ReviewEmails: !u.ReviewEmailsOff, Views: views}, err
}

// UpdatePreferences changes the caller's preferences. Errors: invalid_request, also for an API
// key; conflict if there are too many views.
func (a *Service) UpdatePreferences(ctx context.Context, p mission.Principal, in PreferencesInput) (changed Preferences, err error) {
	if err := p.InSession(); err != nil {
		return changed, err
	}
	if in == (PreferencesInput{}) {
		return a.Preferences(ctx, p)
	}
	if err := in.check(); err != nil {
		return changed, err
	}
	return idempotency.Once(ctx, a.db, func(tx store.Tx) (Preferences, error) {
		u, err := tx.LockUser(ctx, p.TenantID, p.UserID)
		if err != nil {
			return changed, err
		}
		changed.ReviewEmails = !u.ReviewEmailsOff
		if in.ReviewEmails != nil {
			changed.ReviewEmails = *in.ReviewEmails
			if err := tx.SetReviewEmails(ctx, p.TenantID, p.UserID, *in.ReviewEmails); err != nil {
				return changed, err
			}
		}
		changed.Views, err = changeViews(ctx, tx, p, in)
		return changed, err
	})
}

// changeViews saves and deletes views, and returns those that there are then. The caller holds
// the user's lock.
func changeViews(ctx context.Context, tx store.Tx, p mission.Principal, in PreferencesInput) ([]mission.SavedView, error) {
	views, err := tx.LockViews(ctx, p.TenantID, p.UserID)
	if err == nil && in.SaveView != nil {
		views, err = mission.WithView(views, *in.SaveView)
	}
	if err == nil && in.DeleteView != nil {
		views, err = mission.WithoutView(views, *in.DeleteView, "delete_view")
	}
	if err != nil || in.SaveView == nil && in.DeleteView == nil {
		return views, err
	}
	return views, tx.SetViews(ctx, p.TenantID, p.UserID, views)
}

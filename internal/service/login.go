package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// Attempts bounds how often something is tried. Errors: rate_limit_exceeded.
type Attempts interface {
	Take(ctx context.Context, name string, rate mission.Rate) error
}

// Login begins a session for whom an identity provider's token stands for. The
// first login of an organisation's member makes its tenant, that of somebody
// without one a personal tenant; the first user of a tenant is its admin.
// Errors: invalid_request, naming the field; unauthorized; rate_limit_exceeded.
func (a *Accounts) Login(ctx context.Context, clerkToken string) (Issued, error) {
	if strings.TrimSpace(clerkToken) == "" {
		return Issued{}, mission.Invalid("clerk_token", "A token of the identity provider is required.")
	}
	if a.provider == nil {
		return Issued{}, mission.Unauthorized()
	}
	who, err := a.provider.Verify(ctx, clerkToken)
	if errors.Is(err, identity.ErrExternal) {
		return Issued{}, mission.Unauthorized()
	}
	if err != nil {
		return Issued{}, err
	}
	if a.attempts != nil {
		who := sha256.Sum256([]byte(who.Issuer + "\x00" + who.Subject))
		if err := a.attempts.Take(ctx, "login:"+hex.EncodeToString(who[:]), mission.LoginRate); err != nil {
			return Issued{}, err
		}
	}
	var s mission.Session
	var u mission.User
	err = a.db.Tx(ctx, func(tx store.Tx) error {
		if u, err = a.admit(ctx, tx, who, a.clock.Now()); err != nil {
			return err
		}
		now := a.real.Now()
		s = mission.NewSession(tx.NewID(mission.PrefixSession, now), u, now)
		return tx.AddSession(ctx, s)
	})
	if err != nil {
		return Issued{}, err
	}
	issued, err := a.issue(s)
	if err != nil {
		return Issued{}, err
	}
	issued.User = u
	issued.Tenant, err = a.db.Tenant(ctx, u.TenantID)
	return issued, err
}

// admit answers the user that somebody is here, as the provider says it now.
func (a *Accounts) admit(ctx context.Context, tx store.Tx, who identity.External, now time.Time) (mission.User, error) {
	u, ok, err := tx.SubjectOf(ctx, who.Origin(), who.Subject)
	if err != nil {
		return u, err
	}
	if !ok {
		return a.join(ctx, tx, who, now)
	}
	profile := u
	profile.Email, profile.Name = clip(who.Email, u.Email), clip(who.Name, u.Name)
	if who.Organization != nil && !u.RoleKept {
		profile.Role = mission.RoleOf(who.Organization.Role)
	}
	if profile == u {
		return u, nil
	}
	return profile, tx.SetProfile(ctx, profile)
}

// clip cuts a text of the provider's to what is kept, or answers otherwise
// where there is none.
func clip(text, otherwise string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if text == "" {
		return otherwise
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), mission.MaxName)])
}

// join makes a user of a tenant, and the tenant where it is the first. The
// tenant's lock has twins of a first login wait for each other.
func (a *Accounts) join(ctx context.Context, tx store.Tx, who identity.External, now time.Time) (mission.User, error) {
	t, err := a.tenantOf(ctx, tx, who, now)
	if err != nil {
		return mission.User{}, err
	}
	if u, ok, err := tx.SubjectOf(ctx, who.Origin(), who.Subject); err != nil || ok {
		return u, err // a twin was faster
	}
	u := mission.User{
		ID: tx.NewID(mission.PrefixUser, now), TenantID: t.ID, Subject: who.Subject,
		Email: clip(who.Email, ""), Name: clip(who.Name, ""), Role: mission.RoleAdmin, RoleKept: true, CreatedAt: now,
	}
	admins, err := tx.Admins(ctx, t.ID)
	if err != nil {
		return u, err
	}
	if admins > 0 && who.Organization != nil {
		u.Role, u.RoleKept = mission.RoleOf(who.Organization.Role), false
	}
	by := mission.Principal{TenantID: t.ID, UserID: u.ID}
	entry := audit(tx, by, mission.AuditMemberJoined, u.ID, map[string]any{"role": u.Role}, now)
	return u, tx.AddUser(ctx, u, entry)
}

// tenantOf answers the tenant of somebody's organisation, or their own, which
// it makes where it is missing, and locks it.
func (a *Accounts) tenantOf(ctx context.Context, tx store.Tx, who identity.External, now time.Time) (mission.Tenant, error) {
	name, slug := personalName(who), ""
	if who.Organization != nil {
		name = clip(who.Organization.Slug, who.Organization.ID)
		slug = mission.SlugOf(name)
	}
	t := newTenant(tx.NewID(mission.PrefixTenant, now), name, slug, mission.PlanFree, now)
	t.Origin = who.Origin()
	// The slug that the organisation wishes for may be another tenant's.
	for _, slug := range []string{t.Slug, uniqueSlug(name, t.ID)} {
		if kept, ok, err := tx.LockOrigin(ctx, t.Origin); err != nil || ok {
			return kept, err
		}
		t.Slug = slug
		if added, err := tx.AddTenant(ctx, t); err != nil || added {
			return t, err
		}
	}
	kept, ok, err := tx.LockOrigin(ctx, t.Origin)
	if err == nil && !ok {
		err = mission.Conflict("The tenant could not be made; try again.")
	}
	return kept, err
}

// personalName names the tenant of somebody without an organisation.
func personalName(who identity.External) string {
	local, _, _ := strings.Cut(who.Email, "@")
	return clip(who.Name, clip(local, "Personal"))
}

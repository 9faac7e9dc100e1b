package accounts

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

// Attempts limits how often an action is tried. Errors: rate_limit_exceeded.
type Attempts interface {
	Take(ctx context.Context, name string, rate mission.Rate) error
}

// Login begins a session for the user of an identity provider's token. The first
// login of an organisation's member creates its tenant; a user without an
// organisation gets a personal tenant. Each login adopts the role that the
// organisation gives the user; see mission.User.Join and Follow. Errors:
// invalid_request, naming the field; unauthorized; rate_limit_exceeded.
func (a *Service) Login(ctx context.Context, clerkToken string) (Issued, error) {
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
	var lost bool
	err = a.store.Tx(ctx, func(tx store.Tx) error {
		if u, lost, err = a.admit(ctx, tx, who, a.clock.Now()); err != nil {
			return err
		}
		if err := checkLeaving(ctx, tx, u, a.clock.Now()); err != nil {
			return err
		}
		now := a.real.Now()
		s = mission.NewSession(tx.NewID(mission.PrefixSession, now), u, now)
		s.ProviderSession = who.SessionID
		return tx.AddSession(ctx, s)
	})
	if err != nil {
		return Issued{}, err
	}
	if lost {
		a.awaitRevocation(ctx)
	}
	issued, err := a.issue(s)
	if err != nil {
		return Issued{}, err
	}
	issued.User = u
	issued.Tenant, err = a.db.Tenant(ctx, u.TenantID)
	return issued, err
}

// checkLeaving refuses a login to a tenant that is to be deleted, except by an admin
// before the tenant is due. Errors: conflict.
func checkLeaving(ctx context.Context, tx store.Tx, u mission.User, now time.Time) error {
	t, err := tx.Tenant(ctx, u.TenantID)
	if err != nil {
		return err
	}
	if t.DeletesAt != nil && (u.Role != mission.RoleAdmin || !now.Before(*t.DeletesAt)) {
		return mission.Conflict("The tenant is to be deleted: only its admins can log in, until it is.")
	}
	return nil
}

// admit returns the user of an external identity, updated from the provider, and
// whether that took rights from any user.
func (a *Service) admit(ctx context.Context, tx store.Tx, who identity.External, now time.Time) (u mission.User, lost bool, err error) {
	u, ok, err := tx.SubjectOf(ctx, who.Origin(), who.Subject)
	if err != nil {
		return u, false, err
	}
	if !ok {
		return a.join(ctx, tx, who, now)
	}
	next := u
	next.Email, next.Name = clip(who.Email, u.Email), clip(who.Name, u.Name)
	if who.Unverified != "" && strings.EqualFold(next.Email, clip(who.Unverified, "")) {
		next.Email = ""
	}
	if who.Organization != nil {
		next = next.Follow(who.Organization.Role)
	}
	if next == u {
		return u, false, nil
	}
	if err := tx.SetProfile(ctx, next); err != nil {
		return u, false, err
	}
	lost, err = a.follow(ctx, tx, u, next, now)
	return next, lost, err
}

// follow writes the role that the provider names for a user, and reports whether that
// took rights from any user: a user who is admin only as the tenant's first loses
// that role once the provider names an admin.
func (a *Service) follow(ctx context.Context, tx store.Tx, u, next mission.User, now time.Time) (lost bool, err error) {
	if next.Role == u.Role && next.RoleFrom == u.RoleFrom {
		return false, nil
	}
	if _, err := tx.LockTenant(ctx, u.TenantID); err != nil {
		return false, err
	}
	if err := tx.SetRole(ctx, next, roleEntry(tx, u, next, now)); err != nil {
		return false, err
	}
	outranked, err := a.outrank(ctx, tx, next, now)
	return outranked || next.Role != u.Role, err
}

// outrank takes the admin role from the tenant's first user if the provider names an
// admin.
func (a *Service) outrank(ctx context.Context, tx store.Tx, admin mission.User, now time.Time) (outranked bool, err error) {
	if admin.Role != mission.RoleAdmin || admin.RoleFrom != mission.RoleFromProvider {
		return false, nil
	}
	first, err := tx.FirstAdmins(ctx, admin.TenantID)
	for _, u := range first {
		if err == nil {
			err = tx.SetRole(ctx, u.Outranked(), roleEntry(tx, u, u.Outranked(), now))
		}
	}
	return len(first) > 0, err
}

// roleEntry returns the audit entry for a role that the provider changed.
func roleEntry(tx store.Tx, u, next mission.User, now time.Time) mission.AuditEntry {
	by := mission.Principal{TenantID: u.TenantID, UserID: u.ID}
	return tx.AuditEntry(
		by, mission.AuditMemberChanged, u.ID,
		map[string]any{"from": u.Role, "to": next.Role, "by": mission.RoleFromProvider}, now,
	)
}

// clip returns a text of the provider's, cut to mission.MaxName, or otherwise if the
// text is empty.
func clip(text, otherwise string) string {
	text = mission.CleanLine(text)
	if text == "" {
		return otherwise
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), mission.MaxName)])
}

// join adds a user to a tenant, and creates the tenant for the first. The tenant's
// lock serialises concurrent first logins.
func (a *Service) join(ctx context.Context, tx store.Tx, who identity.External, now time.Time) (u mission.User, lost bool, err error) {
	t, err := a.tenantOf(ctx, tx, who, now)
	if err != nil {
		return u, false, err
	}
	if u, ok, err := tx.SubjectOf(ctx, who.Origin(), who.Subject); err != nil || ok {
		return u, false, err // a concurrent login was faster
	}
	first, err := isFirst(ctx, tx, t.ID)
	if err != nil {
		return u, false, err
	}
	named := ""
	if who.Organization != nil {
		named = who.Organization.Role
	}
	u = mission.User{
		ID: tx.NewID(mission.PrefixUser, now), TenantID: t.ID, Subject: who.Subject,
		Email: clip(who.Email, ""), Name: clip(who.Name, ""), CreatedAt: now,
	}.Join(named, first)
	by := mission.Principal{TenantID: t.ID, UserID: u.ID}
	entry := tx.AuditEntry(by, mission.AuditMemberJoined, u.ID, map[string]any{"role": u.Role}, now)
	if err := tx.AddUser(ctx, u, entry); err != nil {
		return u, false, err
	}
	lost, err = a.outrank(ctx, tx, u, now)
	return u, lost, err
}

// isFirst reports whether a user who joins a tenant without a role from the provider
// is its first: the tenant has no admin, and the provider names no roles.
func isFirst(ctx context.Context, tx store.Tx, tenantID string) (bool, error) {
	admins, err := tx.Admins(ctx, tenantID)
	if err != nil || admins > 0 {
		return false, err
	}
	names, err := tx.NamesRoles(ctx, tenantID)
	return !names, err
}

// tenantOf returns the tenant of the identity's organisation, or its personal one,
// locked. It creates a tenant that is missing.
func (a *Service) tenantOf(ctx context.Context, tx store.Tx, who identity.External, now time.Time) (mission.Tenant, error) {
	name, slug := personalName(who), ""
	if who.Organization != nil {
		name = clip(who.Organization.Slug, who.Organization.ID)
		slug = mission.SlugOf(name)
	}
	t := newTenant(tx.NewID(mission.PrefixTenant, now), name, slug, mission.PlanFree, now)
	t.Origin = who.Origin()
	if known, ok, err := tx.LockOrigin(ctx, t.Origin); err != nil || ok {
		return known, err
	}
	if added, err := tx.AddTenant(ctx, t); err != nil || added {
		return t, err
	}
	known, ok, err := tx.LockOrigin(ctx, t.Origin) // a concurrent login was faster
	if err == nil && !ok {
		err = mission.Conflict("The tenant could not be created; try again.")
	}
	return known, err
}

// personalName returns the name of a personal tenant.
func personalName(who identity.External) string {
	local, _, _ := strings.Cut(who.Email, "@")
	return clip(who.Name, clip(local, "Personal"))
}

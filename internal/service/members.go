package service

import (
	"context"
	"errors"

	"missiond/mission"
	"missiond/store"
)

// Members returns a page of the tenant's users, newest first, and whether there are
// more. Errors: invalid_request.
func (a *Accounts) Members(ctx context.Context, p mission.Principal, page store.Page) ([]mission.User, bool, error) {
	if err := checkPage(page, mission.PrefixUser, "member"); err != nil {
		return nil, false, err
	}
	return a.db.Users(ctx, p.TenantID, page)
}

// CountMembers returns how many users the tenant has.
func (a *Accounts) CountMembers(ctx context.Context, p mission.Principal) (int, error) {
	return a.db.CountUsers(ctx, p.TenantID)
}

// Member returns a user of the tenant's. Errors: not_found.
func (a *Accounts) Member(ctx context.Context, p mission.Principal, id string) (mission.User, error) {
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return mission.User{}, mission.NotFound("member", id)
	}
	return a.db.User(ctx, p.TenantID, id)
}

// SetMemberRole sets a user's role. It applies to the user's sessions and keys from
// the next request on, until the identity provider names a different role than
// before. Errors: invalid_request on role; not_found; conflict if the tenant would be
// left without an admin.
func (a *Accounts) SetMemberRole(ctx context.Context, p mission.Principal, id string, role mission.Role) (u mission.User, err error) {
	if role, err = mission.ParseRole(role); err != nil {
		return u, err
	}
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return u, mission.NotFound("member", id)
	}
	err = a.db.Tx(ctx, func(tx store.Tx) error {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return err
		}
		if u, err = tx.LockUser(ctx, p.TenantID, id); err != nil {
			return err
		}
		if u.Role == role && u.RoleFrom == mission.RoleFromAdmin {
			return nil
		}
		if u.Role == mission.RoleAdmin && role != mission.RoleAdmin {
			admins, err := tx.Admins(ctx, p.TenantID)
			if err != nil {
				return err
			}
			if admins < 2 {
				return mission.Conflict("The tenant's last admin can't become %s.", role)
			}
		}
		details := map[string]any{"from": u.Role, "to": role}
		u.Role, u.RoleFrom = role, mission.RoleFromAdmin
		return tx.SetRole(ctx, u, audit(tx, p, mission.AuditMemberChanged, u.ID, details, a.clock.Now()))
	})
	if err == nil {
		awaitExpiry(ctx)
	}
	return u, err
}

// AuditLog returns a page of the tenant's audit log, newest first, and whether there
// is more. Errors: invalid_request.
func (a *Accounts) AuditLog(ctx context.Context, p mission.Principal, page store.Page) ([]mission.AuditEntry, bool, error) {
	if err := checkPage(page, mission.PrefixAudit, "audit log entry"); err != nil {
		return nil, false, err
	}
	return a.db.AuditLog(ctx, p.TenantID, page)
}

// CountAudit returns how many entries the tenant's audit log has.
func (a *Accounts) CountAudit(ctx context.Context, p mission.Principal) (int, error) {
	return a.db.CountAudit(ctx, p.TenantID)
}

// AuditEntry returns an entry of the tenant's audit log. Errors: not_found.
func (a *Accounts) AuditEntry(ctx context.Context, p mission.Principal, id string) (mission.AuditEntry, error) {
	if !mission.HasIDForm(mission.PrefixAudit, id) {
		return mission.AuditEntry{}, mission.NotFound("audit log entry", id)
	}
	return a.db.AuditEntry(ctx, p.TenantID, id)
}

// checkPage validates a page. Errors: invalid_request for a limit that isn't within 1
// to MaxPage, or a cursor that isn't the list's.
func checkPage(page store.Page, prefix, noun string) error {
	if page.Limit < 1 || page.Limit > MaxPage {
		return mission.Invalid("limit", "The limit must be 1 to %d.", MaxPage)
	}
	for _, cursor := range []string{page.After, page.Before} {
		if cursor != "" && !mission.HasIDForm(prefix, cursor) {
			return mission.Invalid("", "Invalid cursor %q: there is no %s with this id.", cursor, noun)
		}
	}
	return nil
}

// within prefixes an error's param with the field that contains it.
func within(field string, err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param == "" {
		return err
	}
	named := *m
	named.Param = field + "." + m.Param
	return &named
}

// naming sets the param of an error that has none.
func naming(field string, err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param != "" {
		return err
	}
	named := *m
	named.Param = field
	return &named
}

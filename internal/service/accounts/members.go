package accounts

import (
	"context"
	"errors"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// Members returns a page of the tenant's users, newest first. Errors: invalid_request.
func (a *Service) Members(ctx context.Context, p mission.Principal, page store.Page) (listed store.Listed[mission.User], err error) {
	if err := page.Check(mission.PrefixUser, "member"); err != nil {
		return listed, err
	}
	return a.db.Users(ctx, p.TenantID, page)
}

// CountMembers returns how many users the tenant has.
func (a *Service) CountMembers(ctx context.Context, p mission.Principal) (int, error) {
	return a.db.CountUsers(ctx, p.TenantID)
}

// Member returns a user of the tenant's. Errors: not_found.
func (a *Service) Member(ctx context.Context, p mission.Principal, id string) (mission.User, error) {
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return mission.User{}, mission.NotFound("member", id)
	}
	return a.db.User(ctx, p.TenantID, id)
}

// SetMemberRole sets a user's role. It applies to the user's sessions and keys from
// the next request on, until the identity provider names a different role than
// before. Errors: invalid_request on role; not_found; conflict if the tenant would be
// left without an admin.
func (a *Service) SetMemberRole(ctx context.Context, p mission.Principal, id string, role mission.Role) (u mission.User, err error) {
	if role, err = mission.ParseRole(role); err != nil {
		return u, err
	}
	if !mission.HasIDForm(mission.PrefixUser, id) {
		return u, mission.NotFound("member", id)
	}
	u, err = idempotency.Once(ctx, a.db, func(tx store.Tx) (u mission.User, err error) {
		if _, err := tx.LockTenant(ctx, p.TenantID); err != nil {
			return u, err
		}
		if u, err = tx.LockUser(ctx, p.TenantID, id); err != nil {
			return u, err
		}
		if u.Role == role && u.RoleFrom == mission.RoleFromAdmin {
			return u, nil
		}
		if u.Role == mission.RoleAdmin && role != mission.RoleAdmin {
			admins, err := tx.Admins(ctx, p.TenantID)
			if err != nil {
				return u, err
			}
			if admins < 2 {
				return u, mission.Conflict("The tenant's last admin can't become %s.", role)
			}
		}
		details := map[string]any{"from": u.Role, "to": role}
		u.Role, u.RoleFrom = role, mission.RoleFromAdmin
		return u, tx.SetRole(ctx, u, tx.AuditEntry(p, mission.AuditMemberChanged, u.ID, details, a.clock.Now()))
	})
	if err == nil {
		a.awaitRevocation(ctx)
	}
	return u, err
}

// AuditLog returns a page of the entries of the tenant's audit log that pass a filter,
// newest first. Errors: invalid_request.
func (a *Service) AuditLog(
	ctx context.Context, p mission.Principal, f mission.AuditFilter, page store.Page,
) (listed store.Listed[mission.AuditEntry], err error) {
	if err := errors.Join(f.Check(), page.Check(mission.PrefixAudit, "audit log entry")); err != nil {
		return listed, err
	}
	return a.db.AuditLog(ctx, p.TenantID, f, page)
}

// CountAudit returns how many entries of the tenant's audit log pass a filter.
func (a *Service) CountAudit(ctx context.Context, p mission.Principal, f mission.AuditFilter) (int, error) {
	return a.db.CountAudit(ctx, p.TenantID, f)
}

// AuditEntry returns an entry of the tenant's audit log. Errors: not_found.
func (a *Service) AuditEntry(ctx context.Context, p mission.Principal, id string) (mission.AuditEntry, error) {
	if !mission.HasIDForm(mission.PrefixAudit, id) {
		return mission.AuditEntry{}, mission.NotFound("audit log entry", id)
	}
	return a.db.AuditEntry(ctx, p.TenantID, id)
}

// within prefixes an error's param with the field that contains it.
func within(field string, err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param == "" {
		return err
	}
	return m.Within(field)
}

// MembersByID returns the tenant's users with the given ids.
func (a *Service) MembersByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.User, error) {
	return a.db.UsersByID(ctx, p.TenantID, ids)
}

// AuditEntriesByID returns the entries of the tenant's audit log with the given ids.
func (a *Service) AuditEntriesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.AuditEntry, error) {
	return a.db.AuditEntriesByID(ctx, p.TenantID, ids)
}

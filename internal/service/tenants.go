package service

import (
	"context"
	"strings"
	"unicode"

	"missiond/internal/identity"
	"missiond/mission"
	"missiond/store"
)

// NewTenant is a tenant to be made.
type NewTenant struct {
	Name string
	// Slug is derived from the name where it is "".
	Slug   string
	Plan   mission.TenantPlan
	Limits map[string]string
	Brand  mission.Brand
}

// CreateTenant makes a tenant with an admin user and its API key, which is
// answered this once. Errors: invalid_request; conflict where a Slug that was
// asked for is taken.
func (s *Service) CreateTenant(ctx context.Context, in NewTenant) (t mission.Tenant, key string, err error) {
	name := strings.TrimSpace(in.Name)
	if name == "" || len(name) > mission.MaxName {
		return t, "", mission.Invalid("name", "A name of 1 to %d bytes is required.", mission.MaxName)
	}
	now := s.clock.Now()
	id := s.db.NewID(mission.PrefixTenant, now)
	slug := in.Slug
	if slug == "" {
		// The id's end makes it unique without a look-up.
		slug = slugOf(name) + "-" + id[len(id)-6:]
	}
	t = mission.Tenant{
		ID: id, Name: name, Slug: slug, Plan: in.Plan, Limits: in.Limits, Brand: in.Brand, CreatedAt: now, UpdatedAt: now,
	}
	u := mission.User{ID: s.db.NewID(mission.PrefixUser, now), TenantID: id, Name: name + " admin", Role: mission.RoleAdmin, CreatedAt: now}
	key = identity.NewKey()
	k := newKey(s.db.NewID(mission.PrefixKey, now), u, key, s)
	err = s.db.Tx(ctx, func(tx store.Tx) error {
		if err := tx.CreateTenant(ctx, t, u); err != nil {
			return err
		}
		return tx.AddKey(ctx, k, identity.HashKey(key))
	})
	return t, key, err
}

func newKey(id string, u mission.User, secret string, s *Service) mission.APIKey {
	return mission.APIKey{
		ID: id, TenantID: u.TenantID, UserID: u.ID, Name: "Admin key", KeyPrefix: identity.KeyPrefix(secret),
		Scopes: mission.AllScopes(), CreatedAt: s.clock.Now(),
	}
}

// AddAdminKey makes one more key for the first user of the tenant with a slug;
// ok is false where there is no such tenant.
func (s *Service) AddAdminKey(ctx context.Context, slug string) (key string, ok bool, err error) {
	u, ok, err := s.db.FirstUser(ctx, slug)
	if err != nil || !ok {
		return "", false, err
	}
	key = identity.NewKey()
	k := newKey(s.db.NewID(mission.PrefixKey, s.clock.Now()), u, key, s)
	err = s.db.Tx(ctx, func(tx store.Tx) error { return tx.AddKey(ctx, k, identity.HashKey(key)) })
	return key, true, err
}

// slugOf makes of a name what a URL takes: letters and digits of ASCII, in
// lower case, with hyphens between.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	const most = 40
	slug := strings.Join(words, "-")
	slug = strings.Trim(slug[:min(len(slug), most)], "-")
	if slug == "" {
		return "tenant"
	}
	return slug
}

package accounts

import (
	"context"
	"time"

	"missiond/internal/admission"
	"missiond/internal/identity"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// NewTenant is the input of CreateTenant.
type NewTenant struct {
	Name string
	// Slug is derived from the name if it is "".
	Slug string
	// Origin is the identity provider's organisation whose members join the tenant.
	Origin string
	Plan   mission.TenantPlan
	Limits mission.Limits
}

// CreateTenant creates a tenant with an admin user, and returns it with the user's API
// key, which can't be read again. Errors: invalid_request; conflict if there is a tenant
// of the Origin.
func (a *Service) CreateTenant(ctx context.Context, in NewTenant) (t mission.Tenant, key string, err error) {
	if _, _, err := (mission.Tenant{}).Change(mission.TenantInput{Name: &in.Name}, a.clock.Now()); err != nil {
		return t, "", err
	}
	now := a.clock.Now()
	t = newTenant(a.db.NewID(mission.PrefixTenant, now), in.Name, in.Slug, in.Plan, now)
	t.Origin, t.Limits = in.Origin, in.Limits
	u := mission.User{
		ID: a.db.NewID(mission.PrefixUser, now), TenantID: t.ID, Name: t.Name + " admin",
		Role: mission.RoleAdmin, RoleFrom: mission.RoleFromAdmin, CreatedAt: now,
	}
	err = a.store.Tx(ctx, func(tx store.Tx) error {
		added, err := tx.AddTenant(ctx, t)
		if err != nil {
			return err
		}
		if !added {
			return mission.Conflict("A tenant of this origin exists.")
		}
		operator := mission.Principal{TenantID: t.ID}
		if err := tx.AddUser(ctx, u, tx.AuditEntry(operator, mission.AuditMemberJoined, u.ID, map[string]any{"role": u.Role}, now)); err != nil {
			return err
		}
		key, err = adminKey(ctx, tx, u, now)
		return err
	})
	return t, key, err
}

func newTenant(id, name, slug string, plan mission.TenantPlan, now time.Time) mission.Tenant {
	if slug == "" {
		slug = uniqueSlug(name, id)
	}
	return mission.Tenant{
		ID: id, Name: name, Slug: slug, Plan: plan, Limits: mission.Limits{},
		Brand: mission.Brand{ExcludedTopics: []string{}}, CreatedAt: now, UpdatedAt: now,
	}
}

// uniqueSlug returns a slug of a name that no other tenant has: the end of the id makes
// it unique without a lookup.
func uniqueSlug(name, id string) string { return mission.SlugOf(name) + "-" + id[len(id)-6:] }

// adminKey creates a key with all scopes for a user, on behalf of the operator.
func adminKey(ctx context.Context, tx store.Tx, u mission.User, now time.Time) (secret string, err error) {
	secret = identity.NewKey()
	owner := mission.Principal{TenantID: u.TenantID, UserID: u.ID, Scopes: mission.AllScopes()}
	k, err := mission.NewAPIKey(tx.NewID(mission.PrefixKey, now), identity.KeyPrefix(secret), mission.KeyInput{Name: "Admin key"}, owner, now)
	if err != nil {
		return "", err
	}
	entry := tx.AuditEntry(mission.Principal{TenantID: u.TenantID}, mission.AuditKeyCreated, k.ID, keyDetails(k), now)
	return secret, tx.AddKey(ctx, k, identity.HashKey(secret), entry)
}

// AddAdminKey creates another key for the first user of the tenant with an origin; ok is
// false if there is no such tenant.
func (a *Service) AddAdminKey(ctx context.Context, origin string) (key string, ok bool, err error) {
	u, ok, err := a.db.FirstUser(ctx, origin)
	if err != nil || !ok {
		return "", false, err
	}
	err = a.store.Tx(ctx, func(tx store.Tx) error {
		key, err = adminKey(ctx, tx, u, a.clock.Now())
		return err
	})
	return key, true, err
}

// SetLimits replaces the limit overrides of a key's tenant, for requests of the key in this
// process at once. Errors: unauthorized.
func (a *Service) SetLimits(ctx context.Context, key string, limits mission.Limits) error {
	p, err := a.Authenticate(ctx, key)
	if err != nil {
		return err
	}
	err = a.store.Tx(ctx, func(tx store.Tx) error { return tx.SetLimits(ctx, p.TenantID, limits) })
	if err == nil {
		_, _, err = a.keys.GetFresh(ctx, identity.HashKey(key))
	}
	return err
}

// Tenant returns the caller's tenant.
func (a *Service) Tenant(ctx context.Context, p mission.Principal) (mission.Tenant, error) {
	return a.db.Tenant(ctx, p.TenantID)
}

// UpdateTenant changes the settings of the caller's tenant. Slugs needn't be unique.
// Errors: invalid_request, naming the field.
func (a *Service) UpdateTenant(ctx context.Context, p mission.Principal, in mission.TenantInput) (mission.Tenant, error) {
	if err := in.Check(); err != nil {
		return mission.Tenant{}, err
	}
	if err := a.weighTopics(ctx, p, mission.OpTenantUpdate, in); err != nil {
		return mission.Tenant{}, err
	}
	t, err := idempotency.Once(ctx, a.db, func(tx store.Tx) (mission.Tenant, error) {
		return a.changeTenant(ctx, tx, p, in, a.clock.Now())
	})
	if err == nil && in.AgentsMayApprove != nil && !*in.AgentsMayApprove {
		a.awaitRevocation(ctx)
	}
	return t, err
}

// weighTopics takes from the caller's allowance what a change of the brand's rules that bind
// everybody makes: all posts that aren't out yet are checked again. Errors: rate_limit_exceeded.
func (a *Service) weighTopics(ctx context.Context, p mission.Principal, op mission.Operation, in mission.TenantInput) error {
	if in.Brand == nil {
		return nil
	}
	current, err := a.db.Tenant(ctx, p.TenantID)
	if err != nil {
		return err
	}
	t, _, err := current.Change(in, a.clock.Now())
	if err != nil || !t.Brand.Binding(current.Brand) {
		return err
	}
	posts, err := a.db.CountUnsettled(ctx, p.TenantID, "")
	if err != nil {
		return err
	}
	return admission.Weigh(ctx, op, posts)
}

func (a *Service) changeTenant(
	ctx context.Context, tx store.Tx, p mission.Principal, in mission.TenantInput, now time.Time,
) (mission.Tenant, error) {
	locked, err := tx.LockTenant(ctx, p.TenantID)
	if err != nil {
		return locked, err
	}
	t, fields, err := locked.Change(in, now)
	if err != nil || len(fields) == 0 {
		return locked, err
	}
	if t.AutonomyEnded != locked.AutonomyEnded { // the brand has changed
		if err := tx.AddRecheck(ctx, t.ID, now); err != nil {
			return locked, err
		}
	}
	return t, tx.SetTenant(ctx, t, tx.AuditEntry(p, mission.AuditTenantUpdated, t.ID, map[string]any{"fields": fields}, now))
}

// Onboarded is the result of Onboard.
type Onboarded struct {
	Tenant    mission.Tenant
	Mission   *mission.Mission // nil if none was requested
	NextSteps []string         // what to do next, as sentences
}

// Onboard sets the name and brand of the caller's tenant and creates its first mission,
// if one is given, all of it or nothing. Errors: invalid_request, naming the field, or
// for an API key; rate_limit_exceeded if no more missions may be created.
func (a *Service) Onboard(ctx context.Context, p mission.Principal, in mission.OnboardInput) (o Onboarded, err error) {
	if err := p.InSession(); err != nil {
		return o, err
	}
	if err := checkOnboarding(in); err != nil {
		return o, err
	}
	if err := a.weighTopics(ctx, p, mission.OpOnboard, in.Settings()); err != nil {
		return o, err
	}
	onboard := func() (Onboarded, error) {
		return idempotency.Once(ctx, a.db, func(tx store.Tx) (o Onboarded, err error) {
			now := a.clock.Now()
			if o.Tenant, err = a.changeTenant(ctx, tx, p, in.Settings(), now); err != nil || in.Mission == nil {
				return o, err
			}
			m, err := a.missions.CreateMissionIn(ctx, tx, o.Tenant, p.UserID, *in.Mission, now)
			o.Mission = &m
			return o, within("mission", err)
		})
	}
	if in.Mission == nil {
		o, err = onboard()
	} else {
		o, err = admission.Draw(ctx, mission.OpMissionsCreate, onboard)
	}
	o.NextSteps = nextSteps(o.Mission)
	return o, err
}

func checkOnboarding(in mission.OnboardInput) error {
	if err := in.Settings().Check(); err != nil || in.Mission == nil {
		return err
	}
	return within("mission", in.Mission.Check())
}

func nextSteps(m *mission.Mission) []string {
	steps := []string{"Create an API key for your own programs: POST /v1/auth/keys."}
	switch {
	case m == nil:
		steps = append(steps, "Create your first mission: POST /v1/missions.")
	case m.Status == mission.StatusActive:
		steps = append(steps, "Watch your mission's posts being written and published: GET /v1/missions/"+m.ID+"/status.")
	case m.StartsAt != nil:
		steps = append(steps, "Your mission starts by itself at its time; look at it until then: GET /v1/missions/"+m.ID+".")
	default:
		steps = append(steps, "Look over your mission before it starts: GET /v1/missions/"+m.ID+".")
	}
	return steps
}

package mission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// MaxSlug bounds a slug, in bytes.
const MaxSlug = 40

// Tenant is the owner of missions.
type Tenant struct {
	ID   string `bun:",pk"`
	Name string
	Slug string
	// Origin is the login that created the tenant: an issuer with its
	// organisation, or with its user for a personal tenant; "" for a tenant
	// that an operator created.
	Origin string `bun:",nullzero"`
	Plan   TenantPlan
	// Limits override the plan's.
	Limits Limits
	Brand  Brand
	// AgentsMayApprove reports whether agents may approve posts.
	AgentsMayApprove bool
	// Hold is why nothing of the tenant's is published; nil if it is.
	Hold *Hold `bun:",nullzero"`
	// AutonomyEnded is what ended the autonomy of all its missions last; nil if nothing did.
	AutonomyEnded *AutonomyEnd `bun:",nullzero"`
	CreatedAt     time.Time
	UpdatedAt     time.Time
	// DeletesAt is when the tenant is deleted with all its data; nil if it
	// isn't to be. DeletionAskedBy is the user who requested it, "" for the
	// operator.
	DeletesAt       *time.Time
	DeletionAskedAt *time.Time
	DeletionAskedBy string `bun:",nullzero"`
}

// DeletionGrace is how long the deletion of a tenant can be taken back;
// restoreMargin is how much of that is left for processes whose clocks differ.
const (
	DeletionGrace = 14 * 24 * time.Hour
	restoreMargin = time.Minute
)

// AskDeletion returns the tenant as one that is deleted after a grace period,
// which is DeletionGrace unless an operator sets another. confirm repeats its slug.
// Errors: invalid_request on confirm; conflict if the deletion has already been
// requested.
func (t Tenant) AskDeletion(confirm string, by Principal, grace time.Duration, now time.Time) (Tenant, error) {
	if confirm != t.Slug {
		return t, Invalid("confirm", "To delete the tenant, repeat its slug here: %s.", t.Slug)
	}
	if t.DeletesAt != nil {
		return t, Conflict("The tenant's deletion has already been requested.")
	}
	at := now.Add(grace)
	t.DeletesAt, t.DeletionAskedAt, t.DeletionAskedBy = &at, &now, by.UserID
	return t, nil
}

// Restore returns the tenant with its deletion canceled. Errors: conflict if no
// deletion was requested, or it is too late.
func (t Tenant) Restore(now time.Time) (Tenant, error) {
	switch {
	case t.DeletesAt == nil:
		return t, Conflict("The tenant's deletion hasn't been requested.")
	case !now.Before(t.DeletesAt.Add(-restoreMargin)):
		return t, Conflict("The tenant is being deleted.")
	}
	t.DeletesAt, t.DeletionAskedAt, t.DeletionAskedBy = nil, nil, ""
	return t, nil
}

// NotifyDeletion returns the notification to a tenant's admins about its
// deletion.
func (t Tenant) NotifyDeletion(id string, now time.Time) Notification {
	return Notification{
		ID: id, TenantID: t.ID, SubjectID: t.ID, CreatedAt: now, Kind: NotifyTenantDeletion,
		Message: fmt.Sprintf(
			"The tenant and all its data will be deleted on %s. An admin can restore the tenant until then.",
			t.DeletesAt.Format(time.RFC3339),
		),
	}
}

// TenantInput is a change of a tenant's settings: nil fields stay unchanged.
type TenantInput struct {
	Name  *string     `json:"name,omitempty" doc:"What people call it" example:"Acme"`
	Slug  *string     `json:"slug,omitempty" doc:"Its short name; others may have the same" example:"acme"`
	Brand *BrandInput `json:"brand,omitempty"`
	// AgentsMayApprove isn't for agents themselves to set: no tool does.
	AgentsMayApprove *bool `json:"agents_may_approve,omitempty" doc:"Whether agents may approve posts that people or the service's writer wrote" example:"false"`
}

// OnboardInput is what POST /onboard takes (decisions, "Onboard").
type OnboardInput struct {
	Name    string       `json:"name" doc:"What people call it: 1 to 200 characters" example:"Autumn launch"`
	Slug    *string      `json:"slug,omitempty" nullable:"true" doc:"Its short name; others may have the same" example:"acme"`
	Brand   *BrandInput  `json:"brand,omitempty"`
	Mission *CreateInput `json:"mission,omitempty"`
}

// Settings returns the settings of the tenant that an onboarding changes.
func (in OnboardInput) Settings() TenantInput {
	return TenantInput{Name: &in.Name, Slug: in.Slug, Brand: in.Brand}
}

// Change returns the tenant changed by in, and the names of the changed fields.
// Errors: invalid_request, naming the field.
func (t Tenant) Change(in TenantInput, now time.Time) (changed Tenant, fields []string, err error) {
	if err := in.Check(); err != nil {
		return t, nil, err
	}
	set := func(field string, to *string, value *string) {
		if value != nil && Tidy(*value) != *to {
			*to = Tidy(*value)
			fields = append(fields, field)
		}
	}
	set("name", &t.Name, in.Name)
	set("slug", &t.Slug, in.Slug)
	if in.Brand != nil {
		brand, of := t.Brand.change(*in.Brand)
		t.Brand, fields = brand, append(fields, of...)
	}
	if in.AgentsMayApprove != nil && *in.AgentsMayApprove != t.AgentsMayApprove {
		t.AgentsMayApprove = *in.AgentsMayApprove
		fields = append(fields, "agents_may_approve")
	}
	if len(fields) > 0 {
		t.UpdatedAt = now
	}
	if slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(f, "brand.") }) {
		t.AutonomyEnded = &AutonomyEnd{Reason: EndedByBrand, At: now}
	}
	if in.Name != nil {
		t.Brand.Name = t.Name
	}
	return t, fields, nil
}

// Check checks the rules of in, none of which depends on the tenant. Errors:
// invalid_request, naming the field.
func (in TenantInput) Check() error {
	if in.Name != nil {
		if err := checkLine("name", *in.Name, 1, MaxName); err != nil {
			return err
		}
	}
	if in.Slug != nil && (len(*in.Slug) > MaxSlug || !slugForm.MatchString(*in.Slug)) {
		return Invalid("slug", "The slug must be 1 to %d lower-case letters and digits, with single hyphens between them.", MaxSlug)
	}
	return in.Brand.check()
}

// SlugPattern is the form of a slug, as a regular expression of Go and ECMAScript.
const SlugPattern = `^[a-z0-9]+(-[a-z0-9]+)*$`

var slugForm = regexp.MustCompile(SlugPattern)

// SlugOf returns a slug made from a name: its ASCII letters and digits, in
// lower case, with hyphens between; "tenant" if nothing is left.
func SlugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slug := strings.Join(words, "-")
	const room = 8 // for what makes it unique
	slug = strings.Trim(slug[:min(len(slug), MaxSlug-room)], "-")
	if slug == "" {
		return "tenant"
	}
	return slug
}

// TenantPlan is what a tenant pays for.
type TenantPlan string

// The plans of the interface's section 8.
const (
	PlanFree       TenantPlan = "free"
	PlanPro        TenantPlan = "pro"
	PlanEnterprise TenantPlan = "enterprise"
)

// AllPlans lists the plans.
func AllPlans() []TenantPlan { return []TenantPlan{PlanFree, PlanPro, PlanEnterprise} }

package mission

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Bounds of a tenant's settings.
const (
	MaxSlug    = 40
	MaxBrand   = 1000
	MaxWebsite = 300
)

// Tenant is the owner of missions.
type Tenant struct {
	ID   string
	Name string
	Slug string
	// Origin is the login that created the tenant: an issuer with its
	// organisation, or with its user for a personal tenant; "" for a tenant
	// that an operator created.
	Origin string
	Plan   TenantPlan
	// Limits override the plan's.
	Limits Limits
	Brand  Brand
	// Hold is why nothing of the tenant's is published; nil if it is.
	Hold      *Hold
	CreatedAt time.Time
	UpdatedAt time.Time
	// DeletesAt is when the tenant is deleted with all its data; nil if it
	// isn't to be. DeletionAskedBy is the user who requested it, "" for the
	// operator.
	DeletesAt       *time.Time
	DeletionAskedAt *time.Time
	DeletionAskedBy string
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

// Brand is a tenant's voice and audience, for writers.
type Brand struct {
	Name           string   `json:"name"`
	Voice          string   `json:"voice"`
	Audience       string   `json:"audience"`
	Website        string   `json:"website"`
	ExcludedTopics []string `json:"excluded_topics"`
}

// BrandInput is a change of a brand: nil fields stay unchanged.
type BrandInput struct {
	Voice          *string  `json:"voice,omitempty" doc:"How the brand speaks" example:"Plain, warm, never shouting"`
	Audience       *string  `json:"audience,omitempty" doc:"Whom the posts speak to" example:"Small teams that ship every week"`
	Website        *string  `json:"website,omitempty" doc:"Where the brand is at home" example:"https://acme.example"`
	ExcludedTopics []string `json:"excluded_topics,omitempty" doc:"What posts never mention" example:"politics"`
}

// TenantInput is a change of a tenant's settings: nil fields stay unchanged.
type TenantInput struct {
	Name  *string     `json:"name,omitempty" doc:"What people call it" example:"Acme"`
	Slug  *string     `json:"slug,omitempty" doc:"Its short name; others may have the same" example:"acme"`
	Brand *BrandInput `json:"brand,omitempty"`
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
	if b := in.Brand; b != nil {
		set("brand.voice", &t.Brand.Voice, b.Voice)
		set("brand.audience", &t.Brand.Audience, b.Audience)
		set("brand.website", &t.Brand.Website, b.Website)
		if b.ExcludedTopics != nil && !slices.Equal(tidied(b.ExcludedTopics), t.Brand.ExcludedTopics) {
			t.Brand.ExcludedTopics = tidied(b.ExcludedTopics)
			fields = append(fields, "brand.excluded_topics")
		}
	}
	if len(fields) > 0 {
		t.UpdatedAt = now
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

func (in *BrandInput) check() error {
	if in == nil {
		return nil
	}
	for _, text := range []struct {
		param string
		value *string
	}{{"brand.voice", in.Voice}, {"brand.audience", in.Audience}, {"brand.website", in.Website}} {
		if err := checkProse(text.param, deref(text.value, ""), 0, MaxBrand); err != nil {
			return err
		}
	}
	if site := strings.TrimSpace(deref(in.Website, "")); site != "" {
		u, err := url.Parse(site)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(site) > MaxWebsite {
			return Invalid("brand.website", "The website must be an http or https URL of at most %d bytes.", MaxWebsite)
		}
		if err := CheckHost("brand.website", site, u, u.Hostname()); err != nil {
			return err
		}
	}
	return checkTexts("brand.excluded_topics", in.ExcludedTopics, 0).Err()
}

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

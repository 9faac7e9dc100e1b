package mission

import (
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

// Tenant is who missions belong to.
type Tenant struct {
	ID   string
	Name string
	Slug string
	// Origin is what made the tenant on a login: an issuer with its
	// organisation, or with its user for a personal one; "" for a tenant that
	// an operator made.
	Origin string
	Plan   TenantPlan
	// Limits override the plan's.
	Limits    Limits
	Brand     Brand
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Brand is a tenant's voice, kept for its writers.
type Brand struct {
	Name           string   `json:"name"`
	Voice          string   `json:"voice"`
	Audience       string   `json:"audience"`
	Website        string   `json:"website"`
	ExcludedTopics []string `json:"excluded_topics"`
}

// BrandInput is a brand as a caller states it: what is nil stays as it is.
type BrandInput struct {
	Voice          *string  `json:"voice,omitempty"`
	Audience       *string  `json:"audience,omitempty"`
	Website        *string  `json:"website,omitempty"`
	ExcludedTopics []string `json:"excluded_topics,omitempty"`
}

// TenantInput is a change of a tenant's settings: what is nil stays as it is.
type TenantInput struct {
	Name  *string     `json:"name,omitempty"`
	Slug  *string     `json:"slug,omitempty"`
	Brand *BrandInput `json:"brand,omitempty"`
}

// OnboardInput is what POST /onboard takes (decisions, "Onboard").
type OnboardInput struct {
	Name    string       `json:"name"`
	Slug    *string      `json:"slug,omitempty"`
	Brand   *BrandInput  `json:"brand,omitempty"`
	Mission *CreateInput `json:"mission,omitempty"`
}

// Settings answers what an onboarding changes of its tenant.
func (in OnboardInput) Settings() TenantInput {
	return TenantInput{Name: &in.Name, Slug: in.Slug, Brand: in.Brand}
}

// Change answers the tenant with what in states, and the names of the fields
// that it changed. Errors: invalid_request, naming the field.
func (t Tenant) Change(in TenantInput, now time.Time) (changed Tenant, fields []string, err error) {
	if err := in.check(); err != nil {
		return t, nil, err
	}
	set := func(field string, to *string, value *string) {
		if value != nil && strings.TrimSpace(*value) != *to {
			*to = strings.TrimSpace(*value)
			fields = append(fields, field)
		}
	}
	set("name", &t.Name, in.Name)
	set("slug", &t.Slug, in.Slug)
	if b := in.Brand; b != nil {
		set("brand.voice", &t.Brand.Voice, b.Voice)
		set("brand.audience", &t.Brand.Audience, b.Audience)
		set("brand.website", &t.Brand.Website, b.Website)
		if b.ExcludedTopics != nil && !slices.Equal(b.ExcludedTopics, t.Brand.ExcludedTopics) {
			t.Brand.ExcludedTopics = slices.Clone(b.ExcludedTopics)
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

func (in TenantInput) check() error {
	if in.Name != nil {
		if err := checkText("name", *in.Name, 1, MaxName); err != nil {
			return err
		}
	}
	if in.Slug != nil && (len(*in.Slug) > MaxSlug || !slugForm.MatchString(*in.Slug)) {
		return Invalid("slug", "A slug is 1 to %d lower-case letters, digits and single hyphens between them.", MaxSlug)
	}
	return in.Brand.check()
}

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (in *BrandInput) check() error {
	if in == nil {
		return nil
	}
	for _, text := range []struct {
		param string
		value *string
	}{{"brand.voice", in.Voice}, {"brand.audience", in.Audience}, {"brand.website", in.Website}} {
		if err := checkText(text.param, deref(text.value, ""), 0, MaxBrand); err != nil {
			return err
		}
	}
	if site := strings.TrimSpace(deref(in.Website, "")); site != "" {
		u, err := url.Parse(site)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(site) > MaxWebsite {
			return Invalid("brand.website", "A website is an http or https address of at most %d bytes.", MaxWebsite)
		}
	}
	return checkTexts("brand.excluded_topics", in.ExcludedTopics, 0)
}

// SlugOf makes of a name what a slug takes: letters and digits of ASCII, in
// lower case, with hyphens between; "tenant" where nothing is left.
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

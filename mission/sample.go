package mission

import "time"

// SampleInput is what a sample post is written from, which shows how a brand sounds.
type SampleInput struct {
	Platform Platform `json:"platform" doc:"For which platform" example:"linkedin"`
	// Subject is what it is about; nil or "" is the brand itself.
	Subject *string `json:"subject,omitempty" nullable:"true" doc:"What it is about: at most 500 characters; null: the brand itself" example:"Announce the 2.0 release"`
	// Brand is a change of the tenant's brand for this post alone; nil for none.
	Brand *BrandInput `json:"brand,omitempty" doc:"What is changed of the tenant's brand for this post alone: nothing of it is stored"`
}

// aboutTheBrand is the objective of a sample without a subject.
const aboutTheBrand = "Show what we do and for whom"

// Check returns what is wrong with the input. Errors: invalid_request, with all problems.
func (in SampleInput) Check() error {
	var found Problems
	found.add(CheckPlatform("platform", in.Platform), checkProse("subject", deref(in.Subject, ""), 0, MaxItem), in.Brand.check())
	return found.Err()
}

// Assignment returns the assignment of the sample; each seed makes another one. Errors:
// invalid_request, with all problems.
func (in SampleInput) Assignment(t Tenant, seed uint64, now time.Time) (a Assignment, err error) {
	if err := in.Check(); err != nil {
		return a, err
	}
	brand := t.Brand
	if in.Brand != nil {
		brand, _ = brand.change(*in.Brand)
	}
	objective, objectives := aboutTheBrand, []string{} // nobody said it, so that it is no material
	if subject := Tidy(deref(in.Subject, "")); subject != "" {
		objective, objectives = subject, []string{subject}
	}
	var defaults *ConstraintsInput
	m := Mission{
		TenantID: t.ID, Name: t.Name, Objectives: objectives, Platforms: []Platform{in.Platform},
		Constraints: defaults.withDefaults(), Disclosure: NewDisclosure(),
	}
	angles := AllAngles()
	caps, _ := CapabilitiesOf(in.Platform)
	return Assignment{
		Brief: NewBrief(m, brand), Revision: 1, Seed: seed,
		Slot: Slot{Platform: in.Platform, At: now, Format: caps.Single(), Angle: angles[seed%uint64(len(angles))], Objective: objective},
	}.Under(m.Exclusions(brand)), nil
}

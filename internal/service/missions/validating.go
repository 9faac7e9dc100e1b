package missions

import (
	"context"
	"errors"
	"slices"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// ValidateInput is a post to be checked: Text, or the Parts of a thread.
type ValidateInput struct {
	Platform mission.Platform
	// IntegrationID is the account's; nil is the platform's default.
	IntegrationID *string
	Text          *string
	Parts         []string
	// FirstComment is the text of its first comment; nil or "" for none.
	FirstComment *string
	// Media are its files.
	Media []mission.MediaChoice
}

// Validation says whether a post can be published.
type Validation struct {
	Valid    bool
	Parts    []ValidatedPart
	Problems []Problem
}

// ValidatedPart is a post, or a part of a thread, with its length as its platform counts
// it.
type ValidatedPart struct {
	Text              string
	Length, MaxLength int
}

// Problem is what is wrong with a field.
type Problem struct{ Param, Message string }

// ValidateContent checks a post's texts against the limits of its account, as an edit is
// checked, and stores nothing. What a mission excludes, and what becomes of its links, isn't known. Errors:
// invalid_request, also for an integration that the platform doesn't have.
func (s *API) ValidateContent(ctx context.Context, p mission.Principal, in ValidateInput) (v Validation, err error) {
	if err := mission.CheckPlatform("platform", in.Platform); err != nil {
		return v, err
	}
	caps, _ := mission.CapabilitiesOf(in.Platform)
	if in.IntegrationID != nil && !mission.HasIDForm(mission.PrefixIntegration, *in.IntegrationID) {
		return v, noAccount(in)
	}
	wording := EditInput{Text: in.Text, Parts: in.Parts, FirstComment: mission.Optional[string]{Given: true, Value: in.FirstComment}}.tidy()
	if err := mission.CheckMediaChoices(in.Media); err != nil {
		return v, err
	}
	if err := wording.Check(); err != nil {
		return v, err
	}
	own, err := s.limitsOf(ctx, p, in)
	if err != nil {
		return v, err
	}
	caps = caps.Within(own)
	d := mission.Draft{Format: mission.FormatThread, Parts: wording.Parts}
	if wording.Text != nil {
		d = mission.Draft{Format: caps.Single(), Text: *wording.Text}
	} else if len(wording.Parts) == 1 {
		d = mission.Draft{Format: caps.Single(), Text: wording.Parts[0]}
	}
	v.Problems = []Problem{}
	has := func(part int) bool {
		return slices.ContainsFunc(in.Media, func(c mission.MediaChoice) bool { return c.Part == part })
	}
	for i, text := range d.Texts() {
		part := ValidatedPart{Text: text, Length: textlimit.Length(caps, text), MaxLength: caps.MaxLength}
		if has(i) {
			part.MaxLength = caps.MaxCaption()
		}
		v.Parts = append(v.Parts, part)
	}
	for _, problem := range append(textlimit.Problems(caps, d), textlimit.Captions(caps, d, has)...) {
		v.Problems = append(v.Problems, Problem{Param: wording.field(problem.Param), Message: problem.Message})
	}
	var wrong *mission.Error
	if errors.As(wording.checkTwins(in.Platform, d), &wrong) {
		v.Problems = append(v.Problems, Problem{Param: wrong.Param, Message: wrong.Message})
	}
	if errors.As(wording.checkComment(mission.Content{Platform: in.Platform}, d, textRules{TextLimits: own}), &wrong) {
		v.Problems = append(v.Problems, Problem{Param: wrong.Param, Message: wrong.Message})
	}
	about, err := s.mediaProblems(ctx, p, caps, in.Media, len(d.Texts()))
	v.Problems = append(v.Problems, about...)
	v.Valid = len(v.Problems) == 0
	return v, err
}

// mediaProblems returns what is wrong with the files of a post with so many parts.
func (s *API) mediaProblems(ctx context.Context, p mission.Principal, caps mission.Capabilities, chosen []mission.MediaChoice, parts int) ([]Problem, error) {
	if len(chosen) == 0 && !caps.Media.Required {
		return nil, nil
	}
	files, err := s.db.MediaByID(ctx, p.TenantID, mission.ChosenIDs(chosen))
	if err != nil {
		return nil, err
	}
	var wrong *mission.Error
	var problems []Problem
	if _, err := caps.ChooseMedia(chosen, files, parts); errors.As(err, &wrong) {
		for _, problem := range wrong.Problems {
			problems = append(problems, Problem{Param: problem.Param, Message: problem.Message})
		}
	}
	return problems, nil
}

// limitsOf returns the own limits of the input's account.
func (s *API) limitsOf(ctx context.Context, p mission.Principal, in ValidateInput) (mission.TextLimits, error) {
	if in.IntegrationID == nil {
		return s.ownLimits(ctx, accountsOn{}, p.TenantID, in.Platform, "")
	}
	on, err := s.db.AccountsOn(ctx, p.TenantID, []string{string(in.Platform)})
	if err != nil {
		return mission.TextLimits{}, err
	}
	i := slices.IndexFunc(on[in.Platform], func(i mission.Integration) bool { return i.ID == *in.IntegrationID })
	switch {
	case i < 0:
		return mission.TextLimits{}, noAccount(in)
	case on[in.Platform][i].Account == nil:
		return mission.TextLimits{}, nil
	}
	return on[in.Platform][i].Account.Limits, nil
}

func noAccount(in ValidateInput) error {
	return mission.Invalid("integration_id", "The tenant has no integration %q with %s.", *in.IntegrationID, in.Platform.Name())
}

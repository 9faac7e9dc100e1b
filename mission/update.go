package mission

import (
	"slices"
	"strings"
	"time"
)

// Optional is a field of a partial update: Given is true if the caller sent it,
// and Value is nil if the caller sent null.
type Optional[T any] struct {
	Given bool
	Value *T
}

// Some returns a field that was sent.
func Some[T any](v T) Optional[T] { return Optional[T]{Given: true, Value: &v} }

// UpdateInput is a partial update of a mission (interface, section 4,
// "Updatable fields"). Constraints are merged by field, lists are replaced; a
// nil list stays unchanged.
type UpdateInput struct {
	Name        Optional[string]
	Description Optional[string]
	Objectives  []string
	// IntegrationIDs are the accounts that the mission posts to from the next cycle on.
	IntegrationIDs []string
	// MediaIDs are the pictures that its writer may give to the posts that it writes next.
	MediaIDs []string
	// Reviewers and ReviewersOnly hold at once.
	Reviewers     []string
	ReviewersOnly Optional[bool]
	Constraints   ConstraintsUpdate
	KPIs          []KPIInput
	// Occasions are what posts lead up to from the next cycle on; Blackouts hold at once.
	Occasions    []OccasionInput
	Blackouts    []BlackoutInput
	DurationDays Optional[int]
	// Disclosure and Links apply to the posts that are written or edited next.
	Disclosure     DisclosureUpdate
	Links          LinksUpdate
	Editor         Optional[Editor]
	PublicInterest Optional[bool]
	// Autonomy holds at once.
	Autonomy Optional[Autonomy]
}

// ConstraintsUpdate is a partial update of constraints.
type ConstraintsUpdate struct {
	Tone            Optional[string]
	Cadence         Optional[Cadence]
	PostsPerDay     Optional[int]
	PostingTimes    []string
	Timezone        Optional[string]
	RequireApproval Optional[bool]
	BudgetCents     Optional[int64]
	ExcludedTopics  []string
	Language        Optional[string]
	Visibility      Optional[Visibility]
	Guidance        Optional[Guidance]
	Evergreen       Optional[EvergreenInput]
	PaidReplies     []Platform
}

// Check checks the rules that don't depend on the mission, so that
// out-of-bounds input is rejected before a transaction begins. Errors:
// invalid_request, with all problems.
func (in UpdateInput) Check() error {
	any := Mission{
		Name: "any", Objectives: []string{"any"}, Platforms: AllPlatforms(), DurationDays: 1,
		Reviewers:   []string{PrefixUser + strings.Repeat("0", 26)},
		Constraints: (*ConstraintsInput)(nil).withDefaults(), Disclosure: NewDisclosure(),
	}
	any.Constraints.RequireApproval = true // as autonomy needs
	return any.restate(in)
}

// Update returns the mission changed by in. Objectives and constraints apply
// from the next cycle on, since a cycle's brief is frozen, but excluded topics
// apply at once (see Exclusions); a new duration or zone moves ends_at at once.
// Errors: conflict for a completed mission; invalid_request, with all problems.
func (m Mission) Update(in UpdateInput, now time.Time) (MissionChange, error) {
	if m.Status == StatusCompleted {
		return MissionChange{}, m.refuse("updated")
	}
	c := m.change(m.Status, now)
	to := &c.To
	if err := to.restate(in); err != nil {
		return MissionChange{}, err
	}
	if m.EndsAt == nil || to.DurationDays == m.DurationDays && to.Constraints.Timezone == m.Constraints.Timezone {
		return c, nil
	}
	ends := AddDays(*m.StartsAt, to.DurationDays, to.Constraints.Zone()).Add(m.PausedFor)
	if !ends.After(m.Clock(now)) {
		param := "duration_days"
		if to.DurationDays == m.DurationDays {
			param = "constraints.timezone"
		}
		return MissionChange{}, Invalid(param, "The mission would have ended at %s; its end must be in the future.", ends.Format(time.RFC3339))
	}
	to.EndsAt = &ends
	return c, nil
}

// restate applies in to m, and checks the result by the rules of a new mission.
func (m *Mission) restate(in UpdateInput) error {
	var found Problems
	found.add(set("name", &m.Name, in.Name), set("duration_days", &m.DurationDays, in.DurationDays),
		set("public_interest", &m.PublicInterest, in.PublicInterest), set("reviewers_only", &m.ReviewersOnly, in.ReviewersOnly))
	found = append(found, m.Disclosure.restate(in.Disclosure)...)
	m.Links.restate(in.Links)
	found = append(found, m.Constraints.restate(in.Constraints)...)
	m.Name = strings.TrimSpace(m.Name)
	m.cleanUnstated(in)
	if in.Description.Given {
		m.Description = Tidy(deref(in.Description.Value, ""))
	}
	if in.Objectives != nil {
		m.Objectives = tidied(in.Objectives)
	}
	if in.IntegrationIDs != nil {
		m.IntegrationIDs = slices.Clone(in.IntegrationIDs)
	}
	if in.MediaIDs != nil {
		m.MediaIDs = slices.Clone(in.MediaIDs)
	}
	if in.Reviewers != nil {
		m.Reviewers = slices.Clone(in.Reviewers)
	}
	if in.Editor.Given {
		m.Editor = in.Editor.Value
	}
	if in.Autonomy.Given {
		m.Autonomy = in.Autonomy.Value
	}
	// Check the whole mission as if it were created with these values, and its
	// KPIs as they are.
	whole := m.asInput(in.KPIs)
	if in.Occasions != nil {
		whole.Occasions = in.Occasions
	}
	if in.Blackouts != nil {
		whole.Blackouts = in.Blackouts
	}
	if err := append(found, whole.problems()...).Err(); err != nil {
		return err
	}
	m.Occasions, m.Blackouts = occasions(whole.Occasions), blackouts(whole.Blackouts)
	m.Constraints.Language, m.Disclosure.LineText = canonicalLanguage(m.Constraints.Language), strings.TrimSpace(m.Disclosure.LineText)
	if in.KPIs != nil {
		m.KPIs = kpis(in.KPIs)
	}
	return nil
}

// cleanUnstated cleans texts that in doesn't change and that were stored when
// more was allowed; otherwise the mission couldn't be updated.
func (m *Mission) cleanUnstated(in UpdateInput) {
	if !in.Name.Given {
		m.Name = CleanLine(m.Name)
	}
	if !in.Description.Given {
		m.Description = WithoutHidden(m.Description)
	}
	if in.Objectives == nil {
		m.Objectives = allWithoutHidden(m.Objectives)
	}
	if in.Constraints.ExcludedTopics == nil {
		m.Constraints.ExcludedTopics = allWithoutHidden(m.Constraints.ExcludedTopics)
	}
	if c := &m.Constraints; !in.Constraints.Tone.Given && c.Tone != nil {
		tone := CleanLine(*c.Tone)
		c.Tone = &tone
	}
}

// set assigns a field if it was sent and isn't null. Errors: invalid_request for null.
func set[T any](param string, to *T, from Optional[T]) error {
	switch {
	case !from.Given:
	case from.Value == nil:
		return Invalid(param, "This field can't be null.")
	default:
		*to = *from.Value
	}
	return nil
}

// restate applies in to c, except what is null and can't be.
func (c *Constraints) restate(in ConstraintsUpdate) (found Problems) {
	found.add(
		set("constraints.cadence", &c.Cadence, in.Cadence), set("constraints.posts_per_day", &c.PostsPerDay, in.PostsPerDay),
		set("constraints.timezone", &c.Timezone, in.Timezone), set("constraints.require_approval", &c.RequireApproval, in.RequireApproval),
	)
	if in.Tone.Given {
		c.Tone = in.Tone.Value
	}
	if in.BudgetCents.Given {
		c.BudgetCents = in.BudgetCents.Value
	}
	if in.Language.Given {
		c.Language = in.Language.Value
	}
	if in.Visibility.Given {
		c.Visibility = in.Visibility.Value
	}
	if in.Guidance.Given {
		c.Guidance = in.Guidance.Value.stated()
	}
	if in.Evergreen.Given {
		c.Evergreen = in.Evergreen.Value.withDefaults()
	}
	if in.PostingTimes != nil {
		c.PostingTimes = slices.Clone(in.PostingTimes)
	}
	if in.ExcludedTopics != nil {
		c.ExcludedTopics = tidied(in.ExcludedTopics)
	}
	if in.PaidReplies != nil {
		c.PaidReplies = slices.Clone(in.PaidReplies)
	}
	return found
}

// CheckChosen checks the accounts that the mission has chosen; see CreateInput.CheckChosen.
// Errors: invalid_request, with all problems.
func (m Mission) CheckChosen(found map[string]Integration) error {
	return m.asInput(nil).CheckChosen(found).Err()
}

// asInput returns the input that would create m, with kpis.
func (m Mission) asInput(kpis []KPIInput) CreateInput {
	c := m.Constraints
	return CreateInput{
		Name: m.Name, Description: &m.Description, Objectives: m.Objectives, Platforms: m.Platforms,
		IntegrationIDs: m.IntegrationIDs, MediaIDs: m.MediaIDs, DurationDays: &m.DurationDays, KPIs: kpis,
		Reviewers: m.Reviewers, ReviewersOnly: &m.ReviewersOnly,
		Occasions: occasionInputs(m.Occasions), Blackouts: blackoutInputs(m.Blackouts),
		Disclosure: m.Disclosure.asInput(), Links: m.Links.asInput(), Editor: m.Editor, PublicInterest: &m.PublicInterest, Autonomy: m.Autonomy,
		Constraints: &ConstraintsInput{
			Tone: c.Tone, Cadence: &c.Cadence, PostsPerDay: &c.PostsPerDay, PostingTimes: c.PostingTimes, Timezone: &c.Timezone,
			RequireApproval: &c.RequireApproval, BudgetCents: c.BudgetCents, ExcludedTopics: c.ExcludedTopics,
			Language: c.Language, Visibility: c.Visibility, Guidance: c.Guidance, Evergreen: c.Evergreen.asInput(), PaidReplies: c.PaidReplies,
		},
	}
}

// Copy returns the input of a draft like the mission, with a name that tells them apart.
func (m Mission) Copy() CreateInput {
	const suffix = " (copy)"
	name := []rune(m.Name)
	if most := MaxName - len(suffix); len(name) > most {
		name = name[:most]
	}
	c, description := m.Constraints, WithoutHidden(m.Description)
	in := CreateInput{
		Name: string(name) + suffix, Description: &description, Objectives: allWithoutHidden(m.Objectives),
		Platforms: m.Platforms, IntegrationIDs: m.IntegrationIDs, MediaIDs: m.MediaIDs, Reviewers: m.Reviewers, ReviewersOnly: &m.ReviewersOnly,
		Constraints: &ConstraintsInput{
			Tone: c.Tone, Cadence: &c.Cadence, PostsPerDay: &c.PostsPerDay, PostingTimes: c.PostingTimes, Timezone: &c.Timezone,
			RequireApproval: &c.RequireApproval, BudgetCents: c.BudgetCents, ExcludedTopics: allWithoutHidden(c.ExcludedTopics),
			Language: c.Language, Visibility: c.Visibility, Guidance: c.Guidance, Evergreen: c.Evergreen.asInput(), PaidReplies: c.PaidReplies,
		},
		DurationDays: &m.DurationDays, Occasions: occasionInputs(m.Occasions), Blackouts: blackoutInputs(m.Blackouts), Disclosure: m.Disclosure.asInput(), Links: m.Links.asInput(), Editor: m.Editor, PublicInterest: &m.PublicInterest, Autonomy: m.Autonomy,
	}
	for _, k := range m.KPIs {
		in.KPIs = append(in.KPIs, KPIInput{Metric: k.Metric, Target: &k.Target, Platform: &k.Platform})
	}
	return in
}

// Action is what a caller may do to a mission.
type Action string

// The actions.
const (
	ActionUpdate   Action = "update"
	ActionStart    Action = "start"
	ActionPause    Action = "pause"
	ActionResume   Action = "resume"
	ActionComplete Action = "complete"
	ActionDelete   Action = "delete"
)

// AllActions lists the actions.
func AllActions() []Action {
	return []Action{ActionUpdate, ActionStart, ActionPause, ActionResume, ActionComplete, ActionDelete}
}

// AllowedActions returns the actions that the mission's state permits.
func (m Mission) AllowedActions() []Action {
	return map[Status][]Action{
		StatusDraft:     {ActionUpdate, ActionStart, ActionDelete},
		StatusActive:    {ActionUpdate, ActionPause, ActionComplete},
		StatusPaused:    {ActionUpdate, ActionResume, ActionComplete, ActionDelete},
		StatusCompleted: {ActionDelete},
	}[m.Status]
}

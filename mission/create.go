package mission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of a mission's fields. The interface leaves them open, except duration
// and posts per day (decisions, "Mission").
const (
	MaxName         = 200
	MaxDescription  = 10_000
	MaxListItems    = 50
	MaxItem         = 500
	MaxTone         = 100
	MaxZone         = 64
	MaxPostsPerDay  = 50
	MaxDurationDays = 366
	MaxBudgetCents  = 1_000_000_000
	MaxKPITarget    = 1e15
	MaxStartAhead   = 2 * MaxDurationDays * 24 * time.Hour
)

// InputLimits are the bounds of a mission's fields, as clients are told of them.
type InputLimits struct {
	Name, Description, ListItems, Item, Tone                   int
	PostsPerDay, PostingTimes, DurationDays, BudgetCents, KPIs int
	KPITarget                                                  float64
	StartAheadDays                                             int
}

// NewInputLimits returns the bounds.
func NewInputLimits() InputLimits {
	return InputLimits{
		Name: MaxName, Description: MaxDescription, ListItems: MaxListItems, Item: MaxItem, Tone: MaxTone,
		PostsPerDay: MaxPostsPerDay, PostingTimes: MaxPostsPerDay, DurationDays: MaxDurationDays, BudgetCents: MaxBudgetCents, KPIs: MaxListItems,
		KPITarget: MaxKPITarget, StartAheadDays: int(MaxStartAhead / (24 * time.Hour)),
	}
}

// ConstraintsInput is the constraints that a caller sends: nil is the default.
type ConstraintsInput struct {
	Tone            *string         `json:"tone,omitempty" nullable:"true" doc:"How posts sound" example:"friendly"`
	Cadence         *Cadence        `json:"cadence,omitempty" nullable:"true" doc:"On which days it posts" example:"daily"`
	PostsPerDay     *int            `json:"posts_per_day,omitempty" nullable:"true" doc:"On each posting day, on all platforms together: 1 to 50" example:"2"`
	PostingTimes    []string        `json:"posting_times,omitempty" doc:"When posts go out, in the mission's time zone: HH:MM; more than posts a day are taken in turn" example:"09:00,17:30"`
	Timezone        *string         `json:"timezone,omitempty" nullable:"true" doc:"An IANA time zone, in which days and posting times are meant" example:"Europe/Berlin"`
	RequireApproval *bool           `json:"require_approval,omitempty" nullable:"true" doc:"Whether a person approves each post" example:"true"`
	BudgetCents     *int64          `json:"budget_cents,omitempty" nullable:"true" doc:"What writing and publishing may cost, in US cents; null: no bound" example:"5000"`
	ExcludedTopics  []string        `json:"excluded_topics,omitempty" doc:"What posts never mention" example:"politics"`
	Language        *string         `json:"language,omitempty" nullable:"true" doc:"The language of the posts, as a BCP 47 tag, which platforms are told; null: as each post's text seems to be" example:"pt-BR"`
	Visibility      *Visibility     `json:"visibility,omitempty" nullable:"true" doc:"Who sees posts, on platforms where that can be chosen; null: as the account's owner has set it there" example:"unlisted"`
	Guidance        *Guidance       `json:"guidance,omitempty" doc:"What plans prefer and avoid, whatever was learned; omitted: everything is learned"`
	Evergreen       *EvergreenInput `json:"evergreen,omitempty" doc:"How the best posts are repeated after a while; omitted: they aren't"`
	PaidReplies     []Platform      `json:"paid_replies,omitempty" doc:"The platforms on which the replies to posts are read although the platform charges for each, which counts against the budget; omitted: none" example:"twitter"`
}

// KPIInput is a KPI that a caller sends.
type KPIInput struct {
	Metric   Metric    `json:"metric" doc:"What is measured" example:"engagement_rate"`
	Target   *float64  `json:"target" nullable:"false" doc:"What is to be reached" example:"0.05"`
	Platform *Platform `json:"platform,omitempty" nullable:"true" doc:"Where it is measured; all, the default: on every platform" example:"all"`
}

// CreateInput is the mission that a caller sends (interface, section 4, "Create
// body").
type CreateInput struct {
	Name             string            `json:"name" doc:"What people call it: 1 to 200 characters" example:"Autumn launch"`
	Description      *string           `json:"description,omitempty" nullable:"true" doc:"What the mission is about, in sentences that posts may say: the built-in writer quotes them" example:"Version 2.0 is out. It opens files twice as fast."`
	Objectives       []string          `json:"objectives" doc:"What the mission is to reach: 1 to 50" example:"Announce the 2.0 release"`
	Platforms        []Platform        `json:"platforms" doc:"Where it posts" example:"twitter,linkedin"`
	IntegrationIDs   []string          `json:"integration_ids,omitempty" doc:"The accounts that it posts to; a platform without one of them uses its default account" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	MediaIDs         []string          `json:"media_ids,omitempty" doc:"The pictures that its writer may give to posts, each at most once in 14 days, chosen by their descriptions; Instagram needs some" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Reviewers        []string          `json:"reviewers,omitempty" doc:"The members who are asked to review its posts; omitted or empty: all who may" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	ReviewersOnly    *bool             `json:"reviewers_only,omitempty" nullable:"true" doc:"Whether only its reviewers may approve and reject its posts" example:"false"`
	Constraints      *ConstraintsInput `json:"constraints,omitempty"`
	KPIs             []KPIInput        `json:"kpis,omitempty"`
	Occasions        []OccasionInput   `json:"events,omitempty" doc:"What its posts lead up to"`
	Blackouts        []BlackoutInput   `json:"blackouts,omitempty" doc:"When it publishes nothing"`
	Disclosure       *DisclosureInput  `json:"disclosure,omitempty" doc:"What posts disclose"`
	Links            *LinksInput       `json:"links,omitempty" doc:"What becomes of the links of posts"`
	Editor           *Editor           `json:"editor,omitempty" doc:"Who holds editorial responsibility for its posts"`
	PublicInterest   *bool             `json:"public_interest,omitempty" nullable:"true" doc:"Whether posts are to inform the public on matters of public interest" example:"false"`
	Autonomy         *Autonomy         `json:"autonomy,omitempty" doc:"What it may publish without approval once it has earned that; omitted: nothing"`
	DurationDays     *int              `json:"duration_days" nullable:"false" doc:"How long it lasts: 1 to 366 days" example:"21"`
	StartImmediately *bool             `json:"start_immediately,omitempty" nullable:"true" doc:"Whether it starts at once; else it is a draft" example:"true"`
	StartsAt         *time.Time        `json:"starts_at,omitempty" nullable:"true" doc:"When it starts"`
}

// New returns the mission described by in, with the given id, and its events:
// mission.created, then mission.started if it starts immediately. A mission
// with a starts_at stays a draft until then. Errors: invalid_request, with all
// problems.
func New(id, tenantID string, in CreateInput, now time.Time) (Mission, []Event, error) {
	if err := in.Problems(now).Err(); err != nil {
		return Mission{}, nil, err
	}
	return in.describe(id, tenantID, now)
}

// describe returns what New does, of an input without problems.
func (in CreateInput) describe(id, tenantID string, now time.Time) (Mission, []Event, error) {
	m := Mission{
		ID: id, TenantID: tenantID, Status: StatusDraft,
		Name: strings.TrimSpace(in.Name), Description: Tidy(deref(in.Description, "")),
		Objectives: tidied(in.Objectives), Platforms: slices.Clone(in.Platforms), IntegrationIDs: append([]string{}, in.IntegrationIDs...),
		MediaIDs:  append([]string{}, in.MediaIDs...),
		Reviewers: append([]string{}, in.Reviewers...), ReviewersOnly: deref(in.ReviewersOnly, false),
		Constraints: in.Constraints.withDefaults(), KPIs: kpis(in.KPIs), Occasions: occasions(in.Occasions), Blackouts: blackouts(in.Blackouts),
		Disclosure: in.Disclosure.WithDefaults(), Links: in.Links.WithDefaults(), Editor: in.Editor, PublicInterest: deref(in.PublicInterest, false), Autonomy: in.Autonomy,
		DurationDays: *in.DurationDays, Achieved: []KPI{}, CreatedAt: now, UpdatedAt: now,
	}
	if in.StartsAt != nil {
		starts := Millis(*in.StartsAt)
		ends := AddDays(starts, m.DurationDays, m.Constraints.Zone())
		m.StartsAt, m.EndsAt = &starts, &ends
	}
	events := []Event{m.event(EventMissionCreated, now, MissionData(m))}
	if deref(in.StartImmediately, false) {
		c, err := m.Start(now)
		if err != nil {
			return Mission{}, nil, err
		}
		m, events = c.To, append(events, c.Events...)
	}
	return m, events, nil
}

// kpis returns the KPIs as they are stored.
func kpis(in []KPIInput) []KPI {
	kpis := make([]KPI, len(in))
	for i, k := range in {
		kpis[i] = KPI{Metric: k.Metric, Target: *k.Target, Platform: deref(k.Platform, EveryPlatform)}
	}
	return kpis
}

func deref[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func (in *ConstraintsInput) withDefaults() Constraints {
	if in == nil {
		in = &ConstraintsInput{}
	}
	return Constraints{
		Tone: in.Tone, Cadence: deref(in.Cadence, Daily), PostsPerDay: deref(in.PostsPerDay, 1),
		PostingTimes: append([]string{}, in.PostingTimes...), Timezone: deref(in.Timezone, "UTC"),
		RequireApproval: deref(in.RequireApproval, false), BudgetCents: in.BudgetCents,
		ExcludedTopics: append([]string{}, tidied(in.ExcludedTopics)...), Language: canonicalLanguage(in.Language), Visibility: in.Visibility,
		Guidance: in.Guidance.stated(), Evergreen: in.Evergreen.withDefaults(), PaidReplies: slices.Clone(in.PaidReplies),
	}
}

// Check checks all rules except those about time and about the tenant's accounts, so
// that out-of-bounds input is rejected before a transaction begins. Errors:
// invalid_request, with all problems.
func (in CreateInput) Check() error { return in.problems().Err() }

// Problems returns all that is wrong with in at a time. What is wrong with the accounts
// that it chooses is CheckChosen's.
func (in CreateInput) Problems(now time.Time) Problems {
	found := in.problems()
	found.add(in.checkStart(now))
	return found
}

// problems returns what is wrong whatever the time, in the interface's order of fields.
func (in CreateInput) problems() Problems {
	var found Problems
	found.add(checkLine("name", in.Name, 1, MaxName), checkProse("description", deref(in.Description, ""), 0, MaxDescription))
	found = append(found, checkTexts("objectives", in.Objectives, 1)...)
	found = append(found, in.checkPlatforms()...)
	found = append(found, checkIntegrationIDs(in.IntegrationIDs)...)
	found = append(found, checkMediaIDs(in.MediaIDs)...)
	found = append(found, checkReviewers(in.Reviewers)...)
	if deref(in.ReviewersOnly, false) && len(in.Reviewers) == 0 {
		found.add(Invalid("reviewers_only", "Name the reviewers, or nobody could approve a post."))
	}
	found = append(found, in.Constraints.check()...)
	found = append(found, in.checkKPIs()...)
	found = append(found, checkOccasions(in.Occasions)...)
	found = append(found, checkBlackouts(in.Blackouts)...)
	found = append(found, in.Disclosure.check()...)
	found = append(found, in.Links.check(in.Platforms)...)
	found = append(found, in.Editor.check()...)
	found = append(found, in.Autonomy.check(in.Constraints)...)
	found.add(in.checkDuration())
	return found
}

func (in CreateInput) checkPlatforms() (found Problems) {
	if len(in.Platforms) == 0 {
		found.add(Invalid("platforms", "At least one platform is required."))
	}
	// Of one more than there are, one is wrong.
	for i, p := range in.Platforms[:min(len(in.Platforms), len(AllPlatforms())+1)] {
		param := fmt.Sprintf("platforms[%d]", i)
		switch {
		case !p.Known():
			found.add(CheckPlatform(param, p))
		case slices.Contains(in.Platforms[:i], p):
			found.add(Invalid(param, "Duplicate platform %s.", p.Name()))
		}
	}
	return found
}

func (in CreateInput) checkKPIs() (found Problems) {
	if len(in.KPIs) > MaxListItems {
		return Problems{Invalid("kpis", "At most %d KPIs are allowed.", MaxListItems)}
	}
	for i, k := range in.KPIs {
		param := fmt.Sprintf("kpis[%d]", i)
		found = append(found, k.check(param, in.Platforms)...)
		if j := slices.IndexFunc(in.KPIs[:i], k.counts); j >= 0 {
			found.add(Invalid(param, "Duplicate: kpis[%d] has the same metric and platform.", j))
		}
	}
	return found
}

// counts reports whether k and o are about the same metric of the same platform.
func (k KPIInput) counts(o KPIInput) bool {
	return k.Metric == o.Metric && deref(k.Platform, EveryPlatform) == deref(o.Platform, EveryPlatform)
}

func (k KPIInput) check(param string, platforms []Platform) (found Problems) {
	if !slices.Contains(AllMetrics(), k.Metric) {
		found.add(Invalid(param+".metric", "Unknown metric %q: must be one of %s.", k.Metric, list(AllMetrics())))
	}
	switch {
	case k.Target == nil:
		found.add(Invalid(param+".target", "The target is required."))
	case !(*k.Target > 0 && *k.Target <= MaxKPITarget):
		found.add(Invalid(param+".target", "The target must be greater than 0 and at most %.0e.", MaxKPITarget))
	}
	if k.Platform != nil && *k.Platform != EveryPlatform && !slices.Contains(platforms, *k.Platform) {
		found.add(Invalid(param+".platform", "The platform must be %q or one of the mission's platforms.", EveryPlatform))
	}
	return found
}

func (in CreateInput) checkDuration() error {
	switch {
	case in.DurationDays == nil:
		return Invalid("duration_days", "The duration is required.")
	case *in.DurationDays < 1 || *in.DurationDays > MaxDurationDays:
		return Invalid("duration_days", "The duration must be between 1 and %d days.", MaxDurationDays)
	}
	return nil
}

func (in CreateInput) checkStart(now time.Time) error {
	switch {
	case in.StartsAt == nil:
		return nil
	case deref(in.StartImmediately, false):
		return Invalid("starts_at", "A mission that starts immediately takes no time of its start (API: leave starts_at out).")
	case !in.StartsAt.After(now):
		return Invalid("starts_at", "The start must be in the future.")
	case in.StartsAt.After(now.Add(MaxStartAhead)):
		return Invalid("starts_at", "The start must be within two years.")
	}
	return nil
}

func (in *ConstraintsInput) check() (found Problems) {
	if in == nil {
		return nil
	}
	if in.Tone != nil {
		found.add(checkLine("constraints.tone", *in.Tone, 1, MaxTone))
	}
	if in.Cadence != nil && !slices.Contains(AllCadences(), *in.Cadence) {
		found.add(Invalid("constraints.cadence", "Unknown cadence %q: must be one of %s.", *in.Cadence, list(AllCadences())))
	}
	if in.PostsPerDay != nil && (*in.PostsPerDay < 1 || *in.PostsPerDay > MaxPostsPerDay) {
		found.add(Invalid("constraints.posts_per_day", "The posts per day must be between 1 and %d.", MaxPostsPerDay))
	}
	if in.BudgetCents != nil && (*in.BudgetCents < 0 || *in.BudgetCents > MaxBudgetCents) {
		found.add(Invalid("constraints.budget_cents", "The budget must be between 0 and %d cents.", MaxBudgetCents))
	}
	found = append(found, checkPostingTimes(in.PostingTimes)...)
	if in.Language != nil {
		found.add(checkLanguage("constraints.language", *in.Language))
	}
	if in.Visibility != nil {
		found.add(checkVisibility("constraints.visibility", *in.Visibility))
	}
	found = append(append(found, in.Guidance.check()...), in.Evergreen.check()...)
	found = append(found, checkPaidReplies(in.PaidReplies)...)
	if in.Timezone != nil {
		found.add(checkZone(*in.Timezone))
	}
	return append(found, checkTexts("constraints.excluded_topics", in.ExcludedTopics, 0)...)
}

// PostingTimePattern is the form of a posting time, as a regular expression of Go and
// ECMAScript.
const PostingTimePattern = `^([01][0-9]|2[0-3]):[0-5][0-9]$`

var hhmm = regexp.MustCompile(PostingTimePattern)

func checkPostingTimes(times []string) (found Problems) {
	if len(times) > MaxPostsPerDay {
		return Problems{Invalid("constraints.posting_times", "At most %d posting times are allowed.", MaxPostsPerDay)}
	}
	for i, t := range times {
		param := fmt.Sprintf("constraints.posting_times[%d]", i)
		switch {
		case !hhmm.MatchString(t):
			found.add(Invalid(param, "Invalid posting time %q: must be HH:MM, 00:00 to 23:59.", t))
		case slices.Contains(times[:i], t):
			found.add(Invalid(param, "Duplicate posting time %s.", t))
		}
	}
	return found
}

// checkZone also rejects what LoadLocation accepts but isn't an IANA name: ""
// and "Local", whose meaning depends on the machine.
func checkZone(name string) error { return checkZoneOf("constraints.timezone", name) }

func checkZoneOf(param, name string) error {
	if len(name) > MaxZone {
		return Invalid(param, "The time zone must have at most %d characters.", MaxZone)
	}
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return Invalid(param, "Unknown time zone %q: must be an IANA name, such as Europe/Berlin.", name)
	}
	return nil
}

// checkTexts checks the bounds of a list of texts: at least atLeast items, at
// most MaxListItems, each of 1 to MaxItem characters.
func checkTexts(param string, items []string, atLeast int) (found Problems) {
	if len(items) < atLeast {
		return Problems{Invalid(param, "At least %d item is required.", atLeast)}
	}
	if len(items) > MaxListItems {
		return Problems{Invalid(param, "At most %d items are allowed.", MaxListItems)}
	}
	for i, item := range items {
		found.add(checkProse(fmt.Sprintf("%s[%d]", param, i), item, 1, MaxItem))
	}
	return found
}

// checkProse is checkText for a text that is stored tidy and that people or writers read: it
// allows no hidden characters.
func checkProse(param, text string, atLeast, atMost int) error {
	text = Tidy(text)
	if err := checkText(param, text, atLeast, atMost); err != nil {
		return err
	}
	return CheckVisible(param, text)
}

// CheckVisible rejects a text in which a reader doesn't see all that there is. Errors:
// invalid_request on param, which names the first hidden character.
func CheckVisible(param, text string) error {
	if text != "" && !HasVisible(text) {
		return Invalid(param, "The text has nothing that can be seen.")
	}
	if h, found := FirstHidden(text); found {
		return Invalid(param, "The text has %s. Remove it.", h)
	}
	return nil
}

// tidied returns the texts of a list tidy; nil for nil.
func tidied(items []string) []string {
	items = slices.Clone(items)
	for i, item := range items {
		items[i] = Tidy(item)
	}
	return items
}

// checkText checks the length, in characters, of a text of one or more lines.
func checkText(param, text string, atLeast, atMost int) error {
	n := utf8.RuneCountInString(strings.TrimSpace(text))
	switch {
	case n == 0 && atLeast > 0:
		return Invalid(param, "A text is required.")
	case utf8.RuneCountInString(text) > atMost:
		return Invalid(param, "At most %d characters are allowed.", atMost)
	}
	return CheckString(param, text)
}

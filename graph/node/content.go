package node

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"missiond/internal/service/missions"
	"missiond/mission"
)

// Metrics are figures of posts; nil is a figure that no platform reports.
type Metrics struct {
	EngagementRate, Impressions, Clicks, LinkClicks, Likes, Comments, Shares, FollowersGained, Reach, Views *float64
}

// NewMetrics returns figures as shown.
func NewMetrics(m mission.Metrics) *Metrics {
	of := func(metric mission.Metric) *float64 {
		if v, ok := m[metric]; ok {
			return &v
		}
		return nil
	}
	return &Metrics{
		EngagementRate: of(mission.EngagementRate), Impressions: of(mission.Impressions), Clicks: of(mission.Clicks),
		LinkClicks: of(mission.LinkClicks), Likes: of(mission.Likes), Comments: of(mission.Comments), Shares: of(mission.Shares),
		FollowersGained: of(mission.FollowersGained), Reach: of(mission.Reach), Views: of(mission.Views),
	}
}

// ContentFilter filters posts.
type ContentFilter struct {
	MissionID                  *string
	Status                     *mission.ContentStatus
	Statuses                   []mission.ContentStatus
	Platform                   *mission.Platform
	IntegrationID              *string
	ScheduledFrom, ScheduledTo *time.Time
	PublishedFrom, PublishedTo *time.Time
	Search                     *string
}

// Query returns the filter, or nil for none, with an order. Errors: invalid_request on
// statuses.
func (f *ContentFilter) Query(order *mission.ContentOrder) (q mission.ContentQuery, err error) {
	q.Order = deref(order)
	if f == nil {
		return q, nil
	}
	q.MissionID, q.Platform, q.IntegrationID, q.Statuses = deref(f.MissionID), deref(f.Platform), deref(f.IntegrationID), f.Statuses
	q.Search = deref(f.Search)
	q.Scheduled = mission.Span{From: f.ScheduledFrom, Until: f.ScheduledTo}
	q.Published = mission.Span{From: f.PublishedFrom, Until: f.PublishedTo}
	switch {
	case f.Status != nil && f.Statuses != nil:
		return q, mission.Invalid("statuses", "Give status or statuses, not both.")
	case f.Status != nil:
		q.Statuses = []mission.ContentStatus{*f.Status}
	}
	return q, nil
}

// deref returns the value, or that of nil's type.
func deref[T ~string](v *T) (value T) {
	if v != nil {
		value = *v
	}
	return value
}

// MissionContentFilter filters the posts of a mission.
type MissionContentFilter struct {
	Status   *mission.ContentStatus
	Platform *mission.Platform
}

// Job is a job with the state of its mission.
type Job struct {
	ID              string
	MissionID       string
	Cycle           int
	Status          mission.RunStatus
	CurrentStage    mission.StageName
	ProgressPercent int
	Stages          []Stage
	Strategy        *mission.Plan
	Error           *mission.Failure
	CostCents       int64
	CreatedAt       time.Time
	CompletedAt     *time.Time
}

// Stage is a stage of a job.
type Stage struct {
	Name            mission.StageName
	Status          mission.RunStatus
	ProgressPercent int
	DurationMs      *int64
	StartedAt       *time.Time
	CompletedAt     *time.Time
	Attempts        int
	Error           *mission.Failure
}

// NewJob returns a mission's job as shown.
func NewJob(m mission.Mission, j mission.Job) *Job {
	n := &Job{
		ID: j.ID, MissionID: j.MissionID, Cycle: j.Cycle, Status: m.Shown(j.Status), CurrentStage: j.CurrentStage,
		ProgressPercent: j.Progress(), Error: j.Error, CostCents: j.Cost.Cents(), CreatedAt: j.CreatedAt, CompletedAt: j.CompletedAt,
	}
	if len(j.Plan.Slots) > 0 {
		n.Strategy = &j.Plan
	}
	n.Stages = make([]Stage, len(j.Stages))
	for i, s := range j.Stages {
		shown := Stage{
			Name: s.Name, Status: m.Shown(s.Status), ProgressPercent: j.StageProgress(s),
			StartedAt: s.StartedAt, CompletedAt: s.CompletedAt, Attempts: s.Attempts, Error: s.Error,
		}
		if ms, ok := s.DurationMS(); ok {
			shown.DurationMs = &ms
		}
		n.Stages[i] = shown
	}
	return n
}

// UpdateConstraintsInput is a partial update of constraints.
type UpdateConstraintsInput struct {
	Tone            graphql.Omittable[*string]
	Cadence         graphql.Omittable[*mission.Cadence]
	PostsPerDay     graphql.Omittable[*int]
	PostingTimes    []string
	Timezone        graphql.Omittable[*string]
	RequireApproval graphql.Omittable[*bool]
	BudgetCents     graphql.Omittable[*int64]
	ExcludedTopics  []string
	Language        graphql.Omittable[*string]
	Visibility      graphql.Omittable[*mission.Visibility]
	Guidance        graphql.Omittable[*mission.Guidance]
	Evergreen       graphql.Omittable[*mission.EvergreenInput]
	PaidReplies     []mission.Platform
}

// UpdateMissionInput is a partial update of a mission.
type UpdateMissionInput struct {
	Name           graphql.Omittable[*string]
	Description    graphql.Omittable[*string]
	Objectives     []string
	IntegrationIDs []string
	MediaIDs       []string
	Reviewers      []string
	ReviewersOnly  graphql.Omittable[*bool]
	Constraints    *UpdateConstraintsInput
	Kpis           []mission.KPIInput
	Occasions      []mission.OccasionInput
	Blackouts      []mission.BlackoutInput
	DurationDays   graphql.Omittable[*int]
	Disclosure     *UpdateDisclosureInput
	Links          *UpdateLinksInput
	Editor         graphql.Omittable[*mission.Editor]
	PublicInterest graphql.Omittable[*bool]
	Autonomy       graphql.Omittable[*mission.Autonomy]
}

// UpdateDisclosureInput is a partial update of a disclosure.
type UpdateDisclosureInput struct {
	AiText          graphql.Omittable[*mission.AITextDisclosure]
	LineText        graphql.Omittable[*string]
	AiMedia         graphql.Omittable[*mission.AIMediaDisclosure]
	PaidPartnership graphql.Omittable[*bool]
}

// UpdateLinksInput is a partial update of what becomes of links.
type UpdateLinksInput struct {
	Utm   *UpdateUtmInput
	Track []mission.Platform
}

// UpdateUtmInput is a partial update of the parameters of links.
type UpdateUtmInput struct {
	Source   graphql.Omittable[*string]
	Medium   graphql.Omittable[*string]
	Campaign graphql.Omittable[*string]
	Content  graphql.Omittable[*string]
}

// Update returns the input in the form of package mission.
func (in UpdateMissionInput) Update() mission.UpdateInput {
	u := mission.UpdateInput{
		Name: optional(in.Name), Description: optional(in.Description), Objectives: in.Objectives,
		IntegrationIDs: in.IntegrationIDs, MediaIDs: in.MediaIDs, KPIs: in.Kpis, DurationDays: optional(in.DurationDays),
		Reviewers: in.Reviewers, ReviewersOnly: optional(in.ReviewersOnly),
		Occasions: in.Occasions, Blackouts: in.Blackouts,
		Editor: optional(in.Editor), PublicInterest: optional(in.PublicInterest), Autonomy: optional(in.Autonomy),
	}
	if d := in.Disclosure; d != nil {
		u.Disclosure = mission.DisclosureUpdate{
			AIText: optional(d.AiText), LineText: optional(d.LineText), AIMedia: optional(d.AiMedia), PaidPartnership: optional(d.PaidPartnership),
		}
	}
	if l := in.Links; l != nil {
		u.Links.Track = l.Track
		if utm := l.Utm; utm != nil {
			u.Links.Source, u.Links.Medium, u.Links.Campaign, u.Links.Content = optional(utm.Source), optional(utm.Medium), optional(utm.Campaign), optional(utm.Content)
		}
	}
	if c := in.Constraints; c != nil {
		u.Constraints = mission.ConstraintsUpdate{
			Tone: optional(c.Tone), Cadence: optional(c.Cadence), PostsPerDay: optional(c.PostsPerDay), PostingTimes: c.PostingTimes,
			Timezone: optional(c.Timezone), RequireApproval: optional(c.RequireApproval), BudgetCents: optional(c.BudgetCents),
			ExcludedTopics: c.ExcludedTopics, Language: optional(c.Language), Visibility: optional(c.Visibility), Guidance: optional(c.Guidance), Evergreen: optional(c.Evergreen),
			PaidReplies: c.PaidReplies,
		}
	}
	return u
}

// EditContentInput is a new text for a post.
type EditContentInput struct {
	Text         *string
	Parts        []string
	FirstComment graphql.Omittable[*string]
	Media        []PostMediaInput
	Revision     *int
}

// Edit returns the input in the form of package missions.
func (in EditContentInput) Edit() missions.EditInput {
	edit := missions.EditInput{Text: in.Text, Parts: in.Parts, FirstComment: optional(in.FirstComment), Revision: in.Revision}
	if in.Media != nil {
		files := choices(in.Media)
		edit.Media = &files
	}
	return edit
}

func optional[T any](o graphql.Omittable[*T]) mission.Optional[T] {
	return mission.Optional[T]{Given: o.IsSet(), Value: o.Value()}
}

// ImportContentsPayload is the result of importContents.
type ImportContentsPayload struct {
	Created int
	Rows    []ImportedRow
}

// ImportedRow is what became of a row of an import.
type ImportedRow struct {
	Line      int
	ContentID *string
	Problem   *missions.Problem
}

// Decided returns the posts of several reviews that were decided about.
func Decided(results []missions.Reviewed) []mission.Content {
	list := []mission.Content{}
	for _, r := range results {
		if r.Error == nil {
			list = append(list, *r.Content)
		}
	}
	return list
}

// Made returns the posts of several that were made.
func Made(results []missions.Posted) []mission.Content {
	list := []mission.Content{}
	for _, r := range results {
		if r.Content != nil {
			list = append(list, *r.Content)
		}
	}
	return list
}

// AllDecided returns the results of reviews that were decided together.
func AllDecided(list []mission.Content) []missions.Reviewed {
	results := make([]missions.Reviewed, len(list))
	for i, c := range list {
		results[i] = missions.Reviewed{ID: c.ID, Content: &c}
	}
	return results
}

// NewImport returns the result of an import as shown.
func NewImport(r missions.ImportResult) ImportContentsPayload {
	shown := ImportContentsPayload{Created: r.Created, Rows: make([]ImportedRow, len(r.Rows))}
	for i, row := range r.Rows {
		shown.Rows[i] = ImportedRow{Line: row.Line, Problem: row.Problem}
		if row.ContentID != "" {
			shown.Rows[i].ContentID = &row.ContentID
		}
	}
	return shown
}

package rest

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// optional is a field of a partial update: whether it was sent, and whether it was
// null.
type optional[T any] struct{ mission.Optional[T] }

// UnmarshalJSON decodes a field that was sent.
func (o *optional[T]) UnmarshalJSON(text []byte) error {
	o.Given = true
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	o.Value = new(T)
	return jsonwire.Value(text, o.Value)
}

// Schema describes the field as the value that it may have.
func (o optional[T]) Schema(r huma.Registry) *huma.Schema {
	if reflect.TypeFor[T]().Kind() == reflect.Struct {
		return nullable[T]{}.Schema(r)
	}
	s := huma.SchemaFromType(r, reflect.TypeFor[T]())
	s.Nullable = true
	if set := enums[reflect.TypeFor[T]()]; set != nil {
		s.Enum = append(slices.Clone(set), nil)
	}
	return s
}

// JSONType returns the type of the field's value, for errors.
func (o optional[T]) JSONType() reflect.Type { return reflect.TypeFor[T]() }

type updateBody struct {
	Name           optional[string]           `json:"name,omitzero" doc:"Takes effect at once" example:"Autumn launch"`
	Description    optional[string]           `json:"description,omitzero" doc:"Takes effect at once" example:"Version 2.0 is out. It opens files twice as fast."`
	Objectives     []string                   `json:"objectives,omitempty" doc:"Replaces the list; takes effect from the next cycle on" example:"Announce the 2.0 release"`
	IntegrationIDs []string                   `json:"integration_ids,omitempty" doc:"Replaces the list of accounts that it posts to; takes effect from the next cycle on" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	MediaIDs       []string                   `json:"media_ids,omitempty" doc:"Replaces the list of pictures that its writer may use; takes effect at once, for posts that are yet to be written" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Reviewers      []string                   `json:"reviewers,omitempty" doc:"Replaces the list of members who are asked to review its posts; takes effect at once" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	ReviewersOnly  optional[bool]             `json:"reviewers_only,omitzero" doc:"Whether only its reviewers may approve and reject its posts; takes effect at once" example:"false"`
	Constraints    *updateConstraints         `json:"constraints,omitempty" doc:"Merged field by field; takes effect from the next cycle on"`
	KPIs           []mission.KPIInput         `json:"kpis,omitempty" doc:"Replaces the list; affects optimization"`
	Occasions      []mission.OccasionInput    `json:"events,omitempty" doc:"Replaces the list of what its posts lead up to; takes effect from the next cycle on"`
	Blackouts      []mission.BlackoutInput    `json:"blackouts,omitempty" doc:"Replaces the list of times in which it publishes nothing; takes effect at once: scheduled posts move to free slots"`
	DurationDays   optional[int]              `json:"duration_days,omitzero" doc:"Moves ends_at" example:"21"`
	Disclosure     *updateDisclosure          `json:"disclosure,omitempty" doc:"Merged field by field; takes effect at once, for posts that are yet to be written or edited"`
	Links          *updateLinks               `json:"links,omitempty" doc:"What becomes of the links of posts; merged field by field; takes effect at once, for posts that are yet to be written or edited"`
	Editor         optional[mission.Editor]   `json:"editor,omitzero" doc:"Who holds editorial responsibility for its posts; null: nobody is named"`
	Autonomy       optional[mission.Autonomy] `json:"autonomy,omitzero" doc:"What it may publish without approval once it has earned that; null: nothing; takes effect at once"`
	PublicInterest optional[bool]             `json:"public_interest,omitzero" doc:"Whether posts are to inform the public on matters of public interest" example:"false"`
}

type updateDisclosure struct {
	AIText          optional[mission.AITextDisclosure]  `json:"ai_text,omitzero" doc:"How posts say that the service's writer wrote them; line: line_text is the end of their text" example:"line"`
	LineText        optional[string]                    `json:"line_text,omitzero" doc:"The line" example:"Written with AI"`
	AIMedia         optional[mission.AIMediaDisclosure] `json:"ai_media,omitzero" doc:"Which posts are labeled as having pictures made by AI, on X and Instagram; auto: those with a file whose provenance says so" example:"auto"`
	PaidPartnership optional[bool]                      `json:"paid_partnership,omitzero" doc:"Whether posts are labeled as a paid partnership, on X" example:"false"`
}

type updateLinks struct {
	UTM   *updateUTM         `json:"utm,omitempty" doc:"Merged field by field"`
	Track []mission.Platform `json:"track,omitempty" doc:"Replaces the list of platforms on which links lead through the service; empty: none" example:"twitter,bluesky"`
}

type updateUTM struct {
	Source   optional[string] `json:"source,omitzero" doc:"utm_source: a text, in which {mission} is the mission's name, {platform} the platform and {content_id} the post; null for none" example:"{platform}"`
	Medium   optional[string] `json:"medium,omitzero" doc:"utm_medium, as source" example:"social"`
	Campaign optional[string] `json:"campaign,omitzero" doc:"utm_campaign, as source" example:"{mission}"`
	Content  optional[string] `json:"content,omitzero" doc:"utm_content, as source" example:"{content_id}"`
}

type updateConstraints struct {
	Tone            optional[string]                 `json:"tone,omitzero" doc:"How posts sound" example:"friendly"`
	Cadence         optional[mission.Cadence]        `json:"cadence,omitzero" doc:"On which days it posts" example:"daily"`
	PostsPerDay     optional[int]                    `json:"posts_per_day,omitzero" doc:"On each posting day, on all platforms together: 1 to 50" example:"2"`
	PostingTimes    []string                         `json:"posting_times,omitempty" doc:"When posts go out, in the mission's time zone: HH:MM; more than posts a day are taken in turn" example:"09:00,17:30"`
	Timezone        optional[string]                 `json:"timezone,omitzero" doc:"An IANA time zone, in which days and posting times are meant" example:"Europe/Berlin"`
	RequireApproval optional[bool]                   `json:"require_approval,omitzero" doc:"Whether a person approves each post" example:"true"`
	BudgetCents     optional[int64]                  `json:"budget_cents,omitzero" doc:"What writing and publishing may cost, in US cents; null: no bound" example:"5000"`
	ExcludedTopics  []string                         `json:"excluded_topics,omitempty" doc:"What posts never mention" example:"politics"`
	Language        optional[string]                 `json:"language,omitzero" doc:"The language of the posts, as a BCP 47 tag, which platforms are told; null: as each post's text seems to be" example:"pt-BR"`
	Guidance        optional[mission.Guidance]       `json:"guidance,omitzero" doc:"What plans prefer and avoid, whatever was learned; replaces all of it; null: everything is learned"`
	Evergreen       optional[mission.EvergreenInput] `json:"evergreen,omitzero" doc:"How the best posts are repeated after a while; replaces all of it; null: they aren't"`
	Visibility      optional[mission.Visibility]     `json:"visibility,omitzero" doc:"Who sees posts, on platforms where that can be chosen; null: as the account's owner has set it there" example:"unlisted"`
	PaidReplies     []mission.Platform               `json:"paid_replies,omitempty" doc:"Replaces the list of platforms on which replies are read although the platform charges for each; empty: none" example:"twitter"`
}

func (b updateBody) input() mission.UpdateInput {
	in := mission.UpdateInput{
		Name: b.Name.Optional, Description: b.Description.Optional, Objectives: b.Objectives,
		IntegrationIDs: b.IntegrationIDs, MediaIDs: b.MediaIDs, KPIs: b.KPIs, DurationDays: b.DurationDays.Optional,
		Reviewers: b.Reviewers, ReviewersOnly: b.ReviewersOnly.Optional,
		Occasions: b.Occasions, Blackouts: b.Blackouts,
		Editor: b.Editor.Optional, PublicInterest: b.PublicInterest.Optional, Autonomy: b.Autonomy.Optional,
	}
	if d := b.Disclosure; d != nil {
		in.Disclosure = mission.DisclosureUpdate{
			AIText: d.AIText.Optional, LineText: d.LineText.Optional, AIMedia: d.AIMedia.Optional, PaidPartnership: d.PaidPartnership.Optional,
		}
	}
	if l := b.Links; l != nil {
		in.Links.Track = l.Track
		if u := l.UTM; u != nil {
			in.Links.Source, in.Links.Medium, in.Links.Campaign, in.Links.Content = u.Source.Optional, u.Medium.Optional, u.Campaign.Optional, u.Content.Optional
		}
	}
	if c := b.Constraints; c != nil {
		in.Constraints = mission.ConstraintsUpdate{
			Tone: c.Tone.Optional, Cadence: c.Cadence.Optional, PostsPerDay: c.PostsPerDay.Optional, PostingTimes: c.PostingTimes,
			Timezone: c.Timezone.Optional, RequireApproval: c.RequireApproval.Optional, BudgetCents: c.BudgetCents.Optional,
			ExcludedTopics: c.ExcludedTopics, Language: c.Language.Optional, Visibility: c.Visibility.Optional, Guidance: c.Guidance.Optional, Evergreen: c.Evergreen.Optional,
			PaidReplies: c.PaidReplies,
		}
	}
	return in
}

type missionParams struct {
	MissionPath
	RawText
}

// updatedMission is the mission object with its notices.
type updatedMission struct {
	mission.Mission

	Notices []mission.Notice `json:"notices" doc:"Notices for its owner about how it is set up"`
}

func (a *API) updateMission(ctx context.Context, p mission.Principal, in *missionParams, body updateBody) (updatedMission, error) {
	m, err := a.missions.UpdateMission(ctx, p, in.ID, body.input())
	return updatedMission{Mission: m, Notices: m.Notices()}, err
}

// fixed are the fields of a mission that can't be updated.
var fixed = []string{
	"id", "platforms", "status", "starts_at", "ends_at", "start_immediately", "pipeline_job_id", "created_at",
	"updated_at",
}

// explainFixed replaces the error "unknown field" for a field that can't be
// updated.
func explainFixed(err error) error {
	var m *mission.Error
	if errors.As(err, &m) && slices.Contains(fixed, m.Param) {
		return mission.Invalid(m.Param, "This field can't be updated.")
	}
	return err
}

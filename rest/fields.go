package rest

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"missiond/mission"
)

// enums are the closed sets of values that fields of these types have.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[mission.Angle]():             enum(mission.AllAngles()...),
	reflect.TypeFor[mission.AudioCodec]():        enum(mission.AllAudioCodecs()...),
	reflect.TypeFor[mission.AuthMethod]():        enum(mission.AuthSession, mission.AuthAPIKey),
	reflect.TypeFor[mission.AutonomyState]():     enum(mission.AllAutonomyStates()...),
	reflect.TypeFor[mission.AutonomyEndReason](): enum(mission.AllAutonomyEndReasons()...),
	reflect.TypeFor[mission.Cadence]():           enum(mission.AllCadences()...),
	reflect.TypeFor[mission.Code]():              enum(mission.AllCodes()...),
	reflect.TypeFor[mission.CommentStatus]():     enum(mission.AllCommentStatuses()...),
	reflect.TypeFor[mission.ContentStatus]():     enum(mission.AllContentStatuses()...),
	reflect.TypeFor[mission.DeliveryStatus]():    enum(mission.AllDeliveryStatuses()...),
	reflect.TypeFor[mission.MediaKind]():         enum(mission.AllMediaKinds()...),
	reflect.TypeFor[mission.EventType]():         enum(mission.AllEventTypes()...),
	reflect.TypeFor[mission.AITextDisclosure]():  enum(mission.AllAITextDisclosures()...),
	reflect.TypeFor[mission.AIMediaDisclosure](): enum(mission.AllAIMediaDisclosures()...),
	reflect.TypeFor[mission.AuthorKind]():        enum(mission.AllAuthorKinds()...),
	reflect.TypeFor[mission.Decision]():          enum(mission.AllDecisions()...),
	reflect.TypeFor[mission.ReadbackState]():     enum(mission.AllReadbackStates()...),
	reflect.TypeFor[mission.ReviewVia]():         enum(mission.AllReviewVias()...),
	reflect.TypeFor[mission.Rule]():              enum(mission.AllRules()...),
	reflect.TypeFor[mission.EmojiUse]():          enum(mission.AllEmojiUses()...),
	reflect.TypeFor[mission.Format]():            enum(mission.FormatPost, mission.FormatThread, mission.FormatArticle),
	reflect.TypeFor[mission.Grouping]():          enum(mission.InterfaceGroupings()...),
	reflect.TypeFor[mission.IntegrationAuth]():   enum(mission.AllIntegrationAuths()...),
	reflect.TypeFor[mission.IntegrationStatus](): enum(mission.AllIntegrationStatuses()...),
	reflect.TypeFor[mission.KeyStatus]():         enum(mission.AllKeyStatuses()...),
	reflect.TypeFor[mission.OccasionKind]():      enum(mission.AllOccasionKinds()...),
	reflect.TypeFor[mission.Origin]():            enum(mission.AllOrigins()...),
	reflect.TypeFor[mission.HealthState]():       enum(mission.AllHealthStates()...),
	reflect.TypeFor[mission.Metric]():            enum(mission.AllMetrics()...),
	reflect.TypeFor[mission.NotificationKind]():  enum(mission.AllNotificationKinds()...),
	reflect.TypeFor[mission.ProofKind]():         enum(mission.AllProofKinds()...),
	reflect.TypeFor[mission.Platform]():          enum(mission.AllPlatforms()...),
	reflect.TypeFor[mission.ReasonCode]():        enum(mission.AllReasonCodes()...),
	reflect.TypeFor[mission.Remedy]():            enum(mission.AllRemedies()...),
	reflect.TypeFor[mission.Rewriting]():         enum(mission.AllRewritings()...),
	reflect.TypeFor[mission.Role]():              enum(mission.AllRoles()...),
	reflect.TypeFor[mission.RunStatus]():         enum(mission.AllRunStatuses()...),
	reflect.TypeFor[mission.Scope]():             enum(mission.AllScopes()...),
	reflect.TypeFor[mission.StageName]():         enum(mission.AllStages()...),
	reflect.TypeFor[mission.Status]():            enum(mission.AllStatuses()...),
	reflect.TypeFor[mission.Subsampling]():       enum(mission.AllSubsamplings()...),
	reflect.TypeFor[mission.TenantPlan]():        enum(mission.AllPlans()...),
	reflect.TypeFor[mission.Trend]():             enum(mission.TrendImproving, mission.TrendSteady, mission.TrendDeclining),
	reflect.TypeFor[mission.VideoCodec]():        enum(mission.AllVideoCodecs()...),
	reflect.TypeFor[mission.Visibility]():        enum(mission.AllVisibilities()...),
	reflect.TypeFor[mission.ReplyStatus]():       enum(mission.AllReplyStatuses()...),
	reflect.TypeFor[mission.ReplyAction]():       enum(mission.AllReplyActions()...),
	reflect.TypeFor[mission.WebhookStatus]():     enum(mission.AllWebhookStatuses()...),
}

// enum returns a closed set of values as a schema has it.
func enum[T ~string](values ...T) []any {
	set := make([]any, len(values))
	for i, v := range values {
		set[i] = string(v)
	}
	return set
}

// examples are the examples of fields of these types.
var examples = map[reflect.Type]any{
	reflect.TypeFor[time.Time]():                 "2025-03-03T09:00:00Z",
	reflect.TypeFor[mission.Metrics]():           exampleMetrics,
	reflect.TypeFor[nullable[mission.Metrics]](): exampleMetrics,
}

var exampleMetrics = mission.Metrics{mission.Impressions: 1240, mission.Likes: 37, mission.EngagementRate: 2.98}

// describeFields adds to the schema of a struct what follows from the types of its
// fields and not from their tags: closed sets of values, examples and bounds.
func describeFields(s *huma.Schema, of reflect.Type) {
	for _, f := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		property, t := s.Properties[name], f.Type
		if property == nil {
			continue
		}
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if (f.Type == reflect.TypeFor[*mission.Editor]() || f.Type == reflect.TypeFor[*mission.Autonomy]()) && !strings.Contains(f.Tag.Get("json"), ",omit") {
			s.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{property, {Type: "null"}}}
			continue
		}
		if e := examples[t]; e != nil {
			property.Examples = []any{e}
		}
		describeEnum(property, t)
		if b, ok := bounds[of][name]; ok {
			b.show(property)
		}
	}
}

// describeEnum adds the closed set of values of a field of a type, or of its items.
func describeEnum(s *huma.Schema, t reflect.Type) {
	if t.Kind() == reflect.Slice && s.Items != nil {
		s, t = s.Items, t.Elem()
	}
	if s.Enum != nil {
		return
	}
	s.Enum = enums[t]
	if s.Nullable && s.Enum != nil {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
}

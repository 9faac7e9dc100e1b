package rest

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// bound is what a field of a body may be. The numbers are the constants that the
// service checks by; zeros are no bound.
type bound struct {
	minLength, maxLength int // in characters
	minItems, maxItems   int
	unique               bool
	pattern              string
	// least and most are the bounds of a number, which has both.
	least, most float64
	// aboveLeast excludes least itself.
	aboveLeast bool
	// required excludes null from an update's field.
	required bool
	// items are the bounds of a list's items; may be nil.
	items *bound
}

func text1(most int) bound { return bound{minLength: 1, maxLength: most} }

func texts(least int) bound {
	item := text1(mission.MaxItem)
	return bound{minItems: least, maxItems: mission.MaxListItems, items: &item}
}

var (
	eventTypes   = bound{minItems: 1, maxItems: 2 * len(mission.AllEventTypes())}
	postsPerDay  = bound{least: 1, most: mission.MaxPostsPerDay}
	duration     = bound{least: 1, most: mission.MaxDurationDays}
	budget       = bound{least: 0, most: mission.MaxBudgetCents}
	postingTimes = bound{maxItems: mission.MaxPostsPerDay, unique: true, items: &bound{pattern: mission.PostingTimePattern}}
	language     = bound{maxLength: mission.MaxLanguage, pattern: mission.LanguagePattern}
	chosen       = bound{maxItems: mission.MaxIntegrations, unique: true}
	pictures     = bound{maxItems: mission.MaxMissionMedia, unique: true}
	reviewers    = bound{maxItems: mission.MaxReviewers, unique: true}
	tracked      = bound{maxItems: len(mission.AllPlatforms()), unique: true}
	utm          = map[string]bound{"source": text1(mission.MaxUTM), "medium": text1(mission.MaxUTM), "campaign": text1(mission.MaxUTM), "content": text1(mission.MaxUTM)}
	kpis         = bound{maxItems: mission.MaxListItems}
	occasions    = bound{maxItems: mission.MaxOccasions}
	blackouts    = bound{maxItems: mission.MaxBlackouts}
	guidance     = map[string]bound{"prefer_angles": guidedAngles, "avoid_angles": guidedAngles, "prefer_hours": guidedHours, "avoid_hours": guidedHours}
	guidedAngles = bound{maxItems: len(mission.AllAngles()) - 1, unique: true}
	guidedHours  = bound{maxItems: len(mission.PartsOfDay()) - 1, unique: true, items: &bound{pattern: "^(" + strings.Join(mission.PartsOfDay(), "|") + ")$"}}
	evergreen    = map[string]bound{"cooldown_days": {least: mission.MinCooldownDays, most: mission.MaxCooldownDays}, "share": {least: 1, most: mission.MaxRepeatShare}}
	dateNote     = bound{maxLength: mission.MaxDateNote}
	slug         = bound{minLength: 1, maxLength: mission.MaxSlug, pattern: mission.SlugPattern}
	files        = bound{maxItems: mission.MaxPostMedia}
	altText      = bound{maxLength: mission.MaxAltText}
	aboutMedia   = bound{maxLength: mission.MaxMediaDescription}
	parts        = bound{maxItems: textlimit.MaxParts()}
	brandText    = bound{maxLength: mission.MaxBrand}
	brandWord    = text1(mission.MaxBrandWord)
	example      = text1(mission.MaxExample)
	hashtag      = text1(mission.MaxHashtag)
	address      = bound{maxLength: mission.MaxURL}
	credential   = bound{maxLength: mission.MaxCredential}
	writerPrice  = bound{least: 0, most: mission.MaxWriterPrice}
	account      = bound{maxLength: mission.MaxIdentifier}
)

// stated returns the bound of an update's field that can't be null.
func stated(b bound) bound {
	b.required = true
	return b
}

// bounds are those of the fields of bodies, by their types. A test compares each with
// the check of its body.
var bounds = map[reflect.Type]map[string]bound{
	reflect.TypeFor[mission.CreateInput](): {
		"name": text1(mission.MaxName), "description": {maxLength: mission.MaxDescription}, "objectives": texts(1), "kpis": kpis,
		"platforms": {minItems: 1, maxItems: len(mission.AllPlatforms()), unique: true}, "integration_ids": chosen, "media_ids": pictures,
		"reviewers": reviewers, "events": occasions, "blackouts": blackouts, "duration_days": duration,
	},
	reflect.TypeFor[mission.WriterInput]():  {"url": address, "model": text1(mission.MaxModel), "key": credential},
	reflect.TypeFor[mission.WriterPrices](): {"input": writerPrice, "output": writerPrice},
	reflect.TypeFor[mission.AnswerInput]():  {"text": text1(mission.MaxAnswer)},
	reflect.TypeFor[mission.AppInput]():     {"client_id": text1(mission.MaxCredential), "client_secret": credential},
	reflect.TypeFor[mission.ConstraintsInput](): {
		"tone": text1(mission.MaxTone), "posts_per_day": postsPerDay, "posting_times": postingTimes, "timezone": text1(mission.MaxZone),
		"budget_cents": budget, "excluded_topics": texts(0), "language": language, "paid_replies": tracked,
	},
	reflect.TypeFor[mission.Guidance]():        guidance,
	reflect.TypeFor[mission.EvergreenInput]():  evergreen,
	reflect.TypeFor[mission.DisclosureInput](): {"line_text": text1(mission.MaxDisclosureLine)},
	reflect.TypeFor[mission.LinksInput]():      {"track": tracked},
	reflect.TypeFor[mission.UTMInput]():        utm,
	reflect.TypeFor[updateLinks]():             {"track": tracked},
	reflect.TypeFor[updateUTM]():               utm,
	reflect.TypeFor[mission.Editor]():          {"name": text1(mission.MaxName), "email": text1(mission.MaxEmail)},
	reflect.TypeFor[mission.Earned]():          {"after": {least: 1, most: mission.MaxAfter}, "share": {least: 0, aboveLeast: true, most: 1}},
	reflect.TypeFor[updateDisclosure](): {
		"ai_text": stated(bound{}), "line_text": stated(text1(mission.MaxDisclosureLine)), "ai_media": stated(bound{}), "paid_partnership": stated(bound{}),
	},
	reflect.TypeFor[mission.KPIInput](): {"target": {least: 0, aboveLeast: true, most: mission.MaxKPITarget}},
	reflect.TypeFor[updateBody](): {
		"name": stated(text1(mission.MaxName)), "description": {maxLength: mission.MaxDescription}, "objectives": texts(1), "kpis": kpis,
		"integration_ids": chosen, "media_ids": pictures, "events": occasions, "blackouts": blackouts, "duration_days": stated(duration),
		"reviewers": reviewers, "reviewers_only": stated(bound{}),
		"public_interest": stated(bound{}),
	},
	reflect.TypeFor[mission.OccasionInput](): {"name": text1(mission.MaxOccasionName), "note": dateNote},
	reflect.TypeFor[mission.BlackoutInput](): {"reason": dateNote},
	reflect.TypeFor[updateConstraints](): {
		"tone": text1(mission.MaxTone), "cadence": stated(bound{}), "posts_per_day": stated(postsPerDay), "posting_times": postingTimes,
		"timezone": stated(text1(mission.MaxZone)), "require_approval": stated(bound{}), "budget_cents": budget,
		"excluded_topics": texts(0), "language": language, "paid_replies": tracked,
	},
	reflect.TypeFor[mission.KeyInput](): {
		"name": text1(mission.MaxName), "scopes": {minItems: 1, maxItems: mission.MaxListItems},
		"expires_in_days": {least: 1, most: mission.MaxKeyDays},
	},
	reflect.TypeFor[rotateBody]():           {"grace_period_days": {least: 0, most: mission.MaxGraceDays}},
	reflect.TypeFor[mission.OnboardInput](): {"name": text1(mission.MaxName), "slug": slug},
	reflect.TypeFor[mission.TenantInput]():  {"name": text1(mission.MaxName), "slug": slug},
	reflect.TypeFor[mission.BrandInput](): {
		"voice": brandText, "audience": brandText, "website": {maxLength: mission.MaxWebsite}, "excluded_topics": texts(0),
		"examples":       {maxItems: mission.MaxExamples, items: &example},
		"required_words": {maxItems: mission.MaxRequiredWords, items: &brandWord}, "banned_words": {maxItems: mission.MaxBannedWords, items: &brandWord},
		"language": {maxLength: mission.MaxLanguage, pattern: "^$|" + mission.LanguagePattern}, "facts": {maxItems: mission.MaxFacts},
	},
	reflect.TypeFor[mission.SampleInput](): {"subject": {maxLength: mission.MaxItem}},
	reflect.TypeFor[mission.Hashtags]():    {"max": {least: 0, most: mission.MaxHashtags}, "always": {maxItems: mission.MaxHashtags, items: &hashtag}},
	reflect.TypeFor[mission.Fact]():        {"text": text1(mission.MaxFact), "source": {maxLength: mission.MaxFact}},
	reflect.TypeFor[mission.WebhookInput](): {
		"events": eventTypes, "secret": {minLength: mission.MinSecret, maxLength: mission.MaxSecret}, "url": address,
	},
	reflect.TypeFor[mission.WebhookUpdate](): {"events": eventTypes, "url": address},
	reflect.TypeFor[mission.ConnectInput](): {
		"server": {maxLength: mission.MaxServer}, "access_token": credential, "refresh_token": credential, "identifier": account,
		"app_password": credential, "account": account, "return_url": address,
	},
	reflect.TypeFor[mission.IntegrationInput](): {"label": {maxLength: mission.MaxLabel}},
	reflect.TypeFor[createBody]():               {"parts": parts, "media": files},
	reflect.TypeFor[validateBody]():             {"parts": parts, "media": files},
	reflect.TypeFor[editBody]():                 {"parts": parts, "media": files},
	reflect.TypeFor[chosenMedia](): {
		"media_id": {maxLength: mission.IDLength(mission.PrefixMedia)}, "alt_text": altText, "part": {least: 0, most: float64(textlimit.MaxParts() - 1)},
	},
	reflect.TypeFor[mediaBody]():      {"alt_text": altText, "description": aboutMedia},
	reflect.TypeFor[framingBody]():    {"focus_x": {least: 0, most: 1}, "focus_y": {least: 0, most: 1}},
	reflect.TypeFor[provenanceBody](): {"source_type": {maxLength: mission.MaxSourceType}},
	reflect.TypeFor[createUploadBody](): {
		"content_type": {maxLength: mission.MaxContentType}, "bytes": {least: 1, most: mission.MaxVideoBytes}, "alt_text": altText, "description": aboutMedia,
	},
	reflect.TypeFor[mission.ReviewLinkInput]():    {"name": text1(mission.MaxReviewLinkName), "expires_in_hours": {least: 1, most: mission.MaxReviewLinkHours}},
	reflect.TypeFor[mission.ReviewCommentInput](): {"text": text1(mission.MaxReviewComment)},
	reflect.TypeFor[mission.HoldInput]():          {"reason": text1(mission.MaxReason)},
	reflect.TypeFor[rejectBody]():                 {"reason": {maxLength: mission.MaxReason}},
	reflect.TypeFor[regenerateBody]():             {"instructions": {maxLength: mission.MaxReason}},
	reflect.TypeFor[markBody]():                   {"ids": {minItems: 1, maxItems: mission.MaxNotifications}},
}

// show adds the bound to a field's schema.
func (b bound) show(s *huma.Schema) {
	count := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	s.MinLength, s.MaxLength, s.MinItems, s.MaxItems = count(b.minLength), count(b.maxLength), count(b.minItems), count(b.maxItems)
	s.UniqueItems, s.Pattern = b.unique, b.pattern
	if b.most != 0 {
		least, most := b.least, b.most
		s.Minimum, s.Maximum = &least, &most
		if b.aboveLeast {
			s.Minimum, s.ExclusiveMinimum = nil, &least
		}
	}
	if b.required {
		s.Nullable = false
		if n := len(s.Enum); n > 0 && s.Enum[n-1] == nil {
			s.Enum = s.Enum[:n-1]
		}
	}
	if b.items != nil {
		b.items.show(s.Items)
	}
}

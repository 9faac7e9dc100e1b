package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/jsonwire"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// members is a JSON object.
type members = map[string]any

// checker checks a body as the service does.
type checker func(text []byte) error

// checked returns the check of a body of type B.
func checked[B any](check func(B) error) checker {
	return func(text []byte) error {
		var body B
		if err := jsonwire.Read(text, &body); err != nil {
			return err
		}
		return check(body)
	}
}

func soundWriter() members {
	return members{"url": "https://host.example/v1", "model": "m", "prices": members{"input": 0, "output": 0}}
}

// bodies are bodies that are accepted, with their checks. at is where in a body the fields of the type are.
var bodies = map[reflect.Type]struct {
	sound members
	at    string
	check checker
}{
	reflect.TypeFor[mission.CreateInput]():      {soundMission(), "", checked(mission.CreateInput.Check)},
	reflect.TypeFor[mission.WriterInput]():      {soundWriter(), "", checked(mission.WriterInput.Check)},
	reflect.TypeFor[mission.WriterPrices]():     {soundWriter(), "prices", checked(mission.WriterInput.Check)},
	reflect.TypeFor[mission.AppInput]():         {members{"client_id": "x"}, "", checked(mission.AppInput.Check)},
	reflect.TypeFor[mission.ConstraintsInput](): {soundMission(), "constraints", checked(mission.CreateInput.Check)},
	reflect.TypeFor[mission.DisclosureInput]():  {soundMission(), "disclosure", checked(mission.CreateInput.Check)},
	reflect.TypeFor[mission.LinksInput](): {members{}, "", checked(func(l mission.LinksInput) error {
		return mission.CreateInput{Name: "A", Objectives: []string{"a"}, Platforms: mission.AllPlatforms(), Links: &l, DurationDays: new(1)}.Check()
	})},
	reflect.TypeFor[mission.UTMInput](): {members{}, "", checked(func(u mission.UTMInput) error {
		return mission.CreateInput{Name: "A", Objectives: []string{"a"}, Platforms: mission.AllPlatforms(), Links: &mission.LinksInput{UTM: &u}, DurationDays: new(1)}.Check()
	})},
	reflect.TypeFor[updateLinks]():      {members{}, "links", checked(func(b updateBody) error { return b.input().Check() })},
	reflect.TypeFor[updateUTM]():        {members{}, "", checked(func(u updateUTM) error { return updateBody{Links: &updateLinks{UTM: &u}}.input().Check() })},
	reflect.TypeFor[updateDisclosure](): {members{}, "disclosure", checked(func(b updateBody) error { return b.input().Check() })},
	reflect.TypeFor[mission.KPIInput](): {members{"metric": "likes", "target": 1}, "", checked(func(k mission.KPIInput) error {
		in := mission.CreateInput{Name: "A", Objectives: []string{"a"}, Platforms: mission.AllPlatforms(), KPIs: []mission.KPIInput{k}, DurationDays: new(int)}
		*in.DurationDays = 1
		return in.Check()
	})},
	reflect.TypeFor[mission.OccasionInput](): {members{"name": "A", "starts_on": "2026-03-01", "kind": "sale"}, "", checked(func(o mission.OccasionInput) error {
		return mission.UpdateInput{Occasions: []mission.OccasionInput{o}}.Check()
	})},
	reflect.TypeFor[mission.BlackoutInput](): {members{"starts_at": time.Unix(0, 0), "ends_at": time.Unix(60, 0)}, "", checked(func(b mission.BlackoutInput) error {
		return mission.UpdateInput{Blackouts: []mission.BlackoutInput{b}}.Check()
	})},
	reflect.TypeFor[mission.EvergreenInput](): {members{}, "", checked(func(e mission.EvergreenInput) error {
		in := mission.UpdateInput{}
		in.Constraints.Evergreen = mission.Some(e)
		return in.Check()
	})},
	reflect.TypeFor[mission.Earned](): {members{"after": 1, "share": 1}, "", checked(func(e mission.Earned) error {
		return mission.UpdateInput{Autonomy: mission.Some(mission.Autonomy{Earned: e})}.Check()
	})},
	reflect.TypeFor[updateBody]():                 {members{}, "", checked(func(b updateBody) error { return b.input().Check() })},
	reflect.TypeFor[updateConstraints]():          {members{}, "constraints", checked(func(b updateBody) error { return b.input().Check() })},
	reflect.TypeFor[mission.KeyInput]():           {members{"name": "A"}, "", checked(mission.KeyInput.Check)},
	reflect.TypeFor[rotateBody]():                 {members{}, "", checked(checkRotation)},
	reflect.TypeFor[mission.OnboardInput]():       {members{"name": "A"}, "", checked(func(in mission.OnboardInput) error { return in.Settings().Check() })},
	reflect.TypeFor[mission.TenantInput]():        {members{}, "", checked(mission.TenantInput.Check)},
	reflect.TypeFor[mission.BrandInput]():         {members{}, "brand", checked(mission.TenantInput.Check)},
	reflect.TypeFor[mission.WebhookInput]():       {members{"url": "https://example.com", "events": []any{"content.published"}}, "", checked(mission.WebhookInput.Check)},
	reflect.TypeFor[mission.WebhookUpdate]():      {members{}, "", checked(mission.WebhookUpdate.Check)},
	reflect.TypeFor[mission.IntegrationInput]():   {members{}, "", checked(mission.IntegrationInput.Check)},
	reflect.TypeFor[mission.ConnectInput]():       {members{}, "", checked(checkConnect)},
	reflect.TypeFor[mission.ReviewLinkInput]():    {members{"name": "A", "expires_in_hours": 1}, "", checked(mission.ReviewLinkInput.Check)},
	reflect.TypeFor[mission.ReviewCommentInput](): {members{"text": "A"}, "", checked(mission.ReviewCommentInput.Check)},
	reflect.TypeFor[mission.HoldInput]():          {members{}, "", checked(func(b mission.HoldInput) error { return b.Check(time.Unix(0, 0)) })},
	reflect.TypeFor[mission.SampleInput]():        {members{"platform": "linkedin"}, "", checked(mission.SampleInput.Check)},
	reflect.TypeFor[rejectBody]():                 {members{}, "", checked(func(b rejectBody) error { return mission.CheckReason(text(b.Reason)) })},
	reflect.TypeFor[regenerateBody]():             {members{}, "", checked(func(b regenerateBody) error { return mission.CheckInstructions(text(b.Instructions)) })},
	reflect.TypeFor[editBody](): {members{}, "", checked(func(b editBody) error {
		if b.Media != nil {
			return mission.CheckMediaChoices(choices(*b.Media))
		}
		return missions.EditInput{Text: b.Text, Parts: b.Parts}.Check()
	})},
	reflect.TypeFor[mediaBody](): {members{}, "", checked(func(b mediaBody) error {
		_, err := mission.Media{}.Edit(b.input(), time.Unix(0, 0))
		return err
	})},
	reflect.TypeFor[framingBody](): {members{}, "framing", checked(func(b mediaBody) error {
		_, err := mission.Media{Framing: mission.NewFraming()}.Edit(b.input(), time.Unix(0, 0))
		return err
	})},
}

// elsewhere are the bodies, and the fields of bodies, whose bounds are checked where a
// unit test doesn't reach.
var elsewhere = map[string]string{
	"createBody":         "its parts and media as editBody's",
	"validateBody":       "its parts and media as editBody's",
	"chosenMedia":        "an id has one form; the parts are those that a post has; the alt text is a platform's",
	"createUploadBody":   "as mediaBody's; the type must be a known one, and the size is by the type",
	"provenanceBody":     "only known source types are allowed",
	"markBody":           "TestHugeBodiesInREST",
	"WebhookInput.url":   "by internal/outbound",
	"CreateInput.events": "TestDatesAreChecked of mission: a webhook's events are others",
	"updateBody.events":  "as CreateInput's",
	"WebhookUpdate.url":  "by internal/outbound",

	"AnswerInput":                "TestAnswersAreChecked of internal/service/missions: the platform's own limits are lower",
	"Guidance":                   "TestGuidanceIsChecked of mission: its values are a few words",
	"Editor":                     "TestEditor of mission: most texts of any length are no address",
	"ConstraintsInput.language":  "TestLanguages of mission: most texts of any length are no tag",
	"updateConstraints.language": "as ConstraintsInput's",
	"BrandInput.language":        "as ConstraintsInput's, or empty",
	"BrandInput.facts":           "TestBrandInput of mission: facts are objects, each once",
	"Hashtags":                   "TestBrandInput of mission: a list of forms",
	"Fact":                       "TestBrandInput of mission: in a list of BrandInput's",
}

func soundMission() members {
	return members{"name": "A", "objectives": []any{"a"}, "platforms": mission.AllPlatforms(), "duration_days": 1}
}

func checkRotation(b rotateBody) error {
	k := mission.APIKey{ID: "key_1", TenantID: "tnt_1"}
	_, _, err := k.Rotate("key_2", "p", b.GracePeriodDays, mission.Principal{TenantID: "tnt_1"}, nil, time.Unix(0, 0))
	return err
}

// checkConnect connects a platform that takes the fields that are there.
func checkConnect(in mission.ConnectInput) error {
	some := "x"
	switch {
	case in.Identifier != nil || in.AppPassword != nil:
		in.Platform = mission.Bluesky
		if in.Identifier == nil {
			in.Identifier = &some
		}
		if in.AppPassword == nil {
			in.AppPassword = &some
		}
	case in.Server != nil:
		in.Platform, in.AccessToken = mission.Mastodon, &some
	case in.ReturnURL != nil:
		in.Platform = mission.LinkedIn
	default:
		in.Platform = mission.LinkedIn
		if in.AccessToken == nil {
			in.AccessToken = &some
		}
	}
	_, _, err := in.Read()
	return err
}

// values returns values at a bound, and values just outside it. kind is a schema's type.
func (b bound) values(kind, field string) (inside, outside []any) {
	sample := sampled(field)
	long := func(n int) any {
		if field == "website" {
			return "https://a.example/" + strings.Repeat("a", n-len("https://a.example/"))
		}
		return strings.Repeat("a", n)
	}
	list := func(n int) any {
		l := make([]any, n)
		for i := range l {
			l[i] = sample(i)
		}
		return l
	}
	switch kind {
	case huma.TypeString:
		if b.maxLength > 0 {
			inside, outside = append(inside, long(b.maxLength)), append(outside, long(b.maxLength+1))
		}
		if b.minLength > 0 {
			inside, outside = append(inside, long(b.minLength)), append(outside, long(b.minLength-1))
		}
		if b.pattern != "" {
			outside = append(outside, "A-B:")
		}
	case huma.TypeArray:
		if b.maxItems > 0 {
			inside, outside = append(inside, list(b.maxItems)), append(outside, list(b.maxItems+1))
		}
		if b.minItems > 0 {
			inside, outside = append(inside, list(b.minItems)), append(outside, list(b.minItems-1))
		}
		if b.unique {
			outside = append(outside, []any{sample(0), sample(0)})
		}
	case huma.TypeInteger:
		inside, outside = []any{b.least, b.most}, []any{b.least - 1, b.most + 1}
	case huma.TypeNumber:
		inside, outside = []any{math.SmallestNonzeroFloat64, b.most}, []any{math.Nextafter(b.most, math.Inf(1))}
		if b.aboveLeast {
			outside = append(outside, b.least)
		} else {
			inside, outside = append(inside, b.least), append(outside, math.Nextafter(b.least, math.Inf(-1)))
		}
	}
	if b.required {
		outside = append(outside, nil)
	}
	if b.items != nil {
		_, wrong := b.items.values(huma.TypeString, field)
		for _, v := range wrong {
			outside = append(outside, []any{v})
		}
	}
	if field == "timezone" {
		inside = nil // only zones' names are allowed
	}
	return inside, outside
}

// sampled returns the i-th of the different items of lists.
func sampled(field string) func(i int) any {
	return func(i int) any {
		switch field {
		case "platforms", "track", "paid_replies":
			if all := mission.AllPlatforms(); i < len(all) {
				return all[i]
			}
			return "another"
		case "integration_ids":
			return fmt.Sprintf("%s%026d", mission.PrefixIntegration, i)
		case "media_ids":
			return fmt.Sprintf("%s%026d", mission.PrefixMedia, i)
		case "reviewers":
			return fmt.Sprintf("%s%026d", mission.PrefixUser, i)
		case "kpis":
			all := mission.AllMetrics()
			platforms := append([]mission.Platform{mission.EveryPlatform}, mission.AllPlatforms()...)
			return members{"metric": all[i%len(all)], "target": 1, "platform": platforms[i/len(all)%len(platforms)]}
		case "blackouts":
			return members{"starts_at": time.Unix(int64(i), 0), "ends_at": time.Unix(int64(i)+1, 0)}
		case "media":
			return members{"media_id": fmt.Sprintf("%s%026d", mission.PrefixMedia, i)}
		case "posting_times":
			return time.Unix(int64(i)*60, 0).UTC().Format("15:04")
		case "events":
			return mission.AllEventTypes()[i%len(mission.AllEventTypes())]
		case "scopes":
			return mission.AllScopes()[i%len(mission.AllScopes())]
		}
		return "a"
	}
}

// kindOf returns the type of a field's schema; "" for one that has no bounds of its own.
func kindOf(t reflect.Type, field string) string {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == field {
			ft := f.Type
			if ft.Kind() == reflect.Struct && ft.NumField() == 1 { // optional
				ft = ft.Field(0).Type.Field(0).Type
				if v, ok := f.Type.Field(0).Type.FieldByName("Value"); ok {
					ft = v.Type
				}
			}
			if ft.Kind() == reflect.Pointer {
				ft = ft.Elem()
			}
			return map[reflect.Kind]string{
				reflect.String: huma.TypeString, reflect.Slice: huma.TypeArray, reflect.Int: huma.TypeInteger, reflect.Int64: huma.TypeInteger,
				reflect.Float64: huma.TypeNumber, reflect.Bool: huma.TypeBoolean,
			}[ft.Kind()]
		}
	}
	return ""
}

// The bounds that the description shows are those that are checked: what is just inside
// is accepted, what is just outside is refused by the field's name.
func TestBoundsAreChecked(t *testing.T) {
	for of, fields := range bounds {
		body, ok := bodies[of]
		if !ok {
			if elsewhere[of.Name()] == "" {
				t.Errorf("%s has bounds that no test compares with its check", of)
			}
			continue
		}
		for field, b := range fields {
			kind := kindOf(of, field)
			if kind == "" {
				t.Errorf("%s has no field %s that can have a bound", of, field)
			}
			if elsewhere[of.Name()+"."+field] != "" {
				continue
			}
			try := func(v any) *mission.Error {
				sent := maps.Clone(body.sound)
				if body.at == "" {
					sent[field] = v
				} else {
					sent[body.at] = members{field: v}
				}
				text, err := json.Marshal(sent)
				if err != nil {
					t.Fatal(err)
				}
				var wrong *mission.Error
				if err := body.check(text); errors.As(err, &wrong) && strings.Contains(wrong.Param, field) {
					return wrong
				}
				return nil
			}
			inside, outside := b.values(kind, field)
			for _, v := range inside {
				if wrong := try(v); wrong != nil {
					t.Errorf("%s.%s: %.80v is refused: %s %s", of.Name(), field, v, wrong.Param, wrong.Message)
				}
			}
			for _, v := range outside {
				if try(v) == nil {
					t.Errorf("%s.%s: %.80v is accepted", of.Name(), field, v)
				}
			}
		}
	}
}

// unbounded are the texts, lists and numbers of bodies whose schema has no bound, and why.
var unbounded = map[string]string{
	"clerk_token": "a token of the identity provider's", "text": "each platform's own, in GET /v1/platforms", "first_comment": "each platform's own",
	"parts[]": "each platform's own", "integration_id": "an id", "mission_id": "an id", "integration_ids[]": "an id", "media_ids[]": "an id", "reviewers[]": "an id", "ids[]": "an id", "revision": "any other than the post's is a conflict",
	"part": "the parts that the post has", "start": "the text of the post", "end": "the text of the post",
}

// lengths matches how descriptions say how many characters a text may have.
var lengths = regexp.MustCompile(`([0-9,]+) characters`)

// Every text, list and number of a body has a bound in the description, or a reason. Where the words say a text's bound
// too, it is the same.
func TestBodiesAreBounded(t *testing.T) {
	api := New(Options{Clock: epoch{}})
	schemas := api.huma.OpenAPI().Components.Schemas
	found := map[string]bool{}
	var walk func(at string, s *huma.Schema)
	walk = func(at string, s *huma.Schema) {
		if s.Ref != "" {
			s = schemas.SchemaFromRef(s.Ref)
		}
		bare := false
		switch s.Type {
		case huma.TypeString:
			bare = s.MaxLength == nil && s.Enum == nil && s.Format == "" && s.Pattern == ""
			if said := lengths.FindStringSubmatch(s.Description); said != nil && s.MaxLength != nil && strings.ReplaceAll(said[1], ",", "") != strconv.Itoa(*s.MaxLength) {
				t.Errorf("%s may have %d characters, and is described as %q", at, *s.MaxLength, s.Description)
			}
		case huma.TypeArray:
			walk(at+"[]", s.Items)
			bare = s.MaxItems == nil
		case huma.TypeInteger, huma.TypeNumber:
			bare = s.Maximum == nil
		case huma.TypeObject:
			for name, property := range s.Properties {
				walk(name, property)
			}
		}
		if found[at] = found[at] || bare; bare && unbounded[at] == "" {
			t.Errorf("%s has no bound", at)
		}
	}
	for _, path := range api.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{path.Post, path.Put} {
			if op == nil || op.RequestBody == nil {
				continue
			}
			if op.RequestBody.Content[rawBody] != nil {
				t.Errorf("%s: a body of %s is described, and refused", op.OperationID, rawBody)
			}
			if body := op.RequestBody.Content["application/json"]; body != nil {
				walk("", body.Schema)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unbounded)) {
		if !found[name] {
			t.Errorf("%s has a bound", name)
		}
	}
}

// epoch is a clock that stands.
type epoch struct{}

func (epoch) Now() time.Time { return time.Unix(0, 0).UTC() }

func (epoch) Domain(real time.Duration) time.Duration { return real }

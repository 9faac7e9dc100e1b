package llm

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"missiond/internal/checks"
	"missiond/mission"
)

// Bounds of a prompt.
const (
	// maxPrompt is more than the rules for missions allow.
	maxPrompt = 1 << 20
	// maxWorked is how many of the plan's reasons the prompt contains.
	maxWorked = 10
	// maxPictures is how many of the pictures that a post may have the prompt names, and
	// maxShows how much of what each shows, in bytes.
	maxPictures = 30
	maxShows    = 300
	// maxEcho is how much of a faulty response is sent back to the model.
	maxEcho = 8 << 10
	// maxComplaint bounds the complaint about it.
	maxComplaint = 512
)

type role uint8

const (
	system role = iota
	user
	assistant
)

// message is one of a conversation.
type message struct {
	role role
	text string
}

// order is an assignment prepared for calls.
type order struct {
	caps   mission.Capabilities
	format mission.Format
	brief  mission.Brief
	// repeats reports whether the post says again what another says.
	repeats bool
	// pictures are those that the model chooses from.
	pictures []mission.Picture
	// used are the texts that were published before, by any account.
	used mission.TextSet
	// facts are those that the text may state.
	facts []mission.Fact
	// bar is what the text is checked by.
	bar  *checks.Bar
	talk []message
	// seed spreads the waits of writers that fail at the same time.
	seed uint64
}

func newOrder(a mission.Assignment) order {
	caps, _ := a.Capabilities()
	o := order{caps: caps, format: a.Slot.Format, brief: a.Brief, used: a.UsedTexts, facts: a.Holding(), seed: a.Seed, repeats: a.Original != nil}
	described := a // of the others a model can't tell
	described.Pictures = slices.DeleteFunc(slices.Clone(a.Pictures), func(p mission.Picture) bool { return p.Shows == "" })
	o.pictures = described.BestPictures(maxPictures)
	o.talk = []message{{system, o.rules()}, {user, materialOf(a, o.pictures)}}
	o.bar = checks.New(a).Quoting(o.talk[0].text)
	return o
}

// check returns an error if no call can be made. Errors: invalid_request.
func (o order) check() error {
	switch {
	case o.caps.Platform == "":
		return mission.Invalid("platform", "Unknown platform.")
	case !slices.Contains(o.caps.Formats, o.format):
		return mission.Invalid("type", "%s takes no %s.", o.caps.Platform.Name(), o.format)
	case len(o.talk[1].text) > maxPrompt:
		return mission.Invalid("description", "The brief is too long for the writer.")
	}
	return nil
}

// opening returns the conversation of the first call.
func (o order) opening() []message { return slices.Clone(o.talk) }

// mending returns the conversation continued with a response and what is wrong
// with it. Marks of chat templates, which a brief may have made the model
// repeat, are broken up.
func (o order) mending(response string, f *fault) []message {
	if response = cut(strings.ReplaceAll(response, "<|", "< |"), maxEcho); strings.TrimSpace(response) == "" {
		response = "(no text)" // endpoints refuse an empty message
	}
	return append(o.opening(), message{assistant, response}, message{user, complaint(f.words)})
}

// longest returns a conversation of the maximal length.
func (o order) longest() []message {
	return append(o.opening(), message{assistant, strings.Repeat("x", maxEcho)}, message{user, complaint(strings.Repeat("x", maxComplaint))})
}

// cut shortens text to at most n bytes of whole characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// complaint returns a message in the service's own words only.
func complaint(words string) string {
	return encode(map[string]string{"problem": cut(words, maxComplaint), "wanted": "the whole answer again, without the problem"})
}

// encode returns JSON as encoding/json writes it, which also escapes < and >,
// so that it can't contain the role marks of chat templates.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "{}" // strings and numbers can't fail
	}
	return string(text)
}

// material is what a tenant and its reviewers wrote.
type material struct {
	Mission        missionMaterial   `json:"mission"`
	Post           postMaterial      `json:"post"`
	Worked         []string          `json:"worked"`
	Facts          []factMaterial    `json:"facts,omitempty"`
	Tone           string            `json:"tone"`
	Brand          brandMaterial     `json:"brand"`
	Pictures       []pictureMaterial `json:"pictures,omitempty"`
	ExcludedTopics []string          `json:"excluded_topics"`
	BannedWords    []string          `json:"banned_words,omitempty"`
	ReviewerWishes string            `json:"reviewer_wishes"`
}

type pictureMaterial struct {
	ID    string `json:"id"`
	Shows string `json:"shows"`
}

type factMaterial struct {
	Number int     `json:"number"`
	States string  `json:"states"`
	Source *string `json:"source,omitempty"`
}

type missionMaterial struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Objectives  []string `json:"objectives"`
	// Language is a BCP 47 tag, or absent.
	Language string `json:"language,omitempty"`
}

type postMaterial struct {
	Objective string        `json:"objective"`
	Angle     mission.Angle `json:"angle"`
	Number    int           `json:"number"`
	Revision  int           `json:"revision"`
	// Repeats are the texts of the post that this one says again; absent without one.
	Repeats []string `json:"repeats,omitempty"`
	// Event is what the post leads up to; absent without one.
	Event *eventMaterial `json:"event,omitempty"`
}

type eventMaterial struct {
	Name      string               `json:"name"`
	Kind      mission.OccasionKind `json:"kind"`
	StartsOn  string               `json:"starts_on"`
	EndsOn    string               `json:"ends_on"`
	DaysUntil int                  `json:"days_until"`
	Note      string               `json:"note"`
}

// eventOf returns the event that a post leads up to; nil for none.
func eventOf(a mission.Assignment) *eventMaterial {
	o := a.Slot.Occasion
	if o == nil {
		return nil
	}
	return &eventMaterial{o.Name, o.Kind, o.StartsOn, o.EndsOn, o.DaysUntil(a.Slot.At, a.Brief.Constraints.Zone()), o.Note}
}

// repeated returns the texts of the post that an assignment's says again; nil for none.
func repeated(a mission.Assignment) []string {
	if a.Original == nil {
		return nil
	}
	d := a.Original.RepeatedDraft()
	return d.Texts()
}

type brandMaterial struct {
	Name     string `json:"name"`
	Voice    string `json:"voice"`
	Audience string `json:"audience"`
	Website  string `json:"website"`
	// Examples are posts of the brand, RequiredWords and Hashtags what each post has.
	Examples      []string `json:"examples,omitempty"`
	RequiredWords []string `json:"required_words,omitempty"`
	Hashtags      []string `json:"hashtags,omitempty"`
}

// materialOf returns an assignment as one JSON object, which nothing in it can
// end.
func materialOf(a mission.Assignment, offered []mission.Picture) string {
	var pictures []pictureMaterial
	for _, p := range offered {
		pictures = append(pictures, pictureMaterial{p.MediaID, cut(p.Shows, maxShows)})
	}
	var facts []factMaterial
	for i, f := range a.Holding() {
		facts = append(facts, factMaterial{i + 1, f.Text, f.Source})
	}
	b := a.Brief
	tone := ""
	if b.Constraints.Tone != nil {
		tone = *b.Constraints.Tone
	}
	language := ""
	if b.Constraints.Language != nil {
		language = *b.Constraints.Language
	}
	return encode(material{
		Mission:        missionMaterial{b.MissionName, b.Description, b.Objectives, language},
		Post:           postMaterial{a.Slot.Objective, a.Slot.Angle, a.Slot.Position + 1, a.Revision, repeated(a), eventOf(a)},
		Worked:         a.Worked[:min(len(a.Worked), maxWorked)],
		Tone:           tone,
		Brand:          brandOf(b.Brand),
		Facts:          facts,
		BannedWords:    b.Brand.BannedWords,
		Pictures:       pictures,
		ExcludedTopics: b.Constraints.ExcludedTopics,
		ReviewerWishes: a.Instructions,
	})
}

func brandOf(b mission.Brand) brandMaterial {
	return brandMaterial{b.Name, b.Voice, b.Audience, b.Website, b.Examples, b.RequiredWords, b.Hashtags.Always}
}

// nameOf returns what a model knows a platform as.
func nameOf(p mission.Platform) string {
	if p == mission.Twitter {
		return "X (Twitter)"
	}
	return p.Name()
}

var unitWords = map[mission.LengthUnit]string{
	mission.UnitCharacters: "characters",
	mission.UnitWeighted:   "characters, where an emoji or a character of Chinese, Japanese or Korean counts 2",
	mission.UnitGraphemes:  "characters as people see them",
	mission.UnitMastodon:   "characters as people see them",
	mission.UnitThreads:    "characters, where an emoji counts about 4",
	mission.UnitEscaped:    `characters, where each of \|{}@[]()<>#*_~ counts 2`,
}

// basicRules are the rules of every conversation. They lack the platform's name,
// the form of the post, its hashtags and the form of the response.
//
//go:embed rules.txt
var basicRules string

// rules returns the system message: the service's own words and the platform's
// figures, nothing of the tenant's.
func (o order) rules() string {
	c := o.caps
	limit := fmt.Sprintf("at most %d %s", c.MaxLength, unitWords[c.Unit])
	if c.LinkLength > 0 {
		limit += fmt.Sprintf(", where a link counts %d", c.LinkLength)
	}
	if c.MaxBytes > 0 {
		limit += fmt.Sprintf(", and at most %d bytes of UTF-8", c.MaxBytes)
	}
	usual, _ := mission.CapabilitiesOf(c.Platform) // a server that allows more needn't get more
	limit += fmt.Sprintf("; aim for less than %d", min(c.MaxLength, usual.MaxLength)*9/10)
	var form, shape string
	switch o.format {
	case mission.FormatThread:
		form = fmt.Sprintf("Format: a thread of 2 to %d parts that are read one after the other, without numbers. Each part has %s.", c.MaxParts, limit)
		shape = `"parts": ["…", "…"]`
	case mission.FormatArticle:
		form = fmt.Sprintf("Format: an article, a title in its first line and paragraphs with empty lines between them. It has %s.", limit)
		if c.TitleLength > 0 {
			form += fmt.Sprintf(" It is Markdown; the first line is the title alone, of at most %d characters.", c.TitleLength)
		}
		shape = `"text": "…"`
	default:
		form = fmt.Sprintf("Format: a single post. It has %s.", limit)
		shape = `"text": "…"`
	}
	if len(o.pictures) > 0 {
		shape += `, "picture": "an id of pictures, or null"`
	}
	if len(o.facts) > 0 {
		shape += `, "facts": [the numbers of the facts that the text states]`
	}
	return fmt.Sprintf(strings.TrimSuffix(basicRules, "\n"), nameOf(c.Platform), form, o.hashtagRule(), o.brandRules()+o.pictureRule()+o.repeatRule(), "{"+shape+"}")
}

// hashtagRule returns how many hashtags a post has.
func (o order) hashtagRule() string {
	most, always := o.caps.MaxHashtags, len(o.brief.Brand.Hashtags.Always)
	if rule := o.brief.Brand.Hashtags.Max; rule != nil {
		most = min(most, *rule)
	}
	if always > 0 {
		return fmt.Sprintf("all of brand.hashtags, and %d hashtags at most with them", max(most, always))
	}
	return fmt.Sprintf("%d hashtags at most, or none", most)
}

// repeatRule returns how a post is said again that was published before; "" for another one.
func (o order) repeatRule() string {
	if !o.repeats {
		return ""
	}
	return "- post.repeats is a post that was published long ago and did well: say what it says, in other words and with another beginning.\n"
}

// brandRules returns those rules of the brand that the assignment has, in the service's own words.
func (o order) brandRules() string {
	b, rules := o.brief.Brand, ""
	if len(b.Examples) > 0 {
		rules += "- brand.examples are posts of the brand: write as they are written, and say nothing of what they say.\n"
	}
	if len(b.RequiredWords) > 0 {
		rules += "- Have each of brand.required_words in the post.\n"
	}
	if len(b.BannedWords) > 0 {
		rules += "- Use no word of banned_words, in no form.\n"
	}
	switch b.EmojiUse() {
	case mission.EmojiNone:
		rules += "- Use no emoji.\n"
	case mission.EmojiFew:
		rules += fmt.Sprintf("- Use %d emoji at most.\n", mission.FewEmoji)
	default:
	}
	if len(o.facts) > 0 {
		rules += "- facts may be stated, and linked to where their source is an address. Answer with the numbers of those that the text states. Prices, percentages and promises that are neither in them nor in the rest of the material are not allowed.\n"
	}
	return rules
}

// pictureRule returns the rule of the choice of a picture; "" without pictures.
func (o order) pictureRule() string {
	switch {
	case len(o.pictures) == 0:
		return ""
	case o.caps.Media.Required:
		return "- The post goes out with one of pictures. Choose the one whose shows fits the text best.\n"
	}
	return "- The post may go out with one of pictures. Choose one only if its shows fits the text; else answer null.\n"
}

// schemaSize is an upper bound of a schema's size, in bytes.
const schemaSize = 448

// schema returns the JSON Schema of a response.
func (o order) schema() map[string]any {
	member, value := "text", map[string]any{"type": "string"}
	if o.format == mission.FormatThread {
		member, value = "parts", map[string]any{"type": "array", "items": value, "minItems": 2, "maxItems": o.caps.MaxParts}
	}
	members, required := map[string]any{member: value}, []string{member}
	if len(o.pictures) > 0 {
		members[pictureMember], required = map[string]any{"type": []string{"string", "null"}}, append(required, pictureMember)
	}
	if len(o.facts) > 0 {
		numbers := map[string]any{"type": "array", "items": map[string]any{"type": "integer", "minimum": 1, "maximum": len(o.facts)}}
		members[factsMember], required = numbers, append(required, factsMember)
	}
	return map[string]any{"type": "object", "properties": members, "required": required, "additionalProperties": false}
}

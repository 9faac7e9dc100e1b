package llm

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	used   mission.TextSet
	// pictures are those that the model chooses from.
	pictures []mission.Picture
	// named are the accounts, numbers and addresses in the material.
	named names
	talk  []message
	// seed spreads the waits of writers that fail at the same time.
	seed uint64
}

func newOrder(a mission.Assignment) order {
	caps, _ := a.Capabilities()
	o := order{caps: caps, format: a.Slot.Format, brief: a.Brief, used: a.UsedTexts, named: namesIn(wordsOf(a)...), seed: a.Seed}
	described := a // of the others a model can't tell
	described.Pictures = slices.DeleteFunc(slices.Clone(a.Pictures), func(p mission.Picture) bool { return p.Shows == "" })
	o.pictures = described.BestPictures(maxPictures)
	o.talk = []message{{system, o.rules()}, {user, materialOf(a, o.pictures)}}
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
	Tone           string            `json:"tone"`
	Brand          brandMaterial     `json:"brand"`
	Pictures       []pictureMaterial `json:"pictures,omitempty"`
	ExcludedTopics []string          `json:"excluded_topics"`
	ReviewerWishes string            `json:"reviewer_wishes"`
}

type pictureMaterial struct {
	ID    string `json:"id"`
	Shows string `json:"shows"`
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

type brandMaterial struct {
	Name     string `json:"name"`
	Voice    string `json:"voice"`
	Audience string `json:"audience"`
	Website  string `json:"website"`
}

// materialOf returns an assignment as one JSON object, which nothing in it can
// end.
func materialOf(a mission.Assignment, offered []mission.Picture) string {
	var pictures []pictureMaterial
	for _, p := range offered {
		pictures = append(pictures, pictureMaterial{p.MediaID, cut(p.Shows, maxShows)})
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
		Post:           postMaterial{a.Slot.Objective, a.Slot.Angle, a.Slot.Position + 1, a.Revision, eventOf(a)},
		Worked:         a.Worked[:min(len(a.Worked), maxWorked)],
		Tone:           tone,
		Brand:          brandMaterial{b.Brand.Name, b.Brand.Voice, b.Brand.Audience, b.Brand.Website},
		Pictures:       pictures,
		ExcludedTopics: b.Constraints.ExcludedTopics,
		ReviewerWishes: a.Instructions,
	})
}

var platformNames = map[mission.Platform]string{
	mission.Twitter: "X (Twitter)", mission.LinkedIn: "LinkedIn", mission.Facebook: "Facebook", mission.Instagram: "Instagram",
	mission.Threads: "Threads", mission.TikTok: "TikTok", mission.YouTube: "YouTube", mission.Pinterest: "Pinterest",
	mission.Mastodon: "Mastodon", mission.Bluesky: "Bluesky",
}

var unitWords = map[mission.LengthUnit]string{
	mission.UnitCharacters: "characters",
	mission.UnitWeighted:   "characters, where an emoji or a character of Chinese, Japanese or Korean counts 2",
	mission.UnitGraphemes:  "characters as people see them",
	mission.UnitMastodon:   "characters as people see them",
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
		shape = `"text": "…"`
	default:
		form = fmt.Sprintf("Format: a single post. It has %s.", limit)
		shape = `"text": "…"`
	}
	if len(o.pictures) > 0 {
		shape += `, "picture": "an id of pictures, or null"`
	}
	hashtags := fmt.Sprintf("%d hashtags at most, or none", c.MaxHashtags)
	return fmt.Sprintf(strings.TrimSuffix(basicRules, "\n"), platformNames[c.Platform], form, hashtags, o.pictureRule(), "{"+shape+"}")
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
const schemaSize = 320

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
	return map[string]any{"type": "object", "properties": members, "required": required, "additionalProperties": false}
}

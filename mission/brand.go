package mission

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Bounds of a brand. Lengths are in characters.
const (
	MaxBrand         = 1000
	MaxWebsite       = 300 // bytes
	MaxExamples      = 10
	MaxExample       = 1000
	MaxRequiredWords = 5
	MaxBannedWords   = 100
	MaxBrandWord     = 60
	MaxHashtags      = 30
	MaxHashtag       = 50
	MaxFacts         = 30
	MaxFact          = 300
)

// EmojiUse is how many emoji a brand's posts have.
type EmojiUse string

// The uses of emoji.
const (
	EmojiNone EmojiUse = "none"
	EmojiFew  EmojiUse = "few" // FewEmoji at most
	EmojiFree EmojiUse = "free"
)

// FewEmoji is how many emoji a post has at most where the brand has few.
const FewEmoji = 3

// AllEmojiUses lists the uses of emoji.
func AllEmojiUses() []EmojiUse { return []EmojiUse{EmojiNone, EmojiFew, EmojiFree} }

// Brand is a tenant's voice and audience, for writers, and what its posts must have or lack.
type Brand struct {
	Name           string   `json:"name"`
	Voice          string   `json:"voice"`
	Audience       string   `json:"audience"`
	Website        string   `json:"website"`
	ExcludedTopics []string `json:"excluded_topics"`
	// Language is a BCP 47 tag, which missions without a language of their own have; "" for none.
	Language string `json:"language,omitempty"`
	// Examples are posts that are as the brand's should be.
	Examples      []string `json:"examples,omitempty"`
	RequiredWords []string `json:"required_words,omitempty"`
	BannedWords   []string `json:"banned_words,omitempty"`
	// Emoji is EmojiFree if it is "".
	Emoji    EmojiUse `json:"emoji,omitempty"`
	Hashtags Hashtags `json:"hashtags,omitzero"`
	Facts    []Fact   `json:"facts,omitempty"`
}

// Hashtags are the rule of a brand's hashtags.
type Hashtags struct {
	Max    *int     `json:"max,omitempty" nullable:"true" doc:"How many hashtags a post has at most; null for no limit of the brand's" example:"3"`
	Always []string `json:"always,omitempty" doc:"Those that each post has, with or without #" example:"acme"`
}

// Fact is something that a brand's posts may state.
type Fact struct {
	Text string `json:"text" doc:"What posts may state: 1 to 300 characters; each once" example:"Over 4,000 teams use Acme."`
	// Source is where it stands; nil if that isn't said.
	Source *string `json:"source,omitempty" nullable:"true" doc:"Where it stands: an http or https address, to which posts may link, or words" example:"https://acme.example/customers"`
	// ExpiresAt is until when it holds; nil for no end.
	ExpiresAt *time.Time `json:"expires_at,omitempty" nullable:"true" doc:"Until when it holds; null for no end" example:"2027-01-01T00:00:00Z"`
}

// CitedFact is a fact that a text rests on, as it was when the text was written.
type CitedFact struct {
	Text   string  `json:"text" doc:"What it states" example:"Over 4,000 teams use Acme."`
	Source *string `json:"source" doc:"Where it stands; null if that wasn't said" example:"https://acme.example/customers"`
}

// Cited returns a fact as what a text rests on.
func (f Fact) Cited() CitedFact { return CitedFact{Text: f.Text, Source: f.Source} }

// Expired reports whether a fact doesn't hold any more.
func (f Fact) Expired(now time.Time) bool { return f.ExpiresAt != nil && !now.Before(*f.ExpiresAt) }

// BrandInput is a change of a brand: nil fields stay unchanged.
type BrandInput struct {
	Voice          *string   `json:"voice,omitempty" doc:"How the brand speaks" example:"Plain, warm, never shouting"`
	Audience       *string   `json:"audience,omitempty" doc:"Whom the posts speak to" example:"Small teams that ship every week"`
	Website        *string   `json:"website,omitempty" doc:"Where the brand is at home" example:"https://acme.example"`
	ExcludedTopics []string  `json:"excluded_topics,omitempty" doc:"What posts never mention" example:"politics"`
	Language       *string   `json:"language,omitempty" doc:"The language of posts of missions that state none, as a BCP 47 tag; empty for none" example:"en-GB"`
	Examples       []string  `json:"examples,omitempty" doc:"Posts that are as the brand's should be, for writers" example:"Version 2.0 is out. It is faster. That is all."`
	RequiredWords  []string  `json:"required_words,omitempty" doc:"What each post that a writer writes has" example:"Acme"`
	BannedWords    []string  `json:"banned_words,omitempty" doc:"What no post has, as excluded topics" example:"revolutionary"`
	Emoji          *EmojiUse `json:"emoji,omitempty" doc:"Whether posts have emoji; few: 3 at most" example:"few"`
	Hashtags       *Hashtags `json:"hashtags,omitempty" doc:"The rule of hashtags, as a whole"`
	Facts          []Fact    `json:"facts,omitempty" doc:"What posts may state as facts, as a whole"`
}

// change returns the brand changed by in, and the names of the changed fields.
func (b Brand) change(in BrandInput) (changed Brand, fields []string) {
	set := func(field string, to *string, value *string) {
		if value != nil && Tidy(*value) != *to {
			*to = Tidy(*value)
			fields = append(fields, "brand."+field)
		}
	}
	setAll := func(field string, to *[]string, values []string) {
		if values != nil && !slices.Equal(tidied(values), *to) {
			*to = tidied(values)
			fields = append(fields, "brand."+field)
		}
	}
	set("voice", &b.Voice, in.Voice)
	set("audience", &b.Audience, in.Audience)
	set("website", &b.Website, in.Website)
	setAll("excluded_topics", &b.ExcludedTopics, in.ExcludedTopics)
	set("language", &b.Language, canonicalLanguage(in.Language))
	setAll("examples", &b.Examples, in.Examples)
	setAll("required_words", &b.RequiredWords, in.RequiredWords)
	setAll("banned_words", &b.BannedWords, in.BannedWords)
	if in.Emoji != nil && *in.Emoji != b.EmojiUse() {
		b.Emoji = *in.Emoji
		fields = append(fields, "brand.emoji")
	}
	if in.Hashtags != nil && !in.Hashtags.tidy().equal(b.Hashtags) {
		b.Hashtags = in.Hashtags.tidy()
		fields = append(fields, "brand.hashtags")
	}
	if facts := tidyFacts(in.Facts); in.Facts != nil && !slices.EqualFunc(facts, b.Facts, Fact.equal) {
		b.Facts = facts
		fields = append(fields, "brand.facts")
	}
	return b, fields
}

// EmojiUse returns how many emoji the brand's posts have.
func (b Brand) EmojiUse() EmojiUse {
	if b.Emoji == "" {
		return EmojiFree
	}
	return b.Emoji
}

func (h Hashtags) tidy() Hashtags {
	always := make([]string, len(h.Always))
	for i, tag := range h.Always {
		always[i] = "#" + strings.TrimPrefix(Tidy(tag), "#")
	}
	return Hashtags{Max: h.Max, Always: always}
}

func (h Hashtags) equal(o Hashtags) bool {
	return deref(h.Max, -1) == deref(o.Max, -1) && slices.Equal(h.Always, o.Always)
}

func (f Fact) equal(o Fact) bool {
	return f.Text == o.Text && deref(f.Source, "") == deref(o.Source, "") && deref(f.ExpiresAt, time.Time{}).Equal(deref(o.ExpiresAt, time.Time{}))
}

func tidyFacts(facts []Fact) []Fact {
	facts = slices.Clone(facts)
	for i, f := range facts {
		facts[i].Text, facts[i].Source = Tidy(f.Text), orNil(Tidy(deref(f.Source, "")))
		if f.ExpiresAt != nil {
			at := Millis(*f.ExpiresAt)
			facts[i].ExpiresAt = &at
		}
	}
	return facts
}

// check returns the first thing that is wrong with the input. Errors: invalid_request.
func (in *BrandInput) check() error {
	if in == nil {
		return nil
	}
	var found Problems
	for _, text := range []struct {
		param string
		value *string
	}{{"brand.voice", in.Voice}, {"brand.audience", in.Audience}, {"brand.website", in.Website}} {
		found.add(checkProse(text.param, deref(text.value, ""), 0, MaxBrand))
	}
	found.add(checkWebsite("brand.website", deref(in.Website, "")))
	found = append(found, checkTexts("brand.excluded_topics", in.ExcludedTopics, 0)...)
	if in.Language != nil && *in.Language != "" {
		found.add(checkLanguage("brand.language", *in.Language))
	}
	found = append(found, checkList("brand.examples", in.Examples, MaxExamples, MaxExample, checkProse)...)
	found = append(found, checkList("brand.required_words", in.RequiredWords, MaxRequiredWords, MaxBrandWord, checkLine)...)
	found = append(found, checkList("brand.banned_words", in.BannedWords, MaxBannedWords, MaxBrandWord, checkLine)...)
	if in.Emoji != nil && !slices.Contains(AllEmojiUses(), *in.Emoji) {
		found.add(Invalid("brand.emoji", "Unknown value %q: must be one of %s.", *in.Emoji, list(AllEmojiUses())))
	}
	found = append(found, in.Hashtags.check()...)
	return append(found, checkFacts(in.Facts)...).Err()
}

// checkList checks the bounds of a list of texts: at most maxItems of 1 to maxItem characters.
func checkList(param string, items []string, maxItems, maxItem int, check func(param, text string, atLeast, atMost int) error) (found Problems) {
	if len(items) > maxItems {
		return Problems{Invalid(param, "At most %d items are allowed.", maxItems)}
	}
	for i, item := range items {
		found.add(check(fmt.Sprintf("%s[%d]", param, i), item, 1, maxItem))
	}
	return found
}

func checkWebsite(param, site string) error {
	if site = strings.TrimSpace(site); site == "" {
		return nil
	}
	u, err := url.Parse(site)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(site) > MaxWebsite {
		return Invalid(param, "The website must be an http or https URL of at most %d bytes.", MaxWebsite)
	}
	return CheckHost(param, site, u, u.Hostname())
}

// hashtagForm is what all platforms make a tag of.
var hashtagForm = regexp.MustCompile(`^#?[\p{L}\p{N}_]*\p{L}[\p{L}\p{M}\p{N}_]*$`)

func (h *Hashtags) check() (found Problems) {
	if h == nil {
		return nil
	}
	most := MaxHashtags
	if h.Max != nil {
		if *h.Max < 0 || *h.Max > MaxHashtags {
			found.add(Invalid("brand.hashtags.max", "The maximum must be between 0 and %d.", MaxHashtags))
		}
		most = min(most, max(*h.Max, 0))
	}
	const always = "brand.hashtags.always"
	if len(h.Always) > most {
		return append(found, Invalid(always, "At most %d items are allowed.", most))
	}
	for i, tag := range h.Always {
		param := fmt.Sprintf("%s[%d]", always, i)
		if !hashtagForm.MatchString(Tidy(tag)) {
			found.add(Invalid(param, "A hashtag must be letters, digits and underscores, with a letter among them."))
			continue
		}
		found.add(checkLine(param, tag, 1, MaxHashtag))
	}
	return found
}

func checkFacts(facts []Fact) (found Problems) {
	const param = "brand.facts"
	if len(facts) > MaxFacts {
		return Problems{Invalid(param, "At most %d items are allowed.", MaxFacts)}
	}
	seen := map[string]bool{}
	for i, f := range facts {
		at := fmt.Sprintf("%s[%d]", param, i)
		found.add(checkProse(at+".text", f.Text, 1, MaxFact), checkProse(at+".source", deref(f.Source, ""), 0, MaxFact))
		if source := Tidy(deref(f.Source, "")); isAddress(source) {
			found.add(checkWebsite(at+".source", source))
		}
		if seen[normalized(f.Text)] {
			found.add(Invalid(at+".text", "Duplicate fact."))
		}
		seen[normalized(f.Text)] = true
	}
	return found
}

// Address returns the address at which a fact stands; "" if its source is none.
func (f Fact) Address() string {
	if source := deref(f.Source, ""); isAddress(source) {
		return source
	}
	return ""
}

// isAddress reports whether a fact's source is an address and not words.
func isAddress(source string) bool {
	return !strings.ContainsAny(source, " \n") && (strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://"))
}

// Exclusions are what decides at once whether a mission's posts may go out, whatever the brief of a
// cycle says: what they must not mention, and the facts on which they may rest until those expire.
type Exclusions struct {
	Topics, BannedWords []string
	Facts               []Fact
}

// Exclusions returns what m's posts are kept from, by its own topics and its tenant's brand.
func (m Mission) Exclusions(b Brand) Exclusions {
	return Exclusions{Topics: append(slices.Clone(m.Constraints.ExcludedTopics), b.ExcludedTopics...), BannedWords: b.BannedWords, Facts: b.Facts}
}

// Equal reports whether two exclusions are the same.
func (e Exclusions) Equal(o Exclusions) bool {
	return slices.Equal(e.Topics, o.Topics) && slices.Equal(e.BannedWords, o.BannedWords) && slices.EqualFunc(e.Facts, o.Facts, Fact.equal)
}

// Current returns those of the facts that a text rests on that hold at a time.
func (e Exclusions) Current(cited []CitedFact, at time.Time) []CitedFact {
	return slices.DeleteFunc(slices.Clone(cited), func(f CitedFact) bool { return !e.holds(f, at) })
}

func (e Exclusions) holds(f CitedFact, at time.Time) bool {
	return slices.ContainsFunc(e.Facts, func(known Fact) bool { return SameText(known.Text, f.Text) && !known.Expired(at) })
}

// Unheld returns the first fact that a text rests on that doesn't hold at a time; ok is false if all do.
func (e Exclusions) Unheld(cited []CitedFact, at time.Time) (f CitedFact, ok bool) {
	if i := slices.IndexFunc(cited, func(f CitedFact) bool { return !e.holds(f, at) }); i >= 0 {
		return cited[i], true
	}
	return CitedFact{}, false
}

// Binding reports whether two brands differ in what binds everybody: after such a change all posts
// that aren't out yet are checked again.
func (b Brand) Binding(o Brand) bool {
	return !slices.Equal(b.ExcludedTopics, o.ExcludedTopics) || !slices.Equal(b.BannedWords, o.BannedWords) || !slices.EqualFunc(b.Facts, o.Facts, Fact.equal)
}

package grammar

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/checks"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// voice is how one post is told: its subject, its tone and its brand. What
// mentions an excluded topic has no place in it.
type voice struct {
	chance  *rand.Rand
	slot    mission.Slot
	caps    mission.Capabilities
	subject subject
	// name and site are the brand's, or "".
	name, site string
	// facts are sentences of the mission's description.
	facts []string
	// event says when the event is that the post leads up to; "" for none.
	event string
	// own is the objective as it is; plain tells that it isn't English, as far as
	// it can be told.
	own   string
	plain bool
	// others are the other objectives that aren't English.
	others []string
	tone   tone
	wish   wishes
	// alone tells that the tenant is one person.
	alone bool
	used  map[string]bool
	// always are the hashtags, and required the words, that the brand's posts have.
	always, required []string
}

// tone is what a tone's words come down to.
type tone string

const (
	neutral tone = "neutral"
	formal  tone = "formal"
	casual  tone = "casual"
	playful tone = "playful"
	bold    tone = "bold"
	warm    tone = "warm"
)

// toneOf returns the first of the tones that a text has a word of.
func toneOf(text string) tone {
	text = strings.ToLower(text)
	for _, line := range lexicon["tones"] {
		name, list, _ := strings.Cut(line, ":")
		if slices.ContainsFunc(strings.Fields(list), func(w string) bool { return strings.Contains(text, w) }) {
			return tone(name)
		}
	}
	return neutral
}

// wishes are what is understood of a reviewer's instructions.
type wishes struct{ shorter, noTags, noEmoji, question bool }

func wishesOf(instructions string) wishes {
	text := strings.ToLower(instructions)
	return wishes{
		shorter:  strings.Contains(text, "short"),
		noTags:   strings.Contains(text, "no hashtag") || strings.Contains(text, "without hashtag"),
		noEmoji:  strings.Contains(text, "no emoji") || strings.Contains(text, "without emoji"),
		question: strings.Contains(text, "question"),
	}
}

// longestSite, longestName and longestFact bound what a post takes from the
// tenant, in code points.
const longestSite, longestName, longestFact = 80, 40, 180

func newVoice(a mission.Assignment, caps mission.Capabilities) *voice {
	b, t := a.Brief, ""
	if b.Constraints.Tone != nil {
		t = *b.Constraints.Tone
	}
	excluded := checks.NewExclusions(a.Exclusions())
	allowed := func(text string) bool { return excluded.Words(text).Passed() }
	v := &voice{
		slot: a.Slot, caps: caps, name: singleLine(b.Brand.Name, longestName), site: singleLine(b.Brand.Website, longestSite),
		tone: toneOf(t + " " + b.Brand.Voice), wish: wishesOf(a.Instructions),
	}
	v.keep(b.Brand)
	if !allowed(v.name) {
		v.name = ""
	}
	if !allowed(v.site) || !isLink(v.site) {
		v.site = ""
	}
	v.own = spaced(a.Slot.Objective)
	v.facts = slices.DeleteFunc(facts(b.Description, b.Brand.Name), func(f string) bool { return !allowed(f) })
	if v.plain = !english(b, v.own); v.plain {
		if !isEnglish(b.Description) {
			v.facts = slices.DeleteFunc(plainFacts(b.Description), func(f string) bool { return !allowed(f) })
		}
		v.facts = turned(v.facts, a.Seed+uint64(a.Revision)*17)
		for _, o := range b.Objectives {
			if o = spaced(o); o != v.own && allowed(o) && !english(b, o) {
				v.others = append(v.others, o)
			}
		}
		return v
	}
	v.alone = speaksAlone(v.own) || speaksAlone(b.Description) && !speaksTogether(v.own+" "+b.Description)
	home := v.name
	if home == "" {
		home = v.person("what we do")
	}
	v.subject = subjectOf(v.own, home, v.alone)
	if v.event = eventOf(a); !allowed(v.event) {
		v.event = ""
	}
	return v
}

// keep has the voice keep the rules of a brand that aren't about words.
func (v *voice) keep(b mission.Brand) {
	v.wish.noEmoji = v.wish.noEmoji || b.EmojiUse() == mission.EmojiNone
	if most := b.Hashtags.Max; most != nil {
		v.caps.MaxHashtags = min(v.caps.MaxHashtags, *most)
	}
	v.caps.MaxHashtags, v.always, v.required = max(v.caps.MaxHashtags, len(b.Hashtags.Always)), b.Hashtags.Always, b.RequiredWords
}

// turned returns a list that begins elsewhere.
func turned(list []string, by uint64) []string {
	if len(list) == 0 {
		return nil
	}
	at := int(by % uint64(len(list)))
	return append(slices.Clone(list[at:]), list[:at]...)
}

// again is the voice for another try.
func (v *voice) again(chance *rand.Rand) *voice {
	other := *v
	other.chance, other.used = chance, map[string]bool{}
	return &other
}

// speaksAlone reports whether a text is one person's.
func speaksAlone(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(f string) bool {
		w := bare(f)
		return w == "my" || w == "i" && (f == "I" || f == "I,") || w == "i'm" || w == "i'd" || w == "me"
	})
}

// speaksTogether reports whether a text is several people's.
func speaksTogether(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(f string) bool { return words("we our us we're we've we'd")[bare(f)] })
}

// pick takes a sentence that this post hasn't used.
func (v *voice) pick(sentences []string) string {
	at := v.chance.IntN(len(sentences))
	for i := range sentences {
		if s := sentences[(at+i)%len(sentences)]; !v.used[s] {
			v.used[s] = true
			return v.person(s)
		}
	}
	return v.person(sentences[at])
}

// body is a sentence to follow an opening: mostly a fact about the tenant, where
// there is one that the post hasn't, and else an afterthought.
func (v *voice) body(m mode) string {
	const often = 4
	if len(v.facts) > 0 && v.chance.IntN(often) > 0 {
		if fact := v.facts[v.chance.IntN(len(v.facts))]; !v.used[fact] {
			v.used[fact] = true
			return fact
		}
	}
	return v.afterthought(m)
}

// afterthought is one that suits the subject.
func (v *voice) afterthought(m mode) string {
	if v.subject.form == asLine {
		return v.pick(phrases["afterthoughts line"])
	}
	return v.pick(phrases["afterthoughts "+string(m)])
}

// closing is the call to action, with the website now and then, an emoji where
// the tone has one, and the hashtags.
func (v *voice) closing() (text, tags string) {
	const siteEvery = 3
	text = v.pick(phrases["calls "+string(v.tone)])
	if v.subject.when != "" {
		text = v.subject.when + " " + text
	}
	emojis := phrases["emoji "+string(v.tone)]
	if len(emojis) > 0 && !v.wish.noEmoji && v.chance.IntN(2) == 0 {
		text += " " + emojis[v.chance.IntN(len(emojis))]
	}
	switch at := v.chance.IntN(siteEvery); {
	case len(v.subject.links) > 0:
		text += "\n\n" + v.pick(phrases["pointers"]) + " " + v.subject.links[0]
	case at == 0 && v.site != "":
		text += "\n\n" + v.pick(phrases["pointers"]) + " " + v.site
	case at == 1 && v.name != "" && !v.named():
		text += "\n\n– " + v.name
	}
	tags = strings.Join(v.always, " ")
	if !v.wish.noTags {
		tags = strings.Join(v.tags(), " ")
	}
	if len(v.required) > 0 {
		text += "\n\n" + v.ofBrand()
	}
	return text, tags
}

// ofBrand are the words that all of the brand's posts have.
func (v *voice) ofBrand() string { return strings.Join(v.required, " · ") }

// named reports whether the brand is the subject, so that it needs no signature.
func (v *voice) named() bool { return v.subject.phrase == v.name }

// tags are hashtags of the subject and the brand, as many as the platform's
// readers put up with.
func (v *voice) tags() []string {
	all := slices.Clone(v.always)
	for _, t := range [][]string{v.subject.tag, brandTag(v.name)} {
		if tag := hashtag(t); tag != "" && len(all) < v.caps.MaxHashtags && !slices.Contains(all, tag) {
			all = append(all, tag)
		}
	}
	return all
}

// brandTag is a brand's name as a hashtag's words, where it is made of words.
func brandTag(name string) []string {
	const most = 3
	fields := strings.Fields(name)
	if len(fields) > most || strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && !unicode.IsMark(r)
	}) {
		return nil
	}
	if len(fields) == 1 && functionWords[bare(name)] || !strings.ContainsFunc(name, unicode.IsLetter) {
		return nil
	}
	return fields
}

// hashtag joins words to a hashtag; "" where it would be too long.
func hashtag(fields []string) string {
	const longest = 30
	var tag strings.Builder
	for _, f := range fields {
		tag.WriteString(upperFirst(f))
	}
	if n := utf8.RuneCountInString(tag.String()); n == 0 || n > longest {
		return ""
	}
	return "#" + tag.String()
}

// singleLine is s on one line, or "" where it is longer than a post has room
// for.
func singleLine(s string, most int) string {
	s = spaced(s)
	if utf8.RuneCountInString(s) > most {
		return ""
	}
	return s
}

// spaced is s on one line with single spaces.
func spaced(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// fit returns the first of several texts that the platform takes; the last is cut
// where none is.
func (v *voice) fit(texts ...string) string {
	for _, text := range texts {
		if textlimit.Fits(v.caps, text) {
			return text
		}
	}
	return v.clip(texts[len(texts)-1])
}

// clip cuts a text to one part of the platform.
func (v *voice) clip(text string) string {
	for most := v.caps.MaxLength; !textlimit.Fits(v.caps, text); most = most * 3 / 4 {
		text = shorten(text, most-1) + "…"
	}
	return text
}

// shorten cuts s to a number of code points, at a word's end where there is one
// in its second half.
func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	cut := string([]rune(s)[:most])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
}

// paragraphs joins what isn't empty with blank lines.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n\n")
}

package grammar

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// voice is how one post is told: its chance, its topic, its tone and its
// brand.
type voice struct {
	chance *rand.Rand
	slot   mission.Slot
	caps   mission.Capabilities
	brand  mission.Brand
	topic  string
	tone   tone
	wish   wishes
	used   map[string]bool
}

// tone is what a tone's words come down to.
type tone int

const (
	neutral tone = iota
	formal
	casual
	playful
	bold
	warm
)

var toneWords = []struct {
	tone  tone
	words []string
}{
	{playful, []string{"playful", "fun", "witty", "humor", "quirky"}},
	{bold, []string{"bold", "provocative", "confident", "direct", "edgy"}},
	{warm, []string{"friendly", "warm", "inspir", "uplifting", "empath", "support"}},
	{casual, []string{"casual", "relaxed", "conversational", "informal"}},
	{formal, []string{"professional", "formal", "expert", "serious", "authoritative"}},
}

func toneOf(text string) tone {
	text = strings.ToLower(text)
	for _, t := range toneWords {
		for _, w := range t.words {
			if strings.Contains(text, w) {
				return t.tone
			}
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

func newVoice(a mission.Assignment, caps mission.Capabilities, chance *rand.Rand) *voice {
	t := ""
	if a.Brief.Constraints.Tone != nil {
		t = *a.Brief.Constraints.Tone
	}
	return &voice{
		chance: chance, slot: a.Slot, caps: caps, brand: a.Brief.Brand, topic: topicOf(a.Slot.Objective),
		tone: toneOf(t + " " + a.Brief.Brand.Voice), wish: wishesOf(a.Instructions), used: map[string]bool{},
	}
}

// pick takes a sentence that this post hasn't used.
func (v *voice) pick(sentences []string) string {
	for range 2 * len(sentences) {
		s := sentences[v.chance.IntN(len(sentences))]
		if !v.used[s] {
			v.used[s] = true
			return v.fill(s)
		}
	}
	return v.fill(sentences[0])
}

// fill puts the topic into a sentence. It is not scanned for marks again, so
// that an objective can't bring any.
func (v *voice) fill(sentence string) string {
	before, after, ok := strings.Cut(sentence, "{topic}")
	if !ok {
		return sentence
	}
	topic := v.topic
	if before == "" {
		topic = upperFirst(topic)
	}
	return before + topic + after
}

func (v *voice) hook() string {
	if v.wish.question {
		return v.pick(hooks[mission.AngleQuestion])
	}
	sentences := hooks[v.slot.Angle]
	if len(sentences) == 0 {
		sentences = hooks[mission.AngleInsight]
	}
	return v.pick(sentences)
}

// bodies are up to n thoughts of the angle.
func (v *voice) bodies(n int) []string {
	sentences := thoughts[v.slot.Angle]
	if len(sentences) == 0 {
		sentences = thoughts[mission.AngleInsight]
	}
	if v.wish.shorter {
		n = 1
	}
	var out []string
	for range n {
		out = append(out, v.pick(sentences))
	}
	return out
}

func (v *voice) title() string { return v.pick(titles) }

// closing is the call to action, with the website now and then, an emoji where
// the tone has one, and the hashtags.
func (v *voice) closing() string {
	text := v.pick(calls[v.tone])
	const webEvery = 3
	if site := singleLine(v.brand.Website, longestSite); site != "" && v.chance.IntN(webEvery) == 0 {
		text += " More at " + site
	} else if name := singleLine(v.brand.Name, longestName); name != "" && v.chance.IntN(2) == 0 {
		text += " – " + name
	}
	if e := emoji[v.tone]; len(e) > 0 && !v.wish.noEmoji && v.chance.IntN(2) == 0 {
		text += " " + e[v.chance.IntN(len(e))]
	}
	if v.wish.noTags {
		return text
	}
	if tags := hashtags(v.topic, v.caps.MaxHashtags); len(tags) > 0 {
		text += "\n\n" + strings.Join(tags, " ")
	}
	return text
}

const longestSite, longestName = 80, 40

// singleLine is s on one line, or "" where it is longer than a post has room
// for.
func singleLine(s string, most int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if utf8.RuneCountInString(s) > most {
		return ""
	}
	return s
}

// fit joins a post's pieces and leaves out the least needed until the platform
// takes it: first the thoughts, then the closing's hashtags, then words.
func (v *voice) fit(hook string, body []string, closing string) string {
	plain, _, _ := strings.Cut(closing, "\n\n")
	for _, pieces := range [][]string{
		{strings.Join(append([]string{hook}, body...), " "), closing},
		{strings.Join(append([]string{hook}, body...), " "), plain},
		{hook, closing},
		{hook, plain},
		{hook},
	} {
		if text := strings.Join(pieces, "\n\n"); textlimit.Fits(v.caps, text) {
			return text
		}
	}
	return v.clip(hook)
}

// clip cuts a text to one part of the platform.
func (v *voice) clip(text string) string {
	for most := v.caps.MaxLength; !textlimit.Fits(v.caps, text); most = most * 3 / 4 {
		text = shorten(text, most-1) + "…"
	}
	return text
}

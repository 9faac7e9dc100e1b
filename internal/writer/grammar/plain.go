package grammar

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/checks"
	"missiond/mission"
)

// mostSaid bounds the sentences that posts are made of, of which each has at most three.
const mostSaid = 10

// plainDraft returns the draft of the mission's own words, with nothing around them that
// would have to be in their language: the objective, sentences of the description and,
// once those are used up, the other objectives that aren't English, each as it is. Posts
// are told apart by which sentences they have, and by their order. It takes the first
// draft of the best class, of those that keep all rules of posts if there are any:
//
//   - one that opens as no other post does, with sentences that the platform's latest
//     posts don't have together
//   - one that opens as no other post does
//   - one with sentences that they don't have together
//   - one whose text they don't have
//
// It is nil if there is none, or each mentions an excluded topic, whose name it returns.
func (v *voice) plainDraft(a mission.Assignment) (best *mission.Draft, name string) {
	if best, name = v.plainest(a, v.sayings(false)); best == nil {
		best, name = v.plainest(a, v.sayings(true))
	}
	return best, name
}

func (v *voice) plainest(a mission.Assignment, sayings iter.Seq[[]string]) (best *mission.Draft, name string) {
	bar := checks.New(a)
	const keeps, ideal = 4, 8
	class := 0
	for saying := range sayings {
		opened := a.UsedOpenings.Has(mission.Opening(saying[0]))
		if best != nil && opened && class > 1+keeps {
			continue
		}
		d := sendable(v.say(saying), a.Slot.Platform)
		found := bar.Verdict(d)
		if found.ExcludedTopic != "" {
			name = found.ExcludedTopic
			continue
		}
		if _, repeats := a.UsedTexts.Repeats(d); repeats {
			continue
		}
		is := 1
		if !opened {
			is += 2
		}
		if !v.saidTogether(saying, a.UsedTexts) {
			is++
		}
		if _, broken := found.Broken(); !broken {
			is += keeps
		}
		if is > class {
			best, class = &d, is
		}
		if class == ideal {
			break
		}
	}
	return best, name
}

// sayings yields the sequences of sentences that a post can have: those with the
// objective first, then those of the description alone; or those with other objectives.
func (v *voice) sayings(others bool) iter.Seq[[]string] {
	said := append([]string{v.own}, v.facts...)
	said = said[:min(len(said), mostSaid)]
	own := len(said)
	for _, o := range v.others {
		if others && len(said) < mostSaid && !slices.Contains(said, o) {
			said = append(said, o)
		}
	}
	lengths := []int{2, 1, 3}
	switch {
	case v.wish.shorter:
		lengths = []int{1}
	case v.slot.Format == mission.FormatArticle:
		lengths = []int{3, 2, 1}
	}
	isOther := func(i int) bool { return i >= own }
	return func(yield func([]string) bool) {
		for _, objective := range []bool{true, false} {
			for _, length := range lengths {
				for chosen := range arrangements(len(said), length) {
					if slices.Contains(chosen, 0) == objective && slices.ContainsFunc(chosen, isOther) == others && !yield(picked(said, chosen)) {
						return
					}
				}
			}
		}
	}
}

func picked(said []string, chosen []int) []string {
	texts := make([]string, len(chosen))
	for i, c := range chosen {
		texts[i] = said[c]
	}
	return texts
}

// arrangements yields the sequences of a length of different numbers below n. Those
// that begin with different numbers, and continue with the next ones, come first.
func arrangements(n, length int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		steps := 1
		for range length - 1 {
			steps *= max(n-1, 0)
		}
		for step := range steps {
			for first := range n {
				chosen, rest := []int{first}, step
				for len(chosen) < length {
					chosen = append(chosen, (chosen[len(chosen)-1]+1+rest%(n-1))%n)
					rest /= n - 1
				}
				if different(chosen) && !yield(chosen) {
					return
				}
			}
		}
	}
}

func different(numbers []int) bool {
	for i, n := range numbers {
		if slices.Contains(numbers[:i], n) {
			return false
		}
	}
	return true
}

// saidTogether reports whether a text has the same sentences, in any order.
func (v *voice) saidTogether(saying []string, texts mission.TextSet) bool {
	for chosen := range arrangements(len(saying), len(saying)) {
		if texts.Has(sendable(v.say(picked(saying, chosen)), v.slot.Platform).Text) {
			return true
		}
	}
	return false
}

// say returns a draft that says some sentences, with the brand's name and website below
// them where they fit. It has fewer sentences if the platform doesn't take all of them.
func (v *voice) say(saying []string) mission.Draft {
	foot := v.name
	switch {
	case v.site != "" && v.name != "":
		foot += " · " + v.site
	case v.site != "":
		foot = v.site
	}
	format := v.slot.Format
	if format == mission.FormatThread {
		format = v.caps.Single() // there is nothing to fill its parts with
	}
	var texts []string
	for n := len(saying); n > 0; n-- {
		text := paragraphs(saying[:n]...)
		must := paragraphs(v.ofBrand(), strings.Join(v.always, " "))
		texts = append(texts, paragraphs(text, foot, must), paragraphs(text, must))
	}
	return mission.Draft{Format: format, Text: v.fit(texts...)}
}

// usedUp is the failure of a writer that has said all that the mission's words allow.
func usedUp(objective string) error {
	return &mission.WritingError{Failure: mission.Failure{Code: mission.CodeWriterUsedUp, Message: fmt.Sprintf(
		"The mission's words about %q are used up: the latest posts say all of them. Add sentences to its description, or use a language model.",
		shorten(objective, longestPhrase))}}
}

// plainFacts returns the sentences of a description that isn't English.
func plainFacts(description string) []string {
	var found []string
	for _, f := range sentences(description) {
		f = strings.TrimLeftFunc(f, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-–—*•·", r) })
		if !isWord(f) && utf8.RuneCountInString(f) <= longestFact && !slices.Contains(found, f) && !briefs(f) {
			found = append(found, f)
		}
	}
	return found
}

// briefs reports whether a sentence is about the mission, such as "Zielgruppe:
// Familien".
func briefs(sentence string) bool {
	label, _, ok := strings.Cut(strings.ReplaceAll(sentence, "：", ":"), ":")
	return ok && slices.ContainsFunc(lexicon["labels"], func(l string) bool { return strings.Contains(strings.ToLower(label), l) })
}

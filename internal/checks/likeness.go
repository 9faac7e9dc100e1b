package checks

import (
	"slices"
	"strings"
	"unicode"

	"missiond/mission"
)

// Likeness is the Jaccard index of two texts' shingles of three words each: how many of all the
// shingles of both they have in common (Broder, 1997).
const (
	shingleWords = 3
	// leastShingles is how many shingles a text has at least that can be like another: shorter texts
	// are compared as they are.
	leastShingles = 6
	// tooLike is the index from which on a text is another with a few words replaced: a text of 30
	// words is at 0.65 with one of which 2 words differ, and at 0.51 with one of which 3 do.
	tooLike = 0.6
)

// shingles are a text's.
type shingles map[string]bool

// shinglesOf returns the shingles of a text. In scripts without spaces a character is a word.
func shinglesOf(text string) shingles {
	var words []string
	for _, word := range wordsIn(text) {
		at := 0
		for i, r := range word {
			if unicode.In(r, unspaced...) {
				if at < i {
					words = append(words, word[at:i])
				}
				words, at = append(words, string(r)), i+len(string(r))
			}
		}
		if at < len(word) {
			words = append(words, word[at:])
		}
	}
	s := shingles{}
	for i := range len(words) - shingleWords + 1 {
		s[strings.Join(words[i:i+shingleWords], " ")] = true
	}
	return s
}

var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// likeness returns the Jaccard index.
func (s shingles) likeness(o shingles) float64 {
	common := 0
	for each := range s {
		if o[each] {
			common++
		}
	}
	if all := len(s) + len(o) - common; all > 0 {
		return float64(common) / float64(all)
	}
	return 0
}

// latest returns the shingles of texts, without those that a new revision replaces.
func latest(used mission.TextSet, replaced []string) (all []shingles) {
	own := mission.TextSet{}
	own.Add(replaced...)
	for text := range used {
		if s := shinglesOf(text); len(s) >= leastShingles && !own[text] {
			all = append(all, s)
		}
	}
	return all
}

func (b *Bar) likeness(s subject) *Finding {
	if _, repeats := b.used.Repeats(s.Draft); repeats {
		return same("has a text again that was published before, or one twice")
	}
	for i, part := range s.parts {
		own := shinglesOf(part.text)
		if len(own) >= leastShingles && slices.ContainsFunc(b.like, func(o shingles) bool { return own.likeness(o) >= tooLike }) {
			f := same("is too much like one of the latest posts")
			if s.Format == mission.FormatThread {
				f.Part = i
			}
			return f
		}
	}
	return nil
}

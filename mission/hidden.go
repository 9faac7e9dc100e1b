package mission

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Hidden is a character that a reader of a text doesn't see as it goes out: it is
// invisible where it is, changes the order of others, or is seen differently by each
// reader.
type Hidden struct {
	Rune rune
	// At is the character's number in the text, from 1.
	At int
	// What names its kind, with an article.
	What string
}

// String describes the character and where it is.
func (h Hidden) String() string {
	return fmt.Sprintf("%s (U+%04X, character %d)", h.What, h.Rune, h.At)
}

// FirstHidden returns the first hidden character of a text, if there is one. Hidden are,
// by their properties in Unicode: format characters, default-ignorable ones and blanks
// that aren't white space, private-use characters and noncharacters; all but the first
// maxMarks marks on one character; and bidirectional overrides. What scripts and emoji
// need isn't hidden where they need it: joiners between letters that join and in emoji
// (RFC 5892, appendix A; Unicode Standard Annex 29, GB11), variation selectors after
// emoji, ideographs and what else has variants (StandardizedVariants.txt), the tags of
// the flags of England, Scotland and Wales (UTS 51), marks and balanced isolates of
// bidirectional text (UAX 9), and zero-width spaces in scripts without spaces. Control
// characters are CheckString's.
func FirstHidden(text string) (h Hidden, found bool) {
	s := newScan([]rune(text))
	for i := range s.runes {
		if what := s.hides(i); what != "" {
			return Hidden{Rune: s.runes[i], At: i + 1, What: what}, true
		}
	}
	return Hidden{}, false
}

// HasVisible reports whether there is something to see in a text.
func HasVisible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.M, r) && !blank(r)
	})
}

// Tidy returns a text as it is stored: its lines end with a line feed alone, and no white
// space is at its ends. Every text of more than a line that people send is tidied where it
// enters a service.
func Tidy(text string) string { return strings.TrimSpace(lineEnds.Replace(text)) }

// lineEnds are what ends a line or a paragraph elsewhere (Unicode Standard, section 5.8).
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

// WithoutHidden returns a text without its hidden characters, for what was stored when
// they were allowed.
func WithoutHidden(text string) string {
	for range 3 { // without one, another may be out of its place
		s := newScan([]rune(text))
		var rest []rune
		for i, r := range s.runes {
			if s.hides(i) == "" {
				rest = append(rest, r)
			}
		}
		if len(rest) == len(s.runes) {
			return text
		}
		text = string(rest)
	}
	return strings.Map(func(r rune) rune {
		if ignorable(r) || unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, text)
}

// allWithoutHidden returns the texts of a list without their hidden characters.
func allWithoutHidden(items []string) []string {
	cleaned := slices.Clone(items)
	for i, item := range cleaned {
		cleaned[i] = WithoutHidden(item)
	}
	return cleaned
}

// maxMarks is how many marks a character may have. Languages need up to 8; the
// stream-safe format of UAX 15 has 30.
const maxMarks = 10

// The kinds of hidden characters.
const (
	invisible    = "an invisible character"
	joiner       = "a joiner that joins nothing"
	variation    = "a variation selector without a variant"
	tag          = "a tag outside a flag"
	reordering   = "a character that reorders the text"
	private      = "a private-use character"
	noncharacter = "a code point that is no character"
	piled        = "one of too many marks on a character"
)

const (
	zeroWidthSpace     = '\u200b'
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	graphemeJoiner     = '\u034f'
	emojiSelector      = '\ufe0f'
	brailleBlank       = '\u2800'
	blackFlag          = '\U0001f3f4'
	lastTag            = '\U000e007f'
)

// scan is a text that is looked through.
type scan struct {
	runes []rune
	// rightToLeft is whether the text has letters that are written from right to left.
	rightToLeft bool
	// pairs are the indexes of bidirectional controls that belong together.
	pairs map[int]bool
	// flags are the indexes of tags that spell a flag.
	flags map[int]bool
	// marks is how many marks precede the next character, looked at in order.
	marks int
}

func newScan(runes []rune) *scan {
	s := &scan{runes: runes}
	for i, r := range runes {
		switch {
		case unicode.In(r, rightToLeft...):
			s.rightToLeft = true
		case r == blackFlag:
			s.spell(i)
		case opens(r) && s.pairs == nil:
			s.pair()
		}
	}
	return s
}

var rightToLeft = []*unicode.RangeTable{
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan,
	unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya,
}

// regionFlags are the flags that are spelled with tags (UTS 51, emoji-sequences.txt).
var regionFlags = []string{"gbeng", "gbsct", "gbwls"}

// spell marks the tags after the black flag at an index if they spell a flag.
func (s *scan) spell(at int) {
	for _, name := range regionFlags {
		end := at + len(name) + 1
		if end >= len(s.runes) || s.runes[end] != lastTag {
			continue
		}
		if slices.EqualFunc(s.runes[at+1:end], []rune(name), func(tag, letter rune) bool { return tag == 0xe0000+letter }) {
			if s.flags == nil {
				s.flags = map[int]bool{}
			}
			for i := at + 1; i <= end; i++ {
				s.flags[i] = true
			}
		}
	}
}

// opens reports whether a character begins a piece of text with its own direction.
func opens(r rune) bool {
	return r == 0x202a || r == 0x202b || r == 0x2066 || r == 0x2067 || r == 0x2068
}

// closerOf returns what ends a piece of text with its own direction.
func closerOf(r rune) rune {
	if r <= 0x202b {
		return 0x202c
	}
	return 0x2069
}

// pair finds the controls that belong together: on one line, around something, and not
// within more than two others.
func (s *scan) pair() {
	const deepest = 3
	s.pairs = map[int]bool{}
	var open []int
	for i, r := range s.runes {
		switch {
		case r == '\n':
			open = nil
		case opens(r):
			open = append(open, i)
		case len(open) > 0 && r == closerOf(s.runes[open[len(open)-1]]):
			at := open[len(open)-1]
			if open = open[:len(open)-1]; i > at+1 && len(open) < deepest {
				s.pairs[at], s.pairs[i] = true, true
			}
		}
	}
}

// hides returns the kind of hidden character at an index; "" for none. Indexes are given
// in order.
func (s *scan) hides(i int) string {
	r := s.runes[i]
	if r < 0x80 {
		s.marks = 0
		return ""
	}
	if unicode.Is(unicode.M, r) && !ignorable(r) {
		if s.marks++; s.marks > maxMarks {
			return piled
		}
		return ""
	}
	before, after := around(s.runes, i)
	if !ignorable(r) {
		s.marks = 0
	}
	switch {
	case unicode.Is(unicode.Co, r):
		return private
	case unicode.Is(unicode.Noncharacter_Code_Point, r):
		return noncharacter
	case r == brailleBlank && !braille(before) && !braille(after):
		return invisible
	case !ignorable(r) && !unicode.In(r, unicode.Zl, unicode.Zp):
		return ""
	}
	return s.ignorableAt(i, r, before, after)
}

// ignorableAt returns the kind of the ignorable character at an index; "" if it is in its
// place.
func (s *scan) ignorableAt(i int, r, before, after rune) string {
	switch {
	case r == zeroWidthJoiner:
		return unless(joinsEmoji(s.runes, i) || joinsLetters(s.runes, i), joiner)
	case r == zeroWidthNonJoiner:
		return unless(joinsLetters(s.runes, i), joiner)
	case unicode.Is(unicode.Variation_Selector, r) || r == 0x180e:
		return unless(varies(before, r), variation)
	case r >= 0xe0000 && r <= 0xe007f:
		return unless(s.flags[i], tag)
	}
	return s.otherAt(i, r, before, after)
}

// otherAt is ignorableAt for what is neither a joiner, a selector nor a tag.
func (s *scan) otherAt(i int, r, before, after rune) string {
	switch {
	case directionMark(r):
		return unless(s.rightToLeft && !ignorable(before), reordering)
	case directionPair(r):
		return unless(s.pairs[i], reordering)
	case r == zeroWidthSpace:
		return unless(unicode.In(before, unspaced...) && !ignorable(before) && after != 0, invisible)
	case r == graphemeJoiner:
		return unless(unicode.Is(unicode.M, before) && !ignorable(before) && unicode.Is(unicode.M, after), invisible)
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r), r >= 0x13430 && r <= 0x1343f: // visible; within Egyptian hieroglyphs
		return ""
	}
	return invisible
}

// directionMark reports whether a character is an invisible letter of a direction: LRM, RLM
// or ALM.
func directionMark(r rune) bool { return r == 0x200e || r == 0x200f || r == 0x061c }

// directionPair reports whether a character begins or ends text of another direction: an
// embedding, an override or an isolate.
func directionPair(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

func unless(fine bool, what string) string {
	if fine {
		return ""
	}
	return what
}

// ignorable reports whether a character is invisible wherever it has no meaning: Cf, and
// Default_Ignorable_Code_Point as DerivedCoreProperties.txt derives it. The selector of
// tags is one.
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// blank reports whether a character alone shows nothing.
func blank(r rune) bool {
	return ignorable(r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r == brailleBlank ||
		unicode.In(r, unicode.Co, unicode.Noncharacter_Code_Point)
}

func braille(r rune) bool { return r > brailleBlank && r <= 0x28ff }

// unspaced are scripts without spaces between words, where a zero-width space allows a
// line to break.
var unspaced = []*unicode.RangeTable{
	unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Tai_Tham, unicode.Tai_Le,
	unicode.New_Tai_Lue, unicode.Tai_Viet, unicode.Javanese, unicode.Balinese, unicode.Tibetan,
}

// cursive are scripts whose letters join.
var cursive = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Mandaic, unicode.Phags_Pa,
	unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Manichaean, unicode.Psalter_Pahlavi,
	unicode.Sogdian, unicode.Old_Uyghur, unicode.Chorasmian,
}

// joinsLetters reports whether the joiner at an index can have an effect: a virama is next
// to it, or it is behind a letter, perhaps with marks, that joins others.
func joinsLetters(runes []rune, at int) bool {
	before, after := around(runes, at)
	switch {
	case ignorable(before) || ignorable(after):
		return false
	case unicode.Is(viramas, before), unicode.Is(viramas, after) && unicode.Is(unicode.L, before):
		return true
	}
	for i := at - 1; i > 0 && unicode.Is(unicode.Mn, before); i-- {
		before = runes[i-1]
	}
	return unicode.In(before, cursive...) && unicode.Is(unicode.L, before)
}

// joinsEmoji reports whether the joiner at an index is between two emoji.
func joinsEmoji(runes []rune, at int) bool {
	before, after := around(runes, at)
	for i := at - 1; i > 0 && (before == emojiSelector || before >= 0x1f3fb && before <= 0x1f3ff); i-- {
		before = runes[i-1]
	}
	return unicode.Is(pictographs, before) && unicode.Is(pictographs, after)
}

// varies reports whether a character has variants that a selector chooses.
func varies(r, selector rune) bool {
	switch {
	case selector == emojiSelector || selector == 0xfe0e:
		return unicode.Is(pictographs, r) || r == '#' || r == '*' || r >= '0' && r <= '9'
	case selector >= 0xe0100:
		return unicode.Is(unicode.Ideographic, r)
	case selector < 0xfe00:
		return unicode.Is(unicode.Mongolian, r)
	case selector > 0xfe02:
		return false
	}
	return unicode.In(r, unicode.Ideographic, unicode.Sm, unicode.Myanmar, unicode.Phags_Pa,
		unicode.Manichaean, unicode.Egyptian_Hieroglyphs) ||
		strings.ContainsRune("0、。！，．：；？‘’“”", r)
}

// around returns the neighbours of the character at i; 0 if there is none.
func around(runes []rune, i int) (before, after rune) {
	if i > 0 {
		before = runes[i-1]
	}
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	return before, after
}

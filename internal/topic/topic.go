// Package topic finds excluded topics in texts, in every form that a reader
// would recognize, not only as typed: in another case or number, obscured by
// invisible characters, inside a hashtag, and in scripts that don't put spaces
// between words.
//
// Texts and topics are compared after NFKC and case folding, word by word:
//
//   - as they are, symbols included: "C++" is not "C"
//   - by their stems in the languages that the text is likely to be in
//   - written together or apart: "e-mail" is "email", "#GunControl" is "gun control"
//
// If that finds none, letters that stand alone are read together ("g a m b l i n g"), and
// digits and signs as the letters that they look like ("g4mbling").
//
// Topics in scripts without spaces, and those without letters (emoji, "24/7"),
// are looked for literally, at grapheme boundaries. The time is linear in the
// text and in the number of topics.
package topic

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// List is a list of excluded topics. It is safe for concurrent use.
type List struct {
	names  []string
	topics []topic
	// full and plain are the topics as words with their symbols, and without.
	full, plain []keyed

	mu      sync.Mutex
	stemmed map[likely][]keyed // the topics by their stems, computed on first use
}

// topic is a parsed topic.
type topic struct {
	literal string // looked for literally; "" for one that is looked for by words
	words   []word
}

// keyed is a topic in the keys of a view.
type keyed struct {
	words  []string // none if the view can't represent the topic
	joined string   // written together; "" if that is too short
}

// NewList returns a list of topics.
func NewList(topics []string) *List {
	l := &List{names: topics, topics: make([]topic, len(topics)), stemmed: map[likely][]keyed{}}
	for i, name := range topics {
		folded := fold(name)
		if isLiteral(folded) {
			l.topics[i].literal = squash(folded)
			continue
		}
		l.topics[i].words = split(folded).words
	}
	l.full, l.plain = l.keyed(word.full), l.keyed(word.plain)
	return l
}

// Len returns the number of topics.
func (l *List) Len() int { return len(l.names) }

// Same reports whether two lists have the same topics.
func (l *List) Same(other *List) bool { return slices.Equal(l.names, other.names) }

// Find returns the first topic of the list that text mentions, with its index;
// -1 for none.
func (l *List) Find(text string) (index int, name string) {
	if len(l.topics) == 0 {
		return -1, ""
	}
	folded := fold(text)
	if index, name = l.find(folded); index >= 0 {
		return index, name
	}
	d := disguises(folded)
	for _, text := range d.texts {
		if index, name = l.find(text); index >= 0 {
			return index, name
		}
	}
	return l.within(d.runs)
}

// within returns the first topic that is in letters written together; it must be long
// enough not to be there by chance.
func (l *List) within(runs []string) (index int, name string) {
	const long = 5
	for i, t := range l.topics {
		joined := ""
		for _, w := range t.words {
			joined += w.text
		}
		if utf8.RuneCountInString(joined) >= long && slices.ContainsFunc(runs, func(run string) bool { return strings.Contains(run, joined) }) {
			return i, l.names[i]
		}
	}
	return -1, ""
}

// find returns the first topic that a folded text mentions as it is.
func (l *List) find(folded string) (index int, name string) {
	t := split(folded)
	var literals *literalText
	views := l.views(t)
	for i, sought := range l.topics {
		if sought.literal != "" {
			if literals == nil {
				literals = newLiteralText(folded)
			}
			if literals.has(sought.literal) {
				return i, l.names[i]
			}
			continue
		}
		for _, v := range views {
			if v.mentions(v.topics[i]) {
				return i, l.names[i]
			}
		}
	}
	return -1, ""
}

// view is a text as the keys it is compared by, and the topics as such keys.
type view struct {
	topics []keyed
	words  []string
	single map[string]bool // the words, and those written together as one
	tags   []string        // the hashtags, written together
}

// views returns the views of a text: as it is, with and without symbols, and by
// its stems in each language that it may be in.
func (l *List) views(t words) []view {
	views := []view{
		newView(t, l.full, word.full, true),
		newView(t, l.plain, word.plain, false),
	}
	for _, lang := range t.languages() {
		s := newStemmer(lang)
		views = append(views, newView(t, l.stems(s), s.key, false))
	}
	return views
}

// stems returns the topics by their stems.
func (l *List) stems(s *stemmer) []keyed {
	l.mu.Lock()
	defer l.mu.Unlock()
	topics, ok := l.stemmed[s.likely]
	if !ok {
		topics = l.keyed(s.key)
		l.stemmed[s.likely] = topics
	}
	return topics
}

// leastJoined is the least length of a topic of several words that also counts
// when written together.
const leastJoined = 3

// keyed returns the topics as a view's keys.
func (l *List) keyed(key func(word) string) []keyed {
	all := make([]keyed, len(l.topics))
	for i, t := range l.topics {
		joined := ""
		for _, w := range t.words {
			k := key(w)
			if k == "" {
				all[i].words = nil
				break
			}
			all[i].words, joined = append(all[i].words, k), joined+w.text
		}
		if len(all[i].words) > 1 && utf8.RuneCountInString(joined) >= leastJoined {
			all[i].joined = key(word{text: joined})
		}
	}
	return all
}

func newView(t words, topics []keyed, key func(word) string, tags bool) view {
	v := view{topics: topics, words: make([]string, len(t.words)), single: make(map[string]bool, len(t.words))}
	for i, w := range t.words {
		v.words[i] = key(w)
		v.single[v.words[i]] = true
	}
	for _, j := range t.joined {
		v.single[key(word{text: j})] = true
	}
	delete(v.single, "")
	if tags {
		v.tags = t.tags
	}
	return v
}

func (v view) mentions(t keyed) bool {
	switch len(t.words) {
	case 0:
		return false
	case 1:
		return v.single[t.words[0]] || v.tagged(t.words[0])
	}
	if t.joined != "" && (v.single[t.joined] || v.tagged(t.joined)) {
		return true
	}
	for _, w := range t.words {
		if !v.single[w] {
			return false
		}
	}
	return contains(v.words, t.words)
}

// tagged reports whether a hashtag begins or ends with a topic. Where its words
// are separated is unknown, so both must be long enough not to match by chance,
// as "rapist" does in "#therapist".
func (v view) tagged(topic string) bool {
	const long, short, restOfLong, restOfShort = 8, 6, 3, 4
	rest := restOfLong
	switch n := utf8.RuneCountInString(topic); {
	case n < short:
		return false
	case n < long:
		rest = restOfShort
	}
	for _, tag := range v.tags {
		for _, cut := range []func(string, string) (string, bool){strings.CutPrefix, strings.CutSuffix} {
			if left, ok := cut(tag, topic); ok && utf8.RuneCountInString(left) >= rest {
				return true
			}
		}
	}
	return false
}

// contains reports whether words contain sought as a contiguous sequence
// (Knuth, Morris, Pratt).
func contains(words, sought []string) bool {
	fallback := make([]int, len(sought))
	for i, n := 1, 0; i < len(sought); i++ {
		for n > 0 && sought[i] != sought[n] {
			n = fallback[n-1]
		}
		if sought[i] == sought[n] {
			n++
		}
		fallback[i] = n
	}
	n := 0
	for _, w := range words {
		for n > 0 && w != sought[n] {
			n = fallback[n-1]
		}
		if w == sought[n] {
			n++
		}
		if n == len(sought) {
			return true
		}
	}
	return false
}

package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// form is how an objective stands in a sentence.
type form string

const (
	// asLine stands for itself only, on a line of its own.
	asLine form = ""
	// about stands behind "about".
	about form = "about"
	// do is what readers may do: it stands behind "to", or alone.
	do form = "do"
	// how stands behind "how to".
	how form = "how"
)

// subject is what an objective comes to for those who read the posts.
type subject struct {
	form form
	// phrase is what stands in sentences; "" of a line.
	phrase string
	// line says it on a line of its own; "" where the phrase needs none.
	line string
	// when is a line about its date, or "".
	when string
	// tag are the words of its hashtag, if any.
	tag []string
	// links are the addresses that the objective names.
	links []string
}

// longestPhrase bounds a phrase in code points: it stands in the middle of a
// sentence, and that in a post.
const longestPhrase = 70

// subjectOf reads an English objective. What it isn't sure of stays as it is, on
// a line of its own. brand is what posts are about where the objective is only
// about the tenant's figures.
func subjectOf(objective, brand string, alone bool) subject {
	fields, links := withoutLinks(strings.Fields(objective))
	if s := strings.Join(fields, " "); s == strings.ToUpper(s) && len(fields) > 1 {
		fields = strings.Fields(strings.ToLower(s))
	}
	p := parser{brand, alone}
	s := p.read(fields)
	if s.links = links; len(links) > 0 && s.form == asLine && !isSentence(fields) {
		return subject{form: about, phrase: brand, links: links} // without the address the words may lack their object
	}
	if utf8.RuneCountInString(s.phrase) > longestPhrase {
		s = subject{line: p.listed(fields), links: links}
	}
	return s
}

// parser reads one objective.
type parser struct {
	brand string
	alone bool // the tenant is one person
}

// says is what the parser puts before an objective.
func (p parser) says(text string) string {
	if p.alone {
		return singly(text)
	}
	return text
}

// read reads an objective without its addresses.
func (p parser) read(fields []string) subject {
	if !slices.ContainsFunc(fields, func(f string) bool { return bare(f) != "" }) {
		return p.home()
	}
	if s, ok := p.wanted(fields); ok {
		return s
	}
	rest := withoutWish(fields)
	if saidToReaders(rest) || titled(rest) {
		return subject{line: sentence(rest)}
	}
	if bare(rest[0]) == "please" {
		rest = rest[1:]
	}
	wished := len(rest) < len(fields)
	whole := firstSentence(strings.Join(rest, " "))
	rest = basic(strings.Fields(strings.TrimRightFunc(whole, func(r rune) bool { return strings.ContainsRune(".!,;:–—- ", r) })))
	if len(rest) == 0 {
		return p.home()
	}
	for _, shape := range []func() (subject, bool){
		func() (subject, bool) { return p.howTo(rest, 0) },
		func() (subject, bool) { return p.imperative(rest, wished) },
		func() (subject, bool) { return p.figure(rest, false) },
	} {
		if s, ok := shape(); ok {
			return s
		}
	}
	first, last := bare(rest[0]), bare(rest[len(rest)-1])
	if determiners[first] || wh[first] || verbs[first] == noVerb && (len(rest) == 1 || len(rest) <= 3 && strings.HasSuffix(last, "ing")) {
		return subject{line: topicIs + lowered(rest) + "."}
	}
	return subject{line: p.listed(rest)}
}

// wanted reads "we want people to …" and "we need volunteers".
func (p parser) wanted(fields []string) (subject, bool) {
	text := strings.ToLower(strings.Join(fields, " "))
	for _, begin := range lexicon["wants"] {
		object := fields[min(len(strings.Fields(begin)), len(fields)):]
		if !strings.HasPrefix(text, begin+" ") || bare(object[0]) == "to" {
			continue
		}
		if s, ok := p.figure(object, true); ok {
			return s, true
		}
		if s, ok := p.direct("want", object); ok {
			return s, true
		}
		return p.seek(object)
	}
	return subject{}, false
}

// home is what posts are about where an objective says nothing to readers.
func (p parser) home() subject { return subject{form: about, phrase: p.brand} }

// topicIs is what stands before a phrase that can't stand in a sentence.
const topicIs = "Today's topic: "

// listed is a line that fits whatever the objective is.
func (p parser) listed(fields []string) string {
	return p.says("On our list: ") + lowered(fields) + "."
}

// aim is a line that fits every objective that begins with a verb.
func (p parser) aim(fields []string) subject {
	fields = trimmedEnd(fields)
	if !oddlyWritten(fields[0]) {
		fields[0] = strings.ToLower(fields[0])
	}
	return subject{line: p.says("Our aim is to ") + strings.Join(fields, " ") + "."}
}

// imperative reads an objective that begins with a verb, beyond doubt. wished
// tells that what stood before it says that it is one.
func (p parser) imperative(fields []string, wished bool) (subject, bool) {
	if s, ok := p.phrasal(fields); ok {
		return s, true
	}
	name, object := bare(fields[0]), fields[1:]
	v := verbs[name]
	if v == noVerb {
		return p.unknown(fields)
	}
	if s, ok := p.figure(object, true); ok && (v == metricVerb || v == seekVerb) {
		return s, true
	}
	if len(object) == 0 {
		return p.verbAlone(name)
	}
	if !wished && nouns[name] && !objectBegins(object) && !doubtless(name, object) || wantsObject[v] && prepositions[bare(object[0])] && !outOff[bare(object[0])] {
		return subject{}, false
	}
	if s, ok := turns[v](p, name, object); ok {
		return s, true
	}
	return p.aim(fields), true
}

// verbAlone reads an objective of a single verb.
func (p parser) verbAlone(name string) (subject, bool) {
	if verbs[name] == readerVerb && !nouns[name] {
		return subject{form: do, phrase: name}, true
	}
	return p.home(), wantsObject[verbs[name]] && !nouns[name]
}

// doubtless reports whether a word that is a noun as often is a verb before an
// object that may belong to a noun, too.
func doubtless(name string, object []string) bool {
	first := bare(object[0])
	return measured(object) || people[first] && words("help make keep bring win")[name] ||
		verbs[name] == readerVerb && words("for up with from")[first] && slices.ContainsFunc(object, func(f string) bool { return words("us our me my")[bare(f)] })
}

// wantsObject are the verbs that no preposition follows.
var wantsObject = map[verb]bool{offerVerb: true, newVerb: true, metricVerb: true, directVerb: true, seekVerb: true}

// unknown reads an objective whose first word isn't known: no noun stands before
// "our" or "the", so what does is a verb, and what is done to "us" the readers do.
func (p parser) unknown(fields []string) (subject, bool) {
	first := bare(fields[0])
	if len(fields) > 1 && words("us me")[bare(fields[1])] && !functionWords[first] {
		phrase, ok := readers(fields, true)
		return subject{form: do, phrase: phrase}, ok
	}
	if len(fields) == 1 || !startsNoun[bare(fields[1])] || functionWords[first] || strings.HasSuffix(first, "ing") || strings.ContainsFunc(fields[0], unicode.IsPunct) {
		return subject{}, false
	}
	return p.aim(fields), true
}

var outOff = words("out off up")

// stating are verbs whose "that" begins a statement.
var stating = words("tell inform remind show convince persuade teach explain let")

// placing are verbs whose "to" comes before a place as often as before a verb.
var placing = words("invite attract bring draw welcome")

// knowing are the verbs that come to "about" what they know.
var knowing = words("know learn hear find read think talk understand care")

// phrasal reads verbs of several words: "raise awareness of" is a figure, "spread
// the word about" is not.
func (p parser) phrasal(fields []string) (subject, bool) {
	text := strings.ToLower(strings.Join(fields, " ")) + " "
	for _, begin := range lexicon["phrasal"] {
		if strings.HasPrefix(text, begin+" ") && len(text) > len(begin)+2 {
			return p.offer(fields[len(strings.Fields(begin)):], false)
		}
	}
	for begin, say := range map[string]string{"say thank you to ": "A big thank you to ", "say thanks to ": "A big thank you to ", "congratulate ": "Congratulations to "} {
		if rest := fields[min(strings.Count(begin, " "), len(fields)):]; strings.HasPrefix(text, begin) && len(rest) > 0 {
			return subject{line: say + strings.TrimRight(strings.Join(rest, " "), ".!") + "."}, true
		}
	}
	return subject{}, false
}

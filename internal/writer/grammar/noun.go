package grammar

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// noun is a noun phrase of an objective.
type noun struct {
	words []string
	// date is what stood behind it about its time, or "".
	date string
	// fluent tells that it can stand in a sentence; what can't lacks an article,
	// as far as anybody can tell.
	fluent bool
	// clause tells that it is one: "what we make".
	clause bool
}

func (n noun) String() string { return strings.Join(n.words, " ") }

// when is a line about the phrase's date, or "".
func (n noun) when() string {
	if n.date == "" || len(n.words) == 0 {
		return ""
	}
	return "On the calendar: " + n.String() + " " + n.date + "."
}

var (
	// startsNoun are words that only a noun phrase begins with.
	startsNoun = words("our my the a an your their his her its")
	wh         = words("what why how when where who which whether what's who's how's where's")
	// ends are words that what is said about the objective's own course begins
	// with: "by Friday", "among students", "so that …".
	ends = listed("ends")
	// takesTo are nouns with a "to" of their own.
	takesTo  = listed("takesTo")
	channels = words("instagram linkedin facebook twitter x tiktok youtube pinterest mastodon bluesky threads social online")
	// plain adjectives say nothing in a hashtag.
	adjectives = words("new latest great best big small own first next other free annual many few more upcoming brand-new good old second third young whole entire")
	// vague are nouns that say nothing as the only word of a hashtag.
	vague = words("team shop house home member winners product products service services work company business website thing things news event app")
)

// nounOf is the noun phrase that fields begin with, without what is behind it
// about the objective's own course.
func nounOf(fields []string) noun {
	first := bare(fields[0])
	if wh[first] {
		return noun{words: trimmed(fields), fluent: !slices.ContainsFunc(fields, func(f string) bool { return bare(f) == "your" }), clause: true}
	}
	counted := first == "more"
	if counted {
		fields = fields[1:]
	}
	if counted && len(fields) > 1 && bare(fields[0]) == "of" {
		fields = fields[1:]
	}
	if len(fields) == 0 || functionWords[bare(fields[0])] && !determiners[bare(fields[0])] && !pronouns[bare(fields[0])] {
		return noun{}
	}
	n := parted(fields)
	if len(n.words) == 0 {
		return n
	}
	if determiners[strings.ToLower(n.words[0])] { // none within quotation marks
		n.words[0] = strings.ToLower(n.words[0])
	}
	n.fluent = counted || n.reads()
	return n
}

// parted returns the words up to the end of a noun phrase, and the date behind it.
func parted(fields []string) noun {
	quoted := false
	for i := 1; i < len(fields); i++ {
		if quoted = quotes(fields[i-1], quoted); quoted {
			continue
		}
		if dated(fields[i:]) {
			return noun{words: trimmed(fields[:i]), date: strings.Join(trimmed(fields[i:]), " ")}
		}
		if cuts(fields, i) {
			return noun{words: trimmed(fields[:i])}
		}
	}
	return noun{words: trimmed(fields)}
}

// quotes reports whether a quotation is open behind a word.
func quotes(word string, open bool) bool {
	if strings.ContainsAny(word, "“«„") {
		open = true
	}
	if strings.ContainsAny(word, "”»") {
		open = false
	}
	return open != (strings.Count(word, `"`)%2 == 1)
}

// cuts reports whether the phrase ends before the word at i.
func cuts(fields []string, i int) bool {
	w, before := bare(fields[i]), fields[i-1]
	next := ""
	if i+1 < len(fields) {
		next = bare(fields[i+1])
	}
	switch {
	case w == "" && fields[i] != "&", strings.ContainsAny(before[len(before)-1:], ";:!?)"), strings.HasPrefix(fields[i], "("), ends[w]:
		return true
	case w == "to":
		return !takesTo[bare(before)] && !strings.HasSuffix(bare(before), "ing")
	case w == "and" || w == "or":
		return verbs[next] != noVerb && !commonNouns[next]
	case w == "on":
		return channels[next]
	case w == "online":
		return next == ""
	default:
		return strings.HasSuffix(before, ",") && verbs[w] != noVerb && !commonNouns[w]
	}
}

// dated reports whether fields, the end of an objective, are a time.
func dated(fields []string) bool {
	const most = 8 // words
	w := bare(fields[0])
	if len(fields) > most {
		return false
	}
	if w == "today" || w == "tonight" || w == "tomorrow" {
		return true
	}
	if len(fields) == 1 || !timing[w] {
		return false
	}
	next := bare(fields[1])
	return calendar[next] || number(next)
}

var timing = words("on in at from this next every")

// number reports whether a word has a digit: "5pm", "3rd".
func number(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

var integer = regexp.MustCompile(`^\d+(?:[.,]\d{3})*$`)

// uncounted is a phrase without the number of things before them. What a number is a part
// of keeps it: "3D printers", "100% cotton", "5 a day smoothies".
func uncounted(fields []string) []string {
	if len(fields) < 2 || !integer.MatchString(fields[0]) || bare(fields[1]) == "a" || bare(fields[1]) == "an" {
		return fields
	}
	if scales[bare(fields[1])] && len(fields) > 2 {
		return fields[2:]
	}
	return fields[1:]
}

var scales = words("hundred thousand million dozen")

// head is the word that the phrase is about: the last before a preposition.
func (n noun) head() string {
	for i, w := range n.words {
		if i > 0 && (prepositions[bare(w)] || conjunctions[bare(w)] || pronouns[bare(w)]) {
			return n.words[i-1]
		}
	}
	if len(n.words) == 0 {
		return ""
	}
	return n.words[len(n.words)-1]
}

// reads reports whether the phrase stands in a sentence as it is: with an
// article, as a plural, as a name that is written like no other word.
func (n noun) reads() bool {
	first, head := bare(n.words[0]), bare(n.head())
	switch {
	case strings.Contains(n.String(), ",") && !slices.ContainsFunc(n.words, func(w string) bool { return w == "and" || w == "or" || w == "&" }):
		return false // what stands behind the comma would need another one
	case determiners[first]:
		return len(n.words) > 1
	case functionWords[first], integer.MatchString(n.words[0]):
		return false
	case strings.HasSuffix(head, "ing"), commonMass[head]:
		return true
	case plural(head):
		return !capital(n.words[0]) || len(n.words) == 1
	}
	const near = 3 // words
	owner := slices.IndexFunc(n.words[:min(near, len(n.words))], func(w string) bool { return strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s") })
	if owner >= 0 {
		return owner+1 < len(n.words)
	}
	return oddlyWritten(n.words[0]) && !number(n.words[0])
}

func plural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is")
}

// commonMass are nouns without a plural.
var commonMass = listed("commonMass")

// oddlyWritten reports whether a word is written as only names are: "TaskFlow",
// "iOS", "C64".
func oddlyWritten(word string) bool {
	upper := strings.ContainsFunc(word[min(1, len(word)):], unicode.IsUpper)
	digit := strings.ContainsFunc(word, unicode.IsDigit)
	return strings.ContainsFunc(word, unicode.IsLetter) && (upper || digit)
}

// tenant reports whether the phrase means who posts: "our brand", "ourselves".
func (n noun) tenant() bool {
	head := bare(n.head())
	return words("brand company business")[head] || len(n.words) == 1 && words("ourselves myself us me")[head]
}

// tag is the phrase as a hashtag's words; none where it would be a bad one.
func (n noun) tag() []string {
	const mostWords, shortest = 3, 3
	tag := n.core()
	if n.clause || len(tag) == 0 || len(tag) > mostWords {
		return nil
	}
	for _, w := range tag {
		if utf8.RuneCountInString(w) < shortest || functionWords[bare(w)] || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return nil
		}
	}
	if len(tag) > 1 {
		return tag
	}
	// A word alone has to be all of the phrase, and to say something.
	if tag[0] != n.words[len(n.words)-1] || !suffices(tag[0]) {
		return nil
	}
	return tag
}

// suffices reports whether a word alone makes a hashtag.
func suffices(word string) bool {
	const short = 3 // unless it is written as an abbreviation
	b := bare(word)
	return (utf8.RuneCountInString(b) > short || b != word) && !vague[b] && verbs[b] == noVerb && !people[b] && !calendar[b] && metrics[b] == noMetric
}

// core is the phrase without what stands about its nouns.
func (n noun) core() []string {
	begin := slices.IndexFunc(n.words, func(w string) bool { return !determiners[bare(w)] && !adjectives[bare(w)] })
	if begin < 0 {
		return nil
	}
	rest := n.words[begin:]
	end := slices.IndexFunc(rest, func(w string) bool { return prepositions[bare(w)] || conjunctions[bare(w)] || pronouns[bare(w)] })
	if end < 0 {
		return rest
	}
	return rest[:end]
}

// trimmed are words without punctuation at their end.
func trimmed(fields []string) []string {
	fields = slices.Clone(fields)
	for len(fields) > 0 {
		last := len(fields) - 1
		w := strings.TrimRight(fields[last], ".,;:!?–—-…")
		if b := bare(w); w != "" && b != "and" && b != "or" && !prepositions[b] {
			fields[last] = w
			return fields
		}
		fields = fields[:last]
	}
	return fields
}

// allPeople reports whether a phrase names nobody but those who read the posts:
// "new customers".
func allPeople(fields []string) bool {
	if len(fields) == 0 || startsNoun[bare(fields[0])] && bare(fields[0]) != "our" {
		return false
	}
	n := nounOf(fields)
	const most = 4
	return len(n.words) > 0 && len(n.words) <= most && people[bare(n.words[len(n.words)-1])]
}

package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// set is a set of lower-case words.
type set map[string]bool

func words(lists ...string) set {
	s := set{}
	for _, list := range lists {
		for _, w := range strings.Fields(list) {
			s[w] = true
		}
	}
	return s
}

var (
	determiners  = words("our my the a an this these those every each all some any both")
	prepositions = listed("prepositions")
	pronouns     = words("i me you he him his she her it its we us they them their theirs themselves your yours who whom")
	conjunctions = words("and or but nor so because while when whenever where whether if that which how why what although though unless")
	auxiliaries  = words("is are was were be been being am has have had do does did will would can could may might shall should must isn't aren't don't doesn't won't can't")
	adverbs      = words("more most less fewer not never always also again only just very too now here there again better")

	// functionWords carry no topic.
	functionWords = join(determiners, prepositions, pronouns, conjunctions, auxiliaries, adverbs)

	// onlyEnglish are function words that no other language in Latin script writes.
	onlyEnglish = listed("onlyEnglish")

	// commonNouns are common in English objectives, and not at home elsewhere.
	commonNouns = listed("commonNouns")

	// foreign are frequent words of other languages in Latin script: function
	// words, and the verbs that their objectives begin or end with.
	foreign = listed("foreign")
)

// articles are short words that are English among English nouns.
var articles = words("a an for of to is at on in back all over")

// loanwords are English nouns that other languages have taken.
var loanwords = listed("loanwords")

// abroad are verbs that other languages write in the same way.
var abroad = words("download invite reduce present start plan design test feature support market import export")

func join(sets ...set) set {
	all := set{}
	for _, s := range sets {
		for w := range s {
			all[w] = true
		}
	}
	return all
}

// bare is a word in lower case without the punctuation about it.
func bare(word string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })), "’", "'")
}

// capital reports whether a word begins with a capital letter.
func capital(word string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(word, unicode.IsPunct))
	return unicode.IsUpper(r)
}

// particles stand in names between capitals: "Fête de la Musique".
var particles = words("de la le les du des del di da das dos do van von der den el y e et los las")

// evidence counts what speaks for English in a text, and what for another
// language. Names count for nothing: they come from anywhere.
func evidence(text string) (english, other int) {
	inName, verb := false, 0
	for i, f := range strings.Fields(text) {
		w := bare(f)
		inName = i > 0 && (capital(f) || inName && particles[w])
		switch {
		case strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }):
			other += 2
		case i == 0 && begins(w) > 0:
			verb = begins(w)
			english += verb
		case onlyEnglish[w], strings.HasSuffix(w, "'s"), strings.HasSuffix(w, "n't"):
			english++
		case !inName:
			other += strangeness(w, english <= verb)
		}
	}
	return english, other
}

// strangeness counts what speaks for another language in a word that isn't known
// to be English. verbOnly tells that at most a verb spoke for English so far, which
// doesn't make a text English.
func strangeness(w string, verbOnly bool) int {
	switch {
	case foreign[w] && verbOnly:
		return 2
	case foreign[w], strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }):
		return 1
	}
	return 0
}

// begins is how much an objective's first word speaks for English.
func begins(w string) int {
	switch {
	case verbs[w] != noVerb && !abroad[w]:
		return 2
	case verbs[w] != noVerb, gerund(w) != "" && !abroad[gerund(w)]:
		return 1
	default:
		return 0
	}
}

// isEnglish reports whether a text is English beyond doubt. A text without any
// evidence is English where it is made of common English words.
func isEnglish(text string) bool {
	fields := strings.Fields(text)
	rest := withoutWish(fields)
	english, other := evidence(strings.Join(rest, " "))
	if len(fields)-len(rest) > 1 {
		english++
	}
	if english > 0 || other > 0 {
		return english > other
	}
	nouns, known := 0, 0
	for _, f := range fields {
		switch w := bare(f); {
		case loanwords[w]:
		case commonNouns[w] || people[w] || adjectives[w] || metrics[w] != noMetric:
			nouns++
			known++
		case articles[w]:
			known++
		}
	}
	return nouns > 0 && 2*known >= len(fields)
}

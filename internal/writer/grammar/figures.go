package grammar

import "strings"

// figure reads a figure that is to grow: "newsletter sign-ups", "awareness of
// hearing loss", "traffic to our website". certain tells that a verb said so.
func (p parser) figure(fields []string, certain bool) (subject, bool) {
	if text := strings.ToLower(strings.Join(fields, " ")); strings.HasPrefix(text, "the number of ") || strings.HasPrefix(text, "the amount of ") {
		fields = fields[3:]
	}
	at, m := named(fields, certain)
	if at < 0 {
		return subject{}, false
	}
	rest := fields[at+1:]
	if !endsFigure(rest) {
		return subject{}, false
	}
	before := bare(fields[max(0, at-1)])
	if act := places[before]; act != "" && m.act+m.alone != "" {
		return subject{form: do, phrase: p.says(act)}, true
	}
	if forTickets[before] {
		m = metrics["tickets"]
	}
	if len(rest) > 1 && words(m.links)[bare(rest[0])] {
		if s, ok := p.of(m, rest); ok {
			return s, true
		}
	}
	if at > 0 && bare(fields[at]) == "awareness" && !ofOurs[before] {
		return awareness(fields[:at+1]), true
	}
	if m.alone != "" {
		return subject{form: do, phrase: p.says(m.alone)}, true
	}
	return p.home(), true
}

// endsFigure reports whether a figure's name may end before the words: it isn't a
// part of another, as in "customer stories", nor what does something, as in
// "customers to try our new menu".
func endsFigure(rest []string) bool {
	switch {
	case len(rest) == 0:
		return true
	case len(rest) > 1 && bare(rest[0]) == "to" && acts(rest[1:]):
		return false
	}
	return figureEnds[bare(rest[0])]
}

// awareness reads what one is to be aware of: "hearing loss awareness".
func awareness(fields []string) subject {
	if n := nounOf(strings.Fields(lowered(fields[:len(fields)-1]))); n.fluent && !capital(n.words[0]) {
		return subject{form: about, phrase: n.String(), tag: n.tag()}
	}
	return subject{line: topicIs + lowered(fields) + "."}
}

// forTickets are words for tickets.
var forTickets = words("ticket tickets")

// ofOurs are words before "awareness" that don't say what one is to be aware of.
var ofOurs = words("brand company business product name public general greater more our my local community customer market social consumer")

// figureEnds are words that stand behind a figure's name.
var figureEnds = join(prepositions, conjunctions, calendar, words("this next"))

// acts reports whether what stands behind "to" is a verb rather than a place or a
// thing.
func acts(fields []string) bool {
	first := bare(fields[0])
	if startsNoun[first] || capital(fields[0]) || places[first] != "" {
		return false
	}
	return verbs[first] != noVerb && !commonNouns[first] || len(fields) > 1 && startsNoun[bare(fields[1])] || !nounOf(fields).fluent
}

// named finds the last name of a figure before anything that belongs to it; -1
// where there is none.
func named(fields []string, certain bool) (at int, m metric) {
	const longest = 5 // words before the name
	at = -1
	for i, f := range fields[:min(len(fields), longest)] {
		w := bare(f)
		if prepositions[w] || conjunctions[w] {
			break
		}
		if found, ok := metrics[w]; ok || certain && bases[w] {
			at, m = i, found
		}
		if w == "ups" && i > 0 && bare(fields[i-1]) == "sign" {
			at, m = i, metrics["sign-ups"]
		}
	}
	return at, m
}

// of reads what a figure is of.
func (p parser) of(m metric, rest []string) (subject, bool) {
	object := rest[1:]
	n := nounOf(object)
	if allPeople(n.words) || len(n.words) == 0 || n.clause || calendar[bare(n.words[len(n.words)-1])] || strings.EqualFold(n.String(), p.brand) || n.tenant() {
		return subject{}, false
	}
	if m.act != "" {
		if !n.fluent && !capital(n.words[0]) {
			return subject{}, false
		}
		return subject{form: do, phrase: m.act + " " + n.String(), when: n.when()}, true
	}
	return subject{form: about, phrase: n.String(), when: n.when(), tag: n.tag()}, m.alone == ""
}

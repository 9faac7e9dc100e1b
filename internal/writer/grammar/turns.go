package grammar

import (
	"slices"
	"strings"
)

// turns say an objective to the posts' readers, by its verb: "Sell our honey" as an offer of
// the honey. ok is false for objectives that they can't say.
var turns map[verb]func(p parser, name string, object []string) (s subject, ok bool)

func init() { // not a value: some of them read an objective in an objective
	turns = map[verb]func(p parser, name string, object []string) (subject, bool){
		offerVerb: parser.offered, newVerb: parser.launched, metricVerb: parser.grown, directVerb: parser.direct, tellVerb: parser.direct,
		seekVerb: parser.sought, readerVerb: parser.invited, aimVerb: parser.aimed,
	}
}

func (p parser) offered(name string, object []string) (subject, bool) {
	if name == "celebrate" {
		return subject{line: p.says("We are celebrating ") + strings.TrimRight(strings.Join(object, " "), ".!") + "."}, true
	}
	if outOff[bare(object[0])] && len(object) > 1 {
		object = object[1:]
	}
	return p.offer(object, name == "sell")
}

func (p parser) launched(name string, object []string) (subject, bool) {
	if a := bare(object[0]); a == "a" || a == "an" {
		object = append([]string{"our"}, object[1:]...)
	}
	s, ok := p.offer(object, false)
	if what, unclear := strings.CutPrefix(s.line, topicIs); unclear && name == "introduce" {
		s.line = "Introducing " + what
	}
	return s, ok
}

func (p parser) grown(name string, object []string) (subject, bool) {
	if name == "get" || name == "attract" || name == "drive" {
		if s, ok := p.direct(name, object); ok {
			return s, true
		}
	}
	switch {
	case allPeople(object):
		return p.home(), true
	case name == "attract" && staff[bare(nounOf(object).head())]:
		return p.seek(object)
	case name == "raise" && money(object):
		return p.help(name, object), true
	}
	return subject{}, false
}

func (p parser) sought(_ string, object []string) (subject, bool) { return p.seek(object) }

func (p parser) invited(name string, object []string) (subject, bool) {
	if name == "learn" {
		if s, ok := p.howTo(object, 0); ok {
			return s, true
		}
	}
	if bare(object[0]) == "more" || name == "sign" && !signing(object) {
		return subject{}, false
	}
	phrase, ok := readers(append([]string{name}, object...), true)
	return subject{form: do, phrase: phrase}, ok
}

func (p parser) aimed(name string, object []string) (subject, bool) {
	if name == "bring" || name == "draw" {
		if s, ok := p.direct(name, object); ok {
			return s, true
		}
	}
	greeted := startsNoun[bare(object[0])] || words("everyone everybody all")[bare(object[0])]
	switch {
	case name == "create" || name == "spread":
		return p.figure(object, false)
	case reaching[name] && allPeople(object):
		return p.home(), true
	case name == "collect" && money(object):
		return p.help(name, object), true
	case name == "thank" && greeted:
		return subject{line: "A big thank you to " + strings.Join(object, " ") + "."}, true
	case name == "welcome" && greeted:
		return subject{line: "A warm welcome to " + strings.Join(object, " ") + "."}, true
	}
	return subject{}, false
}

// help asks for money.
func (p parser) help(name string, object []string) subject {
	return subject{line: p.says("Help us ") + name + " " + strings.Join(object, " ") + "."}
}

// offer puts a thing before readers. sold reports whether a number before it says how many
// are to be sold, which isn't for them.
func (p parser) offer(object []string, sold bool) (subject, bool) {
	if bare(object[0]) == "that" && isSentence(object[1:]) {
		return subject{line: sentence(object[1:])}, true
	}
	if allPeople(object) {
		return p.home(), true
	}
	if things := uncounted(object); sold && len(things) < len(object) {
		object = append([]string{"more"}, things...)
	}
	n := nounOf(object)
	if len(n.words) > 0 && n.tenant() {
		return p.home(), true
	}
	if len(n.words) == 0 || len(n.words) == 1 && pronouns[bare(n.words[0])] {
		return subject{}, false
	}
	if forTickets[bare(n.head())] && !determiners[bare(n.words[0])] {
		return tickets(n), n.fluent
	}
	if !n.fluent {
		return subject{line: topicIs + strings.TrimSpace(lowered(n.words)+" "+n.date) + ".", tag: n.tag()}, true
	}
	return subject{form: about, phrase: n.String(), when: n.when(), tag: n.tag()}, true
}

// tickets has readers get tickets, until their event.
func tickets(n noun) subject {
	event := noun{date: n.date}
	if at := slices.IndexFunc(n.words, func(w string) bool { return w == "to" || w == "for" }); at >= 0 {
		event.words = n.words[at+1:]
	}
	return subject{form: do, phrase: "get " + n.String(), when: event.when(), tag: n.tag()}
}

// to reads what stands behind "get people to": what they are to do, or a place.
func (p parser) to(name string, rest []string) (subject, bool) {
	first := bare(rest[0])
	known := verbs[first] != noVerb
	switch {
	case name == "get" && !known && (len(rest) == 1 || prepositions[bare(rest[1])] || capital(rest[0])), placing[name] && !known && !startsNoun[first]:
		return subject{}, false
	case startsNoun[first]:
		n := nounOf(rest)
		return subject{form: do, phrase: "come to " + n.String(), when: n.when()}, n.fluent && !n.clause
	}
	if knowing[first] {
		for i, f := range rest[1:] {
			if bare(f) == "about" && i+2 < len(rest) {
				return p.offer(rest[i+2:], false)
			}
		}
	}
	phrase, ok := readers(rest, false)
	return subject{form: do, phrase: phrase}, ok
}

// howTo reads "how to compost at home" at a place.
func (p parser) howTo(fields []string, at int) (subject, bool) {
	if len(fields) < at+3 || bare(fields[at]) != "how" || bare(fields[at+1]) != "to" {
		return subject{}, false
	}
	phrase, ok := readers(fields[at+2:], at == 0)
	if !ok {
		return subject{line: topicIs + lowered(fields[at:]) + "."}, true
	}
	return subject{form: how, phrase: phrase}, true
}

// seek is a call for people: the readers, or somebody they know.
func (p parser) seek(object []string) (subject, bool) {
	n := nounOf(object)
	if served[bare(n.head())] && allPeople(object) {
		return p.home(), true
	}
	if !n.fluent || n.clause {
		return subject{}, false
	}
	return subject{line: p.says("We are looking for ") + n.String() + "."}, true
}

// signing reports whether "sign" is followed by what readers do: "up for our list".
func signing(object []string) bool {
	return bare(object[0]) == "up" && (len(object) == 1 || words("for to here today now")[bare(object[1])]) || startsNoun[bare(object[0])]
}

// direct turns "remind patients to book their flu shot" to the patients, and
// "tell people about our bakery" to the bakery.
func (p parser) direct(name string, object []string) (subject, bool) {
	const mostPeople = 6 // words
	for i := range object[:min(len(object), mostPeople)] {
		if s, ok, found := p.directAt(name, object, i); found {
			return s, ok
		}
	}
	if showing[name] && startsNoun[bare(object[0])] {
		return p.offer(object, false)
	}
	return subject{}, false
}

// directAt reads what stands behind the people, where it begins at i.
func (p parser) directAt(name string, object []string, i int) (s subject, ok, found bool) {
	w, rest := bare(object[i]), object[i+1:]
	if len(rest) == 0 {
		return s, false, false
	}
	if s, ok, found = p.topicAt(name, w, rest, i); found {
		return s, ok, true
	}
	if stating[name] && (w == "we" || w == "they") && isSentence(object[i:]) {
		return subject{line: sentence(toReaders(object[i:]))}, true, true
	}
	return p.tasksAt(name, object, i)
}

// tasksAt reads what the people are to do or to know, where it begins at i.
func (p parser) tasksAt(name string, object []string, i int) (s subject, ok, found bool) {
	w, rest := bare(object[i]), object[i+1:]
	switch found = true; {
	case w == "how" && bare(rest[0]) == "to":
		s, ok = p.howTo(object, i)
	case w == "know" && i > 0 && len(rest) > 2:
		s, ok = p.direct("tell", rest)
	case wh[w] && verbs[name] == tellVerb:
		s, ok = p.clause(object[i:])
	case w == "to" && i > 0:
		s, ok = p.toWhom(name, object, i)
	default:
		found = false
	}
	return s, ok, found
}

// topicAt reads "about our bakery" and "that we have moved".
func (p parser) topicAt(name, w string, rest []string, i int) (s subject, ok, found bool) {
	switch {
	case w == "about" || i > 0 && aboutWords[name] == w:
		if bare(rest[0]) == "their" {
			rest = toReaders(rest)
		}
		s, ok = p.offer(rest, false)
		return s, ok, true
	case w == "that" && (stating[name] || isSentence(rest)):
		if first := bare(rest[0]); first == "they" || first == "their" {
			rest = toReaders(rest)
		}
		return subject{line: sentence(rest)}, !theirs(rest), true
	default:
		return s, false, false
	}
}

// clause is about what people are told: "how their child learns".
func (p parser) clause(fields []string) (subject, bool) {
	return p.offer(toReaders(fields), false)
}

// toWhom reads "patients to book …", where it is the readers that are meant.
func (p parser) toWhom(name string, object []string, at int) (subject, bool) {
	if last := bare(object[at-1]); !people[last] && !strings.HasSuffix(last, "s") && last != "public" {
		return subject{}, false
	}
	s, ok := p.to(name, object[at+1:])
	if name == "teach" && s.form == do {
		s.form = how
	}
	return s, ok
}

// showing are verbs whose object may be what readers get to know.
var showing = words("explain show demonstrate teach")

// aboutWords are what stands for "about" behind a verb.
var aboutWords = map[string]string{"inform": "of", "remind": "of", "convince": "of", "educate": "on", "teach": "on"}

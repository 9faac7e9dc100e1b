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
	prepositions = words(`about above across after against ahead along among amongst around as at before behind below beside
		between beyond by down during except for from in inside into like near of off on onto out outside over past per
		since than through till to toward towards under until up upon via with within without`)
	pronouns     = words("i me you he him his she her it its we us they them their theirs themselves your yours who whom")
	conjunctions = words("and or but nor so because while when whenever where whether if that which how why what although though unless")
	auxiliaries  = words("is are was were be been being am has have had do does did will would can could may might shall should must isn't aren't don't doesn't won't can't")
	adverbs      = words("more most less fewer not never always also again only just very too now here there again better")

	// functionWords carry no topic.
	functionWords = join(determiners, prepositions, pronouns, conjunctions, auxiliaries, adverbs)

	// onlyEnglish are function words that no other language in Latin script writes.
	onlyEnglish = words(`the our your their my this these those and with from about how why what who which that people more
		into through before at by are were have has will would should could can't don't than they it its we us you not every each`)

	// commonNouns are common in English objectives, and not at home elsewhere.
	commonNouns = words(`awareness sales growth summer winter spring autumn season reading school schools children kids parents
		books book clubs garden gardens gardening cooking class classes lesson lessons course courses learning health
		healthy food waste water energy climate change safety local town city council library libraries community
		neighbourhood neighborhood weekly daily monthly week weekend day days night year years opening hours open house
		business small product products collection offers customer customers client clients loyalty trust lead leads
		generation member members membership sign-ups signups registrations donations volunteers volunteer tickets ticket
		concert song songs music choir running cycling walking home homes house
		houses bakery bread cakes coffee cheese wine honey seed seeds flowers plants handmade wooden furniture clothes shoes jewellery
		jewelry candles gifts shop shopping store stores delivery free shipping prices discount savings money
		tax insurance advice career careers job jobs hiring training skills tools features feature release update updates
		security privacy developer developers engineering storytelling tips tricks stories story news behind scenes
		review reviews testimonials feedback knowledge education research science history artists exhibition
		theatre theater fair market parking traffic roads travel holiday holidays trip trips rooms
		dentist dental clinic patients patient flu mental care elderly nursing nurses pet pets dog dogs cat cats
		charity fundraising recycling composting sustainability sustainable leadership productivity remote work`)

	// foreign are frequent words of other languages in Latin script: function
	// words, and the verbs that their objectives begin or end with.
	foreign = words(
		`der die das und für mit von auf ein eine einen einem einer unser unsere unseren unserem ihre ihr wir sie ist sind nicht
		mehr über zum zur bei aus als auch steigern erhöhen gewinnen bewerben verkaufen bekannt machen stärken ausbauen
		werben zeigen kunden neue neuen neues`,
		`le la les des du une un et pour avec dans sur nos notre vos votre est sont pas que qui faire vendre promouvoir
		augmenter développer attirer annoncer présenter faites lancer nouveau nouvelle au aux`,
		`el los las del una con para por más nuestro nuestra nuestros nuestras su sus que y en es de vender aumentar
		promover promocionar mejorar atraer anunciar lanzar conseguir dar conocer nuevo nueva tus`,
		`il gli della delle dei nostro nostra nostri con che di è per più vendere aumentare promuovere conoscere nuovo nuova nuovi`,
		` os uma um com nosso nossa nossos mais não ao das dos são divulgar`,
		`de het een en van voor met op onze ons meer zijn niet naar verkopen verhogen vergroten promoten`,
		`och att för med på av vår våra vi är inte fler öka sälja og til vores nye nya vår våre flere på å øke`,
		` na się jest nasz nasze naszych więcej dla sprzedaż promować zwiększyć`,
		`ve bir için ile bu daha ei meidän`,
	)
)

// articles are short words that are English among English nouns.
var articles = words("a an for of to is at on in back all over")

// loanwords are English nouns that other languages have taken.
var loanwords = words(`shop shopping store tickets ticket job jobs training trip trips release update updates feature features feedback
	review reviews storytelling leadership remote business product client clients parking school water week weekend kids sales
	traffic leads followers engagement likes streams best free own many song songs fair club`)

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

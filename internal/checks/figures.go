package checks

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"missiond/internal/links"
	"missiond/mission"
)

// material is what a text's prices and promises may stand in.
type material struct {
	// figures are the prices and shares of the mission's own words.
	figures map[figure]bool
	// words are those words, in lower case and one space between them.
	words string
	facts []factFigures
}

// factFigures are the prices, shares and words of a fact.
type factFigures struct {
	text    string
	figures map[figure]bool
	words   string
}

func materialOf(words []string, facts []mission.Fact) material {
	m := material{figures: map[figure]bool{}, words: " "}
	for _, text := range words {
		for _, f := range figuresIn(text) {
			m.figures[f.figure] = true
		}
		m.words += plainWords(text)
	}
	for _, fact := range facts {
		of := factFigures{text: fact.Text, figures: map[figure]bool{}, words: " " + plainWords(fact.Text)}
		for _, f := range figuresIn(fact.Text) {
			of.figures[f.figure] = true
		}
		m.facts = append(m.facts, of)
	}
	return m
}

// plainWords returns the words of a text with a space after each.
func plainWords(text string) string { return strings.Join(append(wordsIn(links.Plain(text)), ""), " ") }

// may reports whether something stands in the mission's own words or a fact on which a text rests.
// Who can't cite facts may rest on any.
func (b *Bar) may(own bool, s subject, in func(f factFigures) bool) bool {
	return own || slices.ContainsFunc(b.material.facts, func(f factFigures) bool {
		cited := b.person || slices.ContainsFunc(s.Facts, func(c mission.CitedFact) bool { return mission.SameText(c.Text, f.text) })
		return cited && in(f)
	})
}

// figure is a price or a share, in a form in which they are compared.
type figure struct {
	number, unit string
}

// written is a figure as it is written.
type written struct {
	figure

	text string
}

func (b *Bar) prices(s subject) *Finding {
	for _, w := range figuresIn(s.Text) {
		if !b.may(b.material.figures[w.figure], s, func(f factFigures) bool { return f.figures[w.figure] }) {
			return &Finding{
				Part: Whole, Message: fmt.Sprintf("%s stands in no fact that the text rests on, and nowhere in the mission.", w.text),
				Hint: "has a price or a percentage that stands in no fact that it names and nowhere else in the material",
			}
		}
	}
	return nil
}

//go:embed promises.txt
var promiseList string

// promised are words that promise something to readers, in the languages of promises.txt.
var promised = strings.Split(strings.TrimSpace(promiseList), "\n")

func (b *Bar) promises(s subject) *Finding {
	text := " " + plainWords(s.Text)
	for _, words := range promised {
		sought := " " + words + " "
		if strings.Contains(text, sought) && !b.may(strings.Contains(b.material.words, sought), s, func(f factFigures) bool { return strings.Contains(f.words, sought) }) {
			return &Finding{
				Part: Whole, Message: fmt.Sprintf("The promise %q stands in no fact that the text rests on, and nowhere in the mission.", words),
				Hint: "has a promise that stands in no fact that it names and nowhere else in the material",
			}
		}
	}
	return nil
}

const digits = "0123456789"

const (
	number   = `(?:\d{1,3}(?:[.,'’ \x{a0}\x{202f}]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)`
	size     = `(?:\s?(k|m|bn|mn|thousand|million|billion|tausend|mio\.?|millionen|mrd\.?|milliarden|mille|millions?|milliards?|millones)\b)?`
	currency = `((?:us|ca|au|nz|hk)\$|\p{Sc}|\b(?:usd|eur|gbp|chf|jpy|cny|inr|cad|aud|nzd|sek|nok|dkk|pln|czk|brl|mxn|zar|try|rub|krw|sgd|hkd)\b|\b(?:dollars?|euros?|pounds sterling|yen|francs?|franken|kronen|rupees?|pesos?|cents?)\b)`
	share    = `(%|‰|٪|\b(?:percent|per cent|prozent|pour cent|por ciento|per cento|por cento|procent)\b)`
)

var (
	before  = regexp.MustCompile(`(?i)` + currency + `\s?(` + number + `)` + size)
	after   = regexp.MustCompile(`(?i)(` + number + `)` + size + `\s?-?` + currency)
	percent = regexp.MustCompile(`(?i)(` + number + `)\s?` + share)
)

// units are the currencies by their signs and names. Signs that several have in common are one.
var units = map[string]string{
	"$": "dollar", "us$": "dollar", "ca$": "dollar", "au$": "dollar", "nz$": "dollar", "hk$": "dollar", "usd": "dollar", "cad": "dollar", "aud": "dollar",
	"nzd": "dollar", "sgd": "dollar", "hkd": "dollar", "dollars": "dollar", "€": "euro", "eur": "euro", "euros": "euro", "£": "pound", "gbp": "pound",
	"pounds sterling": "pound", "¥": "yen", "jpy": "yen", "cny": "yen", "chf": "franc", "francs": "franc", "franken": "franc", "₹": "rupee", "inr": "rupee",
	"rupees": "rupee", "pesos": "peso", "mxn": "peso", "cents": "cent", "¢": "cent",
}

var sizes = map[string]string{
	"thousand": "k", "tausend": "k", "mille": "k", "mn": "m", "million": "m", "millions": "m", "millionen": "m", "mio": "m", "millones": "m",
	"billion": "bn", "milliarden": "bn", "mrd": "bn", "milliard": "bn", "milliards": "bn",
}

// figuresIn returns the prices and shares of a text.
func figuresIn(text string) (found []written) {
	text = strings.Map(asciiDigit, links.Plain(text))
	if !strings.ContainsAny(text, digits) {
		return nil // which most texts of a long import need no regular expressions for
	}
	add := func(all, number, size, unit string) {
		size = strings.TrimSuffix(strings.ToLower(size), ".")
		if long, ok := sizes[size]; ok {
			size = long
		}
		unit = strings.ToLower(unit)
		if name, ok := units[unit]; ok {
			unit = name
		}
		found = append(found, written{figure{canonical(number) + size, unit}, strings.TrimSpace(all)})
	}
	for _, m := range before.FindAllStringSubmatch(text, -1) {
		add(m[0], m[2], m[3], m[1])
	}
	for _, m := range after.FindAllStringSubmatch(text, -1) {
		add(m[0], m[1], m[2], m[3])
	}
	for _, m := range percent.FindAllStringSubmatch(text, -1) {
		unit := "%"
		if m[2] == "‰" {
			unit = m[2]
		}
		add(m[0], m[1], "", unit)
	}
	return found
}

// canonical returns a number with a point before its decimals and nothing between its thousands.
func canonical(number string) string {
	decimals := ""
	if at := strings.LastIndexAny(number, ".,"); at >= 0 && len(number)-at-1 != 3 {
		number, decimals = number[:at], strings.TrimRight(number[at+1:], "0")
	}
	whole := strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number), "0")
	if decimals != "" {
		decimals = "." + decimals
	}
	return "0" + whole + decimals
}

// asciiDigit returns a digit of any script as an ASCII digit.
func asciiDigit(r rune) rune {
	if r <= unicode.MaxASCII || !unicode.Is(unicode.Nd, r) {
		return r
	}
	value := rune(0)
	for value < 9 && unicode.Is(unicode.Nd, r-value-1) {
		value++
	}
	return '0' + value
}

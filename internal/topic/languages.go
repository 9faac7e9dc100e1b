package topic

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// language is a language in Latin letters, by its index in latin.
type language int

// latin are the languages in Latin letters whose words are stemmed. They are told
// apart by their most frequent words: where a text has several of them, it is in
// that language.
var latin = [...]struct {
	stem     func(*snowballstem.Env) bool
	frequent map[string]bool
}{
	{english.Stem, set("a an the of and to in is that it for was on are with as his they at be this have from or had by but not what all were we when your can an each which their if will how about out many then them these so some her would into has more than who its our you my do no just get out over")},
	{german.Stem, set("der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man wir ihr unser unsere euch ich kein keine")},
	{french.Stem, set("de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son sa ses mais comme ou si leur nous vous elle cette ces tout aux été notre votre nos vos être ont on car")},
	{spanish.Stem, set("de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos nuestro nuestra es son está tu")},
	{italian.Stem, set("di che e la il un a per in una sono mi ho non ma ti lo le si cosa con se io come da ci no questo qui hai del bene tu solo me mio della gli dei delle nella nel alla è anche più nostro nostra i al")},
	{portuguese.Stem, set("de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre nosso nossa você")},
	{dutch.Stem, set("de het een en van ik te dat die in je is niet op aan met voor zijn was er maar om hem dan zou of wat mijn men dit zo door over ze zich bij ook tot naar uit onze ons wij jullie geen worden kunnen als")},
	{swedish.Stem, set("och att det i en som på är av för med till den har de inte om ett han men var jag sig från vi så kan när år säger hon under också efter eller nu sin där vid mot ska skulle kommer ut får finns vår våra du")},
	{norwegian.Stem, set("og i det på som er en til å han av for med at var de ikke den har jeg om et men så seg hun hadde fra vi du kan da ble ut skal vil ham etter over ved også bare eller sa nå dette noe være meg mot opp der vår våre")},
	{danish.Stem, set("og i det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være vores jeg")},
	{finnish.Stem, set("ja on ei se että oli hän mutta ovat kun niin kuin myös joka tai sen jos mitä olen ole vain minä ne tämä nyt sitä ollut voi sekä mukaan jo mitään kuitenkin meidän teidän")},
	{hungarian.Stem, set("a az és hogy nem is ez egy meg csak de van el volt már még mint ha vagy azt ezt le ki ami nagyon sem minden lesz kell most majd mi te ő én pedig itt után a mi")},
	{turkish.Stem, set("ve bir bu da de için ile çok ne o ben mi daha gibi var ama kadar olarak sonra en olan değil ki her şey biz siz bizim sizin ya veya hiç diye")},
	{romanian.Stem, set("și în de la a cu că pe nu un o să din este care mai se sunt pentru au prin dar ca lui sau după fi fost al ale ai noastră noștri nostru iar")},
	{irish.Stem, set("an na agus ar go i a is tá sé le do bhí ní sí ag ach mar seo sin chun ó den faoi féin siad bhfuil raibh")},
}

const englishIndex language = 0

// frequentIn are the languages of which a word is a frequent one.
var frequentIn = func() map[string][]language {
	in := map[string][]language{}
	for i := range latin {
		for w := range latin[i].frequent {
			in[w] = append(in[w], language(i))
		}
	}
	return in
}()

func set(list string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(list) {
		words[w] = true
	}
	return words
}

// likely is a language that a text may be in. If it is only guessed, stems must
// be long to count.
type likely struct {
	language language
	guessed  bool
}

// languages returns those that a text may be in: the ones with the most
// frequent words in it, or at least half as many, since languages share some. A
// language with a single such word is only guessed, and so is any if there is
// none. Every text may be English.
func (t words) languages() []likely {
	const enough = 2
	hits := t.frequent()
	best := slices.Max(hits[:])
	var found []likely
	for i, n := range hits {
		isEnglish := language(i) == englishIndex
		switch {
		case n >= enough && 2*n >= best, best < enough && isEnglish:
			found = append(found, likely{language: language(i)})
		case best == 0, n > 0 && 2*n >= best, isEnglish:
			found = append(found, likely{language: language(i), guessed: true})
		}
	}
	return found
}

// frequent counts the different words that are frequent in each language.
func (t words) frequent() (hits [len(latin)]int) {
	seen := map[string]bool{}
	for _, w := range t.words {
		if seen[w.text] {
			continue
		}
		seen[w.text] = true
		for _, i := range frequentIn[w.text] {
			hits[i]++
		}
	}
	return hits
}

// stemmer computes the keys of words in a language in Latin letters; words in
// other letters are stemmed by their script.
type stemmer struct {
	likely
	env  *snowballstem.Env
	keys map[string]string
}

func newStemmer(l likely) *stemmer {
	return &stemmer{likely: l, env: snowballstem.NewEnv(""), keys: map[string]string{}}
}

// longest is the length, in bytes, of the longest word that is stemmed.
const longest = 100

// key returns the stem of a word, or the word itself if it has none.
func (s *stemmer) key(w word) string {
	text := w.plain()
	if text == "" || len(w.text) > longest {
		return text
	}
	k, ok := s.keys[w.text]
	if !ok {
		k = s.stem(w.text)
		s.keys[w.text] = k
	}
	return k
}

func (s *stemmer) stem(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	if !unicode.Is(unicode.Latin, r) {
		return stemOther(s.env, r, text)
	}
	if latin[s.language].frequent[text] {
		return "=" + text // it isn't meant by other forms of a topic
	}
	if s.language == englishIndex {
		if own, ok := apart[text]; ok {
			return own
		}
	}
	const leastGuessed = 5
	s.env.SetCurrent(text)
	latin[s.language].stem(s.env)
	stem := s.env.Current()
	if stem == "" || s.guessed && utf8.RuneCountInString(stem) < leastGuessed {
		return dotted(text)
	}
	return dotted(stem)
}

package fullstop

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// A bar is where a full stop may end a sentence, or not.
func TestGoesOn(t *testing.T) {
	for goesOn, texts := range map[bool][]string{
		true: {
			"Our beekeeper is Prof.|Mills", "We sell approx.|Two", "Herr Dr.|Müller", "z.|B.", "z. B.|Kuchen", "ca.|Zwanzig", "Kirchstr.|Die", "In der Hauptstr.|B", "dhr.|De Vries",
			"przy ul.|Floriańskiej", "na ул.|Ленина", "на ул.|Ленина", "проф.|Иванов", "12 av.|Foch", "l'av.|Foch", "l’av.|Foch", "prof.|García", "sra.|Lopes", "doç.|Yılmaz", "DOÇ.|YILMAZ",
			"dem 3.|Oktober", "den 17.|Mai", "am 100.|Tag", "Feb.|10", "feb.|10", "U.S.|Senate", "D.C.|Monday", "9 a.m.|Monday", "Hr.|Maier", "dott.|Rossi", "Srta.|Gil",
			"Mlle.|Durand", "Gen.|Grant", "Rev.|Green", "Inc.|Berlin", "Louis XIV.|War", "Pius IX.|War", "World War II.|Then", "inkl.|Kuchen", "J.-C.|Mit", "Dipl.-Ing.|Weber",
			"Hptm.|Weber", "Kpt.|Blau", "(Dr.|Weber", "„Dr.|Weber", "No.|5", "Sat.|10", "doc\u0327.|Kaya", "s.p.a.|Roma", "dott.ssa.|Rossi",
		},
		false: {
			"We bake bread.|Our", "since 1999.|We", "It costs 20.|5", "Say no.|We", "Enjoy the sun.|We", "We sell CDs.|Come", "In our DVD.|Then", "Visit acme.com.|We", "5 km.|Then",
			"Wir backen Brot.|Unser", "Мы печём хлеб.|Наш", "wait...|Then", "What?|We", "a word|We", "-.|We", ".|We", strings.Repeat("x", 300) + ".|We",
		},
	} {
		for _, text := range texts {
			before, after, _ := strings.Cut(text, "|")
			fields := strings.Fields(before)
			next, _ := utf8.DecodeRuneInString(after)
			if got := GoesOn(fields[len(fields)-1], next); got != goesOn {
				t.Errorf("%q: got %t", text, got)
			}
		}
	}
}

// The case of letters and how their marks are composed make no difference to a word of the
// list.
func TestListed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []string
		for w := range always {
			all = append(all, w)
		}
		w := rapid.SampledFrom(all).Draw(t, "word")
		if norm.NFC.String(strings.ToLower(w)) != w || strings.HasSuffix(w, ".") || utf8.RuneCountInString(w) >= Longest {
			t.Fatalf("%q is never found", w)
		}
		for _, form := range []string{w, norm.NFD.String(w), strings.ToUpper(w)} {
			if norm.NFC.String(strings.ToLower(form)) == w && !GoesOn(form+".", 'A') {
				t.Fatalf("%q isn't found", form)
			}
		}
	})
}

package builtin

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// No half of a sentence is posted, whatever a full stop in it abbreviates.
func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"Our beekeeper is Prof. Mills. We sell approx. Two hundred jars.": {"Our beekeeper is Prof. Mills.", "We sell approx. Two hundred jars."},
		"Unser Imker ist Prof. Müller. Wir sind in der Kirchstr. Komm!":   {"Unser Imker ist Prof. Müller.", "Wir sind in der Kirchstr. Komm!"},
		"Vandaag spreekt dhr. De Vries. We bakken brood.":                 {"Vandaag spreekt dhr. De Vries.", "We bakken brood."},
		"Jesteśmy przy ul. Długiej w centrum. Pieczemy chleb.":            {"Jesteśmy przy ul. Długiej w centrum.", "Pieczemy chleb."},
		"Лекцию читает проф. Иванов. Мы печём хлеб.":                      {"Лекцию читает проф. Иванов.", "Мы печём хлеб."},
		"Nous sommes au 12 av. Foch. Chacun répare le sien.":              {"Nous sommes au 12 av. Foch.", "Chacun répare le sien."},
		"Enseña la prof. García. Abrimos hoy.":                            {"Enseña la prof. García.", "Abrimos hoy."},
		"Quem cozinha é a sra. Lopes. Abrimos hoje.":                      {"Quem cozinha é a sra. Lopes.", "Abrimos hoje."},
		"Konuşmacı doç. Yılmaz bugün burada. Ekmek yaparız.":              {"Konuşmacı doç. Yılmaz bugün burada.", "Ekmek yaparız."},
		"Insegna il prof. Rossi. Siamo aperti.":                           {"Insegna il prof. Rossi.", "Siamo aperti."},
		"We know Obmstr. Mills well. We bake.":                            {"We know Obmstr. Mills well.", "We bake."},
		"Ask for Xylo. Mills.\nWe bake bread.":                            {"Ask for Xylo. Mills.", "We bake bread."},
		"Welcome! We bake bread. Come by.":                                {"Welcome! We bake bread.", "Come by."},
		"今天开门。 欢迎。":                                                       {"今天开门。", "欢迎。"},
		" \n ":                                                            nil,
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q has the sentences %q, want %q", text, got, want)
		}
	}
}

// All words of a text are in its sentences, in their order.
func TestSentencesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("abÄЖ京3 .!?。\n„”"))).Draw(t, "text")
		if got := strings.Join(sentences(text), ""); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(text), "") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

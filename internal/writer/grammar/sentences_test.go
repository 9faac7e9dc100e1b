package grammar

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"missiond/mission"
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
	if got := plainFacts("- Brot\n- Kuchen\n- Wir backen selbst."); !slices.Equal(got, []string{"Wir backen selbst."}) {
		t.Errorf("got the facts %q", got)
	}
	if got := firstSentence("Get help for Prof. Smith today. We need it"); got != "Get help for Prof. Smith today." {
		t.Errorf("the first sentence is %q", got)
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

// A post has whole sentences of the description, in any language.
func TestPlainPostsAreWhole(t *testing.T) {
	m := plainMission{"Unser Imker ist Prof. Müller. Der Honig kommt aus der Kirchstr. Er wird von Hand geschleudert.", []string{"Stellt den neuen Honig vor"}, mission.Brand{}}
	posts, _ := m.written(9, mission.Mastodon)
	for _, d := range posts {
		for line := range strings.SplitSeq(d.Text, "\n\n") {
			if strings.HasSuffix(line, "Prof.") || strings.HasSuffix(line, "Kirchstr.") || strings.HasPrefix(line, "Müller") || strings.HasPrefix(line, "Er wird") {
				t.Errorf("a post has %q", line)
			}
		}
	}
}

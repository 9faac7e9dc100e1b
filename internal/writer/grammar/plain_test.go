package grammar

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// plainMission is a mission in another language than English.
type plainMission struct {
	description string
	objectives  []string
	brand       mission.Brand
}

var plainMissions = map[string]plainMission{
	"German": {
		"Wir rösten Kaffee in Leipzig. Zielgruppe: Familien. Jeden Samstag öffnen wir die Rösterei, z. B. für Dr. Weiß und ca. 20 Gäste. Der Kuchen kommt von nebenan!",
		[]string{"Stellt die neue Röstung vor", "Mehr Gäste am Sonntag"}, mission.Brand{Name: "Sommer", Website: "https://sommer.example"},
	},
	"Spanish": {
		"Somos una librería de barrio. Abrimos todos los días. ¿Buscas un regalo? Te ayudamos.",
		[]string{"Vender más libros", "Invitar a la lectura del viernes"}, mission.Brand{Name: "La Página"},
	},
	"French": {
		"- Nous réparons des vélos.\n- L'atelier est ouvert le samedi.\n- Chacun répare le sien.",
		[]string{"Faire connaître notre atelier"}, mission.Brand{},
	},
	"Japanese": {
		"京都で豆腐を作っています。毎朝六時に開店します！「手作り」が自慢です。水は井戸から汲みます。",
		[]string{"豆腐の魅力を伝える", "朝市のお知らせ"}, mission.Brand{Name: "山田豆腐店"},
	},
}

// mark matches a number that a line of its own words doesn't have.
var mark = regexp.MustCompile(`(?m)^\s*[#(]?\d+\s*[·.:)/-]`)

// written are n posts of a mission, on platforms in turn, and the failure of the first
// that isn't written.
func (m plainMission) written(n int, platforms ...mission.Platform) (posts []mission.Draft, failed error) {
	opened, said := mission.TextSet{}, map[mission.Platform]mission.TextSet{}
	for i := range n {
		p := platforms[i%len(platforms)]
		if said[p] == nil {
			said[p] = mission.TextSet{}
		}
		caps, _ := mission.CapabilitiesOf(p)
		a := mission.Assignment{
			Brief: mission.Brief{MissionName: "Kampagne 7", Description: m.description, Objectives: m.objectives, Brand: m.brand},
			Slot: mission.Slot{
				Platform: p, Format: caps.Formats[i%len(caps.Formats)], Angle: mission.AllAngles()[i%6], Objective: m.objectives[i%len(m.objectives)],
			},
			Revision: 1, Seed: 99 + uint64(i)<<16, UsedOpenings: opened, UsedTexts: said[p], LatestTexts: said[p],
		}
		d, err := New().Write(context.Background(), a)
		if err != nil {
			return posts, err
		}
		opened.Add(mission.Opening(d.Text))
		said[p].Add(d.Text)
		posts = append(posts, d)
	}
	return posts, nil
}

// lines are the lines that a post of the mission may have.
func (m plainMission) lines() []string {
	lines := slices.Clone(m.objectives)
	foot := strings.Trim(m.brand.Name+" · "+m.brand.Website, " ·")
	return append(append(lines, plainFacts(m.description)...), foot)
}

// Posts of a mission that isn't English have its words, and nothing else; all are
// different, and none has a number that its words don't have.
func TestPlainPosts(t *testing.T) {
	for language, m := range plainMissions {
		const posts = 30
		got, err := m.written(posts, mission.Mastodon, mission.LinkedIn)
		if err != nil {
			t.Errorf("%s: post %d: %v", language, len(got)+1, err)
		}
		seen := map[mission.Platform]mission.TextSet{}
		for i, d := range got {
			p := []mission.Platform{mission.Mastodon, mission.LinkedIn}[i%2]
			if seen[p] == nil {
				seen[p] = mission.TextSet{}
			}
			if seen[p].Has(d.Text) {
				t.Errorf("%s: post %d says again %q", language, i+1, d.Text)
			}
			seen[p].Add(d.Text)
			for line := range strings.SplitSeq(d.Text, "\n\n") {
				if !slices.Contains(m.lines(), line) {
					t.Errorf("%s: post %d has %q, which the mission doesn't say", language, i+1, line)
				}
			}
			if mark.MatchString(d.Text) {
				t.Errorf("%s: post %d has a number: %q", language, i+1, d.Text)
			}
		}
	}
}

// As many posts as there are sentences open differently.
func TestPlainPostsOpenDifferently(t *testing.T) {
	for language, m := range plainMissions {
		begin := map[string]bool{}
		sentences := len(m.lines()) - 1
		got, err := m.written(sentences, mission.Mastodon)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range got {
			begin[mission.Opening(d.Text)] = true
		}
		if len(begin) != sentences {
			t.Errorf("%s: %d posts of %d sentences open in %d ways", language, len(got), sentences, len(begin))
		}
	}
}

// When the words are used up the writer says so, and neither repeats nor numbers them.
func TestPlainWordsAreUsedUp(t *testing.T) {
	m := plainMission{"", []string{"Nachhaltigkeit fördern"}, mission.Brand{Name: "Grün"}}
	got, err := m.written(2, mission.Twitter)
	var failed *mission.WritingError
	if len(got) != 1 || !errors.As(err, &failed) || failed.Failure.Code != mission.CodeWriterUsedUp {
		t.Errorf("got %d posts, %v", len(got), err)
	}
	m.objectives = append(m.objectives, "Mehr Gäste am Sonntag")
	if got, err = m.written(9, mission.Twitter); len(got) != 4 || !errors.As(err, &failed) {
		t.Errorf("of two objectives got %d posts, %v", len(got), err)
	}
}

func TestPlainFacts(t *testing.T) {
	for description, want := range map[string][]string{
		plainMissions["German"].description: {
			"Wir rösten Kaffee in Leipzig.", "Jeden Samstag öffnen wir die Rösterei, z. B. für Dr. Weiß und ca. 20 Gäste.", "Der Kuchen kommt von nebenan!",
		},
		plainMissions["Japanese"].description: {"京都で豆腐を作っています。", "毎朝六時に開店します！", "「手作り」が自慢です。", "水は井戸から汲みます。"},
		plainMissions["French"].description:   {"Nous réparons des vélos.", "L'atelier est ouvert le samedi.", "Chacun répare le sien."},
		"Am 1. Mai öffnen wir. Bis bald.":     {"Am 1. Mai öffnen wir.", "Bis bald."},
		"ターゲット：家族。駅から五分です。":                   {"駅から五分です。"},
		"": nil,
	} {
		if got := plainFacts(description); !slices.Equal(got, want) {
			t.Errorf("%q has the sentences %q, want %q", description, got, want)
		}
	}
}

// Whatever a mission says in another script, its posts are different, within the limits,
// and of its lines.
func TestPlainProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("абвгдежзиклмн京都豆腐水朝")), 2, 12, -1)
		line := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 1, 12).Draw(t, "words"), " ") })
		m := plainMission{brand: mission.Brand{Name: word.Draw(t, "brand")}}
		m.objectives = rapid.SliceOfNDistinct(line, 1, 4, rapid.ID[string]).Draw(t, "objectives")
		for _, s := range rapid.SliceOfN(line, 0, 6).Draw(t, "description") {
			m.description += s + "。"
		}
		p := rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform")
		caps, _ := mission.CapabilitiesOf(p)
		posts, err := m.written(25, p)
		var failed *mission.WritingError
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		if len(posts) == 0 {
			t.Fatalf("there are no posts: %v", err)
		}
		said := mission.TextSet{}
		for _, d := range posts {
			if said.Has(d.Text) || mark.MatchString(d.Text) {
				t.Fatalf("a post is %q", d.Text)
			}
			said.Add(d.Text)
			if err := textlimit.Check(caps, d); err != nil {
				t.Fatal(err)
			}
			for text := range strings.SplitSeq(d.Text, "\n\n") {
				if !slices.Contains(m.lines(), text) && !strings.HasSuffix(text, "…") {
					t.Fatalf("a post has %q", text)
				}
			}
		}
	})
}

func TestArrangements(t *testing.T) {
	for n := range 6 {
		for length := 1; length <= 3; length++ {
			seen := map[string]bool{}
			for a := range arrangements(n, length) {
				seen[fmt.Sprint(a)] = true
			}
			want := 1
			for i := range length {
				want *= max(n-i, 0)
			}
			if len(seen) != want {
				t.Errorf("of %d there are %d of %d, want %d", n, len(seen), length, want)
			}
		}
	}
}

// Sentences end at a full stop of their script.
func TestOpeningsOfScripts(t *testing.T) {
	for text, want := range map[string]string{"毎朝開店します！水は井戸から。": "毎朝開店します！", "नमस्ते": "नमस्ते", "One. Two.": "One."} {
		if got := mission.Opening(text); got != want || utf8.RuneCountInString(got) == 0 {
			t.Errorf("%q opens with %q", text, got)
		}
	}
}

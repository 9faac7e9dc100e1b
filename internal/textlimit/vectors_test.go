package textlimit

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"missiond/internal/links"
	"missiond/mission"
)

var update = flag.Bool("update", false, "write what the console takes from the service into the tree")

// vectorsFile has texts with what platforms make of them, by the platforms' own
// references. The console's tests read the same file.
const vectorsFile = "../../web/console/src/text/vectors.json"

// group are vectors of one source.
type group struct {
	Source     string   `json:"source"`
	Platform   string   `json:"platform"`
	Unit       string   `json:"unit"`
	LinkLength int      `json:"linkLength"`
	Cases      []vector `json:"cases"`
}

// vector is a text with its length, its links as they are written, and the names of its
// mentions and tags; null for what the source doesn't say.
type vector struct {
	Text     string   `json:"text"`
	Length   *int     `json:"length"`
	Links    []string `json:"links"`
	Mentions []string `json:"mentions"`
	Tags     []string `json:"tags"`
}

// units are the names of the schema's LengthUnit.
var units = map[mission.LengthUnit]string{
	mission.UnitCharacters: "CHARACTERS", mission.UnitWeighted: "WEIGHTED", mission.UnitGraphemes: "GRAPHEMES",
	mission.UnitMastodon: "MASTODON", mission.UnitEscaped: "ESCAPED",
}

var names = map[string]mission.Platform{
	"TWITTER": mission.Twitter, "LINKEDIN": mission.LinkedIn, "FACEBOOK": mission.Facebook, "MASTODON": mission.Mastodon, "BLUESKY": mission.Bluesky,
}

func TestVectors(t *testing.T) {
	encoded, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var groups []group
	if err := json.Unmarshal(encoded, &groups); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range groups {
		c := caps(names[g.Platform])
		if g.Source == "" || units[c.Unit] != g.Unit || c.LinkLength != g.LinkLength {
			t.Errorf("%s of %q: the unit is %s, a link counts %d", g.Platform, g.Source, units[c.Unit], c.LinkLength)
		}
		for _, v := range g.Cases {
			n++
			if got := Length(c, v.Text); v.Length != nil && got != *v.Length {
				t.Errorf("%s: %q has the length %d, want %d (%s)", c.Platform, v.Text, got, *v.Length, g.Source)
			}
			got := read(c.Platform, v.Text)
			for _, list := range []struct {
				of        string
				got, want []string
			}{{"links", got.Links, v.Links}, {"mentions", got.Mentions, v.Mentions}, {"tags", got.Tags, v.Tags}} {
				if list.want != nil && !slices.Equal(list.got, list.want) {
					t.Errorf("%s: %q has the %s %q, want %q (%s)", c.Platform, v.Text, list.of, list.got, list.want, g.Source)
				}
			}
		}
	}
	if n < 300 {
		t.Errorf("there are only %d vectors", n)
	}
}

// read returns what a platform makes of a text.
func read(p mission.Platform, text string) vector {
	v := vector{Links: []string{}, Mentions: []string{}, Tags: []string{}}
	for _, e := range links.Entities(p, text) {
		switch e.Kind {
		case links.KindLink:
			v.Links = append(v.Links, text[e.Start:e.End])
		case links.KindMention:
			v.Mentions = append(v.Mentions, e.Name)
		case links.KindTag:
			v.Tags = append(v.Tags, e.Name)
		}
	}
	return v
}

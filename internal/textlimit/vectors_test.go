package textlimit

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"missiond/mission"
)

var update = flag.Bool("update", false, "write the lengths that the console is tested with into the tree")

// vectorsFile has lengths for the console's tests: it counts while people write.
const vectorsFile = "../../web/console/src/text/vectors.json"

// vector is a text with its length on a platform.
type vector struct {
	Platform   string `json:"platform"`
	Unit       string `json:"unit"`
	LinkLength int    `json:"linkLength"`
	Text       string `json:"text"`
	Length     int    `json:"length"`
}

// units are the names of the schema's LengthUnit.
var units = map[mission.LengthUnit]string{
	mission.UnitCharacters: "CHARACTERS", mission.UnitWeighted: "WEIGHTED", mission.UnitGraphemes: "GRAPHEMES",
	mission.UnitMastodon: "MASTODON", mission.UnitEscaped: "ESCAPED",
}

var names = map[mission.Platform]string{
	mission.Twitter: "TWITTER", mission.LinkedIn: "LINKEDIN", mission.Facebook: "FACEBOOK", mission.Mastodon: "MASTODON", mission.Bluesky: "BLUESKY",
}

// counted are texts as people write them, with what platforms count in ways of their
// own.
var counted = []string{
	"", "hello", "Two lines\nand a third\n\n", "Zażółć gęślą jaźń", "日本語のテキスト", "안녕하세요", "e\u0301", "مرحبا بالعالم", "नमस्ते",
	"👍", "👍🏽!", "👨‍👩‍👧‍👦 family", "🇩🇪🇫🇷", "1️⃣ first", "☕ and ✅ and ❤️", "“quoted” – yes…", "100 % of 5 €",
	"see https://example.com/a/very/long/path?with=queries&and=more", "see http://a.co", "see http://a.b now", "HTTPS://EXAMPLE.COM/Path",
	"https://example.com.", "https://example.com/a.", "(https://example.com/a_(b))", "https://example.com/?q=1&r=2#top, then", "https://example.com:8080/x y",
	"read example.com/news today", "mail me@example.com", "Node.js and ASP.NET", "v1.2.3 is out", "a.b.c", "end of sentence.Next one", "example.com,example.org;example.net",
	"https://müller.de/straße", "https://sub.domain.example.co.uk/path-with-hyphens_and_underscores/", "http://localhost:3000", "ftp://example.com/file",
	"@someone hello", "@someone@mastodon.social hello", "cc @a@b.example, @c", "#launch #FieldNotes2 #1", "$AAPL up",
	"reserved: [a](b) {c} <d> *e* _f_ ~g~ |h| #i @j \\k", "snake_case_name and 2*3*4",
	"A first line that hooks.\n\nhttps://example.com/launch?utm_source=x&utm_medium=social&utm_campaign=autumn\n\n#launch",
}

// TestVectors keeps the console's vectors equal to what Length returns.
func TestVectors(t *testing.T) {
	var all []vector
	for _, p := range mission.AllPlatforms() {
		if names[p] == "" {
			continue // it counts as another one does
		}
		c := caps(p)
		for _, text := range counted {
			all = append(all, vector{names[p], units[c.Unit], c.LinkLength, text, Length(c, text)})
		}
	}
	want, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(vectorsFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(vectorsFile); err != nil || string(got) != string(want) {
		t.Errorf("%s differs (%v); go test ./internal/textlimit -run TestVectors -update writes it", vectorsFile, err)
	}
}

package textlimit

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"missiond/mission"
)

func caps(p mission.Platform) mission.Capabilities {
	c, _ := mission.CapabilitiesOf(p)
	return c
}

// Lengths as the platforms' documentation has them.
func TestLength(t *testing.T) {
	for _, tt := range []struct {
		platform mission.Platform
		text     string
		want     int
	}{
		{mission.Twitter, "hello", 5},
		{mission.Twitter, "Zażółć gęślą jaźń", 17},
		{mission.Twitter, "日本語", 6},
		{mission.Twitter, "안녕", 4},
		{mission.Twitter, "e\u0301", 1}, // NFC
		{mission.Twitter, "👍", 2},
		{mission.Twitter, "👨‍👩‍👧‍👦", 2}, // a family is one emoji
		{mission.Twitter, "🇩🇪", 2},
		{mission.Twitter, "👍🏽!", 3},
		{mission.Twitter, "“quoted” – yes…", 16}, // the ellipsis counts 2
		{mission.Twitter, "see https://example.com/a/very/long/path?with=queries&and=more", 4 + 23},
		{mission.Twitter, "see http://a.co", 4 + 23},
		{mission.Twitter, "see http://a.b", 14}, // no top-level domain
		{mission.Twitter, "Node.js v1.go listened.Then a@b.example", 39},
		{mission.Twitter, "ASP.NET", 23},
		{mission.Twitter, "see example.com now", 4 + 23 + 4},
		{mission.Twitter, strings.Repeat("a", 280), 280},
		{mission.Mastodon, "see https://example.com/a/very/long/path?with=queries&and=more", 4 + 23},
		{mission.Mastodon, "see example.com", 15},
		{mission.Mastodon, "see https://example.notld/a", 27},
		{mission.Mastodon, "@ann@mastodon.example hi", 7},
		{mission.Mastodon, "👨‍👩‍👧‍👦", 1},
		{mission.Bluesky, "👨‍👩‍👧‍👦é", 2},
		{mission.LinkedIn, "a (b) #c", 11},
		{mission.LinkedIn, "plain", 5},
		{mission.Facebook, "日本", 2},
	} {
		if got := Length(caps(tt.platform), tt.text); got != tt.want {
			t.Errorf("%s takes %q for %d, want %d", tt.platform, tt.text, got, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	family := "👨‍👩‍👧‍👦" // one grapheme, 25 bytes
	for name, tt := range map[string]struct {
		platform mission.Platform
		draft    mission.Draft
		param    string
	}{
		"just right":            {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("é", 300)}, "none"},
		"too long":              {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("é", 301)}, "text"},
		"too many bytes":        {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat(family, 150)}, "text"},
		"too heavy":             {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("日", 141)}, "text"},
		"a link too many":       {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("a", 257) + " https://a.co"}, "text"},
		"a link that fits":      {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("a", 256) + " https://a.co/" + strings.Repeat("c", 400)}, "none"},
		"escapes":               {mission.LinkedIn, mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("(", 1501)}, "text"},
		"empty":                 {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: " \n"}, "text"},
		"two cashtags":          {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: "$AAPL and $tsla up"}, "text"},
		"one cashtag, a price":  {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: "$AAPL at $1.50, a$b"}, "none"},
		"two cashtags there":    {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: "$AAPL and $TSLA up"}, "none"},
		"an invalid character":  {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: "Hello \ufffe"}, "text"},
		"a byte order mark":     {mission.Twitter, mission.Draft{Format: mission.FormatPost, Text: "\ufeffHello"}, "text"},
		"nothing to see":        {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: "\u2800\u2060"}, "text"},
		"something hidden":      {mission.Bluesky, mission.Draft{Format: mission.FormatThread, Parts: []string{"x", "a\U000e0061b"}}, "parts[1]"},
		"a null character":      {mission.Bluesky, mission.Draft{Format: mission.FormatPost, Text: "a\x00"}, "text"},
		"not taken there":       {mission.Bluesky, mission.Draft{Format: mission.FormatArticle, Text: "x"}, "type"},
		"a thread of one":       {mission.Bluesky, mission.Draft{Format: mission.FormatThread, Parts: []string{"x"}}, "parts"},
		"a thread of seven":     {mission.Bluesky, mission.Draft{Format: mission.FormatThread, Parts: make([]string, 7)}, "parts"},
		"a part too long":       {mission.Bluesky, mission.Draft{Format: mission.FormatThread, Parts: []string{"x", strings.Repeat("é", 301)}}, "parts[1]"},
		"a thread that's right": {mission.Bluesky, mission.Draft{Format: mission.FormatThread, Parts: []string{"x", "y"}}, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Check(caps(tt.platform), tt.draft)
			var m *mission.Error
			if tt.param == "none" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.As(err, &m) || m.Code != mission.CodeInvalidRequest || m.Param != tt.param {
				t.Errorf("got %v, want invalid_request on %s", err, tt.param)
			}
		})
	}
}

func TestSplitAtSentences(t *testing.T) {
	c := mission.Capabilities{MaxLength: 20, Unit: mission.UnitGraphemes}
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"One. Two. Three.", []string{"One. Two. Three."}},
		{"First sentence. And the second one.", []string{"First sentence.", "And the second one."}},
		{"A sentence much too long for a part.", []string{"A sentence much too", "long for a part."}},
		{"Abcdefghijklmnopqrstuvwxyz", []string{"Abcdefghijklmnopqrst", "uvwxyz"}},
		{" ", nil},
		{"Much more than one.\n1. First item", []string{"Much more than one.", "1. First item"}},
		{"More than one.\n\n1. A\n2. B of it", []string{"More than one.\n\n1. A", "2. B of it"}},
		{"We asked for Dr. Smith.", []string{"We asked for", "Dr. Smith."}},
		{"It is of the series No. 5 of ten.", []string{"It is of the series", "No. 5 of ten."}},
		{"Some said so, e.g. Ann and J. Doe.", []string{"Some said so,", "e.g. Ann and J. Doe."}},
		{"あいうえおかきくけこさしすせそたちつて。と", []string{"あいうえおかきくけこさしすせそたちつて。", "と"}},
		{"あいうえおかきくけこさしすせそたちつてと。なに", []string{"あいうえおかきくけこさしすせそたちつて", "と。なに"}},
		{"あいうえおかきくけこさしすせそたちつて「な」に", []string{"あいうえおかきくけこさしすせそたちつて", "「な」に"}},
		{"Abcdefghijklmnopqr (xyz) abc", []string{"Abcdefghijklmnopqr", "(xyz) abc"}},
		{strings.Repeat("。", 25), []string{strings.Repeat("。", 20), strings.Repeat("。", 5)}},
	} {
		got := Split(c, tt.text)
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%q is cut into %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Every part fits, and only white space is lost.
func TestSplitProperties(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := caps(rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform"))
		c.MaxLength = rapid.IntRange(30, 60).Draw(t, "most")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab cd. Ef! 日本語。👍🏽 (x) @y #z\nhttps://x.co/?q")), 0, 400, -1).Draw(t, "text")
		parts := Split(c, text)
		for _, p := range parts {
			if !Fits(c, p) || strings.TrimSpace(p) == "" {
				t.Fatalf("the part %q doesn't fit", p)
			}
		}
		if letters(strings.Join(parts, "")) != letters(text) {
			t.Fatalf("%q became %q", text, parts)
		}
	})
}

// A message says what the platform counts, as people write numbers.
func TestTooLong(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("a", 3100):   "LinkedIn counts 3,100 characters; 3,000 are allowed",
		strings.Repeat("(", 1501):   "LinkedIn counts 3,002 characters; 3,000 are allowed",
		strings.Repeat("a", 30_001): "the text is far too long; LinkedIn allows 3,000 characters",
		strings.Repeat("a", 3000):   "",
	} {
		if got := TooLong(caps(mission.LinkedIn), text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	err := Check(caps(mission.LinkedIn), mission.Draft{Format: mission.FormatPost, Text: strings.Repeat("a", 3100)})
	if err == nil || !strings.HasPrefix(err.Error(), "invalid_request: LinkedIn counts") {
		t.Errorf("got %v", err)
	}
}

func FuzzLength(f *testing.F) {
	f.Add("see https://example.com 👍🏽 日本")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range mission.AllPlatforms() {
			if n := Length(caps(p), text); n < 0 || n > 40*len(text) {
				t.Errorf("%s takes %q for %d", p, text, n)
			}
		}
	})
}

package linkedin

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                                `plain`[:0],
		"plain, with 100% & more!":        `plain, with 100% & more!`,
		`\ | { } @ [ ] ( ) < > # * _ ~`:   `\\ \| \{ \} \@ \[ \] \( \) \< \> \# \* \_ \~`,
		"a #tag, and #another_one.":       `a #tag, and #another_one.`,
		"(#tag)":                          `\(#tag\)`,
		"“#tag” #日本語 #1":                  `“#tag” #日本語 #1`,
		"C# and F#, a#b, ##twice, # one":  `C\# and F\#, a\#b, \#\#twice, \# one`,
		"#tag#tag":                        `#tag\#tag`,
		"{hashtag|#|tag}":                 `\{hashtag\|\#\|tag\}`,
		"@[Eddy](urn:li:person:1)":        `\@\[Eddy\]\(urn:li:person:1\)`,
		"https://example.com/a_b~c#d?e=@": `https://example.com/a_b~c#d?e=\@`,
		"詳しくはhttps://example.com/a_b。次_":   `詳しくはhttps://example.com/a_b。次\_`,
		"(see https://example.com/a_b)":    `\(see https://example.com/a_b\)`,
		"**https://example.com/**":         `\*\*https://example.com/\*\*`,
		"http://[::1]/":                    `http://\[::1\]/`,
		"snake_case and https://":          `snake\_case and https://`,
		"HTTPS://EXAMPLE.COM/A_B":          `HTTPS://EXAMPLE.COM/A\_B`,
		"line\nbreak #tag\n_":              "line\nbreak #tag\n\\_",
		"\xff_":                            "\xff\\_",
		"#\uFE0F\u20E3 tips":               "\\#\uFE0F\u20E3 tips",
		"#\u20E3 #² #_ #1\uFE0F\u20E3 #_a": "\\#\u20E3 \\#² \\#\\_ \\#1\uFE0F\u20E3 \\#\\_a",
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if got := unescape(Escape(text)); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

// unescape reads a commentary whose every backslash escapes.
func unescape(commentary string) string {
	var b strings.Builder
	for i := 0; i < len(commentary); i++ {
		if commentary[i] == '\\' && i+1 < len(commentary) {
			i++
		}
		b.WriteByte(commentary[i])
	}
	return b.String()
}

// checkEscape holds what a commentary must be: it says the text, LinkedIn cuts
// nothing off, and it is no longer than was reckoned with.
func checkEscape(t interface{ Errorf(string, ...any) }, text string) {
	commentary := Escape(text)
	if got := unescape(commentary); got != text {
		t.Errorf("%q is read as %q", text, got)
	}
	if !utf8.ValidString(text) {
		return
	}
	if got := linkedintest.Shown(commentary); got != text {
		t.Errorf("of %q is shown %q", text, got)
	}
	caps, _ := mission.CapabilitiesOf(mission.LinkedIn)
	if got, most := utf8.RuneCountInString(commentary), textlimit.Length(caps, text); got > most {
		t.Errorf("%q takes %d characters, %d were reckoned with", text, got, most)
	}
}

func TestEscapeLosesNothing(t *testing.T) {
	word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"#tag", "#", "https://example.com/a_b", "http://", " ", "(", ")", "_", "\\", "@", "\"", "é", "日", "\uFE0F", "\u20E3", "²", "1",
	}))
	rapid.Check(t, func(t *rapid.T) {
		checkEscape(t, strings.Join(rapid.SliceOf(word).Draw(t, "words"), ""))
	})
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "a (b) #c_d", "https://example.com/_)_", `\#`, "\xff#a", "“#x_"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkEscape(t, text) })
}

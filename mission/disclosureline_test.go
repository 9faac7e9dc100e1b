package mission

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// The line is what a text ends with, and not what it has elsewhere or by chance.
func TestLineAtTheEnd(t *testing.T) {
	for _, tt := range []struct {
		text, line, has string // has is what the text has of the line
	}{
		// As it was set.
		{"We sell tea.\n\nWritten with AI", "Written with AI", "Written with AI"},
		{"We sell tea.\nWritten with AI", "Written with AI", "Written with AI"},
		{"Written with AI", "Written with AI", "Written with AI"},
		{"We sell tea. Written with AI", "Written with AI", "Written with AI"},
		{"お茶です。AIが 書いた", "AIが 書いた", "AIが 書いた"},
		{"Nice!\n\n✨ AI ✨", "✨ AI ✨", "✨ AI ✨"},
		// Otherwise.
		{"We sell tea.\n\nWRITTEN WITH AI", "Written with AI", "WRITTEN WITH AI"},
		{"We sell tea.\n\nWritten\u00a0with\u202fAI.", "Written with AI", "Written\u00a0with\u202fAI."},
		{"We sell tea.\n\n(Written with AI)", "Written with AI", "(Written with AI)"},
		{"We sell tea.\n\n— Written with AI!", "Written with AI", "— Written with AI!"},
		{"We sell tea. Written with AI\u00a0\n", "Written with AI.", "Written with AI"},
		{"Tee.\n\n" + norm.NFD.String("Für Sie verfaßt"), "Für Sie verfaßt", norm.NFD.String("Für Sie verfaßt")},
		{"Tee.\n\nFÜR SIE VERFASST", norm.NFD.String("Für Sie verfaßt"), "FÜR SIE VERFASST"},
		{"Tea.\n\n✨\ufe0f AI ✨\ufe0f", "✨ AI ✨", "✨\ufe0f AI ✨\ufe0f"},
		{"Tea.\n\n🧑\u200d💻", "🧑\u200d💻", "🧑\u200d💻"},
		{"Tea.\n\n***", "***", "***"},
		// Elsewhere, or by chance.
		{"Visit the KIOSK", "KI", ""},
		{"Visit the shop in ZAKI", "KI", ""},
		{"KI is what we sell.", "KI", ""},
		{"We sell what is made with KI", "KI", ""},
		{"We sell tea, inkl. KI", "KI", ""},
		{"Von Hand bzw. mit KI erstellt", "mit KI erstellt", ""},
		{"Nothing here was Written with AI, we promise.", "Written with AI", ""},
		{"Nothing here was Written with AI", "Written with AI", ""},
		{"Not Written with AI", "Written with AI", ""},
		{"We sell tea.\n\nWritten with AI?", "Written with AI", ""},
		{"Written with AI\n\nWe sell tea.", "Written with AI", ""},
		{"We sell tea.\n\nWritten with AI\n\n#tea", "Written with AI", ""},
		{"We sell tea, written\nwith AI", "Written with AI", ""},
		{"The shop runs on ✨ AI ✨", "✨ AI ✨", ""},
		{"Tea.\n\nAI", "✨ AI ✨", ""},
		{"Tea.\n\n#AI", "AI", ""},
		{"Tea.\n\n!", "***", ""},
		{"", "KI", ""},
		{"We sell tea.", "", ""},
	} {
		if got := (Draft{Text: tt.text}).lineOf(tt.line); got != tt.has {
			t.Errorf("%q has %q of %q, want %q", tt.text, got, tt.line, tt.has)
		}
		if got := WithLine(tt.text, tt.line); (got == tt.text) != (tt.has != "" || tt.line == "") {
			t.Errorf("%q with %q is %q", tt.text, tt.line, got)
		}
	}
}

// WithoutLine takes away what WithLine sees, and leaves something.
func TestWithoutLine(t *testing.T) {
	for text, want := range map[string]string{
		"We sell tea.\n\nBy AI": "We sell tea.", "We sell tea.\n\n(BY\u00a0AI.)": "We sell tea.", "Sold. By AI": "Sold.",
		"By AI": "By AI", "By AI: tea": "By AI: tea", "We sell tea made by AI": "We sell tea made by AI", "": "",
	} {
		if got := WithoutLine(text, "By AI"); got != want {
			t.Errorf("%q without the line is %q, want %q", text, got, want)
		}
	}
}

// What the post and its record show of the line is what its text has, whatever was decided.
func TestLineThatIsShown(t *testing.T) {
	for _, tt := range []struct {
		text  string
		parts []string
		want  string
	}{
		{"We sell tea.\n\nKI", nil, "KI"},
		{"Visit the KIOSK.", nil, ""},
		{"KI\n\nVisit us.", []string{"KI", "Visit us."}, ""},
		{"Visit us.\n\nki", []string{"Visit us.", "ki"}, "ki"},
	} {
		c := Content{Text: tt.text, Parts: tt.parts, Disclosed: Disclosed{Line: "KI"}}
		record := c.recordText(c.Current(), nil)
		if got := c.Disclosure().Line; deref(got, "") != tt.want || deref(record.Disclosure.Line, "") != tt.want {
			t.Errorf("%q shows %q, its record %q, want %q", tt.text, deref(got, ""), deref(record.Disclosure.Line, ""), tt.want)
		}
	}
}

// Whatever a text and a line are, the text ends with the line afterwards, once, and is itself without it.
func TestLineIsAdded(t *testing.T) {
	words := rapid.SampledFrom([]string{"KI", "ki", "KIOSK", "AI", "✨", "Für", "verfaßt", "tea.", "bzw.", "So!", "\u00a0", "\n", "\n\n", "(", ")", "#", "—", "。"})
	sentence := rapid.Custom(func(t *rapid.T) string {
		return Tidy(strings.Join(rapid.SliceOfN(words, 1, 9).Draw(t, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "by")))
	})
	forms := rapid.SampledFrom([]func(string) string{
		strings.ToUpper, strings.ToLower, norm.NFD.String, norm.NFKC.String,
		func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }, func(s string) string { return s + "." },
	})
	rapid.Check(t, func(t *rapid.T) {
		text := sentence.Draw(t, "text")
		line := strings.Join(strings.Fields(sentence.Draw(t, "line")), " ")
		if text == "" || !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || r == '✨' }) {
			return
		}
		parts := []string{line, text}
		d := Draft{Text: strings.Join(parts, lineBreak), Parts: parts}.Disclosing(line)
		if d.lineOf(line) == "" || d.Text != strings.Join(d.Parts, lineBreak) || d.Parts[0] != line {
			t.Fatalf("got %q", d.Parts)
		}
		if again := d.Disclosing(forms.Draw(t, "form")(line)); again.Text != d.Text {
			t.Fatalf("added twice: %q", again.Text)
		}
		if had := (Draft{Text: text}).lineOf(line) != ""; !had && d.WithoutLine(line).Text != strings.Join(parts, lineBreak) {
			t.Fatalf("without the line it is %q", d.WithoutLine(line).Text)
		}
	})
}

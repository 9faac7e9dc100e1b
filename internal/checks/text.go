package checks

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"missiond/internal/textlimit"
	"missiond/mission"
)

func (b *Bar) length(s seen) *Finding {
	if words := textlimit.TooLong(b.caps, s.text); words != "" {
		return same("is too long: " + words)
	}
	if !strings.ContainsFunc(s.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return same("has no words")
	}
	return nil
}

// limits checks what else a platform allows of a post as a whole.
func (b *Bar) limits(s subject) *Finding {
	if n := len(s.parts); s.Format == mission.FormatThread && (n < 2 || n > b.caps.MaxParts) {
		return same(fmt.Sprintf("has %d parts; 2 to %d are wanted", n, b.caps.MaxParts))
	}
	var wrong *mission.Error
	if errors.As(textlimit.Check(b.caps, s.Draft), &wrong) && hiddenIn(s.parts) == nil { // that is another rule's
		return &Finding{Part: Whole, Message: wrong.Message, Hint: "breaks the platform's limits"}
	}
	return nil
}

func hiddenIn(parts []seen) *Finding {
	for _, s := range parts {
		if f := hidden(s); f != nil {
			return f
		}
	}
	return nil
}

// leftovers finds what was meant for no reader.
func (b *Bar) leftovers(s seen) *Finding {
	switch {
	case leftover.MatchString(s.text):
		return same("has a placeholder, or a mark of the prompt")
	case markup.MatchString(s.text):
		return same("has markup")
	case b.prompt != "" && leaks(s.text, b.prompt):
		return same("quotes the instructions")
	}
	return nil
}

// leftover matches remnants of a template or a prompt. Brackets alone are fine,
// but not placeholders in them.
var leftover = regexp.MustCompile("(?i)" + strings.Join([]string{
	`\[(?:(?:insert|enter|add|your)\b[^\[\]\n]{0,80}|(?:the |a )?(?:link|url|website|name|company|company name|brand|brand name|product|product name|date|time|place|topic|hashtags?|image|photo|cta|call to action|placeholder))\]`,
	`\{\{[^{}\n]{0,80}\}\}`, `\$\{[^{}\n]{0,80}\}`, `<(?:insert|enter|add|your)\b[^<>\n]{0,80}>`, `\blorem ipsum\b`,
	"```", `<\|[^|\n]{0,80}\|>`, `\breviewer_wishes\b`, `\bexcluded_topics\b`,
}, "|"))

// hidden finds what a reader doesn't see: see mission.FirstHidden. Characters that Unicode hasn't
// assigned, as far as Go knows them, count too, but for those that emoji have to come.
func hidden(s seen) *Finding {
	if strings.ContainsFunc(s.text, control) {
		return same("has control characters")
	}
	if h, found := mission.FirstHidden(s.text); found {
		return same("has " + h.String())
	}
	if strings.ContainsFunc(s.text, unassigned) {
		return same("has a character that Unicode doesn't know")
	}
	return nil
}

func unassigned(r rune) bool { return unicode.Is(unicode.Cn, r) && mission.Emoji(string(r)) == 0 }

// control reports whether a character is a control character, or stands for what was no
// text.
func control(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r == unicode.ReplacementChar
}

// scripts finds words that the material doesn't have and whose letters are of scripts that no language mixes, and so only look like
// others (Unicode Technical Standard 39, section 5.2, "moderately restrictive").
func (b *Bar) scripts(s seen) *Finding {
	for word := range strings.FieldsFuncSeq(s.text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }) {
		if mixed(word) && !strings.Contains(b.material.words, " "+strings.ToLower(word)+" ") {
			return &Finding{Part: Whole, Message: fmt.Sprintf("The word %q has letters of several scripts.", word), Hint: "has a word with letters of several scripts"}
		}
	}
	return nil
}

// alike are scripts with letters that look like Latin ones, which mix with no other.
var alike = map[string]bool{"Cyrillic": true, "Greek": true, "Armenian": true, "Cherokee": true, "Coptic": true, "Lisu": true, "Deseret": true}

// ofEastAsia are the scripts that Chinese, Japanese and Korean words mix.
var ofEastAsia = map[string]bool{"Han": true, "Hiragana": true, "Katakana": true, "Bopomofo": true, "Hangul": true}

// shortest is how many letters a word has at least that is read as a word: of those below, formulas
// consist ("Δt").
const shortest = 4

func mixed(word string) bool {
	found := map[string]bool{}
	letters := 0
	for _, r := range word {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if script := scriptOf(r); script != "" {
			found[script] = true
		}
	}
	delete(found, "Common")
	if len(found) < 2 || letters < shortest {
		return false
	}
	latin, others := found["Latin"], 0
	for script := range found {
		switch {
		case alike[script]:
			return true
		case script != "Latin" && !ofEastAsia[script]:
			others++
		}
	}
	return others > 1 || others == 1 && !latin
}

// scriptOf returns the script of a letter.
func scriptOf(r rune) string {
	if unicode.Is(unicode.Latin, r) {
		return "Latin"
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

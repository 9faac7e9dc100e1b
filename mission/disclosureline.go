package mission

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// lineBreak separates the line of a disclosure from the text.
const lineBreak = "\n\n"

// LineRoom returns the text that a line adds to another; "" for none.
func LineRoom(line string) string {
	if line == "" {
		return ""
	}
	return lineBreak + line
}

// WithLine returns a text that ends with a line, unless it does already.
func WithLine(text, line string) string {
	if _, ok := lineStart(text, line); ok {
		return text
	}
	return text + LineRoom(line)
}

// WithoutLine returns a text without a line at its end. A text that is nothing else stays.
func WithoutLine(text, line string) string {
	at, ok := lineStart(text, line)
	if rest := strings.TrimRightFunc(text[:at], unicode.IsSpace); ok && rest != "" {
		return rest
	}
	return text
}

// Disclosing returns the draft with a line at the end of its text, which is its last part's.
func (d Draft) Disclosing(line string) Draft {
	return d.ending(func(text string) string { return WithLine(text, line) })
}

// WithoutLine returns the draft without a line at the end of its text, which is its last part's.
func (d Draft) WithoutLine(line string) Draft {
	return d.ending(func(text string) string { return WithoutLine(text, line) })
}

// ending returns the draft with another last text: of a thread, that of its last part.
func (d Draft) ending(change func(string) string) Draft {
	n := len(d.Parts)
	if n == 0 {
		d.Text = change(d.Text)
		return d
	}
	last := d.Parts[n-1]
	changed := change(last)
	if changed == last {
		return d
	}
	d.Parts = slices.Clone(d.Parts)
	d.Parts[n-1] = changed
	if others, ok := strings.CutSuffix(d.Text, last); ok {
		d.Text = others + changed
	} else {
		d.Text = strings.Join(d.Parts, lineBreak)
	}
	return d
}

// lineOf returns what the draft's text ends with that is a line, as it is written there; "" for none.
func (d Draft) lineOf(line string) string {
	texts := d.Texts()
	last := texts[len(texts)-1]
	at, ok := lineStart(last, line)
	if !ok {
		return ""
	}
	return strings.TrimSpace(last[at:])
}

// lineStart returns where the line of a disclosure begins that a text ends with; ok is false if it ends
// with none. It alone decides whether a text has a line: that is its last line or, of several words, its
// last sentence, in whatever capitals, Unicode form and white space, with whatever brackets, quotes and full
// stops around it. A line within a word, a sentence or an earlier paragraph isn't one that a reader takes
// for the text's own. In doubt the text doesn't have it: twice is better than never.
func lineStart(text, line string) (at int, ok bool) {
	want := lineFolded(line)
	if want == "" {
		return 0, false
	}
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	begin := 0
	if i := strings.LastIndexAny(text, "\n\r\u2028\u2029"); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		begin = i + size
	}
	most := lineForms*len(line) + lineMargin
	if len(text)-begin <= most && lineFolded(text[begin:]) == want {
		return begin, true
	}
	if !strings.Contains(want, " ") {
		return 0, false
	}
	for i := len(text); i > max(begin, len(text)-most); {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if (unicode.IsSpace(r) || unspacedEnd(r)) && separates(text[begin:i], text[i:]) && lineFolded(text[i:]) == want {
			return i, true
		}
		i -= size
	}
	return 0, false
}

// lineForms is how many times as many bytes a line may have in another form, and lineMargin how many
// bytes may be around it.
const (
	lineForms  = 4
	lineMargin = 256
)

// lineFolded returns a line in the form in which lines are compared: in NFKC and lower case, without
// characters that aren't seen, with single spaces, and without what may be around a line. A line that is
// nothing else keeps that.
func lineFolded(line string) string {
	line = strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, norm.NFKC.String(line))
	line = strings.Join(strings.Fields(sharpS.Replace(norm.NFKC.String(line))), " ")
	if bare := strings.TrimLeftFunc(strings.TrimRightFunc(line, followsLine), precedesLine); bare != "" {
		return bare
	}
	return line
}

// sharpS replaces the letter whose capital is two.
var sharpS = strings.NewReplacer("ß", "ss", "ẞ", "ss")

// quotes are marks that are around a text: quotes, emphasis, bullets.
const quotes = "\"'*_·•"

// precedesLine reports whether a character may stand before a line: white space, opening brackets and
// quotes, dashes, bullets.
func precedesLine(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pd) || strings.ContainsRune(quotes, r)
}

// followsLine reports whether a character may stand behind a line: white space, closing brackets and
// quotes, dashes, and what ends a sentence that isn't a question.
func followsLine(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pd) || strings.ContainsRune(quotes+".!。।", r)
}

// separates reports whether a text ends with the end of a sentence, and perhaps white space, so that next
// is one of its own. A full stop before a small letter may be an abbreviation's.
func separates(text, next string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Ps, unicode.Pi) || strings.ContainsRune(quotes, r)
	})
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(next, precedesLine))
	return last == '…' || unicode.Is(unicode.Sentence_Terminal, last) && (last != '.' || !unicode.IsLower(first))
}

// unspacedEnd reports whether a character ends a sentence that the next one follows without white space.
func unspacedEnd(r rune) bool { return strings.ContainsRune("。！？｡", r) }

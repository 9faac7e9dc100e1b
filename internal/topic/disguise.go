package topic

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// disguised are other readings of a folded text, in which a reader sees words that are
// written to be overlooked.
type disguised struct {
	texts []string
	// runs are the single letters of "g a m b l i n g", written together.
	runs []string
}

// spelled matches letters, and the digits and signs that stand for letters, with the same
// few characters between each.
var spelled = regexp.MustCompile(`(?:^|[^\pL\pN\pM])((?:[\pL\pN@$!|][ \t.*_·|/\-]{1,3}){3,}[\pL\pN@$!|])(?:$|[^\pL\pN\pM])`)

// disguises returns the other readings of a folded text: with letters that stand alone
// written together, and with letters for the digits and signs within words that look like
// them ("g4mbling").
func disguises(folded string) (d disguised) {
	texts := []string{folded}
	joined := spelled.ReplaceAllStringFunc(folded, func(found string) string {
		word := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("@$!", r) {
				return r
			}
			return -1
		}, found)
		if !mostlyLetters(word) {
			return found
		}
		d.runs = append(d.runs, replaced(word, "i"), replaced(word, "l"))
		return " " + word + " "
	})
	if joined != folded {
		texts = append(texts, joined)
		d.texts = append(d.texts, joined)
	}
	for _, text := range texts {
		for _, one := range []string{"i", "l"} {
			if read, changed := unmasked(text, one); changed {
				d.texts = append(d.texts, read)
			}
		}
	}
	return d
}

// mostlyLetters reports whether a word has letters, and more of them than of what may
// stand for letters.
func mostlyLetters(word string) bool {
	letters, others := 0, 0
	for _, r := range word {
		if unicode.IsLetter(r) {
			letters++
		} else {
			others++
		}
	}
	return letters > others
}

// leet are the digits and signs that stand for letters; 1 and | stand for i or l.
var leet = map[rune]string{'0': "o", '3': "e", '4': "a", '5': "s", '7': "t", '8': "b", '9': "g", '@': "a", '$': "s", '!': "i", '1': "", '|': ""}

func replaced(word, one string) string {
	var b strings.Builder
	for _, r := range word {
		switch letter, ok := leet[r]; {
		case ok && letter == "":
			b.WriteString(one)
		case ok:
			b.WriteString(letter)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unmasked returns a text with letters for what stands for them, in words of letters and
// these only: a code with other digits isn't one. changed reports whether there are any.
func unmasked(folded, one string) (text string, changed bool) {
	const least = 4 // characters of a word: shorter ones are codes ("a55", "4x4")
	fields := strings.FieldsFunc(folded, unicode.IsSpace)
	for i, field := range fields {
		word := strings.TrimFunc(strings.ReplaceAll(field, string(seam), ""), func(r rune) bool {
			return (unicode.IsPunct(r) || unicode.IsSymbol(r)) && r != '@' && r != '$'
		})
		if utf8.RuneCountInString(word) < least || !masked(word) {
			continue
		}
		fields[i], changed = replaced(word, one), true
	}
	return strings.Join(fields, " "), changed
}

// masked reports whether a word is of letters and of what stands for some.
func masked(word string) bool {
	letters, masks := 0, 0
	for _, r := range word {
		switch _, ok := leet[r]; {
		case ok:
			masks++
		case unicode.IsLetter(r):
			letters++
		default:
			return false
		}
	}
	const most = 2 // masks for a letter
	return masks > 0 && most*letters >= masks
}

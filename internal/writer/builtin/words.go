package builtin

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

//go:embed words.txt
var wordList string

// lists are the words of words.txt by their headings, in order.
var lists = func() map[string][]string {
	all, heading := map[string][]string{}, ""
	for line := range strings.Lines(wordList) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			heading = strings.Trim(line, "[]")
		case heading == "wishes":
			all[heading] = append(all[heading], line)
		case heading == "months":
			words := strings.Fields(line)
			all["months "+words[0]] = words[1:]
		default:
			all[heading] = append(all[heading], strings.Fields(line)...)
		}
	}
	return all
}()

// listed reports whether a word is in a list, whatever its case and the punctuation around it.
func listed(heading, word string) bool {
	return slices.Contains(lists[heading], strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })))
}

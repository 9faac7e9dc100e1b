package grammar

import (
	_ "embed"
	"strings"
)

var (
	//go:embed phrases.txt
	phrasesText string
	//go:embed words.txt
	wordsText string

	phrases = sections(phrasesText)
	lexicon = sections(wordsText)
)

// sections returns the lines of a text by their "[heading]", without empty ones
// and comments.
func sections(text string) map[string][]string {
	lines, heading := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			heading = strings.Trim(line, "[]")
		default:
			lines[heading] = append(lines[heading], line)
		}
	}
	return lines
}

// listed returns the words of a section of words.txt.
func listed(heading string) set { return words(lexicon[heading]...) }

// classes returns the words of a section whose lines are "class: words", each
// with its class.
func classes[C ~string](heading string) map[string]C {
	all := map[string]C{}
	for _, line := range lexicon[heading] {
		class, list, _ := strings.Cut(line, ":")
		for w := range words(list) {
			all[w] = C(class)
		}
	}
	return all
}

package mission

import "strings"

// comparedWords bounds the words of each of two texts that are compared: the time grows with
// their product.
const comparedWords = 3000

// writerShare returns how much of the latest text of a writer's is left in the post's latest; nil
// if no writer wrote any. texts are in the order of History. The line of a disclosure doesn't count.
func (c Content) writerShare(texts []Revision) *float64 {
	for _, t := range texts {
		if c.author(t, nil).Kind != AuthorPerson {
			latest := texts[0]
			share := Survives(WithoutLine(t.Text, t.Disclosed.Line), WithoutLine(latest.Text, latest.Disclosed.Line))
			return &share
		}
	}
	return nil
}

// Survives returns the share of the words of a text that another has in the same order, 0 to 1: the
// length of their longest common subsequence by the number of the text's words. A text without
// words survives in none. Words are what white space separates; those beyond the first 3000 don't
// count.
func Survives(text, in string) float64 {
	a, b := strings.Fields(text), strings.Fields(in)
	a, b = a[:min(len(a), comparedWords)], b[:min(len(b), comparedWords)]
	if len(a) == 0 {
		return 0
	}
	// common[j] is the length for the words of a so far and the first j of b.
	common := make([]int, len(b)+1)
	for _, word := range a {
		before := 0 // common[j-1] without the word
		for j, other := range b {
			without := common[j+1]
			if word == other {
				common[j+1] = before + 1
			} else {
				common[j+1] = max(without, common[j])
			}
			before = without
		}
	}
	return float64(common[len(b)]) / float64(len(a))
}

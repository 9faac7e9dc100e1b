package topic

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/tamil"
)

// stemOther returns the stem of a word that doesn't begin with a Latin letter.
func stemOther(env *snowballstem.Env, first rune, text string) string {
	var stem func(*snowballstem.Env) bool
	switch {
	case unicode.Is(unicode.Cyrillic, first):
		stem = russian.Stem
	case unicode.Is(unicode.Arabic, first):
		stem = arabic.Stem
	case unicode.Is(unicode.Tamil, first):
		stem = tamil.Stem
	case unicode.Is(unicode.Hangul, first):
		return stemKorean(text)
	default:
		return text
	}
	for _, and := range []string{"و", "ف"} { // "and", in front of the article
		if rest, ok := strings.CutPrefix(text, and); ok && strings.HasPrefix(rest, "ال") {
			text = rest
		}
	}
	env.SetCurrent(text)
	stem(env)
	if env.Current() == "" {
		return text
	}
	return env.Current()
}

// endings are what Korean appends to a noun without a space: particles, the
// copula, and the verb "to do", long ones before those that they end with.
var endings = strings.Fields(
	"에게서 으로서 으로써 하겠습니다 했습니다 합니다 입니다 적으로 적인 하는 하고 하며 하지 했다 하다 한다 이나 이란 이라 이랑 이다 에서 에게 께서 한테 " +
		"으로 로서 로써 까지 부터 마저 조차 처럼 보다 마다 밖에 들 은 는 이 가 을 를 의 에 로 와 과 랑 도 만 뿐 적")

// stemKorean returns a word without its endings. At least two syllables remain,
// since shorter words may end like that themselves.
func stemKorean(text string) string {
	const most, least = 3, 2
	for range most {
		shorter := text
		for _, e := range endings {
			if left, ok := strings.CutSuffix(text, e); ok && utf8.RuneCountInString(left) >= least {
				shorter = left
				break
			}
		}
		if shorter == text {
			return text
		}
		text = shorter
	}
	return text
}

// families are words whose English stem is shared with words of another meaning,
// a line for each meaning: "polite" isn't about politics.
//
//go:embed apart.txt
var families string

// apart maps the words of families to the first of their line, as their stem.
var apart = func() map[string]string {
	words := map[string]string{}
	for line := range strings.Lines(families) {
		family := strings.Fields(line)
		for _, w := range family {
			words[w] = family[0]
		}
	}
	return words
}()

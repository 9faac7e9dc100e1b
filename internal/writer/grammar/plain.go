package grammar

import (
	"fmt"
	"iter"

	"missiond/mission"
)

// mostPlain bounds how many drafts of the tenant's own words are tried: a
// mission has fewer posts.
const mostPlain = 20_000

// plainDrafts are the tenant's own words, with nothing around them that would
// have to be in their language: the objective first, then sentences of the
// description before it, and behind those the objective with a number.
func (v *voice) plainDrafts() iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		for n := range mostPlain {
			begin, next := v.own, ""
			if len(v.facts) > 0 {
				next = v.facts[n%len(v.facts)]
			}
			switch {
			case n == 0:
			case n <= len(v.facts):
				begin, next = v.facts[n-1], v.own
			default:
				begin = fmt.Sprintf("%d · %s", n-len(v.facts)+1, v.own)
			}
			if !yield(attempt{begin, func() mission.Draft { return v.plainDraft(begin, next) }}) {
				return
			}
		}
	}
}

func (v *voice) plainDraft(begin, next string) mission.Draft {
	foot := v.name
	switch {
	case v.site != "" && v.name != "":
		foot += " · " + v.site
	case v.site != "":
		foot = v.site
	}
	format := v.slot.Format
	if format == mission.FormatThread {
		format = mission.FormatPost // there is nothing to fill its parts with
	}
	return mission.Draft{Format: format, Text: v.fit(paragraphs(begin, next, foot), paragraphs(begin, foot), begin)}
}

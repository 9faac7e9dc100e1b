package checks

import (
	"fmt"
	"slices"
	"time"

	"missiond/internal/topic"
	"missiond/mission"
)

// Exclusions are the rules that bind everybody: what no text may have, and the facts that hold. They
// are safe for concurrent use.
type Exclusions struct {
	of             mission.Exclusions
	topics, banned *topic.List
}

// NewExclusions returns exclusions to check texts by.
func NewExclusions(e mission.Exclusions) *Exclusions {
	return &Exclusions{of: e, topics: topic.NewList(e.Topics), banned: topic.NewList(e.BannedWords)}
}

// SameWords reports whether Words returns the same of two exclusions.
func (e *Exclusions) SameWords(o *Exclusions) bool {
	return slices.Equal(e.of.Topics, o.of.Topics) && slices.Equal(e.of.BannedWords, o.of.BannedWords)
}

// Verdict returns the results for a text that goes out at a time, and rests on facts.
func (e *Exclusions) Verdict(text string, facts []mission.CitedFact, at time.Time) mission.Verdict {
	return e.Facts(e.Words(text), facts, at)
}

// Words returns the results of what no text may have.
func (e *Exclusions) Words(text string) mission.Verdict {
	v := mission.Verdict{TopicsChecked: e.topics.Len(), Checks: []mission.Check{
		result(mission.RuleExcludedTopics, nil), result(mission.RuleBannedWords, e.word(text)),
	}}
	if i, name := e.topics.Find(text); i >= 0 {
		v.ExcludedTopic, v.Checks[0] = name, result(mission.RuleExcludedTopics, mentions(i, name))
	}
	return v
}

// Facts returns the results of Words with that of the facts on which the text rests, which goes out at
// a time.
func (e *Exclusions) Facts(words mission.Verdict, facts []mission.CitedFact, at time.Time) mission.Verdict {
	words.Checks = append(slices.Clone(words.Checks), result(mission.RuleFacts, e.fact(facts, at)))
	return words
}

func (e *Exclusions) topic(text string) *Finding {
	i, name := e.topics.Find(text)
	if i < 0 {
		return nil
	}
	return mentions(i, name)
}

func mentions(topic int, name string) *Finding {
	return &Finding{Part: Whole, Message: mission.MentionsTopic(name), Hint: fmt.Sprintf("mentions the excluded topic number %d", topic+1)}
}

func (e *Exclusions) word(text string) *Finding {
	i, name := e.banned.Find(text)
	if i < 0 {
		return nil
	}
	return &Finding{Part: Whole, Message: fmt.Sprintf("The text has the banned word %q.", name), Hint: fmt.Sprintf("has the banned word number %d", i+1)}
}

func (e *Exclusions) fact(cited []mission.CitedFact, at time.Time) *Finding {
	f, ok := e.of.Unheld(cited, at)
	if !ok {
		return nil
	}
	return &Finding{
		Part: Whole, Message: fmt.Sprintf("The text rests on a fact that was removed, or doesn't hold any more when the post goes out: %q.", f.Text),
		Hint: "rests on a fact that doesn't hold any more",
	}
}

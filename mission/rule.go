package mission

import (
	"fmt"
	"slices"
)

// Rule is the name of a rule that the text of a post is checked by.
type Rule string

// The rules.
const (
	RuleLength         Rule = "length"
	RuleLeftovers      Rule = "leftovers" // placeholders, markup, or parts of a prompt
	RuleHidden         Rule = "hidden_characters"
	RuleScripts        Rule = "scripts" // letters of several scripts in a word
	RuleLinks          Rule = "links"
	RuleAccounts       Rule = "accounts" // accounts, cashtags and phone numbers
	RuleMoneyAddresses Rule = "money_addresses"
	RuleExcludedTopics Rule = "excluded_topics"
	RuleBannedWords    Rule = "banned_words"
	RuleRequiredWords  Rule = "required_words"
	RuleHashtags       Rule = "hashtags"
	RuleEmoji          Rule = "emoji"
	RuleFacts          Rule = "facts"
	RulePrices         Rule = "prices"
	RulePromises       Rule = "promises"
	RuleLikeness       Rule = "likeness"
)

// AllRules lists the rules, in the order in which their results are.
func AllRules() []Rule {
	return []Rule{
		RuleLength, RuleLeftovers, RuleHidden, RuleScripts, RuleLinks, RuleAccounts, RuleMoneyAddresses, RuleExcludedTopics,
		RuleBannedWords, RuleRequiredWords, RuleHashtags, RuleEmoji, RuleFacts, RulePrices, RulePromises, RuleLikeness,
	}
}

// Binds reports whether a post that breaks the rule isn't published, whoever wrote it. The other
// rules bind writers; people are only told.
func (r Rule) Binds() bool {
	return r == RuleExcludedTopics || r == RuleBannedWords || r == RuleFacts
}

// Check is the result of a rule for a text.
type Check struct {
	Rule   Rule `json:"rule"`
	Passed bool `json:"passed"`
	// Message is what breaks the rule, for people; nil if the text keeps it.
	Message *string `json:"message,omitempty"`
	// Part is the index of the part of a thread that breaks it first; nil for others, and if it is the whole.
	Part *int `json:"part,omitempty"`
}

// ShownCheck is a Check as callers see it.
type ShownCheck struct {
	Rule    Rule    `json:"rule" doc:"The rule" example:"prices"`
	Passed  bool    `json:"passed" doc:"Whether the text keeps it" example:"false"`
	Message *string `json:"message" doc:"What breaks it, for people; null if nothing does" example:"49 EUR stands in no fact that the text rests on, and nowhere in the mission."`
	Part    *int    `json:"part" doc:"The index of the part of a thread that breaks it first, from 0; null for other posts, and if the whole breaks it" example:"0"`
}

// Shown returns the results as callers see them.
func (v Verdict) Shown() []ShownCheck {
	shown := make([]ShownCheck, len(v.Checks))
	for i, c := range v.Checks {
		shown[i] = ShownCheck(c)
	}
	return shown
}

// Verdict is the result of the checks of a post's text, which are none for one that was checked
// before rules had names.
type Verdict struct {
	// ExcludedTopic is the first excluded topic that the text mentions, of the
	// TopicsChecked; "" for none.
	ExcludedTopic string  `json:"excluded_topic"`
	TopicsChecked int     `json:"topics_checked"`
	Checks        []Check `json:"checks,omitempty"`
}

// Passed reports whether the text breaks no rule that binds everybody.
func (v Verdict) Passed() bool {
	return v.ExcludedTopic == "" && !slices.ContainsFunc(v.Checks, func(c Check) bool { return !c.Passed && c.Rule.Binds() })
}

// Broken returns the first result of a rule that the text breaks; ok is false if there is none.
func (v Verdict) Broken() (c Check, ok bool) {
	for _, c := range v.Checks {
		if !c.Passed {
			return c, true
		}
	}
	return Check{}, false
}

// Equal reports whether two verdicts are the same.
func (v Verdict) Equal(o Verdict) bool {
	return v.ExcludedTopic == o.ExcludedTopic && v.TopicsChecked == o.TopicsChecked && slices.EqualFunc(v.Checks, o.Checks, func(a, b Check) bool {
		return a.Rule == b.Rule && a.Passed == b.Passed && deref(a.Message, "") == deref(b.Message, "") && deref(a.Part, -1) == deref(b.Part, -1)
	})
}

// With returns the verdict with the results of a later one in place of its own. That one may
// have checked some of the rules only.
func (v Verdict) With(later Verdict) Verdict {
	var checks []Check
	for _, r := range AllRules() {
		of := func(c Check) bool { return c.Rule == r }
		if i := slices.IndexFunc(later.Checks, of); i >= 0 {
			checks = append(checks, later.Checks[i])
		} else if i := slices.IndexFunc(v.Checks, of); i >= 0 {
			checks = append(checks, v.Checks[i])
		}
	}
	return Verdict{ExcludedTopic: later.ExcludedTopic, TopicsChecked: later.TopicsChecked, Checks: checks}
}

// Codes of posts that break a rule that binds everybody.
const (
	CodeExcludedTopic = "excluded_topic"
	CodeBannedWord    = "banned_word"
	CodeFactExpired   = "fact_expired"
)

// codesOfRules are the codes of posts that break a rule that binds everybody.
var codesOfRules = map[Rule]string{RuleExcludedTopics: CodeExcludedTopic, RuleBannedWords: CodeBannedWord, RuleFacts: CodeFactExpired}

// Failure returns why the verdict rejects a text, in words for the tenant.
func (v Verdict) Failure() Failure {
	for _, c := range v.Checks {
		if !c.Passed && c.Rule.Binds() {
			return Failure{Code: codesOfRules[c.Rule], Message: deref(c.Message, "")}
		}
	}
	return Failure{Code: CodeExcludedTopic, Message: MentionsTopic(v.ExcludedTopic)}
}

// amends returns what else than the text can be changed for it to pass.
func (v Verdict) amends() string {
	switch v.Failure().Code {
	case CodeBannedWord:
		return "banned words"
	case CodeFactExpired:
		return "brand's facts"
	default:
		return "excluded topics"
	}
}

// MentionsTopic says that a text mentions an excluded topic.
func MentionsTopic(topic string) string {
	return fmt.Sprintf("The text mentions the excluded topic %q.", topic)
}

// Package checks checks the text of a post by a list of named rules, the same for whoever wrote it:
// what a platform and a brand allow, and what a text must not have that nobody looks for in it. A
// writer's text keeps all of them or is left out; of a person's, those that bind everybody decide
// (mission.Rule.Binds), and the others are shown beside it.
package checks

import (
	"strings"
	"time"

	"missiond/internal/links"
	"missiond/mission"
)

// Finding is what breaks a rule.
type Finding struct {
	Rule mission.Rule
	// Part is the index of the part of a thread that breaks it first; Whole if it isn't one part.
	Part int
	// Message says what breaks it, for people. Hint says so in this package's own words alone, for a
	// model that is to write the text again.
	Message, Hint string
}

// Whole is the part of what the whole text breaks.
const Whole = -1

// Bar is what the text of a post is checked by.
type Bar struct {
	caps       mission.Capabilities
	exclusions *Exclusions
	brand      mission.Brand
	used       mission.TextSet
	like       []shingles
	named      names
	material   material
	home       site
	sources    map[string]bool
	prompt     string
	person     bool
	at         time.Time
}

// New returns the bar of an assignment's text. What the assignment's brief, its facts and a
// reviewer's instructions name may be in it.
func New(a mission.Assignment) *Bar {
	caps, _ := a.Capabilities()
	words := wordsOf(a)
	b := &Bar{
		caps: caps, exclusions: NewExclusions(a.Exclusions()), brand: a.Brief.Brand, used: a.LatestTexts,
		like: latest(a.LatestTexts, a.Replaced), home: homeOf(a.Brief.Brand.Website), sources: map[string]bool{}, at: a.Slot.At,
	}
	facts := a.Holding()
	for _, f := range facts {
		if address := f.Address(); address != "" {
			b.sources[bareAddress(address)] = true
		}
		words = append(words, f.Text)
	}
	b.named, b.material = namesIn(words...), materialOf(words[:len(words)-len(facts)], facts)
	return b
}

// Quoting returns the bar for a text of a model that was given a prompt, which it must not quote.
func (b *Bar) Quoting(prompt string) *Bar {
	of := *b
	of.prompt = prompt
	return &of
}

// ForPerson returns the bar for a text that a person wrote, who cites no facts.
func (b *Bar) ForPerson() *Bar {
	of := *b
	of.person = true
	return &of
}

// Exclusions are those of the bar's rules that bind everybody.
func (b *Bar) Exclusions() *Exclusions { return b.exclusions }

// subject is a text that is checked.
type subject struct {
	mission.Draft

	parts []seen
}

// seen is a part of a text, the hosts that it may lead to, and what is left without links.
type seen struct {
	text  string
	hosts []string
	rest  string
}

// Check returns what breaks a rule in a draft, the first of each rule, in the order of
// mission.AllRules.
func (b *Bar) Check(d mission.Draft) []Finding {
	s := b.read(d)
	var found []Finding
	for _, r := range mission.AllRules() {
		if f := b.breaks(r, s); f != nil {
			f.Rule = r
			found = append(found, *f)
		}
	}
	return found
}

func (b *Bar) read(d mission.Draft) subject {
	s := subject{Draft: d}
	for _, text := range d.Texts() {
		hosts, rest := links.Anywhere(b.withoutSources(b.named.without(text)))
		s.parts = append(s.parts, seen{text, hosts, rest})
	}
	return s
}

// breaks returns what breaks a rule; nil for nothing.
func (b *Bar) breaks(r mission.Rule, s subject) *Finding {
	if whole := b.whole(r); whole != nil {
		return whole(s)
	}
	of := b.partwise(r)
	for i, part := range s.parts {
		if f := of(part); f != nil {
			f.Part = i
			if s.Format != mission.FormatThread {
				f.Part = Whole
			}
			return f
		}
	}
	if r == mission.RuleLength {
		return b.limits(s)
	}
	return nil
}

// whole returns the check of a rule of the whole text; nil if it is one of each part.
func (b *Bar) whole(r mission.Rule) func(s subject) *Finding {
	switch r {
	case mission.RuleExcludedTopics:
		return func(s subject) *Finding { return b.exclusions.topic(s.Text) }
	case mission.RuleBannedWords:
		return func(s subject) *Finding { return b.exclusions.word(s.Text) }
	case mission.RuleFacts:
		return func(s subject) *Finding { return b.exclusions.fact(s.Facts, b.at) }
	case mission.RuleRequiredWords:
		return b.required
	case mission.RuleHashtags:
		return b.hashtags
	case mission.RuleEmoji:
		return b.emoji
	case mission.RulePrices:
		return b.prices
	case mission.RulePromises:
		return b.promises
	case mission.RuleLikeness:
		return b.likeness
	default:
		return nil
	}
}

// partwise returns the check of a rule of each part.
func (b *Bar) partwise(r mission.Rule) func(s seen) *Finding {
	switch r {
	case mission.RuleLength:
		return b.length
	case mission.RuleLeftovers:
		return b.leftovers
	case mission.RuleHidden:
		return hidden
	case mission.RuleScripts:
		return b.scripts
	case mission.RuleLinks:
		return b.links
	case mission.RuleAccounts:
		return func(s seen) *Finding { return same(b.named.account(s.rest)) }
	default:
		return func(s seen) *Finding { return same(b.named.money(s.rest)) }
	}
}

// same returns a finding of words that contain nothing of a text; nil for none.
func same(words string) *Finding {
	if words == "" {
		return nil
	}
	return &Finding{Part: Whole, Message: "It " + words + ".", Hint: words}
}

// Verdict returns the results of all rules for a draft.
func (b *Bar) Verdict(d mission.Draft) mission.Verdict {
	return b.Rest(d).With(b.exclusions.Verdict(d.Text, d.Facts, b.at))
}

// Rest returns the results of the rules that don't bind everybody: the others are Exclusions.
func (b *Bar) Rest(d mission.Draft) (v mission.Verdict) {
	s := b.read(d)
	for _, r := range mission.AllRules() {
		if !r.Binds() {
			v.Checks = append(v.Checks, result(r, b.breaks(r, s)))
		}
	}
	return v
}

// result returns the result of a rule, which a finding breaks unless it is nil.
func result(r mission.Rule, f *Finding) mission.Check {
	if f == nil {
		return mission.Check{Rule: r, Passed: true}
	}
	c := mission.Check{Rule: r, Message: &f.Message}
	if f.Part != Whole {
		c.Part = &f.Part
	}
	return c
}

// wordsOf returns the texts by a tenant and its reviewers that a post is
// written from.
func wordsOf(a mission.Assignment) []string {
	b := a.Brief
	words := []string{b.MissionName, b.Description, a.Slot.Objective, b.Brand.Name, b.Brand.Voice, b.Brand.Audience, b.Brand.Website, a.Instructions}
	if b.Constraints.Tone != nil {
		words = append(words, *b.Constraints.Tone)
	}
	if a.Original != nil { // it was published
		words = append(words, a.Original.FullText())
	}
	if o := a.Slot.Occasion; o != nil {
		words = append(words, o.Name, o.Note)
	}
	words = append(words, strings.Join(b.Brand.RequiredWords, "\n"), strings.Join(b.Brand.Hashtags.Always, "\n"))
	return append(words, b.Objectives...)
}

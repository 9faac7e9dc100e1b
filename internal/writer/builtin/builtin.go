// Package builtin is the built-in writer. It needs no network and no language model: it quotes. A post
// is whole sentences of the brief, and at most one that asks the reader to do something, which is of the
// brief too; or else the website. An objective is the business's own aim: it decides which sentences
// come first, and is said only where the brief has nothing else.
//
//   - A passage is what the brief says in one piece: a sentence, with those behind it that refer to it.
//   - The material of a post is the passages that it may say, each with how often the latest posts have
//     said it: the statements, and the calls.
//   - A choice is the statements of one post. Choices are ranked, and the first that makes a post that
//     keeps all rules is taken. The brief is used up if there is none.
//
// The same assignment gives the same post.
package builtin

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"missiond/internal/checks"
	"missiond/internal/topic"
	"missiond/mission"
)

// Writer writes posts. It is safe for concurrent use.
type Writer struct{}

// New returns a writer.
func New() Writer { return Writer{} }

// Price returns nothing: quoting is free.
func (Writer) Price(mission.Assignment) mission.Micros { return 0 }

// Remark says that a brief isn't in the language that its posts are to be in; nil if it is, or if that
// is in doubt.
func (Writer) Remark(b mission.Brief) *mission.Failure {
	stated, is := b.Constraints.Language, topic.Language(b.Description)
	if stated == nil || is == "" || mission.BaseLanguage(*stated) == is {
		return nil
	}
	return &mission.Failure{Code: mission.CodeWriterLanguage, Message: fmt.Sprintf(
		"The built-in writer quotes the description, whose language seems to be %q and not %q. Write it in the language of the posts, or use a language model.", is, *stated)}
}

// Supply returns how many different posts a brief gives: of each passage one, and of each two; as many
// as you like once those are as many as are kept apart.
func (Writer) Supply(b mission.Brief, facts []mission.Fact) int {
	n := len(said(mission.Assignment{Brief: b, Facts: facts}))
	for _, o := range b.Occasions {
		n += 1 + len(passages(o.Note))
	}
	if posts := n * (n + 1) / 2; posts < mission.KeptApart {
		return posts
	}
	return math.MaxInt
}

// Write drafts a post within its platform's limits, at no cost. Errors: invalid_request if the platform
// or format isn't known, or if the objective itself is an excluded topic; a *mission.WritingError if the
// brief is used up; ctx's error.
func (Writer) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	if err := ctx.Err(); err != nil {
		return mission.Draft{}, err
	}
	caps, ok := a.Capabilities()
	if !ok {
		return mission.Draft{}, mission.CheckPlatform("platform", a.Slot.Platform)
	}
	if !slices.Contains(caps.Formats, a.Slot.Format) {
		return mission.Draft{}, mission.Invalid("type", "%s takes no %s.", a.Slot.Platform.Name(), a.Slot.Format)
	}
	if i, name := topic.NewList(a.Brief.Constraints.ExcludedTopics).Find(a.Slot.Objective); i >= 0 {
		return mission.Draft{}, mission.Invalid("objectives", "Nothing can be written about %q without the excluded topic %q.", a.Slot.Objective, name)
	}
	d, ok := draft(a, caps)
	if !ok {
		return mission.Draft{}, usedUp(a.Slot.Platform)
	}
	d.MediaID, d.Writer = a.PictureFor(d.Text), mission.WrittenBy{Kind: mission.AuthorBuiltIn}
	return d, nil
}

// usedUp is the failure of a post for which the brief has nothing left.
func usedUp(p mission.Platform) error {
	return &mission.WritingError{Failure: mission.Failure{Code: mission.CodeWriterUsedUp, Message: fmt.Sprintf(
		"The brief is used up: its description, its events and the brand's facts have nothing left for %s that the latest posts don't say and that keeps the rules. "+
			"Add sentences to the description, each with its full stop, or facts to the brand, or use a language model.", p.Name())}}
}

// draft returns the best post that keeps all rules, one that ends with a call if there is any; ok is
// false if there is no post.
func draft(a mission.Assignment, caps mission.Capabilities) (d mission.Draft, ok bool) {
	bar, w := checks.New(a), wishesOf(a.Instructions)
	m := newMaterial(a, bar, w)
	always := a.Brief.Brand.Hashtags.Always
	p := post{platform: a.Slot.Platform, caps: caps, format: a.Slot.Format, call: m.call, site: m.site, must: a.Brief.Brand.RequiredWords, always: always, tags: always}
	if !w.noTags {
		p.tags = withBrand(always, a.Brief.Brand, caps.MaxHashtags)
	}
	keeps := func(d mission.Draft) bool {
		_, broken := bar.Verdict(d).Broken()
		_, repeats := a.UsedTexts.Repeats(d)
		return !broken && !repeats
	}
	choices := m.choices(mostOf(a.Slot.Format, w), a.UsedOpenings)
	for _, ending := range []post{p, p.withoutCall()} {
		for _, c := range choices {
			if d, ok = ending.saying(m, c).draft(keeps); ok {
				return d, true
			}
		}
	}
	return d, false
}

func (p post) withoutCall() post {
	p.call, p.site = nil, ""
	return p
}

func (p post) saying(m material, c choice) post {
	p.statements = nil
	for _, i := range c {
		p.statements = append(p.statements, m.statements[i])
	}
	return p
}

// mostOf returns how many statements a post of a format has at most.
func mostOf(f mission.Format, w wishes) int {
	const short, usual, long = 1, 2, 3
	switch {
	case w.shorter:
		return short
	case f == mission.FormatThread || f == mission.FormatArticle:
		return long
	}
	return usual
}

// wishes are what is understood of a reviewer's instructions, whose other words say what the post is
// about.
type wishes struct{ shorter, noTags, noEmoji bool }

func wishesOf(instructions string) wishes {
	text := " " + strings.ToLower(instructions)
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(s string) bool { return strings.Contains(text, s) })
	}
	without := has(" no ", " without ", " ohne ", " kein", " sans ", " pas de ", " sin ")
	return wishes{shorter: has(" short", " kürz", " kurz", " court", " cort"), noTags: without && has("hashtag"), noEmoji: without && has("emoji")}
}

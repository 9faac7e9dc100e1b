// Package grammar is the built-in writer. It needs no network: posts come from
// the objective, the description, the tone and the brand, and from sentences
// that they fit into. An objective is what the tenant wants; where it can be
// turned towards the readers beyond doubt it is, and else it stays as it is, on a
// line of its own. It writes English: what isn't is said in the tenant's own
// words, and nothing is put around them.
//
// The same assignment gives the same post; another seed, angle, platform or
// revision gives another.
package grammar

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
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

// tries is how many drafts are made for one without an excluded topic, and that
// says nothing again.
const tries = 60

// Price is nothing: the grammar is free.
func (Writer) Price(mission.Assignment) mission.Micros { return 0 }

// Remark says which of a brief's objectives are posted as they are, because they
// aren't English as far as the writer can tell; nil where none is.
func (Writer) Remark(b mission.Brief) *mission.Failure {
	var plain []string
	for _, o := range b.Objectives {
		if !english(b, o) {
			plain = append(plain, fmt.Sprintf("%q", shorten(spaced(o), longestPhrase)))
		}
	}
	if len(plain) == 0 {
		return nil
	}
	const most = 3
	named := strings.Join(plain[:min(most, len(plain))], ", ")
	if more := len(plain) - most; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return &mission.Failure{Code: mission.CodeWriterLanguage, Message: fmt.Sprintf(
		"The built-in writer writes English only, and doesn't recognise it in %s: those posts are the mission's own words as they are. A language model can write them.", named)}
}

// Write drafts a post within its platform's limits, at no cost, that opens as no
// other post of the mission does and says nothing again, as long as there is
// anything else to say.
// Errors: invalid_request where the platform or format isn't known, or where
// the objective itself is an excluded topic; a *mission.WritingError where an
// objective that isn't English has no words left that the latest posts don't say;
// ctx's error.
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
	v := newVoice(a, caps)
	if i, name := topic.NewList(a.Brief.Constraints.ExcludedTopics).Find(a.Slot.Objective); i >= 0 {
		return mission.Draft{}, unsayable(a, name)
	}
	var d *mission.Draft
	var name string
	if v.plain {
		d, name = v.plainDraft(a)
	} else {
		d, name = first(v.drafts(a), a)
	}
	switch {
	case d == nil && name == "":
		return mission.Draft{}, usedUp(v.own)
	case d == nil:
		return mission.Draft{}, unsayable(a, name)
	}
	d.MediaID, d.Writer = a.PictureFor(d.Text), mission.WrittenBy{Kind: mission.AuthorBuiltIn}
	return *d, nil
}

// unsayable is the error of an objective of which nothing can be said.
func unsayable(a mission.Assignment, name string) error {
	return mission.Invalid("objectives", "Nothing can be written about %q without the excluded topic %q.", a.Slot.Objective, name)
}

// first is the first of the drafts that may be posted: one that opens as no other post does and
// keeps all rules of posts, else one that keeps them, else one that opens so, else any. It is nil
// where each mentions an excluded topic, whose name it returns.
func first(drafts iter.Seq[attempt], a mission.Assignment) (best *mission.Draft, name string) {
	bar := checks.New(a)
	const fresh, keeps = 1, 2
	class, made := -1, 0
	for d := range drafts {
		opened := a.UsedOpenings.Has(mission.Opening(d.opens))
		if opened && class >= keeps {
			continue
		}
		if made++; made > tries {
			break
		}
		draft := sendable(d.write(), a.Slot.Platform)
		v := bar.Verdict(draft)
		if v.ExcludedTopic != "" {
			name = v.ExcludedTopic
			continue
		}
		is := 0
		_, broken := v.Broken()
		if _, repeats := a.UsedTexts.Repeats(draft); !broken && !repeats {
			is += keeps
		}
		if !opened {
			is += fresh
		}
		if is > class {
			best, class = &draft, is
		}
		if class == fresh+keeps {
			return best, ""
		}
	}
	return best, name
}

// attempt is a draft that can be made.
type attempt struct {
	opens string // the text that it opens with
	write func() mission.Draft
}

// drafts yields the drafts that an assignment can have, in an order of its own.
func (v *voice) drafts(a mission.Assignment) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		n := uint64(0)
		for o := range v.openings(a.Seed + uint64(a.Revision)*17) {
			n++
			if !yield(attempt{o.text, func() mission.Draft { return v.again(source(a, n)).draft(o) }}) {
				return
			}
		}
	}
}

// source is the chance of one variation of an assignment.
func source(a mission.Assignment, try uint64) *rand.Rand {
	h := fnv.New64a()
	for _, part := range []string{
		string(a.Slot.Platform), string(a.Slot.Format), string(a.Slot.Angle), a.Slot.Objective,
		a.Brief.MissionName, a.Instructions,
	} {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	var n [16]byte
	binary.LittleEndian.PutUint64(n[:8], uint64(a.Revision))
	binary.LittleEndian.PutUint64(n[8:], try)
	_, _ = h.Write(n[:])
	return rand.New(rand.NewPCG(a.Seed, h.Sum64()))
}

// mostFacts bounds an article's facts.
const mostFacts = 3

// draft writes a post that begins with an opening.
func (v *voice) draft(o opening) mission.Draft {
	begin := paragraphs(o.text, v.subject.line)
	closing, tags := v.closing()
	d := mission.Draft{Format: v.slot.Format}
	switch {
	case d.Format == mission.FormatThread:
		middle, last := v.afterthought(o.mode)+" "+v.body(o.mode), v.body(o.mode)+" "+closing
		if v.event != "" {
			last = v.event + " " + closing
		}
		d.Parts = []string{v.clip(begin), v.clip(middle), v.fit(paragraphs(last, tags), last, closing)}
		d.Text = strings.Join(d.Parts, "\n\n")
	case v.event != "":
		d.Text = v.fit(paragraphs(begin, v.event, closing, tags), paragraphs(begin, v.event, closing), paragraphs(begin, v.event), begin)
	case v.wish.shorter:
		d.Text = v.fit(paragraphs(begin, closing, tags), paragraphs(begin, closing), begin)
	case d.Format == mission.FormatArticle:
		thoughts, facts := strings.Join([]string{v.afterthought(o.mode), v.afterthought(o.mode)}, " "), strings.Join(v.facts[:min(len(v.facts), mostFacts)], " ")
		d.Text = v.fit(paragraphs(begin, thoughts, facts, closing, tags), paragraphs(begin, closing), begin)
	default:
		long := paragraphs(begin, v.body(o.mode))
		d.Text = v.fit(paragraphs(long, closing, tags), paragraphs(long, closing), paragraphs(begin, closing), begin)
	}
	return d
}

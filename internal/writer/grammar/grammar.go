// Package grammar is the built-in writer. It needs no network: posts come from
// a grammar of sentences, the objective, the tone and the brand. The same
// assignment gives the same post; another seed, angle, platform or revision
// gives another.
package grammar

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// Writer writes posts. It is safe for concurrent use.
type Writer struct{}

// New answers a writer.
func New() Writer { return Writer{} }

// tries is how many variations are tried for one without an excluded topic.
const tries = 40

// Price is nothing: the grammar is free.
func (Writer) Price(mission.Assignment) mission.Micros { return 0 }

// Write drafts a post within its platform's limits, at no cost, that says nothing
// again as long as there is anything else to say.
// Errors: invalid_request where the platform or format isn't known, or where
// the objective itself is an excluded topic; ctx's error.
func (Writer) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	if err := ctx.Err(); err != nil {
		return mission.Draft{}, err
	}
	caps, ok := mission.CapabilitiesOf(a.Slot.Platform)
	if !ok {
		return mission.Draft{}, mission.Invalid("platform", "Unknown platform %q.", a.Slot.Platform)
	}
	if !slices.Contains(caps.Formats, a.Slot.Format) {
		return mission.Draft{}, mission.Invalid("type", "%s takes no %s.", a.Slot.Platform, a.Slot.Format)
	}
	excluded := a.Brief.Constraints.ExcludedTopics
	var spare *mission.Draft // says again what was said, where nothing else is left to say
	for try := range uint64(tries) {
		d := draft(newVoice(a, caps, source(a, try)))
		if _, found := textlimit.Mentions(d.Text, excluded); found {
			continue
		}
		if _, repeats := a.Said.Repeats(d); !repeats {
			return d, nil
		}
		if spare == nil {
			spare = &d
		}
	}
	if spare != nil {
		return *spare, nil
	}
	topic, _ := textlimit.Mentions(draft(newVoice(a, caps, source(a, 0))).Text, excluded)
	return mission.Draft{}, mission.Invalid("objectives", "Nothing can be written about %q without the excluded topic %q.", a.Slot.Objective, topic)
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

// draft writes a post in a voice.
func draft(v *voice) mission.Draft {
	switch v.slot.Format {
	case mission.FormatThread:
		return thread(v)
	case mission.FormatArticle:
		return mission.Draft{Format: v.slot.Format, Text: article(v)}
	default:
		return mission.Draft{Format: v.slot.Format, Text: v.fit(v.hook(), v.bodies(1), v.closing())}
	}
}

// thread opens with the hook, gives two thoughts a part each, and closes with
// another and the call to action.
func thread(v *voice) mission.Draft {
	parts := []string{v.clip(v.hook())}
	for _, b := range v.bodies(min(2, v.caps.MaxParts-2)) {
		parts = append(parts, v.clip(b))
	}
	parts = append(parts, v.fit(v.bodies(1)[0], nil, v.closing()))
	return mission.Draft{Format: mission.FormatThread, Text: strings.Join(parts, "\n\n"), Parts: parts}
}

// article has a title and a paragraph for each thought.
func article(v *voice) string {
	paragraphs := []string{v.title(), v.hook()}
	paragraphs = append(paragraphs, v.bodies(4)...)
	text := strings.Join(append(paragraphs, v.closing()), "\n\n")
	if !textlimit.Fits(v.caps, text) {
		return v.fit(v.hook(), v.bodies(1), v.closing())
	}
	return text
}

package mission

import (
	"fmt"
	"slices"
	"time"
)

// Bounds of evergreen posts, and what holds by default.
const (
	MinCooldownDays = 7
	MaxCooldownDays = 365
	// MaxRepeatShare is the greatest percentage of a cycle's slots that repeat a post.
	MaxRepeatShare = 50

	defaultCooldownDays = 60
	defaultRepeatShare  = 20
)

// Rewriting is when a post that repeats another says it in other words.
type Rewriting string

// When repeats are rewritten.
const (
	// RewriteWhereRefused: on platforms that refuse twins (Capabilities.RefusesTwins).
	RewriteWhereRefused Rewriting = "where_refused"
	RewriteAlways       Rewriting = "always"
)

// AllRewritings lists when repeats are rewritten.
func AllRewritings() []Rewriting { return []Rewriting{RewriteWhereRefused, RewriteAlways} }

// Evergreen is how a mission repeats its best posts.
type Evergreen struct {
	CooldownDays int       `json:"cooldown_days" doc:"How many days pass before a post is repeated, and before it is repeated again" example:"60"`
	Share        int       `json:"share" doc:"How many percent of a cycle's slots repeat a post, at most, on average over the cycles" example:"20"`
	Rewrite      Rewriting `json:"rewrite" doc:"where_refused: a repeat has the words of its post, except on platforms that refuse those; always: the writer says it in other words everywhere" example:"where_refused"`
}

// EvergreenInput is how a caller wants posts to be repeated; nil is the default.
type EvergreenInput struct {
	CooldownDays *int       `json:"cooldown_days,omitempty" nullable:"true" doc:"How many days pass before a post is repeated, and before it is repeated again: 7 to 365; 60 by default" example:"60"`
	Share        *int       `json:"share,omitempty" nullable:"true" doc:"How many percent of a cycle's slots repeat a post, at most, on average over the cycles: 1 to 50; 20 by default" example:"20"`
	Rewrite      *Rewriting `json:"rewrite,omitempty" nullable:"true" doc:"where_refused, the default: a repeat has the words of its post, except on platforms that refuse those; always: the writer says it in other words everywhere" example:"where_refused"`
}

func (in *EvergreenInput) check() (found Problems) {
	if in == nil {
		return nil
	}
	const at = "constraints.evergreen."
	if d := deref(in.CooldownDays, defaultCooldownDays); d < MinCooldownDays || d > MaxCooldownDays {
		found.add(Invalid(at+"cooldown_days", "The cooldown must be between %d and %d days.", MinCooldownDays, MaxCooldownDays))
	}
	if s := deref(in.Share, defaultRepeatShare); s < 1 || s > MaxRepeatShare {
		found.add(Invalid(at+"share", "The share must be between 1 and %d percent.", MaxRepeatShare))
	}
	if in.Rewrite != nil && !slices.Contains(AllRewritings(), *in.Rewrite) {
		found.add(Invalid(at+"rewrite", "Unknown value %q: must be one of %s.", *in.Rewrite, list(AllRewritings())))
	}
	return found
}

// withDefaults returns how posts are repeated; nil if they aren't.
func (in *EvergreenInput) withDefaults() *Evergreen {
	if in == nil {
		return nil
	}
	return &Evergreen{
		CooldownDays: deref(in.CooldownDays, defaultCooldownDays), Share: deref(in.Share, defaultRepeatShare),
		Rewrite: deref(in.Rewrite, RewriteWhereRefused),
	}
}

// asInput returns the input that describes e.
func (e *Evergreen) asInput() *EvergreenInput {
	if e == nil {
		return nil
	}
	return &EvergreenInput{CooldownDays: &e.CooldownDays, Share: &e.Share, Rewrite: &e.Rewrite}
}

// Cooldown is how long it takes until a post is repeated.
func (e Evergreen) Cooldown() time.Duration { return time.Duration(e.CooldownDays) * day }

const whole = 100 // percent

// Repeats returns how many of a cycle's slots repeat a post, at most; cycles are counted from 0.
// Cycles of few slots take turns, a different one of them in each round, so that no destination
// has all of the repeats.
func (e *Evergreen) Repeats(cycle, slots int) int {
	if e == nil || slots <= 0 {
		return 0
	}
	share := slots * e.Share
	round := 1
	for round*share%whole != 0 {
		round++
	}
	turn := (cycle + cycle/round) % round
	return (turn+1)*share/whole - turn*share/whole
}

// Rewrites reports whether a repeat on a platform is in other words than its post.
func (e Evergreen) Rewrites(on Platform) bool {
	caps, _ := CapabilitiesOf(on)
	return e.Rewrite == RewriteAlways || caps.RefusesTwins
}

// Original is a published post of a writer that may be repeated.
type Original struct {
	Content Content
	// Planned is the post's slot in its job's plan, and Language that of the job's brief.
	Planned  Slot
	Language *string
	// Repeated is when it was repeated last, or is to be; nil if it wasn't.
	Repeated *time.Time
}

// Rested reports whether the cooldown of a post is over at an instant that was last said at another;
// nil is never.
func (e Evergreen) Rested(last *time.Time, at time.Time) bool {
	return last == nil || !at.Before(last.Add(e.Cooldown()))
}

// MayRepeat reports whether a post of a mission with the brief may repeat the original at an
// instant, whatever its text says. An original that led up to an event isn't repeated, nor one
// that serves what the mission doesn't want any more, nor one that somebody changed on its platform.
// A first comment can't be sent again where twins are refused.
func (b Brief) MayRepeat(o Original, at time.Time) bool {
	e, c := b.Constraints.Evergreen, o.Content
	return e != nil && c.mayBeOriginal() && e.Rested(c.PublishedAt, at) && e.Rested(o.Repeated, at) && b.wants(o) &&
		(c.Comment == nil || !e.Rewrites(c.Platform))
}

// mayBeOriginal reports whether the post is a published one of a writer that repeats none, and that
// nobody is known to have changed on its platform.
func (c Content) mayBeOriginal() bool {
	return c.Status == ContentPublished && c.PublishedAt != nil && c.Origin == OriginWriter && c.Repeats == "" &&
		(c.Readback == nil || len(c.Readback.Differs) == 0)
}

// wants reports whether the mission still wants posts like the original.
func (b Brief) wants(o Original) bool {
	g := b.Constraints.Guidance
	return o.Planned.Occasion == nil && slices.Contains(b.Objectives, o.Planned.Objective) &&
		(g == nil || !slices.Contains(g.AvoidAngles, o.Content.Angle)) &&
		deref(o.Language, "") == deref(b.Constraints.Language, "")
}

// Repeating returns the slot with the original that its post repeats: it is like that one.
func (s Slot) Repeating(o Original) Slot {
	s.Repeats, s.Format, s.Angle, s.Objective = o.Content.ID, o.Content.Format, o.Content.Angle, o.Planned.Objective
	return s
}

// RepeatedDraft returns the original's text, without the line that it discloses by, as a draft that
// costs nothing.
func (c Content) RepeatedDraft() Draft {
	d := Draft{Format: c.Format, Text: c.Text, Parts: slices.Clone(c.Parts), Facts: c.Facts, Writer: c.Writer, AuthorID: c.AuthorID}
	return d.WithoutLine(c.Disclosed.Line)
}

// RepeatedMedia returns the original's files for a post of so many parts at an instant, as they are
// sent now. found are the tenant's files, and uses when posts have them, by id. Errors:
// invalid_request if one of them is gone, can't be used any more, or is too fresh.
func (c Content) RepeatedMedia(parts int, found map[string]Media, uses map[string][]time.Time, at time.Time) ([]PostMedia, error) {
	caps, _ := CapabilitiesOf(c.Platform)
	kept := c.MediaWithin(parts)
	choices := make([]MediaChoice, len(kept))
	for i, m := range kept {
		if InCooldown(uses[m.MediaID], at) {
			return nil, Invalid(fmt.Sprintf("%s[%d]", mediaParam, i), "%s is on another post within %d days.", m.MediaID, MediaCooldown/day)
		}
		choices[i] = MediaChoice{MediaID: m.MediaID, AltText: &kept[i].AltText, Part: m.Part}
	}
	return caps.ChooseMedia(choices, found, parts)
}

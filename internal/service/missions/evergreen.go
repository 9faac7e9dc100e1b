package missions

import (
	"context"
	"errors"
	"slices"
	"time"

	"missiond/internal/checks"
	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// maxOriginals is how many of a mission's best posts a plan looks at: their texts are checked in
// the transaction that makes it, most of them only if those before were refused.
const maxOriginals = 40

// repeating returns a job's plan with slots that repeat the mission's best posts. It takes no
// statement if the mission repeats none in this cycle.
func (s *Pipeline) repeating(
	ctx context.Context, tx store.Tx, w Work, p mission.Plan, accounts []mission.Integration, learned learning.Model, now time.Time,
) (mission.Plan, error) {
	e := w.Job.Brief.Constraints.Evergreen
	if e.Repeats(w.Job.Cycle-1, len(p.Slots)) == 0 {
		return p, nil
	}
	var to []mission.Destination
	for _, slot := range p.Slots {
		if d := slotAccount(slot, accounts); !slices.Contains(to, d) {
			to = append(to, d)
		}
	}
	rested := w.Job.Window.End.Add(-e.Cooldown())
	posts, err := tx.RestedPosts(ctx, w.Mission.ID, to, rested, learning.LearnedPosts, now)
	if err != nil {
		return p, err
	}
	best := learning.Best(w.Job, posts, learned)
	if best = best[:min(len(best), maxOriginals)]; len(best) == 0 {
		return p, nil
	}
	known, err := readOriginals(ctx, tx, w, best, rested)
	if err != nil {
		return p, err
	}
	return learning.Repeating(p, w.Job, known.list, func(o mission.Original, slot mission.Slot) bool {
		to := slotAccount(slot, accounts)
		return to.IntegrationID == o.Content.IntegrationID && known.allow(o.Content, s.again(w, slot.Repeating(o), o.Content, accounts))
	}), nil
}

// slotAccount returns the account that a slot's post is published through, as posts are known by it
// afterwards: of a platform's default, the one that is that now.
func slotAccount(slot mission.Slot, accounts []mission.Integration) mission.Destination {
	d := mission.Destination{Platform: slot.Platform, IntegrationID: slot.IntegrationID}
	for _, i := range accounts {
		if d.IntegrationID == "" && i.Platform == d.Platform && i.Default {
			d.IntegrationID = i.ID
		}
	}
	return d
}

// again returns the assignment for a slot that repeats an original, as far as it is known when a plan
// is made.
func (s *Pipeline) again(w Work, slot mission.Slot, c mission.Content, accounts []mission.Integration) mission.Assignment {
	a := mission.NewAssignment(w.Job, slot)
	a.Original, a.Links = &c, s.linkRule(w.Mission, slot.Platform)
	for _, i := range accounts {
		if i.ID == c.IntegrationID && i.Account != nil {
			a.Limits = i.Account.Limits
		}
	}
	return disclosing(a, w.Mission.Disclosure)
}

// originals are posts that may be repeated, in order, and what decides about that.
type originals struct {
	list     []mission.Original
	excluded mission.Exclusions
	media    map[string]mission.Media
	uses     map[string][]time.Time
}

func readOriginals(ctx context.Context, tx store.Tx, w Work, posts []mission.Content, rested time.Time) (known originals, err error) {
	ids := make([]string, len(posts))
	for i, c := range posts {
		ids[i] = c.ID
	}
	found, err := tx.Originals(ctx, w.Mission.TenantID, ids, rested)
	if err != nil {
		return known, err
	}
	var media []string
	for _, id := range ids {
		if o, ok := found[id]; ok {
			known.list, media = append(known.list, o), append(media, o.Content.MediaIDs()...)
		}
	}
	brand, err := tx.Brand(ctx, w.Mission.TenantID)
	if known.excluded = w.Mission.Exclusions(brand); err != nil || len(media) == 0 {
		return known, err
	}
	media = compact(media)
	if known.media, err = tx.MediaByID(ctx, w.Mission.TenantID, media); err != nil {
		return known, err
	}
	known.uses, err = tx.MediaSlots(ctx, w.Mission.TenantID, media, w.Job.Window.Start, w.Job.Window.End)
	return known, err
}

// allow reports whether neither what an original says nor its files keep it from being repeated as
// assigned.
func (o originals) allow(c mission.Content, a mission.Assignment) bool {
	a = a.Under(o.excluded)
	if _, err := c.RepeatedMedia(len(c.Texts()), o.media, o.uses, a.Slot.At); err != nil {
		return false
	}
	_, ok := sayable(a)
	return ok
}

// sayable returns the results of the rules for the words of an assignment's original, which it may be
// like; ok is false if it can't go out again: with its words it has to keep all rules, in others
// those that bind everybody.
func sayable(a mission.Assignment) (v mission.Verdict, ok bool) {
	c := a.Original
	if v = checks.NewExclusions(a.Exclusions()).Verdict(c.FullText(), c.Facts, a.Slot.At); !v.Passed() {
		return v, false
	}
	if a.Brief.Constraints.Evergreen.Rewrites(c.Platform) {
		return v, true
	}
	d := c.RepeatedDraft()
	if caps, known := a.Capabilities(); !known || textlimit.Check(caps, d) != nil {
		return v, false
	}
	others := mission.TextSet{}
	for text := range a.LatestTexts {
		others.Add(text)
	}
	others.Remove(a.Replaced...)
	a.LatestTexts = others
	v = checks.New(a).Verdict(d)
	_, broken := v.Broken()
	return v, !broken
}

// errNotRepeated means that a post can't be repeated any more that a plan repeats: another is
// written.
var errNotRepeated = errors.New("missions: the post can't be repeated any more")

// writeOrRepeat writes the post of an assignment, or repeats the one that its slot repeats. If that
// can't be repeated any more, or not be said in other words, another is written. It updates a's
// exclusions if they have changed.
func (s *Pipeline) writeOrRepeat(ctx context.Context, t mission.Task, a *mission.Assignment, known *jobReads) error {
	if a.Slot.Repeats != "" {
		again := *a
		err := s.repeatPost(ctx, t, &again, known)
		*a = a.Under(again.Exclusions())
		if err == nil || !errors.Is(err, errNotRepeated) && unwritable(err) == nil {
			return err
		}
		a.Slot.Repeats = ""
	}
	return s.writePost(ctx, t, a, known.pictures)
}

// repeatPost stores a post that repeats the one of its slot: with its words, which costs nothing, or
// in the writer's. Errors: errNotRepeated, and writePost's.
func (s *Pipeline) repeatPost(ctx context.Context, t mission.Task, a *mission.Assignment, known *jobReads) error {
	e := a.Brief.Constraints.Evergreen
	c, err := s.store.Content(ctx, t.TenantID, a.Slot.Repeats)
	if mission.CodeOf(err) == mission.CodeNotFound || err == nil && (e == nil || c.Status != mission.ContentPublished) {
		return errNotRepeated
	}
	if err != nil {
		return err
	}
	a.Original, a.Replaced, a.Pictures = &c, withoutLines(c, known.disclosure.Line()), nil
	v, ok := sayable(*a)
	if !ok {
		return errNotRepeated
	}
	if e.Rewrites(c.Platform) {
		a.UsedTexts.Add(a.Replaced...)
		a.LatestTexts.Add(a.Replaced...)
		return s.writePost(ctx, t, a, known.pictures)
	}
	return s.storePost(ctx, t, a, c.RepeatedDraft(), v, "", known.pictures)
}

// withoutLines returns the texts of a post without the line that they end with, that of now or of
// when it was written.
func withoutLines(c mission.Content, line string) []string {
	return c.RepeatedDraft().WithoutLine(line).Texts()
}

// repeatMedia returns the files of a post that repeats another, as they are sent. Errors:
// errNotRepeated if the post was repeated meanwhile within the cooldown, or a file is gone.
func repeatMedia(ctx context.Context, tx store.Tx, a mission.Assignment, d mission.Draft) (files []mission.PostMedia, err error) {
	c, e := a.Original, a.Brief.Constraints.Evergreen
	last, err := tx.LastRepeats(ctx, []string{c.ID}, a.Slot.At.Add(-e.Cooldown()))
	if err != nil {
		return nil, err
	}
	if at, ok := last[c.ID]; ok && !e.Rested(&at, a.Slot.At) || !e.Rested(c.PublishedAt, a.Slot.At) {
		return nil, errNotRepeated
	}
	ids := c.MediaIDs()
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := tx.MediaByID(ctx, c.TenantID, ids)
	if err != nil {
		return nil, err
	}
	uses, err := tx.MediaSlots(ctx, c.TenantID, ids, a.Slot.At, a.Slot.At)
	if err != nil {
		return nil, err
	}
	if files, err = c.RepeatedMedia(len(d.Texts()), found, uses, a.Slot.At); err != nil {
		return nil, errNotRepeated
	}
	return files, nil
}

package mission

import (
	"fmt"
	"slices"
	"time"
)

// Blackout is a time in which a mission publishes nothing: from StartsAt up to, not including,
// EndsAt.
type Blackout struct {
	StartsAt time.Time `json:"starts_at" doc:"When it begins"`
	EndsAt   time.Time `json:"ends_at" doc:"When it ends"`
	Reason   string    `json:"reason" doc:"Why" example:"Public mourning"`
}

// BlackoutInput is a blackout that a caller sends.
type BlackoutInput struct {
	StartsAt *time.Time `json:"starts_at" nullable:"false" doc:"When it begins"`
	EndsAt   *time.Time `json:"ends_at" nullable:"false" doc:"When it ends: after 62 days at most"`
	Reason   *string    `json:"reason,omitempty" nullable:"true" doc:"Why" example:"Public mourning"`
}

// Blackouts are those of a mission. They may overlap.
type Blackouts []Blackout

func (in BlackoutInput) check(param string) (found Problems) {
	found.add(checkProse(param+".reason", deref(in.Reason, ""), 0, MaxDateNote))
	switch {
	case in.StartsAt == nil:
		found.add(Invalid(param+".starts_at", "The time is required."))
	case in.EndsAt == nil:
		found.add(Invalid(param+".ends_at", "The time is required."))
	case !Millis(*in.EndsAt).After(Millis(*in.StartsAt)):
		found.add(Invalid(param+".ends_at", "The blackout must end after it begins."))
	case in.EndsAt.Sub(*in.StartsAt) > MaxBlackout:
		found.add(Invalid(param+".ends_at", "A blackout lasts at most %d days.", int(MaxBlackout.Hours()/24)))
	}
	return found
}

func checkBlackouts(in []BlackoutInput) (found Problems) {
	if len(in) > MaxBlackouts {
		return Problems{Invalid("blackouts", "At most %d blackouts are allowed.", MaxBlackouts)}
	}
	for i, b := range in {
		found = append(found, b.check(fmt.Sprintf("blackouts[%d]", i))...)
	}
	return found
}

// blackouts returns blackouts as they are stored, in their order in time.
func blackouts(in []BlackoutInput) Blackouts {
	all := make(Blackouts, len(in))
	for i, b := range in {
		all[i] = Blackout{StartsAt: Millis(*b.StartsAt), EndsAt: Millis(*b.EndsAt), Reason: Tidy(deref(b.Reason, ""))}
	}
	slices.SortStableFunc(all, func(a, b Blackout) int { return a.StartsAt.Compare(b.StartsAt) })
	return all
}

// blackoutInputs is the reverse of blackouts. What was stored when more was allowed is cleaned.
func blackoutInputs(all Blackouts) []BlackoutInput {
	in := make([]BlackoutInput, len(all))
	for i, b := range all {
		reason := WithoutHidden(b.Reason)
		in[i] = BlackoutInput{StartsAt: &b.StartsAt, EndsAt: &b.EndsAt, Reason: &reason}
	}
	return in
}

// At returns the blackout in which an instant is; ok is false if there is none.
func (b Blackouts) At(at time.Time) (found Blackout, ok bool) {
	for _, each := range b {
		if !at.Before(each.StartsAt) && at.Before(each.EndsAt) {
			return each, true
		}
	}
	return found, false
}

// BlackoutAt returns the mission's blackout in which an instant is; ok is false if there is none.
func (m Mission) BlackoutAt(at time.Time) (found Blackout, ok bool) { return m.silence().At(at) }

func (m Mission) silence() Blackouts { return m.Blackouts }

// Outside returns the indexes of the instants that aren't in a blackout, in their order.
func (b Blackouts) Outside(slots []time.Time) []int {
	var outside []int
	for i, at := range slots {
		if _, in := b.At(at); !in {
			outside = append(outside, i)
		}
	}
	return outside
}

// outside returns the instants that aren't in a blackout.
func (b Blackouts) outside(slots []time.Time) []time.Time {
	return slices.DeleteFunc(slots, func(at time.Time) bool {
		_, in := b.At(at)
		return in
	})
}

// open returns the first instant, not before at, that isn't in a blackout.
func (b Blackouts) open(at time.Time) time.Time {
	for range b {
		in, ok := b.At(at)
		if !ok {
			return at
		}
		at = in.EndsAt
	}
	return at
}

// next returns when the next blackout after an instant begins; ok is false if there is none.
func (b Blackouts) next(after time.Time) (at time.Time, ok bool) {
	for _, each := range b {
		if each.StartsAt.After(after) && (!ok || each.StartsAt.Before(at)) {
			at, ok = each.StartsAt, true
		}
	}
	return at, ok
}

// plus returns the instant at which so much time without blackouts has passed since another; it
// isn't in a blackout.
func (b Blackouts) plus(from time.Time, d time.Duration) time.Time {
	for d >= 0 {
		from = b.open(from)
		stop, ok := b.next(from)
		if !ok || d < stop.Sub(from) {
			break
		}
		d -= stop.Sub(from)
		from = stop
	}
	return from.Add(d)
}

// between returns how much time without blackouts is between two instants.
func (b Blackouts) between(from, to time.Time) (d time.Duration) {
	for from = b.open(from); from.Before(to); {
		stop, ok := b.next(from)
		if !ok || stop.After(to) {
			stop = to
		}
		d += stop.Sub(from)
		from = b.open(stop)
	}
	return d
}

// freeSpread is freeSpread in the time without blackouts of a window.
func (b Blackouts) freeSpread(w Window, n, perDay int, busy []time.Time) []time.Time {
	return b.free(w, busy, func(w Window, busy []time.Time) []time.Time { return freeSpread(w, n, perDay, busy) })
}

// free returns the times that fill finds in the time without blackouts of a window, away from the busy
// times, which it is given in their order.
func (b Blackouts) free(w Window, busy []time.Time, fill func(w Window, busy []time.Time) []time.Time) []time.Time {
	slices.SortFunc(busy, time.Time.Compare)
	if !w.Start.Before(w.End) {
		return nil
	}
	if len(b) == 0 {
		return fill(w, busy)
	}
	passed := func(at time.Time) time.Time {
		if at.Before(w.Start) {
			return at
		}
		return w.Start.Add(b.between(w.Start, at))
	}
	kept := make([]time.Time, len(busy))
	for i, at := range busy {
		kept[i] = passed(at)
	}
	free := fill(Window{Start: w.Start, End: passed(w.End)}, kept)
	for i, at := range free {
		free[i] = b.plus(w.Start, at.Sub(w.Start))
	}
	return free
}

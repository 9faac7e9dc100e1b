package mission

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of a mission's events and blackouts.
const (
	MaxOccasions = 20
	MaxBlackouts = 20
	// MaxOccasionName is the most characters of an event's name, MaxDateNote those of its note and
	// of a blackout's reason.
	MaxOccasionName = 100
	MaxDateNote     = 500
	// MaxBlackout is how long a blackout lasts at most.
	MaxBlackout = 62 * 24 * time.Hour
)

// leadDays is how many days before an event posts lead up to it.
const leadDays = 7

// OccasionKind is what kind of event a mission has.
type OccasionKind string

// The kinds.
const (
	OccasionLaunch  OccasionKind = "launch"
	OccasionSale    OccasionKind = "sale"
	OccasionHoliday OccasionKind = "holiday"
	OccasionOther   OccasionKind = "other"
)

// AllOccasionKinds lists the kinds.
func AllOccasionKinds() []OccasionKind {
	return []OccasionKind{OccasionLaunch, OccasionSale, OccasionHoliday, OccasionOther}
}

// Occasion is an event that a mission's posts lead up to; Event is an entry of the log. Its days
// are those of the mission's zone, both included.
type Occasion struct {
	Name     string       `json:"name" doc:"What it is called" example:"Summer sale"`
	StartsOn string       `json:"starts_on" format:"date" doc:"Its first day, in the mission's time zone" example:"2025-06-02"`
	EndsOn   string       `json:"ends_on" format:"date" doc:"Its last day" example:"2025-06-08"`
	Kind     OccasionKind `json:"kind" doc:"What kind of event it is" example:"sale"`
	Note     string       `json:"note" doc:"What posts may say about it" example:"20 percent off everything"`
}

// OccasionInput is an event that a caller sends.
type OccasionInput struct {
	Name     string       `json:"name" doc:"What it is called" example:"Summer sale"`
	StartsOn string       `json:"starts_on" format:"date" doc:"Its first day, in the mission's time zone" example:"2025-06-02"`
	EndsOn   *string      `json:"ends_on,omitempty" nullable:"true" format:"date" doc:"Its last day; if omitted, it lasts a day" example:"2025-06-08"`
	Kind     OccasionKind `json:"kind" doc:"What kind of event it is" example:"sale"`
	Note     *string      `json:"note,omitempty" nullable:"true" doc:"What posts may say about it" example:"20 percent off everything"`
}

// lastDay returns the event's last day.
func (in OccasionInput) lastDay() string { return deref(in.EndsOn, in.StartsOn) }

func (in OccasionInput) check(param string) (found Problems) {
	found.add(checkLine(param+".name", in.Name, 1, MaxOccasionName))
	first, last := checkDay(param+".starts_on", in.StartsOn), checkDay(param+".ends_on", in.lastDay())
	switch {
	case first != nil:
		found.add(first)
	case last != nil:
		found.add(last)
	case in.lastDay() < in.StartsOn:
		found.add(Invalid(param+".ends_on", "The event must not end before it starts, on %s.", in.StartsOn))
	}
	if !slices.Contains(AllOccasionKinds(), in.Kind) {
		found.add(Invalid(param+".kind", "Unknown kind %q: must be one of %s.", in.Kind, list(AllOccasionKinds())))
	}
	found.add(checkProse(param+".note", deref(in.Note, ""), 0, MaxDateNote))
	return found
}

// checkDay checks a date. Errors: invalid_request on param.
func checkDay(param, day string) error {
	if at, err := time.Parse(time.DateOnly, day); err != nil || at.Year() < firstYear || at.Year() > lastYear {
		return Invalid(param, "Invalid date %.60q: must be YYYY-MM-DD, in the years %d to %d.", day, firstYear, lastYear)
	}
	return nil
}

func checkOccasions(in []OccasionInput) (found Problems) {
	if len(in) > MaxOccasions {
		return Problems{Invalid("events", "At most %d events are allowed.", MaxOccasions)}
	}
	for i, o := range in {
		found = append(found, o.check(fmt.Sprintf("events[%d]", i))...)
	}
	return found
}

// occasions returns events as they are stored.
func occasions(in []OccasionInput) []Occasion {
	all := make([]Occasion, len(in))
	for i, o := range in {
		all[i] = Occasion{Name: strings.TrimSpace(o.Name), StartsOn: o.StartsOn, EndsOn: o.lastDay(), Kind: o.Kind, Note: Tidy(deref(o.Note, ""))}
	}
	return all
}

// occasionInputs is the reverse of occasions. What was stored when more was allowed is cleaned.
func occasionInputs(all []Occasion) []OccasionInput {
	in := make([]OccasionInput, len(all))
	for i, o := range all {
		note := WithoutHidden(o.Note)
		in[i] = OccasionInput{Name: CleanLine(o.Name), StartsOn: o.StartsOn, EndsOn: &o.EndsOn, Kind: o.Kind, Note: &note}
	}
	return in
}

// DaysUntil returns how many days after the date of an instant the event starts; 0 if it has.
func (o Occasion) DaysUntil(at time.Time, zone *time.Location) int {
	return max(0, int(parseDay(o.StartsOn).utc().Sub(dateOf(at.In(zone)).utc())/(24*time.Hour)))
}

// Ahead returns the event that a post at an instant leads up to, or that is on by then; nil if
// there is none: of several the one that starts first. n is the post's number in its mission:
// each post of an event's own days is about it, and every second one of the days before.
func (b Brief) Ahead(at time.Time, n int) (next *Occasion) {
	zone := b.Constraints.Zone()
	today := dateOf(at.In(zone)).utc().Format(time.DateOnly)
	for _, o := range b.Occasions {
		days := o.DaysUntil(at, zone)
		if today > o.EndsOn || days > leadDays || days > 0 && n%2 != 0 {
			continue
		}
		if next == nil || o.StartsOn < next.StartsOn {
			next = &o
		}
	}
	return next
}

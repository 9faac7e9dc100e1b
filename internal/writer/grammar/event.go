package grammar

import (
	"fmt"
	"time"

	"missiond/mission"
)

// eventOf returns a sentence that says when the event is that a post leads up to; "" if there is
// none.
func eventOf(a mission.Assignment) string {
	o := a.Slot.Occasion
	if o == nil {
		return ""
	}
	name, once := singleLine(o.Name, mission.MaxOccasionName), o.StartsOn == o.EndsOn
	ahead := o.DaysUntil(a.Slot.At, a.Brief.Constraints.Zone()) > 0
	switch {
	case ahead && once:
		return fmt.Sprintf("Coming up: %s, on %s.", name, dayOf(o.StartsOn))
	case ahead:
		return fmt.Sprintf("Coming up: %s, from %s to %s.", name, dayOf(o.StartsOn), dayOf(o.EndsOn))
	case once:
		return fmt.Sprintf("Today: %s.", name)
	}
	return fmt.Sprintf("On now: %s, until %s.", name, dayOf(o.EndsOn))
}

// dayOf returns a date for readers.
func dayOf(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 January")
}

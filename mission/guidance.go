package mission

import (
	"fmt"
	"slices"
	"time"
)

// HoursInPart is the length of a part of the day that is learned about.
const HoursInPart = 3

// PartsOfDay are the parts of the day that are learned about and that a person may prefer or
// avoid, in order, by the hours of a local clock.
func PartsOfDay() []string {
	return []string{"00-03", "03-06", "06-09", "09-12", "12-15", "15-18", "18-21", "21-24"}
}

// PartOfDay returns the index in PartsOfDay of a local time.
func PartOfDay(local time.Time) int { return local.Hour() / HoursInPart }

// Guidance is what a person has a mission's plans prefer and avoid, whatever was learned. The
// rest is learned.
type Guidance struct {
	PreferAngles []Angle  `json:"prefer_angles,omitempty" doc:"Every second post takes one of them" example:"story"`
	AvoidAngles  []Angle  `json:"avoid_angles,omitempty" doc:"No post takes one of them" example:"myth"`
	PreferHours  []string `json:"prefer_hours,omitempty" doc:"The parts of the day whose slots come first" example:"06-09"`
	AvoidHours   []string `json:"avoid_hours,omitempty" doc:"The parts of the day that have slots only if nothing else is left" example:"00-03"`
}

func (g *Guidance) check() (found Problems) {
	if g == nil {
		return nil
	}
	const at = "constraints.guidance."
	found = append(found, checkGuided(at+"prefer_angles", g.PreferAngles, AllAngles())...)
	found = append(found, checkGuided(at+"avoid_angles", g.AvoidAngles, AllAngles(), g.PreferAngles...)...)
	found = append(found, checkGuided(at+"prefer_hours", g.PreferHours, PartsOfDay())...)
	return append(found, checkGuided(at+"avoid_hours", g.AvoidHours, PartsOfDay(), g.PreferHours...)...)
}

// checkGuided checks choices that are preferred or avoided among all, none of which may be among
// others.
func checkGuided[T ~string](param string, chosen, all []T, others ...T) (found Problems) {
	for i, c := range chosen {
		item := fmt.Sprintf("%s[%d]", param, i)
		switch {
		case !slices.Contains(all, c):
			found.add(Invalid(item, "Unknown value %q: must be one of %s.", c, list(all)))
		case slices.Contains(chosen[:i], c):
			found.add(Invalid(item, "Duplicate value %q.", c))
		case slices.Contains(others, c):
			found.add(Invalid(item, "%q can't be both preferred and avoided.", c))
		}
	}
	if len(found) == 0 && len(chosen) == len(all) {
		found.add(Invalid(param, "At least one of %s must be left.", list(all)))
	}
	return found
}

// stated returns the guidance, or nil if it says nothing.
func (g *Guidance) stated() *Guidance {
	if !g.GuidesAngles() && !g.GuidesHours() {
		return nil
	}
	return g
}

// Angles returns those that post n of a mission may take: every second has the preferred ones
// alone, if there are any.
func (g *Guidance) Angles(n int) []Angle {
	if g == nil {
		return AllAngles()
	}
	if n%2 == 0 && len(g.PreferAngles) > 0 {
		return g.PreferAngles
	}
	return slices.DeleteFunc(AllAngles(), func(a Angle) bool { return slices.Contains(g.AvoidAngles, a) })
}

// GuidesAngles reports whether it says anything about angles.
func (g *Guidance) GuidesAngles() bool { return g != nil && len(g.PreferAngles)+len(g.AvoidAngles) > 0 }

// GuidesHours reports whether it says anything about parts of the day.
func (g *Guidance) GuidesHours() bool { return g != nil && len(g.PreferHours)+len(g.AvoidHours) > 0 }

// HourScore returns what a local time gains by the guidance, in the unit of the effects that are
// learned, of which few are beyond 1.
func (g *Guidance) HourScore(local time.Time) float64 {
	if g == nil {
		return 0
	}
	switch part := PartsOfDay()[PartOfDay(local)]; {
	case slices.Contains(g.PreferHours, part):
		return 1
	case slices.Contains(g.AvoidHours, part):
		return -10
	default:
		return 0
	}
}

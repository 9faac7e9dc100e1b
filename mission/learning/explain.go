package learning

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"missiond/mission"
)

// explainedMetrics bounds the metrics that a plan's reasons mention.
const explainedMetrics = 3

// explained are the factors that reasons mention, and what their arms are
// called.
var explained = []struct {
	factor   Factor
	one, all string
}{
	{FactorAngle, "angle", "angles"}, {FactorFormat, "format", "formats"}, {FactorHour, "time of day", "times of day"},
}

// explain returns the plan's reasons in words.
func (s strategist) explain(slots []mission.Slot) []string {
	aims, reasons := s.allAims(), s.explainGuidance()
	if len(aims) == 0 {
		return append(reasons, s.explainTurns())
	}
	reasons = append(reasons, s.explainAims(aims))
	reasons = append(reasons, s.explainChanges(aims)...)
	for _, m := range aims[:min(len(aims), explainedMetrics)] {
		for _, each := range explained {
			if text := s.learned[m].explain(m, each.factor, each.one, each.all); text != "" {
				reasons = append(reasons, text)
			}
		}
	}
	reasons = append(reasons, s.explainUntried(aims)...)
	reasons = append(reasons, s.explainDestinations(slots)...)
	return append(reasons, s.explainHours())
}

// explainGuidance says what a person has the plans prefer and avoid.
func (s strategist) explainGuidance() (reasons []string) {
	g := s.job.Brief.Constraints.Guidance
	if g == nil {
		return nil
	}
	for _, each := range []struct {
		choices []string
		text    string
	}{
		{asWords(g.PreferAngles), "As you asked, every second post takes one of these angles: %s."},
		{asWords(g.AvoidAngles), "As you asked, no post takes one of these angles: %s."},
		{g.PreferHours, "As you asked, slots at these hours come first: %s."},
		{g.AvoidHours, "As you asked, slots at these hours are taken only if nothing else is left: %s."},
	} {
		if len(each.choices) > 0 {
			reasons = append(reasons, fmt.Sprintf(each.text, strings.Join(each.choices, ", ")))
		}
	}
	return reasons
}

func asWords(angles []mission.Angle) []string {
	texts := make([]string, len(angles))
	for i, a := range angles {
		texts[i] = strings.ReplaceAll(string(a), "_", " ")
	}
	return texts
}

// explainTurns says why every choice gets its turn.
func (s strategist) explainTurns() string {
	most := 0
	for _, e := range s.learned {
		most = max(most, e.Posts)
	}
	if most == 0 {
		return "Nothing is measured yet, so every angle and format gets its turn."
	}
	return fmt.Sprintf(
		"Too little is known: every angle and format gets its turn until %d posts with metrics of the KPIs are measured.",
		leastLearned,
	)
}

// explainChanges says for which metrics the audience seems to have changed.
func (s strategist) explainChanges(aims []mission.Metric) []string {
	var changes []string
	for _, m := range aims[:min(len(aims), explainedMetrics)] {
		if c := s.learned[m].Changed; c != nil {
			at := c.At.In(s.job.Brief.Constraints.Zone()).Format(time.DateOnly)
			changes = append(changes, fmt.Sprintf("for %s about %s (%.0f %% sure)", words(m), at, math.Floor(100*c.Sure)))
		}
	}
	if len(changes) == 0 {
		return nil
	}
	return []string{"The audience seems to have changed, so earlier posts count less: " + strings.Join(changes, ", ") + "."}
}

// allAims returns the aims of the mission's platforms, each once.
func (s strategist) allAims() []mission.Metric {
	var aims []mission.Metric
	for _, p := range s.job.Brief.Platforms {
		for _, m := range s.aims(p) {
			if !slices.Contains(aims, m) {
				aims = append(aims, m)
			}
		}
	}
	return aims
}

func words(m mission.Metric) string { return strings.ReplaceAll(string(m), "_", " ") }

func (s strategist) explainAims(aims []mission.Metric) string {
	var asked, otherwise []string
	for _, m := range aims {
		if slices.ContainsFunc(s.job.Brief.KPIs, func(k mission.KPI) bool { return k.Metric == m }) {
			asked = append(asked, words(m))
		} else {
			otherwise = append(otherwise, words(m))
		}
	}
	switch {
	case len(s.job.Brief.KPIs) == 0:
		return fmt.Sprintf("It aims at %s, as the mission has no KPIs.", strings.Join(otherwise, " and "))
	case len(asked) == 0:
		return fmt.Sprintf("It aims at %s, as nothing is known of any KPI.", strings.Join(otherwise, " and "))
	case len(otherwise) == 0:
		return fmt.Sprintf("It aims at the metrics of the KPIs: %s.", strings.Join(asked, ", "))
	default:
		return fmt.Sprintf("It aims at the metrics of the KPIs, %s, and on platforms without a KPI at %s.",
			strings.Join(asked, ", "), strings.Join(otherwise, " and "))
	}
}

// explain says which arm of a factor does best for a metric; "" if there is
// nothing to compare.
func (e Effects) explain(m mission.Metric, f Factor, one, all string) string {
	name, tried, ok := e.preferred(f)
	if !ok {
		return ""
	}
	a := e.Arms[f][name]
	low, high := percent(a.Effect-sure*a.Spread), percent(a.Effect+sure*a.Spread)
	verdict := "does best"
	if low < 0 {
		verdict = "is ahead, but it is too early to say"
	}
	return fmt.Sprintf("For %s the %s %q %s: %+.0f %% against the average of the %d %s measured, from %s (95 %% range: %+.0f to %+.0f %%).",
		words(m), one, name, verdict, percent(a.Effect), tried, all, mission.Counted(a.Tries, "post"), low, high)
}

// explainUntried says which choices no measured post has.
func (s strategist) explainUntried(aims []mission.Metric) []string {
	var untried []string
	for _, a := range mission.AllAngles() {
		if s.learned[aims[0]].arm(FactorAngle, string(a)).Tries == 0 {
			untried = append(untried, string(a))
		}
	}
	if len(untried) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Not measured yet, and so tried now and then: %s.", strings.Join(untried, ", "))}
}

// explainDestinations says how the posts are distributed over the destinations.
func (s strategist) explainDestinations(slots []mission.Slot) []string {
	if len(s.to) == 1 {
		return nil
	}
	what := "platforms"
	if len(s.to) > len(s.job.Brief.Platforms) {
		what = "accounts"
	}
	if len(s.moving()) == 0 {
		return []string{fmt.Sprintf("The %s take turns: no KPI gains by another share.", what)}
	}
	var shares []string
	for _, d := range s.to {
		n := 0
		for _, slot := range slots {
			if slot.Platform == d.Platform && slot.IntegrationID == d.IntegrationID {
				n++
			}
		}
		shares = append(shares, fmt.Sprintf("%s %d", d, n))
	}
	return []string{fmt.Sprintf(
		"Every second post goes to the %s in turn, the others where the KPIs seem to gain most; of this plan's posts: %s.",
		what, strings.Join(shares, ", "),
	)}
}

// explainHours says how the slots are chosen.
func (s strategist) explainHours() string {
	c := s.job.Brief.Constraints
	switch free := c.PostsPerDay - len(c.PostingTimes); {
	case free == 0:
		return "The slots are the mission's posting times."
	case free < 0:
		return fmt.Sprintf("The slots are %d of the mission's posting times, chosen by what is known of the times of day.", c.PostsPerDay)
	default:
		return fmt.Sprintf(
			"The times of %s are chosen by what is known of the times of day, apart from each other.",
			mission.Counted(free, "post"),
		)
	}
}

package report

import (
	"fmt"
	"strings"
	"time"
)

// Target is what a figure is to be: at least or at most a value.
type Target struct {
	Value  float64
	AtMost bool
	Text   string
}

// AtLeast is a target of ratios.
func AtLeast(v float64) *Target { return &Target{Value: v, Text: fmt.Sprintf("≥ %.2f", v)} }

// AtMost is a target that a figure mustn't exceed, told with its unit.
func AtMost(v float64, unit string) *Target {
	return &Target{Value: v, AtMost: true, Text: fmt.Sprintf("≤ %g %s", v, unit)}
}

// Row is a line of the table. What wasn't measured is left empty.
type Row struct {
	Case string
	// Figure and Limit are told with their units.
	Figure, Limit string
	// Ratio is Figure by Limit, by rounds; Against has what the target is held
	// against where that is no ratio.
	Ratio    Spread
	Against  float64
	Target   *Target
	P50, P99 time.Duration
	CPU      CPU
}

// CPU is a request's processor time, of the process that is asked and of Postgres.
type CPU struct{ Process, Postgres time.Duration }

// Table writes rows as a Markdown table.
func Table(rows []Row) string {
	var b strings.Builder
	b.WriteString("| case | missiond | limit | ratio | target | met | p50 | p99 | CPU + Postgres |\n" + strings.Repeat("| --- ", 9) + "|\n")
	for _, r := range rows {
		cpu := ""
		if r.CPU != (CPU{}) {
			cpu = Millis(r.CPU.Process) + " + " + Millis(r.CPU.Postgres)
		}
		target, met := r.target()
		cells := []string{r.Case, r.Figure, r.Limit, r.Ratio.String(), target, met, Millis(r.P50), Millis(r.P99), cpu}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// target tells the row's target, and whether it is met.
func (r Row) target() (text, met string) {
	if r.Target == nil {
		return "", ""
	}
	value := r.Against
	if r.Ratio != (Spread{}) {
		value = r.Ratio.Median
	}
	if value == r.Target.Value || (value < r.Target.Value) == r.Target.AtMost {
		return r.Target.Text, "yes"
	}
	return r.Target.Text, "no"
}

// String tells a ratio, and how far the rounds differ.
func (s Spread) String() string {
	switch {
	case s == (Spread{}):
		return ""
	case s.Least == s.Most:
		return fmt.Sprintf("%.2f", s.Median)
	default:
		return fmt.Sprintf("%.2f (%.2f to %.2f)", s.Median, s.Least, s.Most)
	}
}

// Millis tells a duration in milliseconds; "" for none.
func Millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d == 0:
		return ""
	case ms < 10:
		return fmt.Sprintf("%.2f ms", ms)
	default:
		return fmt.Sprintf("%.0f ms", ms)
	}
}

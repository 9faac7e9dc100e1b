package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Target is what a figure is to be: at least or at most a value.
type Target struct {
	Value  float64
	AtMost bool
	// Text says it in the figure's unit; "" is the value itself.
	Text string
}

// AtLeast and AtMost are targets of ratios.
func AtLeast(v float64) *Target { return &Target{Value: v, Text: fmt.Sprintf("≥ %.2f", v)} }

// AtMost is a target that a figure mustn't exceed, told with its unit.
func AtMost(v float64, unit string) *Target {
	return &Target{Value: v, AtMost: true, Text: strings.TrimSpace(fmt.Sprintf("≤ %g %s", v, unit))}
}

// Met reports whether a figure reaches the target.
func (t Target) Met(figure float64) bool {
	if t.AtMost {
		return figure <= t.Value
	}
	return figure >= t.Value
}

// Row is a line of the table. What wasn't measured is left empty.
type Row struct {
	// Section groups rows; Case names what was done.
	Section, Case string
	// Detail rows are in the table, and not in its summary.
	Detail bool
	// Figure and Limit are told with their units.
	Figure, Limit string
	// Ratio is Figure by Limit, by rounds; Against has what the target is held
	// against where that is no ratio.
	Ratio   Spread
	Against float64
	Target  *Target

	P50, P99           time.Duration
	LimitP50, LimitP99 time.Duration
	PeakMiB            float64
	Statements         float64
	// CPU is the processor time of a request.
	CPU, LimitCPU CPU
}

// CPU is processor time, of the process that is asked and of Postgres.
type CPU struct{ Process, Postgres time.Duration }

// String tells both times; "" for none.
func (c CPU) String() string {
	if c == (CPU{}) {
		return ""
	}
	return Millis(c.Process) + " + " + Millis(c.Postgres)
}

// value is what the row's target is held against.
func (r Row) value() float64 {
	if r.Ratio != (Spread{}) {
		return r.Ratio.Median
	}
	return r.Against
}

// Met reports whether the row's target is met; ok is false where it has none.
func (r Row) Met() (met, ok bool) {
	if r.Target == nil {
		return false, false
	}
	return r.Target.Met(r.value()), true
}

var heads = []string{"case", "missiond", "limit", "ratio", "target", "met", "p50", "p99", "limit p50", "limit p99", "CPU + Postgres", "limit CPU + Postgres", "peak MiB", "statements"}

func (r Row) cells() []string {
	target, met := "", ""
	if r.Target != nil {
		target, met = r.Target.Text, "no"
		if ok, _ := r.Met(); ok {
			met = "yes"
		}
	}
	return []string{
		r.Case, r.Figure, r.Limit, r.Ratio.String(), target, met, Millis(r.P50), Millis(r.P99), Millis(r.LimitP50), Millis(r.LimitP99),
		r.CPU.String(), r.LimitCPU.String(), unless0("%.0f", r.PeakMiB), unless0("%.1f", r.Statements),
	}
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

func unless0(format string, v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
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

// Table writes rows as a Markdown table, whose columns are as wide as what
// stands in them; those that are empty in all rows are left out.
func Table(rows []Row) string {
	lines := [][]string{heads}
	section := ""
	for _, r := range rows {
		if r.Section != section {
			section = r.Section
			lines = append(lines, append([]string{"**" + section + "**"}, make([]string, len(heads)-1)...))
		}
		lines = append(lines, r.cells())
	}
	widths := widthsOf(lines)
	var b strings.Builder
	for i, line := range lines {
		writeLine(&b, line, widths, " ")
		if i == 0 {
			writeLine(&b, make([]string, len(heads)), widths, "-")
		}
	}
	return b.String()
}

// Summary writes rows as a Markdown table for readers, without details and with the
// columns that they compare. Below it stands how many details there are, and how many of
// them miss their target.
func Summary(rows []Row) string {
	lines := [][]string{{"case", "missiond", "limit", "ratio", "target", "met", "p50", "p99", "CPU + Postgres"}}
	details, missed := 0, 0
	for _, r := range rows {
		if r.Detail {
			details++
			if met, ok := r.Met(); ok && !met {
				missed++
			}
			continue
		}
		cells := r.cells()
		lines = append(lines, []string{r.Section + ": " + r.Case, cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], r.CPU.String()})
	}
	text := plain(lines)
	if details > 0 {
		text += fmt.Sprintf("\n%d more rows are only printed; targets missed among them: %d.\n", details, missed)
	}
	return text
}

// plain writes lines as a Markdown table, the first as its head.
func plain(lines [][]string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(line)) + "\n")
		}
	}
	return b.String()
}

// widthsOf returns the columns' widths; 0 for one that only its head is in.
func widthsOf(lines [][]string) []int {
	widths := make([]int, len(heads))
	for i, head := range heads {
		for _, line := range lines[1:] {
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
		if widths[i] > 0 || i == 0 {
			widths[i] = max(widths[i], utf8.RuneCountInString(head))
		}
	}
	return widths
}

func writeLine(b *strings.Builder, cells []string, widths []int, fill string) {
	b.WriteString("|")
	for i, cell := range cells {
		if widths[i] > 0 {
			b.WriteString(" " + cell + strings.Repeat(fill, widths[i]-utf8.RuneCountInString(cell)) + " |")
		}
	}
	b.WriteString("\n")
}

// Between puts a text between two markers of a document, in the place of what
// stood there. Errors: where the document lacks a marker.
func Between(document, begin, end, text string) (string, error) {
	from := strings.Index(document, begin)
	to := strings.Index(document, end)
	if from < 0 || to < from {
		return "", fmt.Errorf("the document has no %q before a %q", begin, end)
	}
	return document[:from+len(begin)] + "\n" + text + document[to:], nil
}

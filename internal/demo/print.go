package demo

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Columns of a line: the time, a label of labelWidth, and the text from indent on.
const (
	columns    = 100
	labelWidth = 11
	indent     = 2 + len("15:04") + 2 + labelWidth + 2
)

// printer prints plain text of at most 100 columns. Write errors are ignored: there
// is nobody left to read them.
type printer struct{ out io.Writer }

func (p printer) print(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format, args...) }

// line prints what happened at a time, wrapped.
func (p printer) line(at time.Time, label, text string) {
	lines := wrap(text, columns-indent)
	p.print("  %s  %-*s  %s\n", at.UTC().Format("15:04"), labelWidth, label, lines[0])
	for _, each := range lines[1:] {
		p.print("%*s%s\n", indent, "", each)
	}
}

// wrap splits a text into lines of at most width characters, between words. A longer
// word has a line of its own.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

func (p printer) printOpening(s Service, b brief) {
	day := time.Duration(float64(24*time.Hour) / s.Speed).Round(100 * time.Millisecond)
	p.print("missiond demo: a mission of %d days, from its brief to what it learned.\n", b.DurationDays)
	p.print("A service of its own runs at %s; its clock makes a day %s long.\n", s.URL, day)
	p.print("Posts go to a sandbox with a modelled audience: nothing leaves this machine.\n")
	p.print("\nThe brief (POST /v1/missions)\n")
	goals := make([]string, 0, len(b.KPIs))
	for _, k := range b.KPIs {
		goals = append(goals, k.Metric+" "+number(k.Target))
	}
	for _, line := range [][2]string{
		{"name", b.Name}, {"description", b.Description}, {"objectives", strings.Join(b.Objectives, "; ")}, {"platforms", strings.Join(b.Platforms, ", ")},
		{"constraints", fmt.Sprintf("%d posts a day, %s", b.Constraints.PostsPerDay, b.Constraints.Tone)}, {"KPIs", strings.Join(goals, ", ")},
		{"pictures", fmt.Sprintf("%d, which the demo draws: the writer chooses those that fit", len(samples))},
	} {
		label := line[0]
		for _, each := range wrap(line[1], columns-labelWidth-4) {
			p.print("  %-*s  %s\n", labelWidth, label, each)
			label = ""
		}
	}
}

func (p printer) printDay(day, of int) { p.print("\nDay %d of %d\n", day, of) }

func (p printer) printWritten(at time.Time, c post) {
	slot := c.ScheduledAt.UTC().Format("Jan 2 15:04")
	p.line(at, "written", fmt.Sprintf("%s %s, angle %s, slot %s", c.Platform, c.Type, c.Angle, slot))
	for _, each := range wrap(c.Text, columns-indent-2) {
		p.print("%*s| %s\n", indent, "", each)
	}
	for _, m := range c.Media {
		p.print("%*s[picture: %s]\n", indent, "", m.AltText)
	}
}

func (p printer) printResult(posts []post, kpis []progress) {
	p.print("\nThe mission is completed: %d posts.\n", len(posts))
	for _, k := range kpis {
		reached := ""
		if k.Current != nil && *k.Current >= k.Target {
			reached = ": reached"
		}
		p.print("  %s%s\n", progressText(k), reached)
	}
	p.print("\nWhat to do next\n")
	for _, line := range [][2]string{
		{"missiond dev", "runs the service for you: REST, GraphQL, GraphiQL, API reference, dashboard"},
		{"README.md", "has a short tour with curl, and says where to read on"},
		{"docs/media.md", "says how posts get pictures and videos"},
		{"docs/missions.md", "says how to create missions and review posts; docs/learning.md, what is learned"},
	} {
		p.print("  %-18s%s\n", line[0], line[1])
	}
}

// shownMetrics are the metrics that a line of figures has, in this order.
var shownMetrics = []string{"impressions", "likes", "comments", "shares", "clicks", "engagement_rate"}

// figures returns a post's metrics in words.
func figures(metrics map[string]float64) string {
	var parts []string
	for _, name := range shownMetrics {
		if value, ok := metrics[name]; ok {
			parts = append(parts, name+" "+number(value))
		}
	}
	return strings.Join(parts, ", ")
}

func kpiText(kpis []progress) string {
	parts := make([]string, 0, len(kpis))
	for _, k := range kpis {
		parts = append(parts, progressText(k))
	}
	return strings.Join(parts, ", ")
}

func progressText(k progress) string {
	if k.Current == nil {
		return k.Metric + " not measured yet"
	}
	return k.Metric + " " + number(*k.Current) + " of " + number(k.Target)
}

// number returns a figure with at most two decimals.
func number(value float64) string {
	text := strconv.FormatFloat(value, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

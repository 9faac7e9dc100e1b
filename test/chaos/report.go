package main

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// shownFindings is how many findings of a check are shown.
const shownFindings = 25

// report prints the results of a run. Errors: errBroken.
func report(w *harness, b *record, f *schedule, s *snapshot, results []result, rested, judged time.Duration) error {
	fmt.Println()
	table("disasters", "times", counted(f.counts))
	fmt.Printf("  %-32s %7d\n\n", "in all", f.loops)
	table("requests", "times", counted(b.requests))
	fmt.Println()
	table("final state", "rows", left(b, s))
	ends := 0
	for _, p := range w.processes() {
		ends += p.byItself
	}
	fmt.Printf("\nprocesses that exited by themselves, such as when the database was down at their start: %d\n", ends)
	fmt.Printf("idle %.0f s after the last disaster, verified after %.0f s\n\n", rested.Seconds(), judged.Seconds())
	fmt.Printf("%-34s %7s  %s\n", "checks", "checked", "verdict")
	broken := 0
	for _, r := range results {
		verdict := "ok"
		if n := len(r.findings); n > 0 {
			verdict = fmt.Sprintf("BROKEN %d times", n)
			broken += n
		}
		fmt.Printf("  %-32s %7d  %s\n", r.check, r.saw, verdict)
	}
	for _, r := range results {
		r.print()
	}
	fmt.Printf("\nseed %d: %d loops, %d findings\n", w.o.seed, f.loops, broken)
	if broken > 0 {
		return errBroken
	}
	return nil
}

// print prints the findings.
func (r result) print() {
	if len(r.findings) == 0 {
		return
	}
	fmt.Printf("\n%s:\n", r.check)
	for i, f := range r.findings {
		if i == shownFindings {
			fmt.Printf("  … and %d more\n", len(r.findings)-i)
			return
		}
		fmt.Printf("  %s\n    should be: %s\n    is:        %s\n", f.ID, f.Want, f.Is)
	}
}

// line is a line of a table.
type line struct {
	what string
	n    int
}

// counted returns counts as lines.
func counted(counts map[string]int) []line {
	var lines []line
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, line{what, counts[what]})
	}
	return lines
}

// table prints lines below a title and the unit of their numbers.
func table(title, unit string, lines []line) {
	fmt.Printf("%-34s %7s\n", title, unit)
	for _, l := range lines {
		fmt.Printf("  %-32s %7d\n", l.what, l.n)
	}
}

// left returns what the final state consists of.
func left(b *record, s *snapshot) []line {
	acknowledged, deleted := 0, 0
	for _, m := range b.missions {
		if m.Created.Sure > 0 {
			acknowledged++
		}
		if m.Deleted.Sure > 0 {
			deleted++
		}
	}
	status := func(want string) int { return count(s.Posts, func(p postRow) bool { return p.Status == want }) }
	past := 0
	for _, q := range s.Redis.Queues {
		past += len(q.Past)
	}
	return []line{
		{"missions requested", len(b.missions)},
		{"missions acknowledged", acknowledged},
		{"missions deleted", deleted},
		{"missions", len(s.Missions)},
		{"jobs completed", count(s.Jobs, func(j jobRow) bool { return j.Status == "completed" })},
		{"jobs canceled", count(s.Jobs, func(j jobRow) bool { return j.Status == "canceled" })},
		{"posts", len(s.Posts)},
		{"posts published", status("published")},
		{"posts canceled", status("canceled")},
		{"posts rejected", status("rejected")},
		{"parts on the platform", len(s.Publications)},
		{"events", len(s.Events)},
		{"endpoints", len(s.Hooks)},
		{"deliveries", len(s.Deliveries)},
		{"delivery attempts", len(s.Attempts)},
		{"failed attempts", count(s.Attempts, func(a attemptRow) bool { return a.Status/100 != 2 })},
		{"tasks for later", len(s.Tasks)},
		{"completed queue entries", past},
	}
}

package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"missiond/mission"
)

// Report is what models made of briefs.
type Report struct {
	// Posts are those that each model was to write.
	Posts  []Post  `json:"posts"`
	Models []Model `json:"models"`
}

// Post is what a post was to be.
type Post struct {
	Mission   string           `json:"mission"`
	Objective string           `json:"objective"`
	Platform  mission.Platform `json:"platform"`
	Format    mission.Format   `json:"format"`
}

func newPost(a mission.Assignment) Post {
	return Post{Mission: a.Brief.MissionName, Objective: a.Slot.Objective, Platform: a.Slot.Platform, Format: a.Slot.Format}
}

// Model is what a model made of the posts.
type Model struct {
	Name string `json:"name"`
	// Texts are in the order of the report's posts.
	Texts []Text `json:"texts"`
}

// Text is what became of a post.
type Text struct {
	Written bool  `json:"written"`
	Tries   []Try `json:"tries"`
	// Failed is why a call got no response that could be read; "" if all did.
	Failed string         `json:"failed,omitempty"`
	Input  int64          `json:"input_tokens"`
	Output int64          `json:"output_tokens"`
	Cost   mission.Micros `json:"cost_micros"`
}

// Try is a response of a model.
type Try struct {
	Parts  []string `json:"parts"`
	Broken []Broken `json:"broken"`
	// Wrong says why it has no text; "" if it has one.
	Wrong string `json:"wrong,omitempty"`
}

// Broken is a rule that a text breaks.
type Broken struct {
	Rule    mission.Rule `json:"rule"`
	Message string       `json:"message"`
}

// unusable is the row of the responses without a text.
const unusable = "no usable text"

// count returns how many of a model's responses on a try break a rule, and how many there are.
func (m Model) count(try int, rule string) (bad, all int) {
	for _, t := range m.Texts {
		if try >= len(t.Tries) {
			continue
		}
		all++
		is := t.Tries[try]
		if rule == unusable && is.Wrong != "" || slices.ContainsFunc(is.Broken, func(b Broken) bool { return string(b.Rule) == rule }) {
			bad++
		}
	}
	return bad, all
}

// WriteText writes the report for people: rule by rule, the cost, and the texts.
func (r Report) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name string, of func(m Model) string) {
		cells := []string{name}
		for _, m := range r.Models {
			cells = append(cells, of(m))
		}
		_, _ = fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	row("broken by the first texts, and by those written again", func(m Model) string { return m.Name })
	for _, rule := range append([]string{unusable}, names(mission.AllRules())...) {
		row("  "+rule, func(m Model) string {
			first, all := m.count(0, rule)
			again, more := m.count(1, rule)
			return fmt.Sprintf("%d/%d, %d/%d", first, all, again, more)
		})
	}
	r.totals(row)
	if err := table.Flush(); err != nil {
		return err
	}
	for i, p := range r.Posts {
		_, _ = fmt.Fprintf(w, "\n%d. %s: %s, a %s on %s\n", i+1, p.Mission, p.Objective, p.Format, p.Platform.Name())
		for _, m := range r.Models {
			m.Texts[i].write(w, m.Name)
		}
	}
	return nil
}

func names(rules []mission.Rule) []string {
	list := make([]string, len(rules))
	for i, r := range rules {
		list[i] = string(r)
	}
	return list
}

// totals writes what the models' posts took.
func (r Report) totals(row func(name string, of func(m Model) string)) {
	sum := func(m Model, of func(t Text) int64) (n int64) {
		for _, t := range m.Texts {
			n += of(t)
		}
		return n
	}
	written := func(t Text) int64 {
		if t.Written {
			return 1
		}
		return 0
	}
	cost := func(t Text) int64 { return int64(t.Cost) }
	row("posts written", func(m Model) string { return fmt.Sprintf("%d of %d", sum(m, written), len(r.Posts)) })
	row("tokens in, out", func(m Model) string {
		return fmt.Sprintf("%d, %d", sum(m, func(t Text) int64 { return t.Input }), sum(m, func(t Text) int64 { return t.Output }))
	})
	row("cost", func(m Model) string { return dollars(sum(m, cost)) })
	row("cost of a written post", func(m Model) string {
		n := sum(m, written)
		if n == 0 {
			return "-"
		}
		return dollars(sum(m, cost) / n)
	})
}

func dollars(micros int64) string { return fmt.Sprintf("$%.6f", float64(micros)/1_000_000) }

// write writes a model's text of a post: the last, and what was wrong with each.
func (t Text) write(w io.Writer, model string) {
	state := "left out"
	if t.Written {
		state = "written"
	}
	_, _ = fmt.Fprintf(w, "\n   %s: %s, %s\n", model, state, dollars(int64(t.Cost)))
	for n, try := range t.Tries {
		for _, part := range try.Parts {
			if part == "" {
				continue // of an unusable response
			}
			_, _ = fmt.Fprintf(w, "     | %s\n", strings.ReplaceAll(visible(part), "\n", "\n     | "))
		}
		if try.Wrong != "" {
			_, _ = fmt.Fprintf(w, "     %d. %s: %s\n", n+1, unusable, visible(try.Wrong))
		}
		for _, b := range try.Broken {
			_, _ = fmt.Fprintf(w, "     %d. %s: %s\n", n+1, b.Rule, visible(b.Message))
		}
	}
	if t.Failed != "" {
		_, _ = fmt.Fprintf(w, "     failed: %s\n", visible(t.Failed))
	}
}

// visible returns a text that a terminal shows as it is: control characters would direct it.
func visible(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = mission.CleanLine(line)
	}
	return strings.Join(lines, "\n")
}

package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"missiond/internal/checks"
	"missiond/internal/topic"
	"missiond/mission"
)

// material is what a post may say.
type material struct {
	// statements are in the order of the brief. If event is set, the first says when the event is that
	// the post leads up to.
	statements []passage
	event      bool
	// call is what the post asks its reader to do; nil if it asks for nothing.
	call *passage
	// site is where the post leads; "" for nowhere.
	site string
	// told are the statements that the latest posts have together, by choice.key.
	told map[string]bool
}

// mostStatements bounds the statements that a post is chosen from.
const mostStatements = 20

// newMaterial returns what the post of an assignment may say.
func newMaterial(a mission.Assignment, bar *checks.Bar, w wishes) material {
	m := material{site: siteOf(a, bar)}
	var all, calls []passage
	for _, p := range said(a) {
		twice := slices.ContainsFunc(all, func(o passage) bool { return o.sentences[0] == p.sentences[0] })
		if !twice && sayable(p, bar) && (!w.noEmoji || mission.Emoji(joined(p.sentences)) == 0) {
			all = append(all, p)
		}
	}
	used := usedTexts(a)
	weigh(all, a, used)
	for _, p := range all {
		if p.call {
			calls = append(calls, p)
		} else {
			m.statements = append(m.statements, p)
		}
	}
	if len(m.statements) == 0 { // a brief of calls only
		m.statements, calls, m.site = calls, nil, ""
	}
	m.call = nextCall(calls, used)
	m.statements = leastSaid(m.statements)
	for _, when := range whenIs(a) {
		if !m.event && sayable(when, bar) {
			m.statements, m.event = append([]passage{when}, m.statements...), true
		}
	}
	m.told = m.tellings(used)
	return m
}

// nextCall returns the call that was said least; nil if more than half of the latest posts have one, so
// that every second post asks for something.
func nextCall(calls []passage, used []string) *passage {
	asking := 0
	for _, text := range used {
		if slices.ContainsFunc(calls, func(p passage) bool { return p.in(text) }) {
			asking++
		}
	}
	if len(calls) == 0 || 2*asking > len(used) {
		return nil
	}
	next := slices.MinFunc(calls, func(p, q passage) int { return cmp.Or(cmp.Compare(p.said, q.said), cmp.Compare(q.near, p.near)) })
	return &next
}

// said returns all that the brief of an assignment says: the description, the note of the event that
// the post leads up to, and the brand's facts that hold. A brief without any of these has its objectives alone.
func said(a mission.Assignment) []passage {
	all := passages(a.Brief.Description)
	if notes := notesOf(a); len(notes) > 0 {
		all = append(all, notes[1:]...)
	}
	for _, f := range a.Holding() {
		cited := f.Cited()
		for _, p := range passages(f.Text) {
			p.fact = &cited
			all = append(all, p)
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, objective := range a.Brief.Objectives {
		all = append(all, passages(objective)...)
	}
	return all
}

// siteOf returns where the post of an assignment leads: to the address in its objective or else to
// the brand's website; "" if its rules allow neither.
func siteOf(a mission.Assignment, bar *checks.Bar) string {
	for _, field := range append(strings.Fields(a.Slot.Objective), a.Brief.Brand.Website) {
		site := strings.Trim(field, `.,;:!?()<>"'“”`)
		if (strings.HasPrefix(site, "https://") || strings.HasPrefix(site, "http://")) && sayable(passage{sentences: []string{site}}, bar) {
			return site
		}
	}
	return ""
}

// sayable reports whether a passage keeps the rules that it can keep by itself.
func sayable(p passage, bar *checks.Bar) bool {
	d := p.cite(mission.Draft{Format: mission.FormatPost, Text: mission.Tidy(mission.WithoutHidden(joined(p.sentences)))})
	whole := []mission.Rule{mission.RuleLength, mission.RuleRequiredWords, mission.RuleHashtags, mission.RuleLikeness}
	return !slices.ContainsFunc(bar.Check(d), func(f checks.Finding) bool { return !slices.Contains(whole, f.Rule) })
}

// cite returns a draft that rests on the passage's fact too.
func (p passage) cite(d mission.Draft) mission.Draft {
	if p.fact != nil && !slices.ContainsFunc(d.Facts, func(f mission.CitedFact) bool { return f.Text == p.fact.Text }) {
		d.Facts = append(d.Facts, *p.fact)
	}
	return d
}

// usedTexts returns the texts that a post must not say again. A reviewer who asks for a change may
// get the same sentences again, in another form.
func usedTexts(a mission.Assignment) []string {
	set := mission.TextSet{}
	for text := range a.UsedTexts {
		set.Add(text)
	}
	if a.Original != nil {
		set.Add(a.Original.FullText())
	}
	if a.Instructions == "" {
		set.Add(a.Replaced...)
	} else {
		set.Remove(a.Replaced...)
	}
	texts := make([]string, 0, len(set))
	for text := range set {
		texts = append(texts, text)
	}
	return texts
}

// in reports whether a normalized text has the passage.
func (p passage) in(text string) bool {
	return strings.Contains(text, strings.ToLower(spaced(p.sentences[0])))
}

// weigh sets how often the passages were said, and how near they are to what the post is about.
func weigh(all []passage, a mission.Assignment, used []string) {
	about := a.Slot.Objective + " " + a.Instructions
	if o := a.Slot.Occasion; o != nil {
		about += " " + o.Name + " " + o.Note
	}
	having, of := map[string]int{}, make([]map[string]bool, len(all))
	for i, p := range all {
		of[i] = stems(joined(p.sentences))
		for stem := range of[i] {
			having[stem]++
		}
	}
	sought := stems(about)
	for i := range all {
		for stem := range of[i] {
			if sought[stem] {
				all[i].near += 1 / float64(having[stem])
			}
		}
		for _, text := range used {
			if all[i].in(text) {
				all[i].said++
			}
		}
	}
}

// stems returns the beginnings of the longer words of a text, by which texts are compared in any
// language.
func stems(text string) map[string]bool {
	const shortest, longest = 4, 5 // characters
	found := map[string]bool{}
	for _, w := range mission.Words(text) {
		if n := utf8.RuneCountInString(w); n >= shortest {
			found[string([]rune(w)[:min(n, longest)])] = true
		}
	}
	return found
}

// leastSaid returns at most mostStatements of statements, in their order.
func leastSaid(all []passage) []passage {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(all[i].said, all[j].said), cmp.Compare(all[j].near, all[i].near))
	})
	order = order[:min(len(order), mostStatements)]
	slices.Sort(order)
	kept := make([]passage, len(order))
	for to, from := range order {
		kept[to] = all[from]
	}
	return kept
}

// notesOf returns what the brief says about the event that a post leads up to.
func notesOf(a mission.Assignment) []passage {
	if a.Slot.Occasion == nil {
		return nil
	}
	return passages(a.Slot.Occasion.Note)
}

// whenIs returns the passages that say when the event is that the post leads up to, the best first: one
// with what the brief says about it, and one without.
func whenIs(a mission.Assignment) []passage {
	o := a.Slot.Occasion
	if o == nil {
		return nil
	}
	language := topic.Language(a.Brief.Description + " " + o.Note)
	if stated := a.Brief.Constraints.Language; stated != nil {
		language = mission.BaseLanguage(*stated)
	}
	when := passage{sentences: []string{spaced(o.Name) + ", " + days(language, o.StartsOn, o.EndsOn) + "."}}
	if notes := notesOf(a); len(notes) > 0 {
		return []passage{{sentences: append(slices.Clone(when.sentences), notes[0].sentences...)}, when}
	}
	return []passage{when}
}

// days returns the days of an event for the readers of a language; as they are for one without names of
// the months.
func days(language, first, last string) string {
	months := lists["months "+language]
	from, err := time.Parse(time.DateOnly, first)
	to, err2 := time.Parse(time.DateOnly, last)
	day := func(at time.Time, month bool) string {
		text := fmt.Sprint(at.Day())
		if language == "de" {
			text += "."
		}
		if language == "es" && month {
			text += " de"
		}
		if month {
			text += " " + months[at.Month()-1]
		}
		return text
	}
	switch {
	case err != nil || err2 != nil || len(months) == 0:
		return first + map[bool]string{true: " – " + last}[first != last]
	case first == last:
		return day(from, true)
	}
	if sameMonth := from.Month() == to.Month() && from.Year() == to.Year(); sameMonth {
		return day(from, false) + "–" + day(to, true)
	}
	return day(from, true) + " – " + day(to, true)
}

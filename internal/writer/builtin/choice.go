package builtin

import (
	"cmp"
	"fmt"
	"slices"

	"missiond/mission"
)

// choice is the statements of a post, by their indexes, in order.
type choice []int

func (c choice) key() string { return fmt.Sprint([]int(c)) }

// tellings returns the choices that texts have.
func (m material) tellings(texts []string) map[string]bool {
	told := map[string]bool{}
	for _, text := range texts {
		var c choice
		for i, p := range m.statements {
			if p.in(text) {
				c = append(c, i)
			}
		}
		told[c.key()] = true
	}
	return told
}

// mostTried bounds the choices of which posts are made.
const mostTried = 200

// choices returns the choices of at most a number of statements that the latest posts don't have, the
// best first: what was said least, what opens as no other post of the mission does, what says more,
// what is nearest to the subject, and what stands closest together in the brief.
func (m material) choices(most int, openings mission.TextSet) []choice {
	var all []choice
	add := func(c choice) {
		if !m.told[c.key()] {
			all = append(all, c)
		}
	}
	switch {
	case m.event && len(m.statements) == 1:
		add(choice{0})
	case m.event:
		m.combine(choice{0}, most, add)
	default:
		m.combine(nil, most, add)
	}
	ranks := map[string]rank{}
	for _, c := range all {
		ranks[c.key()] = m.rank(c, openings)
	}
	slices.SortStableFunc(all, func(c, d choice) int { return ranks[c.key()].compare(ranks[d.key()]) })
	return all[:min(len(all), mostTried)]
}

// combine calls add with a choice extended by one to most later statements, each in turn.
func (m material) combine(c choice, most int, add func(choice)) {
	if most == 0 {
		return
	}
	next := 0
	if len(c) > 0 {
		next = c[len(c)-1] + 1
	}
	for i := next; i < len(m.statements); i++ {
		longer := append(slices.Clone(c), i)
		add(longer)
		m.combine(longer, most-1, add)
	}
}

// rank is how good a choice is.
type rank struct {
	said   int
	opened int // 1 if another post opens so
	length int
	near   float64
	apart  int
}

func (m material) rank(c choice, openings mission.TextSet) rank {
	r := rank{length: len(c), apart: c[len(c)-1] - c[0]}
	for _, i := range c {
		r.said, r.near = max(r.said, m.statements[i].said), r.near+m.statements[i].near
	}
	if openings.Has(mission.Opening(joined(m.statements[c[0]].sentences))) {
		r.opened = 1
	}
	return r
}

func (r rank) compare(o rank) int {
	return cmp.Or(
		cmp.Compare(r.said, o.said), cmp.Compare(r.opened, o.opened), cmp.Compare(o.length, r.length), cmp.Compare(o.near, r.near), cmp.Compare(r.apart, o.apart),
	)
}

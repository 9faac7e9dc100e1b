package simulation

import (
	"fmt"
	"slices"
)

// paths are the states to which a post may go, by what is done with it and the state before
// (decisions, "Content"): "" is what the service does by itself. What isn't named changes no state.
var paths = map[string]map[string][]string{
	"": {
		"pending_review": {"expired", "canceled"},
		"approved":       {"scheduled", "pending_review", "canceled", "failed"},
		"scheduled":      {"publishing", "pending_review", "canceled", "failed"},
		"publishing":     {"scheduled", "published", "unknown", "failed"},
		"unknown":        {"scheduled", "published", "failed"},
	},
	"approve":    {"pending_review": {"approved"}},
	"reject":     {"pending_review": {"rejected"}},
	"edit":       newText,
	"regenerate": newText,
	"cancel":     {"pending_review": {"canceled"}, "approved": {"canceled"}, "scheduled": {"canceled"}},
	"reopen": {
		"approved": {"pending_review"}, "scheduled": {"pending_review"}, "rejected": {"pending_review"},
		"failed": {"pending_review"}, "expired": {"pending_review"}, "canceled": {"pending_review"},
	},
	"settle": {"unknown": {"published", "scheduled"}},
}

// newText is where a new text leads: it is reviewed anew where its mission wants that.
var newText = map[string][]string{
	"pending_review": {"approved"}, "approved": {"pending_review"}, "scheduled": {"approved", "pending_review"},
	"rejected": {"approved", "pending_review"}, "failed": {"approved", "pending_review"},
}

// reach returns the states in which a post may be that was in one, by what may have been done with it
// since.
func reach(state string, done map[string]bool) map[string]bool {
	all, todo := map[string]bool{state: true}, []string{state}
	for len(todo) > 0 {
		from := todo[0]
		todo = todo[1:]
		next := slices.Clone(paths[""][from])
		for op := range done {
			next = append(next, paths[op][from]...)
		}
		for _, to := range next {
			if !all[to] {
				all[to] = true
				todo = append(todo, to)
			}
		}
	}
	return all
}

// checkPath: posts go where their states lead, since the audit before.
func (a *audit) checkPath(p *postRow) {
	model, done := a.people.model, map[string]bool{}
	known := model.posts[p.id]
	if known != nil {
		done = known.done
	}
	if before := model.found[p.id]; before != "" {
		all := reach(before, done)
		a.hold(all[p.status], "posts go where their states lead", p.id, fmt.Sprintf("one of %v, after %s and %v", sorted(all), before, sorted(done)), p.status)
	}
	model.found[p.id] = p.status
	for op := range done { // what a writer is asked for comes later
		if op != "regenerate" && !slices.ContainsFunc(known.pending, func(c *postChange) bool { return c.op == op }) {
			delete(done, op)
		}
	}
}

// mayChange checks that a change which was acknowledged is one that the post's state allows.
func (p *postModel) mayChange(op string, a answer) {
	before := p.model.found[p.id]
	if before == "" || paths[op] == nil {
		return
	}
	all := reach(before, p.done)
	for state := range all {
		if paths[op][state] != nil {
			return
		}
	}
	p.model.s.found("a change is refused that the state doesn't allow", op+" "+p.id, fmt.Sprintf("a conflict, being one of %v", sorted(all)), fmt.Sprintf("%d %s", a.status, a.body))
}

package simulation

import (
	"fmt"
	"maps"
	"net/http"
	"time"
)

// model says what each answer may be, and in which states missions and posts may be, by the
// interface and the decisions alone.
type model struct {
	s        *sim
	missions map[string]*missionModel
	order    []string
	posts    map[string]*postModel
	// found are the states in which the last audit found posts, by id.
	found map[string]string
	// made are the texts of posts that clients wrote, by id.
	made map[string]string
	// comments are those of clients, by id.
	comments map[string]knownComment
	// answers has the last answer to each reply, by the reply's id.
	answers map[string]knownAnswer
}

// knownComment is a comment on a post that was acknowledged.
type knownComment struct{ post, text string }

func newModel(s *sim) *model {
	return &model{s: s, missions: map[string]*missionModel{}, posts: map[string]*postModel{}, found: map[string]string{}, made: map[string]string{}, comments: map[string]knownComment{}, answers: map[string]knownAnswer{}}
}

// moves are the states to which an operation leads, by the state before (decisions,
// "Mission").
var moves = map[string]map[string]string{
	"start":    {"draft": "active"},
	"pause":    {"active": "paused"},
	"resume":   {"paused": "active"},
	"complete": {"active": "completed", "paused": "completed"},
	"delete":   {"draft": "gone", "paused": "gone", "completed": "gone"},
	// Of a tenant's hold, which is modeled as a mission that is free or held.
	"hold":    {"free": "held", "held": "held"},
	"release": {"held": "free"},
}

// missionModel is what is known of a mission that was acknowledged.
type missionModel struct {
	model    *model
	of       *tenant
	id, name string
	days     int
	approval bool
	// needs is how many approvals its autonomy is earned by, 0 if it has none.
	needs    int
	blackout pauseSpan
	// links reports whether its links get parameters, tracks where they lead through the service.
	links  bool
	tracks []string
	starts time.Time
	// ends is the earliest that the mission may end by itself.
	ends time.Time
	// can has the states that it may be in, but for what time and the pending changes do.
	can     map[string]bool
	pending []*missionChange
	// pauses are when it was certainly paused: the last one's end is zero while it lasts.
	pauses []pauseSpan
	// updated reports whether it may have other days or posts than at first.
	updated bool
	tried   int
}

// pauseSpan is a time in which a mission was certainly paused.
type pauseSpan struct{ from, to time.Time }

// missionChange is a request that changes a mission's state, and may be under way.
type missionChange struct {
	op string
	// seen are the states that the mission may have been in since it was sent.
	seen     map[string]bool
	overlaps map[*missionChange]bool
}

// earliestEnd returns the earliest that the mission may end by itself if it is started at a time.
func (m *missionModel) earliestEnd(start time.Time) time.Time {
	return start.Add(time.Duration(m.days)*24*time.Hour - 26*time.Hour)
}

func (m *model) add(mission *missionModel) {
	mission.model = m
	m.missions[mission.id] = mission
	m.order = append(m.order, mission.id)
}

// clockSlack is how wrong an instance's clock may be.
const clockSlack = jump + drift

// closure returns the states that may have come of some by now.
func (m *missionModel) closure(of map[string]bool) map[string]bool {
	ops := []string{}
	for _, c := range m.pending {
		ops = append(ops, c.op)
	}
	return m.after(of, ops)
}

func (m *missionModel) after(of map[string]bool, ops []string) map[string]bool {
	all := maps.Clone(of)
	now := time.Now()
	for {
		n := len(all)
		for _, s := range sorted(all) {
			for _, op := range ops {
				if to := moves[op][s]; to != "" {
					all[to] = true
				}
			}
			if s == "draft" && !m.starts.IsZero() && !now.Before(m.starts.Add(-clockSlack)) {
				all["active"] = true
			}
			if s == "active" && !now.Before(m.ends.Add(-clockSlack)) {
				all["completed"] = true
			}
			if m.of.held { // a task pauses missions for the hold, or resumes them, sooner or later
				all["paused"] = all["paused"] || s == "active"
				all["active"] = all["active"] || s == "paused"
			}
		}
		if len(all) == n {
			return all
		}
	}
}

// unended reports whether the mission may still go on.
func (m *missionModel) unended() bool {
	all := m.closure(m.can)
	return all["draft"] || all["paused"] || all["active"] && m.tried > 0
}

// begin records that a change was sent.
func (m *missionModel) begin(op string) *missionChange {
	c := &missionChange{op: op, seen: m.closure(m.can), overlaps: map[*missionChange]bool{}}
	if n := len(m.pauses); n > 0 && m.pauses[n-1].to.IsZero() {
		m.pauses[n-1].to = time.Now()
	}
	for _, p := range m.pending {
		p.overlaps[c], c.overlaps[p] = true, true
	}
	m.pending = append(m.pending, c)
	for _, p := range m.pending {
		maps.Copy(p.seen, m.closure(m.can))
	}
	return c
}

// end records how a change ended.
func (m *missionModel) end(c *missionChange, a answer) {
	maps.Copy(c.seen, m.closure(m.can))
	m.can = m.closure(m.can)
	for i, p := range m.pending {
		if p == c {
			m.pending = append(m.pending[:i:i], m.pending[i+1:]...)
			break
		}
	}
	what := c.op + " " + m.id
	states := fmt.Sprint(sorted(c.seen))
	switch a.outcome {
	case unknown:
		return
	case done:
		to := ""
		for _, s := range sorted(c.seen) {
			if moves[c.op][s] != "" {
				to = moves[c.op][s]
			}
		}
		if to == "" {
			m.model.s.found("a change is refused that the state doesn't allow", what, "a conflict, being one of "+states, fmt.Sprintf("%d %s", a.status, a.body))
			return
		}
		ops := []string{}
		for p := range c.overlaps {
			ops = append(ops, p.op)
		}
		m.can = m.after(map[string]bool{to: true}, ops)
		if (to == "paused" || to == "held") && len(c.overlaps) == 0 {
			m.pauses = append(m.pauses, pauseSpan{from: time.Now()})
		}
	case declined:
		var refuses map[string]bool
		switch a.status {
		case http.StatusNotFound:
			refuses = map[string]bool{"gone": true}
		case http.StatusConflict:
			refuses = map[string]bool{"draft": true, "active": true, "paused": true, "completed": true}
			refuses["free"] = true
			for s := range moves[c.op] {
				delete(refuses, s)
			}
			if c.op == "resume" && m.of.held {
				refuses["paused"] = true
			}
		default:
			m.model.s.found("changes are refused as decided", what, "404 or 409", fmt.Sprintf("%d %s", a.status, a.body))
			return
		}
		m.narrow(c, refuses, what, a)
	}
}

// narrow records that a change was refused, which only some states do.
func (m *missionModel) narrow(c *missionChange, refuses map[string]bool, what string, a answer) {
	for s := range c.seen {
		if !refuses[s] {
			continue
		}
		if len(c.overlaps) == 0 {
			left := maps.Clone(m.can)
			for s := range left {
				if !refuses[s] {
					delete(left, s)
				}
			}
			if len(left) > 0 {
				m.can = left
			}
		}
		return
	}
	m.model.s.found("a change is made that the state allows", what, "success, being one of "+fmt.Sprint(sorted(c.seen)), fmt.Sprintf("%d %s", a.status, a.body))
}

// mayBe checks that a mission may be in a state that an answer means.
func (m *missionModel) mayBe(state, why string) {
	if all := m.closure(m.can); !all[state] {
		m.model.s.found("nothing acknowledged is lost", m.id, fmt.Sprint(sorted(all)), state+" by "+why)
	}
}

// postModel is what is known of a post.
type postModel struct {
	model       *model
	id, mission string
	pending     []*postChange
	// last is the last change, if nothing else can have happened since.
	last string
	text string
	// approvals counts those that were sent.
	approvals int
	// settled reports whether a person may have said what became of it.
	settled bool
	// done are the changes that may have been made since the last audit.
	done map[string]bool
}

type postChange struct {
	op      string
	crossed bool
}

// post returns what is known of a post.
func (m *model) post(id, mission string) *postModel {
	p := m.posts[id]
	if p == nil {
		p = &postModel{model: m, id: id, mission: mission, done: map[string]bool{}}
		m.posts[id] = p
	}
	return p
}

func (p *postModel) begin(op string) *postChange {
	c := &postChange{op: op, crossed: len(p.pending) > 0}
	for _, o := range p.pending {
		o.crossed = true
	}
	p.pending = append(p.pending, c)
	p.done[op] = true
	p.settled = p.settled || op == "settle"
	if op == "approve" {
		p.approvals++
	}
	return c
}

// allowed are the statuses that requests about posts may have.
var allowed = map[int]bool{200: true, 400: true, 404: true, 409: true, 503: true, 0: true}

func (p *postModel) end(c *postChange, a answer, shown shownPost) {
	for i, o := range p.pending {
		if o == c {
			p.pending = append(p.pending[:i:i], p.pending[i+1:]...)
			break
		}
	}
	if !allowed[a.status] {
		p.model.s.found("posts are refused as decided", c.op+" "+p.id, "200, 400, 404 or 409", fmt.Sprintf("%d %s", a.status, a.body))
	}
	if a.outcome == done {
		p.mayChange(c.op, a)
	}
	switch {
	case a.outcome == declined:
		if a.status == http.StatusNotFound {
			if m := p.model.missions[p.mission]; m != nil {
				m.mayBe("gone", c.op+" of "+p.id)
			}
		}
	case a.outcome == unknown || c.crossed:
		p.last = ""
	default:
		p.last, p.text = c.op, shown.Text
		p.model.s.count(c.op + " acknowledged")
	}
}

// keeps returns the states in which a post may be after its last change alone, whatever the
// pipeline has done since; nil if any.
func (p *postModel) keeps() []string {
	switch p.last {
	case "reject":
		return []string{"rejected"}
	case "cancel":
		return []string{"canceled"}
	case "approve":
		return []string{"approved", "scheduled", "publishing", "published", "unknown", "failed", "canceled", "expired"}
	}
	return nil
}

package simulation

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// reader reads the database beside the instances, without their code.
type reader struct{ db *sql.DB }

func newReader(path string) (*reader, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=query_only(1)&_pragma=journal_mode(WAL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &reader{db}, db.Ping()
}

// rows calls scan with each row of a query.
func (s *sim) rows(query string, scan func(scan func(...any))) {
	rows, err := s.reader.db.QueryContext(context.Background(), query)
	if err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		scan(func(to ...any) {
			if err := rows.Scan(to...); err != nil {
				s.t.Fatalf("%s: %v", query, err)
			}
		})
	}
	if err := rows.Err(); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
}

// when is a time, as SQLite has it.
type when struct {
	time.Time
	Valid bool
}

// Scan implements sql.Scanner.
func (w *when) Scan(v any) (err error) {
	switch v := v.(type) {
	case nil:
		*w = when{}
	case time.Time:
		*w = when{v, true}
	case string:
		w.Valid = true
		w.Time, err = time.Parse("2006-01-02 15:04:05.999999999-07:00", v)
	default:
		err = fmt.Errorf("a time is %T", v)
	}
	return err
}

// ledger is when the ledger's next things are due, read again once something was committed.
type ledger struct {
	read            bool
	task, lease     time.Time
	hasTask, leased bool
}

func (s *sim) look() *ledger {
	if s.dirty || !s.ledger.read {
		s.dirty = false
		s.ledger = ledger{read: true}
		s.rows("SELECT ring_at FROM tasks WHERE state = 'waiting' ORDER BY ring_at LIMIT 1", func(scan func(...any)) {
			var at when
			scan(&at)
			s.ledger.task, s.ledger.hasTask = at.Time, true
		})
		s.rows("SELECT lease_until FROM tasks WHERE state = 'running' ORDER BY lease_until LIMIT 1", func(scan func(...any)) {
			var until when
			scan(&until)
			s.ledger.lease, s.ledger.leased = until.Time, true
		})
	}
	return &s.ledger
}

// due reports whether a task is to be dispatched.
func (s *sim) due(now time.Time) bool {
	l := s.look()
	return !s.dispatching && l.hasTask && !l.task.After(now.Add(s.slowest()))
}

// slowest returns how far the clock is behind that is furthest behind: before then no instance
// dispatches a task.
func (s *sim) slowest() time.Duration {
	least := time.Hour
	for _, i := range s.instances {
		if i.alive() {
			least = min(least, i.ahead)
		}
	}
	return least
}

func (s *sim) nextTask() (time.Time, bool) {
	l := s.look()
	return l.task.Add(-s.slowest()), l.hasTask && !s.dispatching
}

func (s *sim) needsSweep() bool {
	l := s.look()
	return l.leased && time.Now().After(l.lease)
}

// atRest reports whether nothing is under way and nothing is left to do.
func (s *sim) atRest() bool {
	s.mu.Lock()
	idle := len(s.parked)+len(s.arrived) == 0 && len(s.ready) == 0 && len(s.ended) == 0
	s.mu.Unlock()
	l := s.look()
	return s.over && idle && !s.dispatching && s.people.busy == 0 && !l.hasTask && !l.leased && len(s.people.rest()) == 0
}

// quiet reports whether no transaction and no call is under way.
func (s *sim) quiet() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.instances {
		if i.runs > 0 {
			return false
		}
	}
	return len(s.parked)+len(s.arrived) == 0 && s.people.busy == 0 && !s.dispatching
}

// finished has the API compared with the database and audits the end, and reports whether the
// simulation is over.
func (p *people) finished() bool {
	if p.agreed < len(p.tenants) {
		t := p.tenants[p.agreed]
		p.agreed++
		p.begin((&client{p: p, s: p.s, r: p.s.keyed("agree", uint64(t.n)), tenant: t}).agree)
		return false
	}
	p.s.audit(true)
	return true
}

// agree compares what lists, views and exports say with the rows.
func (c *client) agree() {
	count := func(query string) (n int) {
		c.s.rows(query, func(scan func(...any)) { scan(&n) })
		return n
	}
	of := "'" + c.tenant.id + "'"
	queries := map[string]string{
		"/v1/missions?limit=3":                   "SELECT count(*) FROM missions WHERE tenant_id = " + of,
		"/v1/missions?status=completed&limit=3":  "SELECT count(*) FROM missions WHERE status = 'completed' AND tenant_id = " + of,
		"/v1/content?limit=50":                   "SELECT count(*) FROM contents WHERE tenant_id = " + of,
		"/v1/content?limit=50&status=published":  "SELECT count(*) FROM contents WHERE status = 'published' AND tenant_id = " + of,
		"/v1/content?limit=50&platform=linkedin": "SELECT count(*) FROM contents WHERE platform = 'linkedin' AND tenant_id = " + of,
	}
	for _, path := range sorted(queries) {
		want, seen := count(queries[path]), 0
		var total int
		for after := ""; ; {
			a := c.once(http.MethodGet, path+after, nil, "")
			var list struct {
				Data    []struct{ ID string }
				HasMore bool `json:"has_more"`
				Total   int
			}
			a.read(&list)
			seen, total = seen+len(list.Data), list.Total
			if !list.HasMore || len(list.Data) == 0 {
				break
			}
			after = "&starting_after=" + list.Data[len(list.Data)-1].ID
		}
		if seen != want || total != want {
			c.s.found("lists agree with the rows", path, fmt.Sprint(want), fmt.Sprintf("%d, of a total of %d", seen, total))
		}
	}
	a := c.once(http.MethodGet, "/v1/analytics/export?format=ndjson", nil, "")
	rows := count("SELECT count(*) FROM contents WHERE status = 'published' AND measured_at IS NOT NULL AND tenant_id = " + of)
	posts := map[string]bool{}
	for line := range strings.Lines(string(a.body)) {
		var row struct {
			ContentID string `json:"content_id"`
		}
		if json.Unmarshal([]byte(line), &row) == nil && row.ContentID != "" {
			posts[row.ContentID] = true
		}
	}
	if len(posts) != rows {
		c.s.found("exports agree with the rows", c.tenant.id, fmt.Sprint(rows), len(posts))
	}
}

func webhookSignature(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte(timestamp + "."))
	_, _ = mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

type missionRow struct {
	id, tenant, name, status                 string
	generated, pending, published, scheduled int
	reserved, spent                          int64
	budget                                   sql.NullInt64
	starts, ends                             when
}

type postRow struct {
	id, tenant, mission, platform, status, body string
	parts                                       []string
	scheduled, published                        when
	platformID                                  string
	origin                                      string
	created                                     when
	restsOn                                     []restedOn
	links                                       []sentLink
}

// restedOn is an approval of another post by which one goes out without review.
type restedOn struct {
	Post string    `json:"content_id"`
	At   time.Time `json:"approved_at"`
}

type reviewRow struct {
	post, mission, decision, origin string
	revision                        int
	at                              when
}

type eventRow struct {
	id, tenant, mission, kind string
	seq                       int64
	at                        when
	body                      string
	content, job, stage       string
}

// audit compares the database with what was promised: at a quiet instant, or at the end.
func (s *sim) audit(final bool) {
	s.count("audit")
	a := &audit{sim: s, missions: map[string]*missionRow{}, posts: map[string]*postRow{}, events: map[string][]eventRow{}}
	a.load()
	a.checkMissions(final)
	a.checkPosts(final)
	a.checkDays(final)
	a.checkReviews()
	a.checkEvents()
	a.checkTotals()
	a.checkMoney(final)
	a.checkPlatforms(final)
	a.checkBrand()
	a.checkReplies(final)
	a.checkDeliveries(final)
	a.checkTasks(final)
}

type audit struct {
	*sim

	missions map[string]*missionRow
	posts    map[string]*postRow
	events   map[string][]eventRow // by mission
	reviews  []reviewRow
	log      []eventRow
}

func (a *audit) load() {
	a.rows(`SELECT id, tenant_id, name, status, generated, pending_review, published, scheduled,
		reserved_micros, spent_micros, constraints->>'budget_cents', starts_at, ends_at FROM missions`, func(scan func(...any)) {
		m := &missionRow{}
		scan(&m.id, &m.tenant, &m.name, &m.status, &m.generated, &m.pending, &m.published, &m.scheduled, &m.reserved, &m.spent, &m.budget, &m.starts, &m.ends)
		a.missions[m.id] = m
	})
	a.rows(`SELECT id, tenant_id, mission_id, platform, status, body, parts, scheduled_at, published_at,
		COALESCE(platform_post_id, ''), origin, created_at, COALESCE(rests_on, '[]'), COALESCE(outgoing->>'links', '[]') FROM contents`, func(scan func(...any)) {
		p, parts, rests, links := &postRow{}, "", "", ""
		scan(&p.id, &p.tenant, &p.mission, &p.platform, &p.status, &p.body, &parts, &p.scheduled, &p.published, &p.platformID, &p.origin, &p.created, &rests, &links)
		_ = json.Unmarshal([]byte(links), &p.links)
		_ = json.Unmarshal([]byte(rests), &p.restsOn)
		_ = json.Unmarshal([]byte(parts), &p.parts)
		a.posts[p.id] = p
	})
	a.rows(`SELECT r.content_id, c.mission_id, r.decision, c.origin, r.revision, r.created_at FROM content_reviews AS r
		JOIN contents AS c ON c.id = r.content_id`, func(scan func(...any)) {
		r := reviewRow{}
		scan(&r.post, &r.mission, &r.decision, &r.origin, &r.revision, &r.at)
		a.reviews = append(a.reviews, r)
	})
	a.rows(`SELECT id, tenant_id, mission_id, type, seq, created_at, body FROM events ORDER BY tenant_id, seq`, func(scan func(...any)) {
		e := eventRow{}
		scan(&e.id, &e.tenant, &e.mission, &e.kind, &e.seq, &e.at, &e.body)
		var body struct {
			Data struct {
				Content string `json:"content_id"`
				Job     string `json:"job_id"`
				Stage   string
			}
		}
		_ = json.Unmarshal([]byte(e.body), &body)
		e.content, e.job, e.stage = body.Data.Content, body.Data.Job, body.Data.Stage
		a.events[e.mission] = append(a.events[e.mission], e)
		a.log = append(a.log, e)
	})
}

// hold adds a finding unless ok.
func (a *audit) hold(ok bool, check, id, want string, is any) {
	if !ok {
		a.found(check, id, want, is)
	}
}

// checkMissions: what was acknowledged is there, in a state that it can be in.
func (a *audit) checkMissions(final bool) {
	names := map[string][]string{}
	for _, m := range a.missions {
		names[m.tenant+m.name] = append(names[m.tenant+m.name], m.id)
	}
	for _, list := range names {
		slices.Sort(list)
		a.hold(len(list) == 1, "nothing is created twice", list[0], "one mission of its name", list)
	}
	for id, known := range a.people.model.missions {
		can, row := known.closure(known.can), a.missions[id]
		status := "gone"
		if row != nil {
			status = row.status
		}
		a.hold(can[status], "nothing acknowledged is lost", id, fmt.Sprint(sorted(can)), status)
		if row != nil {
			a.hold(row.tenant == known.of.id && row.name == known.name, "nothing acknowledged is lost", id, known.name, row.name)
			if final && row.starts.Valid && row.ends.Valid {
				a.people.missionDays += float64(known.days)
			}
		}
	}
	for _, m := range a.missions {
		draft := m.status == "draft" && a.people.model.missions[m.id] == nil // which nobody knows
		a.hold(!final || m.status == "completed" || draft, "every mission comes to rest", m.id, "completed", m.status)
	}
}

// underWay is for how long a call may go on that began before a pause, and may be repeated by
// its platform's clock.
const underWay = 5 * time.Minute

// checkPosts: counters are what the rows are, posts keep what was decided about them.
func (a *audit) checkPosts(final bool) {
	type counts struct{ generated, pending, published, scheduled int }
	of, slots := map[string]*counts{}, map[string]string{}
	for _, id := range sorted(a.posts) {
		p := a.posts[id]
		n := of[p.mission]
		if n == nil {
			n = &counts{}
			of[p.mission] = n
		}
		n.generated++
		switch p.status {
		case "pending_review":
			n.pending++
		case "published":
			n.published++
		case "scheduled":
			n.scheduled++
		}
		a.checkPath(p)
		m := a.missions[p.mission]
		if m == nil {
			a.found("a post has its mission", p.id, p.mission, "none")
			continue
		}
		a.hold(m.tenant == p.tenant, "tenants are sealed", p.id, m.tenant, p.tenant)
		if p.scheduled.Valid && !slices.Contains([]string{"canceled", "rejected", "expired", "failed"}, p.status) {
			slot := p.mission + p.scheduled.Time.String()
			a.hold(slots[slot] == "", "one post a slot", p.id, "a slot of its own", slots[slot])
			slots[slot] = p.id
		}
		if p.status == "published" && p.scheduled.Valid && p.published.Valid {
			// The rest of a thread that a person has sent again has a slot of its own.
			known := a.people.model.posts[id]
			again := known != nil && known.settled && len(p.parts) > 0
			a.hold(again || !p.published.Time.Before(p.scheduled.Time.Add(-clockSlack)), "nothing is out before its slot", p.id, p.scheduled.Time.String(), p.published.Time)
		}
		if known := a.people.model.missions[p.mission]; known != nil && p.status == "published" && p.published.Valid {
			for _, span := range slices.Concat(known.pauses, known.of.hold.pauses) {
				paused := p.published.Time.After(span.from.Add(underWay)) && (span.to.IsZero() || p.published.Time.Before(span.to.Add(-clockSlack)))
				a.hold(!paused, "nothing is published in a pause or on hold", p.id, fmt.Sprintf("nothing from %s to %s", span.from.Sub(a.began), span.to.Sub(a.began)), p.published.Time.Sub(a.began))
			}
		}
		a.hold(!final || slices.Contains([]string{"published", "rejected", "failed", "expired", "canceled", "unknown"}, p.status), "every post comes to rest", p.id, "settled", p.status)
		a.hold(!final || p.status != "published" || p.platformID != "" || a.nameless(p), "a published post has its id", p.id, "the platform's", "none")
	}
	for id, m := range a.missions {
		n := of[id]
		if n == nil {
			n = &counts{}
		}
		got := counts{m.generated, m.pending, m.published, m.scheduled}
		a.hold(got == *n, "counters agree with the rows", id, fmt.Sprintf("%+v", *n), fmt.Sprintf("%+v", got))
	}
	for id, known := range a.people.model.posts {
		row := a.posts[id]
		if row == nil || len(known.pending) > 0 {
			continue
		}
		if keeps := known.keeps(); keeps != nil && a.missions[row.mission].status != "completed" {
			back := known.last == "approve" && row.status == "pending_review" && a.people.takesBack(row)
			a.hold(back || slices.Contains(keeps, row.status), "nothing acknowledged is lost", id, known.last+" holds", row.status)
		}
		if known.last == "edit" {
			a.hold(row.body == known.text, "nothing acknowledged is lost", id, known.text, row.body)
		}
	}
	for id, text := range a.people.model.made {
		if row := a.posts[id]; row != nil && a.people.model.posts[id] == nil {
			a.hold(row.body == text, "nothing acknowledged is lost", id, text, row.body)
		}
	}
}

// checkReviews: what goes out without review rests on approvals, and on nothing that has ended; no
// post with a slot in a blackout goes out in it; comments are there once.
func (a *audit) checkReviews() {
	for _, id := range sorted(a.posts) {
		p := a.posts[id]
		known := a.people.model.missions[p.mission]
		if known == nil {
			continue
		}
		if dark := known.blackout; p.status == "published" && p.scheduled.Valid && !dark.from.IsZero() {
			within := func(t time.Time) bool {
				return t.After(dark.from.Add(clockSlack)) && t.Before(dark.to.Add(-clockSlack))
			}
			a.hold(!within(p.scheduled.Time) || !within(p.published.Time), "nothing is published in a blackout", id, "another time", p.published.Time)
		}
		if len(p.restsOn) > 0 {
			a.checkUnreviewed(p, known)
		}
	}
	texts := map[string]int{}
	bodies := map[string]string{}
	a.rows("SELECT id, body FROM review_comments", func(scan func(...any)) {
		var id, body string
		scan(&id, &body)
		bodies[id] = body
		texts[body]++
	})
	for _, text := range sorted(texts) {
		a.hold(texts[text] == 1, "nothing is created twice", text, "one comment", texts[text])
	}
	for id, c := range a.people.model.comments {
		a.hold(a.posts[c.post] == nil || bodies[id] == c.text, "nothing acknowledged is lost", id, c.text, bodies[id])
	}
}

// checkUnreviewed checks a post that goes out without review.
func (a *audit) checkUnreviewed(p *postRow, known *missionModel) {
	const promise = "what goes out without review rests on approvals"
	a.count("unreviewed " + p.status)
	a.hold(known.needs > 0 && len(p.restsOn) >= known.needs && p.origin == "writer", promise, p.id, fmt.Sprint(known.needs), len(p.restsOn))
	for _, r := range p.restsOn {
		there := slices.ContainsFunc(a.reviews, func(v reviewRow) bool {
			return v.post == r.Post && v.mission == p.mission && v.decision == "approved" && v.revision == 1 && v.at.Time.Equal(r.At)
		})
		a.hold(there, promise, p.id, "the approval of "+r.Post, "none")
	}
	if p.status != "published" {
		return
	}
	ended := func(at time.Time) bool {
		return at.After(p.created.Time.Add(clockSlack)) && at.Before(p.published.Time.Add(-underWay-clockSlack))
	}
	for _, v := range a.reviews {
		a.hold(v.mission != p.mission || v.origin != "writer" || v.decision != "rejected" || !ended(v.at.Time), promise, p.id, "none after a rejection", v.post)
	}
	for _, span := range known.of.hold.pauses {
		a.hold(!ended(span.from), promise, p.id, "none after a hold", span.from)
	}
	for _, b := range known.of.bans.sure {
		a.hold(!ended(b.from), promise, p.id, "none after a change of the brand", b.from)
	}
}

// lives are the states of a mission after an event, by the state before.
var lives = map[string]map[string]string{
	"":       {"mission.created": "draft"},
	"draft":  {"mission.started": "active"},
	"active": {"mission.paused": "paused", "mission.completed": "completed"},
	"paused": {"mission.resumed": "active", "mission.completed": "completed"},
}

// checkEvents: each change has its event, once and in order.
func (a *audit) checkEvents() {
	seqs, ids := map[string]int64{}, map[string]bool{}
	for _, e := range a.log {
		seqs[e.tenant]++
		a.hold(e.seq == seqs[e.tenant], "the log has no gaps", e.id, fmt.Sprint(seqs[e.tenant]), e.seq)
		seqs[e.tenant] = e.seq
		a.hold(!ids[e.id], "an event is there once", e.id, "once", "twice")
		ids[e.id] = true
	}
	a.rows("SELECT tenant_id, n FROM counters WHERE name = 'event_seq'", func(scan func(...any)) {
		tenant, n := "", int64(0)
		scan(&tenant, &n)
		a.hold(n == seqs[tenant], "counters agree with the rows", tenant, fmt.Sprint(seqs[tenant]), n)
	})
	for id, m := range a.missions {
		status, ends := "", map[string]int{}
		for _, e := range a.events[id] {
			if strings.HasPrefix(e.kind, "mission.") {
				to, ok := lives[status][e.kind]
				a.hold(ok, "events follow the states", e.id, fmt.Sprintf("an event allowed in the state %q", status), e.kind)
				status = to
			}
			switch e.kind {
			case "pipeline.stage_completed":
				ends[e.kind+e.job+e.stage]++
			case "pipeline.job_completed":
				ends[e.kind+e.job]++
			case "content.published":
				ends[e.kind+e.content]++
			}
		}
		a.hold(status == m.status, "each change has its event", id, "events that lead to "+m.status, status)
		for what, n := range ends {
			a.hold(n == 1, "an event is there once", id+" "+what, "once", n)
		}
	}
	for id, p := range a.posts {
		n := map[string]int{}
		for _, e := range a.events[p.mission] {
			if e.content == id {
				n[e.kind]++
			}
		}
		published := 0
		if p.status == "published" {
			published = 1
		}
		a.hold(n["content.published"] == published, "each change has its event", id, fmt.Sprintf("content.published %d times, being %s", published, p.status), n["content.published"])
		a.hold(n["content.created"] >= 1, "each change has its event", id, "content.created", 0)
		a.hold(p.status != "failed" || n["content.failed"] > 0, "each change has its event", id, "content.failed", 0)
		a.hold(p.status != "rejected" || n["content.rejected"] > 0, "each change has its event", id, "content.rejected", 0)
		a.hold(p.status != "canceled" || n["content.canceled"] > 0, "each change has its event", id, "content.canceled", 0)
	}
}

// checkTotals: stored totals are sums.
func (a *audit) checkTotals() {
	posts := map[string]int{}
	for _, p := range a.posts {
		for _, m := range []string{"", p.mission} {
			for _, on := range []string{"", p.platform} {
				posts[strings.Join([]string{p.tenant, m, on, p.status}, " ")]++
			}
		}
	}
	a.rows("SELECT tenant_id, mission_id, platform, status, n FROM content_totals", func(scan func(...any)) {
		var tenant, m, on, status string
		n := 0
		scan(&tenant, &m, &on, &status, &n)
		posts[strings.Join([]string{tenant, m, on, status}, " ")] -= n
	})
	for key, n := range posts {
		a.hold(n == 0, "totals are sums", key, "the number of rows", fmt.Sprintf("%+d", -n))
	}
}

// checkMoney: nothing is overspent, and nothing stays reserved.
func (a *audit) checkMoney(final bool) {
	spent, reserved := map[string]int64{}, map[string]int64{}
	a.rows("SELECT mission_id, reserved_micros, COALESCE(spent_micros, 0), settled_at IS NULL FROM spendings", func(scan func(...any)) {
		m, r, sp, open := "", int64(0), int64(0), false
		scan(&m, &r, &sp, &open)
		spent[m] += sp
		if open {
			reserved[m] += r
		}
	})
	const cent = 10_000
	for id, m := range a.missions {
		a.hold(m.spent == spent[id] && m.reserved == reserved[id], "money adds up", id, fmt.Sprint(spent[id], reserved[id]), fmt.Sprint(m.spent, m.reserved))
		a.hold(!m.budget.Valid || m.spent+m.reserved <= m.budget.Int64*cent, "budgets hold", id, fmt.Sprint(m.budget.Int64, " cents"), fmt.Sprint(m.spent, m.reserved))
		a.hold(!final || m.reserved == 0, "nothing stays reserved", id, "0", m.reserved)
	}
}

// checkPlatforms: what is out is out once, with the text that the post has, and is known.
func (a *audit) checkPlatforms(final bool) {
	texts := map[string][]string{}
	for _, p := range a.outside.sent {
		texts[string(p.platform)+" "+p.text] = append(texts[string(p.platform)+" "+p.text], fmt.Sprintf("%s at %s", p.id, p.at.Sub(a.began)))
	}
	for text, ids := range texts {
		_, plain, _ := strings.Cut(text, " ")
		wanted := false
		for doubled := range a.outside.doubled {
			wanted = wanted || strings.Contains(doubled, plain)
		}
		a.hold(len(ids) == 1 || wanted, "nothing is out twice", text, "once", ids)
	}
	type part struct {
		post string
		n    int
	}
	on := map[part]int{}
	bodies := map[string]string{}
	a.rows("SELECT content_id, part, body FROM sandbox_posts", func(scan func(...any)) {
		id, n, body := "", 0, ""
		scan(&id, &n, &body)
		on[part{id, n}]++
		if n == 0 {
			bodies[id] = body
		}
	})
	for p, n := range on {
		a.hold(n == 1, "nothing is out twice", fmt.Sprint(p), "once", n)
	}
	for id, body := range bodies {
		p := a.posts[id]
		if p == nil {
			continue
		}
		first := p.sent(0)
		a.checkLinks(p, first)
		a.hold(first == body, "what is out is what the post says", id, first, body)
		a.hold(!final || p.status == "published", "what is out is known", id, "published", p.status)
		if known := a.people.model.missions[p.mission]; known != nil && known.approval && p.origin == "writer" {
			approved := a.people.model.posts[id]
			a.hold(len(p.restsOn) > 0 || approved != nil && approved.approvals > 0, "nothing is out without its approval", id, "an approval", "none")
		}
	}
	for _, p := range a.posts {
		if p.status != "published" || on[part{p.id, 0}] > 0 {
			continue
		}
		there := slices.ContainsFunc(a.outside.sent, func(o sentPost) bool {
			return p.platformID == "" && a.nameless(p) || p.platformID != "" && (o.id == p.platformID || strings.Contains(p.platformID, o.id))
		})
		a.hold(there, "what is published is out", p.id, "on "+p.platform, p.platformID)
	}
	for _, o := range a.outside.sent {
		on := a.outside.on(string(o.platform))
		// What LinkedIn can't be asked about is found out within its ten minutes, if at all; what
		// others can't is unknown at once.
		late := !on.askable && time.Since(o.at) > 3*time.Hour && !a.outside.doubled[o.text]
		for _, p := range a.posts {
			if p.platform != string(o.platform) || len(p.parts) > 0 || on.shown(p.sent(0)) != o.text {
				continue
			}
			a.checkLinks(p, p.sent(0))
			a.hold(!late || a.missions[p.mission].status != "active" || p.status != "scheduled" && p.status != "publishing",
				"what can't be asked is unknown", p.id, "published or unknown: "+o.id, p.status)
			if final && !a.outside.again[o.text] && p.status != "published" && p.status != "unknown" {
				a.hold(false, "what is out is known", p.id, "published or unknown: "+o.id, p.status)
			}
		}
	}
}

// nameless reports whether a post is on a platform whose addresses, by which people settle what
// became of posts, don't have their ids.
func (a *audit) nameless(p *postRow) bool {
	on := a.outside.on(p.platform)
	return on != nil && on.nameless
}

// mostAttempts is how often a delivery is tried (interface, section 6).
const mostAttempts = 5

// checkDeliveries: deliveries are what subscriptions say, and arrive.
func (a *audit) checkDeliveries(final bool) {
	type delivery struct {
		status   string
		attempts int
	}
	to := map[string]map[string]delivery{}
	a.rows("SELECT id, webhook_id, event_id, status, attempts FROM deliveries", func(scan func(...any)) {
		var id, hook, event string
		var d delivery
		scan(&id, &hook, &event, &d.status, &d.attempts)
		if to[hook] == nil {
			to[hook] = map[string]delivery{}
		}
		to[hook][event] = d
		a.hold(!final || d.status != "pending", "every delivery comes to rest", id, "an end", d.status)
	})
	bodies := map[string]string{}
	for _, e := range a.log {
		bodies[e.id] = e.body
	}
	for _, t := range a.people.tenants {
		for _, h := range t.hooks {
			r := a.outside.receivers[h.path]
			for _, event := range r.order {
				l := r.letters[event]
				a.hold(len(l.wrong) == 0, "webhooks arrive as they should", event+" "+h.path, "as they should", l.wrong)
				if body, ok := bodies[event]; ok {
					a.hold(l.body == body, "webhooks arrive as they should", event+" "+h.path, body, l.body)
				}
			}
			if h.changed {
				continue
			}
			for _, e := range a.log {
				if e.tenant != t.id || !e.at.Time.After(h.made.Add(clockSlack)) || !slices.Contains(h.events, e.kind) {
					continue
				}
				d, ok := to[h.id][e.id]
				a.hold(ok, "deliveries are what subscriptions say", e.id+" "+h.id, "a delivery of "+e.kind, "none")
				if ok && d.status == "delivered" {
					l := r.letters[e.id]
					a.hold(l != nil && l.taken > 0, "what is delivered was received", e.id+" "+h.id, "received", "not")
				}
				if ok && final && !r.moody {
					unlucky := d.status == "failed" && d.attempts == mostAttempts // each with a fault
					a.hold(d.status == "delivered" || unlucky, "webhooks arrive", e.id+" "+h.id, "delivered", fmt.Sprintf("%s after %d attempts", d.status, d.attempts))
				}
			}
		}
	}
}

// checkTasks: what must go on has a task.
func (a *audit) checkTasks(final bool) {
	subjects, missions := map[string]bool{}, map[string]bool{}
	a.rows("SELECT mission_id, subject, state FROM tasks", func(scan func(...any)) {
		var m, subject, state string
		scan(&m, &subject, &state)
		subjects[subject], missions[m] = true, true
	})
	for id, p := range a.posts {
		m := a.missions[p.mission]
		if m == nil || m.status != "active" {
			continue
		}
		if p.status == "scheduled" || p.status == "publishing" {
			a.hold(subjects[id], "what must go on has a task", id, "a task of the post, being "+p.status, "none")
		}
	}
	for id, m := range a.missions {
		a.hold(m.status != "active" || missions[id], "what must go on has a task", id, "a task of the mission", "none")
	}
	a.hold(!final || len(missions) == 0, "every mission comes to rest", "the ledger", "no task", len(missions))
}

package api

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
)

var lifeScenarios = []scenario[lifeAPI]{
	{"every transition, and no other", transitions},
	{"a draft starts before its time", startsEarly},
	{"updates merge and replace", updates},
	{"updates that are refused", badUpdates},
	{"a KPI that no platform reports is kept, with a notice", unreportedKPIs},
	{"a duration moves the end", durations},
	{"a failed job is retried", retries},
	{"reviews", reviews},
	{"a person settles what nobody could find out", settles},
	{"texts", texts},
	{"bad texts", badTexts},
	{"exclusions hold at once", exclusionsAtOnce},
	{"people are told what breaks rules of writers", peopleAreTold},
	{"lists of posts", listsOfPosts},
	{"nothing is left of a deleted mission", deletes},
}

func TestLifeScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, lifeScenarios)
}

// transitions checks the table "Mission" of the decisions: each operation in each
// state.
func transitions(s *harness, a lifeAPI) {
	operations := map[string]func(id string) result{
		"start": a.start, "pause": a.pause, "resume": a.resume, "complete": a.complete, "retry": a.retry, "delete": a.remove,
		"update": func(id string) result { return a.update(id, map[string]any{"name": "x"}) },
	}
	reach := map[string]func() string{
		"draft":  func() string { return s.make(a, nil) },
		"active": func() string { return s.make(a, map[string]any{"start_immediately": true}) },
	}
	reach["paused"] = func() string { id := reach["active"](); s.field(a.pause(id), "status", "paused"); return id }
	reach["completed"] = func() string { id := reach["active"](); s.field(a.complete(id), "status", "completed"); return id }
	allowed := map[string]map[string]string{
		"draft":     {"start": "active", "delete": "", "update": "draft"},
		"active":    {"pause": "paused", "complete": "completed", "update": "active"},
		"paused":    {"resume": "active", "complete": "completed", "delete": "", "update": "paused"},
		"completed": {"delete": ""},
	}
	for state, make := range reach {
		for name, do := range operations {
			id := make()
			got := do(id)
			to, ok := allowed[state][name]
			switch {
			case !ok:
				s.want(got, "conflict", "")
				s.field(a.read(id), "status", state)
			case name == "delete":
				s.field(got, "deleted", true)
				s.want(a.read(id), "not_found", "")
			default:
				s.field(got, "status", to)
				s.field(a.read(id), "status", to)
			}
		}
	}
}

func startsEarly(s *harness, a lifeAPI) {
	id := s.make(a, map[string]any{"starts_at": "2026-12-01T10:00:00Z"})
	s.clock.Advance(time.Hour)
	got := a.start(id)
	s.field(got, "starts_at", "2026-11-21T09:00:00.000Z")
	s.field(got, "ends_at", "2026-11-24T09:00:00.000Z")
	if got.Fields["pipeline_job_id"] == nil {
		s.t.Error("a started mission has no job")
	}
}

func updates(s *harness, a lifeAPI) {
	id := s.make(a, map[string]any{
		"start_immediately": true, "description": "d",
		"constraints": map[string]any{"tone": "dry", "posts_per_day": 2, "budget_cents": 100, "excluded_topics": []any{"x"}},
		"kpis":        []any{map[string]any{"metric": "likes", "target": 5}},
	})
	s.clock.Advance(time.Minute)
	before := a.read(id)
	s.field(a.update(id, map[string]any{}), "name", before.Fields["name"])
	got := a.update(id, map[string]any{"name": " New ", "constraints": map[string]any{"posts_per_day": 5, "posting_times": []any{"08:00"}}})
	s.field(got, "name", "New")
	s.field(got, "description", "d")
	s.field(got, "updated_at", "2026-11-21T08:01:00.000Z")
	s.field(got, "constraints", map[string]any{
		"tone": "dry", "cadence": "daily", "posts_per_day": 5.0, "posting_times": []any{"08:00"}, "timezone": "UTC",
		"require_approval": false, "budget_cents": 100.0, "excluded_topics": []any{"x"},
	})
	got = a.update(id, map[string]any{
		"description": nil, "objectives": []any{"Another"}, "kpis": []any{},
		"constraints": map[string]any{"tone": nil, "budget_cents": nil, "excluded_topics": []any{}},
	})
	s.field(got, "description", "")
	s.field(got, "objectives", []any{"Another"})
	s.field(got, "kpis", []any{})
	s.equal("the tone", s.at(got, "constraints", "tone"), nil)
	s.equal("the budget", s.at(got, "constraints", "budget_cents"), nil)
	s.equal("the topics", len(s.at(got, "constraints", "excluded_topics").([]any)), 0)
	s.equal("what stays", s.at(got, "constraints", "posts_per_day"), 5.0)
	s.field(a.read(id), "objectives", []any{"Another"})

	editor := map[string]any{"name": "Jo Doe", "email": "jo@acme.example"}
	got = a.update(id, map[string]any{"disclosure": map[string]any{"ai_text": "line"}, "editor": editor, "public_interest": true})
	s.field(got, "disclosure", map[string]any{"ai_text": "line", "line_text": "Written with AI", "ai_media": "auto", "paid_partnership": false})
	s.field(got, "editor", editor)
	s.field(got, "public_interest", true)
	got = a.update(id, map[string]any{"disclosure": map[string]any{"line_text": " Ours ", "paid_partnership": true}, "editor": nil})
	s.field(got, "disclosure", map[string]any{"ai_text": "line", "line_text": "Ours", "ai_media": "auto", "paid_partnership": true})
	s.field(got, "editor", nil)
	s.field(a.read(id), "public_interest", true)
	s.field(got, "notices", []any{map[string]any{"param": "disclosure.paid_partnership", "message": "No field says so on LinkedIn: the text of posts must."}})
}

func badUpdates(s *harness, a lifeAPI) {
	id := s.make(a, map[string]any{"start_immediately": true})
	for _, bad := range []struct {
		body  map[string]any
		param string
	}{
		{map[string]any{"name": ""}, "name"},
		{map[string]any{"name": nil}, "name"},
		{map[string]any{"disclosure": map[string]any{"line_text": nil}}, "disclosure.line_text"},
		{map[string]any{"disclosure": map[string]any{"ai_text": "line", "line_text": "About politics"}, "constraints": map[string]any{"excluded_topics": []any{"politics"}}}, "disclosure.line_text"},
		{map[string]any{"editor": map[string]any{"name": "Jo", "email": "@"}}, "editor.email"},
		{map[string]any{"name": 5}, "name"},
		{map[string]any{"description": "\u0000"}, "description"},
		{map[string]any{"objectives": []any{}}, "objectives"},
		{map[string]any{"objectives": []any{"x", ""}}, "objectives[1]"},
		{map[string]any{"duration_days": 0}, "duration_days"},
		{map[string]any{"duration_days": 367}, "duration_days"},
		{map[string]any{"duration_days": nil}, "duration_days"},
		{map[string]any{"duration_days": "3"}, "duration_days"},
		{map[string]any{"constraints": map[string]any{"cadence": nil}}, "constraints.cadence"},
		{map[string]any{"constraints": map[string]any{"posts_per_day": 51}}, "constraints.posts_per_day"},
		{map[string]any{"constraints": map[string]any{"posts_per_day": "x"}}, "constraints.posts_per_day"},
		{map[string]any{"constraints": map[string]any{"posting_times": []any{"25:00"}}}, "constraints.posting_times[0]"},
		{map[string]any{"constraints": map[string]any{"timezone": "Nowhere"}}, "constraints.timezone"},
		{map[string]any{"constraints": map[string]any{"budget_cents": -1}}, "constraints.budget_cents"},
		{map[string]any{"constraints": map[string]any{"require_approval": nil}}, "constraints.require_approval"},
		{map[string]any{"kpis": []any{map[string]any{"metric": "likes", "target": 0}}}, "kpis[0].target"},
		{map[string]any{"kpis": []any{map[string]any{"metric": "likes", "target": 1, "platform": "youtube"}}}, "kpis[0].platform"},
		{map[string]any{"kpis": []any{map[string]any{"metric": "likes", "target": 1}, map[string]any{"metric": "likes", "target": 2}}}, "kpis[1]"},
	} {
		s.want(a.update(id, bad.body), "invalid_request", bad.param)
	}
	for _, name := range []string{"platforms", "status", "starts_at"} { // GraphQL's schema has none of these
		if rest, ok := a.(restAPI); ok {
			s.want(rest.update(id, map[string]any{name: "x"}), "invalid_request", name)
		}
	}
	s.field(a.read(id), "updated_at", "2026-11-21T08:00:00.000Z")
}

// progress returns the KPIs' progress of a mission.
func (s *harness) progress(a lifeAPI, id string) []any {
	s.t.Helper()
	if rest, ok := a.(restAPI); ok {
		return rest.call("GET", "/missions/"+id+"/status", nil).Fields["kpi_progress"].([]any)
	}
	got := a.(graphAPI).run(`query($id: ID!) { mission(id: $id) { kpiProgress { metric current reportedBy } } }`, map[string]any{"id": id}, "mission")
	return got.Fields["kpi_progress"].([]any)
}

func unreportedKPIs(s *harness, a lifeAPI) {
	kpis := []any{
		map[string]any{"metric": "likes", "target": 5}, map[string]any{"metric": "reach", "target": 5},
		map[string]any{"metric": "impressions", "target": 5, "platform": "mastodon"},
	}
	params := func(got result) string {
		var named []any
		for _, n := range s.at(got, "notices").([]any) {
			named = append(named, n.(map[string]any)["param"])
		}
		return fmt.Sprint(named)
	}
	got := a.create(body(map[string]any{"platforms": []any{"mastodon", "twitter"}, "kpis": kpis}))
	s.equal("a new mission's notices", params(got), "[kpis[1].metric kpis[2].metric]")
	id := got.Fields["id"].(string)
	s.equal("the mission's notices", params(a.read(id)), "[kpis[1].metric kpis[2].metric]")
	for i, want := range []string{"[mastodon twitter]", "[]", "[]"} {
		k := s.progress(a, id)[i].(map[string]any)
		s.equal("the current figure", k["current"], nil)
		s.equal("who reports it", fmt.Sprint(k["reported_by"]), want)
	}
	got = a.update(id, map[string]any{"kpis": kpis[:1]})
	s.equal("its notices without them", params(got), "[]")
}

func durations(s *harness, a lifeAPI) {
	id := s.make(a, map[string]any{"start_immediately": true})
	s.field(a.update(id, map[string]any{"duration_days": 10}), "ends_at", "2026-12-01T08:00:00.000Z")
	s.clock.Advance(36 * time.Hour)
	s.want(a.update(id, map[string]any{"duration_days": 1}), "invalid_request", "duration_days")
	s.field(a.update(id, map[string]any{"duration_days": 2}), "ends_at", "2026-11-23T08:00:00.000Z")
	// A pause doesn't count: the mission ends where it would end without one.
	s.field(a.pause(id), "status", "paused")
	s.clock.Advance(100 * time.Hour)
	s.field(a.update(id, map[string]any{"duration_days": 3}), "ends_at", "2026-11-24T08:00:00.000Z")
	s.want(a.update(id, map[string]any{"duration_days": 1}), "invalid_request", "duration_days")
	s.field(a.resume(id), "adjusted_ends_at", "2026-11-28T12:00:00.000Z")
	s.field(a.update(id, map[string]any{"duration_days": 4}), "ends_at", "2026-11-29T12:00:00.000Z")
	draft := s.make(a, nil)
	s.field(a.update(draft, map[string]any{"duration_days": 5}), "ends_at", nil)
	planned := s.make(a, map[string]any{"starts_at": "2027-03-20T10:00:00Z", "constraints": map[string]any{"timezone": "Europe/Berlin"}, "duration_days": 10})
	s.field(a.read(planned), "ends_at", "2027-03-30T09:00:00.000Z") // across the change to daylight saving time
	s.field(a.update(planned, map[string]any{"constraints": map[string]any{"timezone": "UTC"}}), "ends_at", "2027-03-30T10:00:00.000Z")
}

func retries(s *harness, a lifeAPI) {
	id := s.make(a, map[string]any{"start_immediately": true})
	s.want(a.retry(id), "conflict", "")
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	m, err := s.Missions.Mission(context.Background(), p, id)
	s.must(err)
	s.fail(m, *m.PipelineJobID)
	s.field(a.retry(id), "status", "active")
	s.want(a.retry(id), "conflict", "")
	_, j, err := s.Missions.Job(context.Background(), p, *m.PipelineJobID)
	s.must(err)
	if j.Status != mission.RunRunning || j.Error != nil || j.Stages[0].Status != mission.RunPending || j.Stages[0].Attempts != 0 {
		s.t.Errorf("got the retried job %+v", j)
	}
}

// written creates an active mission with a post in review.
func (s *harness) written(a lifeAPI, changes map[string]any) (missionID, id string) {
	s.t.Helper()
	whole := map[string]any{"start_immediately": true}
	for name, value := range changes {
		whole[name] = value
	}
	missionID = s.make(a, whole)
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	m, err := s.Missions.Mission(context.Background(), p, missionID)
	s.must(err)
	return missionID, s.post(m, *m.PipelineJobID)
}

// unknown leaves a post's outcome unknown, for good unless looked reports whether the
// service still looks for it.
func (s *harness) unknown(id string, looked bool) {
	s.t.Helper()
	ctx := context.Background()
	p, err := s.Accounts.Authenticate(ctx, s.key)
	s.must(err)
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		c, err := tx.LockContent(ctx, p.TenantID, id)
		s.must(err)
		now := s.clock.Now()
		for _, change := range []func() (mission.ContentChange, error){
			func() (mission.ContentChange, error) { return c.Approve(p.UserID, mission.Verdict{}, nil, now) },
			func() (mission.ContentChange, error) { return c.Schedule(*c.ScheduledAt, now) },
			func() (mission.ContentChange, error) { return c.Publishing(nil, now) },
			func() (mission.ContentChange, error) { return c.Unknown(mission.NoResponse(), now) },
			func() (mission.ContentChange, error) { return c.Fail(mission.UnknownOutcome(), now) },
		} {
			if looked && c.Status == mission.ContentUnknown {
				break
			}
			ch, err := change()
			s.must(err)
			s.must(tx.ChangeContent(ctx, ch))
			c = ch.To
		}
		return nil
	}))
}

// settles has a person say what became of posts whose platform never responded.
func settles(s *harness, a lifeAPI) {
	_, id := s.written(a, reviewed)
	there, again := map[string]any{"published_url": "https://x.com/i/status/12"}, map[string]any{"publish_again": true}
	s.want(a.settle(id, there), "conflict", "")
	s.want(a.settle(id, again), "conflict", "")
	s.unknown(id, false)
	got := a.content(id)
	s.field(got, "status", "unknown")
	s.want(a.settle(id, map[string]any{}), "invalid_request", "published_url")
	s.want(a.settle(id, map[string]any{"published_url": "https://x.com/i/status/12", "publish_again": true}), "invalid_request", "publish_again")
	s.want(a.settle(id, map[string]any{"publish_again": false}), "invalid_request", "publish_again")
	s.want(a.settle(id, map[string]any{"published_url": "12"}), "invalid_request", "published_url")
	s.want(a.settle("cnt_01jd0000000000000000000000", again), "not_found", "")
	s.want(a.edit(id, map[string]any{"text": "Another text"}), "conflict", "")
	got = a.settle(id, there)
	s.field(got, "status", "published")
	s.field(got, "platform_url", "https://x.com/i/status/12")
	s.field(got, "error", nil)
	s.want(a.settle(id, there), "conflict", "")

	for _, looked := range []bool{false, true} {
		_, id := s.written(a, reviewed)
		s.unknown(id, looked)
		s.field(a.settle(id, again), "status", "scheduled")
		s.want(a.settle(id, again), "conflict", "")
		missionID, id := s.written(a, reviewed)
		s.unknown(id, looked)
		s.field(a.complete(missionID), "status", "completed")
		s.want(a.settle(id, again), "conflict", "")
		s.field(a.settle(id, there), "status", "published")
	}
}

var reviewed = map[string]any{"constraints": map[string]any{"require_approval": true}}

func reviews(s *harness, a lifeAPI) {
	_, id := s.written(a, reviewed)
	got := a.content(id)
	s.field(got, "status", "pending_review")
	s.field(got, "type", "post")
	s.field(got, "revision", 1.0)
	s.field(got, "metrics", nil)
	if len(got.Fields) != 31 {
		s.t.Errorf("got %d fields of a post, want 31: %v", len(got.Fields), got.Fields)
	}
	s.want(a.approve(id, map[string]any{"revision": 2}), "conflict", "")
	s.field(a.approve(id, map[string]any{"revision": 1}), "status", "approved")
	s.want(a.approve(id, nil), "conflict", "")
	s.want(a.reject(id, nil), "conflict", "")
	// A decision can be taken back.
	s.field(a.reopen(id), "status", "pending_review")
	s.want(a.reopen(id), "conflict", "")
	s.field(a.reject(id, map[string]any{"reason": "no"}), "status", "rejected")
	again := a.reopen(id)
	s.field(again, "status", "pending_review")
	s.field(again, "rejection_reason", nil)
	s.field(again, "expires_at", got.Fields["expires_at"])
	s.want(a.reopen("cnt_01jd0000000000000000000000"), "not_found", "")
	s.field(a.approve(id, map[string]any{"revision": 1}), "status", "approved")
	// An approval is valid for one revision only.
	s.want(a.edit(id, map[string]any{"text": "Another text", "revision": 2}), "conflict", "") // nobody has read that one
	got = a.edit(id, map[string]any{"text": "Another text", "revision": 1})
	s.field(got, "status", "pending_review")
	s.field(got, "revision", 2.0)
	s.want(a.edit(id, map[string]any{"text": "By somebody who has read the first", "revision": 1}), "conflict", "")
	s.want(a.reject(id, map[string]any{"reason": strings.Repeat("x", 1001)}), "invalid_request", "reason")
	got = a.reject(id, map[string]any{"reason": " too dry "})
	s.field(got, "status", "rejected")
	s.field(got, "rejection_reason", "too dry")
	s.want(a.reject(id, nil), "conflict", "")
	s.want(a.regenerate(id, map[string]any{"instructions": "friendlier", "revision": 1}), "conflict", "") // by somebody who has read the first
	s.field(a.content(id), "revision", 2.0)
	got = a.regenerate(id, map[string]any{"instructions": "friendlier", "revision": 2})
	s.field(got, "status", "pending_review")
	s.field(got, "revision", 3.0)
	s.field(got, "rejection_reason", nil)
	if text := got.Fields["text"]; text == "Another text" || text == "" {
		s.t.Errorf("got the rewritten text %q", text)
	}
	s.want(a.regenerate(id, map[string]any{"instructions": strings.Repeat("x", 1001)}), "invalid_request", "instructions")
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	texts, err := s.Missions.Revisions(context.Background(), p, id, store.TextPage{})
	s.must(err)
	var story []string
	for i, r := range texts {
		if r.WrittenAt == nil || i > 0 && r.WrittenAt.After(*texts[i-1].WrittenAt) {
			s.t.Errorf("revision %d was written at %v", r.Revision, r.WrittenAt)
		}
		story = append(story, fmt.Sprint(r.Revision, r.Status, r.AuthorID != "", r.ReviewedBy != ""))
	}
	want := "[3pending_reviewfalsefalse 2rejectedtruetrue 1approvedfalsetrue]"
	if got := strings.ReplaceAll(fmt.Sprint(story), " true", "true"); strings.ReplaceAll(got, " false", "false") != want {
		s.t.Errorf("got the revisions %v, want %v", got, want)
	}
	// Without required approval a new text is approved automatically, unless it
	// violates a rule.
	_, free := s.written(a, nil)
	s.field(a.edit(free, map[string]any{"text": "Another text"}), "status", "approved")
	for _, gone := range []string{"cnt_x", "cnt_01jd0000000000000000000000"} {
		s.want(a.content(gone), "not_found", "")
		s.want(a.approve(gone, nil), "not_found", "")
		s.want(a.edit(gone, map[string]any{"text": "x"}), "not_found", "")
	}
}

func texts(s *harness, a lifeAPI) {
	_, id := s.written(a, nil) // on twitter
	got := a.edit(id, map[string]any{"parts": []any{"One.", "Two."}})
	s.field(got, "type", "thread")
	s.field(got, "text", "One.\n\nTwo.")
	var long strings.Builder
	for i := range 20 {
		fmt.Fprintf(&long, "Sentence %d of some words. ", i)
	}
	got = a.edit(id, map[string]any{"text": long.String()})
	s.field(got, "type", "thread")
	for _, part := range got.Fields["parts"].([]any) {
		if text := part.(string); len(text) > 280 || !strings.HasSuffix(text, ".") {
			s.t.Errorf("the part %q doesn't end with a sentence", text)
		}
	}
	got = a.edit(id, map[string]any{"text": "Short again."})
	s.field(got, "type", "post")
	s.field(got, "parts", []any{})
	s.field(a.edit(id, map[string]any{"parts": []any{"Alone."}}), "type", "post")
}

func badTexts(s *harness, a lifeAPI) {
	missionID, id := s.written(a, map[string]any{"constraints": map[string]any{"excluded_topics": []any{"politics"}, "require_approval": true}})
	for _, bad := range []struct {
		body  map[string]any
		param string
	}{
		{map[string]any{}, "text"},
		{map[string]any{"text": " "}, "text"},
		{map[string]any{"text": 5}, "text"},
		{map[string]any{"text": strings.Repeat("日", 141)}, "text"},
		{map[string]any{"text": "We talk Politics."}, "text"},
		{map[string]any{"parts": []any{"One.", "politics"}}, "parts"},
		{map[string]any{"parts": []any{"One.", strings.Repeat("x", 281)}}, "parts[1]"},
		{map[string]any{"parts": []any{"1", "2", "3", "4", "5", "6", "7"}}, "parts"},
		{map[string]any{"text": "x", "parts": []any{"x"}}, "parts"},
	} {
		s.want(a.edit(id, bad.body), "invalid_request", bad.param)
	}
	s.field(a.content(id), "revision", 1.0)
	s.field(a.pause(missionID), "status", "paused")
	s.want(a.regenerate(id, nil), "conflict", "") // a paused mission writes no posts
	s.field(a.edit(id, map[string]any{"text": "By hand."}), "revision", 2.0)
	s.field(a.approve(id, nil), "status", "approved")
	s.field(a.complete(missionID), "status", "completed")
	s.field(a.content(id), "status", "canceled")
	s.want(a.edit(id, map[string]any{"text": "Too late."}), "conflict", "")
	s.want(a.regenerate(id, nil), "conflict", "")
}

func peopleAreTold(s *harness, a lifeAPI) {
	_, id := s.written(a, nil)
	got := a.edit(id, map[string]any{"parts": []any{"A word of ours.", "Now at 20 % off."}})
	s.field(got, "status", "approved")
	s.field(got, "facts", []any{})
	s.equal("the verdict", s.at(got, "verdict", "passed"), true)
	broken := []any{}
	checks := s.at(got, "verdict", "checks").([]any)
	for _, each := range checks {
		if check := each.(map[string]any); check["passed"] == false {
			broken = append(broken, strings.ToLower(check["rule"].(string)))
			s.equal("the message", strings.Contains(check["message"].(string), "20"), true)
		}
	}
	if len(checks) != len(mission.AllRules()) || !reflect.DeepEqual(broken, []any{"prices"}) {
		s.t.Errorf("got the checks %v", checks)
	}
}

func exclusionsAtOnce(s *harness, a lifeAPI) {
	missionID, id := s.written(a, nil)
	s.field(a.edit(id, map[string]any{"text": "All about gardens."}), "status", "approved")
	got := a.update(missionID, map[string]any{"constraints": map[string]any{"excluded_topics": []any{"garden"}}})
	s.field(got, "status", "active")
	s.field(a.content(id), "status", "pending_review")
	s.field(a.content(id), "revision", 2.0)
	s.want(a.approve(id, nil), "conflict", "")
	s.want(a.edit(id, map[string]any{"text": "A #GardenParty."}), "invalid_request", "text")
	a.update(missionID, map[string]any{"constraints": map[string]any{"excluded_topics": []any{}}})
	s.field(a.content(id), "status", "pending_review")
	s.field(a.approve(id, nil), "status", "approved")
}

func listsOfPosts(s *harness, a lifeAPI) {
	first, one := s.written(a, nil)
	s.clock.Advance(time.Second)
	_, two := s.written(a, reviewed)
	s.clock.Advance(time.Second)
	_, three := s.written(a, map[string]any{"platforms": []any{"mastodon"}, "constraints": map[string]any{"require_approval": true}})
	s.field(a.reject(two, nil), "status", "rejected")
	for _, tt := range []struct {
		query map[string]any
		ids   []string
	}{
		{nil, []string{three, two, one}},
		{map[string]any{"mission_id": first}, []string{one}},
		{map[string]any{"status": "pending_review"}, []string{three, one}},
		{map[string]any{"status": "rejected"}, []string{two}},
		{map[string]any{"platform": "twitter"}, []string{two, one}},
		{map[string]any{"platform": "twitter", "status": "pending_review"}, []string{one}},
		{map[string]any{"mission_id": first, "status": "rejected"}, []string{}},
		{map[string]any{"mission_id": first, "status": "pending_review", "platform": "twitter"}, []string{one}},
	} {
		got := a.contents(tt.query)
		s.field(got, "ids", tt.ids)
		s.field(got, "total", float64(len(tt.ids)))
	}
	got := a.contents(map[string]any{"limit": 2})
	s.field(got, "more", true)
	s.field(a.contents(map[string]any{"limit": 2, "starting_after": two}), "ids", []string{one})
	s.want(a.contents(map[string]any{"starting_after": "cnt_01jd0000000000000000000000"}), "invalid_request", "starting_after")
	s.want(a.contents(map[string]any{"status": "asleep"}), "invalid_request", "status")
	s.want(a.contents(map[string]any{"mission_id": "msn_01jd0000000000000000000000"}), "invalid_request", "mission_id")
	s.key = s.keys["theirs"]
	s.field(a.contents(nil), "total", 0.0)
	s.want(a.content(one), "not_found", "")
	s.want(a.approve(one, nil), "not_found", "")
}

func deletes(s *harness, a lifeAPI) {
	missionID, id := s.written(a, nil)
	s.want(a.remove(missionID), "conflict", "")
	s.field(a.pause(missionID), "status", "paused")
	s.field(a.remove(missionID), "id", missionID)
	s.want(a.content(id), "not_found", "")
	s.want(a.approve(id, nil), "not_found", "")
	s.field(a.contents(nil), "total", 0.0)
	s.want(a.remove(missionID), "not_found", "")
	s.field(a.list(nil), "total", 0.0)
}

package api

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/testkit"
	"missiond/mission"
)

// planner is an agent without a model. It knows the list of tools and what they return: it finds a tool by
// the words of a step, and fills the arguments that its schema has from what it knows by their names.
type planner struct {
	*assistant
	known object // by argument's name
}

// words returns the words of a text, without endings.
func words(text string) (list []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if len(word) > 3 {
			word = strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e")
		}
		list = append(list, word)
	}
	return list
}

// find returns the tool whose name, title and description have the most of a step's words; those of
// its name and its title count for more.
func (p *planner) find(step string) string {
	best, most := "", 0
	for _, name := range toolNames {
		tool := p.tools[name]
		if tool == nil {
			continue
		}
		named, described, score := words(name+" "+tool.Title), words(tool.Description), 0
		for _, word := range words(step) {
			if slices.Contains(named, word) {
				score += 5
			}
			if slices.Contains(described, word) {
				score++
			}
		}
		if score*20-len(named) > most {
			best, most = name, score*20-len(named)
		}
	}
	return best
}

// do does a step: with the arguments given, and those that the tool requires from what is known.
func (p *planner) do(step, want string, args object) (result object, failed bool) {
	p.s.t.Helper()
	name := p.find(step)
	if name != want {
		p.s.t.Errorf("%q leads to %s, not to %s", step, name, want)
		name = want
	}
	schema := p.tools[name].InputSchema.(map[string]any)
	all := object{}
	required, _ := schema["required"].([]any)
	for _, each := range required {
		if value, ok := p.known[each.(string)]; ok {
			all[each.(string)] = value
		}
	}
	for argument, value := range args {
		if _, ok := schema["properties"].(map[string]any)[argument]; !ok {
			p.s.t.Errorf("%s has no argument %s", name, argument)
		}
		all[argument] = value
	}
	result, failed = p.call(name, all)
	if !failed {
		p.learn(name, result)
	}
	return result, failed
}

// learn remembers what later steps need: ids by what they are of, and the revision of a post.
func (p *planner) learn(tool string, result object) {
	kind, _, _ := strings.Cut(strings.Replace(strings.Replace(tool, "posts", "post", 1), "missions", "mission", 1), "_")
	if kind == "reviews" {
		kind = "post"
	}
	row := result
	if list, ok := result["data"].([]any); ok && len(list) > 0 {
		row = list[0].(map[string]any)
	}
	if file, ok := row["file"].(map[string]any); ok {
		p.known["media_id"] = file["id"]
	}
	if id, ok := row["id"]; ok {
		p.known[kind+"_id"] = id
	}
	if revision, ok := row["revision"]; ok {
		p.known["revision"] = revision
	}
}

// job is something that a person asks for.
type job struct {
	name string
	// calls, errs and bytes bound what it may take.
	calls, errs, bytes int
	play               func(p *planner)
}

// jobs are ten, each done from what the list of tools says.
var jobs = []job{
	{"plan and start a mission with pictures", 6, 0, 2_500, func(p *planner) {
		p.do("read the connected accounts and limits", "accounts_and_limits", nil)
		p.do("add a picture", "media_add", object{"content_base64": base64.StdEncoding.EncodeToString(mediatest.JPEG(8, 8)), "content_type": "image/jpeg", "alt_text": "A bike"})
		for _, task := range p.s.due(mission.TaskMediaExamine) {
			p.s.must(p.s.Media.Run(p.s.t.Context(), task))
		}
		ready, _ := p.do("the state of a picture that was added", "media_add", object{"media_id": p.known["media_id"]})
		p.is(at(ready, "file", "status"), "ready")
		brief := object{
			"media_ids": []any{p.known["media_id"]}, "name": "Autumn", "objectives": []string{"Tell of 2.0"}, "platforms": []string{"mastodon"}, "duration_days": 21,
			"posts_per_day": 2, "start_immediately": false,
		}
		e, _ := p.do("estimate a mission and its cost", "mission_estimate", brief)
		p.is(len(e["problems"].([]any)), 0)
		p.do("create a mission", "mission_create", brief)
		started, _ := p.do("start the draft", "mission_resume", nil)
		p.is(started["status"], "active")
	}},
	{"write a post", 2, 0, 1_000, func(p *planner) {
		checked, _ := p.do("write a post", "post_write", object{"platform": "mastodon", "text": "Twice as fast.", "check_only": true})
		p.is(at(checked, "check", "valid"), true)
		made, _ := p.do("write a post", "post_write", object{"platform": "mastodon", "text": "Twice as fast.", "idempotency_key": "w"})
		p.is(made["status"], "pending_review")
	}},
	{"find why a post is stuck, and fix it", 4, 0, 3_000, func(p *planner) {
		p.do("pause the mission", "mission_pause", nil)
		p.do("list posts", "posts_list", nil)
		why, _ := p.do("read a post and why it hasn't gone out", "post_get", nil)
		var helps []any
		for _, r := range why["reasons"].([]any) {
			actions, _ := r.(map[string]any)["actions"].([]any)
			helps = append(helps, actions...)
		}
		p.is(slices.Contains(helps, any("resume")), true)
		got, _ := p.do("resume the mission", "mission_resume", nil)
		p.is(got["status"], "active")
	}},
	{"move a post", 1, 0, 500, func(p *planner) {
		at := scenarioStart.Add(72 * time.Hour).Format(time.RFC3339)
		moved, _ := p.do("move a post to another time", "post_reschedule", object{"scheduled_at": at})
		p.is(strings.HasPrefix(fmt.Sprint(moved["scheduled_at"]), at[:16]), true)
	}},
	{"mend a text", 2, 1, 1_000, func(p *planner) {
		wrong, _ := p.do("edit a post's text", "post_edit", object{"text": strings.Repeat("long ", 150)})
		p.is(wrong["field"], "text")
		mended, _ := p.do("edit a post's text", "post_edit", object{"text": "Twice as fast, half the size."})
		p.is(mended["revision"], 2.0)
	}},
	{"review within its rights", 3, 1, 2_000, func(p *planner) {
		waiting, _ := p.do("list what waits for review", "reviews_list", nil)
		p.is(len(waiting["data"].([]any)), 1)
		refused, _ := p.do("approve a post", "post_approve", nil)
		p.is(refused["code"], string(mission.CodeForbidden))
		rejected, _ := p.do("reject a post", "post_reject", object{"reason": "Too loud"})
		p.is(rejected["status"], "rejected")
	}},
	{"report a week", 3, 0, 2_000, func(p *planner) {
		report, _ := p.do("read results of published posts by day", "results_get", object{"from": "2026-11-15", "to": "2026-11-21"})
		p.is(report["from"], "2026-11-15")
		p.do("list missions with their health", "missions_list", nil)
		p.do("list posts", "posts_list", object{"order": "scheduled"})
	}},
	{"change what a mission avoids", 2, 0, 3_000, func(p *planner) {
		p.do("change a mission's fields", "mission_update", object{"excluded_topics": []string{"politics"}})
		got, _ := p.do("read a mission", "mission_get", object{"detail": "full"})
		p.is(at(got, "brief", "excluded_topics").([]any)[0].(map[string]any)["untrusted_text"], "politics")
	}},
	{"take a post back", 2, 0, 1_000, func(p *planner) {
		p.do("write a post", "post_write", object{"platform": "mastodon", "text": "Half the size."})
		canceled, _ := p.do("cancel a post", "post_cancel", nil)
		p.is(canceled["status"], "canceled")
	}},
	{"end a mission", 2, 1, 1_000, func(p *planner) {
		ended, _ := p.do("end a mission for good", "mission_complete", nil)
		p.is(ended["status"], "completed")
		refused, _ := p.do("resume the mission", "mission_resume", nil)
		p.is(refused["code"], string(mission.CodeConflict))
	}},
}

func (p *planner) is(got, want any) {
	p.s.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.s.t.Errorf("got %v, want %v", got, want)
	}
}

// An agent that knows only the list of tools does ten jobs, each within so many calls, errors and bytes.
func TestTenJobs(t *testing.T) { onBoth(t, doesTenJobs) }

func doesTenJobs(t *testing.T, s *harness) {
	t.Helper()
	p := &planner{assistant: s.assistant(s.key), known: object{}}
	for _, j := range jobs {
		p.calls, p.errs, p.bytes = 0, 0, 0
		j.play(p)
		t.Logf("%s: %d calls, %d errors, %d bytes", j.name, p.calls, p.errs, p.bytes)
		if p.calls > j.calls || p.errs > j.errs || p.bytes > j.bytes {
			t.Errorf("%s took %d calls, %d errors and %d bytes, of %d, %d and %d", j.name, p.calls, p.errs, p.bytes, j.calls, j.errs, j.bytes)
		}
	}
}

// The statements of a tool don't grow with what it lists.
func TestToolsStatements(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := s.assistant(s.key)
	count := func(tool string, args object) (n int) {
		s.faults.Listen(func(string, ...any) { n++ })
		defer s.faults.Listen(nil)
		a.ok(tool, args)
		return n
	}
	lists := map[string]object{"missions_list": {"limit": 10}, "posts_list": {"limit": 10}, "reviews_list": {"limit": 10}, "results_get": {"group_by": "content"}, "accounts_and_limits": {"detail": "full"}}
	few := map[string]int{}
	for round := range 2 {
		for i := range 1 + 5*round {
			id := a.ok("mission_create", s.brief(object{"name": fmt.Sprint(round, i)}))["id"]
			a.ok("post_write", object{"mission_id": id, "platform": "mastodon", "text": fmt.Sprint("Post ", round, i)})
		}
		for tool, args := range lists {
			n := count(tool, args)
			if round == 0 {
				few[tool] = n
			} else if n > few[tool]+1 || n > 25 {
				t.Errorf("%s takes %d statements of few records, %d of many", tool, few[tool], n)
			}
		}
	}
}

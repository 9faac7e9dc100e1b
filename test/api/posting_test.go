package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// postAPI is the part of both APIs with which people make posts.
type postAPI interface {
	lifeAPI
	linkAPI
	add(body map[string]any) result
	place(id string, body map[string]any) result
	cancel(id string) result
	duplicate(id string) result
	load(format, data string, options map[string]any) result
}

func (a restAPI) add(body map[string]any) result { return a.call("POST", "/content", body) }
func (a restAPI) cancel(id string) result        { return a.call("POST", "/content/"+id+"/cancel", nil) }

func (a restAPI) place(id string, body map[string]any) result {
	return a.call("POST", "/content/"+id+"/reschedule", body)
}

func (a restAPI) duplicate(id string) result {
	return a.call("POST", "/missions/"+id+"/duplicate", nil)
}

func (a restAPI) load(format, data string, options map[string]any) result {
	var query []string
	for name, value := range options {
		query = append(query, fmt.Sprintf("%s=%v", name, value))
	}
	types := map[string]string{"csv": "text/csv", "ndjson": "application/x-ndjson"}
	status, object := a.upload(types[format], "/v1/content/import?"+strings.Join(query, "&"), data)
	if e, ok := object["error"].(map[string]any); ok {
		if rows, ok := object["rows"].([]any); ok && status == http.StatusBadRequest {
			return result{Fields: map[string]any{"created": 0.0, "rows": rows}} // as GraphQL says it
		}
		param, _ := e["param"].(string)
		return result{Code: e["code"].(string), Param: param}
	}
	return result{Fields: map[string]any{"created": object["created"], "rows": object["rows"]}}
}

// upload posts a text, and returns the status and the response's object.
func (s *harness) upload(contentType, path, text string) (status int, object map[string]any) {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.server.URL+path, strings.NewReader(text))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", contentType)
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	response, err := io.ReadAll(resp.Body)
	s.must(err)
	s.must(json.Unmarshal(response, &object))
	path, _, _ = strings.Cut(path, "?")
	s.description().check(s.t, http.MethodPost, path, resp.StatusCode, response)
	return resp.StatusCode, object
}

func (a graphAPI) add(body map[string]any) result {
	return lowered(a.run(`mutation($input: CreateContentInput!) { createContent(input: $input) { content { `+contentFields+` } } }`,
		map[string]any{"input": asGraphQL(body)}, "createContent", "content"))
}

func (a graphAPI) place(id string, body map[string]any) result {
	return a.post("rescheduleContent", ", $at: DateTime!", ", scheduledAt: $at", id, map[string]any{"at": body["scheduled_at"]})
}

func (a graphAPI) cancel(id string) result {
	return a.post("cancelContent", "", "", id, map[string]any{})
}

func (a graphAPI) duplicate(id string) result { return a.mission("duplicateMission", id) }

func (a graphAPI) load(format, data string, options map[string]any) result {
	input := map[string]any{"format": strings.ToUpper(format), "data": data}
	for name, value := range options {
		input[camelCase(name)] = value
	}
	return a.run(`mutation($input: ImportContentsInput!) { importContents(input: $input) { created rows { line contentId problem { param message } } } }`,
		map[string]any{"input": input}, "importContents")
}

func TestPostScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[postAPI]{
		{"posts by people", postsByPeople},
		{"posts by people that are refused", refusedPosts},
		{"first comments", firstComments},
		{"first comments that were sent", commentsSent},
		{"a post is moved and canceled", movedPosts},
		{"a mission is duplicated", duplicates},
		{"an import", imports},
		{"imports that are refused", refusedImports},
	})
}

// twoAccounts connects two accounts on Mastodon, and returns their integrations' ids. The
// first is the default.
func (s *harness) twoAccounts(a linkAPI) (one, two string) {
	one, _ = a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"}).Fields["id"].(string)
	s.platform.set(func(f *fakePlatform) { f.account = "2" })
	two, _ = a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:2", "access_token": "good"}).Fields["id"].(string)
	return one, two
}

func postsByPeople(s *harness, a postAPI) {
	one, two := s.twoAccounts(a)
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon", "bluesky"}})
	const at = "2026-11-22T09:00:00.000Z"
	post := map[string]any{"mission_id": id, "platform": "mastodon", "text": "By hand.", "scheduled_at": at}
	got := a.add(post)
	for name, want := range map[string]any{
		"origin": "person", "status": "scheduled", "scheduled_at": at, "integration_id": one, "job_id": nil, "angle": nil, "type": "post", "text": "By hand.", "revision": 1.0,
	} {
		s.field(got, name, want)
	}
	s.field(a.content(got.Fields["id"].(string)), "origin", "person")
	s.want(a.add(post), "conflict", "") // the account has a post at that time
	post["integration_id"] = two
	s.field(a.add(post), "integration_id", two)
	s.field(a.add(map[string]any{"mission_id": id, "platform": "bluesky", "parts": []any{"One.", "Two."}, "scheduled_at": at}), "type", "thread")
	free := a.add(map[string]any{"mission_id": id, "platform": "bluesky", "text": "Soon."})
	s.field(free, "status", "scheduled")
	if soon := free.Fields["scheduled_at"].(string); soon < "2026-11-21T08:00:00.000Z" || soon > "2026-11-22T08:00:00.000Z" {
		s.t.Errorf("the next free slot is %s", soon)
	}
	// It is shown in the mission's lists and counters.
	list := a.contents(map[string]any{"mission_id": id})
	s.equal("the posts", list.Fields["total"], 4.0)
	// One in a mission that requires approval waits, and expires a day after its time.
	id = s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon"}, "constraints": map[string]any{"require_approval": true}})
	got = a.add(map[string]any{"mission_id": id, "platform": "mastodon", "text": "May I?", "scheduled_at": at})
	s.field(got, "status", "pending_review")
	s.field(got, "expires_at", "2026-11-23T09:00:00.000Z")
	s.field(a.approve(got.Fields["id"].(string), map[string]any{"revision": 1}), "status", "scheduled")
	s.want(a.regenerate(got.Fields["id"].(string), nil), "conflict", "")
	got = a.edit(got.Fields["id"].(string), map[string]any{"text": "May I now?"})
	s.field(got, "status", "pending_review")
	s.field(got, "scheduled_at", at)
	s.field(a.reject(got.Fields["id"].(string), nil), "status", "rejected")
	// A mission's own account is used before the default.
	id = s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon"}, "integration_ids": []any{two}})
	s.field(a.add(map[string]any{"mission_id": id, "platform": "mastodon", "text": "Ours."}), "integration_id", two)
	s.field(a.pause(id), "status", "paused")
	s.field(a.add(map[string]any{"mission_id": id, "platform": "mastodon", "text": "Meanwhile."}), "status", "scheduled")
}

// firstComments makes, edits and publishes posts with first comments.
func firstComments(s *harness, a postAPI) {
	s.twoAccounts(a)
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon", "pinterest"}, "constraints": map[string]any{"require_approval": true, "excluded_topics": []any{"politics"}}})
	post := map[string]any{"mission_id": id, "platform": "mastodon", "text": "By hand.", "first_comment": "More.", "scheduled_at": "2026-11-22T09:00:00Z"}
	got := a.add(post)
	cnt := got.Fields["id"].(string)
	shows := func(got result, text any, revision float64) {
		s.t.Helper()
		s.field(got, "revision", revision)
		if text == nil {
			s.field(got, "first_comment", nil)
			return
		}
		for name, want := range map[string]any{"text": text, "status": "waiting", "platform_url": nil, "error": nil} {
			s.equal("the comment's "+name, s.at(got, "first_comment", name), want)
		}
	}
	shows(got, "More.", 1)
	shows(a.content(cnt), "More.", 1)
	shows(a.approve(cnt, map[string]any{"revision": 1}), "More.", 1)
	// It is part of what was approved. What an edit doesn't send stays.
	got = a.edit(cnt, map[string]any{"first_comment": "Even more."})
	shows(got, "Even more.", 2)
	s.field(got, "status", "pending_review")
	s.field(got, "text", "By hand.")
	shows(a.edit(cnt, map[string]any{"text": "By my hand."}), "Even more.", 3)
	s.want(a.edit(cnt, map[string]any{"first_comment": "On politics."}), "invalid_request", "first_comment")
	s.want(a.edit(cnt, map[string]any{"first_comment": strings.Repeat("x", 501)}), "invalid_request", "first_comment")
	s.want(a.edit(cnt, map[string]any{}), "invalid_request", "text")
	shows(a.edit(cnt, map[string]any{"first_comment": nil}), nil, 4)
	shows(a.edit(cnt, map[string]any{"parts": []any{"One.", "Two."}, "first_comment": "More."}), "More.", 5)
	shows(a.edit(cnt, map[string]any{"first_comment": ""}), nil, 6)
	s.field(a.content(cnt), "type", "thread")
	// No adapter sends it on Pinterest.
	post["platform"] = "pinterest"
	s.want(a.add(post), "invalid_request", "first_comment")
	post["first_comment"] = " " // as none
	shows(a.add(post), nil, 1)
	// An excluded topic holds a post back for its comment, too.
	post = map[string]any{"mission_id": id, "platform": "mastodon", "text": "Another.", "first_comment": "On the weather.", "scheduled_at": "2026-11-22T10:00:00Z"}
	cnt = a.add(post).Fields["id"].(string)
	s.field(a.approve(cnt, nil), "status", "scheduled")
	a.update(id, map[string]any{"constraints": map[string]any{"excluded_topics": []any{"weather"}}})
	s.field(a.content(cnt), "status", "pending_review")
	s.want(a.approve(cnt, nil), "conflict", "")
	// Imports have it, a column and a member.
	rows := a.load("csv", "mission_id,platform,text,first_comment\n"+id+",mastodon,From a table.,And more.\n", nil).Fields["rows"].([]any)
	imported := rows[0].(map[string]any)["content_id"].(string)
	shows(a.content(imported), "And more.", 1)
	s.equal("a canceled post's comment", s.at(a.cancel(imported), "first_comment", "status"), "canceled")
	s.equal("a canceled post's comment, read again", s.at(a.content(imported), "first_comment", "status"), "canceled")
	rows = a.load("ndjson", `{"mission_id":"`+id+`","platform":"pinterest","text":"A line.","first_comment":"No."}`+"\n", map[string]any{"dry_run": true}).Fields["rows"].([]any)
	s.equal("the problem's param", rows[0].(map[string]any)["problem"].(map[string]any)["param"], "first_comment")
}

// commentsSent shows what became of first comments.
func commentsSent(s *harness, a postAPI) {
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon"}})
	ids := s.insert(id, plannedPost{mission.ContentPublished, mission.Mastodon, "", "2026-11-20T10:00:00Z", "2026-11-20T10:00:03Z"})
	url := "https://mastodon.example/@acme/2"
	for _, n := range []mission.Comment{
		{Text: "More.", Status: mission.CommentPublished, Publication: &mission.Publication{PostID: "2", URL: url}},
		{Text: "More.", Status: mission.CommentFailed, Error: &mission.Failure{Code: "platform_refused", Message: "No."}},
		{Text: "More.", Status: mission.CommentPublishing},
	} {
		ctx := context.Background()
		p, err := s.Accounts.Authenticate(ctx, s.key)
		s.must(err)
		s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
			c, err := tx.LockContent(ctx, p.TenantID, ids[0])
			if err != nil {
				return err
			}
			return tx.ChangeComment(ctx, c, n)
		}))
		got := a.content(ids[0])
		s.field(got, "status", "published")
		s.field(got, "error", nil)
		s.equal("the comment's status", s.at(got, "first_comment", "status"), string(n.Status))
		if n.Publication != nil {
			s.equal("its URL", s.at(got, "first_comment", "platform_url"), url)
		}
		if n.Error != nil {
			s.equal("its error", s.at(got, "first_comment", "error", "code"), n.Error.Code)
		}
	}
	s.want(a.edit(ids[0], map[string]any{"first_comment": "Later."}), "conflict", "")
}

func refusedPosts(s *harness, a postAPI) {
	own, _ := s.twoAccounts(a)
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon", "linkedin"}, "constraints": map[string]any{"excluded_topics": []any{"politics"}}})
	draft := s.make(a, nil)
	foreign := s.foreignMission(a)
	for _, tt := range []struct {
		change      map[string]any
		code, param string
	}{
		{map[string]any{"mission_id": "msn_x"}, "invalid_request", "mission_id"},
		{map[string]any{"mission_id": foreign}, "invalid_request", "mission_id"},
		{map[string]any{"mission_id": draft}, "conflict", ""},
		{map[string]any{"platform": "bluesky"}, "invalid_request", "platform"},
		{map[string]any{"integration_id": "int_x"}, "invalid_request", "integration_id"},
		{map[string]any{"integration_id": "int_01jd0000000000000000000000"}, "invalid_request", "integration_id"},
		{map[string]any{"integration_id": own, "platform": "linkedin"}, "invalid_request", "integration_id"},
		{map[string]any{"text": nil}, "invalid_request", "text"},
		{map[string]any{"text": " "}, "invalid_request", "text"},
		{map[string]any{"text": strings.Repeat("x", 501)}, "invalid_request", "text"},
		{map[string]any{"text": "About politics."}, "invalid_request", "text"},
		{map[string]any{"parts": []any{"One.", "Two."}}, "invalid_request", "parts"},
		{map[string]any{"first_comment": strings.Repeat("x", 501)}, "invalid_request", "first_comment"},
		{map[string]any{"first_comment": strings.Repeat("x", 1251), "platform": "linkedin"}, "invalid_request", "first_comment"},
		{map[string]any{"first_comment": strings.Repeat("x", 60_000)}, "invalid_request", "first_comment"},
		{map[string]any{"first_comment": "About politics."}, "invalid_request", "first_comment"},
		{map[string]any{"text": nil, "platform": "linkedin", "parts": []any{"One.", "Two."}}, "invalid_request", "parts"},
		{map[string]any{"text": nil, "parts": []any{"One.", strings.Repeat("x", 501)}}, "invalid_request", "parts[1]"},
		{map[string]any{"scheduled_at": "2026-11-21T08:00:00Z"}, "invalid_request", "scheduled_at"},
		{map[string]any{"scheduled_at": "2026-11-24T08:00:00Z"}, "invalid_request", "scheduled_at"},
	} {
		post := map[string]any{"mission_id": id, "platform": "mastodon", "text": "By hand."}
		for name, value := range tt.change {
			post[name] = value
			if value == nil {
				delete(post, name)
			}
		}
		s.t.Logf("%.60v", tt.change)
		s.want(a.add(post), tt.code, tt.param)
	}
	s.equal("the posts", a.contents(map[string]any{"mission_id": id}).Fields["total"], 0.0)
	s.field(a.complete(id), "status", "completed")
	s.want(a.add(map[string]any{"mission_id": id, "platform": "mastodon", "text": "Late."}), "conflict", "")
}

// foreignMission creates a mission of another tenant.
func (s *harness) foreignMission(a api) string {
	ours := s.key
	defer func() { s.key = ours }()
	for name, key := range s.keys {
		if key != ours {
			s.key = key
			s.t.Log("the other tenant is " + name)
			return s.make(a, map[string]any{"start_immediately": true})
		}
	}
	s.t.Fatal("there is no other tenant")
	return ""
}

func movedPosts(s *harness, a postAPI) {
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon", "bluesky"}})
	const at, later = "2026-11-22T09:00:00.000Z", "2026-11-23T10:30:00.000Z"
	add := func(platform, at string) string {
		got := a.add(map[string]any{"mission_id": id, "platform": platform, "text": "Word for word.", "scheduled_at": at})
		s.field(got, "status", "scheduled")
		return got.Fields["id"].(string)
	}
	post, other, elsewhere := add("mastodon", at), add("mastodon", later), add("bluesky", at)
	s.want(a.place(post, map[string]any{"scheduled_at": later}), "conflict", "")
	s.want(a.place(post, map[string]any{"scheduled_at": "2026-11-21T08:00:00Z"}), "invalid_request", "scheduled_at")
	s.want(a.place(post, map[string]any{"scheduled_at": "2026-11-24T08:00:00Z"}), "invalid_request", "scheduled_at")
	s.want(a.place("cnt_01jd0000000000000000000000", map[string]any{"scheduled_at": later}), "not_found", "")
	s.field(a.place(elsewhere, map[string]any{"scheduled_at": later}), "scheduled_at", later)
	got := a.cancel(other)
	s.field(got, "status", "canceled")
	s.equal("the reason", s.at(got, "error", "code"), "canceled")
	s.want(a.cancel(other), "conflict", "")
	s.want(a.place(other, map[string]any{"scheduled_at": later}), "conflict", "")
	s.want(a.cancel("cnt_01jd0000000000000000000000"), "not_found", "")
	s.field(a.place(post, map[string]any{"scheduled_at": later}), "scheduled_at", later) // the time is free again
	s.field(a.place(post, map[string]any{"scheduled_at": later}), "scheduled_at", later) // the same time is no conflict
	// A writer's post, and one in review.
	_, written := s.written(a, reviewed)
	got = a.place(written, map[string]any{"scheduled_at": "2026-11-23T07:00:00Z"})
	s.field(got, "status", "pending_review")
	s.field(got, "origin", "writer")
	s.field(got, "expires_at", "2026-11-24T07:00:00.000Z")
	s.field(a.cancel(written), "status", "canceled")
	s.want(a.approve(written, nil), "conflict", "")
}

func duplicates(s *harness, a postAPI) {
	own, _ := s.twoAccounts(a)
	p := s.principal()
	changes := map[string]any{
		"media_ids":         []any{s.picture(p), s.picture(p)},
		"start_immediately": true, "name": strings.Repeat("n", 200), "description": "d", "platforms": []any{"mastodon"}, "integration_ids": []any{own},
		"constraints": map[string]any{"tone": "dry", "cadence": "weekly", "posts_per_day": 2, "posting_times": []any{"09:00"}, "timezone": "Europe/Berlin",
			"require_approval": true, "budget_cents": 100, "excluded_topics": []any{"x"}},
		"kpis": []any{map[string]any{"metric": "likes", "target": 5, "platform": "mastodon"}}, "duration_days": 9,
		"events":     []any{map[string]any{"name": "Sale", "starts_on": "2026-11-25", "ends_on": "2026-11-26", "kind": "sale", "note": "n"}},
		"blackouts":  []any{map[string]any{"starts_at": "2026-11-23T00:00:00Z", "ends_at": "2026-11-24T00:00:00Z", "reason": "r"}},
		"disclosure": map[string]any{"ai_text": "line", "line_text": "Ours", "ai_media": "always", "paid_partnership": true},
		"links":      map[string]any{"utm": map[string]any{"source": "{platform}"}, "track": []any{"mastodon"}},
		"editor":     map[string]any{"name": "Jo Doe", "email": "jo@acme.example"}, "public_interest": true,
		"autonomy": map[string]any{"earned": map[string]any{"after": 3, "share": 0.25}},
	}
	id := s.make(a, changes)
	got := a.duplicate(id)
	if got.Code != "" {
		s.t.Fatalf("it is refused: %v", got)
	}
	one, two := a.read(id).Fields, a.read(got.Fields["id"].(string)).Fields
	for name := range one {
		want := one[name]
		switch name {
		case "id", "created_at", "updated_at":
			continue
		case "name":
			want = strings.Repeat("n", 193) + " (copy)"
		case "status":
			want = "draft"
		case "starts_at", "ends_at", "pipeline_job_id":
			want = nil
		}
		s.equal(name, fmt.Sprint(two[name]), fmt.Sprint(want))
	}
	s.want(a.duplicate("msn_01jd0000000000000000000000"), "not_found", "")
	s.want(a.duplicate(s.foreignMission(a)), "not_found", "")
}

const importHead = "mission_id,platform,integration_id,text,parts,scheduled_at\n"

func imports(s *harness, a postAPI) {
	one, two := s.twoAccounts(a)
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon", "bluesky"}})
	data := "\uFEFF" + importHead +
		id + `,mastodon,,"=1+1, and ""quotes""",,2026-11-22T09:00:00Z` + "\r\n" +
		`,mastodon,` + two + ",\"two\r\nlines\",,2026-11-22T10:00:00+01:00\r\n" +
		`,bluesky,,,"[""One."",""Two.""]",` + "\n"
	options := map[string]any{"mission_id": id}
	dry := a.load("csv", data, map[string]any{"mission_id": id, "dry_run": true})
	s.field(dry, "created", 3.0)
	s.equal("the posts after a dry run", a.contents(map[string]any{"mission_id": id}).Fields["total"], 0.0)
	got := a.load("csv", data, options)
	s.field(got, "created", 3.0)
	var made []map[string]any
	for i, line := range []float64{2, 3, 5} {
		row := got.Fields["rows"].([]any)[i].(map[string]any)
		s.equal("the line", row["line"], line)
		s.equal("the problem", row["problem"], nil)
		s.equal("the dry run's row", dry.Fields["rows"].([]any)[i].(map[string]any)["content_id"], nil)
		made = append(made, a.content(row["content_id"].(string)).Fields)
	}
	s.equal("the text", made[0]["text"], `=1+1, and "quotes"`)
	s.equal("the account", made[0]["integration_id"], one)
	s.equal("the time", made[0]["scheduled_at"], "2026-11-22T09:00:00.000Z")
	s.equal("the text", made[1]["text"], "two\nlines")
	s.equal("the account", made[1]["integration_id"], two)
	s.equal("the time", made[1]["scheduled_at"], "2026-11-22T09:00:00.000Z")
	s.equal("the parts", fmt.Sprint(made[2]["parts"]), "[One. Two.]")
	// NDJSON, in which rows have problems: among themselves too.
	rows := strings.Join([]string{
		`{"mission_id":"` + id + `","platform":"bluesky","text":"Fine.","scheduled_at":"2026-11-23T08:00:00Z"}`, "",
		`{"mission_id":"` + id + `","platform":"bluesky","text":"The same time.","scheduled_at":"2026-11-23T08:00:00Z"}`,
		`{"mission_id":"` + id + `","platform":"bluesky","txt":"x"}`,
		`{"mission_id":"` + id + `","platform":"bluesky","text":5}`,
		`{"mission_id":"` + s.foreignMission(a) + `","platform":"twitter","text":"x"}`,
		`{"mission_id":"` + id + `","platform":"bluesky","text":"` + strings.Repeat("x", 301) + `"}`,
		`not JSON`,
	}, "\n")
	for _, partial := range []bool{false, true} {
		got := a.load("ndjson", rows, map[string]any{"partial": partial})
		created := 0.0
		if partial {
			created = 1
		}
		s.field(got, "created", created)
		var problems []string
		for _, row := range got.Fields["rows"].([]any) {
			r := row.(map[string]any)
			if problem, ok := r["problem"].(map[string]any); ok {
				problems = append(problems, fmt.Sprintf("%v:%s", r["line"], problem["param"]))
			}
			s.equal("whether the post was made", r["content_id"] != nil, partial && r["problem"] == nil)
		}
		s.equal("the problems", strings.Join(problems, " "), "3: 4:txt 5:text 6:mission_id 7:text 8:")
		s.equal("the posts", a.contents(map[string]any{"mission_id": id}).Fields["total"], 3+created)
	}
}

func refusedImports(s *harness, a postAPI) {
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"mastodon"}})
	row := id + ",mastodon,,x,,\n"
	for name, tt := range map[string]struct{ format, data, param string }{
		"nothing":               {"csv", " ", "data"},
		"a header alone":        {"csv", importHead, "data"},
		"no JSON":               {"ndjson", "\n\n", "data"},
		"an unknown column":     {"csv", "mission_id,platform,text,colour\n", "data"},
		"a column twice":        {"csv", "mission_id,platform,text,text\n", "data"},
		"too many rows":         {"csv", importHead + strings.Repeat(row, 1001), "data"},
		"too many lines":        {"ndjson", strings.Repeat("{}\n", 1001), "data"},
		"a million columns":     {"csv", importHead + strings.Repeat(",", 1_000_000), "data"},
		"a million in the head": {"csv", strings.Repeat("text,", 200_000), "data"},
	} {
		if _, graph := a.(graphAPI); graph && len(tt.data) > 60<<10 {
			continue // its bodies are bounded
		}
		s.t.Log(name)
		s.want(a.load(tt.format, tt.data, nil), "invalid_request", tt.param)
	}
	// Cells that are wrong, each named.
	for cells, param := range map[string]string{
		id + ",mastodon,,x,,,y":         "",
		id + `,mastodon,,"x`:            "",
		id + `,mastodon,,"x"y,,`:        "",
		"msn_x,mastodon,,x,,":           "mission_id",
		id + ",myspace,,x,,":            "platform",
		id + ",mastodon,int_x,x,,":      "integration_id",
		id + ",mastodon,,,,":            "text",
		id + ",mastodon,,,[],":          "text",
		id + `,mastodon,,x,"[""y""]",`:  "parts",
		id + ",mastodon,,x,,tomorrow":   "scheduled_at",
		id + ",mastodon,,x,,2026-11-22": "scheduled_at",
		id + ",mastodon,,a\x00b,,":      "text",
	} {
		if _, graph := a.(graphAPI); graph && strings.Contains(cells, "\x00") {
			continue // refused before
		}
		got := a.load("csv", importHead+row+cells+"\n", nil)
		rows, _ := got.Fields["rows"].([]any)
		if len(rows) != 2 {
			s.t.Errorf("%q returned %v", cells, got)
			continue
		}
		problem, _ := rows[1].(map[string]any)["problem"].(map[string]any)
		if problem == nil || problem["param"] != param {
			s.t.Errorf("%q has the problem %v, want one on %q", cells, problem, param)
		}
	}
	s.equal("the posts", a.contents(map[string]any{"mission_id": id}).Fields["total"], 0.0)
}

// The import's body is CSV or NDJSON, and may be larger than others'.
func TestImportedBodies(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := restAPI{s}
	id := s.make(a, map[string]any{"start_immediately": true, "platforms": []any{"linkedin"}, "duration_days": 100})
	for contentType, want := range map[string]int{"application/json": 415, "text/plain": 415, "": 415, "text/csv; charset=utf-8": 200} {
		if status, object := s.upload(contentType, "/v1/content/import", importHead+id+",linkedin,,x,,\n"); status != want {
			t.Errorf("%q returned %d, %v", contentType, status, object)
		}
	}
	for _, name := range []string{"dry_run", "partial", "mission_id"} {
		status, object := s.upload("text/csv", "/v1/content/import?"+name+"="+strings.Repeat("x", 400_000), importHead+id+",linkedin,,x,,\n")
		if e, _ := object["error"].(map[string]any); status != http.StatusBadRequest || e["param"] != name {
			t.Errorf("a huge %s returned %d %v", name, status, e)
		}
	}
	if status, _ := s.upload("text/csv", "/v1/content/import", strings.Repeat("x", 4<<20+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("5 MiB returned %d", status)
	}
	// A thousand rows at once, with an Idempotency-Key; a mission has no more.
	var rows strings.Builder
	rows.WriteString(importHead)
	for i := range 999 {
		fmt.Fprintf(&rows, "%s,linkedin,,%s,,%s\n", id, strings.Repeat("word ", 500), scenarioStart.Add(time.Duration(i+1)*time.Hour).Format(time.RFC3339))
	}
	status, object := s.upload("text/csv", "/v1/content/import", rows.String())
	if status != http.StatusOK || object["created"] != 999.0 {
		t.Fatalf("got %d, %.300v", status, object)
	}
	got := a.add(map[string]any{"mission_id": id, "platform": "linkedin", "text": "One more."})
	s.want(got, "conflict", "")
	s.equal("the posts", a.contents(map[string]any{"mission_id": id}).Fields["total"], float64(mission.MaxOwnPosts))
}

package api

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// inWords returns values with a space between two.
func inWords(values ...any) string { return strings.TrimSpace(fmt.Sprintln(values...)) }

// Both APIs list the same replies, page by page and filtered, and do the same about them.
func TestReplies(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	gql := graphAPI{s}
	missionID, id := s.written(gql, reviewed)
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	one, two := s.replied(p, id, "1", "Hm?"), s.replied(p, id, "2", "<b>Buy</b> this!")
	_, list := s.send("GET", "/v1/replies?limit=1&mission_id="+missionID, nil)
	s.equal("the page", inWords(list["total"], list["has_more"], at(list["data"].([]any)[0].(map[string]any), "text")), "2 true <b>Buy</b> this!")
	_, list = s.send("GET", "/v1/replies?starting_after="+two.ID+"&status=new&content_id="+id+"&platform=twitter", nil)
	s.equal("the next page", inWords(list["has_more"], at(list["data"].([]any)[0].(map[string]any), "author", "handle")), "false grace")
	for param, query := range map[string]string{"platform": "?platform=myspace", "status": "?status=odd", "limit": "?limit=101", "starting_after": "?starting_after=x"} {
		status, response := s.send("GET", "/v1/replies"+query, nil)
		s.equal(param, inWords(status, at(response, "error", "param")), "400 "+param)
	}
	status, answered := s.send("POST", "/v1/replies/"+one.ID+"/answer", map[string]any{"text": "It does."})
	s.equal("the answer", inWords(status, answered["status"], at(answered, "answer", "status"), answered["allowed_actions"]), "200 answered waiting [hide]")
	status, _ = s.send("POST", "/v1/replies/"+one.ID+"/answer", map[string]any{"text": "It does."})
	s.equal("a second answer", status, 409)
	_, why := s.send("GET", "/v1/replies/"+one.ID+"/why", nil)
	s.equal("why it waits", inWords(why["status"], why["summary"]), "answered Its time has come, and it is next in line.")
	_, why = s.send("GET", "/v1/replies/"+two.ID+"/why", nil)
	s.equal("why nothing is sent", inWords(why["summary"], why["reasons"]), "It has no answer. []")
	status, response := s.send("POST", "/v1/replies/"+two.ID+"/answer", map[string]any{"text": ""})
	s.equal("no text", inWords(status, at(response, "error", "param")), "400 text")
	status, hidden := s.send("POST", "/v1/replies/"+two.ID+"/hide", nil)
	s.equal("hiding", inWords(status, hidden["status"], at(hidden, "hiding", "done")), "200 hidden false")
	status, _ = s.send("POST", "/v1/replies/"+two.ID+"/done", nil)
	s.equal("a hidden one set aside", status, 409)
	three := s.replied(p, id, "3", "Nice.")
	done := gql.query(fmt.Sprintf(`mutation { markReplyDone(id: %q) { reply { status handledBy allowedActions } } }`, three.ID))
	s.equal("done", inWords(at(done, "markReplyDone", "reply", "status"), at(done, "markReplyDone", "reply", "allowedActions")), "DONE [ANSWER HIDE REOPEN]")
	status, reopened := s.send("POST", "/v1/replies/"+three.ID+"/reopen", nil)
	s.equal("reopened", inWords(status, reopened["status"], reopened["handled_by"]), "200 new <nil>")

	shown := gql.query(fmt.Sprintf(`{ replies(filter: {contentId: %q, status: ANSWERED}, first: 1) { totalCount pageInfo { hasNextPage } edges { node {
		id text status author { handle name url } answer { text status by platformUrl error { code } } hiding { done } content { id } mission { id } integration { id } } } }
		node(id: %q) { ... on Reply { text } } reply(id: %q) { platformReplyId platformParentId why { summary reasons { code } } } }`, id, one.ID, one.ID))
	s.equal("in GraphQL", fmt.Sprint(shown), fmt.Sprint(map[string]any{
		"replies": map[string]any{"totalCount": 1.0, "pageInfo": map[string]any{"hasNextPage": false}, "edges": []any{map[string]any{"node": map[string]any{
			"id": one.ID, "text": "Hm?", "status": "ANSWERED", "author": map[string]any{"handle": "grace", "name": "Grace", "url": nil},
			"answer": map[string]any{"text": "It does.", "status": "WAITING", "by": at(answered, "answer", "by"), "platformUrl": nil, "error": nil}, "hiding": nil,
			"content": map[string]any{"id": id}, "mission": map[string]any{"id": missionID}, "integration": nil,
		}}}},
		"node": map[string]any{"text": "Hm?"}, "reply": map[string]any{"platformReplyId": "1", "platformParentId": "0", "why": map[string]any{
			"summary": "Its time has come, and it is next in line.", "reasons": []any{map[string]any{"code": "DUE"}},
		}},
	}))
	_, events := s.send("GET", "/v1/events?type=reply.received", nil)
	s.equal("the events", events["total"], 3.0)

	s.key = s.keys["theirs"]
	for path, want := range map[string]int{"GET /v1/replies/" + one.ID: 404, "GET /v1/replies/" + one.ID + "/why": 404, "POST /v1/replies/" + one.ID + "/hide": 404, "GET /v1/replies?content_id=" + id: 200} {
		var method, rest string
		_, _ = fmt.Sscan(path, &method, &rest)
		status, response := s.send(method, rest, nil)
		s.equal("another tenant: "+path, status, want)
		if data, ok := response["data"].([]any); ok && len(data) > 0 {
			t.Errorf("another tenant: %s returned %v", path, data)
		}
	}
}

// What platforms allow about replies, with the price of reading; a mission says where it pays it.
func TestPaidReplies(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	gql := graphAPI{s}
	_, platforms := s.send("GET", "/v1/platforms", nil)
	for _, each := range platforms["data"].([]any) {
		of := each.(map[string]any)
		switch of["platform"] {
		case "twitter":
			s.equal("X", inWords(at(of, "fees", "reply_cents"), at(of, "replies", "paid"), at(of, "replies", "read"), at(of, "replies", "hide")), "0.5 true true true")
		case "mastodon":
			s.equal("Mastodon", inWords(at(of, "fees", "reply_cents"), at(of, "replies", "paid"), at(of, "replies", "read"), at(of, "replies", "hide")), "0 false true false")
		}
	}
	id := s.make(gql, map[string]any{})
	status, changed := s.send("PUT", "/v1/missions/"+id, map[string]any{"constraints": map[string]any{"paid_replies": []string{"twitter"}}})
	s.equal("a mission that pays", inWords(status, at(changed, "constraints", "paid_replies")), "200 [twitter]")
	shown := gql.query(fmt.Sprintf(`{ mission(id: %q) { constraints { paidReplies } } }`, id))
	s.equal("in GraphQL", fmt.Sprint(at(shown, "mission", "constraints", "paidReplies")), "[TWITTER]")
	for _, wrong := range [][]string{{"myspace"}, {"twitter", "twitter"}} {
		status, _ := s.send("PUT", "/v1/missions/"+id, map[string]any{"constraints": map[string]any{"paid_replies": wrong}})
		s.equal(fmt.Sprint(wrong), status, 400)
	}
	other := s.make(gql, map[string]any{})
	shown = gql.query(fmt.Sprintf(`{ mission(id: %q) { constraints { paidReplies } } }`, other))
	s.equal("one that doesn't", fmt.Sprint(at(shown, "mission", "constraints", "paidReplies")), "[]")
}

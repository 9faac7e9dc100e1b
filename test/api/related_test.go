package api

import (
	"fmt"
	"testing"
	"time"

	"missiond/internal/testkit"
)

// Events, texts, keys and entries of the audit log show the records that they are about,
// of the caller's tenant and within its scopes.
func TestRelatedRecords(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	rest, gql := restAPI{s}, graphAPI{s}
	id, post := s.written(rest, map[string]any{"constraints": map[string]any{"require_approval": true}})
	s.field(rest.edit(post, map[string]any{"text": "By a person."}), "revision", 2.0)
	s.want(rest.approve(post, nil), "", "")

	about := map[string]int{}
	for _, e := range edges(gql.query(`{ events(first: 100) { edges { node { type data mission { id } content { id } job { id missionId } } } } }`)["events"]) {
		data := e["data"].(map[string]any)
		for field, key := range map[string]string{"content": "content_id", "job": "job_id"} {
			shown, _ := e[field].(map[string]any)
			switch want := data[key]; {
			case want == nil && shown != nil, want != nil && (shown == nil || shown["id"] != want):
				t.Errorf("%s of %v has the %s %v", e["type"], data, field, shown)
			case shown != nil:
				about[field]++
			}
		}
		if m, _ := e["mission"].(map[string]any); m == nil || m["id"] != id {
			t.Errorf("%s has the mission %v", e["type"], m)
		}
	}
	if about["content"] == 0 || about["job"] == 0 {
		t.Errorf("events are about %v", about)
	}

	me := gql.query(`{ viewer { user { id } } }`)["viewer"].(map[string]any)["user"].(map[string]any)["id"]
	texts := gql.query(fmt.Sprintf(`{ content(id: %q) { revisions { revision author { id } reviewer { id } } } }`, post))["content"].(map[string]any)["revisions"].([]any)
	for n, want := range []string{fmt.Sprintf("map[author:map[id:%s] reviewer:map[id:%[1]s] revision:2]", me), "map[author:<nil> reviewer:<nil> revision:1]"} {
		if got := fmt.Sprint(texts[n]); got != want {
			t.Errorf("the text is %s, want %s", got, want)
		}
	}
	for _, e := range edges(gql.query(`{ apiKeys { edges { node { createdBy { id } } } } }`)["apiKeys"]) {
		if by, _ := e["createdBy"].(map[string]any); by == nil || by["id"] != me {
			t.Errorf("a key was created by %v, want %v", by, me)
		}
	}
	s.want(rest.createKey(map[string]any{"name": "Reader", "scopes": []any{"missions:read"}}), "", "")
	for _, e := range edges(gql.query(`{ auditLog { edges { node { targetId target { id } } } } }`)["auditLog"]) {
		if target, _ := e["target"].(map[string]any); target == nil || target["id"] != e["targetId"] {
			t.Errorf("an entry about %v has the target %v", e["targetId"], target)
		}
	}
	byKey := 0
	for _, e := range edges(gql.query(`{ auditLog { edges { node { userId keyId user { id } key { id } } } } }`)["auditLog"]) {
		for field, key := range map[string]string{"user": "userId", "key": "keyId"} {
			shown, _ := e[field].(map[string]any)
			if want := e[key]; want == nil && shown != nil || want != nil && (shown == nil || shown["id"] != want) {
				t.Errorf("an entry has the %s %v, want %v", field, shown, want)
			}
		}
		if e["key"] != nil {
			byKey++
		}
	}
	if byKey == 0 {
		t.Error("no entry shows its key")
	}

	clock := gql.query(`{ clock { now speed } }`)["clock"].(map[string]any)
	now, err := time.Parse(time.RFC3339, clock["now"].(string))
	if err != nil || !now.Equal(s.clock.Now().Truncate(time.Millisecond)) || clock["speed"] != 1.0 {
		t.Errorf("the clock shows %v", clock)
	}

	stream := overSocket(s, fmt.Sprintf(`subscription { missionStatus(id: %q) { missionId mission { id name } } }`, id))
	if m, _ := stream.take("missionStatus")["mission"].(map[string]any); m == nil || m["id"] != id {
		t.Errorf("the status has the mission %v", m)
	}
	stream.end()
}

// edges returns the nodes of a connection.
func edges(connection any) (nodes []map[string]any) {
	c, _ := connection.(map[string]any)
	list, _ := c["edges"].([]any)
	for _, e := range list {
		nodes = append(nodes, e.(map[string]any)["node"].(map[string]any))
	}
	return nodes
}

package api

import (
	"fmt"
	"testing"

	"missiond/internal/testkit"
)

// Both APIs show the same comments of a post, page by page, to those who may see it.
func TestReviewComments(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	gql := graphAPI{s}
	_, id := s.written(gql, reviewed)
	made := gql.run(`mutation($id: ID!, $input: CommentContentInput!) { commentContent(id: $id, input: $input) { comment { id contentId revision text part start end author authorName createdAt } } }`,
		map[string]any{"id": id, "input": map[string]any{"text": "Too loud", "part": 0, "start": 0, "end": 3}}, "commentContent", "comment")
	status, second := s.send("POST", "/v1/content/"+id+"/comments", map[string]any{"text": "Better", "revision": 1})
	s.equal("the status", status, 201)
	_, list := s.send("GET", "/v1/content/"+id+"/comments?limit=1&starting_after="+second["id"].(string), nil)
	s.equal("the total", list["total"], 2.0)
	s.equal("the first comment", fmt.Sprint(list["data"].([]any)[0]), fmt.Sprint(made.Fields))
	const page = `edges { node { text author content { id } } } pageInfo { hasNextPage } totalCount`
	shown := gql.query(fmt.Sprintf(`{ content(id: %q) { comments(first: 1) { `+page+` } } node(id: %q) { ... on ReviewComment { text } } }`, id, second["id"]))
	s.equal("a page", fmt.Sprint(at(shown, "content", "comments")), fmt.Sprint(map[string]any{
		"edges":    []any{map[string]any{"node": map[string]any{"text": "Better", "author": second["author"], "content": map[string]any{"id": id}}}},
		"pageInfo": map[string]any{"hasNextPage": true}, "totalCount": 2.0,
	}))
	s.equal("a node", at(shown, "node", "text"), "Better")
	for param, body := range map[string]map[string]any{
		"text": {"text": ""}, "part": {"text": "x", "part": 9}, "start": {"text": "x", "start": -1, "end": 1}, "end": {"text": "x", "start": 0, "end": 100_000},
	} {
		status, response := s.send("POST", "/v1/content/"+id+"/comments", body)
		s.equal(param, fmt.Sprint(status, " ", at(response, "error", "param")), "400 "+param)
	}
	status, _ = s.send("POST", "/v1/content/"+id+"/comments", map[string]any{"text": "x", "revision": 2})
	s.equal("another revision", status, 409)
	s.key = s.keys["theirs"]
	status, _ = s.send("GET", "/v1/content/"+id+"/comments", nil)
	s.equal("another tenant", status, 404)
}

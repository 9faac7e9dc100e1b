package api

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"missiond/internal/testkit"
)

// FuzzREST sends arbitrary path parameters, queries and bodies to the routes of the
// API's description. The response is JSON, and never an internal error.
func FuzzREST(f *testing.F) {
	s := newHarness(f, testkit.SQLite)
	estate := s.estate("fuzzed")
	s.key = estate.key
	type target struct{ method, path string }
	var targets []target
	for path, methods := range s.description().paths {
		for method, op := range methods.(map[string]any) {
			if id := op.(map[string]any)["operationId"]; id != "webhooks.test" { // it sends a request
				targets = append(targets, target{strings.ToUpper(method), path})
			}
		}
	}
	slices.SortFunc(targets, func(a, b target) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	sound, err := json.Marshal(body(map[string]any{
		"constraints": map[string]any{"timezone": "Europe/Berlin", "posting_times": []any{"08:30"}, "cadence": "weekly"}, "kpis": []any{map[string]any{"metric": "likes", "target": 1}},
	}))
	s.must(err)
	for i := range targets {
		f.Add(uint16(i), estate.ids[i%len(estate.ids)], "limit=3&starting_after="+estate.ids[0], string(sound))
	}
	f.Add(uint16(0), "msn_x", "status=nope&platform=%00&limit=-1", `{"name":"\ud800","duration_days":1e999,"starts_at":"0000-00-00"}`)
	f.Fuzz(func(t *testing.T, which uint16, id, query, text string) {
		to := targets[int(which)%len(targets)]
		req, err := http.NewRequest(to.method, s.server.URL, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		path := strings.NewReplacer("{id}", id, "{delivery_id}", id).Replace(to.path)
		req.URL.Path, req.URL.RawQuery = path, query
		req.Header.Set("Authorization", "Bearer "+estate.key)
		req.Header.Set("Content-Type", "application/json")
		resp, err := s.server.Client().Do(req)
		if err != nil {
			return // not a request
		}
		defer func() { _ = resp.Body.Close() }()
		response, err := io.ReadAll(resp.Body)
		sound := json.Valid(response) || to.path == "/v1/analytics/export" // which may be in another format
		if err != nil || resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode/100 == 2 && !sound || !utf8.Valid(response) {
			t.Errorf("%s %s?%s %q returned %d %s, %v", to.method, path, query, text, resp.StatusCode, response, err)
		}
	})
}

// FuzzGraphQL sends arbitrary documents with variables.
func FuzzGraphQL(f *testing.F) {
	s := newHarness(f, testkit.SQLite)
	estate := s.estate("fuzzed")
	f.Add(`query($i: ID!) { mission(id: $i) { name } }`, `{"i":"`+estate.ids[2]+`"}`)
	f.Add(`mutation($i: CreateMissionInput!) { createMission(input: $i) { mission { id } } }`, `{"i":{"name":"x","objectives":["y"],"platforms":["TWITTER"],"durationDays":1,"constraints":{"timezone":"Europe/Berlin","postingTimes":["08:30"]}}}`)
	f.Add(`{ missions(first: 3, after: "x", filter: {status: DRAFT}) { totalCount edges { node { id } } } }`, `{}`)
	f.Add(`{ node(id: "cnt_x") { ... on Content { id } } events(filter: {types: [MISSION_CREATED]}) { edges { node { data mission { name } } } } }`, `null`)
	f.Add(`query { a: __typename ...f } fragment f on Query { viewer { user { name } } }`, `{"x":[1,null,{"y":1e400}]}`)
	f.Fuzz(func(t *testing.T, document, variables string) {
		if strings.Contains(document, "testWebhook") {
			return // it sends a request
		}
		query, err := json.Marshal(document)
		if err != nil {
			return
		}
		req, err := http.NewRequest(http.MethodPost, s.server.URL+"/graphql", strings.NewReader(`{"query":`+string(query)+`,"variables":`+variables+`}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+estate.key)
		req.Header.Set("Content-Type", "application/json")
		resp, err := s.server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		response, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode >= http.StatusInternalServerError || !json.Valid(response) || strings.Contains(string(response), `"internal_error"`) {
			t.Errorf("%s with %s returned %d %s, %v", document, variables, resp.StatusCode, response, err)
		}
	})
}

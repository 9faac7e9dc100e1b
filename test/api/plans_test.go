package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"missiond/internal/app"
	"missiond/internal/testkit"
	"missiond/internal/testkit/generated"
	"missiond/internal/testkit/hostile"
	"missiond/mission"
)

var (
	queryTexts = regexp.MustCompile(`^\s*(#.*\s*)*(query\b|\{)`)
	requestIDs = regexp.MustCompile(`"requestId":"[^"]*"`)
)

// samePlain checks that a query has the response, byte for byte, that gqlgen
// writes without plans, unless plain is nil. Errors of fields have no order.
func (s *harness) samePlain(request, response []byte) {
	s.t.Helper()
	var sent struct{ Query string }
	if s.plain == nil || json.Unmarshal(request, &sent) != nil || !queryTexts.MatchString(sent.Query) || bytes.Contains(response, []byte(`"rate_limit_exceeded"`)) {
		return
	}
	if got, want := unordered(response), unordered(s.queried(s.plain, request)); got != want {
		s.t.Errorf("%s: with plans\n%s\nwithout\n%s", request, got, want)
	}
}

// queried returns an API's response to a request of GraphQL.
func (s *harness) queried(h http.Handler, request []byte) []byte {
	r, w := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(request)), httptest.NewRecorder()
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	return w.Body.Bytes()
}

// unordered returns a response without ids of requests, its errors in an order of
// their own.
func unordered(response []byte) string {
	var members struct {
		Errors     []json.RawMessage `json:"errors,omitempty"`
		Data       json.RawMessage   `json:"data,omitempty"`
		Extensions json.RawMessage   `json:"extensions,omitempty"`
	}
	response = requestIDs.ReplaceAll(response, []byte(`"requestId":""`))
	if json.Unmarshal(response, &members) != nil || len(members.Errors) < 2 {
		return string(response)
	}
	slices.SortFunc(members.Errors, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
	return fmt.Sprintf("%s %s %s", members.Errors, members.Data, members.Extensions)
}

// plansCase is who sends a generated document, and what the database refuses then.
type plansCase struct {
	name, key string
	refused   func(statement string) bool
}

// Generated documents have the responses with plans that gqlgen writes without:
// when they are compiled, and again when they are cached, with other variables.
// Callers lack rights, and fields fail whose values must not be null.
func TestGeneratedDocuments(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	cases, g := s.generator()
	n := testkit.Size(100, 300, 1000, 20_000)
	planned, answered, failed := s.Handler(app.Pages{}), 0, 0
	for seed := range n {
		r, as := g.Request(uint64(seed)), cases[seed%len(cases)]
		s.key = as.key
		s.faults.Refuse(as.refused)
		for _, variables := range r.Variables {
			body := map[string]any{"query": r.Document, "variables": variables}
			if r.Operation != "" {
				body["operationName"] = r.Operation
			}
			request, err := json.Marshal(body)
			s.must(err)
			got, want := s.queried(planned, request), s.queried(s.plain, request)
			if got, want := unordered(got), unordered(want); got != want {
				t.Fatalf("document %d, %s: %s\n%v\nwith plans\n%s\nwithout\n%s", seed, as.name, r.Document, variables, got, want)
			}
			switch {
			case bytes.Contains(got, []byte(`"data":null`)):
			case bytes.Contains(got, []byte(`"errors":`)):
				failed++
			default:
				answered++
			}
		}
		s.faults.Refuse(nil)
	}
	t.Logf("of %d responses %d had data alone and %d errors too", 2*n, answered, failed)
	if answered < n/2 || failed < n/10 {
		t.Errorf("of %d responses %d had data alone and %d errors too: the documents test little", 2*n, answered, failed)
	}
}

// generator returns the cases of generated documents, with a generator that knows
// the records of an estate.
func (s *harness) generator() ([]plansCase, *generated.Generator) {
	s.t.Helper()
	e := s.estate("generated")
	s.key = e.key
	p, err := s.Accounts.Authenticate(context.Background(), e.key)
	s.must(err)
	days := 2
	for _, text := range []string{"<b>&amp;</b> \"q\" \\ \u2028\u2029", "Zeile\nzwei\tä€😀\r"} {
		_, err := s.Missions.CreateMission(context.Background(), p, mission.CreateInput{
			Name: "Marks <&>", Description: &text, Objectives: []string{"a <&> b"}, Platforms: []mission.Platform{mission.Twitter, mission.LinkedIn}, DurationDays: &days,
			KPIs: []mission.KPIInput{{Metric: mission.Likes, Target: new(1e15)}, {Metric: mission.EngagementRate, Target: new(0.1)}},
		})
		s.must(err)
	}
	cases := []plansCase{{name: "admin", key: e.key}, {name: "admin again", key: e.key}}
	for _, scope := range []mission.Scope{mission.ScopeMissionsRead, mission.ScopeContentRead} {
		_, key, err := s.Accounts.CreateKey(context.Background(), p, mission.KeyInput{Name: "narrow", Scopes: []mission.Scope{scope}})
		s.must(err)
		cases = append(cases, plansCase{name: string(scope), key: key})
	}
	for _, part := range []string{"count(", `FROM "contents"`, `FROM "events"`} {
		cases = append(cases, plansCase{name: "refused " + part, key: e.key, refused: func(statement string) bool { return strings.Contains(statement, part) }})
	}
	response := s.queried(s.plain, []byte(fmt.Sprintf(`{"query": "query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", "variables": {"ids": ["%s"]}}`, strings.Join(e.ids, `","`))))
	var found struct {
		Data struct {
			Nodes []struct {
				Type string `json:"__typename"`
				ID   string
			}
		}
	}
	s.must(json.Unmarshal(response, &found))
	ids := map[string][]string{"None": {"x", never("msn_")}}
	for _, n := range found.Data.Nodes {
		ids[n.Type] = append(ids[n.Type], n.ID)
	}
	w := httptest.NewRecorder()
	s.Handler(app.Pages{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/graphql/schema.graphql", nil))
	g, err := generated.New(w.Body.String(), ids)
	s.must(err)
	return cases, g
}

// Hostile documents, and those that are refused as a whole, have the same responses
// with plans as without.
func TestRefusedDocumentsWithoutPlans(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	e := s.estate("refused")
	s.key = e.key
	all := hostile.Documents()
	maps.Copy(all, map[string]string{
		"a cycle":                     `{ viewer { ...a } } fragment a on Viewer { ...b } fragment b on Viewer { scopes ...a }`,
		"two fragments of a name":     `{ viewer { ...a } } fragment a on Viewer { scopes } fragment a on Viewer { authMethod }`,
		"two operations of a name":    `query a { viewer { scopes } } query a { tenant { id } }`,
		"a conflict of fields":        `{ missions { edges { node { a: id a: name } } } }`,
		"a conflict of arguments":     `{ missions(first: 1) { totalCount } missions(first: 2) { totalCount } }`,
		"a conflict of types":         `{ node(id: "x") { ... on Mission { a: name } ... on Content { a: revision } } }`,
		"a field that isn't there":    `{ missions { edges { node { none } } } }`,
		"an object without fields":    `{ missions { edges { node } } }`,
		"a variable undeclared":       `{ missions(first: $n) { totalCount } }`,
		"a variable without a value":  `query($n: ID!) { mission(id: $n) { id } }`,
		"a variable unused":           `query($n: ID!) { viewer { scopes } }`,
		"a condition without a value": `query($c: Boolean) { viewer { scopes @include(if: $c) } }`,
		"a fragment of another type":  `{ viewer { ... on Mission { id } } }`,
		"a fragment unused":           `{ viewer { scopes } } fragment a on Viewer { scopes }`,
		"too deep":                    `{ missions { edges { node ` + strings.Repeat("{ job { mission ", 9) + "{ id }" + strings.Repeat("} }", 9) + ` } } }`,
		"too dear":                    `{ missions(first: 100) { edges { node { contents(first: 100) { edges { node { mission { events(first: 100) { edges { node { id } } } } } } } } } } }`,
		"a page of nothing":           `{ missions(first: 0) { totalCount edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
		"a nested page of nothing":    `{ missions { edges { node { contents(last: 0) { totalCount edges { node { id } } pageInfo { hasNextPage hasPreviousPage } } } } } }`,
		"an error below":              `{ missions { edges { node { a: contents(first: -1) { totalCount } name } } } }`,
		"introspection":               `{ __schema { types { name fields { name type { name } } } } missions { __typename edges { __typename } } }`,
		"a subscription":              `subscription { events { id } }`,
	})
	planned := s.Handler(app.Pages{})
	for name, text := range all {
		request, err := json.Marshal(map[string]any{"query": text})
		s.must(err)
		if got, want := unordered(s.queried(planned, request)), unordered(s.queried(s.plain, request)); got != want {
			t.Errorf("%s: %.2000s: with plans\n%.2000s\nwithout\n%.2000s", name, text, got, want)
		}
	}
}

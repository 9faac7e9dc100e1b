package endpoint

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// audit is a requirement of GraphQL over HTTP, by its id in the audits of the npm
// package graphql-http 1.22.
type audit struct {
	id string
	// get are the parameters of a GET; a POST has a body instead.
	get               url.Values
	contentType, body string
	accept            string
	// status is the lowest status allowed, upTo the highest if it is another one.
	status, upTo int
	// answers is the response's media type; "" if the audit doesn't say it.
	answers string
	// clean requires a response without errors, bare one without data.
	clean, bare bool
}

const (
	auditName    = `{"query":"{ __typename }"}`
	auditType    = `query Type($name: String!) { __type(name: $name) { name } }`
	auditUnknown = `{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}`
	auditCoerce  = `{"query":"query CoerceFailure($id: ID!) { __typename }","variables":{"id":null}}`
)

// audits are all of the package's, each SHOULD and MAY taken for a MUST. B6DC is left
// out: it allows every status that there is. BCF8 is the same request, and stricter.
func audits() []audit {
	list := []audit{
		{id: "22EB", body: auditName, accept: typeResponse, status: 200, answers: typeResponse},
		{id: "4655", body: auditName, accept: typeJSON, status: 200, answers: typeJSON},
		{id: "47DE", body: auditName, accept: "*/*", status: 200, answers: typeJSON},
		{id: "80D8", body: auditName, status: 200, answers: typeJSON},
		{id: "82A3", body: auditName, status: 200}, // that all responses are UTF-8 is checked of each
		{id: "BF61", contentType: "application/json; charset=utf-8", body: `{"query":"{ __type(name: \"Run🏃Swim🏊\") { name } }"}`, status: 200},
		{id: "78D5", body: auditName, status: 200},
		{id: "2C94", body: auditName, status: 200},
		{id: "5A70", get: url.Values{"query": {"{ __typename }"}}, status: 200},
		{id: "9C48", get: url.Values{"query": {"mutation { __typename }"}}, accept: typeResponse, status: 400, upTo: 499},
		{id: "9ABE", contentType: "text/plain;charset=UTF-8", body: auditName, status: 400, upTo: 499},
		{id: "03D4", body: auditName, status: 200},
		{id: "A5BF", status: 400},
		{id: "423L", body: `{"notquery":"{ __typename }"}`, accept: typeResponse, status: 400},
		{id: "34A2", body: auditName, accept: typeResponse, status: 200},
		{id: "13EE", body: auditName, accept: typeJSON, status: 200, clean: true},
		{id: "8161", body: `{"operationName":"Query","query":"query Query { __typename }"}`, accept: typeResponse, status: 200},
		{id: "B8B3", body: `{"operationName":"Query","query":"query Query { __typename }"}`, accept: typeJSON, status: 200, clean: true},
		{id: "2EA1", body: `{"query":"` + auditType + `","variables":{"name":"sometype"}}`, accept: typeResponse, status: 200},
		{id: "28B9", body: `{"query":"` + auditType + `","variables":{"name":"sometype"}}`, accept: typeJSON, status: 200, clean: true},
		{id: "D6D5", get: url.Values{"query": {auditType}, "variables": {`{"name":"sometype"}`}}, accept: typeResponse, status: 200, clean: true},
		{id: "6A70", get: url.Values{"query": {auditType}, "variables": {`{"name":"sometype"}`}}, accept: typeJSON, status: 200, clean: true},
		{id: "428F", body: `{"query":"{ __typename }","extensions":{"some":"value"}}`, accept: typeResponse, status: 200},
		{id: "1B7A", body: `{"query":"{ __typename }","extensions":{"some":"value"}}`, accept: typeJSON, status: 200, clean: true},
		{id: "BCF8", body: `{ "not a JSON`, accept: typeJSON, status: 400},
		{id: "B7N8", body: `{ "not a JSON`, accept: typeResponse, status: 400},
		{id: "8764", body: `{"qeury":"{ __typename }"}`, status: 400, upTo: 599},
		{id: "3E3A", body: `{"qeury":"{ __typename }"}`, status: 400},
		{id: "572B", body: `{"query":"{"}`, accept: typeJSON, status: 200},
		{id: "FDE2", body: auditUnknown, accept: typeJSON, status: 200},
		{id: "7B9B", body: auditCoerce, accept: typeJSON, status: 200},
		{id: "865D", body: `{"query":"{"}`, accept: typeResponse, status: 400, upTo: 599},
		{id: "556A", body: `{"query":"{"}`, accept: typeResponse, status: 400},
		{id: "D586", body: `{"query":"{"}`, accept: typeResponse, status: 400, bare: true},
		{id: "51FE", body: auditUnknown, accept: typeResponse, status: 400, upTo: 599},
		{id: "74FF", body: auditUnknown, accept: typeResponse, status: 400},
		{id: "5E5B", body: auditUnknown, accept: typeResponse, status: 400, bare: true},
		{id: "86EE", body: auditCoerce, accept: typeResponse, status: 400},
	}
	for i, parameter := range []string{"variables", "operationName", "extensions"} {
		body, n := `{"query":"{ __typename }","`+parameter+`":null}`, string(rune('0'+i))
		list = append(list,
			audit{id: "94B" + n, body: body, accept: typeResponse, status: 200, clean: true},
			audit{id: "022" + n, body: body, accept: typeJSON, status: 200, clean: true})
	}
	for _, wrong := range []struct{ id, before, object string }{
		{"LKJ", `{"query":`, `{"a":1}`},
		{"6C0", `{"query":"{ __typename }","operationName":`, `{"a":1}`},
		{"476", `{"query":"{ __typename }","variables":`, `"string"`},
		{"58B", `{"query":"{ __typename }","extensions":`, `"string"`},
	} {
		for i, value := range []string{wrong.object, `0`, `false`, `["array"]`} {
			list = append(list, audit{id: wrong.id + string(rune('0'+i)), body: wrong.before + value + `}`, status: 400})
		}
	}
	return list
}

// The API is a GraphQL over HTTP server by the audits of the reference implementation.
func TestAudits(t *testing.T) {
	h := newAPI(Options{Introspection: true})
	list := audits()
	const inPackage, left = 61, 1
	if len(list) != inPackage-left {
		t.Fatalf("%d audits, want %d", len(list), inPackage-left)
	}
	for _, tt := range list {
		t.Run(tt.id, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", "application/json")
			if tt.contentType != "" {
				r.Header.Set("Content-Type", tt.contentType)
			}
			if tt.get != nil {
				r = httptest.NewRequest(http.MethodGet, "/graphql?"+tt.get.Encode(), http.NoBody)
			}
			if tt.accept != "" {
				r.Header.Set("Accept", tt.accept)
			}
			r.Header.Set("Authorization", "Bearer key")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			tt.check(t, w)
		})
	}
}

// check fails the test if a response isn't as the audit requires.
func (a audit) check(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code < a.status || w.Code > max(a.status, a.upTo) {
		t.Errorf("got %d %s, want %d", w.Code, w.Body, a.status)
	}
	if got := w.Header().Get("Content-Type"); a.answers != "" && !strings.HasPrefix(got, a.answers) {
		t.Errorf("the response's type is %q, want %q", got, a.answers)
	}
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || !utf8.Valid(w.Body.Bytes()) {
		t.Fatalf("got %q, which is not JSON in UTF-8: %v", w.Body, err)
	}
	if _, ok := body["errors"]; ok && a.clean {
		t.Errorf("got errors: %s", w.Body)
	}
	if _, ok := body["data"]; ok && a.bare {
		t.Errorf("got data: %s", w.Body)
	}
}

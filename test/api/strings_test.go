package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/testkit"
)

// unsound are strings that are refused everywhere, as JSON writes them: U+0000 and
// another control character, each half of a surrogate pair, and an invalid byte.
var unsound = map[string]string{
	"U+0000": `"\u0000"`, "U+0000 within": `"evt_\u0000"`, "a bell": `"a\u0007"`, "C1": "\"a\u0085b\"",
	"a high surrogate": `"\ud800"`, "a low surrogate": `"x\udc00y"`, "no UTF-8": "\"a\xff\"", "a surrogate's bytes": "\"\xed\xa0\x80\"",
}

// unsoundBytes are the same in paths and queries.
var unsoundBytes = []string{"\x00", "evt_\x00", "a\x07", "\xff", "\xed\xa0\x80", "a\u0085b"}

// raw sends a request as it is, and returns the status and the body of the response.
func (s *harness) raw(method, target, body string) (int, []byte) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.server.URL, strings.NewReader(body))
	s.must(err)
	path, query, _ := strings.Cut(target, "?")
	req.URL.RawQuery, req.URL.RawPath = query, path
	req.URL.Path, err = url.PathUnescape(path)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	s.must(err)
	return resp.StatusCode, text
}

// refusedFor expects a 400 that names a parameter.
func (s *harness) refusedFor(param, method, target, body string) {
	s.t.Helper()
	status, text := s.raw(method, target, body)
	var response struct{ Error struct{ Code, Param string } }
	s.must(json.Unmarshal(text, &response))
	if status != http.StatusBadRequest || response.Error.Code != "invalid_request" || response.Error.Param != param {
		s.t.Errorf("%s %s %q returned %d %s, want a 400 on %q", method, target, body, status, text, param)
	}
}

// escaped percent-encodes every byte of a value.
func escaped(value string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		_, _ = fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// Every string that REST's operations take, in a path, a query or a body, is
// refused by name if it can't be stored.
func TestUnsoundStringsInREST(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			e := s.estate("unsound")
			s.key = e.key
			tried := 0
			for _, op := range s.described() {
				for _, name := range op.parameters("path") {
					for _, bad := range unsoundBytes {
						tried++
						s.refusedFor(name, op.method, e.fill(strings.Replace(op.path, "{"+name+"}", escaped(bad), 1)), "")
					}
				}
				target := e.fill(op.path)
				for _, name := range append(op.parameters("query"), "no_such_parameter") {
					for _, bad := range unsoundBytes {
						tried++
						s.refusedFor(name, op.method, target+"?"+name+"="+escaped(bad), "")
					}
				}
				for path, text := range op.strings() {
					for _, bad := range unsound {
						tried++
						s.refusedFor(path, op.method, target, strings.Replace(text, "5", bad, 1))
					}
				}
			}
			t.Logf("%d requests", tried)
			if tried < 1000 {
				t.Errorf("only %d requests were tried", tried)
			}
		})
	}
}

// describedOperation is an operation of the API's description.
type describedOperation struct {
	contract     *contract
	served       map[string]any
	method, path string
	object       map[string]any
}

// described lists the operations of the API's description.
func (s *harness) described() []describedOperation {
	s.t.Helper()
	c := s.description()
	_, served := s.send("GET", "/v1/openapi.json", nil)
	paths := served["paths"].(map[string]any)
	var all []describedOperation
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, object := range paths[path].(map[string]any) {
			all = append(all, describedOperation{c, served, strings.ToUpper(method), path, object.(map[string]any)})
		}
	}
	return all
}

// parameters returns the names of the parameters in a location.
func (o describedOperation) parameters(in string) []string {
	var names []string
	params, _ := o.object["parameters"].([]any)
	for _, each := range params {
		if p := each.(map[string]any); p["in"] == in {
			names = append(names, p["name"].(string))
		}
	}
	return names
}

// strings returns bodies of the operation by the path of a string, whose value is
// replaced by the number 5.
func (o describedOperation) strings() map[string]string {
	inJSON, ok := at(o.object, "requestBody", "content", "application/json").(map[string]any)
	if !ok {
		return nil
	}
	schema := o.contract.resolve(o.served, inJSON["schema"])
	bodies := map[string]string{}
	for _, w := range o.contract.wrongs(o.served, schema, "", func(v any) map[string]any { return v.(map[string]any) }) {
		if text, err := json.Marshal(w.body); err == nil && bytes.Count(text, []byte("5")) == 1 {
			bodies[w.path] = string(text)
		}
	}
	return bodies
}

// A malformed query is refused: otherwise a parameter could get lost.
func TestUnreadableQuery(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.refusedFor("", "GET", "/v1/missions?status=%zz", "")
	s.refusedFor("", "GET", "/v1/missions?limit=5;status=active", "")
}

// Every string that GraphQL's fields take, as a variable or a literal, is refused
// if it can't be stored.
func TestUnsoundStringsInGraphQL(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			types := s.schema()
			s.key = s.estate("unsound").key
			tried := 0
			for _, root := range []string{"query", "mutation", "subscription"} {
				for _, f := range types[strings.ToUpper(root[:1])+root[1:]].Fields {
					for _, a := range f.Args {
						for _, value := range marked(types, a.Type) {
							tried += s.refusedInGraphQL(types, root, f, a, value)
						}
					}
				}
			}
			t.Logf("%d documents", tried)
			if tried < 500 {
				t.Errorf("only %d documents were tried", tried)
			}
		})
	}
}

// marker is the placeholder of a string under test.
const marker = "here"

// marked returns valid values of a type, each with the marker in place of one of
// its strings.
func marked(types map[string]schemaType, of typeRef) []any {
	named := of.named()
	var found []any
	switch {
	case named.Kind == "SCALAR" && !slices.Contains([]string{"Int", "Float", "Boolean"}, named.Name):
		found = append(found, marker)
	case named.Kind == "INPUT_OBJECT":
		for _, f := range types[named.Name].InputFields {
			for _, v := range marked(types, f.Type) {
				object := required(types, types[named.Name].InputFields)
				object[f.Name] = v
				found = append(found, object)
			}
		}
	}
	if of.isList() {
		for i, v := range found {
			found[i] = []any{v}
		}
	}
	return found
}

// text returns a type as written in documents.
func (t typeRef) text() string {
	switch t.Kind {
	case "NON_NULL":
		return t.OfType.text() + "!"
	case "LIST":
		return "[" + t.OfType.text() + "]"
	}
	return t.Name
}

// literal returns a value of a type as written in documents.
func literal(types map[string]schemaType, of typeRef, v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case []any:
		return "[" + literal(types, of, v[0]) + "]"
	case map[string]any:
		var fields []string
		for _, f := range types[of.named().Name].InputFields {
			if value, ok := v[f.Name]; ok {
				fields = append(fields, f.Name+": "+literal(types, f.Type, value))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case string:
		if of.named().Kind != "ENUM" {
			return fmt.Sprintf("%q", v)
		}
	}
	return fmt.Sprint(v)
}

// refusedInGraphQL sends a field with each unsound string in an argument's value.
func (s *harness) refusedInGraphQL(types map[string]schemaType, root string, f outputField, a inputField, value any) (tried int) {
	s.t.Helper()
	selection := ""
	if kind := f.Type.named().Kind; kind == "OBJECT" || kind == "INTERFACE" || kind == "UNION" {
		selection = " { __typename }"
	}
	variable := fmt.Sprintf("%s($v: %s) { %s(%s: $v%s)%s }", root, strings.TrimSuffix(a.Type.text(), "!")+"!", f.Name, a.Name, s.others(types, f, a.Name), selection)
	variables, err := json.Marshal(map[string]any{"v": value})
	s.must(err)
	for name, bad := range unsound {
		tried++
		s.refusedDocument(root+" "+f.Name+" with "+name, variable, strings.Replace(string(variables), `"`+marker+`"`, bad, 1))
	}
	written := fmt.Sprintf("%s { %s(%s: %s%s)%s }", root, f.Name, a.Name, literal(types, a.Type, value), s.others(types, f, a.Name), selection)
	for _, bad := range []string{`"\u0000"`, `"evt_\u0000"`, `"a\u0007"`} {
		tried++
		s.refusedDocument(root+" "+f.Name+" with a literal "+bad, strings.Replace(written, `"`+marker+`"`, bad, 1), "{}")
	}
	return tried
}

// refusedDocument expects invalid_request; a subscription is sent over server-sent
// events.
func (s *harness) refusedDocument(what, document, variables string) {
	s.t.Helper()
	query, err := json.Marshal(document)
	s.must(err)
	req, err := http.NewRequest(http.MethodPost, s.server.URL+"/graphql", strings.NewReader(`{"query":`+string(query)+`,"variables":`+variables+`}`))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(document, "subscription") {
		req.Header.Set("Accept", "text/event-stream")
	}
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	s.must(err)
	if resp.StatusCode >= http.StatusInternalServerError || !strings.Contains(string(text), `"code":"invalid_request"`) {
		s.t.Errorf("%s: %s with %q returned %d %s", what, document, variables, resp.StatusCode, text)
	}
}

// The strings of a socket's operations are checked as those of other requests; a
// message that isn't UTF-8 closes it as RFC 6455 requires.
func TestUnsoundStringsOnSockets(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	for _, payload := range []string{
		`{"query":"query($v: ID!) { event(id: $v) { id } }","variables":{"v":"evt_\u0000"}}`,
		`{"query":"query($v: ID!) { event(id: $v) { id } }","variables":{"v":"\ud800"}}`,
		`{"query":"{ event(id: \"\\u0000\") { id } }"}`,
		`{"query":"subscription { events(after: \"evt_\\u0000\") { id } }"}`,
		`{"query":"subscription { events(missionId: \"\\u0000\") { id } }"}`,
	} {
		p := s.dial()
		p.send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.key))
		if m, code := p.receive(); m["type"] != "connection_ack" {
			t.Fatalf("the socket sent %v, %d", m, code)
		}
		p.send(`{"id":"1","type":"subscribe","payload":` + payload + `}`)
		m, code := p.receive()
		text, err := json.Marshal(m)
		s.must(err)
		if !strings.Contains(string(text), `"code":"invalid_request"`) {
			t.Errorf("%s got %s, %d", payload, text, code)
		}
	}
	for _, payload := range []string{`{"Authorization":"Bearer \u0000"}`, `{"Authorization":"Bearer \ud800"}`, `{"Authorization":"\u0000"}`} {
		p := s.dial()
		p.send(`{"type":"connection_init","payload":` + payload + `}`)
		if m, code := p.receive(); code != 4403 {
			t.Errorf("%s got %v, %d", payload, m, code)
		}
	}
	p := s.dial()
	p.send("{\"type\":\"connection_init\",\"payload\":{\"x\":\"\xff\"}}")
	if m, code := p.receive(); code != 1007 {
		t.Errorf("a message that isn't UTF-8 got %v, %d", m, code)
	}
}

// A provider's token with identifiers that can't be stored is refused; a name is
// stored without the characters that can't be shown.
func TestUnsoundClaims(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			login := func(who identity.DevPerson) (int, map[string]any) {
				return s.send("POST", "/v1/auth/login", map[string]any{"clerk_token": s.token(who)})
			}
			for _, id := range []string{"a\x00", "org\u202e", "a\nb", "a\u200b"} {
				if status, response := login(identity.DevPerson{Email: "a@example.com", Organization: id}); status != http.StatusUnauthorized {
					t.Errorf("the organisation %q got %d %v", id, status, response)
				}
			}
			status, response := login(identity.DevPerson{Email: "b@example.com", Name: "Ann\x00\r\n\u202eBe\u200bn", Organization: "org_b", OrganizationSlug: "b\x00\u202eb"})
			if status != http.StatusOK || at(response, "user", "name") != "AnnBen" || at(response, "tenant", "name") != "bb" {
				t.Errorf("a name that can't be shown got %d %v", status, response)
			}
			for _, email := range []string{"\x00@example.com", "c\n\u202e@example.com"} {
				if status, response := login(identity.DevPerson{Email: email}); status >= http.StatusInternalServerError {
					t.Errorf("the address %q got %d %v", email, status, response)
				}
			}
		})
	}
}

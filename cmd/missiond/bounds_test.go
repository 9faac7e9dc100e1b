package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/store"
)

// maxRefusal is how long a refusal may be, in bytes, however long what it
// refuses is.
const maxRefusal = 8 << 10

// refused sends a request that has something far too long at a field's path, and
// fails the test where it isn't refused for that in few words.
func (s *stage) refused(what, method, target string, body any, path string) {
	s.t.Helper()
	text, err := json.Marshal(body)
	s.must(err)
	req, err := http.NewRequest(method, s.server.URL+target, strings.NewReader(string(text)))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	s.must(err)
	if len(answer) > maxRefusal {
		s.t.Errorf("%s with %d bytes at %s: the refusal has %d bytes", what, len(text), path, len(answer))
		return
	}
	var said struct {
		Error  struct{ Code, Param, Message string }
		Errors []struct {
			Message    string
			Extensions struct{ Code, Param string }
		}
	}
	s.must(json.Unmarshal(answer, &said))
	code, param := said.Error.Code, said.Error.Param
	if len(said.Errors) > 0 {
		code, param = said.Errors[0].Extensions.Code, said.Errors[0].Extensions.Param
	}
	if code == "unauthorized" && strings.HasSuffix(path, "token") || code == "not_found" && path == "ids[0]" {
		return
	}
	if code != "invalid_request" || param != path && !strings.HasPrefix(param, path+"[") {
		s.t.Errorf("%s with %d bytes at %s answers %s", what, len(text), path, answer)
	}
}

// whileWriting runs fn while the database's only writer is taken: whatever
// begins a transaction waits until its request's time is over.
func (s *stage) whileWriting(fn func()) {
	s.must(s.db.Tx(context.Background(), func(store.Tx) error { fn(); return nil }))
}

// session is the token of an admin of an estate.
func (s *stage) session(name string) string {
	s.t.Helper()
	login, err := s.accounts.Login(context.Background(), s.token(identity.DevPerson{Email: "second@" + name, Organization: "org_" + name, OrganizationRole: "admin"}))
	s.must(err)
	return login.Token
}

// soundBody is a value of a schema that nothing is to be said against, but that
// it may be of something that isn't there.
func (c *contract) soundBody(doc map[string]any, schema any) any {
	node, _ := schema.(map[string]any)
	if examples, ok := node["examples"].([]any); ok && len(examples) > 0 {
		return examples[0]
	}
	s := c.resolve(doc, schema)
	if examples, ok := s["examples"].([]any); ok && len(examples) > 0 {
		return examples[0]
	}
	if choices, ok := s["enum"].([]any); ok {
		return choices[0]
	}
	switch kind(s) {
	case "object":
		object := map[string]any{}
		names, _ := s["required"].([]any)
		for _, name := range names {
			object[name.(string)] = c.soundBody(doc, s["properties"].(map[string]any)[name.(string)])
		}
		return object
	case "array":
		return []any{c.soundBody(doc, s["items"])}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	}
	return "text"
}

// huge tells, for each text and each list of a schema, a body that has far too
// much there.
func (c *contract) huge(doc map[string]any, schema any, at string, in func(v any) any, each func(path string, body any)) {
	const long, many = 900_000, 100_000
	s := c.resolve(doc, schema)
	switch kind(s) {
	case "string":
		each(at, in(strings.Repeat("x", long)))
	case "array":
		list := make([]any, many)
		for i := range list {
			list[i] = map[string]any{"object": map[string]any{}, "string": "x"}[kind(c.resolve(doc, s["items"]))]
		}
		each(at, in(list))
		c.huge(doc, s["items"], at+"[0]", func(v any) any { return in([]any{v}) }, each)
	case "object":
		properties, _ := s["properties"].(map[string]any)
		for name, property := range properties {
			c.huge(doc, property, strings.TrimPrefix(at+"."+name, "."), func(v any) any {
				object, _ := c.soundBody(doc, s).(map[string]any)
				object[name] = v
				return in(object)
			}, each)
		}
	}
}

// Every text and every list of every body of REST has a bound, which is held to
// before a transaction begins and before anything is looked up.
func TestHugeBodiesInREST(t *testing.T) {
	t.Parallel()
	s := newStage(t, testkit.SQLite)
	estate := s.estate("huge")
	s.key = s.session("huge")
	c := s.description()
	_, served := s.send("GET", "/v1/openapi.json", nil)
	tried := 0
	s.whileWriting(func() {
		for path, methods := range served["paths"].(map[string]any) {
			for method, op := range methods.(map[string]any) {
				request, ok := op.(map[string]any)["requestBody"].(map[string]any)
				if !ok {
					continue
				}
				schema := request["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
				target := estate.fill(strings.ReplaceAll(path, "{id}", never(estate.ids[0])))
				c.huge(served, schema, "", func(v any) any { return v }, func(at string, body any) {
					tried++
					s.refused(method+" "+path, strings.ToUpper(method), target, body, at)
				})
			}
		}
	})
	if tried < 50 {
		t.Errorf("only %d bodies were tried", tried)
	}
}

// So has every parameter of a query.
func TestHugeParametersInREST(t *testing.T) {
	t.Parallel()
	s := newStage(t, testkit.SQLite)
	estate := s.estate("huge")
	s.key = s.session("huge")
	_, served := s.send("GET", "/v1/openapi.json", nil)
	tried := 0
	s.whileWriting(func() {
		for path, methods := range served["paths"].(map[string]any) {
			for method, op := range methods.(map[string]any) {
				params, _ := op.(map[string]any)["parameters"].([]any)
				for _, each := range params {
					param := each.(map[string]any)
					if name := param["name"].(string); param["in"] == "query" {
						tried++
						target := estate.fill(strings.ReplaceAll(path, "{id}", estate.ids[0])) + "?" + name + "="
						s.refused(method+" "+path, strings.ToUpper(method), target+strings.Repeat("x", 400_000), nil, name)
						if name == "type" {
							s.refused(method+" "+path, strings.ToUpper(method), target+strings.Repeat("content.created,", 25_000)+"content.created", nil, name)
						}
					}
				}
			}
		}
	})
	if tried < 20 {
		t.Errorf("only %d parameters were tried", tried)
	}
}

// And so has every argument of GraphQL's mutations.
func TestHugeArgumentsInGraphQL(t *testing.T) {
	t.Parallel()
	s := newStage(t, testkit.SQLite)
	types := s.schema()
	s.estate("huge")
	s.key = s.session("huge")
	const long, many = 60_000, 3_000
	tried := 0
	try := func(f outputField, a inputField, path string, value any) {
		tried++
		others := ""
		for _, other := range f.Args {
			if other.Name != a.Name && other.Type.Kind == "NON_NULL" {
				others += ", " + other.Name + ": " + s.value(types, other, "", other.Name, "msn_01jd0000000000000000000000")
			}
		}
		document := fmt.Sprintf("mutation($v: %s) { %s(%s: $v%s) { __typename } }", a.Type.written(), f.Name, a.Name, others)
		s.refused(f.Name, "POST", "/graphql", map[string]any{"query": document, "variables": map[string]any{"v": value}}, path)
	}
	var look func(fields []inputField, at string, each func(path string, value any), in func(v any) any)
	one := func(field inputField, path string, each func(path string, value any), here func(v any) any) {
		inner := field.Type.named()
		if field.Type.isList() {
			item := soundValue(types, inner)
			list := make([]any, many)
			for i := range list {
				list[i] = item
			}
			if inner.Kind != "INPUT_OBJECT" { // whose document would be too long
				each(path, here(list))
			}
			outer := here
			path, here = path+"[0]", func(v any) any { return outer([]any{v}) }
		}
		switch {
		case inner.Kind == "INPUT_OBJECT":
			look(types[inner.Name].InputFields, path, each, here)
		case inner.Kind == "SCALAR" && inner.Name != "Int" && inner.Name != "Float" && inner.Name != "Boolean":
			each(path, here(strings.Repeat("x", long)))
		}
	}
	look = func(fields []inputField, at string, each func(path string, value any), in func(v any) any) {
		for _, field := range fields {
			one(field, strings.TrimPrefix(at+"."+snakeCase(field.Name), "."), each, func(v any) any {
				object := required(types, fields)
				object[field.Name] = v
				return in(object)
			})
		}
	}
	s.whileWriting(func() {
		for _, f := range types["Mutation"].Fields {
			for _, a := range f.Args {
				path := snakeCase(a.Name)
				if path == "input" {
					path = ""
				}
				if path != "id" {
					one(a, path, func(path string, value any) { try(f, a, path, value) }, func(v any) any { return v })
				}
			}
		}
	})
	if tried < 50 {
		t.Errorf("only %d arguments were tried", tried)
	}
}

// written is a type as documents have it.
func (t typeRef) written() string {
	switch t.Kind {
	case "NON_NULL":
		return t.OfType.written() + "!"
	case "LIST":
		return "[" + t.OfType.written() + "]"
	}
	return t.Name
}

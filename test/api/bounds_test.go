package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/store"
)

// maxRefusal is the maximum length of an error response in bytes, however long the
// refused request is.
const maxRefusal = 8 << 10

// refused sends a request with a value that is far too long at a field's path, and
// fails the test unless a short error names the field. It returns the error's message.
func (s *harness) refused(what, method, target string, body any, path string) (message string) {
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
	response, err := io.ReadAll(resp.Body)
	s.must(err)
	if len(response) > maxRefusal {
		s.t.Errorf("%s with %d bytes at %s: the error response has %d bytes, which is too long", what, len(text), path, len(response))
		return ""
	}
	var output struct {
		Error  struct{ Code, Param, Message string }
		Errors []struct {
			Message    string
			Extensions struct{ Code, Param string }
		}
	}
	s.must(json.Unmarshal(response, &output))
	code, param, message := output.Error.Code, output.Error.Param, output.Error.Message
	if len(output.Errors) > 0 {
		code, param, message = output.Errors[0].Extensions.Code, output.Errors[0].Extensions.Param, output.Errors[0].Message
	}
	if code == "unauthorized" && strings.HasSuffix(path, "token") || code == "not_found" && path == "ids[0]" {
		return message
	}
	if code != "invalid_request" || param != path && !strings.HasPrefix(param, path+"[") {
		s.t.Errorf("%s with %d bytes at %s returned %s", what, len(text), path, response)
	}
	return message
}

// lengths matches how descriptions and errors say how many characters a text may have.
var lengths = regexp.MustCompile(`([0-9,]+) characters`)

// sameLength fails the test if a field's description says another length than the error for a text that is too long.
func (s *harness) sameLength(path, description, message string) {
	s.t.Helper()
	said, allowed := lengths.FindStringSubmatch(description), lengths.FindStringSubmatch(message)
	if said != nil && allowed != nil && strings.ReplaceAll(said[1], ",", "") != allowed[1] {
		s.t.Errorf("%s is described as %q, and refused with %q", path, description, message)
	}
}

// whileWriting runs fn while the database's only writer is busy: a transaction
// can't begin until its request times out.
func (s *harness) whileWriting(fn func()) {
	s.must(s.DB.Tx(context.Background(), func(store.Tx) error { fn(); return nil }))
}

// session returns the token of an admin of an estate.
func (s *harness) session(name string) string {
	s.t.Helper()
	login, err := s.Accounts.Login(context.Background(), s.token(identity.DevPerson{Email: "second@" + name, Organization: "org_" + name, OrganizationRole: "admin"}))
	s.must(err)
	return login.Token
}

// soundBody returns a valid body of a schema, except that the records it names may
// not exist.
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

// huge calls each with a body that is far too long in one text or list, for each
// one of a schema.
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

// Every text and every list of every REST body has a bound, checked before a
// transaction begins and before any lookup.
func TestHugeBodiesInREST(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	estate := s.estate("huge")
	s.key = s.session("huge")
	c := s.description()
	_, served := s.send("GET", "/v1/openapi.json", nil)
	tried := 0
	s.whileWriting(func() {
		for path, methods := range served["paths"].(map[string]any) {
			for method, op := range methods.(map[string]any) {
				inJSON, ok := at(op.(map[string]any), "requestBody", "content", "application/json").(map[string]any)
				if !ok {
					continue
				}
				schema := inJSON["schema"]
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

// So does every query parameter.
func TestHugeParametersInREST(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	estate := s.estate("huge")
	s.key = s.session("huge")
	_, served := s.send("GET", "/v1/openapi.json", nil)
	tried := 0
	s.whileWriting(func() {
		for path, methods := range served["paths"].(map[string]any) {
			for method, op := range methods.(map[string]any) {
				params, _ := op.(map[string]any)["parameters"].([]any)
				content, _ := at(op.(map[string]any), "requestBody", "content").(map[string]any)
				if content["text/csv"] != nil || content["image/jpeg"] != nil {
					continue // TestImportedBodies has the ones, and the others' type is refused before
				}
				for _, each := range params {
					param := each.(map[string]any)
					if name := param["name"].(string); param["in"] == "query" {
						tried++
						target := estate.fill(strings.ReplaceAll(path, "{id}", estate.ids[0])) + "?"
						for _, other := range params {
							if o := other.(map[string]any); o["required"] == true && o["in"] == "query" && o["name"] != name {
								target += fmt.Sprintf("%s=%v&", o["name"], o["example"])
							}
						}
						target += name + "="
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

// So does every argument of GraphQL's mutations.
func TestHugeArgumentsInGraphQL(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	types := s.schema()
	s.estate("huge")
	s.key = s.session("huge")
	const long, many = 60_000, 3_000
	tried, client := 0, s.oauthClient()
	try := func(f outputField, a inputField, path, description string, value any) {
		if f.Name == "createContents" && strings.HasPrefix(path, "items[") {
			return // an item's error is its result
		}
		if f.Name == "allowAgent" { // what else it has is found out after the client
			request := value.(map[string]any)["request"].(map[string]any)
			for name, sound := range map[string]string{"clientId": client, "redirectUri": agentRedirect, "codeChallenge": challenge} {
				if len(request[name].(string)) < long {
					request[name] = sound
				}
			}
		}
		tried++
		others := ""
		for _, other := range f.Args {
			if other.Name != a.Name && other.Type.Kind == "NON_NULL" {
				at := other.Name
				if other.Type.named().Kind == "INPUT_OBJECT" {
					at = ""
				}
				others += ", " + other.Name + ": " + s.value(types, other, "", at, "msn_01jd0000000000000000000000")
			}
		}
		document := fmt.Sprintf("mutation($%s: %s) { %s(%[1]s: $%[1]s%[4]s) { __typename } }", a.Name, a.Type.written(), f.Name, others)
		message := s.refused(f.Name, "POST", "/graphql", map[string]any{"query": document, "variables": map[string]any{a.Name: value}}, path)
		s.sameLength(f.Name+" "+path, description, message)
	}
	var look func(fields []inputField, at string, each func(path, description string, value any), in func(v any) any)
	one := func(field inputField, path string, each func(path, description string, value any), here func(v any) any) {
		inner := field.Type.named()
		if field.Type.isList() {
			item := soundValue(types, inner)
			list := make([]any, many)
			for i := range list {
				list[i] = item
			}
			if inner.Kind != "INPUT_OBJECT" { // its document would be too long
				each(path, field.Description, here(list))
			}
			outer := here
			path, here = path+"[0]", func(v any) any { return outer([]any{v}) }
		}
		switch {
		case inner.Kind == "INPUT_OBJECT":
			look(types[inner.Name].InputFields, path, each, here)
		case inner.Kind == "SCALAR" && inner.Name != "Int" && inner.Name != "Float" && inner.Name != "Boolean":
			each(path, field.Description, here(strings.Repeat("x", long)))
		}
	}
	look = func(fields []inputField, at string, each func(path, description string, value any), in func(v any) any) {
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
					one(a, path, func(path, description string, value any) { try(f, a, path, description, value) }, func(v any) any { return v })
				}
			}
		}
	})
	if tried < 50 {
		t.Errorf("only %d arguments were tried", tried)
	}
}

// written returns a type as written in documents.
func (t typeRef) written() string {
	switch t.Kind {
	case "NON_NULL":
		return t.OfType.written() + "!"
	case "LIST":
		return "[" + t.OfType.written() + "]"
	}
	return t.Name
}

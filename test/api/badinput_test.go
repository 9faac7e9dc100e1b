package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// wrong is a value of a wrong type at a field's path.
type wrong struct {
	path string
	body map[string]any
}

// resolve follows a schema's reference, and drops the null alternative.
func (c *contract) resolve(doc map[string]any, schema any) map[string]any {
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		var at any = doc
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[step]
		}
		return c.resolve(doc, at)
	}
	return s
}

func kind(schema map[string]any) string {
	switch t := schema["type"].(type) {
	case string:
		return t
	case []any:
		for _, each := range t {
			if each != "null" {
				return each.(string)
			}
		}
	}
	return ""
}

// wrongs returns bodies of an operation with one value of a wrong type: one for
// each field at any depth.
func (c *contract) wrongs(doc, schema map[string]any, at string, wrap func(v any) map[string]any) []wrong {
	var found []wrong
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		path := strings.TrimPrefix(at+"."+name, ".")
		in := func(v any) map[string]any { return wrap(map[string]any{name: v}) }
		found = append(found, c.wrongsOf(doc, c.resolve(doc, property), path, in)...)
	}
	return found
}

func (c *contract) wrongsOf(doc, schema map[string]any, path string, in func(v any) map[string]any) []wrong {
	switch kind(schema) {
	case "string":
		return []wrong{{path, in(5)}, {path, in(map[string]any{})}}
	case "integer", "number", "boolean":
		return []wrong{{path, in("x")}, {path, in([]any{})}}
	case "array":
		below := func(v any) map[string]any { return in([]any{v}) }
		return append([]wrong{{path, in("x")}}, c.wrongsOf(doc, c.resolve(doc, schema["items"]), path+"[0]", below)...)
	case "object":
		below := func(v any) map[string]any { return in(v) }
		return append([]wrong{{path, in("x")}}, c.wrongs(doc, schema, path, below)...)
	}
	return nil
}

// Every route refuses query parameters that are unknown or duplicate, and
// malformed queries: none is ignored.
func TestUnknownParametersInREST(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	estate := s.estate("bad")
	s.key = estate.key
	_, served := s.send("GET", "/v1/openapi.json", nil)
	tried := 0
	for path, methods := range served["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			target := estate.fill(strings.ReplaceAll(path, "{id}", never(estate.ids[0])))
			refuse := func(query, param string) {
				t.Helper()
				tried++
				status, object := s.send(strings.ToUpper(method), target+"?"+query, nil)
				e, _ := object["error"].(map[string]any)
				if got, _ := e["param"].(string); status != http.StatusBadRequest || e["code"] != "invalid_request" || got != param {
					t.Errorf("%s %s?%s returned %d %v, want a 400 on %q", method, path, query, status, object, param)
				}
			}
			refuse("no_such_parameter=1", "no_such_parameter")
			refuse("Limit=1", "Limit")
			refuse("a=%zz", "")
			refuse("a%ff=1", "a\uFFFD")
			params, _ := op.(map[string]any)["parameters"].([]any)
			for _, each := range params {
				if p := each.(map[string]any); p["in"] == "query" {
					name := p["name"].(string)
					refuse(name+"=&"+name+"=", name)
				}
			}
		}
	}
	if tried < 150 {
		t.Errorf("only %d queries were tried", tried)
	}
}

// isReview matches the routes where null is no body.
var isReview = regexp.MustCompile(`/(approve|reject|regenerate)$`)

// Every field of every body is refused by name if its value is of another type,
// as are unknown and duplicate fields, and bodies that aren't objects.
func TestWrongTypesInREST(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	estate := s.estate("bad")
	s.key = estate.key
	c := s.description()
	_, served := s.send("GET", "/v1/openapi.json", nil)
	tried := 0
	for path, methods := range served["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			inJSON, ok := at(op.(map[string]any), "requestBody", "content", "application/json").(map[string]any)
			if !ok {
				continue
			}
			schema := c.resolve(served, inJSON["schema"])
			target := estate.fill(strings.ReplaceAll(path, "{id}", never(estate.ids[0])))
			refuse := func(text, param string) {
				t.Helper()
				tried++
				req, err := http.NewRequest(strings.ToUpper(method), s.server.URL+target, strings.NewReader(text))
				s.must(err)
				req.Header.Set("Authorization", "Bearer "+s.key)
				req.Header.Set("Content-Type", "application/json")
				resp, err := s.server.Client().Do(req)
				s.must(err)
				defer func() { _ = resp.Body.Close() }()
				var response struct {
					Error struct{ Code, Message, Param string }
				}
				s.must(json.NewDecoder(resp.Body).Decode(&response))
				if resp.StatusCode != http.StatusBadRequest || response.Error.Code != "invalid_request" || response.Error.Param != param || response.Error.Message == "" {
					t.Errorf("%s %s %s returned %d %+v, want a 400 on %q", method, path, text, resp.StatusCode, response.Error, param)
				}
			}
			for _, w := range c.wrongs(served, schema, "", func(v any) map[string]any { return v.(map[string]any) }) {
				text, err := json.Marshal(w.body)
				s.must(err)
				refuse(string(text), w.path)
			}
			refuse(`{"no_such_field":1}`, "no_such_field")
			for _, text := range []string{`[]`, `"x"`, `5`, `null`, `{`, `{}{}`, "{\"a\xff\":1}"} {
				if text != "null" || !isReview.MatchString(path) {
					refuse(text, "")
				}
			}
			if names := slices.Sorted(mapsKeys(schema["properties"])); len(names) > 0 {
				refuse(fmt.Sprintf(`{%q:null,%q:null}`, names[0], names[0]), names[0])
			}
		}
	}
	t.Logf("%d bodies", tried)
	if tried < 200 {
		t.Errorf("only %d bodies were tried", tried)
	}
}

func mapsKeys(v any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		m, _ := v.(map[string]any)
		for name := range m {
			if !yield(name) {
				return
			}
		}
	}
}

// Every field of every input of GraphQL's mutations is refused by name, under its
// name in REST.
func TestWrongTypesInGraphQL(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	types := s.schema()
	s.key = s.estate("bad").key
	tried := 0
	for _, f := range types["Mutation"].Fields {
		for _, a := range f.Args {
			named := a.Type.named()
			if named.Kind != "INPUT_OBJECT" {
				continue
			}
			var look func(fields []inputField, at string, in func(v any) any)
			look = func(fields []inputField, at string, in func(v any) any) {
				for _, field := range fields {
					path := strings.TrimPrefix(at+"."+snakeCase(field.Name), ".")
					inner := field.Type.named()
					here := func(v any) any {
						object := required(types, fields)
						object[field.Name] = v
						return in(object)
					}
					if field.Type.isList() {
						path += "[0]"
						list := here
						here = func(v any) any { return list([]any{v}) }
					}
					tried++
					bad := map[string]any{"String": 5, "ID": map[string]any{}, "DateTime": 5, "Date": 5, "TimeZone": 5, "LocalTime": 5}[inner.Name]
					if bad == nil {
						bad = "x y"
					}
					document := fmt.Sprintf("mutation($v: %s) { %s(%s: $v%s) { __typename } }", a.Type.written(), f.Name, a.Name, s.others(types, f, a.Name))
					_, response := s.send("POST", "/graphql", map[string]any{"query": document, "variables": map[string]any{"v": here(bad)}})
					errs, _ := response["errors"].([]any)
					if len(errs) == 0 {
						t.Errorf("%s accepted %v at %s: %v", f.Name, bad, path, response)
						continue
					}
					e := errs[0].(map[string]any)["extensions"].(map[string]any)
					if e["code"] != "invalid_request" || e["param"] != path {
						t.Errorf("%s with %v returned %v, want invalid_request on %s", f.Name, here(bad), errs[0], path)
					}
					if inner.Kind == "INPUT_OBJECT" {
						look(types[inner.Name].InputFields, path, here)
					}
				}
			}
			if a.Type.isList() {
				look(types[named.Name].InputFields, "v[0]", func(v any) any { return []any{v} })
				continue
			}
			look(types[named.Name].InputFields, "", func(v any) any { return v })
		}
	}
	t.Logf("%d fields", tried)
	if tried < 40 {
		t.Errorf("only %d fields were tried", tried)
	}
}

// required returns valid values of an input object's required fields.
func required(types map[string]schemaType, fields []inputField) map[string]any {
	object := map[string]any{}
	for _, f := range fields {
		if f.Type.Kind == "NON_NULL" {
			object[f.Name] = soundValue(types, f.Type)
			if f.Name == "endsAt" { // after startsAt
				object[f.Name] = "2026-11-21T00:00:00Z"
			}
		}
	}
	return object
}

func soundValue(types map[string]schemaType, of typeRef) any {
	named := of.named()
	var value any = "text"
	switch {
	case named.Kind == "INPUT_OBJECT":
		value = required(types, types[named.Name].InputFields)
	case named.Kind == "ENUM":
		value = types[named.Name].EnumValues[0].Name
	case named.Name == "Int" || named.Name == "Float":
		value = 1
	case named.Name == "Boolean":
		value = true
	case named.Name == "DateTime":
		value = "2026-11-20T00:00:00Z"
	case named.Name == "Date":
		value = "2026-11-20"
	}
	if of.isList() {
		return []any{value}
	}
	return value
}

// others writes the required arguments of a field, except one.
func (s *harness) others(types map[string]schemaType, f outputField, but string) string {
	text := ""
	for _, a := range f.Args {
		if a.Name == but {
			continue
		}
		value := s.value(types, a, "", a.Name, "msn_01jd0000000000000000000000")
		if value != "" {
			text += ", " + a.Name + ": " + value
		}
	}
	return text
}

// null is a field's path, a body in which it is null, and whether it may be.
type null struct {
	path    string
	body    map[string]any
	allowed bool
}

// nulls returns bodies of an operation with one null: one for each field and item at any
// depth.
func (c *contract) nulls(doc, schema map[string]any, at string, wrap func(v any) map[string]any) []null {
	var found []null
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		path := strings.TrimPrefix(at+"."+name, ".")
		in := func(v any) map[string]any { return wrap(map[string]any{name: v}) }
		s := c.resolve(doc, property)
		found = append(found, null{path, in(nil), isNullable(s)})
		switch kind(s) {
		case "array":
			items := c.resolve(doc, s["items"])
			found = append(found, null{path + "[0]", in([]any{nil}), isNullable(items)})
			found = append(found, c.nulls(doc, items, path+"[0]", func(v any) map[string]any { return in([]any{v}) })...)
		case "object":
			found = append(found, c.nulls(doc, s, path, in)...)
		}
	}
	return found
}

func isNullable(schema map[string]any) bool {
	types, _ := schema["type"].([]any)
	either, _ := schema["anyOf"].([]any)
	return slices.Contains(types, any("null")) || slices.ContainsFunc(either, func(s any) bool { return at(s.(map[string]any), "type") == "null" })
}

// Every field of every body that can't be null by the description is refused by name if it
// is, items of lists too; the others aren't refused for it.
func TestNullsInREST(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	estate := s.estate("bad")
	s.key = estate.key
	c := s.description()
	_, served := s.send("GET", "/v1/openapi.json", nil)
	refused, lists := 0, 0
	for path, methods := range served["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			inJSON, ok := at(op.(map[string]any), "requestBody", "content", "application/json").(map[string]any)
			if !ok {
				continue
			}
			for _, n := range c.nulls(served, c.resolve(served, inJSON["schema"]), "", func(v any) map[string]any { return v.(map[string]any) }) {
				status, object := s.send(strings.ToUpper(method), estate.fill(strings.ReplaceAll(path, "{id}", never(estate.ids[0]))), n.body)
				e, _ := object["error"].(map[string]any)
				isNull := e["message"] == "This field can't be null."
				if n.allowed == isNull || isNull && (status != http.StatusBadRequest || e["code"] != "invalid_request" || e["param"] != n.path) {
					t.Errorf("%s %s %v returned %d %v; null is allowed: %t", method, path, n.body, status, object, n.allowed)
				}
				if isNull {
					refused++
				}
				if isNull && strings.HasSuffix(n.path, "]") {
					lists++
				}
			}
		}
	}
	t.Logf("%d fields and items refused, %d of lists", refused, lists)
	if refused < 40 || lists < 15 {
		t.Errorf("only %d fields and %d items were refused", refused, lists)
	}
}

// twins are the bodies in REST of GraphQL's inputs.
var twins = map[string][2]string{
	"CreateMissionInput": {"post", "/v1/missions"}, "UpdateMissionInput": {"put", "/v1/missions/{id}"},
	"CreateContentInput": {"post", "/v1/content"}, "EditContentInput": {"put", "/v1/content/{id}"},
	"CreateApiKeyInput": {"post", "/v1/auth/keys"}, "UpdateTenantInput": {"put", "/v1/tenant"}, "OnboardInput": {"post", "/v1/onboard"},
	"ConnectIntegrationInput": {"post", "/v1/integrations"}, "UpdateIntegrationInput": {"put", "/v1/integrations/{id}"},
	"CreateWebhookInput": {"post", "/v1/webhooks"}, "UpdateWebhookInput": {"put", "/v1/webhooks/{id}"},
}

// What may be null in REST may be in GraphQL, and nothing else.
func TestNullsInGraphQL(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	types := s.schema()
	s.key = s.estate("bad").key
	_, served := s.send("GET", "/v1/openapi.json", nil)
	c, seen := s.description(), map[string]bool{}
	for _, f := range types["Mutation"].Fields {
		for _, a := range f.Args {
			named := a.Type.named()
			twin, ok := twins[named.Name]
			if !ok || seen[named.Name] {
				continue
			}
			seen[named.Name] = true
			body := at(served, "paths", twin[1], twin[0], "requestBody", "content", "application/json").(map[string]any)
			s.nullsOf(types, f, a, c.nulls(served, c.resolve(served, body["schema"]), "", func(v any) map[string]any { return v.(map[string]any) }))
		}
	}
	if len(seen) != len(twins) {
		t.Errorf("only %d inputs were tried: %v", len(seen), seen)
	}
}

// nullsOf sends an argument with each of REST's nulls, in a variable and as a literal.
func (s *harness) nullsOf(types map[string]schemaType, f outputField, a inputField, nulls []null) {
	s.t.Helper()
	for _, n := range nulls {
		object := s.withNull(types, types[a.Type.named().Name].InputFields, n.body)
		if f.Name == "createMission" && n.path != "duration_days" {
			object["durationDays"] = 0 // missions that are made count
		}
		for _, document := range []map[string]any{
			{"query": fmt.Sprintf("mutation($v: %s) { %s(%s: $v%s) { __typename } }", a.Type.written(), f.Name, a.Name, s.others(types, f, a.Name)), "variables": map[string]any{"v": object}},
			{"query": fmt.Sprintf("mutation { %s(%s: %s%s) { __typename } }", f.Name, a.Name, literal(types, a.Type, object), s.others(types, f, a.Name))},
		} {
			_, response := s.send("POST", "/graphql", document)
			errs, _ := response["errors"].([]any)
			refused := false
			for _, e := range errs {
				ext := e.(map[string]any)["extensions"].(map[string]any)
				words := fmt.Sprint(e.(map[string]any)["message"])
				if null := strings.Contains(words, "null"); ext["code"] == "invalid_request" && null {
					refused = true
					if _, inVariable := document["variables"]; inVariable && ext["param"] != n.path {
						s.t.Errorf("%s with %v is refused on %v, want %s", f.Name, object, ext["param"], n.path)
					}
				}
			}
			if refused == n.allowed {
				s.t.Errorf("%v returned %v; null is allowed at %s: %t", document, response, n.path, n.allowed)
			}
		}
	}
}

// withNull returns an input object with the values of REST's body, and sound ones of the other
// required fields.
func (s *harness) withNull(types map[string]schemaType, fields []inputField, body map[string]any) map[string]any {
	object := required(types, fields)
	for _, f := range fields {
		value, sent := body[snakeCase(f.Name)]
		if !sent {
			continue
		}
		inner := types[f.Type.named().Name].InputFields
		switch v := value.(type) {
		case map[string]any:
			object[f.Name] = s.withNull(types, inner, v)
		case []any:
			list := []any{}
			for _, item := range v {
				if below, ok := item.(map[string]any); ok {
					item = s.withNull(types, inner, below)
				}
				list = append(list, item)
			}
			object[f.Name] = list
		default:
			object[f.Name] = v
		}
	}
	return object
}

// A variable of another type is refused before the operation is executed, in words that say
// what is allowed, in a default too.
func TestVariablesOfOtherTypes(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	brief := func(name string, value any) map[string]any {
		m := map[string]any{"name": "A", "objectives": []any{"x"}, "platforms": []any{"TWITTER"}, "durationDays": 3}
		m[name] = value
		return m
	}
	const list = `query ($f: Int) { missions(first: $f) { totalCount } }`
	const create = `mutation ($input: CreateMissionInput!) { createMission(input: $input) { mission { id } } }`
	for name, tt := range map[string]struct {
		query     string
		variables map[string]any
		param     string
	}{
		"a float":            {list, map[string]any{"f": json.Number("5.0")}, "f"},
		"half":               {list, map[string]any{"f": 5.5}, "f"},
		"a text":             {list, map[string]any{"f": "5"}, "f"},
		"a boolean":          {list, map[string]any{"f": true}, "f"},
		"a list":             {list, map[string]any{"f": []any{5}}, "f"},
		"a default float":    {`query ($f: Int = 5.0) { missions(first: $f) { totalCount } }`, nil, ""},
		"a default text":     {`query ($f: Int = "5") { missions(first: $f) { totalCount } }`, nil, ""},
		"a text below":       {create, map[string]any{"input": brief("durationDays", "5")}, "duration_days"},
		"a target's text":    {create, map[string]any{"input": brief("kpis", []any{map[string]any{"metric": "LIKES", "target": "1.5"}})}, "kpis[0].target"},
		"a time that isn't":  {create, map[string]any{"input": brief("startsAt", "tomorrow")}, "starts_at"},
		"a time of a number": {create, map[string]any{"input": brief("startsAt", 5)}, "starts_at"},
	} {
		status, object := s.send("POST", "/graphql", map[string]any{"query": tt.query, "variables": tt.variables})
		errs, _ := object["errors"].([]any)
		if status != http.StatusOK || object["data"] != nil || len(errs) == 0 {
			t.Errorf("%s returned %d %v", name, status, object)
			continue
		}
		e := errs[0].(map[string]any)
		param, _ := at(e, "extensions", "param").(string)
		if at(e, "extensions", "code") != "invalid_request" || param != tt.param || strings.Contains(fmt.Sprint(e["message"]), "value 0") {
			t.Errorf("%s returned %v, want invalid_request on %q", name, e, tt.param)
		}
	}
	if status, object := s.send("POST", "/graphql", map[string]any{"query": create, "variables": map[string]any{"input": brief("startsAt", "2027-01-31t09:30:00z")}}); object["errors"] != nil {
		t.Errorf("a time in lower case returned %d %v", status, object)
	}
}

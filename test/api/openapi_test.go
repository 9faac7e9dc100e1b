package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"missiond/internal/httpserver"
	"missiond/internal/testkit"
)

//go:generate go test -short -run TestDescriptionIsKept . -update

// contract is the API's description, against which responses are checked.
type contract struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	paths    map[string]any
	schemas  map[string]*jsonschema.Schema // by their pointers in the description
}

var described struct {
	once sync.Once
	contract
}

// description returns the contract, read once from the harness's own server.
func (s *harness) description() *contract {
	described.once.Do(func() {
		req, err := http.NewRequest(http.MethodGet, s.server.URL+"/v1/openapi.json", nil)
		s.must(err)
		req.Header.Set("Authorization", "Bearer "+s.keys["ours"])
		resp, err := s.server.Client().Do(req)
		if err != nil || resp.StatusCode != http.StatusOK {
			s.t.Fatalf("read the API's description: %v", err)
		}
		defer func() { _ = resp.Body.Close() }()
		doc, err := jsonschema.UnmarshalJSON(resp.Body)
		if err != nil {
			s.t.Fatal(err)
		}
		described.compiler = jsonschema.NewCompiler()
		described.compiler.AssertFormat()
		described.compiler.DefaultDraft(jsonschema.Draft2020)
		if err := described.compiler.AddResource("https://missiond.test/openapi.json", doc); err != nil {
			s.t.Fatal(err)
		}
		described.paths = doc.(map[string]any)["paths"].(map[string]any)
		described.schemas = map[string]*jsonschema.Schema{}
	})
	return &described.contract
}

// route returns the path of the description that matches a request's path.
func (c *contract) route(path string) string {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	best, fixed := "", -1
	for template := range c.paths {
		steps := strings.Split(template, "/")
		n := 0
		for i := 0; i < len(steps) && len(steps) == len(parts); i++ {
			switch {
			case steps[i] == parts[i]:
				n++
			case !strings.HasPrefix(steps[i], "{"):
				n = -len(steps)
			}
		}
		if len(steps) == len(parts) && n >= 0 && n > fixed {
			best, fixed = template, n
		}
	}
	return best
}

// check fails the test if a response isn't as described.
func (c *contract) check(t testing.TB, method, path string, status int, body []byte) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	template := c.route(path)
	operation, ok := c.paths[template].(map[string]any)[strings.ToLower(method)].(map[string]any)
	if !ok {
		return // the router's own error
	}
	code := strconv.Itoa(status)
	if operation["responses"].(map[string]any)[code] == nil {
		if status < http.StatusBadRequest {
			t.Errorf("%s %s returned %d, which isn't described", method, template, status)
			return
		}
		code = "default"
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	place := "https://missiond.test/openapi.json#/paths/" + escape.Replace(template) + "/" + strings.ToLower(method) + "/responses/" + code + "/content/application~1json/schema"
	if c.schemas[place] == nil {
		schema, err := c.compiler.Compile(place)
		if err != nil {
			t.Fatalf("%s: %v", place, err)
		}
		c.schemas[place] = schema
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.schemas[place].Validate(doc); err != nil {
		t.Errorf("%s %s returned %d %s, which isn't as described: %v", method, path, status, body, err)
	}
}

// Every operation is described completely: parameters, responses and errors.
func TestDescription(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	for path, methods := range s.description().paths {
		for method, op := range methods.(map[string]any) {
			o := op.(map[string]any)
			if o["summary"] == "" || o["operationId"] == "" || o["responses"].(map[string]any)["default"] == nil {
				t.Errorf("%s %s isn't described: %v", method, path, o)
			}
			params, _ := o["parameters"].([]any)
			for _, p := range params {
				p := p.(map[string]any)
				// A key that pages fill in by themselves would be the same for all requests.
				unique := p["name"] == httpserver.IdempotencyHeader
				if p["description"] == nil || (p["example"] == nil) != unique {
					t.Errorf("%s %s: the parameter %s isn't described, or its example is %v", method, path, p["name"], p["example"])
				}
			}
		}
	}
	_, doc := s.send("GET", "/v1/openapi.json", nil)
	fields := s.checkExamples("", doc)
	if fields < 300 {
		t.Errorf("only %d fields were checked", fields)
	}
}

// checkExamples checks all schemas below a node of the description: each field
// has a description and an example that its schema allows. It returns the number
// of fields.
func (s *harness) checkExamples(place string, node any) (n int) {
	s.t.Helper()
	object, ok := node.(map[string]any)
	if list, isList := node.([]any); isList {
		for i, item := range list {
			n += s.checkExamples(place+"/"+strconv.Itoa(i), item)
		}
	}
	if !ok {
		return n
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	for key, value := range object {
		n += s.checkExamples(place+"/"+escape.Replace(key), value)
	}
	properties, _ := object["properties"].(map[string]any)
	for name, property := range properties {
		p := property.(map[string]any)
		at := place + "/properties/" + escape.Replace(name)
		_, refers := p["$ref"]
		item, _ := p["items"].(map[string]any)
		_, ofRecords := item["$ref"]
		if refers || p["anyOf"] != nil || ofRecords || strings.Contains(place, "/examples/") {
			continue
		}
		n++
		examples, _ := p["examples"].([]any)
		if p["description"] == nil || len(examples) == 0 {
			s.t.Errorf("%s isn't described, or has no example: %v", at, p)
			continue
		}
		schema, err := s.description().compiler.Compile("https://missiond.test/openapi.json#" + at)
		if err != nil {
			s.t.Fatalf("%s: %v", at, err)
		}
		if err := schema.Validate(examples[0]); err != nil {
			s.t.Errorf("%s: its example isn't valid: %v", at, err)
		}
	}
	return n
}

var update = flag.Bool("update", false, "write the API's description into the tree")

// docs/openapi.json is the description that is served.
func TestDescriptionIsKept(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	_, served := s.send("GET", "/v1/openapi.json", nil)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	s.must(encoder.Encode(served))
	const path = "../../docs/openapi.json"
	if *update {
		s.must(os.WriteFile(path, text.Bytes(), 0o644))
	}
	kept, err := os.ReadFile(path)
	s.must(err)
	if !bytes.Equal(kept, text.Bytes()) {
		t.Error("docs/openapi.json differs from the served description: run go generate ./test/api")
	}
}

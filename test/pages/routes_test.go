package pages

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// route is a method and a path of REST, as the documentation mentions them.
var route = regexp.MustCompile("\\b(GET|POST|PUT|DELETE|PATCH) (/v1/[^\\s`?\"]*)")

// Every route that the documentation mentions is one of the description's.
func TestRoutesInDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	var described []string // a method and a path each
	for path, methods := range description.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	mentioned := 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range route.FindAllStringSubmatch(string(text), -1) {
			mentioned++
			if !isDescribed(described, m[1]+" "+strings.TrimRight(m[2], "/.")) {
				t.Errorf("%s: there is no %s", path, m[0])
			}
		}
	}
	if mentioned < 50 {
		t.Errorf("the documentation mentions %d routes", mentioned)
	}
}

// isDescribed reports whether a route is one of those that are described, whose parts in braces are any.
func isDescribed(described []string, route string) bool {
	parts := strings.Split(route, "/")
	for _, d := range described {
		want := strings.Split(d, "/")
		same := len(want) == len(parts)
		for i := 0; same && i < len(want); i++ {
			same = want[i] == parts[i] || strings.HasPrefix(want[i], "{")
		}
		if same {
			return true
		}
	}
	return false
}

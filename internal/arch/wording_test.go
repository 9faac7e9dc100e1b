package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// worded are the folders whose messages people read, in the console and on the service's pages.
var worded = []string{"mission", "store", "internal/service", "internal/writer", "internal/admission", "internal/publisher"}

// hints are the parts of messages for clients of the API and for operators. The console leaves them out: see
// readable in web/console/src/core/format.ts.
var hints = regexp.MustCompile(` \((API: |--)[^)]*\)`)

// forClients are what a person who reads a page can't act upon: paths, methods, headers, flags, fields and values of
// the API by their names.
var forClients = regexp.MustCompile(
	`/v1|\b(GET|POST|PUT|PATCH|DELETE)\b|Idempotency-Key|If-Match|\bor null\b|--[a-z]|\b[a-z]+_[a-z]|\b[a-z]+[A-Z]|%s_|[Ll]eave \w+ ?\w* out`,
)

// messages returns the texts of a file that errors, failures and notices show, by their positions.
func messages(file *ast.File) map[token.Pos]string {
	found := map[token.Pos]string{}
	collect := func(root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				found[lit.Pos()], _ = strconv.Unquote(lit.Value)
			}
			return true
		})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			// The first argument of Invalid is the field's path, that of Refused a code, for programs.
			if nth, ok := map[string]int{"Invalid": 1, "Conflict": 0, "keyConflict": 0, "Refused": 1}[nameOf(n.Fun)]; ok && nth < len(n.Args) {
				collect(n.Args[nth])
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Message" {
				collect(n.Value)
			}
		}
		return true
	})
	return found
}

// nameOf returns the name of a function that is called, without its package.
func nameOf(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// riddle returns what a message says to programs outside of a hint, or "".
func riddle(message string) string {
	return forClients.FindString(hints.ReplaceAllString(message, ""))
}

func TestRiddle(t *testing.T) {
	for message, want := range map[string]string{
		"The mission is paused.": "",
		"The tenant is on hold: release it first (API: DELETE /v1/tenant/hold or releaseTenant).": "",
		"The tenant is on hold: release it first (DELETE /v1/tenant/hold or releaseTenant).":      "DELETE",
		"Give published_url.":                 "published_u",
		"Agents are off (--public-url).":      "",
		"Set --public-url.":                   "--p",
		"Name a mission, or leave it out.":    "leave it out",
		"Invalid date %q: must be YYYY-MM-DD": "",
	} {
		if got := riddle(message); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("riddle(%q) = %q, want %q", message, got, want)
		}
	}
}

// Messages speak to people: what is meant for clients of the API stands in a hint.
func TestMessagesAreForPeople(t *testing.T) {
	seen, set := 0, token.NewFileSet()
	for _, folder := range worded {
		err := filepath.WalkDir(filepath.Join(root(t), folder), func(path string, _ fs.DirEntry, err error) error {
			stub := strings.HasSuffix(filepath.Dir(path), "test") // which says what a platform does
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || stub {
				return err
			}
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for pos, message := range messages(file) {
				seen++
				if found := riddle(message); found != "" {
					t.Errorf("%s: %q has %q: what is for clients of the API stands in a hint, (API: …)", set.Position(pos), message, found)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 200 {
		t.Errorf("%d messages were found: their constructors have other names", seen)
	}
}

package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// clientFolders may make HTTP clients of their own: internal/outbound, whose clients
// all others use, what only calls the service or its servers on this machine, and the client
// for Go, a module of its own.
var clientFolders = []string{"internal/outbound", "internal/servers", "internal/testkit", "clients/go", "cmd", "bench", "test"}

// TestClients checks that every HTTP client of the service is internal/outbound's, so
// that none lacks its limits.
func TestClients(t *testing.T) {
	top := root(t)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		room, err := filepath.Rel(top, path)
		if err != nil || withinAny(filepath.ToSlash(filepath.Dir(room)), clientFolders) {
			return err
		}
		for _, use := range clientsIn(t, path, nil) {
			t.Errorf("%s: use a client of internal/outbound", use)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// clientsIn returns where a file makes or uses an HTTP client or transport of its own:
// http.Client{}, new(http.Client), a variable of that type, http.DefaultClient,
// http.Get and their kind.
func clientsIn(t *testing.T, path string, src any) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	name := importName(file, "net/http")
	if name == "" {
		return nil
	}
	var uses []string
	add := func(n ast.Expr, names ...string) {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if of, ok := selector.X.(*ast.Ident); ok && of.Name == name && slices.Contains(names, selector.Sel.Name) {
			uses = append(uses, files.Position(n.Pos()).String()+": http."+selector.Sel.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			add(n.Type, "Client", "Transport")
		case *ast.ValueSpec:
			add(n.Type, "Client", "Transport")
		case *ast.Field:
			add(n.Type, "Client", "Transport") // by value
		case *ast.CallExpr:
			if made, ok := n.Fun.(*ast.Ident); ok && made.Name == "new" && len(n.Args) == 1 {
				add(n.Args[0], "Client", "Transport")
			}
		case *ast.SelectorExpr:
			add(n, "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm")
		}
		return true
	})
	return uses
}

// importName returns the name by which a file uses a package, or "".
func importName(file *ast.File, path string) string {
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err != nil || p != path {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return filepath.Base(path)
	}
	return ""
}

func TestClientsIn(t *testing.T) {
	for src, want := range map[string]int{
		`import "net/http"; var c = &http.Client{}`:                                         1,
		`import "net/http"; var c http.Client`:                                              1,
		`import "net/http"; var c = new(http.Transport)`:                                    1,
		`import web "net/http"; func f() { _, _ = web.Get("x"); _ = web.DefaultTransport }`: 2,
		`import "net/http"; type t struct { http.Client }`:                                  1,
		`import "net/http"; func f(c *http.Client) { _ = c; _ = http.MethodGet }`:           0,
		`import http "other/http"; var c = http.Client{}`:                                   0,
	} {
		if got := clientsIn(t, "a.go", "package a; "+src); len(got) != want {
			t.Errorf("%s: got %v, want %d", src, got, want)
		}
	}
}

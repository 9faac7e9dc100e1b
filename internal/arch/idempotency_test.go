package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repeated are the operations of callers that write without idempotency.Once, since each
// try of a request does it again: it makes the row of another upload, reserves the price of
// another call to the writer, or records another test.
var repeated = []string{"media.begin", "missions.order", "webhooks.Test"}

// TestChangesOfCallersAreKept checks that operations of callers, which take a
// mission.Principal, write with idempotency.Once alone. Where the package's database is
// an idempotency.DB, nothing but DB.Tx avoids Once.
func TestChangesOfCallersAreKept(t *testing.T) {
	var found []string
	operations := 0
	folder := filepath.Join(root(t), "internal", "service")
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || file.Name.Name == "idempotency" || !takesPrincipal(f) {
				continue
			}
			operations++
			if name := file.Name.Name + "." + f.Name.Name; writesDirectly(f) {
				found = append(found, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Sort(found); !slices.Equal(found, repeated) {
		t.Errorf("operations of callers that write without idempotency.Once: %q, want %q", found, repeated)
	}
	if operations < 100 {
		t.Errorf("only %d operations were found", operations)
	}
}

func takesPrincipal(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		s, ok := p.Type.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Principal"
	})
}

// writesDirectly reports whether f calls a method Tx.
func writesDirectly(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok {
			s, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && s.Sel.Name == "Tx"
		}
		return true
	})
	return found
}

// Tiers lists the tests by their tiers: the gate's, which make test runs; those of the full suite (make test-full), which
// begin with testkit.Full(t); the nightly ones, which begin with testkit.SkipUnlessNightly(t); and those that need what they
// install (make test-pds and so on), which begin with testkit.SkipUnlessSet. A test, or a function of several tests, that leaves
// parts to another tier is listed under both. Files of Node's tests are of the full suite if their first line says so, and parts
// of them by an option.
//
// Usage: tiers [TIER…], in the module's folder
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The tiers, in the order of what they take.
const (
	gate    = "gate"
	full    = "full"
	nightly = "nightly"
	apart   = "apart"
)

var tiers = []string{gate, full, nightly, apart}

// marks are the tiers by the functions of testkit that a test calls first.
var marks = map[string]string{"Full": full, "SkipUnlessNightly": nightly, "SkipUnlessSet": apart}

// modules are folders of modules whose tests are all of the full suite, and import no testkit.
var modules = []string{"deploy/image", "deploy/charttest"}

// nodesMark is the first line of a file of Node's tests that are of the full suite, and nodesPart is in the options of those of
// another file that are.
const (
	nodesMark = "// Tier: full"
	nodesPart = "inFull: true"
)

func main() {
	all, err := find(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	all.print(os.Stdout, os.Args[1:])
}

// tests are the names of tests by tier.
type tests map[string][]string

// print writes how many tests there are, and the names of those of the tiers that are asked for, or of all but the gate's.
func (all tests) print(out io.Writer, asked []string) {
	if len(asked) == 0 {
		asked = tiers[1:]
	}
	for _, tier := range tiers {
		_, _ = fmt.Fprintf(out, "%s: %d\n", tier, len(all[tier]))
		if !slices.Contains(asked, tier) {
			continue
		}
		for _, name := range all[tier] {
			_, _ = fmt.Fprintln(out, "\t"+name)
		}
	}
}

// find finds the tests below a folder. Errors: a file that can't be read or parsed, and a mark that isn't first.
func find(folder string) (tests, error) {
	all := tests{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "testdata" || name == "build" || name == "dist" || strings.HasPrefix(name, ".") && path != folder):
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			return all.inGo(folder, path)
		case strings.HasSuffix(name, ".test.mjs"):
			return all.inNode(folder, path)
		}
		return nil
	})
	for _, names := range all {
		slices.Sort(names)
	}
	return all, err
}

// inNode adds a file of Node's.
func (all tests) inNode(folder, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(folder, path)
	tier := gate
	if strings.HasPrefix(string(text), nodesMark+"\n") {
		tier = full
	} else if strings.Contains(string(text), nodesPart) {
		all[full] = append(all[full], name+" (in part)")
	}
	all[tier] = append(all[tier], name)
	return err
}

// inGo adds the tests of a file.
func (all tests) inGo(folder, path string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	relative, err := filepath.Rel(folder, filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		where, err := marked(files, f.Body)
		if err != nil {
			return err
		}
		all.add(filepath.ToSlash(relative), f, where)
	}
	return nil
}

// add adds a function of a folder, whose blocks name the tiers.
func (all tests) add(folder string, f *ast.FuncDecl, where map[*ast.BlockStmt]string) {
	name, tier := folder+"."+f.Name.Name, where[f.Body]
	switch {
	case tier != "":
	case slices.Contains(modules, folder):
		tier = full
	default:
		tier = gate
	}
	if f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" {
		all[tier] = append(all[tier], name)
	}
	for _, part := range tiers {
		if part != tier && slices.Contains(slices.Collect(maps.Values(where)), part) {
			all[part] = append(all[part], name+" (in part)")
		}
	}
}

// marked returns the tiers that the blocks of a function name. Errors: a mark that isn't the first of its block.
func marked(files *token.FileSet, body *ast.BlockStmt) (map[*ast.BlockStmt]string, error) {
	where, first := map[*ast.BlockStmt]string{}, map[ast.Node]bool{}
	var err error
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if len(n.List) == 0 {
				break
			}
			if s, ok := n.List[0].(*ast.ExprStmt); ok && tierOf(s.X) != "" {
				where[n], first[s.X] = tierOf(s.X), true
			}
		case *ast.CallExpr:
			if tierOf(n) != "" && !first[n] {
				err = fmt.Errorf("%s: the tier of a test is its first line", files.Position(n.Pos()))
			}
		}
		return true
	})
	return where, err
}

// tierOf returns the tier that a call of testkit's names; "" if it is none.
func tierOf(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if from, ok := f.X.(*ast.Ident); !ok || from.Name != "testkit" {
		return ""
	}
	return marks[f.Sel.Name]
}

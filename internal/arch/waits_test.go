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

// cutOff begins the comment on a line with a limit that isn't for waiting: what it ends never ends by itself.
const cutOff = "// Cut off: "

// TestWaitsHaveTheFactor checks that the limits of a second or more that tests wait within are multiplied by the factor of
// internal/testkit/await.
func TestWaitsHaveTheFactor(t *testing.T) {
	folders, limits := map[string]*waits{}, 0
	for _, path := range testFiles(t) {
		folder := filepath.Dir(path)
		if folders[folder] == nil {
			folders[folder] = &waits{fset: token.NewFileSet(), long: map[string]bool{}}
		}
		if err := folders[folder].parse(path, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range folders {
		found, n := w.fixed()
		limits += n
		for _, at := range found {
			t.Errorf("%s: the limit has no factor: wait for await.Within(…) or await.Long(), or say after %q why it ends", at, cutOff)
		}
	}
	if limits < 20 {
		t.Errorf("only %d limits with a factor are found", limits)
	}
}

// testFiles returns the files of tests, and of what they have in common.
func testFiles(t *testing.T) (files []string) {
	t.Helper()
	top := root(t)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		room, _ := filepath.Rel(top, filepath.Dir(path))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "clients" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go") ||
			filepath.Ext(path) == ".go" && (strings.HasSuffix(room, "test") || withinAny(room, []string{"internal/testkit", "test/internal"})):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// waits are the files of a folder, whose constants they share.
type waits struct {
	fset  *token.FileSet
	files []*ast.File
	long  map[string]bool // names of times of a second or more
}

// parse adds a file, whose source is read unless it is given.
func (w *waits) parse(path string, src any) error {
	file, err := parser.ParseFile(w.fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	w.files = append(w.files, file)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != len(spec.Values) {
			return true
		}
		for i, name := range spec.Names {
			w.long[name.Name] = w.long[name.Name] || w.takesSeconds(spec.Values[i])
		}
		return true
	})
	return nil
}

// fixed returns where a limit of a second or more has no factor, and how many have one.
func (w *waits) fixed() (found []token.Position, scaled int) {
	for _, file := range w.files {
		var excused []int
		for _, c := range file.Comments {
			if strings.HasPrefix(c.Text(), strings.TrimPrefix(cutOff, "// ")) {
				excused = append(excused, w.fset.Position(c.Pos()).Line)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			limit := limitOf(n)
			if limit == nil {
				return true
			}
			at := w.fset.Position(limit.Pos())
			switch {
			case mentions(limit, func(e ast.Expr) bool { s, ok := e.(*ast.SelectorExpr); return ok && isName(s.X, "await") }):
				scaled++
			case w.takesSeconds(limit) && !slices.Contains(excused, at.Line):
				found = append(found, at)
			}
			return true
		})
	}
	return found, scaled
}

// limitOf returns the limit that something waits within: that of a context, of a case of a select, of a loop's deadline and of
// a connection; nil where n is none of these.
func limitOf(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch s, ok := n.Fun.(*ast.SelectorExpr); {
		case !ok:
		case s.Sel.Name == "WithTimeout" && isName(s.X, "context"), s.Sel.Name == "NewTimer" && isName(s.X, "time"):
			return n.Args[len(n.Args)-1]
		case strings.HasPrefix(s.Sel.Name, "Set") && strings.HasSuffix(s.Sel.Name, "Deadline") && len(n.Args) == 1:
			return n.Args[0]
		}
	case *ast.CommClause:
		if receive, ok := n.Comm.(*ast.ExprStmt); ok && reads(receive.X, "After") {
			return receive.X
		}
	case *ast.ForStmt:
		if begins, ok := n.Init.(*ast.AssignStmt); ok && reads(begins.Rhs[0], "Now") {
			return begins.Rhs[0]
		}
	case *ast.AssignStmt:
		if isName(n.Lhs[0], "within") && reads(n.Rhs[0], "After") || isName(n.Lhs[0], "deadline") && reads(n.Rhs[0], "Now") {
			return n.Rhs[0]
		}
	}
	return nil
}

// takesSeconds reports whether an expression is made of seconds, minutes or hours, or of a name for such.
func (w *waits) takesSeconds(e ast.Expr) bool {
	return mentions(e, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return w.long[e.Name]
		case *ast.SelectorExpr:
			return isName(e.X, "time") && slices.Contains([]string{"Second", "Minute", "Hour"}, e.Sel.Name)
		}
		return false
	})
}

// reads reports whether an expression calls a function of the package time.
func reads(e ast.Expr, function string) bool {
	return mentions(e, func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && isName(s.X, "time") && s.Sel.Name == function
	})
}

// mentions reports whether something is so of an expression or of one in it.
func mentions(e ast.Expr, so func(ast.Expr) bool) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		inner, ok := n.(ast.Expr)
		yes = yes || ok && so(inner)
		return !yes
	})
	return yes
}

func isName(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}

func TestFixedWaits(t *testing.T) {
	for name, c := range map[string]struct {
		body          string
		found, scaled int
	}{
		"a context":             {"ctx, cancel := context.WithTimeout(ctx, 20*time.Second)", 1, 0},
		"a context that grows":  {"ctx, cancel := context.WithTimeout(ctx, await.Within(20*time.Second))", 0, 1},
		"a name of seconds":     {"const most = 2 * time.Minute\nctx, cancel := context.WithTimeout(ctx, 3*most)", 1, 0},
		"milliseconds":          {"ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)", 0, 0},
		"a case":                {"select { case <-done: case <-time.After(time.Minute): }", 1, 0},
		"a case that grows":     {"select { case <-done: case <-time.After(await.Long()): }", 0, 1},
		"a delay":               {"<-time.After(time.Second)", 0, 0},
		"a loop":                {"for end := time.Now().Add(10 * time.Second); !so(); { if time.Now().After(end) { return } }", 1, 0},
		"a loop over times":     {"for at := start.Add(time.Hour); at.Before(end); at = at.Add(time.Hour) {}", 0, 0},
		"a deadline":            {"deadline := time.Now().Add(time.Minute)", 1, 0},
		"a deadline of another": {"deadline := slot.Add(24 * time.Hour)", 0, 0},
		"a connection":          {"_ = conn.SetReadDeadline(time.Now().Add(time.Minute))", 1, 0},
		"a timer":               {"timer := time.NewTimer(time.Minute)", 1, 0},
		"a cut":                 {"ctx, cancel := context.WithTimeout(ctx, time.Second) // Cut off: it drips.", 0, 0},
		"another comment":       {"ctx, cancel := context.WithTimeout(ctx, time.Second) // it drips", 1, 0},
	} {
		w := waits{fset: token.NewFileSet(), long: map[string]bool{}}
		if err := w.parse("a_test.go", "package a\nfunc _() {\n"+c.body+"\n}"); err != nil {
			t.Fatal(name, err)
		}
		if found, scaled := w.fixed(); len(found) != c.found || scaled != c.scaled {
			t.Errorf("%s: found %v and %d that grow, want %d and %d", name, found, scaled, c.found, c.scaled)
		}
	}
}

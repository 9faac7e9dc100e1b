// Package arch has the import rules and the limit of a file's length, as tests.
//
// The layers, each of which imports those before it only:
//
//	mission <- store <- internal/service <- graph, rest, tasks <- internal/app <- cmd, test, bench
//
// Those of the console's sources are in console_test.go.
package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "missiond"

// maxLines is how long a hand-written file may be that isn't a test.
const maxLines = 400

// restriction allows only some packages to import a package and those below it.
type restriction struct {
	pkg string
	// importers are folders from the module's root, with those below them. A package
	// may always import those below itself.
	importers []string
	tests     bool // tests everywhere may import it too
}

var restrictions = []restriction{
	{pkg: "missiond/cmd"},
	{pkg: "missiond/bench"},
	{pkg: "missiond/test"},
	{pkg: "missiond/internal/app", importers: onTop},
	{pkg: "missiond/graph", importers: []string{"internal/app"}},
	{pkg: "missiond/rest", importers: append([]string{"internal/app"}, onTop...)},
	{pkg: "missiond/tasks", importers: append([]string{"internal/app", "internal/testkit/world"}, onTop...)},
	{pkg: "missiond/internal/service", importers: append([]string{"internal", "graph", "rest", "tasks"}, onTop...)},
	{pkg: "missiond/store", importers: append([]string{"internal", "graph", "rest", "tasks"}, onTop...)},
	{pkg: "missiond/internal/testkit", importers: []string{"test/internal", "internal/publisher/publishertest"}, tests: true},
	{pkg: "missiond/internal/publisher/publishertest", importers: stubs, tests: true},
	{pkg: "missiond/internal/publisher/bluesky/blueskytest", tests: true},
	{pkg: "missiond/internal/publisher/discord/discordtest", tests: true},
	{pkg: "missiond/internal/publisher/facebook/facebooktest", tests: true},
	{pkg: "missiond/internal/publisher/instagram/instagramtest", tests: true},
	{pkg: "missiond/internal/publisher/linkedin/linkedintest", tests: true},
	{pkg: "missiond/internal/publisher/mastodon/mastodontest", tests: true},
	{pkg: "missiond/internal/publisher/meta/metatest", tests: true, importers: stubs},
	{pkg: "missiond/internal/publisher/threads/threadstest", tests: true},
	{pkg: "missiond/internal/publisher/telegram/telegramtest", tests: true},
	{pkg: "missiond/internal/publisher/x/xtest", tests: true},
	{pkg: "missiond/internal/publisher/wordpress/wordpresstest", tests: true},
	{pkg: "missiond/internal/publisher/ghost/ghosttest", tests: true},
	{pkg: "missiond/internal/writer/builtin/builtintest", importers: []string{"test", "bench"}, tests: true},
	{pkg: "missiond/internal/writer/llm/llmtest", tests: true},
	{pkg: "missiond/internal/mediafile/mediatest", tests: true},
	{pkg: "github.com/uptrace/bun", importers: []string{"store", "internal/database"}},
	{pkg: "github.com/pressly/goose", importers: []string{"store"}},
	// The crash harness checks the database against the service's responses, so it
	// must not read it with the service's own code.
	{pkg: "github.com/jackc/pgx", importers: []string{"store", "internal/database", "internal/testkit", "internal/servers", "bench", "test/chaos"}},
	{pkg: "github.com/Shopify/toxiproxy", importers: []string{"test/chaos"}},
	{pkg: "modernc.org/sqlite", importers: []string{"store", "internal/database", "internal/testkit"}},
	{pkg: "github.com/hibiken/asynq", importers: []string{"tasks", "internal/app", "bench"}},
	{pkg: "github.com/hibiken/asynqmon", importers: []string{"tasks", "internal/app"}},
	{pkg: "github.com/99designs/gqlgen", importers: []string{"graph"}},
	{pkg: "github.com/vektah/gqlparser", importers: []string{"graph", "internal/testkit/generated"}},
	{pkg: "github.com/danielgtaylor/huma", importers: []string{"rest"}},
	{pkg: "github.com/modelcontextprotocol/go-sdk", importers: []string{"internal/mcpserver"}, tests: true},
	{pkg: "missiond/internal/mcpserver", importers: []string{"internal/app"}, tests: true},
	{pkg: "github.com/alecthomas/kong", importers: []string{"cmd"}},
	{pkg: "github.com/blevesearch/snowballstem", importers: []string{"internal/topic"}},
	{pkg: "go.opentelemetry.io/otel/sdk", importers: []string{"internal/tracing"}, tests: true},
	{pkg: "go.opentelemetry.io/otel/exporters", importers: []string{"internal/tracing"}},
	{pkg: "gocloud.dev", importers: []string{"internal/blobs"}},
	{pkg: "github.com/aws", importers: []string{"internal/blobs"}},
	// What decodes files is only for the child that does.
	{pkg: "github.com/gen2brain/heic", importers: []string{"internal/mediafile"}},
	{pkg: "github.com/tetratelabs/wazero", importers: []string{"internal/mediafile"}},
	{pkg: "github.com/kovidgoyal/imaging", importers: []string{"internal/mediafile"}},
	{pkg: "github.com/landlock-lsm/go-landlock", importers: []string{"internal/mediafile"}},
	{pkg: "kernel.org/pub/linux/libs/security", importers: []string{"internal/mediafile"}},
	{pkg: "golang.org/x/image", importers: []string{"internal/mediafile"}},
	{pkg: "github.com/sashabaranov/go-openai", importers: []string{"internal/writer/llm"}},
	{pkg: "github.com/redis", importers: redisUsers},
	{pkg: "github.com/go-redis", importers: redisUsers},
	{pkg: "github.com/golang-jwt", importers: []string{"internal/identity", "internal/publisher/ghost", "internal/publisher/ghost/ghosttest"}, tests: true},
	{pkg: "github.com/MicahParks", importers: []string{"internal/identity"}, tests: true},
	{pkg: "github.com/alicebob/miniredis", importers: []string{"internal/embedded", "internal/testkit"}, tests: true},
}

// onTop are programs and tests of the whole service.
var onTop = []string{"cmd", "test", "bench"}

// stubs stand in for platforms in tests.
var stubs = []string{
	"internal/publisher/bluesky/blueskytest", "internal/publisher/discord/discordtest", "internal/publisher/linkedin/linkedintest",
	"internal/publisher/mastodon/mastodontest", "internal/publisher/telegram/telegramtest", "internal/publisher/x/xtest",
	"internal/publisher/meta/metatest", "internal/publisher/threads/threadstest", "internal/publisher/wordpress/wordpresstest",
	"internal/publisher/ghost/ghosttest", "internal/publisher/instagram/instagramtest",
	"internal/publisher/facebook/facebooktest",
}

// redisUsers are all that Redis may be lost for: queues, limits and their tests.
var redisUsers = []string{"tasks", "internal/app", "internal/embedded", "internal/ratelimit", "internal/testkit", "cmd", "test", "bench"}

// allowance has all that the packages of a folder may import of the module; a test
// may import more.
type allowance struct {
	folder  string
	imports []string
	stdOnly bool     // nothing but the standard library
	tables  []string // what it may import besides: it does no I/O either
	tests   []string // what its tests may import then
	never   []string // packages of the standard library that it may not import
}

var allowances = []allowance{
	{
		folder:  "mission",
		stdOnly: true,
		tables:  []string{"golang.org/x/text/unicode/norm"}, // two texts that read the same are the same
		tests:   []string{"missiond/mission", "pgregory.net/rapid", "go.uber.org/goleak"},
		never:   []string{"database/sql", "log", "log/slog", "net", "net/http", "os", "os/exec", "os/signal", "syscall"},
	},
	{folder: "internal/service/idempotency", imports: []string{"missiond/mission", "missiond/store", "missiond/internal/admission", "missiond/internal/clock", "missiond/internal/seal"}},
	{folder: "internal/service/accounts", imports: append([]string{
		"missiond/internal/batchcache", "missiond/internal/clock", "missiond/internal/identity", "missiond/internal/mail", "missiond/internal/seal",
	}, verbImports...)},
	{folder: "internal/service/agents", imports: append([]string{"missiond/internal/identity"}, verbImports...)},
	{folder: "internal/service/webhooks", imports: append([]string{
		"missiond/internal/clock", "missiond/internal/outbound", "missiond/internal/seal", "missiond/internal/webhook",
	}, verbImports...)},
	{folder: "internal/service/integrations", imports: append([]string{"missiond/internal/outbound", "missiond/internal/publisher", "missiond/internal/seal"}, verbImports...)},
	{folder: "internal/service/missions", imports: append([]string{
		"missiond/internal/checks", "missiond/internal/identity", "missiond/internal/jsonwire", "missiond/internal/clock", "missiond/internal/links", "missiond/internal/posturl", "missiond/internal/textindex", "missiond/internal/textlimit", "missiond/internal/topic",
	}, verbImports...)},
	{folder: "internal/database", imports: []string{"missiond/internal/batchcache", "missiond/internal/clock", "missiond/internal/tracing"}},
	// Below the gateway, HTTP knows no verbs.
	{folder: "internal/httpserver", imports: []string{"missiond/mission", "missiond/internal/database", "missiond/internal/admission", "missiond/internal/clock", "missiond/internal/tracing"}},
	{folder: "internal/simulate", imports: []string{"missiond/mission", "missiond/internal/publisher/sandbox"}},
	{folder: "graph/querylimit", imports: []string{"missiond/mission"}},
	{folder: "internal/demo", imports: []string{"missiond/internal/clock", "missiond/internal/outbound"}}, // a client of the APIs
	{folder: "internal/oauth", imports: []string{
		"missiond/mission", "missiond/internal/httpserver", "missiond/internal/jsonwire", "missiond/internal/outbound", "missiond/internal/service/agents", "missiond/web",
	}},
	{folder: "internal/textindex"},
	{folder: "internal/topic"},
}

// verbImports are what every package of verbs imports.
var verbImports = []string{"missiond/mission", "missiond/store", "missiond/internal/database", "missiond/internal/admission", "missiond/internal/service/idempotency"}

// refusal returns why importer may not import a package, or "". test says that a
// test file imports it.
func refusal(importer, imported string, test bool) string {
	room := strings.TrimPrefix(strings.TrimPrefix(importer, module), "/")
	for _, r := range restrictions {
		open := r.tests && test || withinAny(room, r.importers) || within(importer, r.pkg)
		if within(imported, r.pkg) && !open {
			return fmt.Sprintf("%s is for %s only", r.pkg, strings.Join(r.importers, ", "))
		}
	}
	for _, a := range allowances {
		if within(room, a.folder) && !a.allows(imported, test) {
			return a.folder + " may not import it"
		}
	}
	return ""
}

func (a allowance) allows(imported string, test bool) bool {
	switch {
	case within(imported, module+"/"+a.folder):
		return true
	case isStd(imported):
		return test || !slices.Contains(a.never, imported)
	case a.stdOnly:
		return withinAny(imported, a.tables) || test && withinAny(imported, a.tests)
	case within(imported, module):
		return test || withinAny(imported, a.imports)
	}
	return true
}

// within reports whether a path is root or below it.
func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

func withinAny(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return within(path, root) })
}

// isStd reports whether a package is the standard library's: its first element has
// no dot.
func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != module
}

func TestRefusal(t *testing.T) {
	const test = true
	for _, c := range []struct {
		importer, imported string
		test               bool
		refused            bool
	}{
		{"missiond/mission", "time", false, false},
		{"missiond/mission", "net/url", false, false},
		{"missiond/mission", "net/http/httptest", test, false},
		{"missiond/mission", "os", false, true},
		{"missiond/mission", "os/exec", false, true},
		{"missiond/mission", "net", false, true},
		{"missiond/mission", "net/http", false, true},
		{"missiond/mission", "log/slog", false, true},
		{"missiond/mission", "database/sql", false, true},
		{"missiond/mission", "missiond/store", false, true},
		{"missiond/mission", "missiond/internal/id", false, true},
		{"missiond/mission", "missiond/internal/id", test, true},
		{"missiond/mission", "github.com/oklog/ulid/v2", false, true},
		{"missiond/mission", "golang.org/x/text/unicode/norm", false, false},
		{"missiond/mission", "golang.org/x/text/language", false, true},
		{"missiond/mission", "pgregory.net/rapid", false, true},
		{"missiond/mission", "pgregory.net/rapid", test, false},
		{"missiond/mission", "missiond/mission", test, false},

		{"missiond/store", "missiond/mission", false, false},
		{"missiond/store", "missiond/internal/id", false, false},
		{"missiond/store", "github.com/uptrace/bun/dialect/pgdialect", false, false},
		{"missiond/store", "missiond/internal/service", false, true},
		{"missiond/store", "missiond/graph", false, true},
		{"missiond/store", "missiond/rest", false, true},
		{"missiond/store", "missiond/tasks", test, true},
		{"missiond/store", "missiond/internal/testkit", test, false},
		{"missiond/store", "missiond/internal/testkit", false, true},
		{"missiond/store", "github.com/hibiken/asynq", false, true},
		{"missiond/tasks", "missiond/internal/publisher/x/xtest", test, false},
		{"missiond/tasks", "missiond/internal/publisher/x/xtest", false, true},
		{"missiond/internal/publisher/x", "missiond/internal/publisher/x/xtest", false, true},
		{"missiond/internal/publisher/x/xtest", "missiond/internal/publisher/publishertest", false, false},
		{"missiond/internal/publisher/x", "missiond/internal/publisher/publishertest", false, true},

		{"missiond/internal/service/missions", "missiond/store", false, false},
		{"missiond/internal/service/missions", "missiond/internal/clock", false, false},
		{"missiond/internal/service/missions", "missiond/internal/service/missions/draft", false, false},
		{"missiond/internal/service/missions", "missiond/internal/service/idempotency", false, false},
		{"missiond/internal/service/missions", "missiond/internal/service/accounts", false, true},
		{"missiond/internal/service/accounts", "missiond/internal/service/missions", false, true},
		{"missiond/internal/service/idempotency", "missiond/internal/service/accounts", false, true},
		{"missiond/internal/service/missions", "github.com/oklog/ulid/v2", false, false},
		{"missiond/internal/service/missions", "log/slog", false, false},
		{"missiond/internal/service/missions", "missiond/internal/config", false, true},
		{"missiond/internal/service/missions", "missiond/internal/embedded", test, false},
		{"missiond/internal/service/missions", "missiond/graph", false, true},
		{"missiond/internal/service/missions", "missiond/rest", test, true},
		{"missiond/internal/service/missions", "missiond/tasks", false, true},
		{"missiond/internal/service/missions", "missiond/tasks", test, true},
		{"missiond/internal/service/missions", "missiond/internal/testkit/world", test, false},
		{"missiond/internal/service/missions", "missiond/internal/testkit/world", false, true},
		{"missiond/internal/testkit/world", "missiond/tasks", false, false},
		{"missiond/internal/testkit", "missiond/tasks", false, true},
		{"missiond/internal/service/missions", "missiond/cmd/missiond", false, true},
		{"missiond/internal/service/missions", "github.com/uptrace/bun", false, true},
		{"missiond/internal/service/missionsbus", "missiond/internal/config", false, false},

		{"missiond/internal/httpserver", "missiond/internal/service/idempotency", false, true},
		{"missiond/internal/gateway", "missiond/internal/service/idempotency", false, false},
		{"missiond/internal/simulate", "missiond/internal/publisher/sandbox", false, false},
		{"missiond/internal/simulate", "missiond/internal/clock", false, true},
		{"missiond/internal/service/missions", "missiond/internal/topic", false, false},
		{"missiond/internal/service/missions", "github.com/blevesearch/snowballstem/english", false, true},
		{"missiond/internal/topic", "github.com/blevesearch/snowballstem/english", false, false},
		{"missiond/internal/topic", "missiond/mission", false, true},

		{"missiond/graph", "missiond/internal/service", false, false},
		{"missiond/graph", "missiond/graph/model", false, false},
		{"missiond/graph/model", "github.com/99designs/gqlgen/graphql", false, false},
		{"missiond/graph", "github.com/vektah/gqlparser/v2/ast", false, false},
		{"missiond/graph", "missiond/rest", false, true},
		{"missiond/graph", "missiond/tasks", false, true},
		{"missiond/graph", "github.com/danielgtaylor/huma/v2", false, true},
		{"missiond/rest", "missiond/graph/model", false, true},
		{"missiond/rest", "missiond/tasks", test, true},
		{"missiond/rest", "github.com/danielgtaylor/huma/v2", false, false},
		{"missiond/rest", "github.com/99designs/gqlgen/graphql", false, true},
		{"missiond/rest", "github.com/vektah/gqlparser/v2", false, true},
		{"missiond/rest", "github.com/jackc/pgx/v5", false, true},
		{"missiond/tasks", "missiond/graph", false, true},
		{"missiond/tasks", "missiond/rest", false, true},
		{"missiond/tasks", "github.com/hibiken/asynqmon", false, false},
		{"missiond/tasks", "github.com/redis/go-redis/v9", false, false},
		{"missiond/tasks", "github.com/pressly/goose/v3", false, true},
		{"missiond/tasks", "modernc.org/sqlite", test, true},
		{"missiond/tasks", "missiond/internal/writer/llm/llmtest", test, false},
		{"missiond/internal/writer/llm", "missiond/internal/writer/llm/llmtest", false, true},

		{"missiond/internal/app", "missiond/graph", false, false},
		{"missiond/internal/app", "missiond/rest", false, false},
		{"missiond/internal/app", "missiond/tasks", false, false},
		{"missiond/internal/app", "missiond/cmd/missiond", false, true},
		{"missiond/internal/app", "github.com/hibiken/asynq", false, false},
		{"missiond/internal/app", "github.com/alecthomas/kong", false, true},
		{"missiond/internal/app", "github.com/uptrace/bun", false, true},
		{"missiond/internal/app", "github.com/jackc/pgx/v5", false, true},
		{"missiond/cmd/missiond", "missiond/internal/app", false, false},
		{"missiond/cmd/missiond", "missiond/graph", false, true},
		{"missiond/test/api", "missiond/internal/app", test, false},
		{"missiond/test/api", "missiond/graph", test, true},
		{"missiond/test/program", "missiond/test/internal/missiond", test, false},
		{"missiond/test/internal/missiond", "missiond/internal/testkit", false, false},
		{"missiond/test/chaos", "missiond/internal/testkit", false, true},
		{"missiond/graph", "missiond/internal/app", test, true},
		{"missiond/test/chaos", "github.com/jackc/pgx/v5", false, false},
		{"missiond/internal/outbound", "github.com/Shopify/toxiproxy/v2", test, true},
		{"missiond/internal/ratelimit", "github.com/go-redis/redis_rate/v10", false, false},
		{"missiond/internal/webhook", "github.com/redis/go-redis/v9", false, true},
		{"missiond/internal/webhook", "missiond/rest", false, true},
		{"missiond/internal/webhook", "github.com/hibiken/asynqmon", false, true},
		{"missiond/internal/webhook", "github.com/alicebob/miniredis/v2", test, false},
		{"missiond/internal/webhook", "github.com/alicebob/miniredis/v2", false, true},
		{"missiond/web", "missiond/store", false, true},
		{"missiond/bench/limit", "github.com/jackc/pgx/v5", false, false},
		{"missiond/bench", "missiond/tasks", false, false},
		{"missiond/bench", "missiond/graph", false, true},
		{"missiond/cmd/missiond", "missiond/bench/load", false, true},
	} {
		if why := refusal(c.importer, c.imported, c.test); (why != "") != c.refused {
			t.Errorf("%s imports %s (in a test: %t): refused %q, want it refused: %t", c.importer, c.imported, c.test, why, c.refused)
		}
	}
}

// listed is a package in the output of go list -json.
type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func TestImports(t *testing.T) {
	packages := listPackages(t)
	if !slices.ContainsFunc(packages, func(p listed) bool { return p.ImportPath == module+"/mission" }) {
		t.Fatalf("go list names no %s/mission among %d packages", module, len(packages))
	}
	for _, p := range packages {
		if p.ImportPath == module+"/graph/exec" && len(p.TestImports) > 0 {
			t.Errorf("%s has tests in the package itself, for which all that is generated is compiled once more: make theirs exec_test", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if why := refusal(p.ImportPath, imported, false); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
		for _, imported := range append(p.TestImports, p.XTestImports...) {
			if why := refusal(p.ImportPath, imported, true); why != "" {
				t.Errorf("a test of %s imports %s: %s", p.ImportPath, imported, why)
			}
		}
	}
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = root(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// TestDescribed checks that CONTRIBUTING.md has a line for each package, or for one
// above it.
func TestDescribed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	described := rows(string(text))
	for _, p := range listPackages(t) {
		if room := strings.TrimPrefix(p.ImportPath, module+"/"); !withinAny(room, described) {
			t.Errorf("CONTRIBUTING.md has no line for the package %s", room)
		}
	}
}

// rows returns the first cells of a document's tables that are just code.
func rows(markdown string) []string {
	var cells []string
	for _, m := range firstCell.FindAllStringSubmatch(markdown, -1) {
		cells = append(cells, m[1])
	}
	return cells
}

var firstCell = regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|")

func TestRows(t *testing.T) {
	got := rows("| package | what |\n| --- | --- |\n| `graph` | the `rest` |\n| `internal/id` | ids |\nand `web`\n")
	if want := []string{"graph", "internal/id"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFileLength also reads every Go file, so that go test's cache knows what
// TestImports depends on.
func TestFileLength(t *testing.T) {
	top := root(t)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := overlong(d.Name(), src); n > 0 {
			t.Errorf("%s has %d lines, more than %d: split it by subject", path, n, maxLines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// generatedHeader is the line by which Go's tools know generated code.
var generatedHeader = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// overlong returns the number of lines of a hand-written file that is no test
// and has too many, or 0.
func overlong(name string, src []byte) int {
	lines := bytes.Count(src, []byte("\n"))
	if lines <= maxLines || strings.HasSuffix(name, "_test.go") || generatedHeader.Match(src) {
		return 0
	}
	return lines
}

func TestOverlong(t *testing.T) {
	long := strings.Repeat("\n", maxLines+1)
	for _, c := range []struct {
		name, src string
		want      int
	}{
		{"a.go", long, maxLines + 1},
		{"a.go", long[1:], 0},
		{"a_test.go", long, 0},
		{"a.go", "// Code generated by a tool. DO NOT EDIT.\n" + long, 0},
		{"resolvers.go", "// Code generated by a tool that keeps what is written by hand.\n" + long, maxLines + 2},
	} {
		if got := overlong(c.name, []byte(c.src)); got != c.want {
			t.Errorf("%s with %d lines: got %d, want %d", c.name, strings.Count(c.src, "\n"), got, c.want)
		}
	}
}

func root(t *testing.T) string {
	t.Helper()
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return top
}

package api

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"missiond/internal/app"
	"missiond/internal/gateway"
	"missiond/internal/testkit"
)

type wholeRequest struct{ name, method, path, body string }

// wholeRequests are what BenchmarkRequest repeats.
var wholeRequests = []wholeRequest{
	{"rest_list", "GET", "/v1/missions?limit=20", ""},
	{"rest_create", "POST", "/v1/missions", `{"name": "Spring", "objectives": ["Grow"], "platforms": ["twitter"], "duration_days": 7}`},
	{"rest_refused", "POST", "/v1/missions", `{"name": ""}`},
	{"graphql_query", "POST", "/graphql", `{"query": "{ missions(first: 20) { edges { node { id name status } } } latest: missions(first: 1) { totalCount } }"}`},
}

// BenchmarkRequest measures whole requests through the handler of a process without
// traces, on Postgres. TestTracesOffCostNothing compares it with the same without the code
// that traces.
func BenchmarkRequest(b *testing.B) {
	for _, r := range wholeRequests {
		b.Run(r.name, func(b *testing.B) {
			s := newHarness(b, testkit.Postgres)
			h := s.another(func(c *app.Config) {
				c.AccessLog, c.Log = false, slog.New(slog.DiscardHandler)
				c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &boundless{}, Now: s.real.Now})
			}).Handler(app.Pages{})
			ask := func(method, path, body string) *httptest.ResponseRecorder {
				req := httptest.NewRequest(method, path, strings.NewReader(body))
				req.Header.Set("Authorization", "Bearer "+s.key)
				req.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, req)
				return w
			}
			want := ask(r.method, r.path, r.body)
			if r.name != "rest_refused" && (want.Code >= http.StatusBadRequest || strings.Contains(want.Body.String(), `"errors"`)) {
				b.Fatalf("%d %s", want.Code, want.Body)
			}
			for range 20 {
				ask(wholeRequests[1].method, wholeRequests[1].path, wholeRequests[1].body)
			}
			b.ReportAllocs()
			for b.Loop() {
				if w := ask(r.method, r.path, r.body); w.Code != want.Code {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}

// What traces requests, in the files of the packages that a request passes through. Each
// package's traces.go has the rest, which these call.
var (
	tracingLine   = regexp.MustCompile(`(?m)^.*(span := (?:tracing\.Start|startRootField|traceStatements|q\.trace)\(|defer span\.End\(\)|endStatements\(span|endSpan\(span|traceError\(ctx).*\n`)
	tracingSpan   = regexp.MustCompile(`tracing\.Traceparent\(ctx\)`)
	tracingAround = regexp.MustCompile(`\btraced\(ctx, (next\(ctx\))\)`)
	tracingIf     = regexp.MustCompile(`\bif traced\(r\) \{`)
	tracingUse    = regexp.MustCompile(`(?m)^.*[^/\w"](tracing|trace)\.[A-Z]`)
	tracingImport = regexp.MustCompile(`(?m)^\t("missiond/internal/tracing"|"go\.opentelemetry\.io/otel/trace")$`)
)

// untraced returns a Go file without the code that traces.
func untraced(text string) string {
	text = tracingLine.ReplaceAllString(text, "")
	text = tracingSpan.ReplaceAllString(text, `""`)
	text = tracingAround.ReplaceAllString(text, "$1")
	text = tracingIf.ReplaceAllString(text, "if false {")
	used := map[string]bool{}
	for _, m := range tracingUse.FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
	}
	return tracingImport.ReplaceAllStringFunc(text, func(line string) string {
		if used[strings.TrimSuffix(filepath.Base(line), `"`)] {
			return line
		}
		return "\t_ " + strings.TrimSpace(line)
	})
}

// untracedSource writes the files of the packages that a request passes through without
// the code that traces, and returns the path of a go build overlay with them.
func untracedSource(t *testing.T) string {
	t.Helper()
	folder, changed := t.TempDir(), map[string]string{}
	for _, pkg := range []string{"rest", "graph", "internal/httpserver", "store"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		before := len(changed)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			without := untraced(string(text))
			if filepath.Base(path) == "traces.go" || strings.HasSuffix(path, "_test.go") || without == string(text) {
				continue
			}
			absolute, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			changed[absolute] = filepath.Join(folder, fmt.Sprintf("%d.go", len(changed)))
			if err := os.WriteFile(changed[absolute], []byte(without), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if len(changed) == before {
			t.Errorf("nothing traces in %s", pkg)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": changed})
	overlay := filepath.Join(folder, "overlay.json")
	if err == nil {
		err = os.WriteFile(overlay, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return overlay
}

// cost is what an operation takes.
type cost struct{ nanoseconds, allocations int }

// least returns the least of both.
func (c cost) least(other cost) cost {
	return cost{min(c.nanoseconds, other.nanoseconds), min(c.allocations, other.allocations)}
}

var benchmarkLine = regexp.MustCompile(`(?m)^BenchmarkRequest/(\w+?)(?:-\d+)?\s+\d+\s+(\d+) ns/op\s+\d+ B/op\s+(\d+) allocs/op$`)

// costs runs BenchmarkRequest of a test program, and returns the costs by request.
func costs(t *testing.T, program string) map[string]cost {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^$", "-test.bench=^BenchmarkRequest$", "-test.benchtime=1000x")
	cmd.Stderr = io.Discard
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := map[string]cost{}
	for _, m := range benchmarkLine.FindAllStringSubmatch(string(out), -1) {
		var c cost
		c.nanoseconds, _ = strconv.Atoi(m[2])
		c.allocations, _ = strconv.Atoi(m[3])
		found[m[1]] = c
	}
	if len(found) != len(wholeRequests) {
		t.Fatalf("the benchmark printed\n%s", out)
	}
	return found
}

// Without traces, a whole request allocates no more than if no code traced at all: the
// handler is compared with one that is built without the calls that trace.
func TestTracesOffCostNothing(t *testing.T) { // not parallel: it measures
	testkit.SkipUnlessNightly(t) // it builds two test programs
	folder, programs := t.TempDir(), map[string]string{}
	for name, args := range map[string][]string{"off": nil, "without": {"-overlay", untracedSource(t)}} {
		programs[name] = filepath.Join(folder, name)
		args = append([]string{"test", "-c", "-ldflags=-w", "-o", programs[name]}, append(args, ".")...)
		if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	off, without := costs(t, programs["off"]), costs(t, programs["without"])
	more := func() bool {
		return slices.ContainsFunc(wholeRequests, func(r wholeRequest) bool { return off[r.name].allocations > without[r.name].allocations })
	}
	// In turns: what else the machine does falls on both, and pools that the collector empties
	// cost an allocation now and then. What a request allocates by itself it does in each turn.
	for turn := 0; turn < 2 || turn < 10 && more(); turn++ {
		for name, c := range costs(t, programs["without"]) {
			without[name] = without[name].least(c)
		}
		for name, c := range costs(t, programs["off"]) {
			off[name] = off[name].least(c)
		}
	}
	for _, r := range wholeRequests {
		with, bare := off[r.name], without[r.name]
		t.Logf("%-14s traces off %7d ns %5d allocations, without the code %7d ns %5d allocations (%+.1f %%)", r.name,
			with.nanoseconds, with.allocations, bare.nanoseconds, bare.allocations, 100*(float64(with.nanoseconds)/float64(bare.nanoseconds)-1))
		if with.allocations > bare.allocations {
			t.Errorf("%s: %d allocations with traces off, %d without the code that traces", r.name, with.allocations, bare.allocations)
		}
	}
}

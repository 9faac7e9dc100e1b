package api

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/npm"
)

// envMCP is set where Inspector and the conformance suite may be installed.
const envMCP = "MISSIOND_TEST_MCP"

// suite has Node with Inspector and the conformance suite.
type suite struct{ node, folder string }

func installSuite(t *testing.T) suite {
	t.Helper()
	folder, err := filepath.Abs(filepath.FromSlash("../../.tools/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	node, err := npm.Install(t, "mcp", folder)
	if err != nil {
		t.Skipf("the conformance suite isn't run: %v", err)
	}
	return suite{node, folder}
}

// run runs a program of the folder, and returns what it printed.
func (u suite) run(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), await.Within(2*time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, u.node, args...)
	cmd.Dir = u.folder
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// proxied returns an address at which requests get the caller's key, for clients that send none.
func (s *harness) proxied() string {
	to, err := url.Parse(s.server.URL)
	s.must(err)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+s.key)
	}})
	testkit.Cleanup(s.t, proxy.Close)
	return proxy.URL + "/mcp"
}

// Inspector uses the tools, and the conformance suite finds what it expects.
func TestClients(t *testing.T) {
	testkit.SkipUnlessSet(t, envMCP, "test-mcp")
	t.Parallel()
	u := installSuite(t)
	t.Run("Inspector", u.inspector)
	t.Run("conformance", u.conforms)
	t.Run("authorization", u.authorizes)
}

// Inspector's command line lists and calls the tools.
func (u suite) inspector(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	for method, want := range map[string]string{"tools/list": `"accounts_and_limits"`, "tools/call": `has_more`, "prompts/list": `"plan_a_mission"`, "resources/list": `missiond://brand`} {
		args := []string{"node_modules/.bin/mcp-inspector", "--cli", s.server.URL + "/mcp", "--transport", "http", "--header", "Authorization: Bearer " + s.key, "--method", method}
		if method == "tools/call" {
			args = append(args, "--tool-name", "missions_list")
		}
		if output, err := u.run(t, args...); err != nil || !strings.Contains(output, want) {
			t.Errorf("%s: %v\n%s", method, err, output)
		}
	}
}

// conformance has the scenarios of the suite that apply (docs/authorization.md says why the others don't), with
// the result of each. The four checks of server-stateless that fail call tools of the suite's own, which
// a server under test would have.
var conformance = map[string]map[string]string{
	"2025-11-25": {
		"server-initialize": "2/2, 0 failed", "ping": "2/2, 0 failed", "tools-list": "3/3, 0 failed", "resources-list": "2/2, 0 failed",
		"prompts-list": "2/2, 0 failed", "dns-rebinding-protection": "2/2, 0 failed",
	},
	"2026-07-28": {
		"server-stateless": "20/24, 4 failed", "tools-list": "4/4, 0 failed", "resources-list": "2/2, 0 failed", "prompts-list": "2/2, 0 failed",
		"sep-2164-resource-not-found": "4/4, 0 failed", "dns-rebinding-protection": "2/2, 0 failed", "caching": "8/8, 0 failed",
		"http-header-validation": "14/14, 0 failed",
	},
}

var summary = regexp.MustCompile(`Passed: (\d+/\d+, \d+ failed)`)

// The server passes the conformance suite's scenarios that apply, of both revisions.
func (u suite) conforms(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	address := s.proxied()
	for version, scenarios := range conformance {
		for name, want := range scenarios {
			output, _ := u.run(t, "node_modules/.bin/conformance", "server", "--url", address, "--scenario", name, "--spec-version", version)
			if got := summary.FindStringSubmatch(output); got == nil || got[1] != want {
				t.Errorf("%s of %s: want %s\n%s", name, version, want, output)
			}
		}
	}
}

// The authorization server passes the scenarios that the conformance suite has for one: a person consents at the address that it prints.
func (u suite) authorizes(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	s.estate("conformance")
	who := &person{address: s.authorizing(), session: s.session("conformance")}
	client, err := s.Agents.Register(t.Context(), "127.0.0.1", "Conformance", []string{"http://127.0.0.1/callback"})
	s.must(err)
	for version := range conformance {
		args := []string{
			"node_modules/.bin/conformance", "authorization", "--url", who.address, "--client-id", client.ID, "--resource", who.address + "/mcp",
			"--port", strconv.Itoa(freePort(t)), "--spec-version", version,
		}
		// Without a client's id the suite skips its scenario of a grant, and is green.
		if output := u.consented(t, who, args...); !strings.Contains(output, "Total: 3 passed, 0 failed") {
			t.Errorf("%s: want 3 passed\n%s", version, output)
		}
	}
}

// consented runs a program that prints the address at which it asks a person, who consents, and returns all that it printed.
func (u suite) consented(t *testing.T, who *person, args ...string) (output string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), await.Within(2*time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, u.node, args...)
	cmd.Dir = u.folder
	printed, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		output += lines.Text() + "\n"
		if !strings.HasPrefix(lines.Text(), who.address+"/oauth/authorize?") {
			continue
		}
		if err := who.goes(ctx, lines.Text()); err != nil {
			t.Error(err)
			cancel() // it would wait for minutes
		}
	}
	if err := errors.Join(lines.Err(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	return output
}

// goes consents at an address, and goes back to the program as a browser does.
func (p *person) goes(ctx context.Context, address string) error {
	back, err := p.consents(ctx, address)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, back.String(), nil)
	if err != nil {
		return err
	}
	resp, err := stay.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// freePort returns a port of loopback that nothing listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

package acceptance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit"
)

// examplesNotRun is how many examples of the documentation are marked with no-run: they
// need servers of their own, take long, or are part of a file or a response.
const examplesNotRun = 35

// What the documentation prints works as printed: commands and GraphQL documents run
// against a development run, and responses have the fields that are printed.
func TestDocumentation(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	d := newDocRun(t)
	run, skipped := 0, 0
	for _, path := range documents(t) {
		if filepath.Base(path) == "production.md" {
			continue // TestProduction runs it
		}
		ids := map[string]string{} // those of the server, by those that are printed
		for _, e := range examples(t, path) {
			if e.skip {
				skipped++
				e.checkTargets(t)
				continue
			}
			run++
			switch e.language {
			case "sh":
				d.shell(e, e.text, nil)
			case "console":
				d.console(e, ids)
			case "graphql":
				d.graphql(e)
			default:
				t.Errorf("%s: examples in %s aren't run; say no-run", e.place, e.language)
			}
		}
	}
	if run < 12 || skipped != examplesNotRun {
		t.Errorf("%d examples run and %d are marked with no-run, want %d", run, skipped, examplesNotRun)
	}
}

// docRun is a development run that examples are run against.
type docRun struct {
	*program
	folder string // the commands' folder, with the data folder .missiond
	// known replaces what examples leave out: ids, and addresses outside.
	known *strings.Replacer
}

func newDocRun(t *testing.T) *docRun {
	t.Helper()
	folder := t.TempDir()
	d := &docRun{program: dev(t, filepath.Join(folder, ".missiond"), "--clock-speed", "1440"), folder: folder}
	hooks := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(hooks.Close)
	id := d.start(3, 2)
	d.await("a published post", func() bool { return at(d.status(id), "content", "published") != 0.0 })
	body := missionBody(2, 2)
	body["constraints"].(map[string]any)["require_approval"] = true
	d.call("POST", "/v1/missions", body, http.StatusCreated)
	var posts []any
	d.await("a post to review", func() bool {
		posts = d.call("GET", "/v1/content?status=pending_review", nil, http.StatusOK)["data"].([]any)
		return len(posts) > 0
	})
	events := d.call("GET", "/v1/events?limit=100", nil, http.StatusOK)["data"].([]any)
	first := events[len(events)-1].(map[string]any)["id"].(string)
	d.known = strings.NewReplacer("msn_…", id, "cnt_…", posts[0].(map[string]any)["id"].(string), "evt_…", first, "https://example.com", hooks.URL)
	return d
}

// prelude has curl fail on the responses that are errors.
const prelude = "set -euo pipefail\ncurl() { command curl --fail-with-body --max-time 20 \"$@\"; }\n"

// bash runs a script in a shell, and returns its standard output.
func (d *docRun) bash(script string, ids map[string]string) (string, error) {
	for printed, real := range ids {
		script = strings.ReplaceAll(script, printed, real)
	}
	cmd := exec.Command("bash", "-c", prelude+d.known.Replace(script))
	cmd.Dir = d.folder
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary(d.t))+":"+os.Getenv("PATH"), "MISSIOND_URL="+d.url, "MISSIOND_API_KEY="+d.key)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil && bytes.Contains(out, []byte(`{"errors":`)) {
		err = fmt.Errorf("GraphQL errors")
	}
	if err != nil {
		return "", fmt.Errorf("%w\n%s%s", err, out, stderr.Bytes())
	}
	return string(out), nil
}

// shell runs a script that must succeed.
func (d *docRun) shell(e example, script string, ids map[string]string) string {
	d.t.Helper()
	out, err := d.bash(script, ids)
	if err != nil {
		d.t.Errorf("%s: %s\nfails with %v", e.place, script, err)
	}
	return out
}

// setting is a command that changes its shell.
var setting = regexp.MustCompile(`^([A-Z_]+=|\. )`)

// console runs the commands of a transcript, and compares the fields of what they print.
// A command that only reads is repeated until these are as printed.
func (d *docRun) console(e example, ids map[string]string) {
	d.t.Helper()
	settings := ""
	for _, c := range e.commands() {
		if setting.MatchString(c.text) {
			settings += c.text + "\n"
		}
		if c.output == "" {
			d.shell(e, settings+c.text, ids)
			continue
		}
		want := decode(d.t, e.place, c.output)
		ctx, cancel := context.WithTimeout(d.t.Context(), patience)
		for {
			got := decode(d.t, e.place, d.shell(e, settings+c.text, ids))
			if slices.Equal(fields(got), fields(want)) {
				pairIDs(want, got, ids)
				break
			}
			reads := !strings.Contains(c.text, "-d ") || strings.Contains(c.text, "/graphql ")
			if d.t.Failed() || !reads || clock.Sleep(ctx, 100*time.Millisecond) != nil {
				d.t.Errorf("%s: %s\nprints the fields\n%q\nand not\n%q", e.place, c.text, fields(got), fields(want))
				break
			}
		}
		cancel()
	}
}

// operation is where an operation of a GraphQL document begins.
var operation = regexp.MustCompile(`(?m)^(query|mutation|subscription)\b`)

// graphql executes each operation of a document, subscriptions until their first
// response.
func (d *docRun) graphql(e example) {
	d.t.Helper()
	starts := operation.FindAllStringIndex(e.text, -1)
	for i, at := range starts {
		end := len(e.text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		query := d.known.Replace(e.text[at[0]:end])
		if response := d.firstResponse(query); !strings.Contains(response, `"data":`) || strings.Contains(response, `"errors":`) {
			d.t.Errorf("%s: %s\nis executed to %s", e.place, query, response)
		}
	}
}

// firstResponse executes a GraphQL operation; of a stream it reads a part.
func (d *docRun) firstResponse(query string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+"/graphql", strings.NewReader(toJSON(d.t, map[string]string{"query": query})))
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(query, "subscription") {
		req.Header.Set("Accept", "text/event-stream")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var text []byte
	for part := make([]byte, 64<<10); err == nil && !bytes.Contains(text, []byte("}")); {
		var n int
		n, err = resp.Body.Read(part)
		text = append(text, part[:n]...)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		d.t.Fatal(err)
	}
	return string(text)
}

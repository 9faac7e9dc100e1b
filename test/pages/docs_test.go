package pages

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
	"missiond/internal/testkit/await"
	"missiond/test/internal/document"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// examplesNotRun is how many examples of the documentation are marked with no-run: they
// need servers of their own, take long, or are part of a file or a response.
const examplesNotRun = 44

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
		for _, e := range document.Examples(t, path) {
			if e.Skip {
				skipped++
				checkTargets(t, e)
				continue
			}
			run++
			switch e.Language {
			case "sh":
				d.shell(e, e.Text, nil)
			case "console":
				d.console(e, ids)
			case "graphql":
				d.graphql(e)
			default:
				t.Errorf("%s: examples in %s aren't run; say no-run", e.Place, e.Language)
			}
		}
	}
	if run < 12 || skipped != examplesNotRun {
		t.Errorf("%d examples run and %d are marked with no-run, want %d", run, skipped, examplesNotRun)
	}
}

// docRun is a development run that examples are run against.
type docRun struct {
	*missiond.Process
	folder string // the commands' folder, with the data folder .missiond
	// known replaces what examples leave out: ids, and addresses outside.
	known *strings.Replacer
}

func newDocRun(t *testing.T) *docRun {
	t.Helper()
	folder := t.TempDir()
	d := &docRun{Process: missiond.Dev(t, filepath.Join(folder, ".missiond"), "--clock-speed", "1440"), folder: folder}
	hooks := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(hooks.Close)
	id := d.StartMission(3, 2)
	d.Await("a published post", func() bool { return output.At(d.Status(id), "content", "published") != 0.0 })
	body := missiond.MissionBody(2, 2)
	body["constraints"].(map[string]any)["require_approval"] = true
	d.Call("POST", "/v1/missions", body, http.StatusCreated)
	var posts []any
	d.Await("a post to review", func() bool {
		posts = d.Call("GET", "/v1/content?status=pending_review", nil, http.StatusOK)["data"].([]any)
		return len(posts) > 0
	})
	events := d.Call("GET", "/v1/events?limit=100", nil, http.StatusOK)["data"].([]any)
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
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(missiond.Path(d.T))+":"+os.Getenv("PATH"), "MISSIOND_URL="+d.URL, "MISSIOND_API_KEY="+d.Key)
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
func (d *docRun) shell(e document.Example, script string, ids map[string]string) string {
	d.T.Helper()
	out, err := d.bash(script, ids)
	if err != nil {
		d.T.Errorf("%s: %s\nfails with %v", e.Place, script, err)
	}
	return out
}

// setting is a command that changes its shell.
var setting = regexp.MustCompile(`^([A-Z_]+=|\. )`)

// console runs the commands of a transcript, and compares the fields of what they print.
// A command that only reads is repeated until these are as printed.
func (d *docRun) console(e document.Example, ids map[string]string) {
	d.T.Helper()
	settings := ""
	for _, c := range e.Commands() {
		if setting.MatchString(c.Text) {
			settings += c.Text + "\n"
		}
		if c.Output == "" {
			d.shell(e, settings+c.Text, ids)
			continue
		}
		want := output.Decode(d.T, e.Place, c.Output)
		ctx, cancel := context.WithTimeout(d.T.Context(), await.Long())
		for {
			got := output.Decode(d.T, e.Place, d.shell(e, settings+c.Text, ids))
			if slices.Equal(output.Fields(got), output.Fields(want)) {
				pairIDs(want, got, ids)
				break
			}
			reads := !strings.Contains(c.Text, "-d ") || strings.Contains(c.Text, "/graphql ")
			if d.T.Failed() || !reads || clock.Sleep(ctx, 100*time.Millisecond) != nil {
				d.T.Errorf("%s: %s\nprints the fields\n%q\nand not\n%q", e.Place, c.Text, output.Fields(got), output.Fields(want))
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
func (d *docRun) graphql(e document.Example) {
	d.T.Helper()
	starts := operation.FindAllStringIndex(e.Text, -1)
	for i, at := range starts {
		end := len(e.Text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		query := d.known.Replace(e.Text[at[0]:end])
		if response := d.firstResponse(query); !strings.Contains(response, `"data":`) || strings.Contains(response, `"errors":`) {
			d.T.Errorf("%s: %s\nis executed to %s", e.Place, query, response)
		}
	}
}

// firstResponse executes a GraphQL operation; of a stream it reads a part.
func (d *docRun) firstResponse(query string) string {
	d.T.Helper()
	ctx, cancel := context.WithTimeout(d.T.Context(), await.Long())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL+"/graphql", strings.NewReader(toJSON(d.T, map[string]string{"query": query})))
	if err != nil {
		d.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.Key)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(query, "subscription") {
		req.Header.Set("Accept", "text/event-stream")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var text []byte
	for part := make([]byte, 64<<10); err == nil && !bytes.Contains(text, []byte("}")); {
		var n int
		n, err = resp.Body.Read(part)
		text = append(text, part[:n]...)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		d.T.Fatal(err)
	}
	return string(text)
}

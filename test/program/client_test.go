package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/test/internal/missiond"
)

// clientFolder returns the folder of the TypeScript example, installed from its
// lock file and compiled against the schema: a copy, made once.
var clientFolder = sync.OnceValues(func() (string, error) {
	top := filepath.Join(missiond.Scratch(), "example")
	folder := filepath.Join(top, "examples", "typescript")
	for _, pattern := range []string{"docs/schema.graphql", "examples/typescript/*.js*", "examples/typescript/src/*"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			copied := filepath.Join(top, strings.TrimPrefix(path, filepath.Join("..", "..")))
			if err := os.MkdirAll(filepath.Dir(copied), 0o700); err != nil {
				return "", err
			}
			if err := os.WriteFile(copied, text, 0o600); err != nil {
				return "", err
			}
		}
	}
	for _, args := range [][]string{{"ci", "--no-audit", "--no-fund"}, {"run", "build"}} {
		ctx, cancel := context.WithTimeout(context.Background(), await.Within(3*time.Minute))
		npm := exec.CommandContext(ctx, "npm", args...)
		npm.Dir = folder
		text, err := npm.CombinedOutput()
		cancel()
		if err != nil {
			return "", fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, text)
		}
	}
	return folder, nil
})

// installClient returns clientFolder, and skips the test without Node.
func installClient(t *testing.T) string {
	t.Helper()
	testkit.SkipIfShort(t)
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("the example client isn't tested: %s is missing", tool)
			}
			t.Skipf("the example client isn't tested: %s is missing", tool)
		}
	}
	folder, err := clientFolder()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// node returns a command of the client that uses the program's API.
func node(p *missiond.Process, folder string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 2*await.Long())
	p.T.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "MISSIOND_URL="+p.URL, "MISSIOND_API_KEY="+p.Key, fmt.Sprintf("MISSIOND_PATIENCE=%d", int(await.Long().Seconds())))
	return cmd
}

// The example's demo runs from npm ci to a published post.
func TestExampleClient(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	folder := installClient(t)
	p := missiond.Dev(t, t.TempDir(), "--clock-speed", "1440")
	text, err := node(p, folder, "npm", "run", "--silent", "--ignore-scripts", "demo").CombinedOutput()
	if err != nil {
		t.Fatalf("the demo: %v\n%s", err, text)
	}
	for _, want := range []string{"Made the mission", "to review", "approved for", "is out.", "sandbox.invalid/posts/"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the demo's output doesn't contain %q:\n%s", want, text)
		}
	}
	p.Key = "cms_live_nobody"
	text, err = node(p, folder, "npm", "run", "--silent", "--ignore-scripts", "demo").CombinedOutput()
	if err == nil || !bytes.HasPrefix(text, []byte("unauthorized: ")) {
		t.Errorf("with another key the demo ended with %v:\n%s", err, text)
	}
	p.URL = "http://" + missiond.FreeAddr(t)
	text, err = node(p, folder, "npm", "run", "--silent", "--ignore-scripts", "demo").CombinedOutput()
	if err == nil || !bytes.HasPrefix(text, []byte("Nothing listens at "+p.URL+": start missiond dev")) {
		t.Errorf("without a service the demo ended with %v:\n%s", err, text)
	}
}

// A client that remembers the last event's id misses none and gets none twice,
// even if the server is killed in between.
func TestSubscriptionSurvivesRestart(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	folder, data, addr := installClient(t), t.TempDir(), missiond.FreeAddr(t)
	start := func() *missiond.Process { return missiond.Dev(t, data, "--addr", addr, "--clock-speed", "17280") }
	p := start()
	id := p.StartMission(3, 2)
	survive := node(p, folder, "node", filepath.Join("dist", "survive.js"), id)
	var printed bytes.Buffer
	survive.Stdout = &printed
	output, err := survive.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := survive.Start(); err != nil {
		t.Fatal(err)
	}
	var log []string
	events, kills, alive := 0, 0, true
	for lines := bufio.NewScanner(output); lines.Scan(); {
		log = append(log, lines.Text())
		switch what, _, _ := strings.Cut(lines.Text(), ":"); {
		case what == "event":
			if events++; alive && events > 8*(kills+1) && kills < 3 {
				p.Kill()
				kills, alive = kills+1, false
			}
		case what == "lost" && !alive:
			p, alive = start(), true
		}
	}
	if err := survive.Wait(); err != nil {
		t.Fatalf("the client ended with %v:\n%s", err, strings.Join(log, "\n"))
	}
	var got, want []string
	if err := json.Unmarshal(printed.Bytes(), &got); err != nil {
		t.Fatalf("the client printed %s: %v", printed.Bytes(), err)
	}
	kept := p.All("/v1/events?mission_id=" + id + "&")
	slices.Reverse(kept) // newest first
	for _, e := range kept {
		want = append(want, e["id"].(string))
		if e["type"] == "mission.completed" {
			break
		}
	}
	if kills != 3 || !slices.Equal(got, want) {
		t.Errorf("after %d kills the client got\n%q, want\n%q\n%s", kills, got, want, strings.Join(log, "\n"))
	}
}

package bluesky

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/mission"
)

// envPDS enables the reference PDS: its packages are big, and SQLite is
// compiled for them.
const envPDS = "MISSIOND_TEST_PDS"

// The adapter's world is a stub in all other tests; here the protocol's own
// implementation reports whether the stub and the adapter understand it.
func TestReferencePDS(t *testing.T) {
	t.Parallel()
	n := startPDS(t)
	for _, c := range append(slices.Clone(conformance), alone...) {
		t.Run(c.name, func(t *testing.T) { c.test(n.in(t)) })
	}
}

// startPDS starts the reference PDS with an account, and ends it with the test.
func startPDS(t *testing.T) *network {
	t.Helper()
	node, folder := installPDS(t)
	database := testkit.PostgresURL(t)
	addr, err := servers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	cmd := exec.CommandContext(ctx, node, "server.mjs")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "PDS_POSTGRES="+database, "PDS_PORT="+port, "LOG_ENABLED=false")
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel()
		_ = in.Close()
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Logf("the PDS ends (%v):\n%s", err, said.Bytes())
		}
	})
	var made struct {
		URL, Handle, DID, Password string
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &made)
	}
	if err != nil {
		t.Fatalf("the PDS doesn't start: %v", err)
	}
	return &network{
		adapter: New(publisher.NewClient(&http.Client{Timeout: 30 * time.Second}, time.Now), nil),
		account: mission.Credentials{Server: made.URL, Identifier: made.Handle, Password: made.Password},
		did:     made.DID,
	}
}

// in is the network in a subtest.
func (n *network) in(t *testing.T) *network {
	other := *n
	other.t = t
	return &other
}

// installPDS returns Node and the folder that has the reference PDS, installed
// from the lock file into .tools, once for each lock file. Where it can't be
// had, the test is skipped: it is no part of what must be there.
func installPDS(t *testing.T) (node, folder string) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long test: left out of the inner loop")
	}
	if os.Getenv(envPDS) == "" {
		t.Skipf("the reference PDS isn't tested: it is only installed with %s (make test-pds)", envPDS)
	}
	folder, err := filepath.Abs(filepath.FromSlash("../../../.tools/pds"))
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json", "server.mjs"} {
		text, err := os.ReadFile(filepath.Join("pds", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != "server.mjs" {
			_, _ = hash.Write(text)
		}
	}
	stamp, sum := filepath.Join(folder, "node_modules", ".installed"), hex.EncodeToString(hash.Sum(nil))
	if text, err := os.ReadFile(stamp); err != nil || string(text) != sum {
		if err := install(t, folder); err != nil {
			t.Skipf("the reference PDS isn't tested: %v", err)
		}
		if err := os.WriteFile(stamp, []byte(sum), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if node, err = nodeOf(folder); err != nil {
		t.Skipf("the reference PDS isn't tested: %v", err)
	}
	return node, folder
}

// install installs what a folder's lock file names. Of the packages' own
// scripts it runs the one that compiles SQLite.
func install(t *testing.T, folder string) error {
	t.Helper()
	start := time.Now()
	if err := npm(folder, nil, "ci", "--ignore-scripts"); err != nil {
		return err
	}
	node, err := nodeOf(folder)
	if err != nil {
		return err
	}
	home := filepath.Dir(filepath.Dir(node))
	env := []string{"PATH=" + filepath.Dir(node) + string(os.PathListSeparator) + os.Getenv("PATH")}
	if _, err := os.Stat(filepath.Join(home, "include", "node", "node.h")); err == nil {
		env = append(env, "npm_config_nodedir="+home) // its headers, which would be fetched
	}
	if err := npm(folder, env, "rebuild", "better-sqlite3"); err != nil {
		return err
	}
	t.Logf("installed the reference PDS in %s", time.Since(start).Round(time.Second))
	return nil
}

// npm runs npm in a folder, with more in its environment.
func npm(folder string, env []string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", append(args, "--no-audit", "--no-fund", "--loglevel=error")...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	cmd.WaitDelay = 10 * time.Second
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}

// nodeMajor is the first major version of Node that runs the reference PDS.
const nodeMajor = 22

// nodeOf returns the Node that a folder's lock file brings, or, where it brings
// none for this machine, the one there is.
func nodeOf(folder string) (string, error) {
	if own, err := filepath.Glob(filepath.Join(folder, "node_modules", "node-*-*", "bin", "node")); err == nil && len(own) == 1 {
		return own[0], nil
	}
	path, err := exec.LookPath("node")
	if err != nil {
		return "", err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	text, err := exec.Command(path, "--version").Output()
	if err != nil {
		return "", err
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(text), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < nodeMajor {
		return "", fmt.Errorf("%w: Node %d or later (there is %s)", errors.ErrUnsupported, nodeMajor, bytes.TrimSpace(text))
	}
	return path, nil
}

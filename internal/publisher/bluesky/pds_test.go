package bluesky

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/npm"
	"missiond/mission"
)

// envPDS enables the reference PDS: its packages are big, and SQLite is
// compiled for them.
const envPDS = "MISSIOND_TEST_PDS"

// The adapter's world is a stub in all other tests; here the protocol's own
// implementation reports whether the stub and the adapter understand it.
func TestReferencePDS(t *testing.T) {
	testkit.SkipUnlessSet(t, envPDS, "test-pds")
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
	ctx, cancel := context.WithTimeout(context.Background(), await.Within(2*time.Minute))
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
	folder, err := filepath.Abs(filepath.FromSlash("../../../.tools/pds"))
	if err != nil {
		t.Fatal(err)
	}
	if node, err = npm.Install(t, "pds", folder, "better-sqlite3"); err != nil {
		t.Skipf("the reference PDS isn't tested: %v", err)
	}
	return node, folder
}

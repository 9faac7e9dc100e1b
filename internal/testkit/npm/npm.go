// Package npm installs programs of Node for tests.
package npm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit/await"
)

// lockFiles say what is installed.
var lockFiles = []string{"package.json", "package-lock.json"}

// Install copies the files of source into a folder, and installs there what their lock file
// names, once for each lock file. Of the packages' own scripts it runs only those of rebuild. It
// returns Node. Errors: if npm, Node or the packages can't be had.
func Install(t testing.TB, source, folder string, rebuild ...string) (node string, err error) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := copyFiles(source, folder); err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	for _, name := range lockFiles {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = hash.Write(text)
	}
	stamp, sum := filepath.Join(folder, "node_modules", ".installed"), hex.EncodeToString(hash.Sum(nil))
	if text, err := os.ReadFile(stamp); err != nil || string(text) != sum {
		start := time.Now()
		if err := install(folder, rebuild); err != nil {
			return "", err
		}
		t.Logf("installed the packages of %s in %s", source, time.Since(start).Round(time.Second))
		if err := os.WriteFile(stamp, []byte(sum), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return nodeOf(folder)
}

func copyFiles(source, folder string) error {
	files, err := os.ReadDir(source)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(source, f.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, f.Name()), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// install installs what a folder's lock file names, and runs some packages' scripts with its
// Node.
func install(folder string, rebuild []string) error {
	if err := npm(folder, nil, "ci", "--ignore-scripts"); err != nil {
		return err
	}
	if len(rebuild) == 0 {
		return nil
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
	return npm(folder, env, append([]string{"rebuild"}, rebuild...)...)
}

// npm runs npm in a folder, with more in its environment.
func npm(folder string, env []string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), await.Within(3*time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", append(args, "--no-audit", "--no-fund", "--loglevel=error")...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	cmd.WaitDelay = 10 * time.Second
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}

// nodeMajor is the first major version of Node that runs what tests install.
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

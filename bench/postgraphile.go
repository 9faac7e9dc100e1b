package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"missiond/bench/load"
)

// postGraphileFiles are its packages, with their lock file, and its server.
//
//go:embed postgraphile
var postGraphileFiles embed.FS

// postGraphileFolder is where the packages are installed, once for each lock file.
const postGraphileFolder = ".tools/bench"

// nodeMajor is the first version of Node that it runs on.
const nodeMajor = 22

// installLimit bounds the installation.
const installLimit = 5 * time.Minute

// startPostGraphile starts PostGraphile on the same tables. It returns nil, and
// says so loudly, where that isn't possible.
func (b *bench) startPostGraphile(ctx context.Context) *process {
	if !b.postGraphile {
		return nil
	}
	p, err := b.runPostGraphile(ctx)
	if err != nil {
		b.say("POSTGRAPHILE IS LEFT OUT: %v", err)
		return nil
	}
	return p
}

func (b *bench) runPostGraphile(ctx context.Context) (*process, error) {
	folder, err := b.installPostGraphile(ctx)
	if err != nil {
		return nil, err
	}
	node, err := nodeOf(ctx, folder)
	if err != nil {
		return nil, err
	}
	p, err := newProcess("PostGraphile")
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(p.Addr)
	if err != nil {
		return nil, err
	}
	ready := func(ctx context.Context) error {
		_, err := ask(ctx, p.Addr, load.Request("POST", p.Addr, "/graphql", `{"query":"{ __typename }"}`))
		return err
	}
	return p, b.start(ctx, p, ready, node, []string{"NODE_ENV=production"}, filepath.Join(folder, "server.mjs"), port, b.url())
}

// installPostGraphile returns the folder that has its packages.
func (b *bench) installPostGraphile(ctx context.Context) (string, error) {
	folder, err := filepath.Abs(postGraphileFolder)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json", "server.mjs"} {
		text, err := postGraphileFiles.ReadFile("postgraphile/" + name)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return "", err
		}
		if name != "server.mjs" {
			_, _ = hash.Write(text)
		}
	}
	stamp, sum := filepath.Join(folder, "node_modules", ".installed"), hex.EncodeToString(hash.Sum(nil))
	if text, err := os.ReadFile(stamp); err == nil && string(text) == sum {
		return folder, nil
	}
	b.say("installing PostGraphile into %s", postGraphileFolder)
	ctx, cancel := context.WithTimeout(ctx, installLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = folder
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, text)
	}
	return folder, os.WriteFile(stamp, []byte(sum), 0o600)
}

// nodeOf returns the Node that the lock file brings, or, where it brings none
// for this machine, the one there is.
func nodeOf(ctx context.Context, folder string) (string, error) {
	if own, err := filepath.Glob(filepath.Join(folder, "node_modules", "node-*-*", "bin", "node")); err == nil && len(own) == 1 {
		return own[0], nil
	}
	text, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "", err
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(text), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < nodeMajor {
		return "", fmt.Errorf("%w: Node %d or later (there is %s)", errors.ErrUnsupported, nodeMajor, bytes.TrimSpace(text))
	}
	return "node", nil
}

// postGraphileSide sends PostGraphile the same query.
func postGraphileSide(ctx context.Context, p *process, c graphCase, tenants []tenant) (side, error) {
	s := side{proc: p, many: true}
	for _, t := range tenants {
		variables := maps.Clone(c.variables)
		variables["tenant"] = t.ID
		body, err := document(c.postGraphile, variables)
		if err != nil {
			return s, err
		}
		s.requests = append(s.requests, load.Request("POST", p.Addr, "/graphql", body))
	}
	answer, err := ask(ctx, p.Addr, s.requests[0])
	if missions := bytes.Count(answer, []byte(`"rowId":"msn_`)); err == nil && missions != 20 {
		err = fmt.Errorf("%.500s", answer)
	}
	if err != nil {
		return s, fmt.Errorf("PostGraphile refuses: %w", err)
	}
	return s, nil
}

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

// peerFiles are the peer, with its lock file.
//
//go:embed postgraphile
var peerFiles embed.FS

// peerFolder is where its packages are installed, once for each lock file.
const peerFolder = ".tools/bench"

// nodeMajor is the first version of Node that runs the peer.
const nodeMajor = 22

// installLimit bounds the installation.
const installLimit = 5 * time.Minute

// startPeer starts PostGraphile on the same tables; nil, told loudly, where
// that can't be had.
func (b *bench) startPeer(ctx context.Context) *process {
	if !b.peer {
		return nil
	}
	p, err := b.tryPeer(ctx)
	if err != nil {
		b.say("THE PEER IS LEFT OUT: PostGraphile can't be had: %v", err)
		return nil
	}
	return p
}

func (b *bench) tryPeer(ctx context.Context) (*process, error) {
	folder, err := b.installPeer(ctx)
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

// installPeer returns the folder that has the peer's packages.
func (b *bench) installPeer(ctx context.Context) (string, error) {
	folder, err := filepath.Abs(peerFolder)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json", "server.mjs"} {
		text, err := peerFiles.ReadFile("postgraphile/" + name)
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
	b.say("installing PostGraphile into %s", peerFolder)
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

// peerSide asks the peer for the same.
func peerSide(ctx context.Context, p *process, c graphCase, tenants []tenant) (side, error) {
	s := side{proc: p, many: true}
	for _, t := range tenants {
		variables := maps.Clone(c.variables)
		variables["tenant"] = t.ID
		body, err := document(c.peer, variables)
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
		return s, fmt.Errorf("the peer refuses: %w", err)
	}
	return s, nil
}

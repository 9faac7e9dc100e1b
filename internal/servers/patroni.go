package servers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Patroni is a Postgres on two nodes that Patroni manages, with etcd: a primary and
// a synchronous standby.
type Patroni struct {
	nodes []*PatroniNode
	etcd  *Process
}

// PatroniNode is one node: Patroni and the Postgres that it starts.
type PatroniNode struct {
	Process
	name, postgres, data string
	// crashed is the last Postgres that Crash has killed.
	crashed int
}

// patroniConfig is a node's configuration. Its times are the least that Patroni takes, but
// for the leader's lease, whose least it is too.
const patroniConfig = `scope: missiond
name: %[1]s
restapi: {listen: "%[2]s", connect_address: "%[2]s"}
etcd3: {hosts: "%[3]s"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: {wal_log_hints: "on", max_connections: 200, shared_buffers: 16MB}
  initdb: [{auth: trust}, {encoding: UTF8}, {locale: C.UTF-8}, no-sync]
postgresql:
  listen: "%[4]s"
  connect_address: "%[4]s"
  data_dir: %[5]s/data
  bin_dir: %[6]s
  pgpass: %[5]s/pgpass
  authentication:
    superuser: {username: postgres}
    replication: {username: postgres}
  parameters: {unix_socket_directories: %[5]s}
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust", "local all all trust"]
`

// StartPatroni starts etcd and two nodes, and waits until one is the primary and the
// other its synchronous standby.
func StartPatroni(ctx context.Context, dir string) (p *Patroni, err error) {
	path, err := program("patroni")
	if err != nil {
		return nil, err
	}
	initdb, err := program("initdb", "/usr/lib/postgresql/*/bin")
	if err != nil {
		return nil, err
	}
	if initdb, err = filepath.EvalSymlinks(initdb); err != nil {
		return nil, err
	}
	p = &Patroni{}
	defer func() {
		if err != nil {
			p.Kill()
		}
	}()
	if p.etcd, err = startEtcd(ctx, dir); err != nil {
		return nil, err
	}
	for i := range 2 {
		node, err := startNode(ctx, path, filepath.Dir(initdb), dir, "n"+strconv.Itoa(i+1), p.etcd.Addr)
		if err != nil {
			return nil, err
		}
		p.nodes = append(p.nodes, node)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	return p, until(ctx, nil, p.Redundant)
}

// startEtcd starts an etcd of one member.
func startEtcd(ctx context.Context, dir string) (*Process, error) {
	path, err := program("etcd")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "etcd-")
	if err != nil {
		return nil, err
	}
	addr, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	peers, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	p := &Process{Addr: addr, Name: "etcd", Log: filepath.Join(home, "log"), Argv: []string{
		path, "--data-dir", filepath.Join(home, "data"), "--listen-client-urls", "http://" + addr, "--advertise-client-urls", "http://" + addr,
		"--listen-peer-urls", "http://" + peers, "--initial-advertise-peer-urls", "http://" + peers, "--initial-cluster", "default=http://" + peers,
	}}
	p.Ready = func(ctx context.Context) error {
		return ask(ctx, http.MethodGet, "http://"+addr+"/health", nil)
	}
	return p, p.Start(ctx)
}

// startNode starts a node, which is ready once its Postgres runs.
func startNode(ctx context.Context, path, bin, dir, name, etcd string) (*PatroniNode, error) {
	home, err := os.MkdirTemp(dir, "patroni-")
	if err != nil {
		return nil, err
	}
	owner, err := unprivileged()
	if err != nil {
		return nil, err
	}
	if err := own(home, owner); err != nil {
		return nil, err
	}
	rest, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	postgres, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(home, "patroni.yml")
	text := fmt.Sprintf(patroniConfig, name, rest, etcd, postgres, home, bin)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil { //nolint:gosec // another user reads it, and it has no secret
		return nil, err
	}
	n := &PatroniNode{name: name, postgres: postgres, data: filepath.Join(home, "data")}
	n.Process = Process{Addr: rest, Name: "Patroni " + name, Log: filepath.Join(home, "log"), Argv: []string{path, config}, Dir: home, user: owner}
	n.Ready = func(ctx context.Context) error {
		return ask(ctx, http.MethodGet, "http://"+rest+"/health", nil)
	}
	return n, n.Start(ctx)
}

// Crash kills the node's Patroni and Postgres: nobody gives up the leader's lease.
func (n *PatroniNode) Crash() {
	n.Kill()
	// Postgres is in a process group of its own.
	text, err := os.ReadFile(filepath.Join(n.data, "postmaster.pid"))
	if err != nil {
		return
	}
	first, _, _ := strings.Cut(string(text), "\n")
	// The file outlives its process, whose id may be another's by the next time.
	if pid, err := strconv.Atoi(first); err == nil && pid > 1 && pid != n.crashed {
		n.crashed = pid
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// URL returns the URL of a database, with the addresses of both nodes.
func (p *Patroni) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@%s,%s/%s?sslmode=disable", p.nodes[0].postgres, p.nodes[1].postgres, database)
}

// Leader returns the node that is the primary.
func (p *Patroni) Leader(ctx context.Context) (*PatroniNode, error) {
	for _, n := range p.nodes {
		if err := ask(ctx, http.MethodGet, "http://"+n.Addr+"/primary", nil); err == nil {
			return n, nil
		}
	}
	return nil, errors.New("no node is the primary")
}

// Redundant returns an error until a node is the primary and the other its synchronous
// standby.
func (p *Patroni) Redundant(ctx context.Context) error {
	leader, err := p.Leader(ctx)
	if err != nil {
		return err
	}
	for _, n := range p.nodes {
		if n == leader {
			continue
		}
		if err := ask(ctx, http.MethodGet, "http://"+n.Addr+"/sync", nil); err != nil {
			return err
		}
	}
	return nil
}

// Switchover makes the standby the primary, and the primary its standby.
func (p *Patroni) Switchover(ctx context.Context) error {
	leader, err := p.Leader(ctx)
	if err != nil {
		return err
	}
	return ask(ctx, http.MethodPost, "http://"+leader.Addr+"/switchover", map[string]string{"leader": leader.name})
}

// Kill kills all of it.
func (p *Patroni) Kill() {
	for _, n := range p.nodes {
		n.Crash()
	}
	if p.etcd != nil {
		p.etcd.Kill()
	}
}

// ask sends a request with a body in JSON. Errors: a status that isn't 200.
func ask(ctx context.Context, method, url string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err = io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, text)
	}
	return err
}

package servers

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Redis is a server that stores nothing on disk.
type Redis struct{ Process }

// StartRedis starts a server that logs below dir, with further settings (as in
// "--maxmemory", "1gb").
func StartRedis(ctx context.Context, dir string, settings ...string) (*Redis, error) {
	path, err := program("redis-server")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "redis-")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	r := &Redis{}
	r.Process = Process{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Name: "Redis", Log: filepath.Join(home, "log"),
		Argv: append([]string{
			path, "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--save", "", "--appendonly", "no", "--dir", home,
		}, settings...),
		Ready: r.ping,
	}
	return r, r.Start(ctx)
}

// URL returns the URL of the server's first logical database.
func (r *Redis) URL() string { return "redis://" + r.Addr + "/0" }

func (r *Redis) ping(ctx context.Context) error {
	response, err := ping(ctx, r.Addr, "PING")
	if err == nil && response != "+PONG" {
		err = fmt.Errorf("PING returned %q", response)
	}
	return err
}

// ping returns the first line of a Redis server's reply to a command.
func ping(ctx context.Context, addr, command string) (string, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return "", err
		}
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSpace(line), err
}

// RedisCluster is a cluster of masters without replicas, which share the slots.
type RedisCluster struct{ Nodes []*Redis }

// StartClusterNode starts a node that is in no cluster yet, with further settings.
func StartClusterNode(ctx context.Context, dir string, settings ...string) (*Redis, error) {
	bus, err := freePort() // the usual one, 10,000 above the node's, may be taken
	if err != nil {
		return nil, err
	}
	return StartRedis(ctx, dir, append([]string{"--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus)}, settings...)...)
}

// StartRedisCluster starts a cluster of n masters, each with further settings; at
// least three are needed.
func StartRedisCluster(ctx context.Context, dir string, n int, settings ...string) (*RedisCluster, error) {
	cli, err := program("redis-cli")
	if err != nil {
		return nil, err
	}
	c := &RedisCluster{}
	args := []string{"--cluster", "create"}
	for range n {
		node, err := StartClusterNode(ctx, dir, settings...)
		if err != nil {
			c.Kill()
			return nil, err
		}
		c.Nodes = append(c.Nodes, node)
		args = append(args, node.Addr)
	}
	//nolint:gosec // the program is Redis's
	if out, err := exec.CommandContext(ctx, cli, append(args, "--cluster-replicas", "0", "--cluster-yes")...).CombinedOutput(); err != nil {
		c.Kill()
		return nil, fmt.Errorf("make a cluster: %w\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for _, node := range c.Nodes {
		if err := until(ctx, node.ended, node.whole); err != nil {
			c.Kill()
			return nil, err
		}
	}
	return c, nil
}

// whole returns an error while the node doesn't see all slots served.
func (r *Redis) whole(ctx context.Context) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", r.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprint(conn, "CLUSTER INFO\r\n"); err != nil {
		return err
	}
	reader := bufio.NewReader(conn)
	if _, err := reader.ReadString('\n'); err != nil { // its length
		return err
	}
	state, err := reader.ReadString('\n')
	if err == nil && strings.TrimSpace(state) != "cluster_state:ok" {
		err = fmt.Errorf("the cluster is in %q", strings.TrimSpace(state))
	}
	return err
}

// Addrs returns the addresses of the nodes.
func (c *RedisCluster) Addrs() []string {
	addrs := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		addrs[i] = n.Addr
	}
	return addrs
}

// URL returns a URL that names all nodes of the cluster.
func (c *RedisCluster) URL() string {
	addrs := c.Addrs()
	return "redis://" + addrs[0] + "?addr=" + strings.Join(addrs[1:], "&addr=")
}

// Kill kills all nodes.
func (c *RedisCluster) Kill() {
	for _, n := range c.Nodes {
		n.Kill()
	}
}

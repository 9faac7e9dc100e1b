package servers

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// RedisSentinels is a Redis with a replica, and sentinels that promote the replica when
// the master is gone for a second.
type RedisSentinels struct {
	Master, Replica *Redis
	Sentinels       []*Process
}

// sentinelName is the name by which the sentinels know the master.
const sentinelName = "missiond"

// StartRedisSentinels starts a master, a replica and three sentinels.
func StartRedisSentinels(ctx context.Context, dir string) (s *RedisSentinels, err error) {
	path, err := program("redis-sentinel")
	if err != nil {
		return nil, err
	}
	s = &RedisSentinels{}
	defer func() {
		if err != nil {
			s.Kill()
		}
	}()
	if s.Master, err = StartRedis(ctx, dir, "--repl-diskless-sync-delay", "0"); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(s.Master.Addr)
	if err != nil {
		return nil, err
	}
	if s.Replica, err = StartRedis(ctx, dir, "--replicaof", host+" "+port); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err = until(ctx, s.Replica.ended, s.Master.replies("WAIT 1 100", ":1")); err != nil {
		return nil, err
	}
	const sentinels = 3
	for range sentinels {
		one, err := startSentinel(ctx, path, dir, host+" "+port)
		if err != nil {
			return nil, err
		}
		s.Sentinels = append(s.Sentinels, one)
	}
	for _, one := range s.Sentinels {
		r := &Redis{*one}
		for command, reply := range map[string]string{"SENTINEL CKQUORUM ": "+OK 3 usable", "SENTINEL REPLICAS ": "*1"} {
			if err = until(ctx, one.ended, r.replies(command+sentinelName, reply)); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// startSentinel starts a sentinel of the master at a host and port, with a folder of its
// own for its configuration, which it rewrites.
func startSentinel(ctx context.Context, path, dir, master string) (*Process, error) {
	home, err := os.MkdirTemp(dir, "sentinel-")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(home, "sentinel.conf")
	lines := []string{
		"bind 127.0.0.1", "port " + strconv.Itoa(port), "dir " + home,
		"sentinel monitor " + sentinelName + " " + master + " 2",
		"sentinel down-after-milliseconds " + sentinelName + " 1000",
		"sentinel failover-timeout " + sentinelName + " 5000",
	}
	if err := os.WriteFile(config, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	p := &Process{Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Name: "Redis Sentinel", Log: filepath.Join(home, "log"), Argv: []string{path, config}}
	p.Ready = (&Redis{Process{Addr: p.Addr}}).ping
	return p, p.Start(ctx)
}

// replies returns a function that returns an error until a command's reply begins with
// a text.
func (r *Redis) replies(command, begins string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		response, err := ping(ctx, r.Addr, command)
		if err == nil && !strings.HasPrefix(response, begins) {
			err = fmt.Errorf("%s returned %q", command, response)
		}
		return err
	}
}

// URL returns the URL of the master as the sentinels know it.
func (s *RedisSentinels) URL() string {
	u := "redis://" + s.Sentinels[0].Addr + "/0?master_name=" + sentinelName
	for _, one := range s.Sentinels[1:] {
		u += "&addr=" + one.Addr
	}
	return u
}

// Promoted returns an error until the replica is the master.
func (s *RedisSentinels) Promoted(ctx context.Context) error {
	return s.Replica.replies("WAIT 0 1", ":")(ctx) // a replica refuses it
}

// Kill kills all of them.
func (s *RedisSentinels) Kill() {
	for _, p := range s.Sentinels {
		p.Kill()
	}
	for _, r := range []*Redis{s.Replica, s.Master} {
		if r != nil {
			r.Kill()
		}
	}
}

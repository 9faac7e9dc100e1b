package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Redis must answer fast or not at all: nothing waits for it that can do
// without.
const (
	redisDial    = time.Second
	redisTimeout = time.Second
	redisPool    = 48 // of each node
)

// clusterReload is how old a client's view of its cluster may be: a replica that
// took over from a node that is gone is found then.
const clusterReload = 2 * time.Second

// heeded are the parameters of a Redis URL that mean something here. How long
// is waited and how many connections there are is the service's own business.
var heeded = []string{"addr", "cluster", "db", "skip_verify"}

// readRedisURL reads where a Redis is: one server, or a cluster, where the URL
// names further nodes (addr=host:port) or says so (cluster=true). Its errors
// name the flag and don't show the URL, which may hold a password.
func readRedisURL(text string) (*redis.UniversalOptions, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, errors.New("--redis-url: not of the form redis://host:6379/0 or rediss://…")
	}
	q := u.Query()
	for name := range q {
		if !slices.Contains(heeded, name) {
			return nil, fmt.Errorf("--redis-url: unknown parameter %q; there are %s", name, strings.Join(heeded, ", "))
		}
	}
	read := serverOptions
	if q.Has("addr") || q.Get("cluster") == "true" {
		read = clusterOptions
	}
	o, err := read(u)
	if err != nil {
		return nil, fmt.Errorf("--redis-url: %w", err)
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolSize = redisDial, redisTimeout, redisTimeout, redisPool
	o.MaxRetries = 1 // of one server; a cluster's client looks for another node meanwhile
	return o, nil
}

func serverOptions(u *url.URL) (*redis.UniversalOptions, error) {
	o, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, err
	}
	return &redis.UniversalOptions{Addrs: []string{o.Addr}, DB: o.DB, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig}, nil
}

func clusterOptions(u *url.URL) (*redis.UniversalOptions, error) {
	q := u.Query()
	for _, db := range []string{strings.Trim(u.Path, "/"), q.Get("db")} {
		if db != "" && db != "0" {
			return nil, fmt.Errorf("a Redis Cluster has database 0 only, not %q", db)
		}
	}
	q.Del("db")
	q.Del("cluster")
	nodes := *u
	nodes.RawQuery = q.Encode()
	o, err := redis.ParseClusterURL(nodes.String())
	if err != nil {
		return nil, err
	}
	return &redis.UniversalOptions{Addrs: o.Addrs, IsClusterMode: true, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig}, nil
}

// newRedis opens a client.
func newRedis(o *redis.UniversalOptions) redis.UniversalClient {
	if !o.IsClusterMode {
		return redis.NewUniversalClient(o)
	}
	cluster := o.Cluster()
	cluster.ClusterStateReloadInterval = clusterReload
	// A command is tried again for as long as it is redirected, with pauses: to
	// dial a node that is gone again and again within each try takes seconds, in
	// which those that wait for it do nothing for other nodes.
	cluster.DialerRetries = 1
	return redis.NewClusterClient(cluster)
}

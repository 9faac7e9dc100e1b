package app

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Bounds of calls to Redis. It must respond fast or not at all: nothing waits for it
// that can do without.
const (
	redisDial    = time.Second
	redisTimeout = time.Second
	redisPool    = 48 // of each node
)

// clusterReload is how often a client refreshes its view of the cluster, and so
// finds a replica that was promoted.
const clusterReload = 2 * time.Second

// allowedParams are the parameters that a Redis URL may have. Timeouts and pool
// sizes are the service's own.
var allowedParams = []string{"addr", "cluster", "db", "master_name", "password", "skip_verify", "username"}

// readRedisURL parses the URL of a Redis: of one server; if it has master_name, of the
// sentinels that know the server by that name, in the form of redis.ParseFailoverURL; or,
// if it names further nodes (addr=host:port) or has cluster=true, of a cluster. Its errors name the flag and
// don't contain the URL, which may have a password.
func readRedisURL(text string) (*redis.UniversalOptions, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, errors.New("--redis-url: must be redis://host:6379/0 or rediss://…")
	}
	q := u.Query()
	for name := range q {
		if !slices.Contains(allowedParams, name) {
			return nil, fmt.Errorf("--redis-url: unknown parameter %q; must be one of %s", name, strings.Join(allowedParams, ", "))
		}
	}
	if strings.Contains(u.Path+u.Fragment, "@") { // it would be shown
		return nil, errors.New("--redis-url: / and # in the user and password must be encoded (/ is %2F)")
	}
	read := serverOptions
	switch {
	case q.Has("master_name"):
		read = sentinelOptions
	case q.Has("addr") || q.Get("cluster") == "true":
		read = clusterOptions
	}
	o, err := read(u)
	if err != nil {
		return nil, fmt.Errorf("--redis-url: %w", err)
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolSize = redisDial, redisTimeout, redisTimeout, redisPool
	o.MaxRetries = 1 // for one server; a cluster's client tries another node
	return o, nil
}

func serverOptions(u *url.URL) (*redis.UniversalOptions, error) {
	o, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, err
	}
	return &redis.UniversalOptions{Addrs: []string{o.Addr}, DB: o.DB, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig}, nil
}

// sentinelOptions are those of sentinels: the URL's user and password are theirs, the
// parameters username and password the server's.
func sentinelOptions(u *url.URL) (*redis.UniversalOptions, error) {
	o, err := redis.ParseFailoverURL(u.String())
	if err != nil {
		return nil, err
	}
	if o.MasterName == "" {
		return nil, errors.New("master_name must be a name")
	}
	return &redis.UniversalOptions{
		Addrs: o.SentinelAddrs, MasterName: o.MasterName, SentinelUsername: o.SentinelUsername, SentinelPassword: o.SentinelPassword,
		DB: o.DB, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig,
	}, nil
}

func clusterOptions(u *url.URL) (*redis.UniversalOptions, error) {
	q := u.Query()
	for _, db := range []string{strings.Trim(u.Path, "/"), q.Get("db")} {
		if db != "" && db != "0" {
			return nil, errors.New("a Redis Cluster has database 0 only")
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
	return &redis.UniversalOptions{
		Addrs: o.Addrs, IsClusterMode: true, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig,
	}, nil
}

// newRedis returns a client of a server, of the server that sentinels name, or of a
// cluster.
func newRedis(o *redis.UniversalOptions) redis.UniversalClient {
	if !o.IsClusterMode {
		return redis.NewUniversalClient(o)
	}
	cluster := o.Cluster()
	cluster.ClusterStateReloadInterval = clusterReload
	// A redirected command is retried with pauses anyway. Retrying the dial to a node
	// that is down within each try would take seconds, in which the callers that
	// wait for it do nothing for other nodes.
	cluster.DialerRetries = 1
	return redis.NewClusterClient(cluster)
}

package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// A URL names one server, or a cluster by its nodes.
func TestRedisURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]redis.UniversalOptions{
		"redis://a":                                 {Addrs: []string{"a:6379"}},
		"redis://me:secret@a:1/3":                   {Addrs: []string{"a:1"}, DB: 3, Username: "me", Password: "secret"},
		"redis://a:1?db=3":                          {Addrs: []string{"a:1"}, DB: 3},
		"redis://a:1?cluster=true":                  {Addrs: []string{"a:1"}, IsClusterMode: true},
		"redis://:secret@a:1/0?addr=b:2&addr=[c]:3": {Addrs: []string{"a:1", "b:2", "c:3"}, IsClusterMode: true, Password: "secret"},
		"redis://a:1?cluster=true&addr=b:2&db=0":    {Addrs: []string{"a:1", "b:2"}, IsClusterMode: true},
		"rediss://a:1?addr=b:2":                     {Addrs: []string{"a:1", "b:2"}, IsClusterMode: true},
		"redis://s:hush@a:1/3?master_name=m&addr=b:2&username=me&password=secret": {
			Addrs: []string{"a:1", "b:2"}, MasterName: "m", DB: 3, Username: "me", Password: "secret", SentinelUsername: "s", SentinelPassword: "hush",
		},
		"rediss://a:1?skip_verify=true": {Addrs: []string{"a:1"}},
	} {
		o, err := readRedisURL(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !slices.Equal(o.Addrs, want.Addrs) || o.DB != want.DB || o.IsClusterMode != want.IsClusterMode || o.Username != want.Username || o.Password != want.Password ||
			o.MasterName != want.MasterName || o.SentinelUsername != want.SentinelUsername || o.SentinelPassword != want.SentinelPassword {
			t.Errorf("%s is read as %+v", text, o)
		}
		if (o.TLSConfig != nil) != strings.HasPrefix(text, "rediss:") || strings.Contains(text, "skip_verify") && !o.TLSConfig.InsecureSkipVerify {
			t.Errorf("%s has the TLS configuration %+v", text, o.TLSConfig)
		}
		client := newRedis(o)
		if _, cluster := client.(*redis.ClusterClient); cluster != want.IsClusterMode {
			t.Errorf("%s opens a %T", text, client)
		}
		_ = client.Close()
	}
	for text, says := range map[string]string{
		"nonsense":                               "must be redis://",
		"http://a:1":                             "must be redis://",
		"unix:///run/redis.sock":                 "must be redis://",
		"redis://:secret@a:port":                 "must be redis://",
		"redis://me:secret@a:1/one":              "invalid database number",
		"redis://a:1/1?addr=b:2":                 "database 0 only",
		"redis://a:1?addr=b:2&db=1":              "database 0 only",
		"redis://me:secret@a:1?addr=b":           "unable to parse addr param: b",
		"redis://a:1?master_name=m&cluster=true": "cluster",
		"redis://a:1?master_name=":               "a name",
		"redis://a:1?username=me":                "username",
		"redis://a:1?cluster=yes":                "cluster",
		"redis://a:1?dial_timeout=5s":            `unknown parameter "dial_timeout"`,
		"redis://a:1?addr=b:2&route_randomly":    `unknown parameter "route_randomly"`,
	} {
		_, err := readRedisURL(text)
		if err == nil || !strings.HasPrefix(err.Error(), "--redis-url: ") || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want %q", text, err, says)
		}
	}
}

package app

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hibiken/asynqmon"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redis/go-redis/v9"

	"missiond/internal/httpserver"
	"missiond/web"
)

// OpsOptions name the operators' listener of serve and worker.
type OpsOptions struct {
	OpsAddr     string `help:"The address that serves /monitoring (Asynqmon), /metrics, /debug/pprof, /livez, /healthz and /readyz." default:"127.0.0.1:9090"`
	OpsPassword string `help:"The password (any user name) of the operators' pages; required unless --ops-addr is loopback, of 16 characters or more then."`
}

// check returns an error if the operators' pages would be open to others than this
// machine: off loopback they need a password.
func (o OpsOptions) check() error {
	if err := checkAddr("--ops-addr", o.OpsAddr); err != nil {
		return err
	}
	if o.OpsPassword == "" && !loopback(o.OpsAddr) {
		return errors.New("--ops-password is required unless --ops-addr is loopback")
	}
	if !loopback(o.OpsAddr) && weak(o.OpsPassword) {
		return fmt.Errorf("--ops-password must have at least %d characters, %d of them different, unless --ops-addr is loopback", minPassword, minDifferent)
	}
	return nil
}

// What an operators' password has at least: others may guess as fast as they like (guard).
const (
	minPassword  = 16
	minDifferent = 5
)

// weak reports whether a password can be guessed.
func weak(password string) bool {
	different := map[rune]bool{}
	for _, c := range password {
		different[c] = true
	}
	return utf8.RuneCountInString(password) < minPassword || len(different) < minDifferent
}

// checkAddr returns an error, which names the flag, unless an address has a host and a
// port.
func checkAddr(flag, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port) //nolint:noctx // a number, or a name of the machine's own list
	}
	if err != nil {
		return fmt.Errorf("%s: %q must be a host and a port, such as 127.0.0.1:8080 or [::1]:8080", flag, addr)
	}
	return nil
}

// loopback reports whether a listener's address can only be reached from this
// machine.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// redisConn opens Asynqmon's own client.
type redisConn struct{ options *redis.UniversalOptions }

func (c redisConn) MakeRedisClient() any { return newRedis(c.options) }

// dashboardRoot is the path of Asynqmon.
const dashboardRoot = "/monitoring"

// ops registers the dashboard, the metrics and the profiles on mux, for operators
// only.
func (a *App) ops(mux *http.ServeMux, password string) {
	dashboard := asynqmon.New(asynqmon.Options{RootPath: dashboardRoot, RedisConnOpt: redisConn{a.redisOptions}})
	a.closers = append(a.closers, dashboard.Close)
	guard := newGuard(password, time.Now, a.Log, a.Metrics)
	metrics := promhttp.HandlerFor(a.Metrics, promhttp.HandlerOpts{})
	mux.Handle("/monitoring/", guarded(guard, withDashboardHeaders(dashboard)))
	mux.Handle("GET /monitoring", http.RedirectHandler("/monitoring/", http.StatusMovedPermanently))
	mux.Handle("GET /metrics", guarded(guard, metrics))
	mux.Handle("GET /debug/pprof/", guarded(guard, http.HandlerFunc(pprof.Index)))
	mux.Handle("GET /debug/pprof/profile", guarded(guard, http.HandlerFunc(pprof.Profile)))
	mux.Handle("GET /debug/pprof/trace", guarded(guard, http.HandlerFunc(pprof.Trace)))
}

// operatorsOnly refuses requests from elsewhere than this machine, for there is no
// password.
func operatorsOnly(next http.Handler) http.Handler { return guarded(nil, next) }

// guarded requires the guard's password, if there is one, and refuses requests of
// foreign web pages: by the browser's headers about a request's origin and, without
// a password, by the Host header, which a page that rebinds its own name can't
// fake.
func guarded(g *guard, next http.Handler) http.Handler {
	return httpserver.OwnPages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if (g == nil || g.password == "") && !localHost(r.Host) {
			web.Say(w, r, http.StatusForbidden, web.Message{
				Title: "Only from this machine", Text: "Open the page at the address 127.0.0.1, or have the operator set --ops-password.",
			})
			return
		}
		if g.admit(w, r) {
			next.ServeHTTP(w, r)
		}
	}), refuse)
}

// dashboardPolicy returns the Content-Security-Policy that Asynqmon's pages need:
// its own files, and the inline scripts of its page as it is served here. The fonts
// that it would fetch from elsewhere are not allowed.
func dashboardPolicy(dashboard http.Handler) string {
	page := &pageBuffer{header: http.Header{}}
	dashboard.ServeHTTP(page, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: dashboardRoot + "/"}, Header: http.Header{}})
	scripts := "script-src 'self'"
	for _, m := range inlineScript.FindAllSubmatch(page.body.Bytes(), -1) {
		sum := sha256.Sum256(m[1])
		scripts += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return httpserver.Policy(
		"default-src 'none'; " + scripts + "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'",
	)
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// pageBuffer is a response writer that only stores the body.
type pageBuffer struct {
	header http.Header
	body   bytes.Buffer
}

func (p *pageBuffer) Header() http.Header         { return p.header }
func (p *pageBuffer) WriteHeader(int)             {}
func (p *pageBuffer) Write(b []byte) (int, error) { return p.body.Write(b) }

// withDashboardHeaders sets the security headers that Asynqmon itself doesn't set:
// its policy, an opener policy, and that nothing is cached.
func withDashboardHeaders(dashboard http.Handler) http.Handler {
	policy := dashboardPolicy(dashboard)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		dashboard.ServeHTTP(w, r)
	})
}

// localHost reports whether a Host header names this machine.
func localHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

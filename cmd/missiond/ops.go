package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"net/url"
	"regexp"
	"strings"

	"github.com/hibiken/asynqmon"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redis/go-redis/v9"

	"missiond/internal/httpserver"
)

// opsFlags are the operators' listener of processes outside dev.
type opsFlags struct {
	OpsAddr     string `help:"Where /monitoring (Asynqmon), /metrics, /debug/pprof, /healthz and /readyz are." default:"127.0.0.1:9090"`
	OpsPassword string `help:"The password (any user name) of the operators' pages; needed where they aren't on loopback."`
}

// check refuses an open door: operators' pages off loopback need a password.
func (f opsFlags) check() error {
	if f.OpsPassword == "" && !loopback(f.OpsAddr) {
		return errors.New("--ops-password is needed where --ops-addr isn't on loopback")
	}
	return nil
}

// loopback reports whether an address to listen on is only reached from this
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

// dashboardRoot is where Asynqmon is.
const dashboardRoot = "/monitoring"

// ops registers the dashboard, the metrics and the profiles on mux, behind their
// door.
func (a *app) ops(mux *http.ServeMux, password string) {
	dashboard := asynqmon.New(asynqmon.Options{RootPath: dashboardRoot, RedisConnOpt: redisConn{a.redisOptions}})
	a.closers = append(a.closers, dashboard.Close)
	metrics := promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{})
	mux.Handle("/monitoring/", door(password, guardedDashboard(dashboard)))
	mux.Handle("GET /monitoring", http.RedirectHandler("/monitoring/", http.StatusMovedPermanently))
	mux.Handle("GET /metrics", door(password, metrics))
	mux.Handle("GET /debug/pprof/", door(password, http.HandlerFunc(pprof.Index)))
	mux.Handle("GET /debug/pprof/profile", door(password, http.HandlerFunc(pprof.Profile)))
	mux.Handle("GET /debug/pprof/trace", door(password, http.HandlerFunc(pprof.Trace)))
}

// door asks for the password, where there is one, and keeps foreign web pages
// out: by what browsers say of where a request comes from, and without a password
// by the host's name, which a page that rebinds its own name can't fake.
func door(password string, next http.Handler) http.Handler {
	return httpserver.OwnPages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if password == "" && !localHost(r.Host) {
			http.Error(w, "These pages are for this machine only.", http.StatusForbidden)
			return
		}
		_, given, _ := r.BasicAuth()
		a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(password))
		if password != "" && subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="missiond operators", charset="UTF-8"`)
			http.Error(w, "A password is needed.", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// dashboardPolicy is the Content-Security-Policy under which Asynqmon's pages work:
// its own files, and the scripts that stand in its page as it is served here. The
// fonts that it would fetch elsewhere are left out.
func dashboardPolicy(dashboard http.Handler) string {
	page := &pageBuffer{header: http.Header{}}
	dashboard.ServeHTTP(page, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: dashboardRoot + "/"}, Header: http.Header{}})
	scripts := "script-src 'self'"
	for _, m := range inlineScript.FindAllSubmatch(page.body.Bytes(), -1) {
		sum := sha256.Sum256(m[1])
		scripts += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return httpserver.Policy("default-src 'none'; " + scripts + "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'")
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// pageBuffer takes a page that no client asked for.
type pageBuffer struct {
	header http.Header
	body   bytes.Buffer
}

func (p *pageBuffer) Header() http.Header         { return p.header }
func (p *pageBuffer) WriteHeader(int)             {}
func (p *pageBuffer) Write(b []byte) (int, error) { return p.body.Write(b) }

// guardedDashboard gives the dashboard its headers: those of every answer, which
// Asynqmon itself has none of, its policy, and a window of its own.
func guardedDashboard(dashboard http.Handler) http.Handler {
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

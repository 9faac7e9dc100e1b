package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"net/url"
	"strings"

	"github.com/hibiken/asynqmon"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redis/go-redis/v9"
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

// loopback tells whether an address to listen on is only reached from this
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

// ops registers the dashboard, the metrics and the profiles on mux, behind their
// door.
func (a *app) ops(mux *http.ServeMux, password string) {
	dashboard := asynqmon.New(asynqmon.Options{RootPath: "/monitoring", RedisConnOpt: redisConn{a.redisOptions}})
	a.closers = append(a.closers, dashboard.Close)
	metrics := promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{})
	mux.Handle("/monitoring/", door(password, dashboard))
	mux.Handle("GET /monitoring", http.RedirectHandler("/monitoring/", http.StatusMovedPermanently))
	mux.Handle("GET /metrics", door(password, metrics))
	mux.Handle("GET /debug/pprof/", door(password, http.HandlerFunc(pprof.Index)))
	mux.Handle("GET /debug/pprof/profile", door(password, http.HandlerFunc(pprof.Profile)))
	mux.Handle("GET /debug/pprof/trace", door(password, http.HandlerFunc(pprof.Trace)))
}

// door asks for the password, where there is one, and keeps foreign web pages
// out: by the origin of what changes something, and without a password by the
// host's name, which a page that rebinds its own name can't fake.
func door(password string, next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return origin.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && !sameHost(origin, r.Host) {
			http.Error(w, "These pages answer no other site's.", http.StatusForbidden)
			return
		}
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

// sameHost tells whether an Origin header is that of a page of the host itself.
func sameHost(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// localHost tells whether a Host header names this machine.
func localHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

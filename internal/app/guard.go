package app

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"missiond/web"
)

// How many wrong passwords of an address are logged: guessBurst at once, and then one each
// second; it is told that others are too many. At most guessAddresses are remembered.
const (
	guessBurst     = 10
	guessEvery     = time.Second
	guessAddresses = 10_000
)

// guard asks for the operators' password, which is admitted however many wrong ones its address
// has tried: whoever shares that with Prometheus would blind it. What keeps guesses from hitting is
// the password's strength (OpsOptions). It is safe for concurrent use.
type guard struct {
	password string
	now      func() time.Time
	log      *slog.Logger
	refused  prometheus.Counter // wrong passwords

	mu        sync.Mutex
	addresses map[string]*rate.Limiter
}

func newGuard(password string, now func() time.Time, log *slog.Logger, metrics prometheus.Registerer) *guard {
	g := &guard{password: password, now: now, log: log, addresses: map[string]*rate.Limiter{}}
	g.refused = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "missiond_operators_refused_total",
		Help: "Requests of the operators' pages with a wrong password.",
	})
	metrics.MustRegister(g.refused)
	return g
}

// admit reports whether a request has the password. If it hasn't, the response is
// written.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) bool {
	if g == nil || g.password == "" {
		return true
	}
	_, given, ok := r.BasicAuth()
	if !ok {
		g.ask(w, r)
		return false
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(g.password))
	if subtle.ConstantTimeCompare(a[:], b[:]) == 1 {
		return true
	}
	g.refused.Inc()
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	if !g.guesses(host).AllowN(g.now(), 1) {
		w.Header().Set("Retry-After", "1")
		web.Say(w, r, http.StatusTooManyRequests, web.Message{Title: "Too many wrong passwords", Text: "Try again in a second."})
		return false
	}
	g.log.Warn("operators' pages: a wrong password", "address", host, "path", r.URL.Path)
	g.ask(w, r)
	return false
}

func (g *guard) ask(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", `Basic realm="missiond operators", charset="UTF-8"`)
	web.Say(w, r, http.StatusUnauthorized, web.Message{
		Title: "A password is required", Text: "Load the page again, and enter the operators' password, with any name.",
	})
}

// guesses returns an address's guesses. Those of addresses that have all of theirs again
// are forgotten when there are too many, and all if that isn't enough.
func (g *guard) guesses(address string) *rate.Limiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l := g.addresses[address]; l != nil {
		return l
	}
	if len(g.addresses) >= guessAddresses {
		now := g.now()
		for a, l := range g.addresses {
			if l.TokensAt(now) >= guessBurst {
				delete(g.addresses, a)
			}
		}
		if len(g.addresses) >= guessAddresses {
			clear(g.addresses)
		}
	}
	l := rate.NewLimiter(rate.Every(guessEvery), guessBurst)
	g.addresses[address] = l
	return l
}

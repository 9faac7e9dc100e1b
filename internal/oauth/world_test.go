package oauth_test

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"missiond/internal/oauth"
	"missiond/internal/outbound"
	"missiond/internal/service/accounts"
	"missiond/internal/service/agents"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// No goroutine that a test starts may outlive it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	issuer   = "https://missions.example"
	resource = issuer + "/mcp"
	back     = "https://assistant.example/callback"
	verifier = "a-verifier-of-forty-three-characters-or-more-000"
)

var start = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

// ticking is a clock that a test moves.
type ticking struct {
	mu   sync.Mutex
	at   time.Time
	read func() // is called at each reading; may be nil
}

func (c *ticking) Now() time.Time {
	if c.read != nil {
		c.read()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *ticking) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// attempts allows as many attempts of a name as its rate says, for the length of a test.
type attempts map[string]int

func (a attempts) Take(_ context.Context, name string, rate mission.Rate) error {
	if a[name]++; a[name] > rate.Limit {
		return mission.RateLimited(time.Minute, "Too many attempts.")
	}
	return nil
}

// world is an authorization server with a tenant, whose person is signed in.
type world struct {
	*testing.T

	db       *store.DB
	clock    *ticking
	accounts *accounts.Service
	agents   *agents.Service
	server   http.Handler
	person   mission.Principal
	client   string
}

// each runs a test on both dialects.
func each(t *testing.T, change func(o *agents.Options), test func(w *world)) {
	t.Helper()
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) { test(newWorld(t, db, change)) })
}

// unhurried withdraws credentials at once: nothing is cached here.
type unhurried struct{}

func (unhurried) AwaitRevocation(context.Context) {}

func newWorld(t *testing.T, db *store.DB, change func(o *agents.Options)) *world {
	t.Helper()
	w := &world{T: t, db: db, clock: &ticking{at: start}}
	w.accounts = accounts.New(db, accounts.Options{Clock: w.clock, Real: w.clock, DisableCache: true})
	o := agents.Options{Clock: w.clock, Real: w.clock, Issuer: issuer, Callers: unhurried{}, Attempts: attempts{}, Documents: oauth.NewDocuments(outbound.Rules{}, outbound.Options{}, w.clock.Now)}
	if change != nil {
		change(&o)
	}
	w.agents = agents.New(db, o)
	mux := http.NewServeMux()
	oauth.New(oauth.Options{Agents: w.agents, Address: func(r *http.Request) string { return r.RemoteAddr }}).Handle(mux.Handle)
	w.server = mux
	w.person = w.newPerson("Acme")
	w.client = w.register(back)
	return w
}

// newPerson returns an admin of a new tenant, in a session.
func (w *world) newPerson(tenant string) mission.Principal {
	w.Helper()
	_, key, err := w.accounts.CreateTenant(w.Context(), accounts.NewTenant{Name: tenant, Plan: mission.PlanFree})
	w.must(err)
	p, err := w.accounts.Identify(w.Context(), key)
	w.must(err)
	p.KeyID, p.SessionID, p.Scopes = "", w.db.NewID(mission.PrefixSession, w.clock.Now()), mission.RoleAdmin.Scopes()
	return p
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) want(what string, got, want any) {
	w.Helper()
	if got != want {
		w.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// answer is a response of the server.
type answer struct {
	*httptest.ResponseRecorder

	body map[string]any // of JSON
}

func (a answer) text(name string) string { text, _ := a.body[name].(string); return text }

func (w *world) send(r *http.Request) answer {
	w.Helper()
	a := answer{ResponseRecorder: httptest.NewRecorder()}
	w.server.ServeHTTP(a.ResponseRecorder, r)
	if strings.HasPrefix(a.Header().Get("Content-Type"), "application/json") {
		w.must(json.Unmarshal(a.Body.Bytes(), &a.body))
	}
	return a
}

func (w *world) get(path string) answer {
	w.Helper()
	return w.send(httptest.NewRequestWithContext(w.Context(), http.MethodGet, path, nil))
}

func (w *world) post(path string, form url.Values) answer {
	w.Helper()
	r := httptest.NewRequestWithContext(w.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return w.send(r)
}

func (w *world) postJSON(path, body string) answer {
	w.Helper()
	return w.send(httptest.NewRequestWithContext(w.Context(), http.MethodPost, path, strings.NewReader(body)))
}

// register registers a client, and returns its id.
func (w *world) register(redirects ...string) string {
	w.Helper()
	body, err := json.Marshal(map[string]any{"client_name": "Assistant", "redirect_uris": redirects})
	w.must(err)
	a := w.postJSON(oauth.RegisterPath, string(body))
	w.want("registering", a.Code, http.StatusCreated)
	return a.text("client_id")
}

func challenge(of string) string {
	sum := sha256.Sum256([]byte(of))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// asking returns the parameters of a good request, changed.
func (w *world) asking(change ...string) url.Values {
	q := url.Values{
		"response_type": {"code"}, "client_id": {w.client}, "redirect_uri": {back}, "state": {"s1"}, "scope": {"content:read content:write"},
		"code_challenge": {challenge(verifier)}, "code_challenge_method": {"S256"}, "resource": {resource},
	}
	for i := 0; i+1 < len(change); i += 2 {
		if q.Set(change[i], change[i+1]); change[i+1] == "" {
			q.Del(change[i])
		}
	}
	return q
}

func (w *world) authorize(q url.Values) answer {
	w.Helper()
	return w.get(oauth.AuthorizePath + "?" + q.Encode())
}

// request returns the request of parameters, as the page of consent has it.
func request(q url.Values) mission.AgentRequest {
	return mission.AgentRequest{
		ClientID: q.Get("client_id"), RedirectURI: q.Get("redirect_uri"), ResponseType: q.Get("response_type"), Scope: q.Get("scope"), State: q.Get("state"),
		CodeChallenge: q.Get("code_challenge"), CodeChallengeMethod: q.Get("code_challenge_method"), Resource: q.Get("resource"),
	}
}

// consent lets the client act, and returns the agent with its code.
func (w *world) consent(change ...string) (mission.Agent, string) {
	w.Helper()
	a, address, err := w.agents.Allow(w.Context(), w.person, agents.Allowed{Request: request(w.asking(change...))})
	w.must(err)
	u, err := url.Parse(address)
	w.must(err)
	w.want("the issuer of the answer", u.Query().Get("iss"), issuer)
	w.want("the state of the answer", u.Query().Get("state"), "s1")
	return a, u.Query().Get("code")
}

// redeem exchanges a code, with changed parameters.
func (w *world) redeem(code string, change ...string) answer {
	w.Helper()
	q := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {w.client}, "code": {code}, "redirect_uri": {back}, "code_verifier": {verifier}, "resource": {resource},
	}
	for i := 0; i+1 < len(change); i += 2 {
		q.Set(change[i], change[i+1])
	}
	return w.post(oauth.TokenPath, q)
}

func (w *world) refresh(token string, change ...string) answer {
	w.Helper()
	q := url.Values{"grant_type": {"refresh_token"}, "client_id": {w.client}, "refresh_token": {token}}
	for i := 0; i+1 < len(change); i += 2 {
		q.Set(change[i], change[i+1])
	}
	return w.post(oauth.TokenPath, q)
}

// connect lets the client act, and returns its tokens.
func (w *world) connect() (a mission.Agent, access, refresh string) {
	w.Helper()
	a, code := w.consent()
	tokens := w.redeem(code)
	w.want("exchanging a code", tokens.Code, http.StatusOK)
	return a, tokens.text("access_token"), tokens.text("refresh_token")
}

// refused checks that an answer refuses with a code of OAuth's, and has no tokens.
func (w *world) refused(what string, a answer, code string) {
	w.Helper()
	if a.Code != http.StatusBadRequest || a.text("error") != code || a.text("access_token") != "" {
		w.Errorf("%s: got %d %s", what, a.Code, a.Body)
	}
	w.want(what+": Cache-Control", a.Header().Get("Cache-Control"), "no-store")
}

// works reports whether an access token is taken.
func (w *world) works(access string) bool {
	w.Helper()
	_, err := w.accounts.IdentifyAgent(w.Context(), access)
	if err != nil && mission.CodeOf(err) != mission.CodeUnauthorized {
		w.Fatal(err)
	}
	return err == nil
}

// documents serves a client's document over TLS on loopback, and returns its address.
func (w *world) documents(serve http.HandlerFunc) (address string, reader *oauth.Documents) {
	w.Helper()
	s := httptest.NewTLSServer(serve)
	w.Cleanup(s.Close)
	trusted := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	reader = oauth.NewDocuments(outbound.Rules{Local: true}, outbound.Options{TLS: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}, w.clock.Now)
	w.Cleanup(reader.Close)
	return s.URL + "/client.json", reader
}

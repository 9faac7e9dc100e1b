package app

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"

	"go.uber.org/goleak"

	"missiond/internal/clock"
	"missiond/internal/console"
	"missiond/internal/identity"
	"missiond/internal/oauth"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/linkcard"
	"missiond/internal/testkit/await"
	"missiond/internal/tracing"
	"missiond/internal/webhook"
	"missiond/internal/writer/llm"
	"missiond/mission"
)

// callLimit is the longest call of TestHostileReceivers at first; calls have no other end. On a
// busy machine one may be over before its receiver has read the request: then it is made
// again, with more time.
const callLimit = 150 * time.Millisecond

// hostile are receivers, by what they do once they have read a request's header.
var hostile = map[string]func(c net.Conn){
	"never answers": func(net.Conn) {},
	"101, held open": func(c net.Conn) {
		write(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
	},
	"101, then drips": func(c net.Conn) {
		write(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
		drip(c)
	},
	"100 without end": func(c net.Conn) { repeat(c, "HTTP/1.1 100 Continue\r\n\r\n") },
	"103 without end": func(c net.Conn) { repeat(c, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") },
	"drips 103": func(c net.Conn) {
		for write(c, "HTTP/1.1 103 Early Hints\r\n\r\n") {
			pause()
		}
	},
	"drips a header":         func(c net.Conn) { write(c, "HTTP/1.1 200 OK\r\nX: "); drip(c) },
	"headers without end":    func(c net.Conn) { write(c, "HTTP/1.1 200 OK\r\n"); repeat(c, "X: y\r\n") },
	"a line without end":     func(c net.Conn) { repeat(c, "HTTP") },
	"drips a body":           func(c net.Conn) { write(c, page+"\r\n"); drip(c) },
	"a body that stays open": func(c net.Conn) { write(c, page+"Content-Length: 5\r\n\r\n{") },
	"a body without end":     func(c net.Conn) { write(c, page+"\r\n"); repeat(c, strings.Repeat("a", 4096)) },
	"a very long body": func(c net.Conn) {
		write(c, page+"Content-Length: 99999999999\r\n\r\n")
		repeat(c, strings.Repeat("a", 4096))
	},
	"chunks without end":   func(c net.Conn) { write(c, page+"Transfer-Encoding: chunked\r\n\r\n"); repeat(c, "1\r\na\r\n") },
	"trailers without end": func(c net.Conn) { write(c, page+"Transfer-Encoding: chunked\r\n\r\n0\r\n"); repeat(c, "X: y\r\n") },
	"a body cut short":     func(c net.Conn) { write(c, page+"Content-Length: 100\r\n\r\nok"); _ = c.Close() },
	"resets after the header": func(c net.Conn) {
		write(c, page+"Content-Length: 100\r\n\r\nok")
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
	},
	"closes": func(c net.Conn) { _ = c.Close() },
}

const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

func write(c net.Conn, text string) bool {
	_, err := io.WriteString(c, text)
	return err == nil
}

func repeat(c net.Conn, text string) {
	for write(c, text) {
	}
}

func drip(c net.Conn) {
	for write(c, "a") {
		pause()
	}
}

func pause() { <-time.After(5 * time.Millisecond) }

// receiver is a hostile receiver.
type receiver struct {
	net.Listener

	end   func()
	conns sync.WaitGroup
	mu    sync.Mutex
	calls int
}

func newReceiver(t *testing.T, act func(c net.Conn)) *receiver {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ending, end := context.WithCancel(t.Context())
	r := &receiver{Listener: l, end: end}
	r.conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.conns.Go(func() { r.serve(ending, c, act) })
		}
	})
	return r
}

// serve acts once a request's header is read, and returns when the caller has closed the
// connection, or keeps it without having used it when ending is done.
func (r *receiver) serve(ending context.Context, c net.Conn, act func(c net.Conn)) {
	defer func() { _ = c.Close() }()
	// What was dialed for a call that was over by then is kept for the client's next one.
	unused := context.AfterFunc(ending, func() { _ = c.Close() })
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		if line == "\r\n" {
			break
		}
	}
	unused()
	r.mu.Lock()
	r.calls++
	r.mu.Unlock()
	var body sync.WaitGroup
	body.Go(func() { _, _ = io.Copy(io.Discard, in) })
	act(c)
	body.Wait()
}

// ended waits until every connection is closed, and returns how many requests came.
func (r *receiver) ended(t *testing.T) int {
	t.Helper()
	_ = r.Close()
	r.end()
	within(t, "the receiver's connections are closed", r.conns.Wait)
	return r.calls
}

func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(await.Long()):
		t.Fatalf("it never happened that %s", what)
	}
}

// calls are all kinds of HTTP calls of the program, with clients as the program makes
// them. Each calls a URL, and returns when the call is over.
var calls = map[string]func(t *testing.T, rules outbound.Rules, address string){
	"webhook": func(t *testing.T, rules outbound.Rules, address string) {
		c := webhook.NewClient(rules, time.Now)
		t.Cleanup(c.Close)
		c.Send(t.Context(), webhook.Message{URL: address, EventID: "evt_1", Body: []byte("{}"), Secrets: []string{"new", "old"}})
	},
	"mastodon": publishing(mission.Mastodon), "bluesky": publishing(mission.Bluesky), "x": publishing(mission.Twitter), "linkedin": publishing(mission.LinkedIn),
	"discord": publishing(mission.Discord), "telegram": publishing(mission.Telegram), "facebook": publishing(mission.Facebook),
	"mastodon's uploads": uploading(mission.Mastodon), "bluesky's uploads": uploading(mission.Bluesky), "x's uploads": uploading(mission.Twitter), "linkedin's uploads": uploading(mission.LinkedIn), "facebook's uploads": uploading(mission.Facebook),
	"x's tokens": renewing(mission.Twitter), "linkedin's tokens": renewing(mission.LinkedIn), "bluesky's session": renewing(mission.Bluesky),
	"mastodon's application": func(t *testing.T, rules outbound.Rules, address string) {
		if a, ok := adapter(t, rules, mission.Mastodon, address).(publisher.Authorizer); ok {
			_, _, _ = a.Authorize(t.Context(), mission.Grant{Server: address, State: "s", Verifier: "v", RedirectURL: "http://127.0.0.1/back"})
		}
	},
	"link card": func(t *testing.T, rules outbound.Rules, address string) {
		r := linkcard.NewReader(rules)
		t.Cleanup(r.Close)
		_, _ = r.Read(t.Context(), address)
	},
	"an agent's document": func(t *testing.T, rules outbound.Rules, address string) {
		d := oauth.NewDocuments(rules, outbound.Options{}, time.Now)
		t.Cleanup(d.Close)
		_, _ = d.Read(t.Context(), address)
	},
	"the provider's keys": func(t *testing.T, rules outbound.Rules, address string) {
		b := &Backend{}
		o := IdentityOptions{IDPIssuer: address, IDPAudience: []string{"us"}, IDPSessionClaim: "sid"}
		if _, _, err := o.open(b, rules, slog.New(slog.DiscardHandler)); err != nil {
			t.Error(err)
		}
		for _, done := range b.closers {
			_ = done()
		}
	},
	"the provider's logins": func(t *testing.T, rules outbound.Rules, address string) {
		c, err := identity.NewClerk(rules, address, "secret")
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = c.CheckLogin(t.Context(), identity.Login{SessionID: "sess_1", Subject: "user_1"})
	},
	"the console's discovery": func(t *testing.T, rules outbound.Rules, address string) { signIn(t, rules, address, address) },
	"the console's sign-in": func(t *testing.T, rules outbound.Rules, address string) {
		mux := http.NewServeMux()
		provider := httptest.NewServer(mux)
		t.Cleanup(provider.Close)
		mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": provider.URL, "authorization_endpoint": provider.URL + "/authorize", "token_endpoint": address})
		})
		signIn(t, rules, provider.URL, provider.URL+"/authorize")
	},
	"the language model": func(t *testing.T, rules outbound.Rules, address string) {
		w, err := llm.New(llm.Options{BaseURL: address, Model: "m", CallTimeout: rules.Longest, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = w.Write(t.Context(), mission.Assignment{Brief: mission.Brief{MissionName: "Spring", Description: "A sale.", Objectives: []string{"Sell"}}, Slot: mission.Slot{Platform: mission.Mastodon, Format: mission.FormatPost}})
	},
	"traces": func(t *testing.T, rules outbound.Rules, address string) {
		provider, err := tracing.Export(t.Context(), tracing.ExportOptions{Endpoint: address, Client: traceClient(rules)})
		if err != nil {
			t.Error(err)
			return
		}
		_, span := tracing.New(provider, false).Request(t.Context(), httptest.NewRequest(http.MethodGet, "/", nil))
		span.End()
		ctx, cancel := context.WithTimeout(context.Background(), 2*rules.Longest) // failed exports are tried again for a minute
		defer cancel()
		_ = provider.Shutdown(ctx)
	},
}

func adapter(t *testing.T, rules outbound.Rules, p mission.Platform, address string) publisher.Adapter {
	t.Helper()
	o := PlatformOptions{
		XURL: address, XAuthorizeURL: address, XClientID: "c", LinkedInURL: address, LinkedInAuthURL: address, LinkedInClientID: "c", LinkedInClientSecret: "s", LinkedInVersion: "202607",
		DiscordURL: address, TelegramURL: address, Meta: MetaOptions{FacebookURL: address},
	}
	adapters, done := o.adapters(rules, slog.New(slog.DiscardHandler))
	t.Cleanup(done)
	return adapters[p]
}

// publishing publishes a post on a platform.
func publishing(p mission.Platform) func(t *testing.T, rules outbound.Rules, address string) {
	return func(t *testing.T, rules outbound.Rules, address string) {
		c := mission.Credentials{Server: address, AccountID: "did:plc:abc", AccessToken: "1:token"}
		if p == mission.Discord {
			c.AccountID = mission.DiscordChannel + "1"
		}
		_, err := adapter(t, rules, p, address).Publish(t.Context(), c, mission.Part{Content: mission.Content{ID: "cnt_1", Platform: p}, Text: "A post", CalledAt: time.Now()})
		if err == nil {
			t.Error("it was published")
		}
	}
}

// uploading uploads a picture to a platform.
func uploading(p mission.Platform) func(t *testing.T, rules outbound.Rules, address string) {
	return func(t *testing.T, rules outbound.Rules, address string) {
		c := mission.Credentials{Server: address, AccountID: "did:plc:abc", AccessToken: "1:token"}
		if p == mission.Discord {
			c.AccountID = mission.DiscordChannel + "1"
		}
		f := mission.File{
			PostMedia: mission.PostMedia{Kind: mission.MediaImage, ContentType: mission.TypePNG, Bytes: 4},
			Open:      func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("four")), nil },
		}
		up, ok := adapter(t, rules, p, address).(publisher.Uploader)
		if !ok {
			t.Fatal("it takes no files")
		}
		if _, err := up.Upload(t.Context(), c, f, mission.Upload{}); err == nil {
			t.Error("it was uploaded")
		}
	}
}

// renewing renews credentials at a platform.
func renewing(p mission.Platform) func(t *testing.T, rules outbound.Rules, address string) {
	return func(t *testing.T, rules outbound.Rules, address string) {
		c := mission.Credentials{Server: address, AccountID: "did:plc:abc", AccessToken: "old", RefreshToken: "token", Identifier: "a.example", Password: "p"}
		if _, err := adapter(t, rules, p, address).Refresh(t.Context(), c); err == nil {
			t.Error("they were renewed")
		}
	}
}

// signIn signs in to the console at a provider, whose page of consent sends the browser
// back.
func signIn(t *testing.T, rules outbound.Rules, issuer, consent string) {
	mux := http.NewServeMux()
	site := httptest.NewTLSServer(mux)
	t.Cleanup(site.Close)
	p, err := ConsoleOptions{IDPClientID: "console", ConsoleURL: site.URL}.provider(&IdentityOptions{IDPIssuer: issuer}, rules)
	if err != nil {
		t.Error(err)
		return
	}
	s := &console.SignIn{Cookies: &console.Cookies{}, Provider: p, Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)}
	s.Handle(mux.Handle)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Error(err)
		return
	}
	browser := &http.Client{Jar: jar, Transport: site.Client().Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	visit := func(address string) *url.URL {
		resp, err := browser.Get(address)
		if err != nil {
			t.Error(err)
			return nil
		}
		_ = resp.Body.Close()
		to, _ := resp.Location()
		return to
	}
	if to := visit(site.URL + console.LoginPath); to != nil && strings.HasPrefix(to.String(), consent) {
		visit(site.URL + console.CallbackPath + "?code=abc&state=" + url.QueryEscape(to.Query().Get("state")))
	}
}

// Whatever a receiver does, a call of the program ends by its own limit, and nothing of
// it remains: neither a connection nor a goroutine.
func TestHostileReceivers(t *testing.T) {
	testkit.SkipIfShort(t)
	before := goleak.IgnoreCurrent()
	t.Run("calls", func(t *testing.T) {
		for name, call := range calls {
			for how, act := range hostile {
				t.Run(name+"/"+how, func(t *testing.T) {
					t.Parallel()
					for longest := callLimit; ; longest *= 4 {
						r := newReceiver(t, act)
						rules := outbound.Rules{Local: true, Longest: longest}
						within(t, "the call returned", func() { call(t, rules, "http://"+r.Addr().String()) })
						if r.ended(t) > 0 {
							break
						}
						if 16*longest > await.Long() {
							t.Fatal("it made no call")
						}
					}
				})
			}
		}
	})
	var left error // an exporter of traces ends its last try after its shutdown
	defer func() {
		if left != nil {
			t.Log(left)
		}
	}()
	within(t, "nothing remained", func() {
		for {
			if left = goleak.Find(before, goleak.IgnoreAnyFunction("net/http/httptest.(*Server).goServe.func1"), goleak.IgnoreAnyFunction("missiond/internal/app.within")); left == nil {
				return
			}
		}
	})
}

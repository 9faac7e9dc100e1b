package oauth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/oauth"
	"missiond/internal/outbound"
	"missiond/internal/service/agents"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

var clientAttacks = []attack{
	{"a client that redirects where nobody should be sent", func(w *world) {
		for _, uri := range []string{
			"", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "blob:https://a.example/1", "http://evil.example/callback",
			"http://127.0.0.1.evil.example/", "http://localhost@evil.example/", "https://", "/callback", "//evil.example/", back + "#f",
			"https://a.example\\@evil.example/", "https://a.example/ b", "https://münchen.example/", "https://a.example/" + strings.Repeat("a", 500),
		} {
			body, err := json.Marshal(map[string]any{"client_name": "Assistant", "redirect_uris": []string{back, uri}})
			w.must(err)
			a := w.postJSON(oauth.RegisterPath, string(body))
			if a.Code != http.StatusBadRequest || a.text("error") != "invalid_redirect_uri" {
				w.Errorf("%q: got %d %s", uri, a.Code, a.Body)
			}
		}
		for _, body := range []string{`{}`, `{"redirect_uris":[]}`} {
			w.refused(body, w.postJSON(oauth.RegisterPath, body), "invalid_redirect_uri")
		}
		for _, body := range []string{`[]`, `{"redirect_uris":"x"}`, `{`, `{"redirect_uris":["` + back + `"],"grant_types":["implicit"]}`, `{"redirect_uris":["` + back + `"],"response_types":["token"]}`} {
			w.refused(body, w.postJSON(oauth.RegisterPath, body), "invalid_client_metadata")
		}
	}},
	{"registrations without end", func(w *world) {
		for range 19 { // and the world's own
			w.register(back)
		}
		a := w.postJSON(oauth.RegisterPath, `{"redirect_uris":["`+back+`"]}`)
		w.want("the next from the address", a.Code, http.StatusTooManyRequests)
		w.want("its Retry-After", a.Header().Get("Retry-After"), "60")
		w.want("one that is too long", w.postJSON(oauth.RegisterPath, `{"client_name":"`+strings.Repeat("a", 20_000)+`"}`).Code, http.StatusRequestEntityTooLarge)
	}},
	{"a client that nobody lets act", func(w *world) {
		_, _, refresh := w.connect()
		unused := w.register(back)
		w.clock.pass(mission.UnusedClientLife)
		w.page("after an hour", w.authorize(w.asking("client_id", unused)), "can’t be connected")
		w.must(w.agents.DropOld(w.Context()))
		w.want("the one that somebody lets act", w.authorize(w.asking()).Code, http.StatusSeeOther)
		w.want("its refresh", w.refresh(refresh).Code, http.StatusOK)
	}},
	{"a name that deceives", func(w *world) {
		a := w.postJSON(oauth.RegisterPath, `{"client_name":"  Good\u202egnihton\n\u200b `+strings.Repeat("x", 200)+`","redirect_uris":["`+back+`"]}`)
		if name := a.text("client_name"); strings.ContainsAny(name, "\u202e\u200b\n") || len([]rune(name)) > mission.MaxClientName {
			w.Errorf("the name is %q", name)
		}
		w.want("without a name", w.postJSON(oauth.RegisterPath, `{"redirect_uris":["`+back+`"]}`).text("client_name"), "assistant.example")
	}},
	{"a redirect to another program of the computer", func(w *world) {
		id := w.register("http://127.0.0.1/callback", "http://[::1]:7/callback", "cursor://done")
		for uri, ok := range map[string]bool{
			"http://127.0.0.1/callback": true, "http://127.0.0.1:49152/callback": true, "http://[::1]:1/callback": true, "cursor://done": true,
			"http://localhost:49152/callback": false, "http://127.0.0.2:49152/callback": false, "http://127.0.0.1:49152/callback/more": false,
			"https://127.0.0.1:49152/callback": false, "http://127.0.0.1:49152/callback?more": false, "cursor://done:1": false, "cursor://other": false,
		} {
			a := w.authorize(w.asking("client_id", id, "redirect_uri", uri))
			if got := a.Code == http.StatusSeeOther; got != ok {
				w.Errorf("%s: %d", uri, a.Code)
			}
		}
	}},
	{"a secret of a client", func(w *world) {
		r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, oauth.TokenPath, strings.NewReader(""))
		w.must(err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth(w.client, "secret")
		w.want("the status", w.send(r).Code, http.StatusUnauthorized)
	}},
}

// There are so many clients that nobody uses, and no more, whoever registers them.
func TestRegistrationsInAll(t *testing.T) {
	t.Parallel()
	each(t, func(o *agents.Options) { o.Attempts, o.MaxUnused = nil, 3 }, func(w *world) {
		w.register(back)
		w.register(back)
		a := w.postJSON(oauth.RegisterPath, `{"redirect_uris":["`+back+`"]}`)
		w.want("the fourth", a.Code, http.StatusServiceUnavailable)
		w.consent()
		w.register(back) // one is used now
		w.clock.pass(mission.UnusedClientLife)
		w.must(w.agents.DropOld(w.Context()))
		w.register(back)
	})
}

// The oldest client that nobody uses makes room for one that registers, once people had time to let it act.
func TestRoomForClients(t *testing.T) {
	t.Parallel()
	each(t, func(o *agents.Options) { o.Attempts, o.MaxUnused = nil, 3 }, func(w *world) {
		known := func(id string) bool { return w.authorize(w.asking("client_id", id)).Code == http.StatusSeeOther }
		w.consent() // to the world's, which is stored from now on
		w.clock.pass(time.Minute)
		first := w.register(back)
		w.clock.pass(9 * time.Minute)
		second := w.register(back)
		w.register(back)
		a := w.postJSON(oauth.RegisterPath, `{"redirect_uris":["`+back+`"]}`)
		w.want("when the oldest is nine minutes old", a.Code, http.StatusServiceUnavailable)
		w.want("its Retry-After", a.Header().Get("Retry-After"), "600")
		w.clock.pass(time.Minute)
		w.register(back)
		w.want("the oldest is known", known(first), false)
		w.want("the next is known", known(second), true)
		w.want("the one that somebody lets act is known", known(w.client), true)
		w.want("the next", w.postJSON(oauth.RegisterPath, `{"redirect_uris":["`+back+`"]}`).Code, http.StatusServiceUnavailable)
	})
}

// A client that makes room while somebody lets it act gets no code: it has to register again.
func TestConsentToClientThatMadeRoom(t *testing.T) {
	t.Parallel()
	each(t, func(o *agents.Options) { o.Attempts, o.MaxUnused = nil, 1 }, func(w *world) {
		w.clock.pass(10 * time.Minute)
		reads := 0
		w.clock.read = func() {
			if reads++; reads == 2 { // the client was found
				w.register(back)
			}
		}
		_, _, err := w.agents.Allow(w.Context(), w.person, agents.Allowed{Request: request(w.asking())})
		var m *mission.Error
		if !errors.As(err, &m) || m.Code != mission.CodeInvalidRequest || m.Param != "request.client_id" {
			w.Errorf("got %v", err)
		}
	})
}

// A document that describes a client is read within bounds, and never from where only this server reaches.
func TestDocuments(t *testing.T) {
	t.Parallel()
	var reads atomic.Int64
	var address string
	good := func(id string) string {
		return `{"client_id":"` + id + `","client_name":"Described","redirect_uris":["` + back + `"],"unknown":[1]}`
	}
	cases := map[string]func(rw http.ResponseWriter){
		"good": func(rw http.ResponseWriter) { _, _ = fmt.Fprint(rw, good(address)) },
		"another's": func(rw http.ResponseWriter) {
			_, _ = fmt.Fprint(rw, good("https://other.example/client.json"))
		},
		"redirect to a private address": func(rw http.ResponseWriter) {
			rw.Header().Set("Location", "http://169.254.169.254/latest")
			rw.WriteHeader(http.StatusFound)
		},
		"missing": func(rw http.ResponseWriter) { rw.WriteHeader(http.StatusNotFound) },
		"no JSON": func(rw http.ResponseWriter) {
			rw.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(rw, good(address))
		},
		"broken":   func(rw http.ResponseWriter) { _, _ = fmt.Fprint(rw, `{"client_id":`) },
		"too long": func(rw http.ResponseWriter) { _, _ = fmt.Fprint(rw, good(address)+strings.Repeat(" ", 5<<10)) },
		"a secret": func(rw http.ResponseWriter) {
			_, _ = fmt.Fprint(rw, strings.Replace(good(address), "{", `{"client_secret":"s",`, 1))
		},
		"a method": func(rw http.ResponseWriter) {
			_, _ = fmt.Fprint(rw, strings.Replace(good(address), "{", `{"token_endpoint_auth_method":"client_secret_post",`, 1))
		},
		"no address": func(rw http.ResponseWriter) { _, _ = fmt.Fprint(rw, `{"client_id":"`+address+`"}`) },
		"javascript": func(rw http.ResponseWriter) {
			_, _ = fmt.Fprint(rw, strings.Replace(good(address), back, "javascript:alert(1)", 1))
		},
	}
	for name, serve := range cases {
		t.Run(name, func(t *testing.T) {
			w := &world{T: t, clock: &ticking{at: start}}
			reads.Store(0)
			var documents *oauth.Documents
			address, documents = w.documents(func(rw http.ResponseWriter, r *http.Request) {
				reads.Add(1)
				if r.URL.Path != "/client.json" {
					t.Errorf("it asks for %s", r.URL)
				}
				rw.Header().Set("Content-Type", "application/json")
				serve(rw)
			})
			for range 2 { // the second doesn't read
				c, err := documents.Client(t.Context(), address)
				if name == "good" {
					if err != nil || c.Name != "Described" || c.ID != address || !slices.Equal(c.RedirectURIs, []string{back}) || c.Described() != strings.TrimSuffix(strings.TrimPrefix(address, "https://"), "/client.json") {
						t.Errorf("got %+v, %v", c, err)
					}
					continue
				}
				var refused *mission.AgentRefusal
				if !errors.As(err, &refused) || refused.Code != mission.RefusedClient {
					t.Errorf("got %+v, %v", c, err)
				}
			}
			w.want("reads", reads.Load(), int64(1))
			w.clock.pass(time.Hour)
			_, _ = documents.Client(t.Context(), address)
			w.want("reads after an hour", reads.Load(), int64(2))
		})
	}
}

// Nothing is connected to for an address that can't be a client's, or isn't public.
func TestDocumentsOfPrivateAddresses(t *testing.T) {
	t.Parallel()
	w := &world{T: t, clock: &ticking{at: start}}
	address, local := w.documents(func(http.ResponseWriter, *http.Request) { t.Error("it was read") })
	production := oauth.NewDocuments(outbound.Rules{}, outbound.Options{}, w.clock.Now)
	defer production.Close()
	for _, of := range []string{
		address, "https://127.0.0.1/client.json", "https://[::1]/client.json", "https://169.254.169.254/client.json", "https://10.0.0.1/client.json",
		"https://localhost/client.json", "https://2130706433/client.json",
	} {
		if _, err := production.Client(t.Context(), of); err == nil {
			t.Errorf("%s is read", of)
		}
	}
	base := strings.TrimSuffix(address, "client.json")
	for _, of := range []string{
		strings.Replace(address, "https", "http", 1), strings.TrimSuffix(base, "/"), base, base + "../client.json", base + "./client.json", address + "?a", address + "#a",
		strings.Replace(address, "https://", "https://user@", 1), "https:client.json", base + "a b", base + "ü",
	} {
		if _, err := local.Client(t.Context(), of); err == nil {
			t.Errorf("%s is read", of)
		}
	}
}

// So many documents are stored and no more.
func TestDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	w := &world{T: t, clock: &ticking{at: start}}
	var reads atomic.Int64
	address, documents := w.documents(func(rw http.ResponseWriter, _ *http.Request) { reads.Add(1); rw.WriteHeader(http.StatusNotFound) })
	for i := range 1001 {
		_, _ = documents.Client(t.Context(), fmt.Sprintf("%s%d", address, i))
	}
	w.want("reads", reads.Load(), int64(1001))
	_, _ = documents.Client(t.Context(), address+"0")
	w.want("reads once it is forgotten", reads.Load(), int64(1002))
	_, _ = documents.Client(t.Context(), address+"1000")
	w.want("reads of one that is remembered", reads.Load(), int64(1002))
}

// A client that a document describes goes through the whole flow.
func TestDescribedClient(t *testing.T) {
	t.Parallel()
	testkit.EachDB(t, store.Options{}, func(t *testing.T, db *store.DB) {
		var address string
		var documents *oauth.Documents
		address, documents = (&world{T: t, clock: &ticking{at: start}}).documents(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(rw, `{"client_id":"`+address+`","client_name":"Described","redirect_uris":["`+back+`"]}`)
		})
		w := newWorld(t, db, func(o *agents.Options) { o.Documents = documents })
		w.client = address
		w.want("authorizing", w.authorize(w.asking()).Code, http.StatusSeeOther)
		asked, err := w.agents.Asked(w.Context(), w.person, request(w.asking()))
		w.must(err)
		w.want("who describes it", "https://"+asked.Client.Described()+"/client.json", address)
		_, access, refresh := w.connect()
		w.want("the token works", w.works(access), true)
		w.want("refreshing", w.refresh(refresh).Code, http.StatusOK)
	})
}

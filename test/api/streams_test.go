package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// subscription is an open subscription over either transport.
type subscription struct {
	t    testing.TB
	next chan map[string]any // messages, closed at the end
	err  map[string]any      // the final error, if any
	end  func()
}

// transports are the ways to subscribe.
var transports = map[string]func(s *harness, query string) *subscription{"socket": overSocket, "events": overEvents}

// take returns the field of the next message.
func (s *subscription) take(field string) map[string]any {
	s.t.Helper()
	select {
	case response, ok := <-s.next:
		if !ok {
			s.t.Fatalf("the subscription ended: %v", s.err)
		}
		data, _ := response["data"].(map[string]any)
		object, _ := data[field].(map[string]any)
		if object == nil {
			s.t.Fatalf("the subscription sent %v", response)
		}
		return object
	case <-time.After(await.Long()):
		s.t.Fatal("the subscription sends nothing")
	}
	return nil
}

// ended waits for the end and returns the error's code and param.
func (s *subscription) ended() (code, param string) {
	s.t.Helper()
	deadline := time.After(await.Long())
	for {
		select {
		case _, ok := <-s.next:
			if ok {
				continue
			}
		case <-deadline:
			s.t.Fatal("the subscription doesn't end")
		}
		extensions, _ := s.err["extensions"].(map[string]any)
		code, _ = extensions["code"].(string)
		param, _ = extensions["param"].(string)
		return code, param
	}
}

func firstError(v any) map[string]any {
	list, _ := v.([]any)
	if len(list) == 0 {
		return nil
	}
	e, _ := list[0].(map[string]any)
	return e
}

func overEvents(s *harness, query string) *subscription {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	text, err := json.Marshal(map[string]any{"query": query})
	s.must(err)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.server.URL+"/graphql", strings.NewReader(string(text)))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := s.server.Client().Do(req) //nolint:bodyclose // the reader closes it
	s.must(err)
	testkit.Cleanup(s.t, cancel)
	sub := &subscription{t: s.t, next: make(chan map[string]any), end: cancel}
	go func() {
		defer close(sub.next)
		defer func() { _ = resp.Body.Close() }()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var response map[string]any
			if json.Unmarshal([]byte(data), &response) != nil {
				return
			}
			if sub.err = firstError(response["errors"]); sub.err != nil {
				continue
			}
			sub.next <- response
		}
	}()
	return sub
}

// peer is a WebSocket client.
type peer struct {
	t    testing.TB
	conn *websocket.Conn
}

func (s *harness) dial() *peer { return s.dialWith(nil) }

// dialWith opens a socket with headers.
func (s *harness) dialWith(header http.Header) *peer {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Long())
	defer cancel()
	conn, _, err := websocket.Dial(ctx, s.server.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header}) //nolint:bodyclose // it has none
	s.must(err)
	testkit.Cleanup(s.t, func() { _ = conn.CloseNow() })
	return &peer{s.t, conn}
}

func (p *peer) send(text string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Long())
	defer cancel()
	if err := p.conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// receive returns the next message, or the code with which the socket was closed.
func (p *peer) receive() (m map[string]any, code websocket.StatusCode) {
	ctx, cancel := context.WithTimeout(context.Background(), await.Long())
	defer cancel()
	_, text, err := p.conn.Read(ctx)
	if err != nil {
		return nil, websocket.CloseStatus(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		p.t.Errorf("the socket sent %s", text)
	}
	return m, 0
}

func overSocket(s *harness, query string) *subscription {
	s.t.Helper()
	p := s.dial()
	p.send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.key))
	if m, _ := p.receive(); m["type"] != "connection_ack" {
		s.t.Fatalf("the socket sent %v", m)
	}
	text, err := json.Marshal(map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{"query": query}})
	s.must(err)
	p.send(string(text))
	sub := &subscription{t: s.t, next: make(chan map[string]any), end: func() { p.send(`{"id":"1","type":"complete"}`) }}
	go func() {
		defer close(sub.next)
		for {
			switch m, _ := p.receive(); m["type"] {
			case "next":
				sub.next <- m["payload"].(map[string]any)
			case "ping":
			case "error":
				sub.err = firstError(m["payload"])
				return
			default:
				return
			}
		}
	}()
	return sub
}

// Events arrive as they happen, in the order of the log; with after, preceded by
// those since then. Both transports send the same.
func TestEventSubscriptions(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		for name, subscribe := range transports {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				s := newHarness(t, open)
				rest := restAPI{s}
				all := subscribe(s, `subscription { events { id type mission { id name } } }`)
				started := subscribe(s, `subscription { events(types: [MISSION_STARTED, MISSION_PAUSED]) { id type data } }`)
				s.settled(2)
				id := s.make(rest, map[string]any{"start_immediately": true})
				other := s.make(rest, nil)
				s.want(rest.pause(id), "", "")
				var seen []string
				for _, want := range []string{"MISSION_CREATED " + id, "MISSION_STARTED " + id, "MISSION_CREATED " + other, "MISSION_PAUSED " + id} {
					e := all.take("events")
					if got := fmt.Sprint(e["type"], " ", at(e, "mission", "id")); got != want {
						t.Errorf("got %s, want %s", got, want)
					}
					seen = append(seen, e["id"].(string))
				}
				for i, want := range []int{1, 3} {
					if e := started.take("events"); e["id"] != seen[want] {
						t.Errorf("got %[2]v as event %[1]d of two types", i, e)
					}
				}
				all.end()
				s.want(rest.resume(id), "", "")
				again := subscribe(s, fmt.Sprintf(`subscription { events(missionId: %q, after: %q) { id type } }`, id, seen[1]))
				for _, want := range []string{"MISSION_PAUSED", "MISSION_RESUMED"} {
					if e := again.take("events"); e["type"] != want {
						t.Errorf("got %[2]v after %[1]s, want %[3]s", seen[1], e, want)
					}
				}
			})
		}
	}
}

// settled waits until n streams listen.
func (s *harness) settled(n int) {
	s.t.Helper()
	s.until(fmt.Sprintf("%d listeners", n), func() bool { return s.Feed.Listeners() == n })
}

// until waits for a condition.
func (s *harness) until(what string, done func() bool) {
	s.t.Helper()
	await.Until(s.t, what, done)
}

// A mission's status is sent at once, and again whenever it changes.
func TestStatusSubscriptions(t *testing.T) {
	t.Parallel()
	for name, subscribe := range transports {
		t.Run(name, func(t *testing.T) {
			s := newHarness(t, testkit.SQLite)
			rest := restAPI{s}
			id := s.make(rest, nil)
			query := fmt.Sprintf(`subscription { missionStatus(id: %q) { missionId status nextPublishAt content { generated }
				pipeline { jobId status currentStage progressPercent stages { name status progressPercent durationMs } } kpiProgress { metric trend } } }`, id)
			sub, second := subscribe(s, query), subscribe(s, query)
			for _, each := range []*subscription{sub, second} {
				v := each.take("missionStatus")
				if v["status"] != "DRAFT" || v["missionId"] != id || len(at(v, "pipeline", "stages").([]any)) != 6 {
					t.Errorf("at first got %v", v)
				}
			}
			s.want(rest.call("POST", "/missions/"+id+"/start", nil), "", "")
			for _, each := range []*subscription{sub, second} {
				if v := each.take("missionStatus"); v["status"] != "ACTIVE" || at(v, "pipeline", "jobId") == nil {
					t.Errorf("after the start got %v", v)
				}
			}
			s.want(rest.pause(id), "", "")
			if v := sub.take("missionStatus"); v["status"] != "PAUSED" {
				t.Errorf("after the pause got %v", v)
			}
			s.want(rest.call("DELETE", "/missions/"+id, nil), "", "")
			if code, _ := sub.ended(); code != "" {
				t.Errorf("when the mission is deleted the subscription ended with %s", code)
			}
		})
	}
}

// Invalid subscriptions are refused with an error that names the reason.
func TestRefusedSubscriptions(t *testing.T) {
	t.Parallel()
	for name, subscribe := range transports {
		t.Run(name, func(t *testing.T) {
			s := newHarness(t, testkit.SQLite)
			theirs := s.estate("theirs-too")
			admin, err := s.Accounts.Authenticate(context.Background(), s.keys["ours"])
			s.must(err)
			_, narrow, err := s.Accounts.CreateKey(context.Background(), admin, mission.KeyInput{Name: "n", Scopes: []mission.Scope{mission.ScopeContentRead}})
			s.must(err)
			foreign := func(prefix string) string {
				return theirs.ids[slices.IndexFunc(theirs.ids, func(id string) bool { return strings.HasPrefix(id, prefix) })]
			}
			for _, c := range []struct{ name, key, query, code, param string }{
				{"another tenant's mission", s.keys["ours"], fmt.Sprintf(`subscription { missionStatus(id: %q) { status } }`, foreign("msn_")), "not_found", ""},
				{"no mission", s.keys["ours"], `subscription { missionStatus(id: "x") { status } }`, "not_found", ""},
				{"another tenant's cursor", s.keys["ours"], fmt.Sprintf(`subscription { events(after: %q) { id } }`, foreign("evt_")), "invalid_request", "after"},
				{"no cursor", s.keys["ours"], `subscription { events(after: "x") { id } }`, "invalid_request", "after"},
				{"another tenant's notification", s.keys["ours"], fmt.Sprintf(`subscription { notifications(after: %q) { id } }`, foreign("ntf_")), "invalid_request", "after"},
				{"notifications without their scope", narrow, `subscription { notifications { id } }`, "forbidden", ""},
				{"a missing scope", narrow, `subscription { events { id } }`, "forbidden", ""},
				{"two fields", s.keys["ours"], `subscription { a: events { id } b: events { id } }`, "invalid_request", ""},
				{"no document", s.keys["ours"], `subscription {`, "invalid_request", ""},
			} {
				s.key = c.key
				if code, param := subscribe(s, c.query).ended(); code != c.code || param != c.param {
					t.Errorf("%s ended with %s %q, want %s %q", c.name, code, param, c.code, c.param)
				}
			}
			s.key = s.keys["ours"]
			_, plain := s.send("POST", "/graphql", map[string]any{"query": "subscription { events { id } }"})
			if e := firstError(plain["errors"]); at(e, "extensions", "code") != "invalid_request" {
				t.Errorf("over a plain POST: %v", plain)
			}
			foreignOnly := subscribe(s, fmt.Sprintf(`subscription { events(missionId: %q) { id } }`, foreign("msn_")))
			mine := subscribe(s, `subscription { events { id } }`)
			s.settled(2)
			s.key = theirs.key
			s.make(restAPI{s}, nil)
			s.key = s.keys["ours"]
			own := s.make(restAPI{s}, nil)
			if e := mine.take("events"); e["id"] == nil {
				t.Errorf("got %[2]v for the tenant's own %[1]s", own, e)
			}
			select {
			case e := <-foreignOnly.next:
				t.Errorf("got %v for another tenant's mission", e)
			default:
			}
		})
	}
}

// A socket follows graphql-transport-ws, and is closed with its codes.
func TestSocketProtocol(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	hello := fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.key)
	const listen = `{"id":"a","type":"subscribe","payload":{"query":"subscription { events { id } }"}}`
	for name, c := range map[string]struct {
		send []string
		code websocket.StatusCode
	}{
		"a subscription before the start":  {[]string{listen}, 4401},
		"a wrong key":                      {[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer sk_live_no"}}`}, 4403},
		"no key":                           {[]string{`{"type":"connection_init"}`}, 4403},
		"a payload that is none":           {[]string{`{"type":"connection_init","payload":[1]}`}, 4403},
		"two starts":                       {[]string{hello, hello}, 4429},
		"an id twice":                      {[]string{hello, listen, listen}, 4409},
		"no JSON":                          {[]string{hello, `{`}, 4400},
		"a message of another protocol":    {[]string{hello, `{"type":"start","id":"1"}`}, 4400},
		"a subscription without an id":     {[]string{hello, `{"type":"subscribe","payload":{"query":"{ viewer { authMethod } }"}}`}, 4400},
		"a subscription without a payload": {[]string{hello, `{"type":"subscribe","id":"1"}`}, 4400},
		"an id that is too long":           {[]string{hello, fmt.Sprintf(`{"type":"subscribe","id":%q,"payload":{}}`, strings.Repeat("x", 300))}, 4400},
		"a message that is too long":       {[]string{hello, `{"type":"ping","payload":"` + strings.Repeat("x", 100_000) + `"}`}, websocket.StatusMessageTooBig},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.dial()
			for _, text := range c.send {
				p.send(text)
			}
			var code websocket.StatusCode
			for m := (map[string]any{}); m != nil; {
				m, code = p.receive()
			}
			if code != c.code {
				t.Errorf("the socket was closed with %d, want %d", code, c.code)
			}
		})
	}
	t.Run("queries, mutations and pings", func(t *testing.T) {
		p := s.dial()
		p.send(`{"type":"ping","payload":{"n":1}}`)
		if m, _ := p.receive(); m["type"] != "pong" || at(m, "payload", "n") != 1.0 {
			t.Errorf("got %v for a ping", m)
		}
		p.send(hello)
		p.receive()
		p.send(`{"id":"q","type":"subscribe","payload":{"query":"query Q($n: Int) { missions(first: $n) { totalCount } }","variables":{"n":5}}}`)
		if m, _ := p.receive(); m["type"] != "next" || m["id"] != "q" || at(m, "payload", "data", "missions", "totalCount") != 0.0 {
			t.Errorf("got %v for a query", m)
		}
		if m, _ := p.receive(); m["type"] != "complete" || m["id"] != "q" {
			t.Errorf("got %v at the end of a query", m)
		}
		p.send(`{"id":"q","type":"subscribe","payload":{"query":"{ nothing }"}}`)
		if m, _ := p.receive(); m["type"] != "error" || at(firstError(m["payload"]), "extensions", "code") != "invalid_request" {
			t.Errorf("got %v for an invalid document", m)
		}
	})
	t.Run("another subprotocol", func(t *testing.T) {
		conn, _, err := websocket.Dial(t.Context(), s.server.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-ws"}}) //nolint:bodyclose // it has none
		s.must(err)
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 4406 {
			t.Errorf("the socket was closed with %v", err)
		}
	})
	t.Run("a header instead of a payload", func(t *testing.T) {
		dial := func(key string) (*websocket.Conn, *http.Response, error) {
			return websocket.Dial(t.Context(), s.server.URL+"/graphql", &websocket.DialOptions{
				Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + key}},
			})
		}
		conn, _, err := dial(s.key) //nolint:bodyclose // it has none
		s.must(err)
		p := &peer{t, conn}
		p.send(`{"type":"connection_init"}`)
		if m, _ := p.receive(); m["type"] != "connection_ack" {
			t.Errorf("got %v", m)
		}
		if _, resp, err := dial("sk_live_no"); err == nil || resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") == "" { //nolint:bodyclose // the library closed it
			t.Errorf("a wrong key returned %v", err)
		}
	})
	t.Run("queries by GET", func(t *testing.T) {
		for query, want := range map[string]struct {
			key, text string
			status    int
		}{
			"query={viewer{authMethod}}": {s.key, `"authMethod":"API_KEY"`, http.StatusOK},
			"query=query+Q($n:Int){missions(first:$n){totalCount}}&variables={%22n%22:1}": {s.key, `"totalCount":`, http.StatusOK},
			"query={viewer{authMethod}}&variables={":                                      {s.key, "variables must be JSON", http.StatusBadRequest},
			"query={":                                                                     {s.key, "invalid_request", http.StatusOK},
			"operationName=Q":                                                             {s.key, "The address must have a query", http.StatusBadRequest},
			"query=mutation{markNotificationsRead(ids:[]){notifications{id}}}": {s.key, "method_not_allowed", http.StatusMethodNotAllowed},
			"query=mutation{login(input:{clerkToken:%22x%22}){token}}":         {"", "unauthorized", http.StatusUnauthorized},
			"query={viewer{authMethod}}&x=":                                    {"sk_live_no", "unauthorized", http.StatusUnauthorized},
		} {
			r, err := http.NewRequest(http.MethodGet, s.server.URL+"/graphql?"+strings.ReplaceAll(query, `"`, "%22"), nil)
			s.must(err)
			if want.key != "" {
				r.Header.Set("Authorization", "Bearer "+want.key)
			}
			resp, err := s.server.Client().Do(r)
			s.must(err)
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode != want.status || !strings.Contains(string(text), want.text) {
				t.Errorf("%s: got %d %s", query, resp.StatusCode, text)
			}
			if want.status == http.StatusMethodNotAllowed && resp.Header.Get("Allow") != "POST" {
				t.Errorf("%s allows %q", query, resp.Header.Get("Allow"))
			}
		}
	})
}

// Each operation on a socket is a request of its caller: it is counted and limited
// by the plan.
func TestSocketsAreLimited(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	s.bound(testkit.MiniredisAt(t, scenarioStart))
	s.tenantOn(mission.PlanFree, mission.Limits{"requests": "5/h", "burst": "0"})
	p := s.dial()
	p.send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.key))
	p.receive()
	for i := range 7 {
		p.send(`{"id":"q","type":"subscribe","payload":{"query":"{ viewer { authMethod } }"}}`)
		m, _ := p.receive()
		if refused := m["type"] == "error"; refused != (i >= 5) {
			t.Errorf("operation %d got %v", i+1, m)
		} else if refused {
			if e := firstError(m["payload"]); at(e, "extensions", "code") != "rate_limit_exceeded" || at(e, "extensions", "retryAfter") == nil {
				t.Errorf("operation %d was refused with %v", i+1, e)
			}
			continue
		}
		p.receive() // its end
	}
	s.must(s.Accounts.FlushUsage(context.Background()))
	admin, err := s.Accounts.Identify(context.Background(), s.key)
	s.must(err)
	usage, err := s.Accounts.Usage(context.Background(), admin)
	s.must(err)
	if usage.Requests != 8 {
		t.Errorf("a socket and seven operations counted as %d requests", usage.Requests)
	}
}

// A stream ends with its credential, and with its process.
func TestStreamsEnd(t *testing.T) {
	testkit.SkipIfShort(t)
	for name, subscribe := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, testkit.SQLite)
			admin, err := s.Accounts.Authenticate(context.Background(), s.key)
			s.must(err)
			k, key, err := s.Accounts.CreateKey(context.Background(), admin, mission.KeyInput{Name: "k", Scopes: []mission.Scope{mission.ScopeMissionsRead}})
			s.must(err)
			stays := subscribe(s, `subscription { events { type } }`)
			s.key = key
			goes := subscribe(s, `subscription { events { type } }`)
			s.settled(2)
			_, _, err = s.Accounts.RevokeKey(context.Background(), admin, k.ID)
			s.must(err)
			if code, _ := goes.ended(); name == "events" && code != "unauthorized" {
				t.Errorf("the stream ended with %q", code)
			}
			s.settled(1)
			s.key = s.keys["ours"]
			s.make(restAPI{s}, nil)
			if e := stays.take("events"); e["type"] != "MISSION_CREATED" {
				t.Errorf("another credential's stream got %v", e)
			}
			s.Graph.Close()
			stays.ended()
			s.settled(0)
		})
	}
}

// A client that doesn't read loses its stream; in the meantime others get every
// event.
func TestPeersThatDoNotReadAreDropped(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	rest := restAPI{s}
	s.make(rest, nil)
	first := graphAPI{s}.query(`{ events(last: 1) { edges { node { id } } } }`)
	after := at(at(first, "events", "edges").([]any)[0].(map[string]any), "node", "id").(string)
	const missions = 300 // of 10 KB each: more than a connection's buffers hold
	for range missions {
		s.make(rest, map[string]any{"description": strings.Repeat("x", 10_000), "start_immediately": true})
	}
	query := fmt.Sprintf(`subscription { events(after: %q) { id mission { description } } }`, after)
	narrow := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(4 << 10)
		}
		return conn, err
	}}}
	text, err := json.Marshal(map[string]any{"query": query})
	s.must(err)
	req, err := http.NewRequest(http.MethodPost, s.server.URL+"/graphql", strings.NewReader(string(text)))
	s.must(err)
	req.Header = http.Header{"Authorization": {"Bearer " + s.key}, "Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	resp, err := narrow.Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	conn, _, err := websocket.Dial(t.Context(), s.server.URL+"/graphql", &websocket.DialOptions{HTTPClient: narrow, Subprotocols: []string{"graphql-transport-ws"}}) //nolint:bodyclose // it has none
	s.must(err)
	defer func() { _ = conn.CloseNow() }()
	deaf := &peer{t, conn}
	deaf.send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.key))
	deaf.send(fmt.Sprintf(`{"id":"1","type":"subscribe","payload":%s}`, text))
	s.settled(2)
	reads := overEvents(s, query)
	for i := range 2 * missions {
		if e := reads.take("events"); len(at(e, "mission", "description").(string)) != 10_000 {
			t.Fatalf("got event %d %.100v", i, e)
		}
	}
	s.settled(1) // those of the clients that don't read are closed
	s.make(rest, nil)
	reads.take("events")
}

// A key's rights on a socket end with the key: the first operation after its
// revocation is refused, as a request is, and changes nothing.
func TestRevokedKeysChangeNothingOnSockets(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			for name, operation := range map[string]string{
				"a mutation": `mutation { createMission(input: {name: \"late\", objectives: [\"x\"], platforms: [TWITTER], durationDays: 1}) { mission { id } } }`,
				"a query":    `{ missions { totalCount } }`, "a subscription": `subscription { events { id } }`,
			} {
				s := newHarness(t, open)
				status, made := s.send("POST", "/v1/auth/keys", map[string]any{"name": "short-lived"})
				if status != http.StatusCreated {
					t.Fatalf("creating the key returned %d %v", status, made)
				}
				p := s.dial()
				p.send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, made["key"]))
				if m, _ := p.receive(); m["type"] != "connection_ack" {
					t.Fatalf("the socket sent %v", m)
				}
				p.send(`{"id":"1","type":"subscribe","payload":{"query":"{ missions { totalCount } }"}}`)
				for _, want := range []string{"next", "complete"} {
					if m, code := p.receive(); m["type"] != want {
						t.Fatalf("before its revocation the key got %v, %d", m, code)
					}
				}
				if status, _ := s.send("DELETE", "/v1/auth/keys/"+made["id"].(string), nil); status != http.StatusOK {
					t.Fatalf("the revocation returned %d", status)
				}
				p.send(`{"id":"2","type":"subscribe","payload":{"query":"` + operation + `"}}`)
				for code := websocket.StatusCode(0); code == 0; {
					var m map[string]any
					if m, code = p.receive(); m["type"] == "next" {
						t.Errorf("%s of a revoked key got %v", name, m)
					}
					if code != 0 && code != 4403 {
						t.Errorf("the socket was closed with %d", code)
					}
				}
				if _, list := s.send("GET", "/v1/missions", nil); list["total"] != 0.0 {
					t.Errorf("%s of a revoked key created a mission", name)
				}
			}
		})
	}
}

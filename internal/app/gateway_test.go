package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"missiond/graph/stream"
	"missiond/internal/admission"
	"missiond/internal/clock"
	"missiond/internal/gateway"
	"missiond/internal/identity"
	"missiond/internal/mcpserver"
	"missiond/internal/ratelimit"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// step is what goes wrong with a call on its way.
type step string

// The steps, in their order. A caller who is refused is told so once the call was charged, to
// the address.
const (
	stepLookup    step = "the credential can't be looked up"
	stepCharge    step = "too many calls"
	stepCaller    step = "a wrong credential"
	stepRead      step = "a malformed call"
	stepAdmit     step = "a process without a free slot"
	stepOnce      step = "a malformed Idempotency-Key"
	stepOperation step = "a missing scope"
)

// codes are those that the steps fail with.
var codes = map[step]mission.Code{
	stepLookup: mission.CodeServiceUnavailable, stepCharge: mission.CodeRateLimitExceeded, stepCaller: mission.CodeUnauthorized,
	stepRead: mission.CodeInvalidRequest, stepAdmit: mission.CodeServiceUnavailable, stepOnce: mission.CodeInvalidRequest, stepOperation: mission.CodeForbidden,
}

// trial is a gateway whose steps fail as told, for the calls of one test.
type trial struct {
	mu    sync.Mutex
	fails map[step]bool
	taken int // from the limits of requests
}

func (tr *trial) is(s step) bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.fails[s]
}

// key returns a malformed Idempotency-Key if a step fails, or none.
func (tr *trial) key(s step) string {
	if tr.is(s) {
		return "a key with spaces"
	}
	return ""
}

// credential has the form of a key.
var credential = identity.NewKey()

// Authenticate knows one caller, who may read analytics alone.
func (tr *trial) Authenticate(context.Context, string) (mission.Principal, error) {
	switch {
	case tr.is(stepLookup):
		return mission.Principal{}, mission.TookTooLong()
	case tr.is(stepCaller):
		return mission.Principal{}, mission.Unauthorized()
	}
	return mission.Principal{TenantID: "tnt_1", KeyID: "key_1", Scopes: []mission.Scope{mission.ScopeAnalyticsRead}}, nil
}

// Take counts what is taken of requests.
func (tr *trial) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, b := range buckets {
		verdicts[i].OK = b.Take <= 0 || !tr.is(stepCharge)
		tr.mu.Lock()
		if !strings.Contains(b.Key, ":missions.create") {
			tr.taken += b.Take
		}
		tr.mu.Unlock()
	}
	return verdicts
}

// transports send a call to an operation that the caller lacks the scope of, and return the
// code of its answer.
var transports = map[string]struct {
	steps []step
	send  func(t *testing.T, url string, tr *trial) mission.Code
}{
	"REST": {
		[]step{stepLookup, stepCharge, stepCaller, stepRead, stepAdmit, stepOnce, stepOperation},
		func(t *testing.T, url string, tr *trial) mission.Code {
			url += "/v1/missions"
			if tr.is(stepRead) {
				url += "?unknown=1"
			}
			return codeIn(t, posted(t, url, "", tr.key(stepOnce), `{"name": "x", "objectives": ["y"], "platforms": ["twitter"]}`))
		},
	},
	"GraphQL": {
		[]step{stepLookup, stepCharge, stepCaller, stepRead, stepAdmit, stepOnce, stepOperation},
		func(t *testing.T, url string, tr *trial) mission.Code {
			return codeIn(t, posted(t, url+"/graphql", "", tr.key(stepOnce), document(tr)))
		},
	},
	"events": {
		[]step{stepLookup, stepCharge, stepCaller, stepRead, stepAdmit, stepOperation},
		func(t *testing.T, url string, tr *trial) mission.Code {
			return codeIn(t, posted(t, url+"/graphql", stream.ContentType, tr.key(stepOnce), document(tr)))
		},
	},
	"MCP": {
		[]step{stepLookup, stepCharge, stepCaller, stepRead, stepAdmit, stepOperation},
		func(t *testing.T, url string, tr *trial) mission.Code {
			// A key of idempotency is a tool's argument here: the header is what makes the call malformed.
			answer := posted(t, url+mcpserver.Path, "", tr.key(stepRead), `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "mission_pause", "arguments": {"mission_id": "msn_1"}}}`)
			_, data, _ := bytes.Cut(answer, []byte(`"data":`)) // behind JSON-RPC's own code
			return codeIn(t, data)
		},
	},
	"a socket": {[]step{stepLookup, stepCharge, stepRead, stepAdmit, stepOperation}, overSocket},
}

// document returns a GraphQL request, which is malformed if it is to be.
func document(tr *trial) string {
	if tr.is(stepRead) {
		return "{\"query\": \"{ \xff }\"}"
	}
	return `{"query": "mutation { pauseMission(id: \"msn_1\") { mission { id } } }"}`
}

// posted posts a body and returns the response's.
func posted(t *testing.T, url, accept, key, body string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+credential)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// overSocket sends a call over a socket that was opened before anything failed.
func overSocket(t *testing.T, url string, tr *trial) mission.Code {
	t.Helper()
	tr.mu.Lock()
	fails := tr.fails
	tr.fails = nil
	tr.mu.Unlock()
	conn, _, err := websocket.Dial(t.Context(), url+"/graphql", &websocket.DialOptions{Subprotocols: []string{stream.SocketProtocol}}) //nolint:bodyclose // it has none
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	exchange := func(message string) []byte {
		t.Helper()
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
		_, text, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	exchange(`{"type": "connection_init", "payload": {"Authorization": "Bearer ` + credential + `"}}`)
	tr.mu.Lock()
	tr.fails, tr.taken = fails, 0
	tr.mu.Unlock()
	query := `mutation { pauseMission(id: \"msn_1\") { mission { id } } }`
	if tr.is(stepRead) {
		query = "{ nothing }"
	}
	return codeIn(t, exchange(`{"type": "subscribe", "id": "1", "payload": {"query": "`+query+`"}}`))
}

// codeIn returns the first code in an answer.
func codeIn(t *testing.T, answer []byte) mission.Code {
	t.Helper()
	_, rest, found := bytes.Cut(answer, []byte(`"code":`))
	var code mission.Code
	if !found || json.NewDecoder(bytes.NewReader(rest)).Decode(&code) != nil {
		t.Fatalf("there is no code in %s", answer)
	}
	return code
}

// Whatever carries a call, it fails for the first step that it fails, whatever else is wrong
// with it, and only a call that was admitted, or was its sender's mistake, is charged.
func TestOrderOfSteps(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := &trial{}
			a := New(Config{
				Backend: &Backend{DB: testkit.SQLite(t, store.Options{}), Clock: clock.Real()},
				Auth:    tr, Limits: gateway.NewLimits(gateway.LimitsOptions{Limiter: tr, Now: time.Now}),
			})
			t.Cleanup(func() { _ = a.Close() })
			mux := http.NewServeMux()
			a.handleREST(mux)
			mux.Handle("/graphql", a.Graph)
			mux.HandleFunc(mcpserver.Path, func(w http.ResponseWriter, r *http.Request) {
				own := http.NewServeMux() // of this request: the tools have a copy of the gateway, whose gate is replaced below
				a.handleMCP(own)
				own.ServeHTTP(w, r)
			})
			server := httptest.NewServer(mux)
			t.Cleanup(server.Close)
			for i, first := range transport.steps {
				// All that come after it fail too, and then none does.
				for _, others := range [][]step{transport.steps[i+1:], nil} {
					fails := map[step]bool{first: true}
					for _, s := range others {
						fails[s] = true
					}
					a.gateway.Gate = admission.New(1)
					if fails[stepAdmit] {
						if _, _, err := a.gateway.Gate.Enter(t.Context(), "tnt_1"); err != nil {
							t.Fatal(err)
						}
					}
					tr.mu.Lock()
					tr.fails, tr.taken = fails, 0
					tr.mu.Unlock()
					if got := transport.send(t, server.URL, tr); got != codes[first] {
						t.Errorf("%s: the answer is %s, want %s", describe(first, others), got, codes[first])
					}
					want := 1
					if first == stepLookup || first == stepAdmit {
						want = 0
					}
					if tr.taken != want {
						t.Errorf("%s: the call was charged %d times, want %d", describe(first, others), tr.taken, want)
					}
				}
			}
		})
	}
}

func describe(first step, others []step) string {
	return fmt.Sprintf("%s, and %d steps more", first, len(others))
}

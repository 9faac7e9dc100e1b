package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"

	"missiond/graph/exec"
	"missiond/graph/stream"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// named is a request's extensions that name a document.
func named(hash string) map[string]any {
	return map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hash}}
}

func TestPersistedDocuments(t *testing.T) {
	const text = "query Name { __typename }"
	with := openAPI(map[string]string{"abc": text, "deep": strings.Repeat("{a", 13) + strings.Repeat("}", 13)})
	without := openAPI(nil)
	none := openAPI(map[string]string{})
	sum := sha256.Sum256([]byte(text))
	for name, tt := range map[string]struct {
		h       http.Handler
		members map[string]any
		refusal string
	}{
		"a document by its name":       {with, map[string]any{"extensions": named("abc")}, ""},
		"a document by its text":       {with, map[string]any{"query": text}, ""},
		"by both":                      {with, map[string]any{"query": text, "extensions": named("abc")}, ""},
		"by two that differ":           {with, map[string]any{"query": "{ __typename }", "extensions": named("abc")}, "The query differs from the persisted document with that sha256Hash."},
		"another name":                 {with, map[string]any{"extensions": named("abd")}, "There is no persisted document with that sha256Hash."},
		"another text":                 {with, map[string]any{"query": text + " "}, "Only persisted documents are allowed."},
		"nothing":                      {with, map[string]any{"query": ""}, "Only persisted documents are allowed."},
		"an introspection":             {with, map[string]any{"query": "{ __schema { types { name } } }"}, "Only persisted documents are allowed."},
		"any, where there are none":    {none, map[string]any{"query": text}, "Only persisted documents are allowed."},
		"a name without a version":     {with, map[string]any{"extensions": map[string]any{"persistedQuery": map[string]any{"sha256Hash": "abc"}}}, "persistedQuery must have version 1 and a sha256Hash."},
		"a name of another version":    {with, map[string]any{"extensions": map[string]any{"persistedQuery": map[string]any{"sha256Hash": "abc", "version": 2}}}, "persistedQuery must have version 1 and a sha256Hash."},
		"no name":                      {with, map[string]any{"extensions": map[string]any{"persistedQuery": nil}}, "persistedQuery must have version 1 and a sha256Hash."},
		"a document that goes too far": {with, map[string]any{"extensions": named("deep")}, "The document is 13 levels deep; 12 are allowed."},
		"off: a name":                  {without, map[string]any{"extensions": named("abc")}, "PersistedQueryNotSupported"},
		"off: a name and a text":       {without, map[string]any{"query": text, "extensions": named(hex.EncodeToString(sum[:]))}, ""},
		"off: another text's name":     {without, map[string]any{"query": text + " ", "extensions": named(hex.EncodeToString(sum[:]))}, "The sha256Hash isn't the query's."},
		"off: a broken name":           {without, map[string]any{"query": text, "extensions": map[string]any{"persistedQuery": 1}}, "persistedQuery must have version 1 and a sha256Hash."},
		"off: a text":                  {without, map[string]any{"query": text}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := ask(t, tt.h, tt.members)
			code := mission.CodeInvalidRequest
			if tt.refusal == errNotSupported.Message {
				code = errNotSupported.Code
			}
			if tt.refusal == "" && len(a.Errors) > 0 || tt.refusal != "" && !a.refusedAs(code, tt.refusal) {
				t.Errorf("got %+v", a)
			}
			// A client knows by the param alone that the service doesn't have its document.
			if unknown := strings.HasPrefix(tt.refusal, "There is no persisted document") || tt.refusal == errNotSupported.Message; unknown != (len(a.Errors) > 0 && a.Errors[0].Extensions.Param == "extensions.persistedQuery") {
				t.Errorf("the param is that of an unknown document: %t; got %+v", !unknown, a)
			}
		})
	}
}

// A session may be opened by a document's name too, as it has no credential yet.
func TestPersistedLogin(t *testing.T) {
	h := openAPI(map[string]string{"login": "mutation { login { token } }", "other": "{ __typename }"})
	for hash, want := range map[string]int{"login": http.StatusOK, "other": http.StatusUnauthorized, "none": http.StatusUnauthorized} {
		body, err := json.Marshal(map[string]any{"extensions": named(hash)})
		if err != nil {
			t.Fatal(err)
		}
		r, w := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body)), httptest.NewRecorder()
		r.Header.Set("Content-Type", "application/json")
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: got %d %s, want %d", hash, w.Code, w.Body, want)
		}
	}
}

func TestReadDocuments(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "{ __typename }", "b": "query($n: Int) { missions(first: $n) { totalCount } }"}`: "",
		`{}`:                                     "",
		`null`:                                   "the file is not a JSON object of texts: null",
		`["{ __typename }"]`:                     "the file is not a JSON object of texts: ",
		`{"a": 1}`:                               "the file is not a JSON object of texts: ",
		`{"a": "{ __typename }"`:                 "the file is not a JSON object of texts: ",
		`{"good": "{ __typename }", "bad": "{"}`: `document "bad": `,
		`{"good": "{ __typename }", "bad": ""}`:  `document "bad": `,
		`{"good": "{ __typename }", "bad": "{ nope }"}`:                         `document "bad": input:1:3: Cannot query field "nope" on type "Query".`,
		`{"bad": "` + strings.Repeat("{a", 13) + strings.Repeat("}", 13) + `"}`: `document "bad": invalid_request: The document is 13 levels deep; 12 are allowed.`,
		`"` + strings.Repeat("a", maxDocuments) + `"`:                           "the file is larger than 10 MiB",
	} {
		documents, err := ReadDocuments(strings.NewReader(text))
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) || (documents == nil) != (err != nil) {
			t.Errorf("%.80s: got %v, %v, want %q", text, documents, err, want)
		}
	}
}

// What an operation costs stands beside its data; beyond its caller's plan it is
// refused.
func TestCostOfOperations(t *testing.T) {
	h := openAPI(nil)
	for query, want := range map[string]int{"{ __typename }": 0, "{ missions(first: 7) { totalCount } }": 7, "{ __schema { queryType { name } } }": 0} {
		a := ask(t, h, map[string]any{"query": query})
		if a.Extensions.Cost == nil || *a.Extensions.Cost != (cost{Requested: want, Limit: 5000}) {
			t.Errorf("%s costs %v, want %d", query, a.Extensions.Cost, want)
		}
	}
	const page = "query($n: Int) { missions(first: $n) { edges { node { contents(first: 24) { edges { node { id } } } } } } }"
	at := ask(t, h, map[string]any{"query": page, "variables": map[string]any{"n": 100}})
	if at.Extensions.Cost == nil || at.Extensions.Cost.Requested != 5000 {
		t.Errorf("at the limit: got %+v", at)
	}
	a := ask(t, h, map[string]any{"query": strings.Replace(page, "24", "25", 1), "variables": map[string]any{"n": 100}})
	if !a.refused("The operation costs 5200; 5000 are allowed.") || a.Extensions.Cost != nil {
		t.Errorf("beyond the limit: got %+v", a)
	}
}

// The limits hold on every transport.
func TestEveryTransportIsLimited(t *testing.T) {
	api := openAPI(nil)
	mux := http.NewServeMux()
	mux.Handle("POST /graphql", api)
	mux.HandleFunc("GET /graphql", api.ServeHTTP)
	server := httptest.NewServer(mux)
	defer server.Close()
	for query, want := range map[string]string{
		nestedFields(13): "The document is 13 levels deep; 12 are allowed.",
		"{ missions(first: 100) { edges { node { contents(first: 100) { edges { node { id } } } } } } }": "The operation costs 20200; 5000 are allowed.",
		"{ missions(first: 3) { totalCount } }":                                                          `"cost":{"requested":3,"limit":5000}`,
	} {
		body, err := json.Marshal(map[string]any{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		for name, send := range map[string]func(context.Context, testing.TB, string, []byte) string{"events": sendForEvents, "a socket": sendBySocket} {
			if got := send(t.Context(), t, server.URL+"/graphql", body); !strings.Contains(got, want) {
				t.Errorf("%s: %s: got %s", name, query, got)
			}
		}
	}
}

func nestedFields(levels int) string {
	return strings.Repeat("{a", levels) + strings.Repeat("}", levels)
}

// sendForEvents returns the response to a request as events.
func sendForEvents(ctx context.Context, tb testing.TB, url string, body []byte) string {
	tb.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer key")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", stream.ContentType)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(bufio.NewReader(answer.Body))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// sendBySocket returns the first message of a subscription.
func sendBySocket(ctx context.Context, tb testing.TB, url string, body []byte) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(ctx, await.Long())
	defer cancel()
	conn, answer, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{stream.SocketProtocol}, HTTPHeader: http.Header{"Authorization": {"Bearer key"}}})
	if err != nil {
		tb.Fatal(err)
	}
	defer func() {
		_ = conn.CloseNow()
		if answer.Body != nil {
			_ = answer.Body.Close()
		}
	}()
	for _, m := range []string{`{"type":"connection_init"}`, `{"type":"subscribe","id":"1","payload":` + string(body) + `}`} {
		if err := conn.Write(ctx, websocket.MessageText, []byte(m)); err != nil {
			tb.Fatal(err)
		}
	}
	var text []byte
	for range 2 { // connection_ack comes first
		if _, text, err = conn.Read(ctx); err != nil {
			tb.Fatal(err)
		}
	}
	return string(text)
}

// A document is parsed and checked once, and then found in the cache.
func TestDocumentsAreCached(t *testing.T) {
	kept := newDocumentCache()
	schema := exec.NewExecutableSchema(exec.Config{})
	e := executor.New(schema)
	admitted := documents{schema: schema.Schema(), cache: kept, allowed: newAllowList(nil, nil)}
	e.Use(admitted)
	e.SetQueryCache(admitted)
	var first *ast.QueryDocument
	for i := range 3 {
		op, errs := e.CreateOperationContext(graphql.StartOperationTrace(context.Background()), &graphql.RawParams{Query: "{ __typename }"})
		if errs != nil {
			t.Fatal(errs)
		}
		if first == nil {
			first = op.Doc
		}
		if op.Doc != first || len(kept.byText) != 1 {
			t.Errorf("request %d: %d documents kept", i, len(kept.byText))
		}
	}
	_, errs := e.CreateOperationContext(graphql.StartOperationTrace(context.Background()), &graphql.RawParams{Query: nestedFields(13)})
	if len(errs) != 1 || mission.CodeOf(errs[0].Err) != mission.CodeInvalidRequest || len(kept.byText) != 1 {
		t.Errorf("got %v, with %d documents kept", errs, len(kept.byText))
	}
}

package endpoint

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/ratelimit"
	"missiond/mission"
)

// anybody lets one key in.
type anybody struct{}

func (anybody) Authenticate(_ context.Context, credential string) (mission.Principal, error) {
	if credential != "key" {
		return mission.Principal{}, mission.Unauthorized()
	}
	return mission.Principal{TenantID: "tnt_1", Scopes: []mission.Scope{mission.ScopeAnalyticsRead}}, nil
}

// boundless lets everything pass.
type boundless struct{}

func (boundless) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i := range verdicts {
		verdicts[i].OK = true
	}
	return verdicts
}

// An error before any resolver has GraphQL's form: with 200 where it
// is GraphQL's own, with a status where the request isn't one.
func TestBeforeTheResolvers(t *testing.T) {
	h := newAPI(Options{})
	post := func(body string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer key")
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
		return r
	}
	nobody := func(r *http.Request) { r.Header.Del("Authorization") }
	for name, tt := range map[string]struct {
		body   string
		change func(r *http.Request)
		status int
		code   mission.Code
	}{
		"no credential":        {`{`, nobody, 401, mission.CodeUnauthorized},
		"another credential":   {`{`, func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }, 401, mission.CodeUnauthorized},
		"login, batched":       {`{"query":"mutation { login(input: {clerkToken: \"x\"}) { token } logout { success } }"}`, nobody, 401, mission.CodeUnauthorized},
		"login twice":          {`{"query":"mutation { a: login(input: {clerkToken: \"x\"}) { token } b: login(input: {clerkToken: \"y\"}) { token } }"}`, nobody, 401, mission.CodeUnauthorized},
		"login, in a fragment": {`{"query":"mutation { ...f } fragment f on Mutation { login(input: {clerkToken: \"x\"}) { token } }"}`, nobody, 401, mission.CodeUnauthorized},
		"login and a query":    {`{"query":"mutation a { login(input: {clerkToken: \"x\"}) { token } } query b { viewer { scopes } }","operationName":"b"}`, nobody, 401, mission.CodeUnauthorized},
		"a query for login":    {`{"query":"query { login: viewer { scopes } }"}`, nobody, 401, mission.CodeUnauthorized},
		"a long login":         {`{"query":"mutation { login(input: {clerkToken: \"x\"}) { ` + strings.Repeat("token ", maxOpenTokens) + `} }"}`, nobody, 401, mission.CodeUnauthorized},
		"login with too much":  {`{"query":"mutation { login(input: {clerkToken: \"x\"}) { token } }` + strings.Repeat(" ", maxBody) + `"}`, nobody, 401, mission.CodeUnauthorized},
		"login without input":  {`{"query":"mutation { login { token } }"}`, nobody, 200, mission.CodeInvalidRequest},
		"another type":         {`{"query":"{__typename}"}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, mission.CodeUnsupportedMedia},
		"too large":            {`{"query":"` + strings.Repeat(" ", maxBody) + `"}`, nil, 413, mission.CodePayloadTooLarge},
		"too large, chunked":   {`{"query":"` + strings.Repeat(" ", maxBody) + `"}`, func(r *http.Request) { r.ContentLength = -1 }, 413, mission.CodePayloadTooLarge},
		"not JSON":             {`{`, nil, 400, mission.CodeInvalidRequest},
		"a batch":              {`[{"query":"{__typename}"}]`, nil, 400, mission.CodeInvalidRequest},
		"two documents":        {`{"query":"{__typename}"} {"query":"{__typename}"}`, nil, 400, mission.CodeInvalidRequest},
		"a bracket too many":   {`{"query":"{__typename}"}]`, nil, 400, mission.CodeInvalidRequest},
		"no document":          {`{}`, nil, 400, mission.CodeInvalidRequest},
		"an empty document":    {`{"query":""}`, nil, 200, mission.CodeInvalidRequest},
		"null as a document":   {`{"query":null}`, nil, 400, mission.CodeInvalidRequest},
		"not GraphQL":          {`{"query":"{"}`, nil, 200, mission.CodeInvalidRequest},
		"an unknown field":     {`{"query":"{nope}"}`, nil, 200, mission.CodeInvalidRequest},
		"too many tokens":      {`{"query":"{` + strings.Repeat("a ", maxTokens) + `}"}`, nil, 200, mission.CodeInvalidRequest},
		"introspection off":    {`{"query":"{__schema{types{name}}}"}`, nil, 200, mission.CodeInvalidRequest},
		"an empty address":     {``, func(r *http.Request) { r.Method = http.MethodGet }, 400, mission.CodeInvalidRequest},
		"a missing scope":      {`{"query":"{missions{totalCount}}"}`, nil, 200, mission.CodeForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			r, w := post(tt.body), httptest.NewRecorder()
			if tt.change != nil {
				tt.change(r)
			}
			h.ServeHTTP(w, r)
			var got struct {
				Errors []struct {
					Extensions struct {
						Code mission.Code `json:"code"`
					} `json:"extensions"`
				} `json:"errors"`
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Errors) == 0 {
				t.Fatalf("got %s, %v", w.Body, err)
			}
			if r.Method == http.MethodGet && !strings.Contains(w.Body.String(), "The address must have a query") {
				t.Errorf("a GET without a query is told %s", w.Body)
			}
			if w.Code != tt.status || got.Errors[0].Extensions.Code != tt.code || !strings.Contains(w.Body.String(), `"data":`) {
				t.Errorf("got %d %s, want %d %s, and data", w.Code, w.Body, tt.status, tt.code)
			}
			// By GraphQL over HTTP a request that isn't executed fails without data.
			r, w = post(tt.body), httptest.NewRecorder()
			if tt.change != nil {
				tt.change(r)
			}
			r.Header.Set("Accept", "text/html, application/graphql-response+json; charset=utf-8, application/json;q=0.9")
			h.ServeHTTP(w, r)
			executed := name == "a missing scope" || name == "introspection off"
			if executed != (w.Code == http.StatusOK) || executed != strings.Contains(w.Body.String(), `"data"`) || !executed && (w.Code < 400 || w.Code > 499) {
				t.Errorf("with %s it is %d %s", typeResponse, w.Code, w.Body)
			}
			if got := w.Header().Get("Content-Type"); got != typeResponse {
				t.Errorf("the response's type is %s", got)
			}
		})
	}
}

// ended is an empty body that calls a function once it is read.
type ended func()

func (e ended) Read([]byte) (int, error) { e(); return 0, io.EOF }

// A request that is canceled, or has no time left, once its body was read and before it
// is executed is a 503, and no fault of the service.
func TestCanceledBeforeExecution(t *testing.T) {
	var log strings.Builder
	h := newAPI(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	for name, begin := range map[string]func() (context.Context, context.CancelFunc){
		"canceled":     func() (context.Context, context.CancelFunc) { return context.WithCancel(t.Context()) },
		"no time left": func() (context.Context, context.CancelFunc) { return context.WithDeadline(t.Context(), time.Now()) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := begin()
			r, w := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", io.MultiReader(strings.NewReader(`{"query":"{viewer{scopes}}"}`), ended(cancel))), httptest.NewRecorder()
			r.Header.Set("Authorization", "Bearer key")
			r.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(w, r)
			if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), string(mission.CodeServiceUnavailable)) || strings.Contains(log.String(), "panic") {
				t.Errorf("got %d %s, and %s", w.Code, w.Body, log.String())
			}
		})
	}
}

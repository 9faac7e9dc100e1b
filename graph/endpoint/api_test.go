package endpoint

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/gateway"
	"missiond/mission"
)

// openAPI returns the API with introspection.
func openAPI(documents map[string]string) *API {
	return newAPI(Options{Introspection: true, Documents: documents})
}

// newAPI returns an API without resolvers.
func newAPI(o Options) *API {
	o = open(o)
	o.Around = func(ctx context.Context) context.Context { return ctx }
	o.Identify = o.Gateway.Auth.Authenticate
	return New(o)
}

// open returns options of an endpoint for a caller whose scopes let no record be read.
func open(o Options) Options {
	o.Gateway = &gateway.Gateway{Auth: anybody{}, Limits: gateway.NewLimits(gateway.LimitsOptions{Limiter: boundless{}, Now: time.Now})}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// answer is the response to a request.
type answer struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Extensions struct {
			Code  mission.Code `json:"code"`
			Param string       `json:"param"`
		} `json:"extensions"`
	} `json:"errors"`
	Extensions struct {
		Cost *cost `json:"cost"`
	} `json:"extensions"`
}

// refused reports whether a document was refused as a whole, with a message.
func (a answer) refused(message string) bool {
	return a.refusedAs(mission.CodeInvalidRequest, message)
}

func (a answer) refusedAs(code mission.Code, message string) bool {
	return len(a.Errors) == 1 && a.Errors[0].Extensions.Code == code && strings.Contains(a.Errors[0].Message, message)
}

// post sends a request's members.
func post(tb testing.TB, h http.Handler, members map[string]any) *httptest.ResponseRecorder {
	tb.Helper()
	body, err := json.Marshal(members)
	if err != nil {
		tb.Fatal(err)
	}
	r, w := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body))), httptest.NewRecorder()
	r.Header.Set("Authorization", "Bearer key")
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	return w
}

// ask sends a request and returns the response.
func ask(tb testing.TB, h http.Handler, members map[string]any) answer {
	tb.Helper()
	w := post(tb, h, members)
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK {
		tb.Fatalf("got %d %.300s, %v", w.Code, w.Body, err)
	}
	return a
}

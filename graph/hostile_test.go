package graph

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/graph/querylimit"
	"missiond/internal/clock"
	"missiond/internal/httpserver"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit/hostile"
	"missiond/mission"
)

// open returns the API with introspection, to a caller whose scopes let no
// record be read.
func openAPI(documents map[string]string) http.Handler {
	return New(Options{
		Accounts: accounts.New(nil, accounts.Options{Clock: clock.Real(), Real: clock.Real()}),
		Auth:     anybody{}, Limits: httpserver.NewLimits(httpserver.LimitsOptions{Limiter: boundless{}, Now: time.Now}),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Introspection: true, Documents: documents,
	})
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

// A hostile document is executed or rejected as invalid, with a short response.
func TestHostileDocuments(t *testing.T) {
	h := openAPI(nil)
	const most = 2 << 20 // introspection may return half as much again as the standard query
	for name, text := range hostile.Documents() {
		t.Run(name, func(t *testing.T) {
			w := post(t, h, map[string]any{"query": text})
			var a answer
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Body.Len() > most {
				t.Fatalf("got %d bytes %.300s, %v", w.Body.Len(), w.Body, err)
			}
			if w.Code != http.StatusOK && w.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("got %d %.300s", w.Code, w.Body)
			}
			if len(a.Errors) > querylimit.MaxErrors && a.Data == nil {
				t.Errorf("got %d errors", len(a.Errors))
			}
			for _, e := range a.Errors {
				if e.Extensions.Code == mission.CodeInternal || len(e.Message) > maxWords {
					t.Errorf("got %d bytes of %.300s", len(e.Message), e.Message)
				}
			}
		})
	}
}

// BenchmarkHostile sends each hostile document for the first time.
func BenchmarkHostile(b *testing.B) {
	h, all, n := openAPI(nil), hostile.Documents(), 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				n++
				post(b, h, map[string]any{"query": all[name] + fmt.Sprintf("\n#%d", n)})
			}
		})
	}
}

package endpoint_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"missiond/graph"
	"missiond/graph/endpoint"
	"missiond/graph/node"
	"missiond/graph/querylimit"
	"missiond/internal/clock"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit/hostile"
	"missiond/mission"
)

// resolved returns the API with its resolvers, which no caller can have read a record.
func resolved() *endpoint.API {
	return graph.New(graph.Options{
		Accounts: accounts.New(nil, accounts.Options{Clock: clock.Real(), Real: clock.Real()}),
		Endpoint: endpoint.Open(endpoint.Options{Introspection: true}),
	})
}

// A hostile document is executed or rejected as invalid, with a short response.
func TestHostileDocuments(t *testing.T) {
	h := resolved()
	const most = 2 << 20 // introspection may return half as much again as the standard query
	for name, text := range hostile.Documents() {
		t.Run(name, func(t *testing.T) {
			w := endpoint.Post(t, h, map[string]any{"query": text})
			var a struct {
				Data   json.RawMessage
				Errors []struct {
					Message    string
					Extensions struct{ Code mission.Code }
				}
			}
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
				if e.Extensions.Code == mission.CodeInternal || len(e.Message) > node.MaxWords {
					t.Errorf("got %d bytes of %.300s", len(e.Message), e.Message)
				}
			}
		})
	}
}

// BenchmarkHostile sends each hostile document for the first time.
func BenchmarkHostile(b *testing.B) {
	h, all, n := resolved(), hostile.Documents(), 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				n++
				endpoint.Post(b, h, map[string]any{"query": all[name] + fmt.Sprintf("\n#%d", n)})
			}
		})
	}
}

package api

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"missiond/internal/testkit"
)

// A follower of changes is told all kinds at first, and then the kind of each record that
// anybody in the tenant changes; it isn't told of other tenants.
func TestChanges(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		for name, subscribe := range transports {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				s := newHarness(t, open)
				ours, theirs := s.estate("ours-changed"), s.estate("theirs-changed")
				s.key = ours.key
				id := s.make(restAPI{s}, nil)
				do := func(method, path string, body any) func() {
					return func() {
						if status, got := s.send(method, path, body); status >= http.StatusBadRequest {
							t.Fatalf("%s %s got %d %v", method, path, status, got)
						}
					}
				}
				live := subscribe(s, `subscription { changes { kinds } }`)
				first := live.take("changes")
				s.equal("the first kinds", fmt.Sprint(first["kinds"]), "[API_KEYS MEMBERS TENANT WEBHOOKS DELIVERIES INTEGRATIONS MISSIONS REPLIES AGENTS]")
				s.key = theirs.key
				do(http.MethodPut, "/v1/tenant", map[string]any{"name": "Theirs"})()
				s.key = ours.key
				before := ""
				for _, c := range []struct {
					what string
					do   func()
					want string
				}{
					{"a key", do(http.MethodPost, "/v1/auth/keys", map[string]any{"name": "k"}), "API_KEYS"},
					{"the tenant's name", do(http.MethodPut, "/v1/tenant", map[string]any{"name": "Ours"}), "TENANT"},
					{"a mission's name", do(http.MethodPut, "/v1/missions/"+id, map[string]any{"name": "Another"}), "MISSIONS"},
					{"a mission that is deleted", do(http.MethodDelete, "/v1/missions/"+id, nil), "MISSIONS"},
					{"an endpoint", do(http.MethodPost, "/v1/webhooks", map[string]any{"url": "http://127.0.0.1:1/x", "events": []any{"mission.created"}}), "WEBHOOKS"},
					{"an attempt", func() {
						s.make(restAPI{s}, nil)
						s.deliver()
					}, "DELIVERIES"},
					{"an account", do(http.MethodPost, "/v1/integrations", map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"}), "INTEGRATIONS"},
					{"a sign-in", func() {
						s.begin("new@example.com", "org_ours-changed", "admin")
					}, "MEMBERS"},
				} {
					s.clock.Advance(time.Second)
					c.do()
					for told := false; !told; {
						for _, kind := range live.take("changes")["kinds"].([]any) {
							told = told || kind == c.want
							if kind != c.want && kind != before { // several commits of the one before may be told one by one
								t.Errorf("%v is told of %s", kind, c.what)
							}
						}
					}
					before = c.want
				}
			})
		}
	}
}

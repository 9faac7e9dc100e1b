package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// Each request is one line of the access log, with its caller and without a secret, and
// is counted by its operation and status.
func TestRequestsAreLoggedAndCounted(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	id := s.make(restAPI{s}, nil)
	tenant, key := s.tenantOf(id), s.key
	for i, c := range []struct {
		method, path, key, body string
		route, operation        string
		status                  int
		tenant                  string
	}{
		{"GET", "/v1/missions/" + id, key, "", "GET /v1/missions/{id}", "missions.read", 200, tenant},
		{"GET", "/v1/missions/msn_none", key, "", "GET /v1/missions/{id}", "missions.read", 404, tenant},
		{"GET", "/v1/missions", "cms_live_nobodys", "", "GET /v1/missions", "missions.list", 401, ""},
		{"POST", "/graphql", key, `{"query":"{ viewer { authMethod } }"}`, "POST /graphql", "graphql.query", 200, tenant},
		{"POST", "/graphql", key, `{`, "POST /graphql", "graphql", 400, tenant},
		// A member's name is exact, as where the tool is run.
		{"POST", "/mcp", key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"missions_list","Name":"media_list"}}`, "/mcp", "mcp.missions_list", 200, tenant},
		{"POST", "/mcp", key, `{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"missions_list"}}`, "/mcp", "mcp", 200, tenant},
		{"GET", "/livez", "", "", "GET /livez", "", 200, ""},
		{"GET", "/wp-login.php", "", "", "", "", 404, ""},
	} {
		requestID := fmt.Sprintf("access-log-%d", i)
		req, err := http.NewRequest(c.method, s.server.URL+c.path, strings.NewReader(c.body))
		s.must(err)
		req.Header.Set("X-Request-Id", requestID)
		req.Header.Set("Content-Type", "application/json")
		if c.key != "" {
			req.Header.Set("Authorization", "Bearer "+c.key)
		}
		resp, err := s.server.Client().Do(req)
		s.must(err)
		_ = resp.Body.Close()
		lines := s.awaitLogged("request", requestID)
		want := map[string]any{
			"method": c.method, "route": c.route, "operation": c.operation, "status": float64(c.status), "tenant": c.tenant, "address": "127.0.0.1",
		}
		for name, value := range want {
			if lines[0][name] != value {
				t.Errorf("%s %s is logged with the %s %v, want %v", c.method, c.path, name, lines[0][name], value)
			}
		}
		if named := lines[0]["credential"] != ""; named != (c.tenant != "") {
			t.Errorf("%s %s is logged with the credential %v", c.method, c.path, lines[0]["credential"])
		}
		if lines[0]["bytes"] == float64(0) || len(lines) != 1 {
			t.Errorf("%s %s is logged as %v", c.method, c.path, lines)
		}
	}
	if strings.Contains(s.log.String(), key) || strings.Contains(s.log.String(), "cms_live_nobodys") {
		t.Error("the log has a credential")
	}
	counted := s.counters("missiond_http_requests_total")
	for labels, n := range map[string]float64{
		"missions.read 200": 1, "missions.read 404": 1, "missions.list 401": 1, "missions.create 201": 1,
		"graphql.query 200": 1, "graphql 400": 1, "other 404": 1,
	} {
		if counted[labels] != n {
			t.Errorf("%s was counted %v times, want %v", labels, counted[labels], n)
		}
	}
}

// awaitLogged waits for a request's line, which is written after its response.
func (s *harness) awaitLogged(message, requestID string) (lines []map[string]any) {
	s.t.Helper()
	s.until("a line of "+requestID, func() bool {
		lines = s.logged(message, requestID)
		return len(lines) > 0
	})
	return lines
}

// counters returns a counter's values by the values of its labels.
func (s *harness) counters(name string) map[string]float64 {
	s.t.Helper()
	families, err := s.Metrics.Gather()
	s.must(err)
	values := map[string]float64{}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			values[strings.Join(labels, " ")] = m.GetCounter().GetValue()
		}
	}
	return values
}

package identity

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"missiond/internal/outbound"
)

// A definite word ends a session, everything else lets it go on; the secret goes to
// the provider alone.
func TestClerkChecksLogins(t *testing.T) {
	const session, memberships = "/sessions/sess_1", "/users/user_1/organization_memberships"
	active := `{"status":"active","user_id":"user_1"}`
	for _, tt := range []struct {
		name    string
		answers map[string]string // by path; those that begin with a digit are a status
		org     string
		role    string
		gone    bool
		failed  bool
	}{
		{"an active session", map[string]string{session: active}, "", "", false, false},
		{"a member", map[string]string{session: active, memberships: `{"data":[{"role":"org:member","organization":{"id":"org_0"}},{"role":"org:admin","organization":{"id":"org_1"}}],"total_count":2}`}, "org_1", "org:admin", false, false},
		{"no member any more", map[string]string{session: active, memberships: `{"data":[{"role":"org:member","organization":{"id":"org_0"}}],"total_count":1}`}, "org_1", "", true, false},
		{"of no organisation", map[string]string{session: active, memberships: `{"data":[],"total_count":0}`}, "org_1", "", true, false},
		{"a page of many", map[string]string{session: active, memberships: `{"data":[],"total_count":900}`}, "org_1", "", false, true},
		{"no count", map[string]string{session: active, memberships: `{}`}, "org_1", "", false, true},
		{"an ended session", map[string]string{session: `{"status":"ended","user_id":"user_1"}`}, "", "", true, false},
		{"a revoked session", map[string]string{session: `{"status":"revoked","user_id":"user_1"}`}, "org_1", "", true, false},
		{"another's session", map[string]string{session: `{"status":"active","user_id":"user_2"}`}, "", "", true, false},
		{"a session that is gone", map[string]string{session: "404"}, "", "", true, false},
		{"a user who is gone", map[string]string{session: active, memberships: "404"}, "org_1", "", true, false},
		{"an outage", map[string]string{session: "503"}, "", "", false, true},
		{"too many questions", map[string]string{session: "429"}, "", "", false, true},
		{"a wrong secret", map[string]string{session: "401"}, "", "", false, true},
		{"a redirect", map[string]string{session: "302"}, "", "", false, true},
		{"another response", map[string]string{session: `{}`}, "", "", false, true},
		{"no JSON", map[string]string{session: `<html>`}, "", "", false, true},
		{"an endless response", map[string]string{session: `{"status":"` + strings.Repeat("a", maxProviderBody) + `"}`}, "", "", false, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			response := tt.answers[r.URL.Path]
			if r.Header.Get("Authorization") != "Bearer sk_test" {
				t.Errorf("%s: the secret isn't sent", tt.name)
			}
			if len(response) == 3 {
				w.Header().Set("Location", "http://127.0.0.1:1/")
				w.WriteHeader(int(response[0]-'0')*100 + int(response[1]-'0')*10 + int(response[2]-'0'))
				return
			}
			_, _ = w.Write([]byte(response))
		}))
		c, err := NewClerk(outbound.Rules{}, server.URL+"/", "sk_test")
		if err != nil {
			t.Fatal(err)
		}
		role, err := c.CheckLogin(context.Background(), Login{SessionID: "sess_1", Subject: "user_1", OrganizationID: tt.org})
		if role != tt.role || errors.Is(err, ErrGone) != tt.gone || (err != nil) != (tt.gone || tt.failed) {
			t.Errorf("%s: got %q, %v", tt.name, role, err)
		}
		server.Close()
		if _, err := c.CheckLogin(context.Background(), Login{SessionID: "sess_1", Subject: "user_1"}); err == nil || errors.Is(err, ErrGone) {
			t.Errorf("%s: a provider that is unavailable returned %v", tt.name, err)
		}
	}
	for _, address := range []string{"http://api.example.com", "ftp://127.0.0.1", "", "https://user@api.example.com"} {
		if _, err := NewClerk(outbound.Rules{}, address, "x"); err == nil {
			t.Errorf("%q is taken for an address", address)
		}
	}
}

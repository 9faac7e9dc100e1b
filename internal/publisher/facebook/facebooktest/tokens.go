package facebooktest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"missiond/internal/publisher/meta/metatest"
)

// tokens is the token endpoint: it takes codes, and a short token for a longer one.
func (s *Stub) tokens(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if r.Method == http.MethodPost {
		var ok bool
		if q, ok = form(w, r, "client_id", "client_secret", "grant_type", "redirect_uri", "code"); !ok {
			return
		}
	}
	switch {
	case q.Get("client_id") != metatest.ClientID:
		metatest.Refuse(w, metatest.Failure{Code: 101, Message: "Error validating application. Cannot get application info due to a system error."})
	case q.Get("client_secret") != metatest.ClientSecret:
		metatest.Refuse(w, metatest.Failure{Code: 1, Message: "Error validating client secret."})
	case r.Method == http.MethodPost && (!s.codes[q.Get("code")] || q.Get("redirect_uri") != metatest.RedirectURL):
		metatest.Refuse(w, metatest.Failure{Code: 100, Subcode: 36009, Message: "This authorization code has been used: " + q.Get("code")})
	case r.Method == http.MethodPost:
		delete(s.codes, q.Get("code"))
		metatest.Send(w, http.StatusOK, map[string]any{"access_token": s.userToken(), "token_type": "bearer", "expires_in": 5_000})
	case !metatest.Only(w, q, "grant_type", "client_id", "client_secret", "fb_exchange_token"):
	case q.Get("grant_type") != "fb_exchange_token" || !s.users[q.Get("fb_exchange_token")]:
		metatest.Refuse(w, metatest.Failure{Code: 190, Message: "Error validating access token"})
	default:
		metatest.Send(w, http.StatusOK, map[string]any{"access_token": s.userToken(), "token_type": "bearer", "expires_in": 5_184_000})
	}
}

// Consent is the person's at an address: it returns the code that comes back, "" if the address isn't
// that of the consent page.
func (s *Stub) Consent(address string) (code string) {
	u, err := url.Parse(address)
	if err != nil || !strings.HasSuffix(u.Path, version+"dialog/oauth") {
		return ""
	}
	q := u.Query()
	scopes := strings.Split(q.Get("scope"), ",")
	slices.Sort(scopes)
	want := []string{"pages_manage_engagement", "pages_manage_posts", "pages_read_engagement", "pages_read_user_content", "pages_show_list", "read_insights"}
	if len(q) != 5 || q.Get("client_id") != metatest.ClientID || q.Get("redirect_uri") != metatest.RedirectURL ||
		q.Get("response_type") != "code" || q.Get("state") == "" || !slices.Equal(scopes, want) {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	code = "code-" + s.number()
	s.codes[code] = true
	return code
}

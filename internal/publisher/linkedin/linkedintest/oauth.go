package linkedintest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
)

// tokens is the token endpoint. The caller holds the lock.
func (s *Stub) tokens(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.ParseForm() != nil || r.URL.RawQuery != "" {
		send(w, http.StatusBadRequest, map[string]string{"error": "invalid_request"})
		return
	}
	form := maps.Clone(r.PostForm)
	// LinkedIn takes a proof by code_verifier for a client that fails to
	// authenticate.
	if _, _, basic := r.BasicAuth(); basic || form.Get("client_id") != ClientID || form.Get("client_secret") != ClientSecret || form.Has("code_verifier") {
		send(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client", "error_description": "Client authentication failed"})
		return
	}
	response := map[string]any{"access_token": s.token("access"), "expires_in": 5184000, "scope": "openid,profile,w_member_social", "token_type": "Bearer"}
	redirect, known := s.codes[form.Get("code")]
	switch kind := form.Get("grant_type"); {
	case kind == "refresh_token" && len(form) == 4 && s.refresh[form.Get("refresh_token")]:
		delete(response, "scope")
	case kind == "authorization_code" && len(form) == 5 && known && redirect == form.Get("redirect_uri"):
		delete(s.codes, form.Get("code"))
		response["refresh_token"], response["refresh_token_expires_in"] = s.token("refresh"), 31536000
		s.refresh[fmt.Sprint(response["refresh_token"])] = true
	default:
		send(w, http.StatusBadRequest, map[string]string{"error": "invalid_request", "error_description": "Unable to retrieve access token"})
		return
	}
	s.access[fmt.Sprint(response["access_token"])] = true
	send(w, http.StatusOK, response)
}

// Consent is the owner's at an address: it returns the code and state that come
// back.
func (s *Stub) Consent(address, scopes string) (code, state string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", err
	}
	q := u.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": ClientID, "redirect_uri": RedirectURL, "scope": scopes} {
		if q.Get(name) != want {
			return "", "", fmt.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if len(q) != 5 || q.Get("state") == "" || u.Path != "/oauth/v2/authorization" {
		return "", "", fmt.Errorf("the address is %s", address)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	code = s.token("code")
	s.codes[code] = q.Get("redirect_uri")
	return code, q.Get("state"), nil
}

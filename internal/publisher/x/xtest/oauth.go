package xtest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// tokens is the token endpoint. The caller holds the lock.
func (s *Stub) tokens(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.ParseForm() != nil || len(r.URL.RawQuery) > 0 {
		Write(w, http.StatusBadRequest, `{"error":"invalid_request"}`)
		return
	}
	form := maps.Clone(r.PostForm)
	if !s.client(r, form) {
		Write(w, http.StatusUnauthorized, `{"error":"unauthorized_client","error_description":"Missing valid authorization header"}`)
		return
	}
	kind := form.Get("grant_type")
	delete(form, "grant_type")
	scopes := []string{"tweet.read", "tweet.write", "tweet.moderate.write", "media.write", "users.read", "offline.access"}
	switch {
	case kind == "refresh_token" && len(form) == 1 && s.refresh[form.Get("refresh_token")]:
		if !s.KeepsRefresh {
			delete(s.refresh, form.Get("refresh_token"))
		}
	case kind == "authorization_code" && len(form) == 3 && s.redeems(form, &scopes):
	default:
		Write(w, http.StatusBadRequest, `{"error":"invalid_request","error_description":"Value passed for the token was invalid."}`)
		return
	}
	response := map[string]any{"token_type": "bearer", "expires_in": 7200, "access_token": s.token("access"), "scope": strings.Join(scopes, " ")}
	s.access[fmt.Sprint(response["access_token"])] = true
	if !s.KeepsRefresh {
		response["refresh_token"] = s.token("refresh")
		s.refresh[fmt.Sprint(response["refresh_token"])] = true
	}
	send(w, http.StatusOK, response)
}

// client reports whether the operator's client asks, and takes it from the form.
func (s *Stub) client(r *http.Request, form url.Values) bool {
	id, secret, basic := r.BasicAuth()
	if s.Secret != "" {
		return basic && id == url.QueryEscape(ClientID) && secret == url.QueryEscape(s.Secret) && !form.Has("client_id")
	}
	named := form.Get("client_id") == ClientID
	form.Del("client_id")
	return !basic && named
}

func (s *Stub) redeems(form url.Values, scopes *[]string) bool {
	g, ok := s.codes[form.Get("code")]
	delete(s.codes, form.Get("code")) // whatever comes of it
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	*scopes = g.scopes
	return ok && form.Get("redirect_uri") == g.redirect && base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge
}

// Consent is the owner's at an address: it returns the code and state that come
// back.
func (s *Stub) Consent(address string) (code, state string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", err
	}
	q := u.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": ClientID, "redirect_uri": RedirectURL, "code_challenge_method": "S256",
		"scope": "tweet.read tweet.write tweet.moderate.write media.write users.read offline.access",
	} {
		if q.Get(name) != want {
			return "", "", fmt.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if len(q) != 7 || q.Get("state") == "" || len(q.Get("code_challenge")) != 43 {
		return "", "", fmt.Errorf("the parameters are %v", q)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	code = s.token("code")
	s.codes[code] = grant{challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri"), scopes: strings.Fields(q.Get("scope"))}
	return code, q.Get("state"), nil
}

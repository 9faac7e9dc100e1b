package metatest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// tokens are the token endpoints. The caller holds the lock.
func (s *Stub) tokens(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch r.Method + " " + r.URL.Path {
	case "POST /oauth/access_token":
		s.exchange(w, r)
	case "GET /access_token":
		_, known := s.access[q.Get("access_token")]
		switch {
		case !Only(w, q, "grant_type", "client_secret", "access_token"):
		case q.Get("grant_type") != s.Rules.Grant+"_exchange_token" || !known:
			Refuse(w, Failure{Code: 190, Message: "Error validating access token"})
		case q.Get("client_secret") != ClientSecret:
			Refuse(w, Failure{Code: 1, Message: "Error validating client secret."})
		default:
			Send(w, http.StatusOK, map[string]any{"access_token": s.token(), "token_type": "bearer", "expires_in": int(longLife / time.Second)})
		}
	case "GET /refresh_access_token":
		made, known := s.access[q.Get("access_token")]
		switch {
		case !Only(w, q, "grant_type", "access_token"):
		case q.Get("grant_type") != s.Rules.Grant+"_refresh_token" || !known || s.Now().After(made.Add(longLife)):
			Refuse(w, Failure{Code: 190, Message: "Error validating access token: " + q.Get("access_token")})
		case s.Now().Sub(made) < renewAge:
			Refuse(w, Failure{Code: 100, Message: "The token isn't 24 hours old"})
		default:
			Send(w, http.StatusOK, map[string]any{"access_token": s.token(), "token_type": "bearer", "expires_in": int(longLife / time.Second)})
		}
	default:
		missing(w, r.URL.Path)
	}
}

func (s *Stub) exchange(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || len(r.URL.RawQuery) > 0 || !Only(w, r.PostForm, "client_id", "client_secret", "grant_type", "redirect_uri", "code") {
		return
	}
	f := r.PostForm
	good := f.Get("client_id") == ClientID && f.Get("client_secret") == ClientSecret && f.Get("grant_type") == "authorization_code" && f.Get("redirect_uri") == RedirectURL
	if !good || !s.codes[f.Get("code")] {
		Send(w, http.StatusBadRequest, map[string]any{"error_type": "OAuthException", "code": 400, "error_message": "Matching code was not found or was already used: " + f.Get("code")})
		return
	}
	delete(s.codes, f.Get("code"))
	made := map[string]any{"access_token": s.token(), "user_id": UserID, "permissions": strings.Join(s.Rules.Scopes, ",")}
	if s.Rules.ListsTokens {
		made = map[string]any{"data": []any{made}}
	}
	Send(w, http.StatusOK, made)
}

// Consent is the owner's at an address: it returns the code and state that come back.
func (s *Stub) Consent(address string) (code, state string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", err
	}
	q := u.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": ClientID, "redirect_uri": RedirectURL, "scope": strings.Join(s.Rules.Scopes, ","),
	} {
		if q.Get(name) != want {
			return "", "", fmt.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if len(q) != 5 || q.Get("state") == "" {
		return "", "", fmt.Errorf("the parameters are %v", q)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	code = fmt.Sprintf("code-%d", s.n)
	s.codes[code] = true
	return code + "#_", q.Get("state"), nil
}

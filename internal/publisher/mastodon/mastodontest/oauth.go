package mastodontest

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2"
)

// App returns the secret and the website of a client that was registered; ok is
// false where none was.
func (s *Stub) App(id string) (secret, website string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.apps[id]
	if a == nil {
		return "", "", false
	}
	return a.secret, a.website, true
}

// app is a client that was registered; consent is an owner's, until its code is
// exchanged.
type app struct {
	id, secret, redirect, website string
	scopes                        []string
}

type consent struct {
	app                 *app
	challenge, redirect string
	scopes              []string
}

func (s *Stub) register(w http.ResponseWriter, r *http.Request) {
	f := r.PostForm
	if f.Get("client_name") == "" || f.Get("redirect_uris") == "" {
		refuse(w, http.StatusUnprocessableEntity, "Validation failed: Application name can't be blank, Redirect URI must be an absolute URI.")
		return
	}
	a := &app{id: rand.Text(), secret: rand.Text(), redirect: f.Get("redirect_uris"), website: f.Get("website"), scopes: strings.Fields(f.Get("scopes"))}
	s.apps[a.id] = a
	answerJSON(w, http.StatusOK, map[string]any{
		"id": "563419", "name": f.Get("client_name"), "website": nil, "scopes": a.scopes, "redirect_uri": a.redirect,
		"redirect_uris": []string{a.redirect}, "client_id": a.id, "client_secret": a.secret, "client_secret_expires_at": 0,
	})
}

// authorize is the page where the owner consents, who does at once.
func (s *Stub) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	a := s.apps[q.Get("client_id")]
	requested := strings.Fields(q.Get("scope"))
	if a == nil || q.Get("redirect_uri") != a.redirect || q.Get("response_type") != "code" || len(requested) == 0 ||
		slices.ContainsFunc(requested, func(scope string) bool { return !slices.Contains(a.scopes, scope) }) ||
		q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 {
		http.Error(w, "<h1>The request is malformed</h1>", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	s.codes[code] = &consent{app: a, challenge: q.Get("code_challenge"), redirect: a.redirect, scopes: requested}
	http.Redirect(w, r, a.redirect+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

func (s *Stub) token(w http.ResponseWriter, r *http.Request) {
	f := r.PostForm
	c := s.codes[f.Get("code")]
	delete(s.codes, f.Get("code"))
	a := s.apps[f.Get("client_id")]
	switch {
	case f.Get("grant_type") != "authorization_code":
		answerJSON(w, http.StatusBadRequest, map[string]string{"error": "unsupported_grant_type"})
	case a == nil || f.Get("client_secret") != a.secret:
		answerJSON(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client", "error_description": "Client authentication failed."})
	case c == nil || c.app != a || c.redirect != f.Get("redirect_uri") || oauth2.S256ChallengeFromVerifier(f.Get("code_verifier")) != c.challenge:
		answerJSON(w, http.StatusBadRequest, map[string]string{
			"error": "invalid_grant", "error_description": "The provided authorization grant is invalid, expired, revoked. It was " + f.Get("code") + ".",
		})
	default:
		answerJSON(w, http.StatusOK, map[string]any{
			"access_token": s.issue(c.scopes...), "token_type": "Bearer", "scope": strings.Join(c.scopes, " "), "created_at": s.Now().Unix(),
		})
	}
}

package blueskytest

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"missiond/internal/publisher/publishertest"
)

// issue gives a token.
func (s *Stub) issue(scope string, life time.Duration) string {
	encode := base64.RawURLEncoding.EncodeToString
	payload := fmt.Sprintf(`{"scope":%q,"sub":%q,"iat":%d,"exp":%d,"jti":%q}`, scope, DID, s.Now().Unix(), s.Now().Add(life).Unix(), rand.Text())
	text := encode([]byte(`{"typ":"at+jwt","alg":"ES256K"}`)) + "." + encode([]byte(payload)) + "." + encode([]byte(rand.Text()))
	s.tokens[text] = &jwt{scope: scope}
	return text
}

// described is a session's description of its account.
func (s *Stub) described(r *http.Request) map[string]any {
	endpoint := s.Endpoint
	if endpoint == "" {
		endpoint = "http://" + r.Host
	}
	d := map[string]any{
		"did": DID, "handle": Handle, "email": "ada@example.com", "emailConfirmed": true, "active": s.Status == "",
		"didDoc": map[string]any{
			"@context": []string{"https://www.w3.org/ns/did/v1"}, "id": DID, "alsoKnownAs": []string{"at://" + Handle},
			"service": []any{
				map[string]any{"id": "#other", "type": "Other", "serviceEndpoint": map[string]any{"uri": "https://other.example"}},
				map[string]any{"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": endpoint},
			},
		},
	}
	if s.Status != "" {
		d["status"] = s.Status
	}
	return d
}

func (s *Stub) opened(w http.ResponseWriter, r *http.Request) {
	d := s.described(r)
	d["accessJwt"], d["refreshJwt"] = s.issue(accessFor, 2*time.Hour), s.issue(renewFor, 90*24*time.Hour)
	answerJSON(w, http.StatusOK, d)
}

func (s *Stub) createSession(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Identifier string `json:"identifier"`
		Password   string `json:"password"`
	}
	if !input(w, r, &in) {
		return
	}
	switch {
	case in.Identifier == "" || in.Password == "":
		Refuse(w, http.StatusBadRequest, "InvalidRequest", `Missing required key "password" at $`)
	case in.Identifier != Handle && in.Identifier != DID || in.Password != s.password || s.Status == Gone:
		Refuse(w, http.StatusUnauthorized, "AuthenticationRequired", "Invalid identifier or password")
	case s.Refusal != nil:
		Refuse(w, http.StatusUnauthorized, s.Refusal.Name, s.Refusal.Words)
	default:
		s.opened(w, r)
	}
}

// refreshSession leaves the token that renews as it is: servers take it for two
// hours more, for clients that the response never reached.
func (s *Stub) refreshSession(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "A request body was provided when none was expected")
		return
	}
	if s.there(w) {
		s.opened(w, r)
	}
}

// there reports whether the account that a token names is still there.
func (s *Stub) there(w http.ResponseWriter) bool {
	if s.Status == Gone {
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Could not find user info for account: "+DID)
	}
	return s.Status != Gone
}

func (s *Stub) getSession(w http.ResponseWriter, r *http.Request) {
	if !s.there(w) {
		return
	}
	answerJSON(w, http.StatusOK, s.described(r))
}

// AsksAudience implements [publishertest.Audienced].
func (s *Stub) AsksAudience(r *http.Request) bool {
	return r.URL.Path == "/xrpc/app.bsky.actor.getProfile"
}

// getProfile passes the call on to the index.
func (s *Stub) getProfile(w http.ResponseWriter, r *http.Request) {
	switch actor := r.URL.Query().Get("actor"); {
	case s.NoIndex:
		Refuse(w, http.StatusBadGateway, "UpstreamFailure", "pipethrough network error")
	case actor != DID && actor != Handle:
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Profile not found")
	default:
		profile := map[string]any{"did": DID, "handle": Handle, "avatar": publishertest.Picture}
		s.Tell(profile, "followersCount")
		answerJSON(w, http.StatusOK, profile)
	}
}

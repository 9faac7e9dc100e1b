package oauth

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/service/agents"
	"missiond/mission"
	"missiond/web"
)

// authorize checks a client's request, and sends the browser on to the page on which a person consents. A request that
// is refused isn't answered by sending the browser to the client at once: nobody has signed in, so that a link to this
// server could lead anywhere (RFC 9700, section 4.11.2). A page says what is wrong, and has the answer as a link; where
// the client isn't known, or hasn't named the address, without one.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if len(q["client_id"]) != 1 || len(q["redirect_uri"]) != 1 {
		say(w, r, mission.Refuse(mission.RefusedRequest, "", "The link needs one client_id and one redirect_uri."), web.Message{})
		return
	}
	request := requestOf(q)
	c, err := s.Agents.Client(r.Context(), request.ClientID)
	if err == nil && !c.Redirects(request.RedirectURI) {
		err = mission.Refuse(mission.RefusedRedirect, "redirect_uri", "The application asks to send you to an address that it didn't register.")
	}
	if err != nil {
		say(w, r, err, web.Message{})
		return
	}
	if refused := check(q, request, s.Agents.Resource()); refused != nil {
		say(w, r, refused, web.Message{
			Link:     template.URL(request.Refused(s.Agents.Issuer(), refused)), //nolint:gosec // Redirects has checked its scheme
			LinkText: "Back to the application (" + mission.RedirectHost(request.RedirectURI) + ")",
		})
		return
	}
	http.Redirect(w, r, s.ConsoleURL+ConsentPath+"?"+queryOf(request).Encode(), http.StatusSeeOther)
}

// check returns why the request of a client that is known is refused, or nil.
func check(q url.Values, request mission.AgentRequest, resource string) *mission.AgentRefusal {
	if twice(q) {
		return errTwice
	}
	return request.Check(resource)
}

// requestOf returns a request's parameters.
func requestOf(q url.Values) mission.AgentRequest {
	return mission.AgentRequest{
		ClientID: q.Get("client_id"), RedirectURI: q.Get("redirect_uri"), ResponseType: q.Get("response_type"), Scope: q.Get("scope"),
		State: q.Get("state"), CodeChallenge: q.Get("code_challenge"), CodeChallengeMethod: q.Get("code_challenge_method"), Resource: q.Get("resource"),
	}
}

// queryOf returns the parameters of a request that was checked, with which the page of consent asks again.
func queryOf(q mission.AgentRequest) url.Values {
	values := url.Values{
		"client_id": {q.ClientID}, "redirect_uri": {q.RedirectURI}, "code_challenge": {q.CodeChallenge},
	}
	for name, value := range map[string]string{"scope": q.Scope, "state": q.State} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

var errTwice = mission.Refuse(mission.RefusedRequest, "", "A parameter was sent twice.")

// twice reports whether a parameter was sent more than once (RFC 6749, section 3.1).
func twice(q url.Values) bool {
	for _, values := range q {
		if len(values) > 1 {
			return true
		}
	}
	return false
}

// happened are what refusals say to a person who didn't make the request. Other codes are faults of the request.
var happened = map[string]string{
	mission.RefusedClient:   "This service doesn’t know the application, or doesn’t any more.",
	mission.RefusedRedirect: "The application asks to send you to an address that isn’t known to be its own.",
}

// say shows a person why nothing is asked, and what to do; page has what else it shows.
func say(w http.ResponseWriter, r *http.Request, err error, page web.Message) {
	page.Title, page.Text = "The application can’t be connected", "Something went wrong here. Load the page again in a moment."
	status := http.StatusBadRequest
	var refused *mission.AgentRefusal
	if errors.As(err, &refused) {
		page.Text = cmp.Or(happened[refused.Code], "The link that led you here is incomplete, or the application made it wrong.") +
			" Go back to the application, and begin there anew. If that doesn’t help, tell its makers: “" + refused.Text + "”"
	} else if status = http.StatusInternalServerError; httpserver.Shown(r.Context(), err).Code == mission.CodeServiceUnavailable {
		status = http.StatusServiceUnavailable
	}
	web.Say(w, r, status, page)
}

// maxForm limits the bodies of requests, in bytes.
const maxForm = 16 << 10

// form returns the parameters of a request's body. Errors: *mission.AgentRefusal; payload_too_large.
func form(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, mission.Refuse(mission.RefusedRequest, "", "The body must be application/x-www-form-urlencoded.")
	}
	if r.Header.Get("Authorization") != "" {
		return nil, mission.Refuse(mission.RefusedClient, "", "Clients have no secret: send client_id in the body.")
	}
	body, err := httpserver.ReadBody(w, r, maxForm, func(int64) error { return nil })
	if err != nil {
		return nil, err
	}
	q, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, mission.Refuse(mission.RefusedRequest, "", "The body can't be read.")
	}
	if twice(q) {
		return nil, errTwice
	}
	return q, nil
}

// issued is the response to a client that gets tokens (RFC 6749, section 5.1).
type issued struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	q, err := form(w, r)
	if err == nil && q.Get("client_id") == "" {
		err = mission.Refuse(mission.RefusedClient, "client_id", "client_id is missing.")
	}
	if err != nil {
		fail(w, r, err)
		return
	}
	tokens, err := s.grant(r.Context(), q)
	if err != nil {
		fail(w, r, err)
		return
	}
	write(w, http.StatusOK, issued{
		AccessToken: tokens.Access, TokenType: "Bearer", ExpiresIn: int64(tokens.Life / time.Second), RefreshToken: tokens.Refresh,
		Scope: mission.ScopeText(tokens.Scopes),
	})
}

func (s *Server) grant(ctx context.Context, q url.Values) (agents.Tokens, error) {
	switch q.Get("grant_type") {
	case "authorization_code":
		return s.Agents.Redeem(ctx, q.Get("code"), q.Get("resource"), mission.Redemption{
			ClientID: q.Get("client_id"), RedirectURI: q.Get("redirect_uri"), Verifier: q.Get("code_verifier"),
		})
	case "refresh_token":
		return s.Agents.Refresh(ctx, q.Get("refresh_token"), q.Get("client_id"), q.Get("resource"), q.Get("scope"))
	}
	return agents.Tokens{}, mission.Refuse(mission.RefusedGrantType, "grant_type", "The grant_type must be authorization_code or refresh_token.")
}

func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	q, err := form(w, r)
	if err == nil && q.Get("client_id") == "" {
		err = mission.Refuse(mission.RefusedClient, "client_id", "client_id is missing.")
	}
	if err == nil && q.Get("token") == "" {
		err = mission.Refuse(mission.RefusedRequest, "token", "token is missing.")
	}
	if err == nil {
		err = s.Agents.RevokeToken(r.Context(), q.Get("token"), q.Get("client_id"))
	}
	if err != nil {
		fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// clientMetadata is what a client says of itself (RFC 7591).
type clientMetadata struct {
	RedirectURIs  []string `json:"redirect_uris"`
	Name          string   `json:"client_name"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
	AuthMethod    string   `json:"token_endpoint_auth_method"`
}

// fits returns a refusal if a client doesn't use codes.
func (m clientMetadata) fits() error {
	if m.GrantTypes != nil && !slices.Contains(m.GrantTypes, "authorization_code") || m.ResponseTypes != nil && !slices.Contains(m.ResponseTypes, "code") {
		return mission.Refuse(mission.RefusedMetadata, "grant_types", "The client must use the grant type authorization_code, and the response type code.")
	}
	return nil
}

// registered is the response to a client that registers.
type registered struct {
	ID            string   `json:"client_id"`
	IssuedAt      int64    `json:"client_id_issued_at"`
	Name          string   `json:"client_name"`
	RedirectURIs  []string `json:"redirect_uris"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
	AuthMethod    string   `json:"token_endpoint_auth_method"`
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	body, err := httpserver.ReadBody(w, r, maxForm, func(int64) error { return nil })
	var m clientMetadata
	if err == nil {
		m, err = readMetadata(body)
	}
	if err != nil {
		fail(w, r, err)
		return
	}
	c, err := s.Agents.Register(r.Context(), s.Address(r), m.Name, m.RedirectURIs)
	if err != nil {
		fail(w, r, err)
		return
	}
	write(w, http.StatusCreated, registered{
		ID: c.ID, IssuedAt: c.CreatedAt.Unix(), Name: c.Name, RedirectURIs: c.RedirectURIs,
		GrantTypes: grantTypes, ResponseTypes: []string{"code"}, AuthMethod: "none",
	})
}

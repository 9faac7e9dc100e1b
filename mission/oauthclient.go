package mission

import (
	"cmp"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Bounds of the applications that people let act for them (agents), as the
// authorization server knows them.
const (
	MaxRedirects    = 10
	MaxRedirectURI  = 500 // bytes
	MaxClientID     = 300 // bytes; of an address too
	MaxClientName   = 100 // characters
	MaxState        = 500 // bytes
	challengeLength = 43  // a SHA-256 in base64url, without padding (RFC 7636)
)

// Lifetimes of the authorization server's records, in real time.
const (
	// UnusedClientLife is how long a registered client is stored that nobody lets act.
	UnusedClientLife = time.Hour
	// UsedClientLife is how long one is stored after somebody last let it: longer than any grant.
	UsedClientLife = 400 * 24 * time.Hour
	// CodeLife, AccessLife and RefreshLife are how long tokens are valid.
	CodeLife    = time.Minute
	AccessLife  = time.Hour
	RefreshLife = 30 * 24 * time.Hour
	// ReuseLeeway is how long a refresh token may be used again after it was rotated, while its
	// successor hasn't been used: the answer may have been lost.
	ReuseLeeway = 10 * time.Second
)

// PrefixClient begins the ids of registered clients.
const PrefixClient = "acl_"

// OAuthClient is an application that asks people to let it act for them.
type OAuthClient struct {
	// ID is that of a registered client, or the https address of the document that describes it.
	ID   string `bun:",pk"`
	Name string
	// RedirectURIs are where people may be sent back to.
	RedirectURIs []string `bun:"redirect_uris"`
	CreatedAt    time.Time
}

// Described returns the host of the document that describes the client; "" if the client
// registered itself, so that nothing says whose it is.
func (c OAuthClient) Described() string {
	if u, err := url.Parse(c.ID); err == nil && u.Scheme == "https" {
		return u.Host
	}
	return ""
}

// Check returns an error unless a client may be described so. Errors: invalid_request on
// redirect_uris or client_name.
func (c OAuthClient) Check() error {
	if len(c.RedirectURIs) == 0 || len(c.RedirectURIs) > MaxRedirects {
		return Invalid("redirect_uris", "A client has between 1 and %d redirect URIs.", MaxRedirects)
	}
	for _, uri := range c.RedirectURIs {
		if err := checkRedirect(uri); err != nil {
			return err
		}
	}
	return checkLine("client_name", c.Name, 1, MaxClientName)
}

// CleanClientName returns the name that a client calls itself by as a line of text that can be shown;
// without one, it is named after its first redirect URI.
func CleanClientName(name string, redirects []string) string {
	runes := []rune(CleanLine(name))
	name = strings.TrimSpace(string(runes[:min(len(runes), MaxClientName)]))
	if name == "" && len(redirects) > 0 {
		name = RedirectHost(redirects[0])
	}
	return cmp.Or(name, "An application")
}

// unsafeSchemes are those of addresses that a browser itself runs, shows or sends to: none of
// an application of the person's.
var unsafeSchemes = []string{
	"about", "blob", "data", "feed", "file", "filesystem", "ftp", "ftps", "intent", "jar", "javascript", "mailto", "ms-appx", "resource",
	"sms", "smb", "tel", "vbscript", "view-source", "ws", "wss",
}

// checkRedirect returns an error unless people may be sent to an address: https, http on
// loopback, or a scheme of an application's own (RFC 8252, section 7).
func checkRedirect(uri string) error {
	u, err := url.Parse(uri)
	switch {
	case err != nil || len(uri) > MaxRedirectURI || u.Scheme == "" || strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Invalid("redirect_uris", "A redirect URI must be absolute, in ASCII, and at most %d bytes long.", MaxRedirectURI)
	case strings.ContainsAny(uri, `#\`) || u.User != nil:
		return Invalid("redirect_uris", "A redirect URI must have no fragment, user name, password or backslash.")
	case !mayRedirect(u):
		return Invalid("redirect_uris", "A redirect URI must be https, http on loopback, or of a scheme of the application's own.")
	}
	return nil
}

func mayRedirect(u *url.URL) bool {
	switch u.Scheme {
	case "https":
		return u.Hostname() != ""
	case "http":
		return isLoopback(u.Hostname())
	}
	return !slices.Contains(unsafeSchemes, u.Scheme)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Redirects reports whether people may be sent back to an address: one of the client's, byte for
// byte, except that the port of http on loopback may differ (RFC 8252, section 7.3).
func (c OAuthClient) Redirects(uri string) bool {
	if checkRedirect(uri) != nil {
		return false
	}
	return slices.Contains(c.RedirectURIs, uri) || slices.ContainsFunc(c.RedirectURIs, func(known string) bool {
		return withoutPort(known) != "" && withoutPort(known) == withoutPort(uri)
	})
}

// withoutPort returns an address of http on loopback without its port; "" for any other.
func withoutPort(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "http" || !isLoopback(u.Hostname()) {
		return ""
	}
	return strings.Replace(uri, u.Host, strings.TrimSuffix(u.Host, ":"+u.Port()), 1)
}

// RedirectHost returns where an address leads, in words: a host, or "this computer", or the scheme of an
// application.
func RedirectHost(uri string) string {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return ""
	case u.Scheme == "http":
		return "this computer"
	case u.Scheme == "https":
		return u.Host
	}
	return u.Scheme + ":"
}

// AgentScopes are the scopes that an agent may have: what it does not reach are the tenant's keys, members and
// connections.
func AgentScopes() []Scope {
	return []Scope{
		ScopeMissionsRead, ScopeMissionsWrite, ScopeContentRead, ScopeContentWrite, ScopeAnalyticsRead, ScopeIntegrationsRead,
	}
}

// AskedScopes returns the scopes of a request's text that an agent may have, in the order of AgentScopes;
// all of them for "". ok is false if it names others alone.
func AskedScopes(text string) (scopes []Scope, ok bool) {
	named := strings.Fields(text)
	if len(named) == 0 {
		return AgentScopes(), true
	}
	scopes = slices.DeleteFunc(AgentScopes(), func(s Scope) bool { return !slices.Contains(named, string(s)) })
	return scopes, len(scopes) > 0
}

// ScopeText returns scopes as OAuth writes them.
func ScopeText(scopes []Scope) string {
	texts := make([]string, len(scopes))
	for i, s := range scopes {
		texts[i] = string(s)
	}
	return strings.Join(texts, " ")
}

// AgentRequest is an application's request to act for a person (RFC 6749, section 4.1.1).
type AgentRequest struct {
	ClientID, RedirectURI, ResponseType, Scope, State string
	// CodeChallenge and CodeChallengeMethod are PKCE's (RFC 7636).
	CodeChallenge, CodeChallengeMethod string
	// Resource is what the tokens are for (RFC 8707); "" is the server's only one.
	Resource string
}

// AgentRefusal is why a request is refused, with OAuth's code of the error. Its text is for the application's
// maker.
type AgentRefusal struct {
	Code, Text string
	// Param is the parameter that is wrong; "" if it is none by itself.
	Param string
}

func (r *AgentRefusal) Error() string { return r.Code + ": " + r.Text }

// Codes of refusals (RFC 6749, RFC 7591, RFC 8707).
const (
	RefusedRequest   = "invalid_request"
	RefusedClient    = "invalid_client"
	RefusedGrant     = "invalid_grant"
	RefusedScope     = "invalid_scope"
	RefusedTarget    = "invalid_target"
	RefusedResponse  = "unsupported_response_type"
	RefusedGrantType = "unsupported_grant_type"
	RefusedRedirect  = "invalid_redirect_uri"
	RefusedMetadata  = "invalid_client_metadata"
	RefusedByPerson  = "access_denied"
)

// Refuse returns a refusal.
func Refuse(code, param, text string) *AgentRefusal {
	return &AgentRefusal{Code: code, Text: text, Param: param}
}

// Check returns why a request whose client and redirect URI are known is refused, or nil. resource is
// the server's.
func (r AgentRequest) Check(resource string) *AgentRefusal {
	if len(r.State) > MaxState {
		return Refuse(RefusedRequest, "state", "The state is too long.")
	}
	if r.ResponseType != "code" {
		return Refuse(RefusedResponse, "response_type", "The response_type must be code.")
	}
	if r.CodeChallengeMethod != "S256" || len(r.CodeChallenge) != challengeLength || strings.ContainsFunc(r.CodeChallenge, notBase64URL) {
		return Refuse(RefusedRequest, "code_challenge", "PKCE is required: a code_challenge with the code_challenge_method S256.")
	}
	if err := CheckResource(r.Resource, resource); err != nil {
		return err
	}
	if _, ok := AskedScopes(r.Scope); !ok {
		return Refuse(RefusedScope, "scope", "The scopes are "+ScopeText(AgentScopes())+".")
	}
	return nil
}

func notBase64URL(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// CheckResource returns a refusal if tokens are asked for another resource than the server's. One slash at the
// end is ignored.
func CheckResource(asked, resource string) *AgentRefusal {
	if asked == "" || strings.TrimSuffix(asked, "/") == resource {
		return nil
	}
	return Refuse(RefusedTarget, "resource", "The resource must be "+resource+".")
}

// Answer returns the address that gives a request's client an answer, with the server's issuer (RFC 9207).
func (r AgentRequest) Answer(issuer string, answer url.Values) string {
	u, err := url.Parse(r.RedirectURI)
	if err != nil {
		return ""
	}
	q := u.Query()
	for name, values := range answer {
		q[name] = values
	}
	q.Set("iss", issuer)
	if r.State != "" {
		q.Set("state", r.State)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Refused returns the address that tells a request's client that it is refused.
func (r AgentRequest) Refused(issuer string, why *AgentRefusal) string {
	return r.Answer(issuer, url.Values{"error": {why.Code}, "error_description": {why.Text}})
}

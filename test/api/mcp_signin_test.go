package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"missiond/internal/app"
	"missiond/internal/gateway"
	"missiond/internal/testkit"
	"missiond/mission"
)

// authorizing returns the address of another process on the database, which is that of its authorization server too.
func (s *harness) authorizing() string {
	s.t.Helper()
	server := httptest.NewUnstartedServer(nil)
	address := "http://" + server.Listener.Addr().String()
	a := s.another(func(c *app.Config) {
		c.PublicURL, c.Issuer = address, address
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &boundless{}, Now: s.real.Now})
	})
	server.Config.Handler = a.Handler(app.Pages{})
	server.Start()
	testkit.Cleanup(s.t, server.Close)
	return address
}

// person lets programs act, at the address of an authorization server, in a session.
type person struct {
	address, session string
	// allows are GraphQL's names of the scopes that it allows; nil is all that it is asked for.
	allows []string
	// asked are the scopes that it was asked for, each time.
	asked []string
}

// stay doesn't follow redirects.
var stay = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// consents goes where a program sends its browser, and returns where the console's page sends it back to.
func (p *person) consents(ctx context.Context, address string) (back *url.URL, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := stay.Do(r)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	page, err := resp.Location()
	if err != nil {
		return nil, fmt.Errorf("%s leads nowhere: %d, %w", address, resp.StatusCode, err)
	}
	q := page.Query()
	p.asked = append(p.asked, q.Get("scope"))
	input := object{"request": object{
		"clientId": q.Get("client_id"), "redirectUri": q.Get("redirect_uri"), "codeChallenge": q.Get("code_challenge"), "scope": q.Get("scope"), "state": q.Get("state"),
	}}
	if p.allows != nil {
		input["scopes"] = p.allows
	}
	body, err := json.Marshal(object{"query": `mutation ($in: AllowAgentInput!) { allowAgent(input: $in) { redirectUrl } }`, "variables": object{"in": input}})
	if err != nil {
		return nil, err
	}
	if r, err = http.NewRequestWithContext(ctx, http.MethodPost, p.address+"/graphql", bytes.NewReader(body)); err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", p.address)
	r.AddCookie(&http.Cookie{Name: consoleCookie, Value: p.session})
	if resp, err = stay.Do(r); err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var got struct {
		Data struct {
			AllowAgent struct{ RedirectURL string }
		}
		Errors json.RawMessage
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.Data.AllowAgent.RedirectURL == "" {
		return nil, fmt.Errorf("the consent got %d %s, %w", resp.StatusCode, got.Errors, err)
	}
	return url.Parse(got.Data.AllowAgent.RedirectURL)
}

// credentials are a program's tokens, which a test makes lapse.
type credentials struct {
	refresh func(t *oauth2.Token) (*oauth2.Token, error)

	mu   sync.Mutex
	held *oauth2.Token
}

func (c *credentials) Token() (t *oauth2.Token, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, err = c.refresh(c.held); err == nil {
		c.held = t
	}
	return t, err
}

// lapse has the access token refreshed before it is used again, and returns it with its refresh token.
func (c *credentials) lapse() oauth2.Token {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := *c.held
	lapsed := was
	lapsed.Expiry = time.Unix(0, 0)
	c.held = &lapsed
	return was
}

// program is a client of the tools that signs in, as go-sdk does it.
type program struct {
	person  *person
	session *mcp.ClientSession
	tokens  *credentials // since the last sign-in
}

// signIn connects a program for a person.
func (s *harness) signIn(p *person) *program {
	s.t.Helper()
	own := &program{person: p}
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "Go", RedirectURIs: []string{"http://127.0.0.1:7/callback"}, TokenEndpointAuthMethod: "none", GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			back, err := p.consents(ctx, args.URL)
			if err != nil {
				return nil, err
			}
			return &auth.AuthorizationResult{Code: back.Query().Get("code"), State: back.Query().Get("state"), Iss: back.Query().Get("iss")}, nil
		},
		RequestRefreshToken: true,
		NewTokenSource: func(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			own.tokens = &credentials{held: t, refresh: func(t *oauth2.Token) (*oauth2.Token, error) { return c.TokenSource(ctx, t).Token() }}
			return own.tokens, nil
		},
	})
	s.must(err)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	own.session, err = client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: p.address + "/mcp", OAuthHandler: handler, DisableStandaloneSSE: true}, nil)
	s.must(err)
	testkit.Cleanup(s.t, func() { _ = own.session.Close() })
	return own
}

// tools returns the names of the tools that a program sees.
func (s *harness) toolsOf(p *program) (names []string) {
	s.t.Helper()
	list, err := p.session.ListTools(context.Background(), nil)
	s.must(err)
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// calls calls a tool, which must succeed.
func (s *harness) calls(p *program, tool string, args object) {
	s.t.Helper()
	r, err := p.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || r.IsError {
		s.t.Fatalf("%s: %v %+v", tool, err, r)
	}
}

// bearer returns the status of a list of tools with a token.
func (s *harness) bearer(address, token string) int {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, address+"/mcp", strings.NewReader(listing))
	s.must(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := stay.Do(r)
	s.must(err)
	_ = resp.Body.Close()
	return resp.StatusCode
}

// rotates returns what the use of a refresh token gets: the status, and OAuth's code.
func (s *harness) rotates(address, client, token string) (status int, code string) {
	s.t.Helper()
	resp, err := stay.PostForm(address+"/oauth/token", url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {token}})
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	var got struct{ Error string }
	s.must(json.NewDecoder(resp.Body).Decode(&got))
	return resp.StatusCode, got.Error
}

const allScopes = "analytics:read content:read content:write integrations:read missions:read missions:write"

// go-sdk's client signs in, lists and calls tools, and refreshes its tokens. When an old refresh token is used its grant ends, it
// signs in again and, where the person has narrowed what it may do, asks for more.
func TestSignIn(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			s.estate("signs-in")
			who := &person{address: s.authorizing(), session: s.session("signs-in"), allows: []string{"MISSIONS_READ"}}
			p := s.signIn(who)
			if got := s.toolsOf(p); !slices.Contains(got, "missions_list") || slices.Contains(got, "mission_create") || slices.Contains(got, "post_get") {
				t.Errorf("with one scope, it sees %v", got)
			}
			s.calls(p, "missions_list", nil)

			old := p.tokens.lapse()
			s.calls(p, "missions_list", nil)
			fresh := *p.tokens.held
			if fresh.AccessToken == old.AccessToken || fresh.RefreshToken == old.RefreshToken || len(who.asked) != 1 {
				t.Errorf("the tokens weren't refreshed; the person was asked for %q", who.asked)
			}
			s.real.Advance(mission.ReuseLeeway)
			id := s.clientOf(t, "signs-in")
			if status, code := s.rotates(who.address, id, old.RefreshToken); status != http.StatusBadRequest || code != "invalid_grant" {
				t.Errorf("the old refresh token gets %d %q", status, code)
			}
			if status := s.bearer(who.address, fresh.AccessToken); status != http.StatusUnauthorized {
				t.Errorf("then the access token gets %d", status)
			}
			s.calls(p, "missions_list", nil)
			who.allows = nil
			s.calls(p, "mission_create", object{"name": "By Go", "objectives": []string{"Tell it"}, "platforms": []string{"mastodon"}, "duration_days": 3})
			for i, scopes := range who.asked {
				who.asked[i] = strings.Join(slices.Sorted(strings.FieldsSeq(scopes)), " ")
			}
			if want := []string{allScopes, allScopes, "missions:read missions:write"}; !slices.Equal(who.asked, want) {
				t.Errorf("the person was asked for %q", who.asked)
			}
		})
	}
}

// clientOf returns the id of the client that the latest agent of an estate is.
func (s *harness) clientOf(t *testing.T, estate string) string {
	t.Helper()
	p, err := s.Accounts.Identify(t.Context(), s.session(estate))
	s.must(err)
	agents, err := s.DB.Agents(t.Context(), p.TenantID, "", pageOne)
	s.must(err)
	return agents.List[0].ClientID
}

package simulation

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"missiond/internal/identity"
)

// issuer is the identity provider's name.
const issuer = "https://login.example.com"

// memberNames are the members of each tenant's organization. The last may only read.
var memberNames = []string{"ada", "ben", viewer}

const viewer = "viewer"

// mostSessions is how many sessions of a tenant are remembered.
const mostSessions = 20

// provider is the identity provider.
type provider struct{}

// tokenOf returns the identity provider's token of a tenant's member.
func tokenOf(tenant int, name string) string { return fmt.Sprintf("org_%d/%s", tenant, name) }

// Verify implements accounts.IdentityProvider.
func (provider) Verify(_ context.Context, token string) (identity.External, error) {
	org, name, ok := strings.Cut(token, "/")
	if !ok {
		return identity.External{}, identity.ErrExternal
	}
	role := "org:member"
	if name == viewer {
		role = "org:viewer"
	}
	return identity.External{Issuer: issuer, Subject: token, Organization: &identity.Organization{ID: org, Role: role}}, nil
}

// session is a login that a client knows.
type session struct {
	member, token string
	expires       time.Time
	// ends are the requests so far that end it; ended reports whether one was acknowledged.
	ends  int
	ended bool
	// lost is that its next token is under way, or lost.
	lost bool
}

// member is what is known of one.
type member struct {
	userID string
	ends   int // requests that end its sessions, so far
}

// memberOf returns what is known of a member of the tenant.
func (t *tenant) memberOf(name string) *member {
	if t.members == nil {
		t.members = map[string]*member{}
	}
	if t.members[name] == nil {
		t.members[name] = &member{}
	}
	return t.members[name]
}

// as returns the client with another credential.
func (c *client) as(credential string) *client {
	with := *c
	with.tenant = &tenant{n: c.tenant.n, id: c.tenant.id, key: credential}
	return &with
}

// login begins a session.
func (c *client) login() {
	name := one(c.r, memberNames)
	m := c.tenant.memberOf(name)
	ends := m.ends
	a := c.once(http.MethodPost, "/v1/auth/login", map[string]any{"clerk_token": tokenOf(c.tenant.n, name)}, "")
	if a.outcome == unknown {
		return
	}
	var got struct {
		Token     string    `json:"token"`
		ExpiresAt time.Time `json:"expires_at"`
		User      struct{ ID string }
		Tenant    struct{ ID string }
	}
	a.read(&got)
	if a.outcome != done || got.Tenant.ID != c.tenant.id {
		c.s.found("members log in to their tenant", name, c.tenant.id, fmt.Sprintf("%d %s", a.status, a.body))
		return
	}
	m.userID = got.User.ID
	t := c.tenant
	t.sessions = append(t.sessions, &session{member: name, token: got.Token, expires: got.ExpiresAt, ends: m.ends - ends})
	t.sessions = slices.Clone(t.sessions[max(0, len(t.sessions)-mostSessions):])
}

// inSession does some things in a session, one that was begun or a new one.
func (c *client) inSession() {
	fresh := func(s *session) bool { return s.expires.After(time.Now()) && c.r.IntN(4) > 0 }
	if !slices.ContainsFunc(c.tenant.sessions, fresh) {
		c.login()
	}
	for range c.r.IntN(5) {
		if len(c.tenant.sessions) == 0 {
			return
		}
		s := c.tenant.sessions[len(c.tenant.sessions)-1-c.r.IntN(min(3, len(c.tenant.sessions)))]
		switch c.r.IntN(10) {
		case 0:
			c.logout(s)
		case 1:
			c.endMember(s.member)
		case 2, 3, 4:
			c.refresh(s)
		default:
			c.visit(s)
		}
		pause(time.Duration(c.r.Int64N(int64(20 * time.Minute))))
	}
}

// visit reads in a session; the viewer tries to write, too.
func (c *client) visit(s *session) {
	ended, token := s.ended, s.token
	a := c.as(token).once(http.MethodGet, "/v1/auth/whoami", nil, "")
	c.judge(s, token, ended, a)
	if s.member != viewer || len(c.tenant.missions) == 0 {
		return
	}
	if w := c.as(token).once(http.MethodPost, "/v1/missions/"+one(c.r, c.tenant.missions)+"/pause", nil, ""); w.outcome == done {
		c.s.found("who may only read doesn't write", s.member, "403", fmt.Sprint(w.status))
	}
}

// judge holds that a session is let in until its end is tried, and refused once its end was acknowledged: ended
// reports whether it was before the request, which had the token.
func (c *client) judge(s *session, token string, ended bool, a answer) {
	const clocks = 5 * time.Minute // how wrong they are at most, with the time that a request takes
	switch {
	case ended && a.outcome == done:
		c.s.found("a session that was ended is refused", s.member, "401", fmt.Sprint(a.status))
	case s.ends == 0 && !s.lost && s.token == token && s.expires.After(time.Now().Add(clocks)) && a.outcome == declined:
		c.s.found("a session is let in until it ends", s.member, "2xx", fmt.Sprintf("%d %s", a.status, a.body))
	}
}

// refresh gets a session's next token.
func (c *client) refresh(s *session) {
	if s.lost {
		return // a token that was refreshed ends its session
	}
	ended, token := s.ended, s.token
	s.lost = true
	a := c.as(token).once(http.MethodPost, "/v1/auth/refresh", nil, "")
	if a.outcome == unknown {
		return
	}
	s.lost = false
	c.judge(s, token, ended, a)
	if a.outcome == done {
		var next struct {
			Token     string    `json:"token"`
			ExpiresAt time.Time `json:"expires_at"`
		}
		a.read(&next)
		s.token, s.expires = next.Token, next.ExpiresAt
	}
}

// logout ends a session.
func (c *client) logout(s *session) {
	s.ends++
	if a := c.as(s.token).once(http.MethodPost, "/v1/auth/logout", nil, ""); a.outcome == done {
		s.ended = true
	}
	c.visit(s)
}

// endMember ends a member's sessions, or removes the member, who may log in again.
func (c *client) endMember(name string) {
	m := c.tenant.memberOf(name)
	m.ends++
	var all []*session
	for _, s := range c.tenant.sessions {
		if s.member == name {
			s.ends++
			all = append(all, s)
		}
	}
	var a answer
	if c.r.IntN(3) > 0 {
		a = c.do(http.MethodPost, "/v1/members/"+m.userID+"/end_sessions", nil)
	} else {
		a = c.do(http.MethodDelete, "/v1/members/"+m.userID, nil)
	}
	if a.outcome != done {
		return
	}
	for _, s := range all {
		s.ended = true
	}
	c.visit(one(c.r, all))
}

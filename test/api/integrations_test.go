package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/identity"
	"missiond/internal/publisher"
	"missiond/internal/service/integrations"
	"missiond/mission"
	"missiond/store"
)

// fakePlatform is every platform: it accepts one token, password or code, names
// their account, and fails if it is set to.
type fakePlatform struct {
	mu        sync.Mutex
	account   string // the account of the credentials; "1" if empty
	fails     error  // the error of every call
	ended     bool   // the token "good" is refused; a renewed one isn't
	refreshes int
	renewedBy string // the client id and secret of the latest renewal
	grant     mission.Grant
	// limits are its server's own.
	limits mission.TextLimits
}

func (f *fakePlatform) everywhere() map[mission.Platform]publisher.Adapter {
	all := map[mission.Platform]publisher.Adapter{}
	for _, c := range mission.AllCapabilities() {
		if len(c.Connect) > 0 {
			all[c.Platform] = f
		}
	}
	return all
}

func (f *fakePlatform) set(change func(f *fakePlatform)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func unauthorized() error {
	return &mission.PublishError{Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Failure: mission.Failure{
		Code: publisher.CodeUnauthorized, Message: "The platform refused the credentials.",
	}}
}

func (f *fakePlatform) Connect(_ context.Context, c mission.Credentials) (mission.Account, mission.Credentials, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.account
	if id == "" {
		id = "1"
	}
	switch {
	case f.fails != nil:
		return mission.Account{}, c, f.fails
	case c.Password == "good":
		c.AccessToken = "session"
	case c.AccessToken == "good" && f.ended, !strings.HasPrefix(c.AccessToken, "good") && c.AccessToken != "session":
		return mission.Account{}, c, unauthorized()
	}
	c.AccountID = id
	return mission.Account{ID: id, Handle: "acme", Name: "Acme", URL: "https://social.example/@acme", Limits: f.limits}, c, nil
}

func (f *fakePlatform) Refresh(_ context.Context, c mission.Credentials) (mission.Credentials, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refreshes++
	f.renewedBy = c.ClientID + " " + c.ClientSecret
	if f.fails != nil || c.RefreshToken != "renews" {
		return c, unauthorized()
	}
	c.AccessToken = "good, renewed"
	return c, nil
}

func (f *fakePlatform) Publish(context.Context, mission.Credentials, mission.Part) (mission.Publication, error) {
	panic("bug: nothing is published here")
}

func (f *fakePlatform) Find(context.Context, mission.Credentials, mission.Part) (mission.Publication, bool, error) {
	panic("bug: nothing is looked for here")
}

func (f *fakePlatform) Measure(context.Context, mission.Credentials, []mission.Content) (map[string]mission.Metrics, error) {
	panic("bug: nothing is measured here")
}

func (f *fakePlatform) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grant = g
	return "https://social.example/authorize?state=" + g.State, g, nil
}

func (f *fakePlatform) Exchange(_ context.Context, g mission.Grant, code string) (mission.Credentials, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if code != "right" || g.Verifier != f.grant.Verifier {
		return mission.Credentials{}, unauthorized()
	}
	return mission.Credentials{
		Server: g.Server, AccessToken: "good", RefreshToken: "renews", Scopes: []string{"write"}, ClientID: g.ClientID, ClientSecret: g.ClientSecret,
	}, nil
}

func TestIntegrationScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[linkAPI]{
		{"an integration's life", linkLife},
		{"credentials that are refused", badLinks},
		{"an owner's consent", consents},
		{"consents that come to nothing", noConsents},
		{"consents of whoever may no longer", endedConsents},
		{"an integration that is refused, and connected again", reconnects},
		{"several accounts of a platform", severalAccounts},
		{"nobody sees the credentials", secretsStay},
	})
}

func linkLife(s *harness, a linkAPI) {
	got := a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "go od"})
	s.want(got, "invalid_request", "access_token") // contains spaces
	got = a.connect(map[string]any{"platform": "mastodon", "server": "HTTP://127.0.0.1:1/", "access_token": "good"})
	s.want(got, "", "")
	id, _ := got.Fields["id"].(string)
	s.field(got, "platform", "mastodon")
	s.field(got, "status", "connected")
	s.field(got, "auth", "access_token")
	s.field(got, "server", "http://127.0.0.1:1")
	s.field(got, "authorize_url", nil)
	s.equal("the account", s.at(got, "account", "handle"), "acme")
	s.equal("the account's id", s.at(got, "account", "id"), "1")
	bluesky := a.connect(map[string]any{"platform": "bluesky", "identifier": "@acme.example", "app_password": "good"})
	s.field(bluesky, "server", mission.DefaultBlueskyServer)
	s.field(bluesky, "auth", "app_password")

	page := a.links(map[string]any{"limit": 1})
	s.equal("the first page", fmt.Sprint(page.Fields["ids"]), fmt.Sprint([]any{bluesky.Fields["id"]}))
	s.equal("there is more", page.Fields["more"], true)
	s.equal("the total", page.Fields["total"], 2.0)
	page = a.links(map[string]any{"starting_after": bluesky.Fields["id"]})
	s.equal("the next page", fmt.Sprint(page.Fields["ids"]), "["+id+"]")

	tested := a.testLink(id)
	s.field(tested, "ok", true)
	s.field(tested, "status", "connected")
	s.field(tested, "error", nil)

	s.field(a.disconnect(id), "deleted", true)
	s.want(a.link(id), "not_found", "")
	s.want(a.disconnect(id), "not_found", "")
	s.want(a.testLink(id), "not_found", "")
	s.want(a.link("int_x"), "not_found", "")
}

func badLinks(s *harness, a linkAPI) {
	for _, tt := range []struct {
		body  map[string]any
		param string
	}{
		{map[string]any{"platform": "tiktok", "access_token": "good"}, "platform"},
		{map[string]any{"platform": "mastodon", "access_token": "good"}, "server"},
		{map[string]any{"platform": "mastodon", "access_token": "good", "server": "https://mastodon.example/path"}, "server"},
		{map[string]any{"platform": "mastodon", "access_token": "good", "server": "https://a:b@mastodon.example"}, "server"},
		{map[string]any{"platform": "mastodon", "access_token": "good", "server": "10.0.0.1"}, "server"},
		{map[string]any{"platform": "mastodon", "access_token": "good", "server": strings.Repeat("a", 300)}, "server"},
		{map[string]any{"platform": "mastodon", "access_token": "bad", "server": "http://127.0.0.1:1"}, "access_token"},
		{map[string]any{"platform": "mastodon", "access_token": "good", "refresh_token": "x", "server": "http://127.0.0.1:1"}, "refresh_token"},
		{map[string]any{"platform": "mastodon", "access_token": "", "server": "http://127.0.0.1:1"}, "access_token"},
		{map[string]any{"platform": "twitter", "access_token": "good", "server": "x.example"}, "server"},
		{map[string]any{"platform": "twitter", "access_token": strings.Repeat("a", 5000)}, "access_token"},
		{map[string]any{"platform": "twitter", "access_token": "go\nod"}, "access_token"},
		{map[string]any{"platform": "twitter", "access_token": "gööd"}, "access_token"},
		{map[string]any{"platform": "twitter", "refresh_token": "x"}, "refresh_token"},
		{map[string]any{"platform": "twitter", "access_token": "good", "account": "x"}, "account"},
		{map[string]any{"platform": "twitter", "access_token": "good", "return_url": "https://app.example.com/"}, "return_url"},
		{map[string]any{"platform": "bluesky", "app_password": "good"}, "identifier"},
		{map[string]any{"platform": "bluesky", "identifier": "acme"}, "app_password"},
		{map[string]any{"platform": "bluesky", "identifier": "acme", "app_password": "bad"}, "app_password"},
		{map[string]any{"platform": "bluesky", "identifier": "acme", "app_password": "good", "access_token": "good"}, "access_token"},
		{map[string]any{"platform": "linkedin", "return_url": "https://elsewhere.example/"}, "return_url"},
		{map[string]any{"platform": "linkedin", "return_url": "javascript:alert(1)"}, "return_url"},
	} {
		got := a.connect(tt.body)
		if got.Code != "invalid_request" || got.Param != tt.param {
			text, _ := json.Marshal(tt.body)
			s.t.Errorf("%.200s returned %s on %q, want %q", text, got.Code, got.Param, tt.param)
		}
	}
	s.platform.set(func(f *fakePlatform) {
		f.fails = &mission.PublishError{Outcome: mission.OutcomeUnknown, RetryAfter: time.Minute, Failure: mission.Failure{Code: "x", Message: "The platform failed."}}
	})
	s.want(a.connect(map[string]any{"platform": "twitter", "access_token": "good"}), "service_unavailable", "")
	s.want(a.connect(map[string]any{"platform": "mastodon", "access_token": "good", "server": "http://127.0.0.1:1"}), "invalid_request", "server")
	s.equal("nothing is left", a.links(nil).Fields["total"], 0.0)
}

// browser is an owner's browser, with its cookies.
type browser map[string]string

func (b browser) cookie(name string) string { return b[name] }

// open opens the page where an owner's consent begins, and returns the state that
// the platform sends back.
func (s *harness) open(b browser, got result) string {
	s.t.Helper()
	text, _ := got.Fields["authorize_url"].(string)
	start, ok := strings.CutPrefix(text, "http://127.0.0.1"+integrations.StartPath)
	if !ok {
		s.t.Fatalf("got the address %q", text)
	}
	begun, err := s.Integrations.Start(context.Background(), start, b.cookie)
	s.must(err)
	b[begun.Cookie] = begun.Secret
	u, err := url.Parse(begun.Address)
	if err != nil || u.Query().Get("state") == "" || strings.Contains(begun.Address, start) {
		s.t.Fatalf("got the platform's address %q, %v", begun.Address, err)
	}
	return u.Query().Get("state")
}

// back returns the parameters with which a platform redirects an owner's browser.
func back(b browser, platform mission.Platform, state string) integrations.Consent {
	return integrations.Consent{State: state, Code: "right", Path: "/integrations/callback/" + string(platform), Cookie: b.cookie}
}

func consents(s *harness, a linkAPI) {
	ctx, b := context.Background(), browser{}
	got := a.connect(map[string]any{"platform": "twitter", "return_url": "https://app.example.com/settings?tab=2"})
	s.field(got, "status", "pending")
	s.field(got, "auth", "oauth2")
	s.field(got, "account", nil)
	id, _ := got.Fields["id"].(string)
	s.want(a.testLink(id), "conflict", "")
	state := s.open(b, got)
	s.equal("the state of a page that is loaded again", s.open(b, got), state)
	i, page, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, state))
	s.must(err)
	if i.ID != id || page != "https://app.example.com/settings?tab=2" || s.platform.grant.RedirectURL != "http://127.0.0.1/integrations/callback/twitter" {
		s.t.Errorf("got the integration %+v and the redirect %q", i, page)
	}
	linked := a.link(id)
	s.field(linked, "status", "connected")
	s.equal("the scopes", fmt.Sprint(linked.Fields["scopes"]), "[write]")
	// A state is valid once.
	if _, _, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, state)); mission.CodeOf(err) != mission.CodeInvalidRequest {
		s.t.Errorf("a used state returned %v", err)
	}
}

func noConsents(s *harness, a linkAPI) {
	ctx, b := context.Background(), browser{}
	ask := func() string { return s.open(b, a.connect(map[string]any{"platform": "linkedin"})) }
	with := func(state string, change func(in *integrations.Consent)) integrations.Consent {
		in := back(b, mission.LinkedIn, state)
		change(&in)
		return in
	}
	refused := func(name string, in integrations.Consent) {
		s.t.Helper()
		if _, _, err := s.Integrations.Consented(ctx, in); mission.CodeOf(err) != mission.CodeInvalidRequest {
			s.t.Errorf("%s returned %v", name, err)
		}
	}
	for name, in := range map[string]integrations.Consent{
		"no state":           back(b, mission.LinkedIn, ""),
		"a state of nobody":  back(b, mission.LinkedIn, strings.Repeat("A", 52)),
		"the owner says no":  with(ask(), func(in *integrations.Consent) { in.Error = "access_denied" }),
		"no code":            with(ask(), func(in *integrations.Consent) { in.Code = "" }),
		"another's code":     with(ask(), func(in *integrations.Consent) { in.Code = "wrong" }),
		"a state cut in two": back(b, mission.LinkedIn, ask()[:26]),
	} {
		refused(name, in)
	}
	// A state from another browser or another platform is refused, and not used up:
	// the owner's own still succeeds.
	other := browser{}
	s.open(other, a.connect(map[string]any{"platform": "linkedin"}))
	state := ask()
	refused("a browser that began nothing", back(browser{}, mission.LinkedIn, state))
	refused("a browser that began another consent", back(other, mission.LinkedIn, state))
	refused("another platform", back(b, mission.Twitter, state))
	refused("another server", with(state, func(in *integrations.Consent) { in.Path += "/social.example" }))
	refused("another issuer", with(state, func(in *integrations.Consent) { in.Issuer = "https://evil.example" }))
	if _, _, err := s.Integrations.Consented(ctx, with(state, func(in *integrations.Consent) { in.Issuer = "https://social.example" })); err != nil {
		s.t.Errorf("the owner's own browser got %v", err)
	}
	// Opening the page again replaces the browser that opened it before.
	pending := a.connect(map[string]any{"platform": "linkedin"})
	state = s.open(b, pending)
	s.open(other, pending)
	refused("the browser before", back(b, mission.LinkedIn, state))
	late := ask()
	s.real.Advance(16 * time.Minute)
	refused("a consent that comes too late", back(b, mission.LinkedIn, late))
	// Only the latest consents stay open, however many are begun.
	first := ask()
	for range 25 {
		ask()
	}
	refused("the first of many consents", back(b, mission.LinkedIn, first))
	// An integration that was disconnected in the meantime isn't connected again.
	last := a.connect(map[string]any{"platform": "linkedin"})
	state = s.open(b, last)
	id, _ := last.Fields["id"].(string)
	s.field(a.disconnect(id), "deleted", true)
	refused("a consent for an integration that is gone", back(b, mission.LinkedIn, state))
}

// A consent lasts no longer than the credential that began it: the key, the
// session, the role.
func endedConsents(s *harness, a linkAPI) {
	ctx, own := context.Background(), s.key
	admin, err := s.Accounts.Authenticate(ctx, own)
	s.must(err)
	for name, end := range map[string]func() (credential string, ends func()){
		"a key that was revoked": func() (string, func()) {
			k, key, err := s.Accounts.CreateKey(ctx, admin, mission.KeyInput{Name: "short", Scopes: []mission.Scope{mission.ScopeIntegrationsWrite}})
			s.must(err)
			return key, func() { _, _, err := s.Accounts.RevokeKey(ctx, admin, k.ID); s.must(err) }
		},
		"a session that was ended": func() (string, func()) {
			in, err := s.Accounts.Login(ctx, s.token(identity.DevPerson{Email: "ann@example.com"}))
			s.must(err)
			p, err := s.Accounts.Authenticate(ctx, in.Token)
			s.must(err)
			return in.Token, func() { s.must(s.Accounts.Logout(ctx, p)) }
		},
		"a role that was taken": func() (string, func()) {
			_, err := s.Accounts.Login(ctx, s.token(identity.DevPerson{Email: "bob@example.com", Organization: "org_roles", OrganizationRole: "admin"}))
			s.must(err)
			in, err := s.Accounts.Login(ctx, s.token(identity.DevPerson{Email: "eve@example.com", Organization: "org_roles", OrganizationRole: "admin"}))
			s.must(err)
			p, err := s.Accounts.Authenticate(ctx, in.Token)
			s.must(err)
			return in.Token, func() { _, err := s.Accounts.SetMemberRole(ctx, p, p.UserID, mission.RoleViewer); s.must(err) }
		},
	} {
		credential, ends := end()
		s.key = credential
		b, got := browser{}, a.connect(map[string]any{"platform": "twitter"})
		state := s.open(b, got)
		ends()
		if i, _, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, state)); mission.CodeOf(err) != mission.CodeForbidden || i.Status == mission.IntegrationConnected {
			s.t.Errorf("%s connected %v, %v", name, i.Status, err)
		}
		s.key = own
	}
}

func reconnects(s *harness, a linkAPI) {
	got := a.connect(map[string]any{"platform": "twitter", "access_token": "good", "refresh_token": "renews"})
	id, _ := got.Fields["id"].(string)
	// An expired token is renewed by itself.
	s.platform.set(func(f *fakePlatform) { f.ended = true })
	s.field(a.testLink(id), "ok", true)
	s.equal("renewals", s.platform.refreshes, 1)
	s.field(a.testLink(id), "ok", true)
	s.equal("renewals of a good token", s.platform.refreshes, 1)
	// The same account isn't connected twice.
	s.want(a.connect(map[string]any{"platform": "twitter", "access_token": "good2"}), "conflict", "")

	// If it is refused for good, its tenant is notified once.
	s.platform.set(func(f *fakePlatform) { f.fails = unauthorized() })
	for range 2 {
		tested := a.testLink(id)
		s.field(tested, "ok", false)
		s.field(tested, "status", "needs_reconnect")
		s.field(tested, "error", "The platform refused the credentials.")
	}
	s.equal("why", s.at(a.link(id), "last_error", "code"), publisher.CodeUnauthorized)
	notes := a.notifications(map[string]any{"unread": true}).Fields
	s.equal("notifications", notes["total"], 1.0)
	s.field(a.markRead(strings.Trim(fmt.Sprint(notes["ids"]), "[]")), "kind", "integration_needs_reconnect")

	// A failed consent leaves the integration as it is; a successful one connects it.
	ctx, b := context.Background(), browser{}
	pending := a.connect(map[string]any{"platform": "twitter"})
	s.field(pending, "id", id)
	s.field(pending, "status", "needs_reconnect")
	if _, _, err := s.Integrations.Consented(ctx, integrations.Consent{State: s.open(b, pending), Error: "access_denied", Path: "/integrations/callback/twitter", Cookie: b.cookie}); err == nil {
		s.t.Error("a denied consent was accepted")
	}
	s.field(a.link(id), "status", "needs_reconnect")
	s.platform.set(func(f *fakePlatform) { f.fails, f.ended = nil, false })
	_, _, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, s.open(b, a.connect(map[string]any{"platform": "twitter"}))))
	s.must(err)
	s.field(a.link(id), "status", "connected")
	s.field(a.link(id), "last_error", nil)

	// A new token without a refresh token doesn't erase the old refresh token.
	s.platform.set(func(f *fakePlatform) { f.fails = unauthorized() })
	s.field(a.testLink(id), "ok", false)
	s.platform.set(func(f *fakePlatform) { f.fails = nil })
	s.field(a.connect(map[string]any{"platform": "twitter", "access_token": "good"}), "id", id)
	s.platform.set(func(f *fakePlatform) { f.ended, f.refreshes = true, 0 })
	s.field(a.testLink(id), "ok", true)
	s.equal("renewals", s.platform.refreshes, 1)
}

func severalAccounts(s *harness, a linkAPI) {
	as := func(account string) map[string]any {
		s.platform.set(func(f *fakePlatform) { f.account = account })
		return map[string]any{"platform": "twitter", "access_token": "good"}
	}
	id := func(got result) string {
		s.want(got, "", "")
		text, _ := got.Fields["id"].(string)
		return text
	}
	one, two, three := id(a.connect(as("1"))), id(a.connect(as("2"))), id(a.connect(as("3")))
	for n, link := range []string{one, two, three} {
		s.field(a.link(link), "default", n == 0)
		s.field(a.link(link), "label", nil)
	}
	s.want(a.connect(as("2")), "conflict", "")
	s.equal("the total", a.links(nil).Fields["total"], 3.0)

	// One of them is the default, and each may have a label.
	got := a.updateLink(two, map[string]any{"default": true, "label": " German "})
	s.field(got, "default", true)
	s.field(got, "label", "German")
	s.field(a.link(one), "default", false)
	s.field(a.updateLink(two, map[string]any{"default": true}), "label", "German")
	s.field(a.updateLink(two, map[string]any{"label": ""}), "label", nil)
	s.want(a.updateLink(two, map[string]any{"default": false}), "invalid_request", "default")
	s.want(a.updateLink(two, map[string]any{"label": "two\nlines"}), "invalid_request", "label")
	s.want(a.updateLink(two, map[string]any{"label": strings.Repeat("a", 101)}), "invalid_request", "label")
	s.want(a.updateLink("int_x", map[string]any{"label": "a"}), "not_found", "")

	// The oldest that is left takes the place of a default that goes. An account that is
	// connected again is itself again, but not the default.
	s.field(a.disconnect(two), "deleted", true)
	s.field(a.link(one), "default", true)
	s.equal("the total", a.links(nil).Fields["total"], 2.0)
	s.equal("the id of the same account", id(a.connect(as("2"))), two)
	s.field(a.link(two), "default", false)

	// An owner's consent for an account that has an integration is that one's; for another
	// account it makes one.
	ctx, b := context.Background(), browser{}
	consent := func(account string) (mission.Integration, error) {
		as(account)
		i, _, err := s.Integrations.Consented(ctx, back(b, mission.Twitter, s.open(b, a.connect(map[string]any{"platform": "twitter"}))))
		return i, err
	}
	if _, err := consent("1"); mission.CodeOf(err) != mission.CodeConflict {
		s.t.Errorf("a consent for a connected account returned %v", err)
	}
	four, err := consent("4")
	s.must(err)
	s.equal("the total", a.links(nil).Fields["total"], 4.0)
	s.field(a.disconnect(three), "deleted", true)
	again, err := consent("3")
	s.must(err)
	s.equal("the id after a consent", again.ID, three)
	s.equal("the total", a.links(nil).Fields["total"], 4.0)
	s.field(a.link(four.ID), "default", false)

	// A mission posts to accounts of its own tenant's, on its platforms.
	chosen := func(ids ...any) map[string]any {
		return map[string]any{"platforms": []any{"twitter"}, "integration_ids": ids}
	}
	m := s.make(a, chosen(two, one))
	s.field(a.read(m), "integration_ids", []any{two, one})
	s.field(a.read(s.make(a, nil)), "integration_ids", []any{})
	bluesky := id(a.connect(map[string]any{"platform": "bluesky", "identifier": "acme", "app_password": "good"}))
	s.key = s.keys["theirs"]
	theirs := id(a.connect(as("9")))
	s.key = s.keys["ours"]
	for _, bad := range []string{"int_01jd0000000000000000000000", "x", two, theirs, bluesky} {
		s.want(a.create(body(chosen(two, bad))), "invalid_request", "integration_ids[1]")
	}
}

func secretsStay(s *harness, a linkAPI) {
	secret := "good" + strings.Repeat("s3cr3t", 5)
	got := a.connect(map[string]any{"platform": "twitter", "access_token": secret, "refresh_token": secret + "2"})
	id, _ := got.Fields["id"].(string)
	for name, fields := range map[string]map[string]any{"connect": got.Fields, "read": a.link(id).Fields, "test": a.testLink(id).Fields, "audit": s.audited()} {
		if text, err := json.Marshal(fields); err != nil || strings.Contains(string(text), "s3cr3t") {
			s.t.Errorf("%s shows the credentials: %s", name, text)
		}
	}
	var kept string
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		list, err := tx.SealedIntegrations(context.Background(), "", 10)
		for _, i := range list {
			text, _ := json.Marshal(i)
			kept += string(text)
		}
		return err
	}))
	if kept == "" || strings.Contains(kept, "s3cr3t") {
		s.t.Errorf("the database contains %s", kept)
	}
}

// audited returns the newest entry of the audit log.
func (s *harness) audited() map[string]any {
	s.t.Helper()
	p, err := s.Accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	log, err := s.Accounts.AuditLog(context.Background(), p, mission.AuditFilter{}, pageOne)
	s.must(err)
	if log.List[0].Action != mission.AuditIntegrationConnected {
		s.t.Errorf("got the newest entry %s", log.List[0].Action)
	}
	return map[string]any{"entry": log.List[0]}
}

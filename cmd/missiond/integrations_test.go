package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/service"
	"missiond/mission"
	"missiond/store"
)

// fakePlatform is every platform: it takes one token, password or code, tells
// whose they are, and answers as it is told.
type fakePlatform struct {
	mu        sync.Mutex
	account   string // whose the credentials are; "1" where it is ""
	fails     error  // what every call answers
	ended     bool   // the token "good" is refused; one that is renewed isn't
	refreshes int
	grant     mission.Grant
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
	return &mission.PublishError{Outcome: mission.OutcomeNotTaken, Unauthorized: true, Failure: mission.Failure{
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
	return mission.Account{ID: id, Handle: "acme", Name: "Acme", URL: "https://social.example/@acme"}, c, nil
}

func (f *fakePlatform) Refresh(_ context.Context, c mission.Credentials) (mission.Credentials, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refreshes++
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
	return mission.Credentials{Server: g.Server, AccessToken: "good", RefreshToken: "renews", Scopes: []string{"write"}}, nil
}

func TestIntegrationScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[linkAPI]{
		{"an integration's life", linkLife},
		{"credentials that are refused", badLinks},
		{"an owner's consent", consents},
		{"consents that come to nothing", noConsents},
		{"an integration that is refused, and connected again", reconnects},
		{"nobody sees the credentials", secretsStay},
	})
}

func linkLife(s *stage, a linkAPI) {
	got := a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "go od"})
	s.want(got, "invalid_request", "access_token") // spaces within
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

func badLinks(s *stage, a linkAPI) {
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
			s.t.Errorf("%.200s answers %s on %q, want %q", text, got.Code, got.Param, tt.param)
		}
	}
	s.platform.set(func(f *fakePlatform) {
		f.fails = &mission.PublishError{Outcome: mission.OutcomeUnknown, RetryAfter: time.Minute, Failure: mission.Failure{Code: "x", Message: "The platform failed."}}
	})
	s.want(a.connect(map[string]any{"platform": "twitter", "access_token": "good"}), "service_unavailable", "")
	s.want(a.connect(map[string]any{"platform": "mastodon", "access_token": "good", "server": "http://127.0.0.1:1"}), "invalid_request", "server")
	s.equal("nothing is left", a.links(nil).Fields["total"], 0.0)
}

// state is what the platform was asked to give back.
func (s *stage) state(got answer) string {
	s.t.Helper()
	text, _ := got.Fields["authorize_url"].(string)
	u, err := url.Parse(text)
	if err != nil || u.Query().Get("state") == "" {
		s.t.Fatalf("the address is %q", text)
	}
	return u.Query().Get("state")
}

func consents(s *stage, a linkAPI) {
	ctx := context.Background()
	got := a.connect(map[string]any{"platform": "twitter", "return_url": "https://app.example.com/settings?tab=2"})
	s.field(got, "status", "pending")
	s.field(got, "auth", "oauth2")
	s.field(got, "account", nil)
	id, _ := got.Fields["id"].(string)
	s.want(a.testLink(id), "conflict", "")
	i, back, err := s.integrations.Consented(ctx, service.Consent{State: s.state(got), Code: "right"})
	s.must(err)
	if i.ID != id || back != "https://app.example.com/settings?tab=2" || s.platform.grant.RedirectURL != "http://127.0.0.1/integrations/callback" {
		s.t.Errorf("connected is %+v, the browser goes on to %q", i, back)
	}
	linked := a.link(id)
	s.field(linked, "status", "connected")
	s.equal("the scopes", fmt.Sprint(linked.Fields["scopes"]), "[write]")
	// Once is enough.
	if _, _, err := s.integrations.Consented(ctx, service.Consent{State: s.state(got), Code: "right"}); mission.CodeOf(err) != mission.CodeInvalidRequest {
		s.t.Errorf("a state that was used answers %v", err)
	}
}

func noConsents(s *stage, a linkAPI) {
	ctx := context.Background()
	ask := func() string { return s.state(a.connect(map[string]any{"platform": "linkedin"})) }
	for name, in := range map[string]service.Consent{
		"no state":           {Code: "right"},
		"a state of nobody":  {State: strings.Repeat("A", 52), Code: "right"},
		"the owner says no":  {State: ask(), Error: "access_denied"},
		"no code":            {State: ask()},
		"another's code":     {State: ask(), Code: "wrong"},
		"a state cut in two": {State: ask()[:26], Code: "right"},
	} {
		if _, _, err := s.integrations.Consented(ctx, in); mission.CodeOf(err) != mission.CodeInvalidRequest {
			s.t.Errorf("%s answers %v", name, err)
		}
	}
	late := ask()
	s.clock.Advance(16 * time.Minute)
	if _, _, err := s.integrations.Consented(ctx, service.Consent{State: late, Code: "right"}); mission.CodeOf(err) != mission.CodeInvalidRequest {
		s.t.Errorf("a consent that comes too late answers %v", err)
	}
	// Whoever asks ever again has the latest consents to wait for, not all.
	first := ask()
	for range 25 {
		ask()
	}
	if _, _, err := s.integrations.Consented(ctx, service.Consent{State: first, Code: "right"}); mission.CodeOf(err) != mission.CodeInvalidRequest {
		s.t.Errorf("the first of many consents answers %v", err)
	}
	// An integration that was disconnected meanwhile isn't connected again.
	last := a.connect(map[string]any{"platform": "linkedin"})
	id, _ := last.Fields["id"].(string)
	s.field(a.disconnect(id), "deleted", true)
	if _, _, err := s.integrations.Consented(ctx, service.Consent{State: s.state(last), Code: "right"}); mission.CodeOf(err) != mission.CodeInvalidRequest {
		s.t.Errorf("a consent for an integration that is gone answers %v", err)
	}
}

func reconnects(s *stage, a linkAPI) {
	got := a.connect(map[string]any{"platform": "twitter", "access_token": "good", "refresh_token": "renews"})
	id, _ := got.Fields["id"].(string)
	// A token that has ended is renewed without anybody's doing.
	s.platform.set(func(f *fakePlatform) { f.ended = true })
	s.field(a.testLink(id), "ok", true)
	s.equal("renewals", s.platform.refreshes, 1)
	s.field(a.testLink(id), "ok", true)
	s.equal("renewals of a good token", s.platform.refreshes, 1)
	// A new token without what renews it doesn't wipe what does.
	s.field(a.connect(map[string]any{"platform": "twitter", "access_token": "good2"}), "id", id)
	s.platform.set(func(f *fakePlatform) { f.ended = false })
	s.field(a.connect(map[string]any{"platform": "twitter", "access_token": "good"}), "id", id)
	s.platform.set(func(f *fakePlatform) { f.ended = true })
	s.field(a.testLink(id), "ok", true)
	s.equal("renewals", s.platform.refreshes, 2)

	// Refused for good, its tenant is told once.
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

	// A consent that comes to nothing leaves it as it is; one that does connects it.
	ctx := context.Background()
	asked := a.connect(map[string]any{"platform": "twitter"})
	s.field(asked, "id", id)
	s.field(asked, "status", "needs_reconnect")
	if _, _, err := s.integrations.Consented(ctx, service.Consent{State: s.state(asked), Error: "access_denied"}); err == nil {
		s.t.Error("a consent that wasn't given is taken")
	}
	s.field(a.link(id), "status", "needs_reconnect")
	s.platform.set(func(f *fakePlatform) { f.fails, f.ended = nil, false })
	_, _, err := s.integrations.Consented(ctx, service.Consent{State: s.state(a.connect(map[string]any{"platform": "twitter"})), Code: "right"})
	s.must(err)
	s.field(a.link(id), "status", "connected")
	s.field(a.link(id), "last_error", nil)
	// Another account is another integration.
	s.platform.set(func(f *fakePlatform) { f.account = "2" })
	s.want(a.connect(map[string]any{"platform": "twitter", "access_token": "good"}), "conflict", "")
	s.field(a.disconnect(id), "deleted", true)
	s.equal("the other account", s.at(a.connect(map[string]any{"platform": "twitter", "access_token": "good"}), "account", "id"), "2")
}

func secretsStay(s *stage, a linkAPI) {
	secret := "good" + strings.Repeat("s3cr3t", 5)
	got := a.connect(map[string]any{"platform": "twitter", "access_token": secret, "refresh_token": secret + "2"})
	id, _ := got.Fields["id"].(string)
	for name, fields := range map[string]map[string]any{"connect": got.Fields, "read": a.link(id).Fields, "test": a.testLink(id).Fields, "audit": s.audited()} {
		if text, err := json.Marshal(fields); err != nil || strings.Contains(string(text), "s3cr3t") {
			s.t.Errorf("%s shows the credentials: %s", name, text)
		}
	}
	var kept string
	s.must(s.db.Tx(context.Background(), func(tx store.Tx) error {
		list, err := tx.SealedIntegrations(context.Background(), "", 10)
		for _, i := range list {
			text, _ := json.Marshal(i)
			kept += string(text)
		}
		return err
	}))
	if kept == "" || strings.Contains(kept, "s3cr3t") {
		s.t.Errorf("the database keeps %s", kept)
	}
}

// audited answers the newest entry of the audit log.
func (s *stage) audited() map[string]any {
	s.t.Helper()
	p, err := s.accounts.Authenticate(context.Background(), s.key)
	s.must(err)
	log, _, err := s.accounts.AuditLog(context.Background(), p, pageOne)
	s.must(err)
	if log[0].Action != mission.AuditIntegrationConnected {
		s.t.Errorf("the log's newest entry is %s", log[0].Action)
	}
	return map[string]any{"entry": log[0]}
}

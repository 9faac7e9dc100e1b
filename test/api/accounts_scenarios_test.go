package api

import (
	"context"
	"encoding/base64"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/app"
	"missiond/internal/identity"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/test/internal/output"
)

var accountScenarios = []scenario[accountsAPI]{
	{"a first login makes a tenant", firstLogin},
	{"an organisation is a tenant", organisations},
	{"bad tokens", badTokens},
	{"refresh and replay", refreshAndReplay},
	{"logout", logsOut},
	{"a key's life", keysLife},
	{"bad input of keys", badKeys},
	{"rotation and its grace", rotation},
	{"keys have the rights of their scopes", scopesOfKeys},
	{"what is for sessions only", sessionsOnly},
	{"onboarding", onboards},
	{"settings", settings},
	{"members and the audit log", membersAndAudit},
}

func TestAccountScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, accountScenarios)
}

// token returns a token of the identity provider.
func (s *harness) token(who identity.DevPerson) string {
	s.t.Helper()
	token, err := s.provider.Token(who, time.Minute)
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}

// logIn logs a person in, who is the caller from then on, and returns the response.
func (s *harness) logIn(a accountsAPI, who identity.DevPerson) result {
	s.t.Helper()
	got := a.login(map[string]any{"clerk_token": s.token(who)})
	if got.Code != "" {
		s.t.Fatalf("login answers %s on %q", got.Code, got.Param)
	}
	s.key = got.Fields["token"].(string)
	return got
}

// at returns the value at a path of a response's fields.
func (s *harness) at(got result, path ...string) any {
	s.t.Helper()
	if got.Code != "" {
		s.t.Fatalf("got the error %s on %q", got.Code, got.Param)
	}
	var value any = got.Fields
	for _, name := range path {
		value = value.(map[string]any)[name]
	}
	return value
}

func (s *harness) equal(what string, got, want any) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s is %#v, want %#v", what, got, want)
	}
}

var ann = identity.DevPerson{Email: "ann@example.com", Name: "Ann"}

func firstLogin(s *harness, a accountsAPI) {
	s.key = "" // nobody yet
	got := s.logIn(a, ann)
	s.field(got, "expires_at", "2026-11-21T09:00:00.000Z")
	s.equal("the e-mail", s.at(got, "user", "email"), "ann@example.com")
	who := a.whoami()
	s.equal("the user", s.at(who, "user", "id"), s.at(got, "user", "id"))
	s.equal("the tenant", s.at(who, "tenant", "id"), s.at(got, "tenant", "id"))
	s.equal("the role", s.at(who, "user", "role"), "admin")
	s.field(who, "auth_method", "session")
	s.equal("the scopes", len(s.at(who, "scopes").([]any)), len(mission.AllScopes()))
	again := s.logIn(a, identity.DevPerson{Email: "Ann@example.com"})
	s.equal("the user again", s.at(again, "user", "id"), s.at(got, "user", "id"))
	s.equal("the kept name", s.at(again, "user", "name"), "Ann")
	nameless := s.logIn(a, identity.DevPerson{Email: "bob@example.com"})
	s.equal("the missing name", s.at(nameless, "user", "name"), nil)
	if s.at(nameless, "tenant", "id") == s.at(got, "tenant", "id") {
		s.t.Error("two people without an organisation share a tenant")
	}
}

func member(email, role string) identity.DevPerson {
	return identity.DevPerson{Email: email, Organization: "org_1", OrganizationSlug: "acme", OrganizationRole: role}
}

func organisations(s *harness, a accountsAPI) {
	first := s.logIn(a, member("first@example.com", "org:member"))
	s.equal("the first one's role", s.at(a.whoami(), "user", "role"), "editor")
	s.equal("the slug", s.at(a.whoami(), "tenant", "slug"), "acme")
	second := s.logIn(a, member("second@example.com", "org:member"))
	s.equal("the tenant", s.at(second, "tenant", "id"), s.at(first, "tenant", "id"))
	s.equal("the second one's role", s.at(a.whoami(), "user", "role"), "editor")
	s.make(a, nil)
	s.want(a.createKey(map[string]any{"name": "x"}), "forbidden", "")
	// The role follows the organisation's at the next login.
	s.logIn(a, member("second@example.com", "org:guest"))
	s.equal("the role", s.at(a.whoami(), "user", "role"), "viewer")
	s.want(a.create(body(nil)), "forbidden", "")
	s.field(a.list(nil), "total", 1.0)
	elsewhere := s.logIn(a, identity.DevPerson{Email: "first@example.com", Organization: "org_2", OrganizationSlug: "acme", OrganizationRole: "admin"})
	if s.at(elsewhere, "tenant", "id") == s.at(first, "tenant", "id") {
		s.t.Error("two organisations share a tenant")
	}
	s.equal("the second acme's slug", s.at(a.whoami(), "tenant", "slug"), "acme") // slugs aren't unique
}

func badTokens(s *harness, a accountsAPI) {
	session := s.logIn(a, ann).Fields["token"].(string)
	external := s.token(ann)
	s.want(a.login(map[string]any{"clerk_token": ""}), "invalid_request", "clerk_token")
	for _, token := range []string{"x", session, external + "x", strings.Repeat("x", 40_000)} {
		s.want(a.login(map[string]any{"clerk_token": token}), "unauthorized", "")
	}
	for _, credential := range []string{"", external, session + "x", session[:len(session)-2], "cms_live_x", strings.Repeat("x", 40_000)} {
		s.key = credential
		s.want(a.whoami(), "unauthorized", "")
		s.want(a.refresh(), "unauthorized", "")
		s.want(a.logout(), "unauthorized", "")
	}
	s.real.Advance(time.Minute + 6*time.Second)
	s.want(a.login(map[string]any{"clerk_token": external}), "unauthorized", "")
	s.key = session
	s.real.Advance(time.Hour)
	s.want(a.whoami(), "unauthorized", "")
	s.want(a.refresh(), "unauthorized", "")
}

func refreshAndReplay(s *harness, a accountsAPI) {
	first := s.logIn(a, ann).Fields["token"].(string)
	works := func(what, token string, want bool) {
		s.t.Helper()
		s.key = token
		if got := a.whoami(); (got.Code == "") != want {
			s.t.Errorf("%s answers %q", what, got.Code)
		}
	}
	s.real.Advance(30 * time.Minute)
	got := a.refresh()
	s.field(got, "expires_at", "2026-11-21T09:30:00.000Z")
	second := s.at(got, "token").(string)
	works("the new token", second, true)
	works("the old one", first, true)
	s.real.Advance(9 * time.Second)
	works("the old one after 9 s", first, true)
	third := s.at(a.refresh(), "token").(string)
	works("the second token of a refresh", third, true)
	s.real.Advance(time.Second)
	works("the old one after 10 s", first, false)
	works("the new one after 10 s", second, true)
	s.key = first
	s.want(a.refresh(), "unauthorized", "")
	works("the new one after a replay", second, false)
	works("the second token after a replay", third, false)
	s.key = second
	s.want(a.refresh(), "unauthorized", "")
}

func logsOut(s *harness, a accountsAPI) {
	first := s.logIn(a, ann).Fields["token"].(string)
	second := s.logIn(a, ann).Fields["token"].(string)
	next := s.at(a.refresh(), "token").(string)
	s.field(a.logout(), "success", true)
	for _, token := range []string{second, next} {
		s.key = token
		s.want(a.whoami(), "unauthorized", "")
		s.want(a.refresh(), "unauthorized", "")
	}
	s.key = first
	s.equal("the other session", s.at(a.whoami(), "auth_method"), "session")
}

func keysLife(s *harness, a accountsAPI) {
	admin := s.key
	got := a.createKey(map[string]any{"name": " CI ", "scopes": []any{"content:read", "missions:read"}, "expires_in_days": 2})
	s.field(got, "name", "CI")
	s.field(got, "expires_at", "2026-11-23T08:00:00.000Z")
	s.field(got, "created_at", "2026-11-21T08:00:00.000Z")
	secret, id := got.Fields["key"].(string), got.Fields["id"].(string)
	s.field(got, "key_prefix", secret[:16])
	if len(got.Fields) != 8 { // the interface's seven, and the notice
		s.t.Errorf("got the fields %v of a new key", got.Fields)
	}
	s.key = secret
	who := a.whoami()
	s.field(who, "auth_method", "api_key")
	s.field(who, "scopes", []any{"missions:read", "content:read"})
	s.key = admin
	if err := s.Accounts.FlushUsage(context.Background()); err != nil {
		s.t.Fatal(err)
	}
	read := a.readKey(id)
	for name, want := range map[string]any{
		"id": id, "name": "CI", "key_prefix": secret[:16], "scopes": []any{"missions:read", "content:read"}, "status": "active",
		"expires_at": "2026-11-23T08:00:00.000Z", "created_at": "2026-11-21T08:00:00.000Z", "last_used_at": "2026-11-21T08:00:00.000Z",
		"usage": map[string]any{"total_requests": 1.0, "last_30_days": 1.0},
	} {
		s.field(read, name, want)
	}
	if len(read.Fields) != 11 { // the interface's nine, and who made it
		s.t.Errorf("got the fields %v of a key", read.Fields)
	}
	s.field(a.listKeys(nil), "total", 2.0)
	s.equal("the newest key", s.at(a.listKeys(map[string]any{"limit": 1}), "ids").([]string)[0], id)
	s.clock.Advance(48*time.Hour - time.Millisecond)
	s.key = secret
	s.field(a.whoami(), "auth_method", "api_key")
	s.clock.Advance(time.Millisecond)
	s.want(a.whoami(), "unauthorized", "")
	s.key = admin
	s.field(a.readKey(id), "status", "revoked")

	forever := a.createKey(map[string]any{"name": "forever"})
	s.field(forever, "expires_at", nil)
	s.equal("all scopes", len(forever.Fields["scopes"].([]any)), len(mission.AllScopes()))
	id = forever.Fields["id"].(string)
	s.field(a.readKey(id), "last_used_at", nil)
	s.field(a.revokeKey(id), "status", "revoked")
	s.clock.Advance(time.Hour)
	s.field(a.revokeKey(id), "revoked_at", "2026-11-23T08:00:00.000Z")
	s.key = forever.Fields["key"].(string)
	s.want(a.whoami(), "unauthorized", "")
}

func badKeys(s *harness, a accountsAPI) {
	for _, bad := range []struct {
		body  map[string]any
		param string
	}{
		{map[string]any{}, "name"},
		{map[string]any{"name": 5}, "name"},
		{map[string]any{"name": "a", "scopes": []any{}}, "scopes"},
		{map[string]any{"name": "a", "scopes": []any{"missions:read", "root"}}, "scopes[1]"},
		{map[string]any{"name": "a", "expires_in_days": 0}, "expires_in_days"},
		{map[string]any{"name": "a", "expires_in_days": "1"}, "expires_in_days"},
	} {
		s.want(a.createKey(bad.body), "invalid_request", bad.param)
	}
	s.field(a.listKeys(nil), "total", 1.0)
	s.want(a.listKeys(map[string]any{"starting_after": "key_x"}), "invalid_request", "starting_after")
	s.want(a.listKeys(map[string]any{"limit": -1}), "invalid_request", "limit")
	for _, id := range []string{"key_x", "key_01jd0000000000000000000000", "msn_01jd0000000000000000000000"} {
		s.want(a.readKey(id), "not_found", "")
		s.want(a.revokeKey(id), "not_found", "")
		s.want(a.rotateKey(id, nil), "not_found", "")
	}
}

func rotation(s *harness, a accountsAPI) {
	admin := s.key
	made := a.createKey(map[string]any{"name": "CI", "scopes": []any{"missions:read"}})
	id, secret := made.Fields["id"].(string), made.Fields["key"].(string)
	for _, days := range []any{-1, 91} {
		s.want(a.rotateKey(id, map[string]any{"grace_period_days": days}), "invalid_request", "grace_period_days")
	}
	got := a.rotateKey(id, nil)
	s.equal("the old key", s.at(got, "old_key", "status"), "rotating")
	s.equal("its end", s.at(got, "old_key", "valid_until"), "2026-11-28T08:00:00.000Z")
	s.equal("the new key's scope", s.at(got, "new_key", "scopes").([]any)[0], "missions:read")
	next, _ := s.at(got, "new_key", "key").(string)
	if next == "" {
		next = s.at(got, "key").(string) // GraphQL has it beside the key
	}
	s.want(a.rotateKey(id, nil), "conflict", "")
	s.clock.Advance(7*24*time.Hour - time.Millisecond)
	for _, key := range []string{secret, next} {
		s.key = key
		s.field(a.whoami(), "auth_method", "api_key")
	}
	s.clock.Advance(time.Millisecond)
	s.field(a.whoami(), "auth_method", "api_key")
	s.key = secret
	s.want(a.whoami(), "unauthorized", "")
	s.key = admin
	s.field(a.readKey(id), "status", "revoked")
	s.want(a.rotateKey(id, nil), "conflict", "")
	s.field(a.revokeKey(id), "revoked_at", "2026-11-28T08:00:00.000Z")
	nextID := s.at(got, "new_key", "id").(string)
	s.equal("without a grace", s.at(a.rotateKey(nextID, map[string]any{"grace_period_days": 0}), "old_key", "status"), "revoked")
}

func scopesOfKeys(s *harness, a accountsAPI) {
	mine := s.make(a, map[string]any{"start_immediately": true})
	reader := a.createKey(map[string]any{"name": "reader", "scopes": []any{"missions:read"}}).Fields["key"].(string)
	writer := a.createKey(map[string]any{"name": "writer", "scopes": []any{"missions:write"}}).Fields["key"].(string)
	s.key = reader
	s.field(a.read(mine), "status", "active")
	s.want(a.pause(mine), "forbidden", "")
	s.want(a.listKeys(nil), "forbidden", "")
	s.want(a.settings(), "forbidden", "")
	s.want(a.auditLog(nil), "forbidden", "")
	s.key = writer
	s.want(a.read(mine), "forbidden", "")
	s.field(a.pause(mine), "status", "paused")
}

func sessionsOnly(s *harness, a accountsAPI) {
	s.want(a.logout(), "invalid_request", "")
	s.want(a.refresh(), "invalid_request", "")
	s.want(a.onboard(map[string]any{"name": "x"}), "invalid_request", "")
	s.field(a.whoami(), "auth_method", "api_key")
}

func onboards(s *harness, a accountsAPI) {
	s.logIn(a, ann)
	before := a.settings()
	for _, bad := range []struct {
		body  map[string]any
		param string
	}{
		{map[string]any{"name": ""}, "name"},
		{map[string]any{"name": "Acme", "slug": "No"}, "slug"},
		{map[string]any{"name": "Acme", "brand": map[string]any{"website": "x"}}, "brand.website"},
		{map[string]any{"name": "Acme", "slug": "acme", "mission": body(map[string]any{"platforms": []any{}})}, "mission.platforms"},
		{map[string]any{"name": "Acme", "slug": "acme", "mission": body(map[string]any{"constraints": map[string]any{"posts_per_day": 99}})}, "mission.constraints.posts_per_day"},
		{map[string]any{"name": "Acme", "slug": "acme", "mission": body(map[string]any{"integration_ids": []any{"int_01jd0000000000000000000000"}})}, "mission.integration_ids[0]"},
	} {
		s.want(a.onboard(bad.body), "invalid_request", bad.param)
	}
	s.field(a.settings(), "name", before.Fields["name"]) // nothing half done
	s.field(a.list(nil), "total", 0.0)
	got := a.onboard(map[string]any{
		"name": "Acme", "slug": "acme", "brand": map[string]any{"voice": "dry", "excluded_topics": []any{"politics"}},
		"mission": body(map[string]any{"start_immediately": true}),
	})
	s.equal("the name", s.at(got, "tenant", "name"), "Acme")
	s.equal("the slug", s.at(got, "tenant", "slug"), "acme")
	s.equal("the voice", s.at(got, "brand", "voice"), "dry")
	s.equal("the audience", s.at(got, "brand", "audience"), nil)
	s.equal("the mission", s.at(got, "mission", "status"), "active")
	if steps := s.at(got, "next_steps").([]any); len(steps) == 0 {
		s.t.Error("next steps are empty")
	}
	s.equal("the topics", s.at(a.settings(), "brand", "excluded_topics").([]any)[0], "politics")
	s.logIn(a, identity.DevPerson{Email: "bob@example.com"})
	s.equal("another's slug", s.at(a.onboard(map[string]any{"name": "Acme", "slug": "acme"}), "tenant", "slug"), "acme")
	s.equal("without a mission", s.at(a.onboard(map[string]any{"name": "Acme too"}), "mission"), nil)
}

func settings(s *harness, a accountsAPI) {
	s.field(a.settings(), "plan", "free")
	s.want(a.updateSettings(map[string]any{"slug": "theirs!"}), "invalid_request", "slug")
	taken := s.keys["theirs"]
	s.key = taken
	slug := a.settings().Fields["slug"].(string)
	s.key = s.keys["ours"]
	s.field(a.updateSettings(map[string]any{"slug": slug}), "slug", slug) // like a slug that nobody has
	s.field(a.updateSettings(map[string]any{"slug": "nobodys"}), "slug", "nobodys")
	got := a.updateSettings(map[string]any{"name": "New", "brand": map[string]any{"voice": "loud"}})
	s.field(got, "name", "New")
	got = a.updateSettings(map[string]any{"brand": map[string]any{"audience": "all"}})
	s.equal("the kept voice", s.at(got, "brand", "voice"), "loud")
	s.field(got, "name", "New")
	brandRules(s, a)
}

// brandRules sets all rules of a brand, and reads them.
func brandRules(s *harness, a accountsAPI) {
	for param, brand := range map[string]map[string]any{
		"brand.examples[0]":        {"examples": []any{" "}},
		"brand.required_words":     {"required_words": []any{"a", "b", "c", "d", "e", "f"}},
		"brand.banned_words[1]":    {"banned_words": []any{"a", ""}},
		"brand.hashtags.always[0]": {"hashtags": map[string]any{"always": []any{"two words"}}},
		"brand.hashtags.max":       {"hashtags": map[string]any{"max": 31}},
		"brand.facts[0].text":      {"facts": []any{map[string]any{"text": " "}}},
		"brand.facts[1].text":      {"facts": []any{map[string]any{"text": "It is new."}, map[string]any{"text": "It is new."}}},
		"brand.facts[0].source":    {"facts": []any{map[string]any{"text": "It is new.", "source": "https://"}}},
		"brand.language":           {"language": "english"},
	} {
		s.want(a.updateSettings(map[string]any{"brand": brand}), "invalid_request", param)
	}
	fact := map[string]any{"text": "It is new.", "source": "https://acme.example/new", "expires_at": "2030-01-01T00:00:00Z"}
	rules := map[string]any{
		"language": "en-GB", "examples": []any{"We ship."}, "required_words": []any{"Acme"}, "banned_words": []any{"synergy"},
		"hashtags": map[string]any{"max": 3, "always": []any{"acme"}}, "facts": []any{fact, map[string]any{"text": "It is round."}},
	}
	s.updateAll(a, rules)
	got := a.settings()
	for name, want := range map[string]any{
		"language": "en-GB", "examples": []any{"We ship."}, "required_words": []any{"Acme"}, "banned_words": []any{"synergy"},
		"hashtags": map[string]any{"max": 3.0, "always": []any{"#acme"}},
	} {
		if found := s.at(got, "brand", name); !reflect.DeepEqual(found, want) {
			s.t.Errorf("got the brand's %s %v, want %v", name, found, want)
		}
	}
	facts := s.at(got, "brand", "facts").([]any)
	if len(facts) != 2 || facts[0].(map[string]any)["source"] != fact["source"] || facts[1].(map[string]any)["source"] != nil || facts[1].(map[string]any)["expires_at"] != nil {
		s.t.Errorf("got the facts %v", facts)
	}
	s.updateAll(a, map[string]any{
		"language": "", "examples": []any{}, "required_words": []any{}, "banned_words": []any{}, "hashtags": map[string]any{}, "facts": []any{},
	})
	s.equal("no facts", len(s.at(a.settings(), "brand", "facts").([]any)), 0)
	s.equal("no language", s.at(a.settings(), "brand", "language"), nil)
}

// updateAll changes a brand.
func (s *harness) updateAll(a accountsAPI, brand map[string]any) {
	s.t.Helper()
	if got := a.updateSettings(map[string]any{"brand": brand}); got.Code != "" {
		s.t.Errorf("got %s on %q for %v", got.Code, got.Param, brand)
	}
}

func membersAndAudit(s *harness, a accountsAPI) {
	admin := s.logIn(a, member("first@example.com", "admin"))
	adminToken, adminID := s.key, s.at(admin, "user", "id").(string)
	other := s.logIn(a, member("second@example.com", "viewer"))
	otherToken, otherID := s.key, s.at(other, "user", "id").(string)
	s.want(a.members(nil), "forbidden", "")
	s.key = adminToken
	s.equal("members", len(s.at(a.members(nil), "ids").([]string)), 2)
	s.want(a.setRole(otherID, "root"), "invalid_request", "role")
	s.want(a.setRole("usr_01jd0000000000000000000000", "editor"), "not_found", "")
	s.want(a.setRole(adminID, "editor"), "conflict", "")
	s.field(a.setRole(otherID, "admin"), "role", "admin")
	// It takes effect at once, and is kept whatever the provider names later.
	s.key = otherToken
	s.equal("the new role", s.at(a.whoami(), "user", "role"), "admin")
	s.logIn(a, member("second@example.com", "viewer"))
	s.equal("the kept role", s.at(a.whoami(), "user", "role"), "admin")
	secret := a.createKey(map[string]any{"name": "x"}).Fields["key"].(string)
	s.key = adminToken
	s.field(a.setRole(otherID, "viewer"), "role", "viewer")
	s.key = secret // its creator may only read now
	s.want(a.listKeys(nil), "forbidden", "")
	s.want(a.create(body(nil)), "forbidden", "")
	s.field(a.list(nil), "total", 0.0)
	s.key = adminToken
	s.field(a.auditLog(nil), "total", 5.0) // two joined, two roles, one key
	page := a.auditLog(map[string]any{"limit": 2})
	s.field(page, "more", true)
	last := s.at(page, "ids").([]string)[1]
	s.equal("the rest", len(s.at(a.auditLog(map[string]any{"starting_after": last}), "ids").([]string)), 3)
	s.want(a.auditLog(map[string]any{"starting_after": otherID}), "invalid_request", "starting_after")
	now := s.real.Now()
	for name, tt := range map[string]struct {
		filter map[string]any
		total  float64
	}{
		"an action":                {map[string]any{"action": "member.role_changed"}, 2},
		"a target's":               {map[string]any{"target_id": otherID, "action": "member.role_changed"}, 2},
		"another target's":         {map[string]any{"target_id": adminID, "action": "member.role_changed"}, 0},
		"a user's":                 {map[string]any{"user_id": otherID, "action": "api_key.created"}, 1},
		"another user's":           {map[string]any{"user_id": adminID, "action": "api_key.created"}, 0},
		"a key's":                  {map[string]any{"key_id": "key_01jd0000000000000000000000"}, 0},
		"a target that isn't ours": {map[string]any{"target_id": "usr_01jd0000000000000000000000"}, 0},
		"since a while":            {map[string]any{"created_from": now.Add(-time.Hour).Format(time.RFC3339)}, 5},
		"of before":                {map[string]any{"created_to": now.Add(-time.Hour).Format(time.RFC3339)}, 0},
		"of now":                   {map[string]any{"created_from": now.Add(-time.Hour).Format(time.RFC3339), "created_to": now.Add(time.Hour).Format(time.RFC3339)}, 5},
	} {
		got := a.auditLog(tt.filter)
		s.equal(name+", the total", s.at(got, "total"), tt.total)
		s.equal(name+", the entries", float64(len(s.at(got, "ids").([]string))), tt.total)
	}
	s.want(a.auditLog(map[string]any{"user_id": adminID[:10]}), "invalid_request", "user_id")
	s.want(a.auditLog(map[string]any{"key_id": adminID}), "invalid_request", "key_id")
	s.want(a.auditLog(map[string]any{"created_from": now.Format(time.RFC3339), "created_to": now.Add(-time.Hour).Format(time.RFC3339)}), "invalid_request", "created_from")
	s.key = s.keys["theirs"]
	s.field(a.auditLog(map[string]any{"target_id": otherID}), "total", 0.0)
	s.want(a.auditLog(map[string]any{"starting_after": last}), "invalid_request", "starting_after")
	s.want(a.setRole(otherID, "admin"), "not_found", "")
}

// Of 50 concurrent refreshes of one token all get tokens of one family: after the
// leeway the first token is invalid, theirs are valid, and one replay ends them
// all.
func TestConcurrentRefreshes(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			ctx := context.Background()
			first, err := s.Accounts.Login(ctx, s.token(ann))
			if err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			tokens := make([]string, 50)
			for i := range tokens {
				all.Go(func() {
					issued, err := s.Accounts.Refresh(ctx, first.Token)
					if err != nil {
						t.Error(err)
					}
					tokens[i] = issued.Token
				})
			}
			all.Wait()
			live := func() (n int) {
				for _, token := range tokens {
					if _, err := s.Accounts.Authenticate(ctx, token); err == nil {
						n++
					}
				}
				return n
			}
			s.real.Advance(mission.RefreshLeeway)
			if _, err := s.Accounts.Authenticate(ctx, first.Token); err == nil || live() != len(tokens) {
				t.Errorf("the first token returned %v, %d of its successors are valid", err, live())
			}
			// One family: refreshing any of the tokens supersedes all of them.
			next, err := s.Accounts.Refresh(ctx, tokens[7])
			if err != nil {
				t.Fatal(err)
			}
			s.real.Advance(mission.RefreshLeeway)
			if n := live(); n != 0 {
				t.Errorf("%d superseded tokens are still valid", n)
			}
			if _, err := s.Accounts.Refresh(ctx, first.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
				t.Errorf("a replay returned %v", err)
			}
			if _, err := s.Accounts.Authenticate(ctx, next.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
				t.Errorf("after a replay the last token returned %v", err)
			}
		})
	}
}

// A session ends 30 days after its login, no matter how often it is refreshed.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	ctx := context.Background()
	issued, err := s.Accounts.Login(ctx, s.token(ann))
	if err != nil {
		t.Fatal(err)
	}
	end := s.real.Now().Add(mission.SessionLife)
	for s.real.Now().Add(mission.TokenLife).Before(end) {
		s.real.Advance(mission.TokenLife - time.Second)
		if issued, err = s.Accounts.Refresh(ctx, issued.Token); err != nil {
			t.Fatal(err)
		}
	}
	if !issued.ExpiresAt.Equal(end) {
		t.Errorf("the last token expires at %s, want %s", issued.ExpiresAt, end)
	}
	s.real.Advance(end.Sub(s.real.Now()))
	if _, err := s.Accounts.Authenticate(ctx, issued.Token); mission.CodeOf(err) != mission.CodeUnauthorized {
		t.Errorf("after the session's end its token returned %v", err)
	}
}

// Concurrent first logins create one tenant and one user.
func TestConcurrentFirstLogins(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			var all sync.WaitGroup
			users := make([]mission.User, 24)
			for i := range users {
				who := member([]string{"a@example.com", "b@example.com", "c@example.com"}[i%3], "")
				token := s.token(who)
				all.Go(func() {
					issued, err := s.Accounts.Login(context.Background(), token)
					if err != nil {
						t.Error(err)
					}
					users[i] = issued.User
				})
			}
			all.Wait()
			distinct, tenants, admins := map[string]bool{}, map[string]bool{}, map[string]bool{}
			for _, u := range users {
				distinct[u.ID], tenants[u.TenantID] = true, true
				if u.Role == mission.RoleAdmin {
					admins[u.ID] = true
				}
			}
			if len(distinct) != 3 || len(tenants) != 1 || len(admins) != 1 {
				t.Errorf("got %d users in %d tenants with %d admins, want 3, 1, 1", len(distinct), len(tenants), len(admins))
			}
		})
	}
}

// Authentication takes one statement, and none for a malformed credential.
func TestAuthenticationStatements(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	session, err := s.Accounts.Login(context.Background(), s.token(ann))
	if err != nil {
		t.Fatal(err)
	}
	good := identity.NewKey()
	for credential, want := range map[string]int64{
		s.key: 1, session.Token: 1, good: 1, good[:len(good)-1] + "~": 0, "cms_live_x": 0, "": 0, "a.b.c": 0,
		session.Token + "x": 0, s.token(ann): 0, strings.Repeat("x", 100_000): 0,
	} {
		before := s.faults.Statements()
		_, _ = s.Accounts.Authenticate(context.Background(), credential)
		if got := s.faults.Statements() - before; got != want {
			t.Errorf("authenticating %.20q took %d statements, want %d", credential, got, want)
		}
	}
}

// A new signing key is used from two minutes after its creation, by every process,
// and nobody is logged out; the old one is removed once no token needs it.
func TestSigningKeysRotate(t *testing.T) {
	s := newHarness(t, testkit.Postgres)
	ctx, one, two := context.Background(), s.Accounts, s.another(func(*app.Config) {}).Accounts
	login := func(a *accounts.Service) (token, kid string) {
		t.Helper()
		issued, err := a.Login(ctx, s.token(ann))
		s.must(err)
		header, err := base64.RawURLEncoding.DecodeString(strings.Split(issued.Token, ".")[0])
		s.must(err)
		return issued.Token, output.Between(string(header), `"kid":"`, `"`)
	}
	works := func(what, token string) {
		t.Helper()
		for i, a := range []*accounts.Service{one, two} {
			if _, err := a.Authenticate(ctx, token); err != nil {
				t.Errorf("%s returned %v in process %d", what, err, i)
			}
		}
	}
	first, old := login(one)
	s.must(one.RotateSigningKey(ctx))
	s.must(one.MaintainKeys(ctx))
	if _, kid := login(one); kid != old {
		t.Error("the new key signs before the other processes have read it")
	}
	s.real.Advance(2 * time.Minute)
	second, kid := login(one)
	if kid == old {
		t.Error("the new key isn't used for signing")
	}
	works("the old key's token", first)
	works("the new key's token", second) // process two reads the new key
	s.real.Advance(mission.TokenLife - 3*time.Minute)
	works("the old key's last token", first)
	s.real.Advance(3 * mission.TokenLife)
	s.must(errors.Join(one.MaintainKeys(ctx), two.MaintainKeys(ctx)))
	keys, err := s.DB.SigningKeys(ctx)
	s.must(err)
	if len(keys) != 1 || keys[0].ID != kid {
		t.Errorf("got %d keys, want only the new one", len(keys))
	}
	s.real.Advance(31 * 24 * time.Hour)
	s.must(errors.Join(one.MaintainKeys(ctx), two.MaintainKeys(ctx)))
	s.real.Advance(2 * time.Minute)
	third, next := login(two)
	if next == kid {
		t.Error("a key isn't replaced after a month")
	}
	works("the next month's token", third)
}

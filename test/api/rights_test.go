package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
	"missiond/test/internal/webhooktest"
)

var rightsScenarios = []scenario[accountsAPI]{
	{"the provider's roles rule", providersRoles},
	{"the first without a role", firstWithoutARole},
	{"keys end with the key that made them", keysOfKeys},
	{"a rotated key's keys end with its grace", keysOfRotatedKeys},
	{"no scopes are all of them, loudly", loudScopes},
}

func TestRightsScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, rightsScenarios)
}

// role checks the caller's current role.
func (s *harness) role(a accountsAPI, want string) {
	s.t.Helper()
	s.equal("the role", s.at(a.whoami(), "user", "role"), want)
}

func providersRoles(s *harness, a accountsAPI) {
	s.logIn(a, member("first@example.com", "org:guest"))
	s.role(a, "viewer")
	s.want(a.createKey(map[string]any{"name": "x"}), "forbidden", "")
	s.logIn(a, member("second@example.com", ""))
	s.role(a, "viewer") // the provider names roles: the first member isn't special
	admin := s.logIn(a, member("third@example.com", "org:admin"))
	s.role(a, "admin")
	session := s.key
	s.equal("a key's name", s.at(a.createKey(map[string]any{"name": "x"}), "name"), "x")
	// A demotion by the provider takes effect at once, for earlier sessions too.
	s.logIn(a, member("third@example.com", "org:member"))
	s.key = session
	s.role(a, "editor")
	s.want(a.listKeys(nil), "forbidden", "")
	s.logIn(a, member("third@example.com", "org:admin"))
	entries := s.at(a.auditLog(nil), "total")
	s.equal("entries", entries, 6.0) // three joins, a key, two role changes
	s.equal("the user", s.at(a.whoami(), "user", "id"), s.at(admin, "user", "id"))
}

func firstWithoutARole(s *harness, a accountsAPI) {
	s.logIn(a, member("first@example.com", ""))
	s.role(a, "admin")
	first := s.key
	secret := a.createKey(map[string]any{"name": "x"}).Fields["key"].(string)
	s.logIn(a, member("second@example.com", ""))
	s.role(a, "viewer")
	s.logIn(a, member("third@example.com", "member"))
	s.key = first
	s.role(a, "admin") // nobody has been named yet
	s.logIn(a, member("fourth@example.com", "admin"))
	s.role(a, "admin")
	for _, credential := range []string{first, secret} {
		s.key = credential
		s.want(a.listKeys(nil), "forbidden", "")
	}
	s.logIn(a, member("first@example.com", ""))
	s.role(a, "viewer")
	s.logIn(a, ann) // her own tenant is hers
	s.role(a, "admin")
	s.logIn(a, ann)
	s.role(a, "admin")
}

// newKey creates a key and returns its id and secret.
func (s *harness) newKey(a accountsAPI, body map[string]any) (id, secret string) {
	s.t.Helper()
	got := a.createKey(body)
	return s.at(got, "id").(string), s.at(got, "key").(string)
}

// invalid checks that credentials are refused.
func (s *harness) invalid(a accountsAPI, secrets ...string) {
	s.t.Helper()
	before := s.key
	for _, secret := range secrets {
		s.key = secret
		s.want(a.whoami(), "unauthorized", "")
	}
	s.key = before
}

func keysOfKeys(s *harness, a accountsAPI) {
	s.logIn(a, ann)
	session, userID := s.key, s.at(a.whoami(), "user", "id")
	id, brief := s.newKey(a, map[string]any{"name": "brief", "expires_in_days": 1})
	s.equal("its maker", s.at(a.readKey(id), "created_by_key_id"), nil)
	s.key = brief
	childID, child := s.newKey(a, map[string]any{"name": "child"})
	s.key = child
	grandchildID, grandchild := s.newKey(a, map[string]any{"name": "grandchild", "expires_in_days": 3650, "scopes": []any{"missions:read"}})
	rotated := a.rotateKey(childID, map[string]any{"grace_period_days": 1})
	nextID := s.at(rotated, "new_key", "id").(string)
	next, _ := s.at(rotated, "new_key", "key").(string)
	if next == "" {
		next = s.at(rotated, "key").(string)
	}
	s.key = session
	for made, maker := range map[string]string{childID: id, grandchildID: childID, nextID: childID} {
		read := a.readKey(made)
		s.field(read, "expires_at", "2026-11-22T08:00:00.000Z") // the first one's
		s.field(read, "created_by_key_id", maker)
		s.field(read, "created_by_user_id", userID)
	}
	got := a.revokeKey(id)
	s.field(got, "status", "revoked")
	s.equal("what ended with it", len(s.at(got, "also_revoked").([]any)), 3)
	s.invalid(a, brief, child, grandchild, next)
	s.equal("what ended with it again", len(s.at(a.revokeKey(id), "also_revoked").([]any)), 0)
	s.field(a.readKey(grandchildID), "status", "revoked")
	revocations, entries := 0, s.auditActions()
	for _, action := range entries {
		if action == mission.AuditKeyRevoked {
			revocations++
		}
	}
	s.equal("entries of revocations", revocations, 4)
}

// auditActions returns the actions of the newest entries of the caller's tenant.
func (s *harness) auditActions() (actions []mission.AuditAction) {
	s.t.Helper()
	p, err := s.Accounts.Identify(context.Background(), s.key)
	s.must(err)
	entries, err := s.Accounts.AuditLog(context.Background(), p, mission.AuditFilter{}, store.Page{Limit: 100})
	s.must(err)
	for _, e := range entries.List {
		actions = append(actions, e.Action)
	}
	return actions
}

func keysOfRotatedKeys(s *harness, a accountsAPI) {
	admin := s.key
	id, secret := s.newKey(a, map[string]any{"name": "CI"})
	s.key = secret
	childID, child := s.newKey(a, map[string]any{"name": "child"})
	s.key = child
	_, grandchild := s.newKey(a, map[string]any{"name": "grandchild"})
	s.key = admin
	s.field(a.readKey(childID), "expires_at", nil)
	s.equal("the grace's end", s.at(a.rotateKey(id, map[string]any{"grace_period_days": 2}), "old_key", "valid_until"), "2026-11-23T08:00:00.000Z")
	s.field(a.readKey(childID), "expires_at", "2026-11-23T08:00:00.000Z")
	s.key = secret // still valid for two days, as are the keys it creates now
	_, late := s.newKey(a, map[string]any{"name": "late"})
	s.clock.Advance(48*time.Hour - time.Millisecond)
	for _, each := range []string{child, grandchild, late} {
		s.key = each
		s.field(a.whoami(), "auth_method", "api_key")
	}
	s.clock.Advance(time.Millisecond)
	s.invalid(a, secret, child, grandchild, late)
}

func loudScopes(s *harness, a accountsAPI) {
	got := a.createKey(map[string]any{"name": "x"})
	if notice, _ := s.at(got, "notice").(string); !strings.Contains(notice, "every scope") {
		s.t.Errorf("got the notice %q for a key with all scopes", notice)
	}
	s.field(a.createKey(map[string]any{"name": "x", "scopes": []any{"missions:read"}}), "notice", nil)
}

// A key that is revoked while it creates keys leaves none behind, and neither does
// one with creations under way.
func TestRevokedWhileMaking(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			ctx := context.Background()
			admin, err := s.Accounts.Identify(ctx, s.key)
			s.must(err)
			k, secret, err := s.Accounts.CreateKey(ctx, admin, mission.KeyInput{Name: "parent"})
			s.must(err)
			// The principals outlive their keys, as those of concurrent requests do.
			parent, err := s.Accounts.Identify(ctx, secret)
			s.must(err)
			var mu sync.Mutex
			secrets, principals := []string{}, []mission.Principal{parent}
			var all sync.WaitGroup
			for i := range 24 {
				all.Go(func() {
					mu.Lock()
					p := principals[i%len(principals)]
					mu.Unlock()
					_, secret, err := s.Accounts.CreateKey(ctx, p, mission.KeyInput{Name: "made"})
					if mission.CodeOf(err) == mission.CodeUnauthorized {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					defer mu.Unlock()
					secrets = append(secrets, secret)
					if p, err := s.Accounts.Identify(ctx, secret); err == nil {
						principals = append(principals, p)
					}
				})
				if i == 8 {
					all.Go(func() {
						if _, _, err := s.Accounts.RevokeKey(ctx, admin, k.ID); err != nil {
							t.Error(err)
						}
					})
				}
			}
			all.Wait()
			for _, secret := range secrets {
				if _, err := s.Accounts.Identify(ctx, secret); mission.CodeOf(err) != mission.CodeUnauthorized {
					t.Errorf("a key created with a revoked one returned %v", err)
				}
			}
			for _, p := range principals {
				if _, _, err := s.Accounts.CreateKey(ctx, p, mission.KeyInput{Name: "late"}); mission.CodeOf(err) != mission.CodeUnauthorized {
					t.Errorf("a revoked key created another: %v", err)
				}
			}
		})
	}
}

func TestEventRightsScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[hookAPI]{{"events go only to who may read them", eventRights}})
}

// scopedKey makes a key with scopes the caller.
func (s *harness) scopedKey(admin string, scopes ...mission.Scope) {
	s.t.Helper()
	p, err := s.Accounts.Identify(context.Background(), admin)
	s.must(err)
	_, s.key, err = s.Accounts.CreateKey(context.Background(), p, mission.KeyInput{Name: "scoped", Scopes: scopes})
	s.must(err)
}

// Managing endpoints doesn't give access to events.
func eventRights(s *harness, a hookAPI) {
	r := webhooktest.NewReceiver(s.t, http.StatusOK)
	admin := s.key
	id := s.newHook(a, r.URL, "mission.created").Fields["id"].(string)
	s.make(a, nil)
	s.deliver()
	d := a.deliveries(id, nil).Fields["ids"].([]string)[0]
	mine := map[string]any{"url": r.URL + "/mine", "events": []any{"mission.created"}}
	since := map[string]any{"since": "2026-11-21T08:00:00Z"}

	s.scopedKey(admin, mission.ScopeIntegrationsWrite, mission.ScopeIntegrationsRead)
	s.want(a.createHook(mine), "forbidden", "")
	s.want(a.replay(id, since), "forbidden", "")
	s.want(a.redeliver(id, d), "forbidden", "")
	for _, sends := range []map[string]any{{"url": r.URL + "/mine"}, {"events": []any{"content.created"}}, {"enabled": true}} {
		s.want(a.updateHook(id, sends), "forbidden", "")
	}
	attempt := s.at(a.delivery(id, d), "attempts").([]any)[0].(map[string]any)
	s.equal("the attempt's status", attempt["status_code"], 200.0)
	s.equal("the receiver's answer", attempt["response"], "")
	// Changes that send no events are allowed.
	s.equal("a test", s.at(a.testHook(id), "delivered"), true)
	s.field(a.updateHook(id, map[string]any{"enabled": false}), "enabled", false)
	s.equal("a new secret", s.at(a.rotateHook(id), "secret") != "", true)

	s.scopedKey(admin, mission.ScopeIntegrationsWrite, mission.ScopeIntegrationsRead, mission.ScopeMissionsRead)
	s.field(a.updateHook(id, map[string]any{"enabled": true}), "enabled", true)
	s.field(a.replay(id, since), "events", 1.0)
	s.field(a.redeliver(id, d), "status", "pending")
	attempt = s.at(a.delivery(id, d), "attempts").([]any)[0].(map[string]any)
	s.equal("the receiver's answer", attempt["response"], "so it is")
	s.equal("a new endpoint", s.at(a.createHook(mine), "status"), "active")
	// An endpoint stays active when its creator is gone.
	s.key = admin
	before := len(r.Messages())
	s.make(a, nil)
	s.deliver()
	if got := len(r.Messages()) - before; got < 2 {
		s.t.Errorf("got %d messages at two endpoints of an event and its redelivery", got)
	}
}

func TestMemberScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[accountsAPI]{
		{"a member is removed", removesMembers},
		{"sessions end everywhere", endsSessions},
		{"a tenant is to be deleted", deletesTenants},
		{"a tenant is on hold", holdsTenants},
	})
}

func removesMembers(s *harness, a accountsAPI) {
	boss := s.logIn(a, member("boss@example.com", "admin"))
	admin, bossID := s.key, s.at(boss, "user", "id").(string)
	other := s.logIn(a, member("other@example.com", "admin"))
	session, otherID := s.key, s.at(other, "user", "id").(string)
	second := s.logIn(a, member("other@example.com", "admin")).Fields["token"].(string)
	keyID, secret := s.newKey(a, map[string]any{"name": "theirs"})
	goneID, _ := s.newKey(a, map[string]any{"name": "gone"})
	s.field(a.revokeKey(goneID), "status", "revoked")

	s.key = admin
	s.want(a.removeMember("usr_01jd0000000000000000000000", "keep"), "not_found", "")
	s.want(a.removeMember(bossID, "keep"), "conflict", "")
	got := a.removeMember(otherID, "keep")
	s.field(got, "sessions_ended", 2.0)
	keys := s.at(got, "keys").([]any)
	s.equal("keys that go on", len(keys), 1)
	s.equal("the key", keys[0].(map[string]any)["id"], keyID)
	s.invalid(a, session, second)
	s.field(a.members(nil), "total", 1.0)
	s.equal("members", len(s.at(a.members(nil), "ids").([]string)), 1)
	s.want(a.setRole(otherID, "viewer"), "not_found", "")
	s.want(a.removeMember(otherID, "keep"), "not_found", "")
	s.key = secret // whose creator was removed
	who := a.whoami()
	s.equal("the key's maker", s.at(who, "user", "id"), otherID)
	s.equal("their e-mail", s.at(who, "user", "email"), nil)
	s.want(a.removeMember(bossID, "keep"), "conflict", "") // the last admin

	// A user whom the organisation still has comes back as a new user.
	back := s.logIn(a, member("other@example.com", "admin"))
	backID := s.at(back, "user", "id").(string)
	if backID == otherID {
		s.t.Error("the returning user has their former rights")
	}
	ended, third := s.newKey(a, map[string]any{"name": "third"})
	s.key = admin
	got = a.removeMember(backID, "")
	keys = s.at(got, "keys").([]any)
	s.equal("keys that ended", len(keys), 1)
	s.equal("the ended key", keys[0].(map[string]any)["id"], ended)
	s.equal("its status", keys[0].(map[string]any)["status"], "revoked")
	s.invalid(a, third)
	s.key = secret
	s.field(a.whoami(), "auth_method", "api_key") // the other member's key was kept
	s.key = s.keys["theirs"]
	s.want(a.removeMember(bossID, "keep"), "not_found", "")
}

func endsSessions(s *harness, a accountsAPI) {
	s.logIn(a, member("boss@example.com", "admin"))
	admin := s.key
	other := s.logIn(a, member("other@example.com", "member"))
	first, id := s.key, s.at(other, "user", "id").(string)
	second := s.logIn(a, member("other@example.com", "member")).Fields["token"].(string)
	s.want(a.endSessions(id), "forbidden", "")
	s.key = admin
	s.field(a.endSessions(id), "sessions_ended", 2.0)
	s.invalid(a, first, second)
	s.key = first
	s.want(a.refresh(), "unauthorized", "")
	s.key = admin
	s.field(a.endSessions(id), "sessions_ended", 0.0)
	s.logIn(a, member("other@example.com", "member")) // they may log in again
	s.role(a, "editor")
	s.key = s.keys["theirs"]
	s.want(a.endSessions(id), "not_found", "")
}

func holdsTenants(s *harness, a accountsAPI) {
	s.logIn(a, member("boss@example.com", "admin"))
	admin := s.key
	m := s.make(a, map[string]any{"start_immediately": true})
	s.logIn(a, member("viewer@example.com", "viewer"))
	s.want(a.holdTenant(map[string]any{"reason": "x"}), "forbidden", "")
	s.field(a.hold(), "reason", nil)
	s.logIn(a, member("other@example.com", "member"))
	me := a.whoami().Fields["user"].(map[string]any)["id"]
	s.want(a.releaseTenant(), "conflict", "")
	s.want(a.holdTenant(map[string]any{"reason": " "}), "invalid_request", "reason")
	s.want(a.holdTenant(map[string]any{"reason": "x", "until": "2026-11-21T07:59:00Z"}), "invalid_request", "until")
	s.field(a.holdTenant(map[string]any{"reason": "An accident", "until": "2026-11-21T12:00:00Z"}), "until", "2026-11-21T12:00:00.000Z")
	s.field(a.hold(), "held_by", me)
	s.field(a.holdTenant(map[string]any{"reason": "Still unclear"}), "until", nil)
	s.want(a.pause(m), "", "")
	s.want(a.resume(m), "conflict", "")
	s.key = s.keys["theirs"]
	s.field(a.hold(), "reason", nil)
	s.key = admin
	s.field(a.hold(), "reason", "Still unclear")
	s.field(a.releaseTenant(), "reason", "Still unclear")
	s.field(a.hold(), "reason", nil)
	s.field(a.resume(m), "status", "active")
}

func deletesTenants(s *harness, a accountsAPI) {
	s.logIn(a, member("boss@example.com", "admin"))
	admin := s.key
	m := s.make(a, map[string]any{"start_immediately": true})
	_, secret := s.newKey(a, map[string]any{"name": "CI"})
	s.logIn(a, member("other@example.com", "member"))
	editor := s.key
	s.want(a.deleteTenant("acme"), "forbidden", "")
	s.key = secret
	s.want(a.deleteTenant("acme"), "invalid_request", "")
	s.key = admin
	s.want(a.restoreTenant(), "conflict", "")
	s.want(a.deleteTenant("acne"), "invalid_request", "confirm")
	s.field(a.settings(), "deletes_at", nil)
	s.field(a.deleteTenant("acme"), "deletes_at", "2026-12-05T08:00:00.000Z")
	// Its missions stop; its keys and all sessions but those of its admins are invalid.
	s.field(a.read(m), "status", "paused")
	s.invalid(a, secret, editor)
	s.want(a.resume(m), "conflict", "")
	s.want(a.create(body(nil)), "conflict", "")
	s.want(a.createKey(map[string]any{"name": "x"}), "conflict", "")
	s.want(a.deleteTenant("acme"), "conflict", "")
	s.want(a.login(map[string]any{"clerk_token": s.token(member("third@example.com", "member"))}), "conflict", "")
	s.logIn(a, member("boss@example.com", "admin"))
	s.field(a.restoreTenant(), "deletes_at", nil)
	s.field(a.read(m), "status", "paused") // until it is resumed
	s.field(a.resume(m), "status", "active")
	for _, credential := range []string{secret, editor} {
		s.key = credential
		s.field(a.read(m), "status", "active")
	}
	s.key = admin
	s.field(a.deleteTenant("acme"), "deletes_at", "2026-12-05T08:00:00.000Z")
	s.clock.Advance(mission.DeletionGrace - time.Minute)
	s.want(a.restoreTenant(), "conflict", "")
	s.clock.Advance(time.Minute)
	s.invalid(a, admin)
	actions := map[mission.AuditAction]int{}
	s.key = admin
	entries, err := s.DB.AuditLog(context.Background(), s.tenantOf(m), mission.AuditFilter{}, store.Page{Limit: 100})
	s.must(err)
	for _, e := range entries.List {
		actions[e.Action]++
	}
	s.equal("requests in the audit log", actions[mission.AuditDeletionAsked], 2)
	s.equal("restorations", actions[mission.AuditRestored], 1)
}

// tenantOf returns the tenant of a mission.
func (s *harness) tenantOf(missionID string) string {
	s.t.Helper()
	found, err := s.DB.WatchedMissions(context.Background(), []string{missionID})
	s.must(err)
	return found[0].Mission.TenantID
}

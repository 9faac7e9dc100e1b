package main

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/mission"
	"missiond/store"
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

// role is what the caller is now.
func (s *stage) role(a accountsAPI, want string) {
	s.t.Helper()
	s.equal("the role", s.at(a.whoami(), "user", "role"), want)
}

func providersRoles(s *stage, a accountsAPI) {
	s.enter(a, member("first@example.com", "org:guest"))
	s.role(a, "viewer")
	s.want(a.createKey(map[string]any{"name": "x"}), "forbidden", "")
	s.enter(a, member("second@example.com", ""))
	s.role(a, "viewer") // the provider names roles: nobody is first
	admin := s.enter(a, member("third@example.com", "org:admin"))
	s.role(a, "admin")
	session := s.key
	s.equal("a key's name", s.at(a.createKey(map[string]any{"name": "x"}), "name"), "x")
	// A demotion by the provider holds at once, for the sessions before it too.
	s.enter(a, member("third@example.com", "org:member"))
	s.key = session
	s.role(a, "editor")
	s.want(a.listKeys(nil), "forbidden", "")
	s.enter(a, member("third@example.com", "org:admin"))
	entries := s.at(a.auditLog(nil), "total")
	s.equal("entries", entries, 6.0) // three joined, a key, two changes of a role
	s.equal("the user", s.at(a.whoami(), "user", "id"), s.at(admin, "user", "id"))
}

func firstWithoutARole(s *stage, a accountsAPI) {
	s.enter(a, member("first@example.com", ""))
	s.role(a, "admin")
	first := s.key
	secret := a.createKey(map[string]any{"name": "x"}).Fields["key"].(string)
	s.enter(a, member("second@example.com", ""))
	s.role(a, "viewer")
	s.enter(a, member("third@example.com", "member"))
	s.key = first
	s.role(a, "admin") // nobody was named yet
	s.enter(a, member("fourth@example.com", "admin"))
	s.role(a, "admin")
	for _, credential := range []string{first, secret} {
		s.key = credential
		s.want(a.listKeys(nil), "forbidden", "")
	}
	s.enter(a, member("first@example.com", ""))
	s.role(a, "viewer")
	s.enter(a, ann) // her own tenant is hers
	s.role(a, "admin")
	s.enter(a, ann)
	s.role(a, "admin")
}

// make makes a key and answers its id and secret.
func (s *stage) mint(a accountsAPI, body map[string]any) (id, secret string) {
	s.t.Helper()
	got := a.createKey(body)
	return s.at(got, "id").(string), s.at(got, "key").(string)
}

// dead holds credentials to be of no use.
func (s *stage) dead(a accountsAPI, secrets ...string) {
	s.t.Helper()
	before := s.key
	for _, secret := range secrets {
		s.key = secret
		s.want(a.whoami(), "unauthorized", "")
	}
	s.key = before
}

func keysOfKeys(s *stage, a accountsAPI) {
	s.enter(a, ann)
	session, userID := s.key, s.at(a.whoami(), "user", "id")
	id, brief := s.mint(a, map[string]any{"name": "brief", "expires_in_days": 1})
	s.equal("its maker", s.at(a.readKey(id), "created_by_key_id"), nil)
	s.key = brief
	childID, child := s.mint(a, map[string]any{"name": "child"})
	s.key = child
	grandchildID, grandchild := s.mint(a, map[string]any{"name": "grandchild", "expires_in_days": 3650, "scopes": []any{"missions:read"}})
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
	s.dead(a, brief, child, grandchild, next)
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

// auditActions are those of the newest entries of the caller's tenant.
func (s *stage) auditActions() (actions []mission.AuditAction) {
	s.t.Helper()
	p, err := s.accounts.Identify(context.Background(), s.key)
	s.must(err)
	entries, _, err := s.accounts.AuditLog(context.Background(), p, store.Page{Limit: 100})
	s.must(err)
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	return actions
}

func keysOfRotatedKeys(s *stage, a accountsAPI) {
	admin := s.key
	id, secret := s.mint(a, map[string]any{"name": "CI"})
	s.key = secret
	childID, child := s.mint(a, map[string]any{"name": "child"})
	s.key = child
	_, grandchild := s.mint(a, map[string]any{"name": "grandchild"})
	s.key = admin
	s.field(a.readKey(childID), "expires_at", nil)
	s.equal("the grace's end", s.at(a.rotateKey(id, map[string]any{"grace_period_days": 2}), "old_key", "valid_until"), "2026-11-23T08:00:00.000Z")
	s.field(a.readKey(childID), "expires_at", "2026-11-23T08:00:00.000Z")
	s.key = secret // still good for two days, and so is what it makes now
	_, late := s.mint(a, map[string]any{"name": "late"})
	s.clock.Advance(48*time.Hour - time.Millisecond)
	for _, each := range []string{child, grandchild, late} {
		s.key = each
		s.field(a.whoami(), "auth_method", "api_key")
	}
	s.clock.Advance(time.Millisecond)
	s.dead(a, secret, child, grandchild, late)
}

func loudScopes(s *stage, a accountsAPI) {
	got := a.createKey(map[string]any{"name": "x"})
	if notice, _ := s.at(got, "notice").(string); !strings.Contains(notice, "every scope") {
		s.t.Errorf("a key of all scopes comes with the notice %q", notice)
	}
	s.field(a.createKey(map[string]any{"name": "x", "scopes": []any{"missions:read"}}), "notice", nil)
}

// A key that is revoked while it makes keys leaves none behind, and so does one
// whose makes are still going on.
func TestRevokedWhileMaking(t *testing.T) {
	t.Parallel()
	for dialect, open := range dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newStage(t, open)
			ctx := context.Background()
			admin, err := s.accounts.Identify(ctx, s.key)
			s.must(err)
			k, secret, err := s.accounts.CreateKey(ctx, admin, mission.KeyInput{Name: "minter"})
			s.must(err)
			// The principals outlive their keys, as those of requests under way do.
			minter, err := s.accounts.Identify(ctx, secret)
			s.must(err)
			var mu sync.Mutex
			secrets, principals := []string{}, []mission.Principal{minter}
			var all sync.WaitGroup
			for i := range 24 {
				all.Go(func() {
					mu.Lock()
					p := principals[i%len(principals)]
					mu.Unlock()
					_, secret, err := s.accounts.CreateKey(ctx, p, mission.KeyInput{Name: "made"})
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
					if p, err := s.accounts.Identify(ctx, secret); err == nil {
						principals = append(principals, p)
					}
				})
				if i == 8 {
					all.Go(func() {
						if _, _, err := s.accounts.RevokeKey(ctx, admin, k.ID); err != nil {
							t.Error(err)
						}
					})
				}
			}
			all.Wait()
			for _, secret := range secrets {
				if _, err := s.accounts.Identify(ctx, secret); mission.CodeOf(err) != mission.CodeUnauthorized {
					t.Errorf("a key that was made with a revoked one answers %v", err)
				}
			}
			for _, p := range principals {
				if _, _, err := s.accounts.CreateKey(ctx, p, mission.KeyInput{Name: "late"}); mission.CodeOf(err) != mission.CodeUnauthorized {
					t.Errorf("a revoked key makes another: %v", err)
				}
			}
		})
	}
}

func TestEventRightsScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[hookAPI]{{"events go only to who may read them", eventRights}})
}

// scopedKey has the caller be a key with scopes.
func (s *stage) scopedKey(admin string, scopes ...mission.Scope) {
	s.t.Helper()
	p, err := s.accounts.Identify(context.Background(), admin)
	s.must(err)
	_, s.key, err = s.accounts.CreateKey(context.Background(), p, mission.KeyInput{Name: "scoped", Scopes: scopes})
	s.must(err)
}

// Managing endpoints doesn't make events readable.
func eventRights(s *stage, a hookAPI) {
	r := newReceiver(s.t, http.StatusOK)
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
	// What has no events sent goes on without.
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
	// An endpoint goes on whoever made it.
	s.key = admin
	before := len(r.messages())
	s.make(a, nil)
	s.deliver()
	if got := len(r.messages()) - before; got < 2 {
		s.t.Errorf("two endpoints got %d messages of an event and what was sent again", got)
	}
}

func TestMemberScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[accountsAPI]{
		{"a member is removed", removesMembers},
		{"sessions end everywhere", endsSessions},
		{"a tenant is to be deleted", deletesTenants},
	})
}

func removesMembers(s *stage, a accountsAPI) {
	boss := s.enter(a, member("boss@example.com", "admin"))
	admin, bossID := s.key, s.at(boss, "user", "id").(string)
	other := s.enter(a, member("other@example.com", "admin"))
	session, otherID := s.key, s.at(other, "user", "id").(string)
	second := s.enter(a, member("other@example.com", "admin")).Fields["token"].(string)
	keyID, secret := s.mint(a, map[string]any{"name": "theirs"})
	goneID, _ := s.mint(a, map[string]any{"name": "gone"})
	s.field(a.revokeKey(goneID), "status", "revoked")

	s.key = admin
	s.want(a.removeMember("usr_01jd0000000000000000000000", "keep"), "not_found", "")
	s.want(a.removeMember(bossID, "keep"), "conflict", "")
	got := a.removeMember(otherID, "keep")
	s.field(got, "sessions_ended", 2.0)
	keys := s.at(got, "keys").([]any)
	s.equal("keys that go on", len(keys), 1)
	s.equal("the key", keys[0].(map[string]any)["id"], keyID)
	s.dead(a, session, second)
	s.field(a.members(nil), "total", 1.0)
	s.equal("members", len(s.at(a.members(nil), "ids").([]string)), 1)
	s.want(a.setRole(otherID, "viewer"), "not_found", "")
	s.want(a.removeMember(otherID, "keep"), "not_found", "")
	s.key = secret // whose maker nothing more is known of
	who := a.whoami()
	s.equal("the key's maker", s.at(who, "user", "id"), otherID)
	s.equal("their e-mail", s.at(who, "user", "email"), nil)
	s.want(a.removeMember(bossID, "keep"), "conflict", "") // the last admin

	// Whom the organisation still has comes back, as somebody new.
	back := s.enter(a, member("other@example.com", "admin"))
	backID := s.at(back, "user", "id").(string)
	if backID == otherID {
		s.t.Error("who comes back has what was theirs")
	}
	ended, third := s.mint(a, map[string]any{"name": "third"})
	s.key = admin
	got = a.removeMember(backID, "revoke")
	keys = s.at(got, "keys").([]any)
	s.equal("keys that ended", len(keys), 1)
	s.equal("the ended key", keys[0].(map[string]any)["id"], ended)
	s.equal("its status", keys[0].(map[string]any)["status"], "revoked")
	s.dead(a, third)
	s.key = secret
	s.field(a.whoami(), "auth_method", "api_key") // the other one's was kept
	s.key = s.keys["theirs"]
	s.want(a.removeMember(bossID, "keep"), "not_found", "")
}

func endsSessions(s *stage, a accountsAPI) {
	s.enter(a, member("boss@example.com", "admin"))
	admin := s.key
	other := s.enter(a, member("other@example.com", "member"))
	first, id := s.key, s.at(other, "user", "id").(string)
	second := s.enter(a, member("other@example.com", "member")).Fields["token"].(string)
	s.want(a.endSessions(id), "forbidden", "")
	s.key = admin
	s.field(a.endSessions(id), "sessions_ended", 2.0)
	s.dead(a, first, second)
	s.key = first
	s.want(a.refresh(), "unauthorized", "")
	s.key = admin
	s.field(a.endSessions(id), "sessions_ended", 0.0)
	s.enter(a, member("other@example.com", "member")) // they may come in anew
	s.role(a, "editor")
	s.key = s.keys["theirs"]
	s.want(a.endSessions(id), "not_found", "")
}

func deletesTenants(s *stage, a accountsAPI) {
	s.enter(a, member("boss@example.com", "admin"))
	admin := s.key
	m := s.make(a, map[string]any{"start_immediately": true})
	_, secret := s.mint(a, map[string]any{"name": "CI"})
	s.enter(a, member("other@example.com", "member"))
	editor := s.key
	s.want(a.deleteTenant("acme"), "forbidden", "")
	s.key = secret
	s.want(a.deleteTenant("acme"), "invalid_request", "")
	s.key = admin
	s.want(a.restoreTenant(), "conflict", "")
	s.want(a.deleteTenant("acne"), "invalid_request", "confirm")
	s.field(a.settings(), "deletes_at", nil)
	s.field(a.deleteTenant("acme"), "deletes_at", "2026-12-05T08:00:00.000Z")
	// Its missions stop, its keys and everybody but its admins are out.
	s.field(a.read(m), "status", "paused")
	s.dead(a, secret, editor)
	s.want(a.resume(m), "conflict", "")
	s.want(a.create(body(nil)), "conflict", "")
	s.want(a.createKey(map[string]any{"name": "x"}), "conflict", "")
	s.want(a.deleteTenant("acme"), "conflict", "")
	s.want(a.login(map[string]any{"clerk_token": s.token(member("third@example.com", "member"))}), "conflict", "")
	s.enter(a, member("boss@example.com", "admin"))
	s.field(a.restoreTenant(), "deletes_at", nil)
	s.field(a.read(m), "status", "paused") // until somebody resumes it
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
	s.dead(a, admin)
	actions := map[mission.AuditAction]int{}
	s.key = admin
	entries, _, err := s.db.AuditLog(context.Background(), s.tenantOf(m), store.Page{Limit: 100})
	s.must(err)
	for _, e := range entries {
		actions[e.Action]++
	}
	s.equal("requests in the audit log", actions[mission.AuditDeletionAsked], 2)
	s.equal("restorations", actions[mission.AuditRestored], 1)
}

// tenantOf is whose a mission is.
func (s *stage) tenantOf(missionID string) string {
	s.t.Helper()
	found, err := s.db.WatchedMissions(context.Background(), []string{missionID})
	s.must(err)
	return found[0].TenantID
}

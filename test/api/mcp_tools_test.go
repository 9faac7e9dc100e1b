package api

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"missiond/internal/identity"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
	"missiond/store"
)

// brief is a mission that a tool creates.
func (s *harness) brief(changes object) object {
	in := object{
		"name": "Autumn", "objectives": []string{"Tell of 2.0"}, "platforms": []string{"mastodon"}, "duration_days": 30, "posts_per_day": 1,
		"start_immediately": true,
	}
	for name, value := range changes {
		in[name] = value
	}
	return in
}

// Each tool does what its name says, on what the caller's tenant has.
func TestTools(t *testing.T) { onBoth(t, usesTools) }

func usesTools(t *testing.T, s *harness) {
	t.Helper()
	a := s.assistant(s.key)

	estimate := a.ok("mission_estimate", object{"name": "x", "objectives": []string{"y"}, "platforms": []string{"mastodon"}, "duration_days": 3, "posts_per_day": 99})
	if field := at(estimate, "problems").([]any)[0].(map[string]any)["field"]; field != "posts_per_day" {
		t.Errorf("the estimate names %v", field)
	}
	a.refused("mission_create", s.brief(object{"posts_per_day": 99}), mission.CodeInvalidRequest, "posts_per_day")
	a.refused("mission_create", s.brief(object{"require_approval": false}), mission.CodeInvalidRequest, "require_approval")
	made := a.ok("mission_create", s.brief(nil))
	id := made["id"].(string)
	s.equal("a mission's state", made["status"], "active")
	got := a.ok("mission_get", object{"mission_id": id, "detail": "full"})
	s.equal("whether posts are approved", at(got, "brief", "require_approval"), true)
	s.equal("its name", at(got, "name", "untrusted_text"), "Autumn")
	a.ok("mission_update", object{"mission_id": id, "name": "Winter", "excluded_topics": []string{"politics"}})
	s.equal("its new name", at(a.ok("mission_get", object{"mission_id": id}), "name", "untrusted_text"), "Winter")
	s.equal("paused", a.ok("mission_pause", object{"mission_id": id})["status"], "paused")
	s.equal("resumed", a.ok("mission_resume", object{"mission_id": id})["status"], "active")
	a.refused("mission_resume", object{"mission_id": id}, mission.CodeConflict, "")
	draft := a.ok("mission_create", s.brief(object{"start_immediately": false}))["id"]
	s.equal("started", a.ok("mission_resume", object{"mission_id": draft})["status"], "active")
	s.equal("ended", a.ok("mission_complete", object{"mission_id": draft})["status"], "completed")
	page := a.ok("missions_list", object{"limit": 1})
	if next := page["next"]; page["has_more"] != true || len(a.ok("missions_list", object{"limit": 1, "starting_after": next})["data"].([]any)) != 1 {
		t.Errorf("the first page is %v", page)
	}
	a.refused("missions_list", object{"starting_after": "x"}, mission.CodeInvalidRequest, "starting_after")
	for _, limit := range []int{0, 51} {
		a.refused("missions_list", object{"limit": limit}, mission.CodeInvalidRequest, "limit")
	}
	a.refused("missions_list", object{"status": "ACTIVE"}, mission.CodeInvalidRequest, "status")
	a.refused("mission_get", object{"mission_id": id, "detail": "all"}, mission.CodeInvalidRequest, "detail")
	a.refused("posts_list", object{"statuses": []string{"published", "gone"}}, mission.CodeInvalidRequest, "statuses[1]")

	picture := a.ok("media_add", object{"content_base64": base64.StdEncoding.EncodeToString(mediatest.JPEG(8, 8)), "content_type": "image/jpeg", "alt_text": "A bike"})
	s.equal("a new file", at(picture, "file", "status"), "processing")
	s.equal("the file again", at(a.ok("media_add", object{"media_id": at(picture, "file", "id")}), "file", "alt_text", "untrusted_text"), "A bike")
	upload := a.ok("media_add", object{"bytes": 100_000, "content_type": "image/jpeg"})
	if url, _ := at(upload, "upload", "url").(string); !strings.HasPrefix(url, "http://127.0.0.1/v1/media/uploads/med_") {
		t.Errorf("the upload goes to %q", url)
	}
	a.refused("media_add", object{}, mission.CodeInvalidRequest, "content_base64")
	a.refused("media_add", object{"content_base64": "%"}, mission.CodeInvalidRequest, "content_base64")

	check := a.ok("post_write", object{"mission_id": id, "platform": "mastodon", "text": strings.Repeat("x", 600), "check_only": true})
	s.equal("a text that is too long", at(check, "check", "valid"), false)
	post := a.ok("post_write", object{"mission_id": id, "platform": "mastodon", "text": "Version 2.0 is out."})
	postID := post["id"].(string)
	s.equal("a post of an agent's", post["status"], "pending_review")
	read := a.ok("post_get", object{"post_id": postID, "detail": "full"})
	s.equal("its mission", at(read, "mission", "name", "untrusted_text"), "Winter")
	s.equal("its author", at(read, "record", "author"), string(mission.AuthorAgent))
	s.equal("what it waits for", at(read, "reasons").([]any)[0].(map[string]any)["code"], "waits_for_review")
	edited := a.ok("post_edit", object{"post_id": postID, "text": "Version 2.0 is here.", "revision": 1})
	s.equal("its revision", edited["revision"], 2.0)
	a.refused("post_edit", object{"post_id": postID, "text": "x", "revision": 1}, mission.CodeConflict, "")
	a.refused("post_edit", object{"post_id": postID, "instructions": "Shorter"}, mission.CodeConflict, "") // nobody's writer wrote it
	a.ok("post_reschedule", object{"post_id": postID, "scheduled_at": scenarioStart.Add(48 * time.Hour).Format(time.RFC3339)})
	reviews := a.ok("reviews_list", object{})
	s.equal("what waits for review", reviews["data"].([]any)[0].(map[string]any)["id"], postID)
	a.refused("post_approve", object{"post_id": postID, "revision": 2}, mission.CodeForbidden, "")
	a.refused("post_reject", object{"post_id": postID}, mission.CodeInvalidRequest, "revision")
	s.equal("rejected", a.ok("post_reject", object{"post_id": postID, "revision": 2, "reason": "Too loud"})["status"], "rejected")
	other := a.ok("post_write", object{"mission_id": id, "platform": "mastodon", "text": "Twice as fast."})["id"]
	s.equal("canceled", a.ok("post_cancel", object{"post_id": other})["status"], "canceled")
	s.equal("how many are listed", len(a.ok("posts_list", object{"mission_id": id, "statuses": []string{"canceled", "rejected"}})["data"].([]any)), 2)

	for _, by := range []string{"day", "platform", "account", "mission", "content"} {
		a.ok("results_get", object{"group_by": by, "detail": "full"})
	}
	a.ok("results_get", object{"mission_id": id, "detail": "full"})
	if limits := a.ok("accounts_and_limits", object{}); len(limits["scopes"].([]any)) == 0 || limits["leash"] != nil {
		t.Errorf("a key's limits are %v", limits)
	}
	a.ok("accounts_and_limits", object{"detail": "full"})

	// Another tenant's ids are as unknown as those that nobody has.
	theirs := s.assistant(s.keys["theirs"])
	theirs.refused("mission_get", object{"mission_id": id}, mission.CodeNotFound, "mission_id")
	theirs.refused("post_get", object{"post_id": postID}, mission.CodeNotFound, "post_id")
	theirs.refused("media_add", object{"media_id": at(picture, "file", "id")}, mission.CodeNotFound, "media_id")
	for _, tool := range []string{"post_cancel", "post_approve", "post_reject", "post_reschedule", "post_edit"} {
		args := object{"post_id": postID}
		switch tool {
		case "post_approve", "post_reject":
			args["revision"] = 1
		case "post_reschedule":
			args["scheduled_at"] = scenarioStart.Add(time.Hour).Format(time.RFC3339)
		case "post_edit":
			args["text"] = "x"
		}
		theirs.refused(tool, args, mission.CodeNotFound, "post_id")
	}
	for _, tool := range []string{"mission_pause", "mission_resume", "mission_complete", "mission_update"} {
		theirs.refused(tool, object{"mission_id": id}, mission.CodeNotFound, "mission_id")
	}
	theirs.refused("posts_list", object{"mission_id": id}, mission.CodeInvalidRequest, "mission_id")
	theirs.refused("results_get", object{"mission_id": id}, mission.CodeInvalidRequest, "mission_id")
}

// A call that is repeated with its key changes nothing again, and gets the first answer; an error is
// an answer too.
func TestToolsAreIdempotent(t *testing.T) { onBoth(t, repeatsCalls) }

func repeatsCalls(t *testing.T, s *harness) {
	t.Helper()
	a := s.assistant(s.key)
	first := a.ok("mission_create", s.brief(object{"idempotency_key": "k1"}))
	again := a.ok("mission_create", s.brief(object{"idempotency_key": "k1"}))
	s.equal("the mission of a repeated call", again["id"], first["id"])
	s.equal("how many missions there are", len(a.ok("missions_list", nil)["data"].([]any)), 1)
	if got := a.refused("mission_create", s.brief(object{"idempotency_key": "k1", "name": "Other"}), mission.CodeConflict, "idempotency_key"); !strings.Contains(fmt.Sprint(got["next"]), "another idempotency_key") {
		t.Errorf("what helps against a used key is %v", got["next"])
	}
	a.refused("mission_create", s.brief(object{"idempotency_key": "k 2"}), mission.CodeInvalidRequest, "idempotency_key")
	id := first["id"].(string)
	a.ok("mission_pause", object{"mission_id": id, "idempotency_key": "k3"})
	a.ok("mission_resume", object{"mission_id": id})
	s.equal("what a repeated pause answers", a.ok("mission_pause", object{"idempotency_key": "k3", "mission_id": id})["status"], "paused")
	s.equal("the mission's state", a.ok("mission_get", object{"mission_id": id})["status"], "active")
	s.equal("how often it acted", len(s.acts()), 3)
}

// acts returns what agents have done, as the audit log of the caller's tenant has it, latest first.
func (s *harness) acts() (tools []string) {
	s.t.Helper()
	p, err := s.Accounts.Authenticate(s.t.Context(), s.keys["ours"])
	s.must(err)
	list, err := s.Accounts.AuditLog(s.t.Context(), p, mission.AuditFilter{Action: mission.AuditAgentActed}, store.Page{Limit: 100})
	s.must(err)
	for _, e := range list.List {
		tools = append(tools, fmt.Sprint(e.Details["tool"], " ", e.TargetID, " ", e.AgentID+e.KeyID))
	}
	return tools
}

// granted inserts an agent with an access token, as a person gives it.
func (s *harness) granted(leash mission.Leash, scopes ...mission.Scope) (token, id string) {
	s.t.Helper()
	p, err := s.Accounts.Authenticate(s.t.Context(), s.keys["ours"])
	s.must(err)
	return s.grantedBy(p, leash, scopes...)
}

func (s *harness) grantedBy(p mission.Principal, leash mission.Leash, scopes ...mission.Scope) (token, id string) {
	s.t.Helper()
	ctx, now := s.t.Context(), s.real.Now()
	agent := mission.Agent{
		ID: s.DB.NewID(mission.PrefixAgent, now), TenantID: p.TenantID, UserID: p.UserID, Name: "Helper", ClientID: "c", RedirectURI: "https://x.example/cb",
		Scopes: scopes, Leash: leash, ExpiresAt: now.Add(24 * time.Hour), CreatedAt: now,
	}
	token = identity.NewAgentToken()
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		entry := mission.NewAuditEntry(tx.NewID(mission.PrefixAudit, now), p, mission.AuditAgentAllowed, agent.ID, nil, now)
		return errors.Join(tx.AddAgent(ctx, agent, entry), tx.AddAgentTokens(ctx, mission.AgentToken{
			Hash: identity.HashKey(token), TenantID: p.TenantID, AgentID: agent.ID, Kind: mission.AgentAccess, ExpiresAt: now.Add(time.Hour), CreatedAt: now,
		}))
	}))
	return token, agent.ID
}

// An agent stays on its leash: its missions, its posts and its money of a day. What it does is in the
// audit log under its name, and its token counts nowhere else.
func TestLeash(t *testing.T) { onBoth(t, onLeash) }

func onLeash(t *testing.T, s *harness) {
	t.Helper()
	key := s.assistant(s.key)
	inside := key.ok("mission_create", s.brief(nil))["id"].(string)
	outside := key.ok("mission_create", s.brief(object{"name": "Outside"}))["id"].(string)
	hidden := key.ok("post_write", object{"mission_id": outside, "platform": "mastodon", "text": "Hidden"})["id"]
	all := []mission.Scope{mission.ScopeMissionsRead, mission.ScopeMissionsWrite, mission.ScopeContentRead, mission.ScopeContentWrite, mission.ScopeAnalyticsRead, mission.ScopeIntegrationsRead}

	posts := 2
	token, id := s.granted(mission.Leash{Posts: &posts, Missions: []string{inside}}, all...)
	a := s.assistant(token)
	s.equal("the missions that it reaches", len(a.ok("missions_list", nil)["data"].([]any)), 1)
	a.refused("mission_get", object{"mission_id": outside}, mission.CodeNotFound, "mission_id")
	a.refused("mission_pause", object{"mission_id": outside}, mission.CodeNotFound, "mission_id")
	a.refused("post_get", object{"post_id": hidden}, mission.CodeNotFound, "post_id")
	a.refused("post_cancel", object{"post_id": hidden}, mission.CodeNotFound, "post_id")
	a.refused("post_write", object{"mission_id": outside, "platform": "mastodon", "text": "x"}, mission.CodeNotFound, "mission_id")
	a.refused("results_get", object{"mission_id": outside}, mission.CodeNotFound, "mission_id")
	a.refused("mission_create", s.brief(nil), mission.CodeForbidden, "")
	s.equal("the posts of all its missions", len(a.ok("posts_list", nil)["data"].([]any)), 0)
	for i := range posts {
		a.ok("post_write", object{"mission_id": inside, "platform": "mastodon", "text": fmt.Sprint("Post ", i), "idempotency_key": fmt.Sprint("p", i)})
	}
	a.ok("post_write", object{"mission_id": inside, "platform": "mastodon", "text": "Post 1", "idempotency_key": "p1"}) // repeated
	a.refused("post_write", object{"mission_id": inside, "platform": "mastodon", "text": "Post 3"}, mission.CodeRateLimitExceeded, "leash.posts_per_day")
	used := a.ok("accounts_and_limits", nil)
	s.equal("the posts used", at(used, "leash", "posts_used"), 2.0)
	s.equal("the posts there are", len(a.ok("posts_list", nil)["data"].([]any)), 2)
	for _, act := range s.acts()[:2] {
		if !strings.HasPrefix(act, "post_write cnt_") || !strings.HasSuffix(act, id) {
			t.Errorf("it did %q", act)
		}
	}

	money := mission.Micros(500) * mission.MicrosPerCent
	token, _ = s.granted(mission.Leash{Micros: &money}, all...)
	a = s.assistant(token)
	a.refused("mission_create", s.brief(nil), mission.CodeInvalidRequest, "budget_cents")
	made := a.ok("mission_create", s.brief(object{"budget_cents": 300}))["id"]
	a.refused("mission_create", s.brief(object{"budget_cents": 300}), mission.CodeRateLimitExceeded, "leash.cents_per_day")
	a.refused("mission_update", object{"mission_id": made, "budget_cents": 501}, mission.CodeRateLimitExceeded, "leash.cents_per_day")
	a.ok("mission_update", object{"mission_id": made, "budget_cents": 500})
	s.equal("the cents used", at(a.ok("accounts_and_limits", nil), "leash", "cents_used"), 500.0)

	s.key = token
	for _, path := range []string{"/v1/missions", "/v1/usage"} {
		if status, _ := s.send(http.MethodGet, path, nil); status != http.StatusUnauthorized {
			t.Errorf("an agent's token at %s: %d", path, status)
		}
	}
	if status, _ := s.send(http.MethodPost, "/graphql", object{"query": "{ missions { totalCount } }"}); status != http.StatusUnauthorized {
		t.Errorf("an agent's token in GraphQL: %d", status)
	}
}

package oauth_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/oauth"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

var refreshAttacks = []attack{
	{"a refresh token used again later", func(w *world) {
		_, _, first := w.connect()
		next := w.refresh(first)
		w.want("rotating", next.Code, http.StatusOK)
		w.clock.pass(mission.ReuseLeeway)
		w.refused("the old one", w.refresh(first), "invalid_grant")
		w.want("what the new one gave works", w.works(next.text("access_token")), false)
		w.refused("the new one", w.refresh(next.text("refresh_token")), "invalid_grant")
	}},
	{"a refresh token used again after its successor", func(w *world) {
		_, _, first := w.connect()
		next := w.refresh(first)
		last := w.refresh(next.text("refresh_token"))
		w.want("the next rotation", last.Code, http.StatusOK)
		w.refused("the old one", w.refresh(first), "invalid_grant")
		w.want("the latest token works", w.works(last.text("access_token")), false)
	}},
	// The one use that is no attack: the answer was lost, and the client asks again.
	{"a refresh token used again at once", func(w *world) {
		_, _, first := w.connect()
		lost := w.refresh(first)
		w.clock.pass(mission.ReuseLeeway - time.Millisecond)
		again := w.refresh(first)
		w.want("asking again", again.Code, http.StatusOK)
		w.want("the sibling's token works", w.works(again.text("access_token")), true)
		w.want("the lost token works", w.works(lost.text("access_token")), false)
		w.want("the sibling rotates", w.refresh(again.text("refresh_token")).Code, http.StatusOK)
		w.refused("the lost one", w.refresh(lost.text("refresh_token")), "invalid_grant") // two have it
		w.want("the sibling's token works", w.works(again.text("access_token")), false)
	}},
	{"eight refreshes at the same time", func(w *world) {
		_, _, first := w.connect()
		var all sync.WaitGroup
		answers := make([]answer, 8)
		for i := range answers {
			all.Go(func() { answers[i] = w.refresh(first) })
		}
		all.Wait()
		live := 0
		for _, a := range answers {
			if a.Code == http.StatusOK && w.works(a.text("access_token")) {
				live++
			} else if a.Code != http.StatusOK && a.text("error") != "invalid_grant" {
				w.Errorf("got %d %s", a.Code, a.Body)
			}
		}
		w.want("tokens that work", live, 1)
	}},
	{"a refresh token after 30 days", func(w *world) {
		_, _, first := w.connect()
		w.clock.pass(mission.RefreshLife)
		w.refused("it", w.refresh(first), "invalid_grant")
	}},
	{"a wider scope at a refresh", func(w *world) {
		_, _, first := w.connect()
		for _, scope := range []string{"missions:write", "content:read admin", "nonsense"} {
			w.refused(scope, w.refresh(first, "scope", scope), "invalid_scope")
		}
		narrow := w.refresh(first, "scope", "content:read offline_access")
		w.want("a narrower one", narrow.Code, http.StatusOK)
		w.want("its scopes", narrow.text("scope"), "content:read content:write")
	}},
	{"another client's refresh token", func(w *world) {
		_, access, first := w.connect()
		other := w.register(back)
		w.refused("the other", w.refresh(first, "client_id", other), "invalid_grant")
		w.want("the token works", w.works(access), true)
	}},
	{"a refresh token for another server", func(w *world) {
		_, _, first := w.connect()
		w.refused("it", w.refresh(first, "resource", "https://other.example/mcp"), "invalid_target")
	}},
	{"a refresh token of an agent that has expired", func(w *world) {
		a, _, first := w.connect()
		for range 4 { // each in time
			w.clock.pass(25 * 24 * time.Hour)
			next := w.refresh(first)
			if w.clock.Now().Before(a.ExpiresAt) {
				w.want("rotating", next.Code, http.StatusOK)
				first = next.text("refresh_token")
				continue
			}
			w.refused("after 90 days", next, "invalid_grant")
		}
	}},
	{"rotations without end", func(w *world) {
		_, _, token := w.connect()
		for range 119 { // and the exchange of the code
			token = w.refresh(token).text("refresh_token")
		}
		a := w.refresh(token)
		w.want("the next", a.Code, http.StatusTooManyRequests)
		w.want("its Retry-After", a.Header().Get("Retry-After"), "60")
	}},
}

var tokenAttacks = []attack{
	{"a token of another kind", func(w *world) {
		_, access, refresh := w.connect()
		_, code := w.consent()
		w.want("a refresh token as access", w.works(refresh), false)
		w.want("a code as access", w.works(code), false)
		w.refused("an access token as refresh", w.refresh(access), "invalid_grant")
		w.refused("a code as refresh", w.refresh(code), "invalid_grant")
		w.refused("a refresh token as code", w.redeem(refresh), "invalid_grant")
	}},
	{"an agent's token at the APIs", func(w *world) {
		_, access, refresh := w.connect()
		for _, token := range []string{access, refresh} {
			_, err := w.accounts.Identify(w.Context(), token)
			w.want("REST and GraphQL", mission.CodeOf(err), mission.CodeUnauthorized)
		}
	}},
	{"an access token after an hour", func(w *world) {
		_, access, _ := w.connect()
		w.clock.pass(mission.AccessLife - time.Millisecond)
		w.want("just before", w.works(access), true)
		w.clock.pass(time.Millisecond)
		w.want("after", w.works(access), false)
	}},
	{"a token that was revoked", func(w *world) {
		_, access, refresh := w.connect()
		w.want("revoking", w.post(oauth.RevokePath, url.Values{"client_id": {w.client}, "token": {refresh}}).Code, http.StatusOK)
		w.want("the access token works", w.works(access), false)
		w.refused("the refresh token", w.refresh(refresh), "invalid_grant")
		_, access, refresh = w.connect()
		w.want("revoking", w.post(oauth.RevokePath, url.Values{"client_id": {w.client}, "token": {access}}).Code, http.StatusOK)
		w.want("the access token works", w.works(access), false)
		w.want("the refresh token rotates", w.refresh(refresh).Code, http.StatusOK)
	}},
	{"a revocation by another client", func(w *world) {
		other := w.register(back)
		_, access, refresh := w.connect()
		for _, token := range []string{access, refresh, "nonsense"} { // it learns nothing
			w.want("revoking", w.post(oauth.RevokePath, url.Values{"client_id": {other}, "token": {token}}).Code, http.StatusOK)
		}
		w.want("the access token works", w.works(access), true)
	}},
	{"another tenant's agent", func(w *world) {
		a, access, _ := w.connect()
		other := w.newPerson("Other")
		_, err := w.agents.Revoke(w.Context(), other, a.ID)
		w.want("revoking it", mission.CodeOf(err), mission.CodeNotFound)
		_, err = w.agents.Agent(w.Context(), other, a.ID)
		w.want("reading it", mission.CodeOf(err), mission.CodeNotFound)
		listed, err := w.agents.Agents(w.Context(), other, store.Page{Limit: 10})
		w.must(err)
		w.want("those listed", len(listed.List), 0)
		p, err := w.accounts.IdentifyAgent(w.Context(), access)
		w.must(err)
		w.want("the token's tenant", p.TenantID, w.person.TenantID)
	}},
	{"a colleague's agent", func(w *world) {
		a, access, _ := w.connect()
		colleague := w.person
		colleague.UserID, colleague.Scopes = w.db.NewID(mission.PrefixUser, w.clock.Now()), mission.RoleEditor.Scopes()
		_, err := w.agents.Revoke(w.Context(), colleague, a.ID)
		w.want("revoking it", mission.CodeOf(err), mission.CodeNotFound)
		_, err = w.agents.Agent(w.Context(), colleague, a.ID)
		w.want("reading it", mission.CodeOf(err), mission.CodeNotFound)
		w.want("the token works", w.works(access), true)
		colleague.Scopes = mission.RoleAdmin.Scopes()
		_, err = w.agents.Revoke(w.Context(), colleague, a.ID)
		w.must(err)
		w.want("the token works", w.works(access), false)
	}},
	{"the agent of a person who lost rights", func(w *world) {
		_, access, _ := w.connect()
		w.must(w.db.Tx(w.Context(), func(tx store.Tx) error {
			u, err := tx.LockUser(w.Context(), w.person.TenantID, w.person.UserID)
			if err != nil {
				return err
			}
			u.Role = mission.RoleViewer
			return tx.SetRole(w.Context(), u, tx.AuditEntry(w.person, mission.AuditMemberChanged, u.ID, nil, w.clock.Now()))
		}))
		p, err := w.accounts.IdentifyAgent(w.Context(), access)
		w.must(err)
		w.want("writing", p.Has(mission.ScopeContentWrite), false)
		w.want("reading", p.Has(mission.ScopeContentRead), true)
	}},
	{"the agent of a person who was removed", func(w *world) {
		a, access, refresh := w.connect()
		admin := w.person
		admin.UserID = w.db.NewID(mission.PrefixUser, w.clock.Now())
		w.must(w.db.Tx(w.Context(), func(tx store.Tx) error {
			u := mission.User{ID: admin.UserID, TenantID: admin.TenantID, Name: "Other", Role: mission.RoleAdmin, RoleFrom: mission.RoleFromAdmin, CreatedAt: w.clock.Now()}
			return tx.AddUser(w.Context(), u, tx.AuditEntry(admin, mission.AuditMemberJoined, u.ID, nil, w.clock.Now()))
		}))
		_, err := w.accounts.RemoveMember(w.Context(), admin, w.person.UserID, mission.KeepKeys)
		w.must(err)
		w.want("the token works", w.works(access), false)
		w.refused("the refresh token", w.refresh(refresh), "invalid_grant")
		ended, err := w.agents.Agent(w.Context(), admin, a.ID)
		w.must(err)
		w.want("it is revoked", ended.RevokedAt != nil, true)
	}},
	{"the agent of a tenant that is to be deleted", func(w *world) {
		_, access, refresh := w.connect()
		t, err := w.accounts.Tenant(w.Context(), w.person)
		w.must(err)
		_, err = w.accounts.DeleteTenantAs(w.Context(), t.ID, t.Slug, time.Hour)
		w.must(err)
		w.want("the token works", w.works(access), false)
		w.want("what a refresh gives works", w.works(w.refresh(refresh).text("access_token")), false)
	}},
}

// Whoever reads a copy of the database has no token of it.
func TestNoTokenIsStored(t *testing.T) {
	t.Parallel()
	address := testkit.MigratedURL(t)
	db, err := store.OpenPostgres(address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	w := newWorld(t, db, nil)
	a, access, refresh := w.connect()
	_, code := w.consent()
	text := testkit.PostgresText(t, address)
	if !strings.Contains(text, a.ID) {
		t.Fatal("the copy has no agent")
	}
	for _, secret := range []string{access, refresh, code} {
		if strings.Contains(text, secret) || strings.Contains(text, secret[len(secret)-20:]) {
			t.Error("a token is stored as it is")
		}
	}
}

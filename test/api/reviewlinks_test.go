package api

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// Both APIs make, show and revoke the same links, whose addresses are shown once; a revision says
// which link decided.
func TestReviewLinks(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	gql := graphAPI{s}
	m, id := s.written(gql, reviewed)
	path := "/v1/missions/" + m + "/review_links"
	status, made := s.send("POST", path, map[string]any{"name": "Acme", "expires_in_hours": 72, "may_decide": true})
	s.equal("the status", status, 201)
	_, token, ok := strings.Cut(fmt.Sprint(made["url"]), "/review/")
	s.equal("the address", ok, true)
	const fields = `id missionId name mayDecide expiresAt createdAt createdBy revokedAt lastUsedAt`
	second := gql.run(`mutation($id: ID!) { createReviewLink(id: $id, input: {name: "Bern", expiresInHours: 1}) { url reviewLink { id } } }`, map[string]any{"id": m}, "createReviewLink")
	_, list := s.send("GET", path, nil)
	delete(made, "url")
	s.equal("the list", fmt.Sprint(list["total"], " ", list["data"].([]any)[1]), fmt.Sprint("2 ", made))
	s.equal("an address in the list", strings.Contains(fmt.Sprint(list), token), false)
	shown := gql.query(fmt.Sprintf(`{ mission(id: %q) { reviewLinks(last: 1) { totalCount edges { node { `+fields+` mission { id } } } } } node(id: %q) { ... on ReviewLink { name } } }`, m, s.at(second, "review_link", "id")))
	node := at(shown, "mission", "reviewLinks", "edges").([]any)[0].(map[string]any)["node"].(map[string]any)
	s.equal("its mission", at(node, "mission", "id"), m)
	delete(node, "mission")
	s.equal("the same link", fmt.Sprint(asREST(node)), fmt.Sprint(made))
	s.equal("a node", at(shown, "node", "name"), "Bern")

	l, err := s.Missions.OpenReviewLink(context.Background(), token)
	s.must(err)
	_, err = s.Missions.ApproveContent(context.Background(), l.Principal(), id, new(1))
	s.must(err)
	revision := gql.query(fmt.Sprintf(`{ content(id: %q) { revisions { reviewedBy reviewer { id } reviewLink { name } } } auditLog(filter: {action: REVIEW_LINK_DECIDED}) { edges { node { userId target { ... on ReviewLink { name } } } } } }`, id))
	s.equal("who decided", fmt.Sprint(at(revision, "content", "revisions")), fmt.Sprint([]any{map[string]any{"reviewedBy": l.ID, "reviewer": nil, "reviewLink": map[string]any{"name": "Acme"}}}))
	s.equal("the audit log", fmt.Sprint(at(revision, "auditLog", "edges")), fmt.Sprint([]any{map[string]any{"node": map[string]any{"userId": nil, "target": map[string]any{"name": "Acme"}}}}))

	status, revoked := s.send("DELETE", path+"/"+l.ID, nil)
	_, again := s.send("GET", path+"/"+l.ID, nil)
	s.equal("revoked", fmt.Sprint(status, revoked["revoked_at"] != nil, again), fmt.Sprint(200, true, revoked))
	elsewhere, _ := s.written(gql, nil)
	status, _ = s.send("DELETE", "/v1/missions/"+elsewhere+"/review_links/"+s.at(second, "review_link", "id").(string), nil)
	s.equal("by another mission", status, 404)
	for param, body := range map[string]map[string]any{"name": {"name": "", "expires_in_hours": 1}, "expires_in_hours": {"name": "x", "expires_in_hours": 721}} {
		status, response := s.send("POST", path, body)
		s.equal(param, fmt.Sprint(status, " ", at(response, "error", "param")), "400 "+param)
	}
}

// A member's review links end when the member is removed: whoever made one has its address.
func TestReviewLinksOfRemovedMembers(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	e := s.estate("leavers")
	token, user := s.begin("ann@leavers", "org_leavers", "admin")
	before := s.as(token, "making", call{method: "POST", path: "/v1/missions/" + e.onLinkedIn + "/review_links", body: map[string]any{"name": "Acme", "expires_in_hours": 1}}, "")
	s.equal("the status", before.status, 201)
	s.key = e.key
	status, _ := s.send("DELETE", "/v1/members/"+user, nil)
	s.equal("the removal", status, 200)
	_, list := s.send("GET", "/v1/missions/"+e.onLinkedIn+"/review_links", nil)
	for _, each := range list["data"].([]any) {
		l := each.(map[string]any)
		s.equal(fmt.Sprint(l["name"], " ended"), l["revoked_at"] != nil, l["created_by"] == user)
	}
	s.equal("links", list["total"], 1.0)
}

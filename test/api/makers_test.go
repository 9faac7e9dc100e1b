package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/identity"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/mission"
)

// makers is a member with a key and an agent, and what they made for others.
type makers struct {
	*reviewing

	tenant mission.Tenant
	// boss is the session of an admin who takes rights away, ann a session of the member annID.
	boss, ann, annID string
	// key is ann's key keyID, which expires in a day; childID is of the key that was made with it.
	key, keyID, childID string
	made                []derived
	calls               int
}

// derived is a credential that somebody made for others.
type derived struct {
	name string
	// use returns the status of each use.
	use func() string
}

// kindsMade are the names of what is made, in the order of the rows of endsOfMakers.
var kindsMade = []string{"a member's link", "a key's link", "a key's key", "a member's upload", "a key's upload", "an agent's token", "an agent's upload"}

func (s *harness) makers() *makers {
	s.t.Helper()
	ctx := s.t.Context()
	tenant, admin, err := s.Accounts.CreateTenant(ctx, accounts.NewTenant{Name: "makers", Origin: identity.DevOrigin("org_makers"), Plan: mission.PlanFree})
	s.must(err)
	s.key = admin
	m := &makers{reviewing: s.reviewing(mayDecide(), map[string]any{"duration_days": 9.0}), tenant: tenant}
	m.boss, _ = s.begin("boss@makers", "org_makers", "admin")
	m.ann, m.annID = s.begin("ann@makers", "org_makers", "admin")
	var child string
	m.keyID, m.key = m.newKey(m.ann, map[string]any{"name": "ann's", "expires_in_days": 1})
	m.childID, child = m.newKey(m.key, map[string]any{"name": "the key's"})
	p, err := s.Accounts.Identify(ctx, m.ann)
	s.must(err)
	agent, _ := s.grantedBy(p, mission.Leash{}, mission.AgentScopes()...)
	upload := s.assistant(agent).ok("media_add", object{"content_type": mission.TypeJPEG, "bytes": len(mediatest.JPEG(8, 8))})
	u, err := url.Parse(at(upload, "upload", "url").(string))
	s.must(err)
	for i, use := range []func() string{
		m.visits(m.ann, 0), m.visits(m.key, 1),
		func() string {
			return fmt.Sprint(m.status("GET", child, "/v1/content/"+m.posts[2], nil), " ", m.status("POST", child, "/v1/content/"+m.posts[2]+"/approve", nil))
		},
		m.puts(m.prepared(m.ann)), m.puts(m.prepared(m.key)),
		func() string { return fmt.Sprint(s.bearer(s.server.URL, agent)) }, m.puts(u.RequestURI()),
	} {
		m.made = append(m.made, derived{kindsMade[i], use})
	}
	return m
}

// call sends a request.
func (m *makers) call(method, credential, path string, body any) response {
	m.t.Helper()
	m.calls++
	return m.as(credential, strconv.Itoa(m.calls), call{method: method, path: path, body: body}, "")
}

// do sends a request that succeeds, and returns its response.
func (m *makers) do(method, credential, path string, body any) (object map[string]any) {
	m.t.Helper()
	got := m.call(method, credential, path, body)
	if !got.succeeded() {
		m.t.Fatalf("%s %s: %d %s", method, path, got.status, got.text)
	}
	m.must(json.Unmarshal([]byte(got.text), &object))
	return object
}

func (m *makers) status(method, credential, path string, body any) int {
	m.t.Helper()
	return m.call(method, credential, path, body).status
}

func (m *makers) newKey(credential string, in map[string]any) (id, secret string) {
	m.t.Helper()
	k := m.do("POST", credential, "/v1/auth/keys", in)
	return k["id"].(string), k["key"].(string)
}

func (m *makers) links() string { return "/v1/missions/" + m.mission.ID + "/review_links" }

// visits makes a link, whose use is to look at its page, to comment on a post and to approve it.
func (m *makers) visits(credential string, post int) func() string {
	m.t.Helper()
	made := m.do("POST", credential, m.links(), map[string]any{"name": fmt.Sprint("of post ", post), "expires_in_hours": 720, "may_decide": true})
	u, err := url.Parse(made["url"].(string))
	m.must(err)
	return func() string {
		sees := m.visit("GET", u.Path, nil)
		says := m.visit("POST", u.Path, form("comment", m.posts[post], 1, "text", "x")).status
		decides := m.visit("POST", u.Path, form("approve", m.posts[post], 1)).status
		shown := strings.Contains(sees.text, `value="approve"`) || strings.Contains(sees.text, `value="comment"`)
		if sees.status == 200 && shown != (says == 303) {
			m.t.Errorf("a page has forms: %v, and comments are %d", shown, says)
		}
		return fmt.Sprint(sees.status, " ", says, " ", decides)
	}
}

// prepared prepares an upload, and returns its address.
func (m *makers) prepared(credential string) string {
	m.t.Helper()
	return m.do("POST", credential, "/v1/media/uploads", map[string]any{"content_type": mission.TypeJPEG, "bytes": len(mediatest.JPEG(8, 8))})["upload_url"].(string)
}

// puts sends a file to an upload's address.
func (m *makers) puts(address string) func() string {
	return func() string {
		r, err := http.NewRequest(http.MethodPut, m.server.URL+address, bytes.NewReader(mediatest.JPEG(8, 8)))
		m.must(err)
		r.Header.Set("Content-Type", mission.TypeJPEG)
		resp, err := m.server.Client().Do(r)
		m.must(err)
		_ = resp.Body.Close()
		return fmt.Sprint(resp.StatusCode)
	}
}

// endsOfMakers are what happens to makers, and what may be done afterwards with what they made: of a link to see its
// page, to comment and to approve; of a key to read and to approve.
var endsOfMakers = map[string]struct {
	happens func(m *makers)
	want    [7]string // by kindsMade
}{
	"nothing": {
		func(*makers) {},
		[7]string{"200 303 303", "200 303 303", "200 200", "200", "200", "200", "200"},
	},
	"the member is made a viewer": {
		func(m *makers) { m.do("PUT", m.boss, "/v1/members/"+m.annID, map[string]any{"role": "viewer"}) },
		[7]string{"200 403 403", "200 403 403", "200 403", "403", "403", "200", "403"},
	},
	"the member is removed": {
		func(m *makers) { m.do("DELETE", m.boss, "/v1/members/"+m.annID, nil) },
		[7]string{"410 410 410", "410 410 410", "401 401", "401", "401", "401", "401"},
	},
	"the member is removed without the keys": {
		func(m *makers) { m.do("DELETE", m.boss, "/v1/members/"+m.annID+"?keys=keep", nil) },
		[7]string{"410 410 410", "200 303 303", "200 200", "401", "200", "401", "401"},
	},
	"the key is revoked": {
		func(m *makers) { m.do("DELETE", m.boss, "/v1/auth/keys/"+m.keyID, nil) },
		[7]string{"200 303 303", "410 410 410", "401 401", "200", "401", "200", "200"},
	},
	"the key is rotated": {
		func(m *makers) {
			m.do("POST", m.boss, "/v1/auth/keys/"+m.keyID+"/rotate", map[string]any{"grace_period_days": 1})
		},
		[7]string{"200 303 303", "200 303 303", "200 200", "200", "200", "200", "200"},
	},
	"the key is rotated without grace": {
		func(m *makers) {
			m.do("POST", m.boss, "/v1/auth/keys/"+m.keyID+"/rotate", map[string]any{"grace_period_days": 0})
		},
		[7]string{"200 303 303", "410 410 410", "401 401", "200", "401", "200", "200"},
	},
	"the key's key is revoked": {
		func(m *makers) { m.do("DELETE", m.boss, "/v1/auth/keys/"+m.childID, nil) },
		[7]string{"200 303 303", "200 303 303", "401 401", "200", "200", "200", "200"},
	},
	"the key expires": {
		func(m *makers) { m.clock.Advance(24 * time.Hour) },
		[7]string{"200 303 303", "410 410 410", "401 401", "200", "401", "200", "200"},
	},
	"the tenant is to be deleted": {
		func(m *makers) { m.do("DELETE", m.boss, "/v1/tenant?confirm="+m.tenant.Slug, nil) },
		[7]string{"404 404 404", "404 404 404", "401 401", "409", "409", "401", "409"},
	},
	"the mission is completed": {
		func(m *makers) { m.do("POST", m.boss, "/v1/missions/"+m.mission.ID+"/complete", nil) },
		[7]string{"410 410 410", "410 410 410", "200 409", "200", "200", "200", "200"},
	},
	"the mission is deleted": {
		func(m *makers) {
			m.do("POST", m.boss, "/v1/missions/"+m.mission.ID+"/pause", nil)
			m.do("DELETE", m.boss, "/v1/missions/"+m.mission.ID, nil)
		},
		[7]string{"404 404 404", "404 404 404", "404 404", "200", "200", "200", "200"},
	},
}

// With what somebody made for others nobody does what its maker may not do any more, whatever it is and whatever became of
// the maker. Lists say so.
func TestMakersBoundWhatTheyMade(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for what, ends := range endsOfMakers {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, testkit.SQLite)
			m := s.makers()
			before := m.listed()
			ends.happens(m)
			listed := m.listed()
			for i, made := range m.made {
				got := made.use()
				s.equal(made.name, got, ends.want[i])
				l, ok := listed[fmt.Sprint("of post ", i)]
				if i < 2 && ok && !strings.HasPrefix(got, "404") { // a tenant that is to be deleted may be restored, with its links
					works := l["revoked_at"] == nil && l["expires_at"].(string) > s.clock.Now().Format(time.RFC3339)
					s.equal(made.name+" is listed as one that works", works, strings.HasPrefix(got, "200"))
					s.equal(made.name+" is listed as one that may decide", works && l["may_decide"].(bool), strings.HasSuffix(got, "303"))
				}
			}
			if what == "nothing" && fmt.Sprint(before) != fmt.Sprint(listed) {
				t.Errorf("got the links %v, then %v", before, listed)
			}
		})
	}
}

// listed returns the mission's links as an admin sees them, by name; none if there is no mission any more.
func (m *makers) listed() map[string]map[string]any {
	m.t.Helper()
	links := map[string]map[string]any{}
	if m.status("GET", m.boss, m.links(), nil) == http.StatusOK {
		for _, each := range m.do("GET", m.boss, m.links(), nil)["data"].([]any) {
			links[each.(map[string]any)["name"].(string)] = each.(map[string]any)
		}
	}
	return links
}

// Links of makers that have ended don't count as links that work; a link ends with its key at the latest.
func TestLinksOfEndedKeys(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			m := s.makers()
			link := map[string]any{"name": "x", "expires_in_hours": 720}
			expires := s.clock.Now().Add(24 * time.Hour).Format("2006-01-02T15:04:05.000Z")
			for range mission.MaxReviewLinks - 3 {
				s.equal("the end of a key's link", m.do("POST", m.key, m.links(), link)["expires_at"], any(expires))
			}
			s.equal("one too many", m.status("POST", m.boss, m.links(), link), 409)
			m.do("POST", m.boss, "/v1/auth/keys/"+m.keyID+"/rotate", map[string]any{"grace_period_days": 0})
			s.equal("once the key has ended", m.status("POST", m.boss, m.links(), link), 201)
			ended := m.listed()["of post 1"]
			s.equal("the end of its link", ended["expires_at"], any(s.clock.Now().Format("2006-01-02T15:04:05.000Z")))
			s.key = m.boss
			shown := graphAPI{s}.query(fmt.Sprintf(`{ node(id: %q) { ... on ReviewLink { expiresAt mayDecide } } }`, ended["id"]))
			s.equal("in GraphQL", at(shown, "node", "expiresAt"), ended["expires_at"])
		})
	}
}

// Who may not read posts makes no link that shows them, and why a post waits doesn't say what may not be read either.
func TestNarrowScopesSeeNoMore(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	m := s.makers()
	m.do("POST", m.boss, "/v1/tenant/hold", map[string]any{"reason": "An accident"})
	for _, tt := range []struct {
		scopes []string
		makes  int
		told   bool
	}{
		{[]string{"content:write"}, 403, false}, {[]string{"content:read"}, 403, false}, {[]string{"content:read", "content:write"}, 201, false},
		{[]string{"content:read", "missions:read"}, 403, true}, {[]string{"admin"}, 201, true},
	} {
		_, key := m.newKey(m.boss, map[string]any{"name": "narrow", "scopes": tt.scopes})
		link := map[string]any{"name": "x", "expires_in_hours": 1, "may_decide": true}
		s.equal(fmt.Sprint(tt.scopes, " makes a link"), m.status("POST", key, m.links(), link), tt.makes)
		if !slices.Contains(tt.scopes, "content:write") || tt.makes == 201 {
			why := m.call("GET", key, "/v1/content/"+m.posts[0]+"/why", nil)
			told := fmt.Sprint(why.status, strings.Contains(why.text, "on hold"), strings.Contains(why.text, "An accident"))
			s.equal(fmt.Sprint(tt.scopes, " is told why"), told, fmt.Sprint(200, true, tt.told))
			s.equal(fmt.Sprint(tt.scopes, " reads the hold"), m.status("GET", key, "/v1/tenant/hold", nil) == 200, tt.told)
		}
	}
}

// What reviewers alone decide, they alone take back.
func TestReviewersAloneTakeBack(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	m := s.makers()
	m.do("PUT", m.boss, "/v1/missions/"+m.mission.ID, map[string]any{"reviewers": []string{m.annID}, "reviewers_only": true})
	approved, rejected, canceled := "/v1/content/"+m.posts[0], "/v1/content/"+m.posts[1], "/v1/content/"+m.posts[2]
	m.do("POST", m.ann, approved+"/approve", nil)
	m.do("POST", m.ann, rejected+"/reject", nil)
	m.do("POST", m.ann, canceled+"/approve", nil)
	m.do("POST", m.boss, canceled+"/cancel", nil)
	for what, post := range map[string]string{"an approval": approved, "a rejection": rejected, "an approval of a post that was canceled": canceled} {
		s.equal(what+" by somebody else", m.status("POST", m.boss, post+"/reopen", nil), 403)
		s.equal(what+" by a reviewer", m.status("POST", m.ann, post+"/reopen", nil), 200)
	}
	m.do("POST", m.boss, canceled+"/cancel", nil) // nobody decided about it
	s.equal("a post that waited", m.status("POST", m.boss, canceled+"/reopen", nil), 200)
}

// A live subscription ends with the key that opened it, and when its rights change.
func TestSubscriptionsEndWithTheirMakers(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for what, ends := range endsOfMakers {
		if ends.want[4] == "200" { // that of the key's upload
			continue
		}
		for name, subscribe := range transports {
			t.Run(what+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := newHarness(t, testkit.SQLite)
				m := s.makers()
				s.key = m.key
				subscribe(s, `subscription { events { id } }`)
				s.settled(1)
				ends.happens(m)
				s.settled(0)
			})
		}
	}
}

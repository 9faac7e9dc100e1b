package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/mission"
)

// response is a response as a caller gets it.
type response struct {
	status   int
	text     string
	replayed bool
}

// as sends a request with an Idempotency-Key and a credential; "" sends none.
func (s *harness) as(credential, key string, c call, id string) response {
	s.t.Helper()
	var encoded string
	if c.body != nil {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		s.must(encoder.Encode(c.body))
		encoded = text.String()
	}
	contentType := "application/json"
	if text, ok := c.body.(csvText); ok {
		contentType, encoded = "text/csv", string(text)
	}
	fill := strings.NewReplacer("<id>", id, "<slug>", c.slug, "<mission>", c.onLinkedIn)
	req, err := http.NewRequest(c.method, s.server.URL+fill.Replace(c.path), strings.NewReader(fill.Replace(encoded)))
	s.must(err)
	if credential != "" {
		req.Header.Set("Authorization", "Bearer "+credential)
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Idempotency-Key", key)
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	s.must(err)
	return response{resp.StatusCode, string(text), resp.Header.Get("Idempotent-Replayed") == "true"}
}

func (r response) succeeded() bool {
	return r.status < http.StatusBadRequest && !strings.Contains(r.text, `"errors"`)
}

// csvText is a body that isn't JSON.
type csvText string

// call is a request of one operation, with <id> in the place of an id, <slug> in that of
// the tenant's slug, and <mission> in that of its mission on LinkedIn.
type call struct {
	name, method, path string
	slug, onLinkedIn   string
	body               any
	// keyed reports whether a second request with the same key returns the first
	// response.
	keyed bool
}

// in returns the call for a tenant, with the other parameters of the path filled
// in.
func (c call) in(e estate) call {
	c.slug, c.onLinkedIn = e.slug, e.onLinkedIn
	if strings.Contains(c.path, "{delivery_id}") || strings.Contains(c.path, "{link_id}") {
		c.path = e.fill(c.path)
	}
	c.path = strings.Replace(c.path, "{id}", "<id>", 1)
	return c
}

// creations returns the bodies of routes without an id, and of one that takes ids.
func (s *harness) creations() map[string]any {
	return map[string]any{
		"media.prepare_upload":       map[string]any{"content_type": "image/jpeg", "bytes": 9},
		"missions.create":            body(nil),
		"keys.create":                map[string]any{"name": "made"},
		"webhooks.create":            map[string]any{"url": "http://127.0.0.1:1/", "events": []string{"mission.created"}},
		"integrations.connect":       map[string]any{"platform": "mastodon", "access_token": "good", "server": "https://mastodon.example"},
		"content.create":             map[string]any{"mission_id": "<mission>", "platform": "linkedin", "text": "x"},
		"content.import":             csvText("mission_id,platform,text\n<mission>,linkedin,x\n"),
		"content.validate":           map[string]any{"platform": "bluesky", "text": "x"},
		"tenant.onboard":             map[string]any{"name": "Onboarded", "brand": map[string]any{"voice": "calm"}},
		"session.update_preferences": map[string]any{"review_emails": false},
		"tenant.hold":                map[string]any{"reason": "x"},
		"tenant.sample":              map[string]any{"platform": "linkedin"},
		"tenant.set_writer":          map[string]any{"url": "http://127.0.0.1:1/v1", "model": "m"},
		"tenant.set_platform":        map[string]any{"client_id": "own", "client_secret": "x"},
		"tenant.update":              map[string]any{"name": "Renamed"},
		"session.login":              map[string]any{"clerk_token": s.token(identity.DevPerson{Email: "new@example.com"})},
		"notifications.mark_read":    map[string]any{"ids": []string{"<id>"}},
	}
}

// unkeyed are the POSTs that are protected against duplicates in another way: a
// login may begin two sessions, and a session's token is replaced once.
var unkeyed = []string{"session.login", "session.refresh"}

// bytesOnly are the operations whose requests or responses are files.
var bytesOnly = []mission.Operation{mission.OpMediaUpload, mission.OpMediaReceive, mission.OpMediaFile, mission.OpMediaFetch}

// graphOnly are the operations without a route.
var graphOnly = []mission.Operation{mission.OpSessionsList, mission.OpSessionsEnd, mission.OpAgentsAsk, mission.OpAgentsAllow, mission.OpJobsRead, mission.OpJobsList, mission.OpMissionsEstimate, mission.OpMissionsLimits, mission.OpContentFreeSlots, mission.OpDraftsList, mission.OpDraftsSave, mission.OpDraftsDelete, mission.OpAttention, mission.OpChanges, mission.OpNode}

// restCalls returns a request for each route of the API's description.
func (s *harness) restCalls() []call {
	s.t.Helper()
	s.key = s.keys["ours"]
	_, description := s.send("GET", "/v1/openapi.json", nil)
	creations := s.creations()
	var calls []call
	paths := description["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			id, method := methods[method].(map[string]any)["operationId"].(string), strings.ToUpper(method)
			c := call{name: "rest " + id, method: method, path: path, body: creations[id]}
			if c.body == nil {
				c.body = bodies[id]
			}
			if slices.Contains(bytesOnly, mission.Operation(id)) {
				continue
			}
			switch id {
			case string(mission.OpTenantDelete):
				c.path += "?confirm=<slug>"
			case string(mission.OpMembersDelete):
				c.path += "?keys=keep" // the estate's key is its first member's
			}
			c.keyed = method == http.MethodPost && !slices.Contains(unkeyed, id)
			calls = append(calls, c)
		}
	}
	return calls
}

// mutations has documents of the mutations that take no id, or whose response has
// a secret.
var mutations = map[string]string{
	"login":          `mutation { login(input: {clerkToken: "<token>"}) { token } }`,
	"refreshSession": `mutation { refreshSession { token } }`,
	"logout":         `mutation { logout { success } }`,
	"createMission":  `mutation { createMission(input: {name: "x", objectives: ["y"], platforms: [TWITTER], durationDays: 1}) { mission { id } } }`,
	"allowAgent": `mutation { allowAgent(input: {request: {clientId: "<client>", redirectUri: "https://assistant.example/callback",
		codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}}) { redirectUrl } }`,
	"createApiKey":         `mutation { createApiKey(input: {name: "made"}) { key apiKey { id } } }`,
	"createMediaUpload":    `mutation { createMediaUpload(input: {contentType: "image/jpeg", bytes: 9}) { upload { id } } }`,
	"createReviewLink":     `mutation { createReviewLink(id: "<mission>", input: {name: "x", expiresInHours: 1}) { url reviewLink { id } } }`,
	"createWebhook":        `mutation { createWebhook(input: {url: "http://127.0.0.1:1/", events: [MISSION_CREATED]}) { secret webhook { id } } }`,
	"connectIntegration":   `mutation { connectIntegration(input: {platform: MASTODON, server: "https://mastodon.example", accessToken: "good"}) { __typename } }`,
	"importContents":       `mutation { importContents(input: {missionId: "<mission>", format: CSV, data: "platform,text\nlinkedin,x"}) { created } }`,
	"removeMember":         `mutation { removeMember(id: "<id>", keys: KEEP) { __typename } }`,
	"createContents":       `mutation { createContents(input: {missionId: "<mission>", items: [{platform: LINKEDIN, text: "x"}]}) { results { content { id } } } }`,
	"writeSample":          `mutation { writeSample(input: {platform: LINKEDIN}) { sample { text } } }`,
	"savePostDraft":        `mutation { savePostDraft(input: {missionId: "<mission>", body: "{}"}) { draft { id } } }`,
	"createContent":        `mutation { createContent(input: {missionId: "<mission>", platform: LINKEDIN, text: "x"}) { content { id } } }`,
	"deleteTenant":         `mutation { deleteTenant(confirm: "<slug>") { __typename } }`,
	"restoreTenant":        `mutation { restoreTenant { __typename } }`,
	"updatePreferences":    `mutation { updatePreferences(input: {reviewEmails: false}) { __typename } }`,
	"holdTenant":           `mutation { holdTenant(input: {reason: "x"}) { __typename } }`,
	"releaseTenant":        `mutation { releaseTenant { __typename } }`,
	"setTenantWriter":      `mutation { setTenantWriter(input: {url: "http://127.0.0.1:1/v1", model: "m"}) { __typename } }`,
	"removeTenantWriter":   `mutation { removeTenantWriter { __typename } }`,
	"setTenantPlatform":    `mutation { setTenantPlatform(platform: TWITTER, input: {clientId: "own", clientSecret: "x"}) { __typename } }`,
	"removeTenantPlatform": `mutation { removeTenantPlatform(platform: TWITTER) { __typename } }`,
	"onboard":              `mutation { onboard(input: {name: "Onboarded"}) { tenant { id } } }`,
	"updateTenant":         `mutation { updateTenant(input: {name: "Renamed"}) { tenant { id } } }`,
}

// graphCalls returns a request for each mutation of the schema.
func (s *harness) graphCalls() []call {
	s.t.Helper()
	types := s.schema()
	var calls []call
	for _, f := range types["Mutation"].Fields {
		document := mutations[f.Name]
		if at := idArguments(types, f); document == "" && len(at) > 0 {
			if document = idDocuments[f.Name+" "+at[0]]; document == "" {
				document = "mutation { " + s.document(types, f, at[0], "<id>") + " }"
			}
		}
		if document == "" {
			s.t.Errorf("mutations has no document for %s", f.Name)
			continue
		}
		if before, after, ok := strings.Cut(document, "<client>"); ok {
			document = before + s.oauthClient() + after
		}
		document = strings.Replace(document, "<token>", s.token(identity.DevPerson{Email: "new@example.com"}), 1)
		calls = append(calls, call{name: "graphql " + f.Name, method: http.MethodPost, path: "/graphql", body: map[string]any{"query": document}, keyed: true})
	}
	return calls
}

// begin starts a session, and returns its token and its user's id.
func (s *harness) begin(email, organization, role string) (token, userID string) {
	s.t.Helper()
	in, err := s.Accounts.Login(context.Background(), s.token(identity.DevPerson{Email: email, Organization: organization, OrganizationRole: role}))
	s.must(err)
	return in.Token, in.User.ID
}

// A stored response is returned only to the credential whose request it is, in
// every operation of both APIs, and not even to that one after it lost the right
// to the operation.
func TestStoredResponsesHaveOneOwner(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	calls := append(s.restCalls(), s.graphCalls()...)
	for op := range mission.Operations() {
		covered := slices.ContainsFunc(calls, func(c call) bool { return c.name == "rest "+string(op) })
		if !covered && !slices.Contains(graphOnly, op) && !slices.Contains(bytesOnly, op) {
			t.Errorf("%s isn't tested", op)
		}
	}
	const shards = 24 // revocations wait until cached credentials expire
	for shard := range shards {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			if shard > 0 {
				testkit.Full(t)
			}
			t.Parallel()
			s := newHarness(t, testkit.SQLite)
			for i, c := range append(s.restCalls(), s.graphCalls()...) {
				if i%shards == shard {
					t.Run(c.name, func(t *testing.T) { s.keptForOne(t, c, fmt.Sprintf("kept-%d", i)) })
				}
			}
		})
	}
}

// keptForOne sends a call with its owner's credential, with seven others, and
// again with the owner's after it lost its rights.
func (s *harness) keptForOne(t *testing.T, c call, name string) {
	t.Helper()
	e, organization := s.estate(name), "org_"+name
	owner, ownerID := s.begin("ann@"+name, organization, "admin")
	sameUser, _ := s.begin("ann@"+name, organization, "admin")
	member, _ := s.begin("bob@"+name, organization, "admin")
	c = c.in(e)
	leave := call{method: "DELETE", path: "/v1/tenant?confirm=" + e.slug}
	stay := call{method: "POST", path: "/v1/tenant/restore"}
	if strings.Contains(strings.ToLower(c.name), "restore") {
		s.as(owner, "leaving", leave, "")
	}
	for removal, set := range map[string]call{
		"removeTenantWriter":   {method: "PUT", path: "/v1/tenant/writer", body: s.creations()["tenant.set_writer"]},
		"removeTenantPlatform": {method: "PUT", path: "/v1/tenant/platforms/twitter", body: s.creations()["tenant.set_platform"]},
	} {
		if strings.Contains(c.name, removal) {
			s.as(owner, "set", set, "")
		}
	}
	if strings.Contains(c.name, "deletePostDraft") {
		e.ids = append(e.ids, s.draft(owner, e.onLinkedIn))
	}
	if strings.Contains(c.name, "releaseTenant") {
		s.as(owner, "held", call{method: "POST", path: "/v1/tenant/hold", body: s.creations()["tenant.hold"]}, "")
	}
	others := map[string]string{
		"nobody": "", "garbage": "x", "another tenant's key": s.keys["theirs"], "a key of the tenant": e.key,
		"another session of the same user": sameUser, "another member": member, "a session that ended": s.ended(name),
	}
	var key, id string
	var kept response
	for i, each := range append([]string{"", e.unended}, e.ids...) {
		key, id = fmt.Sprint("own-", i), each
		if kept = s.as(owner, key, c, id); kept.succeeded() {
			break
		}
	}
	if c.keyed && (!kept.succeeded() || kept.replayed) {
		t.Fatalf("the owner's request failed (creations, bodies and mutations have what each needs): %+v", kept)
	}
	ends := strings.HasSuffix(c.name, "logout")
	if again := s.as(owner, key, c, id); !ends && (again.replayed != c.keyed || c.keyed && again.text != kept.text) {
		t.Errorf("the owner got %+v, want %+v", again, kept)
	}
	for other, credential := range others {
		if got := s.as(credential, key, c, id); got.replayed || leaks(got.text, kept.text) {
			t.Errorf("%s got the owner's response: %+v", other, got)
		}
		s.as(credential, strings.ReplaceAll("planted by "+other, " ", "-"), c, id)
		if got := s.as(owner, strings.ReplaceAll("planted by "+other, " ", "-"), c, id); got.replayed {
			t.Errorf("the owner got %+v, the response of %s", got, other)
		}
	}
	s.as(owner, "staying", stay, "") // if the call removed it
	s.key = e.key
	if status, _ := s.send("PUT", "/v1/members/"+ownerID, map[string]any{"role": "viewer"}); status != http.StatusOK {
		t.Fatalf("making the owner a viewer returned %d", status)
	}
	got := s.as(owner, key, c, id)
	if c.keyed && !slices.Contains(anybodys, c.name) && (got.replayed || !strings.Contains(got.text, `"forbidden"`) || leaks(got.text, kept.text)) {
		t.Errorf("as a viewer the owner got %+v, as an admin %+v", got, kept)
	}
	s.as(owner, "leave", call{method: "POST", path: "/v1/auth/logout"}, "")
	if got := s.as(owner, key, c, id); got.replayed || leaks(got.text, kept.text) {
		t.Errorf("after a logout the owner got %+v", got)
	}
}

// ended returns the token of a session of the tenant that has been logged out.
func (s *harness) ended(name string) string {
	s.t.Helper()
	token, _ := s.begin("eve@"+name, "org_"+name, "admin")
	s.as(token, "leave", call{method: "POST", path: "/v1/auth/logout"}, "")
	return token
}

// anybodys are the keyed calls that need no scope, or one that viewers have. endSession and revokeAgent
// need one only for the session or the agent of another.
var anybodys = []string{"rest content.validate", "rest session.logout", "graphql logout", "graphql login", "graphql refreshSession", "graphql endSession", "graphql updatePreferences", "graphql allowAgent", "graphql revokeAgent"}

// secrets are the fields of responses that only their caller may read.
var secrets = regexp.MustCompile(`"(?:key|token|secret|redirectUrl)":"([^"]+)"`)

// leaks reports whether a response contains a secret of another one.
func leaks(text, of string) bool {
	return slices.ContainsFunc(secrets.FindAllStringSubmatch(of, -1), func(m []string) bool { return strings.Contains(text, m[1]) })
}

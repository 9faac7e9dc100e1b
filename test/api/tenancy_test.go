package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/accounts"
	"missiond/internal/service/media"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// estate is a tenant with a record of every kind that has ids.
type estate struct {
	slug, key string
	ids       []string
	// onLinkedIn is the id of a mission on LinkedIn, where its integration is.
	onLinkedIn string
	// unended is the id of a file whose upload hasn't ended, so that it isn't shown.
	unended string
}

// estate creates a tenant: missions in several states, a job, a second key, a
// second member, entries of the audit log.
func (s *harness) estate(name string) estate {
	s.t.Helper()
	ctx := context.Background()
	tenant, key, err := s.Accounts.CreateTenant(ctx, accounts.NewTenant{
		Name: name, Origin: identity.DevOrigin("org_" + name), Plan: mission.PlanEnterprise,
	})
	s.must(err)
	admin, err := s.Accounts.Authenticate(ctx, key)
	s.must(err)
	e := estate{slug: tenant.Slug, key: key, ids: []string{tenant.ID, admin.UserID}}
	for _, state := range []string{"draft", "active", "paused", "failed"} {
		days, now, posts := 3, state != "draft", 3
		m, err := s.Missions.CreateMission(ctx, admin, mission.CreateInput{
			Name: state, Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &now,
			Constraints: &mission.ConstraintsInput{PostsPerDay: &posts},
		})
		s.must(err)
		if state == "paused" {
			_, err = s.Missions.PauseMission(ctx, admin, m.ID)
			s.must(err)
		}
		e.ids = append(e.ids, m.ID)
		if m.PipelineJobID != nil {
			e.ids = append(e.ids, *m.PipelineJobID)
		}
		switch state {
		case "active":
			e.ids = append(e.ids, s.post(m, *m.PipelineJobID), s.measured(key, m.ID), s.rejected(admin, m, *m.PipelineJobID), s.undecided(key, m, *m.PipelineJobID))
		case "failed":
			s.fail(m, *m.PipelineJobID)
		}
	}
	e.ids = append(e.ids, s.commented(admin, e.first(mission.PrefixContent)), s.replied(admin, e.first(mission.PrefixContent), "1", "Hm?").ID)
	k, _, err := s.Accounts.CreateKey(ctx, admin, mission.KeyInput{Name: "second"})
	s.must(err)
	login, err := s.Accounts.Login(ctx, s.token(identity.DevPerson{Email: "second@" + name, Organization: "org_" + name, OrganizationRole: "admin"}))
	s.must(err)
	sessions, err := s.Accounts.Sessions(ctx, admin, login.User.ID, pageOne)
	s.must(err)
	e.ids = append(e.ids, sessions.List[0].ID)
	hook, _, err := s.Webhooks.Create(ctx, admin, mission.WebhookInput{URL: "http://127.0.0.1:1/", Events: mission.AllEventTypes()})
	s.must(err)
	// It has accepted a delivery, so that past events may be sent to it.
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error { return tx.SetWebhookState(ctx, hook.MarkProven(s.clock.Now())) }))
	days, now := 1, true
	_, err = s.Missions.CreateMission(ctx, admin, mission.CreateInput{
		Name: "receiver", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &now,
	})
	s.must(err)
	deliveries, err := s.Webhooks.Deliveries(ctx, admin, hook.ID, "", pageOne)
	s.must(err)
	note := mission.Notification{
		ID: s.DB.NewID(mission.PrefixNotification, s.clock.Now()), TenantID: tenant.ID, Kind: mission.NotifyWebhookFailing, SubjectID: hook.ID, CreatedAt: s.clock.Now(),
	}
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error { return tx.AddNotification(ctx, note) }))
	link, err := s.Integrations.Connect(ctx, admin, mission.ConnectInput{Platform: mission.LinkedIn, AccessToken: new("good")})
	s.must(err)
	onLinkedIn, err := s.Missions.CreateMission(ctx, admin, mission.CreateInput{
		Name: "on LinkedIn", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.LinkedIn}, DurationDays: &days, StartImmediately: &now,
	})
	s.must(err)
	e.onLinkedIn = onLinkedIn.ID
	review, err := s.Missions.CreateReviewLink(ctx, admin, e.first(mission.PrefixMission), mission.ReviewLinkInput{Name: "x", ExpiresInHours: 1})
	s.must(err)
	e.ids = append(e.ids, review.Link.ID)
	e.ids = append(e.ids, s.repliedOn(admin, e.first(mission.PrefixContent), link.Integration.ID, "2", "Oh?").ID)
	e.ids = append(e.ids, link.Integration.ID, hook.ID, deliveries.List[0].ID, deliveries.List[0].EventID, note.ID)
	log, err := s.Accounts.AuditLog(ctx, admin, mission.AuditFilter{}, pageOne)
	s.must(err)
	e.ids = append(e.ids, s.agent(admin))
	e.unended = s.unended(admin)
	e.ids = append(e.ids, k.ID, login.User.ID, log.List[0].ID, admin.KeyID, s.picture(admin))
	return e
}

// replied has somebody reply to a post of the sandbox.
func (s *harness) replied(p mission.Principal, contentID, platformID, text string) mission.Reply {
	s.t.Helper()
	return s.repliedOn(p, contentID, "", platformID, text)
}

// repliedOn has somebody reply to a post as though an integration had published it.
func (s *harness) repliedOn(p mission.Principal, contentID, integrationID, platformID, text string) mission.Reply {
	s.t.Helper()
	ctx, now := context.Background(), s.clock.Now()
	c, err := s.Missions.Content(ctx, p, contentID)
	s.must(err)
	c.IntegrationID = integrationID
	var made mission.Reply
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		found := mission.FoundReply{ID: platformID, ParentID: "0", Text: text, Author: mission.ReplyAuthor{Handle: "grace", Name: "Grace"}, PublishedAt: now}
		t := c.TakeOver(nil, mission.ReadReplies{Replies: []mission.FoundReply{found}}, 0, func() string { return tx.NewID(mission.PrefixReply, now) }, now)
		made = t.Added[0]
		return tx.TakeOverReplies(ctx, p.TenantID, t)
	}))
	return made
}

// picture uploads a picture that posts can have.
func (s *harness) picture(p mission.Principal) string {
	s.t.Helper()
	return s.file(p, string(mediatest.JPEG(8, 8)), mission.Media{Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Width: 8, Height: 8})
}

// file uploads a file that posts can have, which is what facts say.
func (s *harness) file(p mission.Principal, content string, facts mission.Media) string {
	s.t.Helper()
	ctx := context.Background()
	m, err := s.Media.Upload(ctx, p, media.Upload{ContentType: facts.ContentType, Size: int64(len(content))}, strings.NewReader(content))
	s.must(err)
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		locked, err := tx.LockMedia(ctx, p.TenantID, m.ID)
		if err != nil {
			return err
		}
		facts.Provenance, facts.Hash = mission.Provenance{AI: mission.AINone}, m.Hash
		facts.Variants = []mission.MediaVariant{{
			Platforms: mission.AllPlatforms(), Key: locked.Original, Hash: m.Hash, ContentType: facts.ContentType, Bytes: m.Bytes, Width: facts.Width, Height: facts.Height,
		}}
		return tx.SetMedia(ctx, locked, locked.Processed(facts, s.clock.Now()))
	}))
	return m.ID
}

// unended prepares an upload, sends its bytes, and doesn't end it.
func (s *harness) unended(p mission.Principal) string {
	s.t.Helper()
	ctx, bytes := context.Background(), mediatest.JPEG(8, 8)
	at, err := s.Media.CreateUpload(ctx, p, media.Upload{ContentType: mission.TypeJPEG, Size: int64(len(bytes))})
	s.must(err)
	u, err := url.Parse(at.Path)
	s.must(err)
	s.must(s.Media.Receive(ctx, at.ID, u.Query(), int64(len(bytes)), strings.NewReader(string(bytes))))
	return at.ID
}

// undecided inserts a post whose outcome nobody could find out.
func (s *harness) undecided(key string, m mission.Mission, jobID string) string {
	s.t.Helper()
	before := s.key
	defer func() { s.key = before }()
	s.key = key
	id := s.postAt(m, jobID, 2)
	s.unknown(id, false)
	return id
}

// commented comments on a post.
func (s *harness) commented(p mission.Principal, post string) string {
	s.t.Helper()
	c, err := s.Missions.CommentContent(context.Background(), p, post, mission.ReviewCommentInput{Text: "x"})
	s.must(err)
	return c.ID
}

// rejected inserts a post and rejects it.
func (s *harness) rejected(p mission.Principal, m mission.Mission, jobID string) string {
	s.t.Helper()
	id := s.postAt(m, jobID, 1)
	_, err := s.Missions.RejectContent(context.Background(), p, id, "", nil)
	s.must(err)
	return id
}

// post inserts a post in review.
func (s *harness) post(m mission.Mission, jobID string) string {
	s.t.Helper()
	return s.postAt(m, jobID, 0)
}

// postAt inserts a post in review, at a position of its job's plan.
func (s *harness) postAt(m mission.Mission, jobID string, position int) string {
	s.t.Helper()
	ctx := context.Background()
	j, err := s.DB.Job(ctx, m.TenantID, jobID)
	s.must(err)
	plan := learning.NewPlan(j, j.Brief.Destinations(nil), nil)
	doubtful := mission.Verdict{ExcludedTopic: "x", TopicsChecked: 1}
	c, events := mission.NewContent(s.DB.NewID(mission.PrefixContent, s.clock.Now()), j, mission.NewAssignment(j, plan.Slots[position]),
		mission.Draft{Format: mission.FormatPost, Text: "A text"}, doubtful, s.clock.Now())
	s.must(s.DB.Tx(ctx, func(tx store.Tx) error {
		return errors.Join(tx.SetPlan(ctx, j.ID, plan), tx.AddContent(ctx, c, events))
	}))
	return c.ID
}

// measured inserts a published post of a tenant, by its key, with measurements.
func (s *harness) measured(key, missionID string) string {
	s.t.Helper()
	before := s.key
	defer func() { s.key = before }()
	s.key = key
	id := s.published(missionID, mission.Twitter, s.clock.Now())
	s.measure(missionID, s.clock.Now(), map[string]mission.Metrics{id: {mission.Likes: 1}})
	return id
}

// fail makes a job fail.
func (s *harness) fail(m mission.Mission, jobID string) {
	s.t.Helper()
	j, err := s.DB.Job(context.Background(), m.TenantID, jobID)
	s.must(err)
	failed := j.Fail(mission.Failure{Code: "x", Message: "X."}, 5, s.clock.Now())
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error { return tx.ChangeJob(context.Background(), failed) }))
}

// must fails the test at once if err isn't nil.
func (s *harness) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// never returns an id of the same kind without a record.
func never(id string) string {
	prefix, _, _ := strings.Cut(id, "_")
	return prefix + "_01jd0000000000000000000000"
}

// sendAs sends a request as a tenant and returns the status and the body, with the id
// in it replaced.
func (s *harness) sendAs(e estate, method, path string, body any, id string) (failed bool, response string) {
	s.t.Helper()
	s.key = e.key
	status, object := s.send(method, path, body)
	failed = status >= http.StatusBadRequest
	if list, ok := object["errors"].([]any); ok {
		failed = true
		for _, each := range list {
			delete(each.(map[string]any)["extensions"].(map[string]any), "requestId")
		}
	}
	text, err := json.Marshal(object)
	s.must(err)
	return failed, fmt.Sprintf("%d %s", status, strings.ReplaceAll(string(text), id, "<id>"))
}

// probe is a way to pass an id to the service.
type probe struct {
	name string
	send func(s *harness, e estate, id string) (failed bool, response string)
}

// Every operation that takes an id responds to another tenant's as to one without
// a record, byte for byte except the id. The routes are those of the API's own
// description and the fields those of the schema, so that new ones are covered
// automatically: one that takes an id for which no estate has a record fails. It is whole in the gate, whatever it costs: what it
// holds is what callers trust first.
func TestForeignIDsLookLikeNone(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	theirs, ours := s.estate("theirs-too"), s.estate("ours-too")
	probes := append(s.restProbes(), s.graphProbes()...)
	if len(probes) < 30 {
		t.Errorf("only %d ways to pass an id to the service were found", len(probes))
	}
	own, owned := s.estate("own"), 1
	// takes returns which of the tenant's own ids a probe takes; "" if none.
	takes := func(p probe) string {
		for _, id := range append(own.ids, own.unended) {
			if failed, got := p.send(s, own, id); !failed {
				if unknown, _ := p.send(s, own, never(id)); unknown || !empty(got) { // a filter by no record matches nothing
					return id
				}
			}
		}
		return ""
	}
	for i, p := range probes {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			taken := takes(p)
			if taken == "" {
				own = s.estate(fmt.Sprintf("own-%d", owned)) // earlier probes may have used that up
				owned++
				if taken = takes(p); taken == "" {
					t.Error("none of the tenant's own ids is accepted: the test proves nothing")
				}
			}
			for j, id := range theirs.ids {
				if kind, _, _ := strings.Cut(taken, "_"); !strings.HasPrefix(id, kind+"_") && (i+j)%8 != 0 && !testkit.InFull() {
					continue // of other kinds the gate tries some
				}
				_, foreign := p.send(s, ours, id)
				failed, none := p.send(s, ours, never(id))
				if foreign != none || !failed && !empty(none) {
					t.Errorf("%s returned\n%s, want\n%s", id, foreign, none)
				}
			}
		})
	}
}

// empty reports whether a response is a list without records, or an estimate without slots or of a
// picture that isn't there.
func empty(response string) bool {
	return strings.Contains(response, `"data":[],"has_more":false,"total":0`) || strings.Contains(response, `"edges":[]`) || strings.Contains(response, `"nodes":[null]`) ||
		strings.Contains(response, `"firstSlots":[]`) || strings.Contains(response, `"path":"mediaIds[0]"`) || strings.Contains(response, `"path":"reviewers[0]"`) || strings.Contains(response, `"results":[{"content":null}]`)
}

// bodies are the bodies of routes that take an id.
var bodies = map[string]any{
	"keys.rotate":    map[string]any{},
	"members.update": map[string]any{"role": "admin"}, "missions.update": map[string]any{"name": "x"},
	"media.update": map[string]any{"alt_text": "x"}, "content.edit": map[string]any{"text": "x"}, "content.reschedule": map[string]any{"scheduled_at": "2026-11-22T08:00:00Z"}, "content.settle": map[string]any{"publish_again": true}, "content.approve": map[string]any{}, "content.reject": map[string]any{},
	"content.regenerate": map[string]any{}, "webhooks.update": map[string]any{"enabled": true}, "integrations.update": map[string]any{"label": "x"},
	"replies.answer":  map[string]any{"text": "x"},
	"content.comment": map[string]any{"text": "x"}, "review_links.create": map[string]any{"name": "x", "expires_in_hours": 1},
	"webhooks.replay": map[string]any{"since": "2026-11-21T08:00:00Z"},
}

// queries are the further parameters of routes that take ids as parameters.
var queries = map[string]string{
	"analytics.read starting_after": "&group_by=content",
	"calendar.read mission_id":      day, "calendar.read integration_id": day, "calendar.read starting_after": day,
}

// day is a day of the scenarios' clock, of a calendar.
const day = "&from=2026-11-21&to=2026-11-21"

// first returns the first id of a kind.
func (e estate) first(prefix string) string {
	return e.ids[slices.IndexFunc(e.ids, func(id string) bool { return strings.HasPrefix(id, prefix) })]
}

// fill replaces the remaining parameters of a path by ids of the estate.
func (e estate) fill(path string) string {
	id := mission.PrefixWebhook
	for list, of := range map[string]string{"/comments": mission.PrefixContent, "/review_links": mission.PrefixMission} {
		if strings.Contains(path, list) {
			id = of
		}
	}
	for param, prefix := range map[string]string{"{id}": id, "{delivery_id}": mission.PrefixDelivery, "{link_id}": mission.PrefixReviewLink} {
		path = strings.Replace(path, param, e.first(prefix), 1)
	}
	return strings.Replace(path, "{platform}", string(mission.Twitter), 1)
}

// restProbes returns the routes of the API's description that take ids: in the
// path, as a cursor, or in a parameter of that name.
func (s *harness) restProbes() []probe {
	s.t.Helper()
	s.key = s.keys["ours"]
	_, description := s.send("GET", "/v1/openapi.json", nil)
	var probes []probe
	paths := description["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, op := range paths[path].(map[string]any) {
			operation := op.(map[string]any)
			params, _ := operation["parameters"].([]any)
			for _, each := range params {
				param := each.(map[string]any)
				name, in := param["name"].(string), param["in"].(string)
				if name == "platform" || in != "path" && name != "starting_after" && !strings.HasSuffix(name, "_id") {
					continue
				}
				id := operation["operationId"].(string)
				body := bodies[id]
				if at(operation, "requestBody", "content", "text/csv") != nil || id == string(mission.OpMediaReceive) || id == string(mission.OpMediaFetch) {
					continue // the scenarios of imports try other tenants' ids, and a signature is of one id
				}
				if operation["requestBody"] != nil && body == nil {
					s.t.Errorf("%s takes an id and a body: add one to bodies", id)
				}
				probes = append(probes, probe{strings.ToUpper(method) + " " + path + " " + name, func(s *harness, e estate, id string) (bool, string) {
					target := e.fill(strings.Replace(path, "{"+name+"}", id, 1))
					if in == "query" {
						target += "?" + name + "=" + id + queries[operation["operationId"].(string)+" "+name]
					}
					return s.sendAs(e, strings.ToUpper(method), target, body, id)
				}})
			}
		}
	}
	return probes
}

// The policy is one table: every operation has its REST route, except those that
// only GraphQL has, and every route has its operation.
func TestEveryOperationHasARoute(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	_, description := s.send("GET", "/v1/openapi.json", nil)
	table := mission.Operations()
	for _, op := range graphOnly {
		delete(table, op) // the interface shows jobs in the status view only, and no platforms
	}
	for path, methods := range description["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			id := mission.Operation(op.(map[string]any)["operationId"].(string))
			if _, ok := table[id]; !ok {
				t.Errorf("%s %s is bound to %q, which isn't in the table or has another route", method, path, id)
			}
			delete(table, id)
		}
	}
	for op := range table {
		t.Errorf("%s has no route", op)
	}
}

// A missing scope is a 403 that names it; in GraphQL it is an error on its field,
// with the rest of the data intact.
func TestMissingScopes(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	e := s.estate("scopes")
	admin, err := s.Accounts.Authenticate(context.Background(), e.key)
	s.must(err)
	_, reader, err := s.Accounts.CreateKey(context.Background(), admin, mission.KeyInput{Name: "reader", Scopes: []mission.Scope{mission.ScopeMissionsRead}})
	s.must(err)
	s.key = reader
	status, response := s.send("GET", "/v1/auth/keys", nil)
	if message := response["error"].(map[string]any)["message"].(string); status != http.StatusForbidden || !strings.Contains(message, "admin") {
		t.Errorf("REST returned %d %q", status, message)
	}
	s.hidesFromReaders("scopes")
}

// hidesFromReaders queries, with a credential that may only read, more than that of the
// tenant of an estate.
func (s *harness) hidesFromReaders(name string) {
	s.t.Helper()
	status, response := s.send("POST", "/graphql", map[string]any{
		"query": `{ missions { totalCount } apiKeys { totalCount } viewer { tenant { name brand { voice } members { totalCount } } scopes } }`,
	})
	data := response["data"].(map[string]any)
	tenant := data["viewer"].(map[string]any)["tenant"].(map[string]any)
	if status != http.StatusOK || data["missions"].(map[string]any)["totalCount"] != 6.0 || data["apiKeys"] != nil ||
		tenant["name"] != name || tenant["brand"] != nil || tenant["members"] != nil {
		s.t.Errorf("GraphQL returned %d %v", status, data)
	}
	errs := response["errors"].([]any)
	for _, each := range errs {
		e := each.(map[string]any)
		if e["extensions"].(map[string]any)["code"] != "forbidden" || !strings.Contains(e["message"].(string), "admin") || e["path"] == nil {
			s.t.Errorf("got %v", e)
		}
	}
	if len(errs) != 3 {
		s.t.Errorf("got %d errors, want 3: %v", len(errs), errs)
	}
}

// Package api plays scenarios through REST and GraphQL, with the service in the test's
// process on a stopped clock.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/app"
	"missiond/internal/blobs"
	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/gateway"
	"missiond/internal/identity"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/outbound"
	"missiond/internal/ratelimit"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/test/internal/output"
)

// result is an API's response in terms that REST and GraphQL share: the fields
// with REST's names and values, or an error.
type result struct {
	Code, Param string
	Fields      map[string]any
}

// api is the part of the interface that both APIs have.
type api interface {
	create(body map[string]any) result
	read(id string) result
	list(query map[string]any) result
	pause(id string) result
	resume(id string) result
}

// harness is the service for one scenario: the APIs on a stopped clock.
type harness struct {
	*app.App
	t        testing.TB
	server   *httptest.Server
	plain    http.Handler // the same API, whose GraphQL responses gqlgen writes without plans
	clock    *clock.Manual
	real     *clock.Manual // the time of sessions
	faults   *database.Faults
	keys     map[string]string // by tenant's name
	key      string            // the caller's
	platform *fakePlatform
	provider *identity.DevProvider
	// Nothing is limited unless a test sets a limiter.
	allowances boundless
	// byCookie sends the key, a session's token, as a page of the console does.
	byCookie bool
	log      *output.Buffer // in JSON
	stored   *blobs.Store
	writer   *pen
}

// pen writes with a writer that a test may replace.
type pen struct{ missions.Writer }

// boundless allows everything unless it has a limiter.
type boundless struct{ gateway.Limiter }

func (b *boundless) Take(ctx context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	if b.Limiter != nil {
		return b.Limiter.Take(ctx, buckets...)
	}
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, bucket := range buckets {
		verdicts[i] = ratelimit.Verdict{OK: true, Remaining: bucket.Rate.Limit}
	}
	return verdicts
}

// scenario is a sequence of calls that runs through each API, an A.
type scenario[A any] struct {
	name string
	play func(s *harness, a A)
}

// playAll runs scenarios through REST and through GraphQL on each database of the tier that runs, and the first of them on
// both in the gate.
func playAll[A any](t *testing.T, scenarios []scenario[A]) {
	apis := map[string]func(*harness) any{
		"rest":    func(s *harness) any { return restAPI{s} },
		"graphql": func(s *harness) any { return graphAPI{s} },
	}
	for i, sc := range scenarios {
		on := testkit.Dialects()
		if i == 0 && !testing.Short() {
			on = testkit.Both()
		}
		for dialect, open := range on {
			for name, api := range apis {
				if testing.Short() && (name == "rest") != (i%2 == 0) {
					continue // the inner loop has each through one of the APIs
				}
				t.Run(dialect+"/"+sc.name+"/"+name, func(t *testing.T) {
					t.Parallel()
					s := newHarness(t, open)
					sc.play(s, api(s).(A))
				})
			}
		}
	}
}

// at returns the value at a path of an object.
var at = output.At

var scenarioStart = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

func newHarness(t testing.TB, open func(testing.TB, store.Options) *store.DB) *harness {
	t.Helper()
	s := &harness{t: t, clock: clock.NewManual(scenarioStart), real: clock.NewManual(scenarioStart), faults: &database.Faults{}, keys: map[string]string{}, platform: &fakePlatform{}, log: &output.Buffer{}, writer: &pen{world.PlainWriter{}}}
	db := open(t, store.Options{Timing: store.LedgerTiming{Horizon: time.Hour, Patience: time.Second}, Database: database.Options{Faults: s.faults}})
	var err error
	s.provider, err = identity.NewDevProvider(identity.NewDevSeed(), s.real.Now)
	s.must(err)
	secrets, err := seal.Parse(seal.NewKey())
	s.must(err)
	s.App = app.New(s.config(db, secrets, func(c *app.Config) {
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &s.allowances, Address: mission.Rate{Limit: 300, Per: time.Minute}, Now: s.real.Now})
	}))
	testkit.Cleanup(t, func() { _ = s.Close() }) // the test closes the database
	s.must(errors.Join(s.Accounts.CheckSecrets(context.Background()), s.Accounts.MaintainKeys(context.Background())))
	s.Follow()
	s.server = httptest.NewServer(s.Handler(app.Pages{}))
	s.plain = s.another(func(c *app.Config) {
		c.DisablePlans = true
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &boundless{}, Now: s.real.Now})
	}).Handler(app.Pages{})
	testkit.Cleanup(t, func() { s.server.Close() })
	for _, name := range []string{"ours", "theirs"} {
		_, key, err := s.Accounts.CreateTenant(context.Background(), accounts.NewTenant{Name: name, Plan: mission.PlanFree})
		if err != nil {
			t.Fatal(err)
		}
		s.keys[name] = key
	}
	s.key = s.keys["ours"]
	return s
}

// config returns the configuration of a process on db, whose real time is stopped
// too, with change applied.
func (s *harness) config(db *store.DB, secrets *seal.Keyring, change func(c *app.Config)) app.Config {
	s.t.Helper()
	provider, err := s.provider.Provider()
	s.must(err)
	c := app.Config{
		Log:     slog.New(slog.NewJSONHandler(s.log, nil)),
		Backend: &app.Backend{DB: db, Clock: s.clock}, Real: s.real, Writer: s.writer, Sandbox: true, Secrets: secrets, Provider: provider,
		Rules: outbound.Rules{Local: true}, Adapters: s.platform.everywhere(), PublicURL: "http://127.0.0.1", Issuer: "http://127.0.0.1", LinkURL: linkURL, MediaPublicURL: "http://media.example/base",
		Files: s.files(), Processor: mediatest.NewRunner(2),
		Origins: []string{"https://app.example.com"}, Introspection: true, LeastTime: await.Long(), DisableCredentialCache: true, AccessLog: true,
	}
	change(&c)
	return c
}

// files returns the store of files, which lasts as long as the test.
func (s *harness) files() *blobs.Store {
	s.t.Helper()
	if s.stored == nil {
		files, err := blobs.Open(context.Background(), "file://"+filepath.ToSlash(s.t.TempDir()))
		s.must(err)
		s.stored = files
	}
	return s.stored
}

// another returns another process on the database, without an API.
func (s *harness) another(change func(c *app.Config)) *app.App {
	s.t.Helper()
	a := app.New(s.config(s.DB, s.Secrets, change))
	testkit.Cleanup(s.t, func() { _ = a.Close() })
	s.must(errors.Join(a.Accounts.CheckSecrets(context.Background()), a.Accounts.MaintainKeys(context.Background())))
	return a
}

// send returns the status and the JSON object of a request.
func (s *harness) send(method, path string, body any) (status int, object map[string]any) {
	s.t.Helper()
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			s.t.Fatal(err)
		}
	}
	req, err := http.NewRequest(method, s.server.URL+path, bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	if s.byCookie {
		req.AddCookie(&http.Cookie{Name: consoleCookie, Value: s.key})
		req.Header.Set("Origin", s.server.URL)
	} else {
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.server.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	response, err := io.ReadAll(resp.Body)
	s.must(err)
	if path == "/graphql" {
		s.samePlain(text, response)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "image/") {
		return resp.StatusCode, map[string]any{"bytes": len(response)}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/csv") {
		return resp.StatusCode, map[string]any{"csv": string(response)}
	}
	if err := json.Unmarshal(response, &object); err != nil {
		s.t.Fatalf("%s %s didn't return JSON: %v", method, path, err)
	}
	gapless(s.t, object)
	if strings.HasPrefix(path, "/v1/") && path != "/v1/openapi.json" {
		s.description().check(s.t, method, path, resp.StatusCode, response)
	}
	return resp.StatusCode, object
}

// restAPI calls REST.
type restAPI struct{ *harness }

func (a restAPI) call(method, path string, body any) result {
	status, object := a.send(method, "/v1"+path, body)
	if e, ok := object["error"].(map[string]any); ok && status >= http.StatusBadRequest {
		param, _ := e["param"].(string)
		return result{Code: e["code"].(string), Param: param}
	}
	return result{Fields: object}
}

func (a restAPI) create(body map[string]any) result { return a.call("POST", "/missions", body) }
func (a restAPI) read(id string) result             { return a.call("GET", "/missions/"+id, nil) }
func (a restAPI) pause(id string) result            { return a.call("POST", "/missions/"+id+"/pause", nil) }
func (a restAPI) resume(id string) result           { return a.call("POST", "/missions/"+id+"/resume", nil) }

func (a restAPI) list(query map[string]any) result {
	var q []string
	for name, value := range query {
		text, _ := json.Marshal(value)
		q = append(q, name+"="+strings.Trim(string(text), `"`))
	}
	got := a.call("GET", "/missions?"+strings.Join(q, "&"), nil)
	if got.Code == "" {
		got.Fields = map[string]any{"ids": ids(got.Fields["data"].([]any)), "more": got.Fields["has_more"], "total": got.Fields["total"]}
	}
	return got
}

func ids(list []any) []string {
	found := []string{}
	for _, each := range list {
		found = append(found, each.(map[string]any)["id"].(string))
	}
	return found
}

// graphAPI calls GraphQL.
type graphAPI struct{ *harness }

const missionFields = `id name description status objectives platforms integrationIds mediaIds reviewers reviewersOnly plannedEvents { name startsOn endsOn kind note } blackouts { startsAt endsAt reason } durationDays startsAt endsAt pipelineJobId createdAt updatedAt
	constraints { tone cadence postsPerDay postingTimes timezone requireApproval budgetCents excludedTopics }
	kpis { metric target platform } notices { param message }
	disclosure { aiText lineText aiMedia paidPartnership } editor { name email } publicInterest autonomy { earned { after share } } links { utm { source medium campaign content } track }`

func (a graphAPI) call(query string, variables map[string]any) (map[string]any, result) {
	_, object := a.send("POST", "/graphql", map[string]any{"query": query, "variables": variables})
	if errs, ok := object["errors"].([]any); ok {
		ext := errs[0].(map[string]any)["extensions"].(map[string]any)
		param, _ := ext["param"].(string)
		return nil, result{Code: ext["code"].(string), Param: param}
	}
	return object["data"].(map[string]any), result{}
}

// under returns a mission at data's path, with REST's names and values.
func under(data map[string]any, failed result, path ...string) result {
	if failed.Code != "" {
		return failed
	}
	for _, name := range path {
		data = data[name].(map[string]any)
	}
	return result{Fields: asREST(data).(map[string]any)}
}

// enums are the fields whose values are in upper case in GraphQL.
var enums = []string{"status", "platforms", "reportedBy", "platform", "track", "metric", "cadence", "role", "plan", "kind", "ai_text", "ai_media", "aiText", "aiMedia"}

func asREST(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := map[string]any{}
		for name, value := range v {
			value = asREST(value)
			if slices.Contains(enums, name) {
				value = lower(value)
			}
			if name == "platform" && value == nil {
				value = "all"
			}
			if name == "plannedEvents" {
				name = "events"
			}
			object[snakeCase(name)] = value
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = asREST(v[i])
		}
		return list
	default:
		return v
	}
}

func lower(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToLower(v)
	case []any:
		for i := range v {
			v[i] = lower(v[i])
		}
	}
	return v
}

func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// asGraphQL converts a REST body to GraphQL's input.
func asGraphQL(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := map[string]any{}
		for name, value := range v {
			value = asGraphQL(value)
			if text, ok := value.(string); ok && slices.Contains(enums, name) {
				value = strings.ToUpper(text)
			}
			if list, ok := value.([]any); ok && slices.Contains(enums, name) {
				for i := range list {
					if text, ok := list[i].(string); ok {
						list[i] = strings.ToUpper(text)
					}
				}
			}
			object[camelCase(name)] = value
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = asGraphQL(v[i])
		}
		return list
	default:
		return v
	}
}

func camelCase(name string) string {
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

func (a graphAPI) create(body map[string]any) result {
	data, failed := a.call(`mutation($input: CreateMissionInput!) { createMission(input: $input) { mission { `+missionFields+` estimatedPosts } } }`,
		map[string]any{"input": asGraphQL(body)})
	return under(data, failed, "createMission", "mission")
}

func (a graphAPI) read(id string) result {
	data, failed := a.call(`query($id: ID!) { mission(id: $id) { `+missionFields+` } }`, map[string]any{"id": id})
	return under(data, failed, "mission")
}

func (a graphAPI) pause(id string) result {
	data, failed := a.call(`mutation($id: ID!) { pauseMission(id: $id) { mission { id status } pausedAt } }`, map[string]any{"id": id})
	return flat(under(data, failed, "pauseMission"))
}

func (a graphAPI) resume(id string) result {
	data, failed := a.call(`mutation($id: ID!) { resumeMission(id: $id) { mission { id status } resumedAt adjustedEndsAt } }`, map[string]any{"id": id})
	return flat(under(data, failed, "resumeMission"))
}

// flat merges the fields of a payload's mission into the payload.
func flat(a result) result {
	if m, ok := a.Fields["mission"].(map[string]any); ok {
		for name, value := range m {
			a.Fields[name] = value
		}
		delete(a.Fields, "mission")
	}
	return a
}

// listNames are GraphQL's names of REST's query parameters.
var listNames = map[string]string{"limit": "first", "starting_after": "after"}

func (a graphAPI) list(query map[string]any) result {
	variables, filter := map[string]any{}, map[string]any{}
	for name, value := range query {
		if graphName, ok := listNames[name]; ok {
			variables[graphName] = value
		} else {
			filter[name] = strings.ToUpper(value.(string))
		}
	}
	variables["filter"] = filter
	data, failed := a.call(`query($filter: MissionFilter, $first: Int, $after: String) {
		missions(filter: $filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage } edges { node { id } } } }`, variables)
	for restName, graphName := range listNames {
		if failed.Param == graphName {
			failed.Param = restName
		}
	}
	if failed.Code != "" {
		return failed
	}
	c := data["missions"].(map[string]any)
	found := []any{}
	for _, e := range c["edges"].([]any) {
		found = append(found, e.(map[string]any)["node"])
	}
	return result{Fields: map[string]any{"ids": ids(found), "more": c["pageInfo"].(map[string]any)["hasNextPage"], "total": c["totalCount"]}}
}

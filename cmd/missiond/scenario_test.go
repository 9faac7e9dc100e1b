package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/graph"
	"missiond/internal/clock"
	"missiond/internal/feed"
	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/internal/outbound"
	"missiond/internal/ratelimit"
	"missiond/internal/seal"
	"missiond/internal/service"
	"missiond/internal/testkit"
	"missiond/internal/webhook"
	"missiond/internal/writer/grammar"
	"missiond/mission"
	"missiond/rest"
	"missiond/store"
)

// answer is what an API answered, in terms that REST and GraphQL share: the
// fields under REST's names and in REST's values, or an error.
type answer struct {
	Code, Param string
	Fields      map[string]any
}

// api is the part of the service's interface that both APIs have.
type api interface {
	create(body map[string]any) answer
	read(id string) answer
	list(query map[string]any) answer
	pause(id string) answer
	resume(id string) answer
}

// stage is a service for one scenario: the APIs on a clock that stands still.
type stage struct {
	t      testing.TB
	server *httptest.Server
	clock  *clock.Manual
	faults *store.Faults
	keys   map[string]string // by tenant's name
	key    string            // of the caller
	// accounts, and what logs people in.
	db           *store.DB
	service      *service.Service
	accounts     *service.Accounts
	webhooks     *service.Webhooks
	integrations *service.Integrations
	platform     *fakePlatform
	real         *clock.Manual // the time of sessions
	provider     *identity.DevProvider
	secrets      *seal.Keyring
	limits       *httpserver.Limits
	feed         *feed.Feed
	graph        *graph.API
	// allowances are without bounds, until a test gives them a limiter.
	allowances boundless
}

// boundless lets everything pass where it has no limiter.
type boundless struct{ httpserver.Limiter }

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

// dialects are the databases that the APIs' tables run on. The inner loop takes
// one: the stores' own tests are on both.
func dialects() map[string]func(testing.TB, store.Options) *store.DB {
	all := map[string]func(testing.TB, store.Options) *store.DB{"sqlite": testkit.SQLite, "postgres": testkit.Postgres}
	if testing.Short() {
		delete(all, "postgres")
	}
	return all
}

// scenario is a story that one table plays through each API, an A.
type scenario[A any] struct {
	name string
	play func(s *stage, a A)
}

// playAll plays scenarios on each database, through REST and through GraphQL.
func playAll[A any](t *testing.T, scenarios []scenario[A]) {
	apis := map[string]func(*stage) any{
		"rest":    func(s *stage) any { return restAPI{s} },
		"graphql": func(s *stage) any { return graphAPI{s} },
	}
	for dialect, open := range dialects() {
		for _, sc := range scenarios {
			for name, api := range apis {
				if dialect == "postgres" && name == "graphql" && !testkit.Nightly() {
					continue // SQLite tells the APIs apart, REST the databases
				}
				t.Run(dialect+"/"+sc.name+"/"+name, func(t *testing.T) {
					t.Parallel()
					s := newStage(t, open)
					sc.play(s, api(s).(A))
				})
			}
		}
	}
}

var scenarioStart = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

func newStage(t testing.TB, open func(testing.TB, store.Options) *store.DB) *stage {
	t.Helper()
	s := &stage{t: t, clock: clock.NewManual(scenarioStart), faults: &store.Faults{}, keys: map[string]string{}}
	db := open(t, store.Options{Timing: store.LedgerTiming{Horizon: time.Hour, Patience: time.Second}, Faults: s.faults})
	svc, log := service.New(db, service.Options{Clock: s.clock, Writer: grammar.New(), Sandbox: true}), slog.New(slog.NewTextHandler(io.Discard, nil))
	s.db, s.service, s.accounts = db, svc, s.openAccounts(db, svc)
	client := webhook.NewClient(outbound.Rules{Local: true}, time.Now)
	t.Cleanup(client.Close)
	s.webhooks = service.NewWebhooks(db, service.WebhooksOptions{Clock: s.clock, Secrets: s.secrets, Rules: outbound.Rules{Local: true}, Sender: client})
	s.platform = &fakePlatform{}
	s.integrations = service.NewIntegrations(db, service.IntegrationsOptions{
		Clock: s.clock, Real: s.clock, Secrets: s.secrets, Rules: outbound.Rules{Local: true}, PublicURL: "http://127.0.0.1", Callers: s.accounts,
		Adapters: s.platform.everywhere(), Origins: func(origin string) bool { return origin == "https://app.example.com" },
	})
	requests := service.NewRequests(db, s.secrets, clock.Real(), log)
	mux := http.NewServeMux()
	v1 := http.NewServeMux()
	mux.Handle("/v1/", rest.New(v1, rest.Options{Service: svc, Accounts: s.accounts, Webhooks: s.webhooks, Integrations: s.integrations, Auth: s.accounts, Limits: s.limits, Requests: requests, Clock: s.clock, Log: log}).Guard(rest.Root(v1)))
	s.feed = feed.New(db, svc.StatusViews, log)
	db.OnEvents(s.feed.Wake)
	s.graph = graph.New(graph.Options{Service: svc, Accounts: s.accounts, Webhooks: s.webhooks, Integrations: s.integrations, Auth: s.accounts, Limits: s.limits, Requests: requests, Feed: s.feed, Clock: s.clock, Log: log, Introspection: true})
	mux.Handle("POST /graphql", s.graph)
	mux.HandleFunc("GET /graphql", s.graph.Socket)
	s.background(s.feed.Run, s.graph.Run)
	s.server = httptest.NewServer(rest.Root(mux))
	t.Cleanup(s.server.Close)
	for _, name := range []string{"ours", "theirs"} {
		_, key, err := s.accounts.CreateTenant(context.Background(), service.NewTenant{Name: name, Plan: mission.PlanFree})
		if err != nil {
			t.Fatal(err)
		}
		s.keys[name] = key
	}
	s.key = s.keys["ours"]
	return s
}

// background runs what a process does beside its requests until the test ends.
func (s *stage) background(all ...func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, fn := range all {
		running.Go(func() { fn(ctx) })
	}
	s.t.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// openAccounts makes ready who may call, on a real time that stands still too.
func (s *stage) openAccounts(db *store.DB, svc *service.Service) *service.Accounts {
	s.t.Helper()
	s.real = clock.NewManual(scenarioStart)
	s.limits = httpserver.NewLimits(httpserver.LimitsOptions{Limiter: &s.allowances, Address: mission.Rate{Limit: 300, Per: time.Minute}, Now: s.real.Now})
	var err error
	s.secrets, err = seal.Parse(seal.NewKey())
	s.must(err)
	s.provider, err = identity.NewDevProvider(identity.NewDevSeed(), s.real.Now)
	s.must(err)
	return s.replica(db, svc)
}

// replica is the accounts of one more process.
func (s *stage) replica(db *store.DB, svc *service.Service) *service.Accounts {
	s.t.Helper()
	provider, err := s.provider.Provider()
	s.must(err)
	a := service.NewAccounts(db, service.AccountsOptions{
		DisableCache: true,
		Missions:     svc, Clock: s.clock, Real: s.real, Provider: provider, Secrets: s.secrets, Attempts: s.limits,
	})
	s.must(errors.Join(a.CheckSecrets(context.Background()), a.MaintainKeys(context.Background())))
	return a
}

// send returns the status and the JSON object of a request.
func (s *stage) send(method, path string, body any) (status int, object map[string]any) {
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
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.server.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	s.must(err)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/csv") {
		return resp.StatusCode, map[string]any{"csv": string(answer)}
	}
	if err := json.Unmarshal(answer, &object); err != nil {
		s.t.Fatalf("%s %s answers no JSON: %v", method, path, err)
	}
	if strings.HasPrefix(path, "/v1/") && path != "/v1/openapi.json" {
		s.description().hold(s.t, method, path, resp.StatusCode, answer)
	}
	return resp.StatusCode, object
}

// restAPI speaks REST.
type restAPI struct{ *stage }

func (a restAPI) call(method, path string, body any) answer {
	status, object := a.send(method, "/v1"+path, body)
	if e, ok := object["error"].(map[string]any); ok && status >= http.StatusBadRequest {
		param, _ := e["param"].(string)
		return answer{Code: e["code"].(string), Param: param}
	}
	return answer{Fields: object}
}

func (a restAPI) create(body map[string]any) answer { return a.call("POST", "/missions", body) }
func (a restAPI) read(id string) answer             { return a.call("GET", "/missions/"+id, nil) }
func (a restAPI) pause(id string) answer            { return a.call("POST", "/missions/"+id+"/pause", nil) }
func (a restAPI) resume(id string) answer           { return a.call("POST", "/missions/"+id+"/resume", nil) }

func (a restAPI) list(query map[string]any) answer {
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

// graphAPI speaks GraphQL.
type graphAPI struct{ *stage }

const missionFields = `id name description status objectives platforms durationDays startsAt endsAt pipelineJobId createdAt updatedAt
	constraints { tone cadence postsPerDay postingTimes timezone requireApproval budgetCents excludedTopics }
	kpis { metric target platform } notices { param message }`

func (a graphAPI) call(query string, variables map[string]any) (map[string]any, answer) {
	_, object := a.send("POST", "/graphql", map[string]any{"query": query, "variables": variables})
	if errs, ok := object["errors"].([]any); ok {
		ext := errs[0].(map[string]any)["extensions"].(map[string]any)
		param, _ := ext["param"].(string)
		return nil, answer{Code: ext["code"].(string), Param: param}
	}
	return object["data"].(map[string]any), answer{}
}

// under returns a mission below data's path, in REST's names and values.
func under(data map[string]any, failed answer, path ...string) answer {
	if failed.Code != "" {
		return failed
	}
	for _, name := range path {
		data = data[name].(map[string]any)
	}
	return answer{Fields: asREST(data).(map[string]any)}
}

// enums are the fields whose values GraphQL writes in upper case.
var enums = []string{"status", "platforms", "reportedBy", "platform", "metric", "cadence", "role", "plan"}

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

// asGraphQL is a REST body as GraphQL's input.
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

func (a graphAPI) create(body map[string]any) answer {
	data, failed := a.call(`mutation($input: CreateMissionInput!) { createMission(input: $input) { mission { `+missionFields+` estimatedPosts } } }`,
		map[string]any{"input": asGraphQL(body)})
	return under(data, failed, "createMission", "mission")
}

func (a graphAPI) read(id string) answer {
	data, failed := a.call(`query($id: ID!) { mission(id: $id) { `+missionFields+` } }`, map[string]any{"id": id})
	return under(data, failed, "mission")
}

func (a graphAPI) pause(id string) answer {
	data, failed := a.call(`mutation($id: ID!) { pauseMission(id: $id) { mission { id status } pausedAt } }`, map[string]any{"id": id})
	return flat(under(data, failed, "pauseMission"))
}

func (a graphAPI) resume(id string) answer {
	data, failed := a.call(`mutation($id: ID!) { resumeMission(id: $id) { mission { id status } resumedAt adjustedEndsAt } }`, map[string]any{"id": id})
	return flat(under(data, failed, "resumeMission"))
}

// flat moves a payload's mission's fields beside the payload's own.
func flat(a answer) answer {
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

func (a graphAPI) list(query map[string]any) answer {
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
	return answer{Fields: map[string]any{"ids": ids(found), "more": c["pageInfo"].(map[string]any)["hasNextPage"], "total": c["totalCount"]}}
}

// Package app assembles the service from its parts: what missiond's commands
// run, and what tests and benchmarks run in their own process. It has no rules of
// its own.
//
// A Config has what differs between processes; New makes the parts out of it. The
// options of commands (SecretOptions, LimitOptions and so on) are read by kong.
package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/graph"
	"missiond/graph/endpoint"
	"missiond/internal/admission"
	"missiond/internal/clock"
	"missiond/internal/console"
	"missiond/internal/feed"
	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/oauth"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/router"
	"missiond/internal/publisher/sandbox"
	"missiond/internal/redirect"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/internal/service/agents"
	"missiond/internal/service/idempotency"
	"missiond/internal/service/integrations"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/internal/tracing"
	"missiond/internal/webhook"
	"missiond/internal/writer/own"
	"missiond/mission"
	"missiond/tasks"
)

// Config is what New assembles an App from. Only Backend's database and clock are
// required; what needs another part that is missing refuses or is left out.
type Config struct {
	*Backend
	Log *slog.Logger // nil discards
	// LogDropped returns how many lines of the log were dropped; nil counts none.
	LogDropped func() uint64
	Version    string
	// Real is the clock of sessions and platforms; nil is real time.
	Real missions.Clock

	Writer missions.Writer
	// Writers is how many stages of the process write at once; 0 for no limit.
	Writers int
	// Sandbox publishes posts without a connected integration to the sandbox.
	Sandbox bool
	// SandboxReplies has the sandbox's audience reply to posts.
	SandboxReplies bool
	// TaskRetention is how long the dashboard shows completed tasks.
	TaskRetention time.Duration

	Secrets      *seal.Keyring
	Provider     accounts.IdentityProvider // nil refuses logins
	Console      *console.Provider         // the console's sign-in; nil without one
	LoginChecker accounts.LoginChecker     // nil without a provider that can check logins
	Mailer       accounts.Mailer           // nil sends no e-mails
	// Auth authenticates requests; nil for the app's own accounts.
	Auth gateway.Authenticator
	// Limits limit requests and logins; nil in a process that serves no API.
	Limits *gateway.Limits
	// AccessLog logs every request of the APIs.
	AccessLog bool
	// Tracer traces the requests of the APIs and the tasks; nil for no traces.
	Tracer *tracing.Tracer
	// Rules say which servers tenants may name.
	Rules    outbound.Rules
	Adapters map[mission.Platform]publisher.Adapter
	// MetaSecrets are the secrets of the operator's applications at Meta.
	MetaSecrets map[mission.Platform]string
	// PublicURL is the service's URL for browsers, without a trailing slash.
	PublicURL string
	// Issuer is the address of the authorization server for agents; "" without one.
	Issuer string
	// LinkURL is what tracked links begin with, without a trailing slash; "" if links can't be tracked.
	LinkURL string
	// PaidFigures has accounts' figures read also where a platform charges for them.
	PaidFigures bool
	// MediaPublicURL is its URL for platforms that fetch files, without a trailing slash.
	MediaPublicURL string
	// Files has the bytes of pictures and videos, Processor examines them; without them uploads
	// are refused.
	Files     media.Files
	Processor media.Processor
	// Examiners is how many files the process examines at once.
	Examiners int
	// CheckFiles returns an error if Files can't be used; nil without Files.
	CheckFiles func(ctx context.Context) error
	// Origins are those of pages that may call the APIs.
	Origins   []string
	Retention accounts.Retention
	// Introspection lets clients read the GraphQL schema from the API, Documents
	// are the only documents that it executes, by hash; nil allows any.
	Introspection bool
	Documents     map[string]string
	// LeastTime is how long a request may take at least: for tests; 0 for the APIs' own limits.
	LeastTime time.Duration
	// Lingers is how long what is left of a refused request may yet arrive: for tests; 0 for httpserver.Lingers.
	Lingers time.Duration
	// Patience is how long a client that sends or takes a file may be behind the least rate: for tests; 0 for media's own.
	Patience time.Duration
	// DisableCredentialCache has each request look up its credential: for tests.
	DisableCredentialCache bool
	// DisablePlans has gqlgen write all of GraphQL's responses: for tests.
	DisablePlans bool
}

// App is a process: its parts, and what runs in it until it shuts down.
type App struct {
	Config
	Missions     *missions.API
	Pipeline     *missions.Pipeline
	Accounts     *accounts.Service
	Webhooks     *webhooks.Service
	Integrations *integrations.Service
	Media        *media.Service
	Agents       *agents.Service
	Requests     *idempotency.Requests
	Feed         *feed.Feed
	Graph        *endpoint.API   // nil without Limits
	Links        *redirect.Links // nil without Limits

	// gate shares the database's connections between tenants.
	gate *admission.Gate
	// gateway takes calls to operations; nil without Limits, like requests.
	gateway  *gateway.Gateway
	requests *httpserver.Metrics
	files    *filesWatch // nil without a store of files
	parts    tasks.Parts
	process
}

// sandboxSeed gives every development run the same audiences.
const sandboxSeed = 1

// New assembles an app. Nothing runs in it yet. Close releases what it has opened.
func New(c Config) *App {
	c = c.withDefaults()
	a := &App{Config: c, process: newProcess()}
	a.Metrics.MustRegister(newPoolMetrics(a.DB))
	a.assembleVerbs()
	a.assembleAgents()
	a.assembleTasks()
	a.assembleMetrics()
	if c.CheckFiles != nil {
		a.files = newFilesWatch(c.CheckFiles, a.Log, a.Metrics)
	}
	if c.Limits != nil {
		a.assembleFeed()
	}
	return a
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Real == nil {
		c.Real = clock.Real()
	}
	if c.Metrics == nil {
		c.Metrics = prometheus.NewRegistry()
	}
	return c
}

// assembleVerbs makes the operations on missions, the accounts, the webhooks, the integrations and the
// idempotent requests.
func (a *App) assembleVerbs() {
	tenants := own.New(a.Secrets, a.Rules, a.Log)
	a.closers = append(a.closers, func() error { tenants.Close(); return nil })
	verbs := missions.Options{
		Clock: a.Clock, Writer: a.Writer, Sandbox: a.Sandbox, PublicURL: a.PublicURL, LinkURL: a.LinkURL, PaidFigures: a.PaidFigures,
		OpenOwn: func(w mission.TenantWriter) (missions.Writer, error) { return tenants.Open(w) },
	}
	a.Missions, a.Pipeline = missions.New(a.DB, verbs), missions.NewPipeline(a.DB, verbs)
	client := webhook.NewClient(a.Rules, time.Now)
	a.closers = append(a.closers, func() error { client.Close(); return nil })
	a.Webhooks = webhooks.New(a.DB, webhooks.Options{Clock: a.Clock, Secrets: a.Secrets, Rules: a.Rules, Sender: client})
	a.Media = media.New(a.DB, media.Options{
		Clock: a.Clock, Real: a.Real, Files: a.Files, Processor: a.Processor, Secrets: a.Secrets, PublicURL: a.MediaPublicURL, Patience: a.Patience,
	})
	a.gate = admission.New(a.DB.Connections())
	a.Requests = idempotency.New(a.DB, a.Secrets, clock.Real(), a.Log)
	var attempts accounts.Attempts // nil in a process without logins
	if a.Limits != nil {
		attempts = a.Limits
	}
	a.Accounts = accounts.New(a.DB, accounts.Options{
		Missions: a.Missions, Media: a.Media, Clock: a.Clock, Real: a.Real, Provider: a.Provider, Secrets: a.Secrets, Mailer: a.Mailer, PublicURL: a.PublicURL, Attempts: attempts,
		LoginChecker: a.LoginChecker, Log: a.Log, DisableCache: a.DisableCredentialCache,
	})
	if a.Auth == nil {
		a.Auth = a.Accounts
	}
	a.Integrations = integrations.New(a.DB, integrations.Options{
		Clock: a.Clock, Real: a.Real, Secrets: a.Secrets, Rules: a.Rules, Adapters: a.Adapters, PublicURL: a.PublicURL, Callers: a.Accounts,
		Hidden: a.hidden(), MetaSecrets: a.MetaSecrets,
		Origins: func(origin string) bool { return httpserver.AllowsOrigin(a.Origins, origin) },
	})
}

// assembleAgents makes the operations on agents.
func (a *App) assembleAgents() {
	documents := oauth.NewDocuments(a.Rules, outbound.Options{}, time.Now)
	a.closers = append(a.closers, func() error { documents.Close(); return nil })
	o := agents.Options{Clock: a.Clock, Real: a.Real, Issuer: a.Issuer, Documents: documents, Callers: a.Accounts}
	if a.Limits != nil {
		o.Attempts = a.Limits
	}
	a.Agents = agents.New(a.DB, o)
}

// assembleTasks makes what the ledger and the workers need.
func (a *App) assembleTasks() {
	a.parts = tasks.Parts{
		DB: a.DB, Pipeline: a.Pipeline, Accounts: a.Accounts, Webhooks: a.Webhooks, Media: a.Media, Clock: a.Clock,
		Publisher: router.New(a.Integrations, a.Adapters, sandbox.New(a.DB, a.Clock, sandbox.Audience{Seed: sandboxSeed, Replies: a.SandboxReplies}), a.Log),
		Writers:   a.Writers, Examiners: a.Examiners, MayTake: a.trustsClock, Tracer: a.Tracer, Log: a.Log, Metrics: tasks.NewMetrics(a.Metrics),
	}
	if a.Redis != nil {
		a.parts.Queue = tasks.NewQueue(a.Redis, a.Clock, a.TaskRetention)
	}
}

// assembleFeed makes the GraphQL API, and the feed that its subscriptions follow.
func (a *App) assembleFeed() {
	a.Links = redirect.New(a.DB, redirect.Options{Clock: a.Clock, Limits: a.Limits, Fail: refuse, Log: a.Log})
	a.gateway = &gateway.Gateway{Auth: a.Auth, Limits: a.Limits, Gate: a.gate, Requests: a.Requests, LeastTime: a.LeastTime}
	a.requests = httpserver.NewMetrics(a.Metrics, a.gate)
	a.Feed = feed.New(a.DB, a.Missions.StatusViews, a.Log)
	a.DB.OnEvents(a.Feed.Wake)
	promauto.With(a.Metrics).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "missiond_feed_listeners", Help: "Subscriptions that follow the event log.",
	}, func() float64 { return float64(a.Feed.Listeners()) })
	a.Graph = graph.New(graph.Options{
		Missions: a.Missions, Accounts: a.Accounts, Agents: a.Agents, Webhooks: a.Webhooks, Integrations: a.Integrations, Media: a.Media, Feed: a.Feed, Clock: a.Clock,
		Endpoint: endpoint.Options{
			Gateway: a.gateway, Log: a.Log, Introspection: a.Introspection, Documents: a.Documents, Known: consoleDocuments(),
			Metrics: a.Metrics, DisablePlans: a.DisablePlans,
		},
	})
}

// Runner returns what runs the app's tasks on the caller's goroutine, without Redis: in
// simulations, in the place of what production and development start.
func (a *App) Runner() *tasks.Runner { return tasks.NewRunner(a.parts) }

// Follow runs what the APIs and tracked links need beside their requests, until Close.
func (a *App) Follow() {
	a.background(a.Feed.Run)
	a.background(a.Graph.Run)
	a.background(a.Links.Run)
	a.stops = append(a.stops, func(context.Context) error { a.Graph.Close(); return nil })
}

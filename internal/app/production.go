package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"missiond/internal/httpserver"
	"missiond/internal/outbound"
	"missiond/internal/tracing"
	"missiond/rest"
)

// Program is what all commands know: the log, the version of the build, and the signals.
type Program struct {
	Log     *slog.Logger
	Version string
	// Hurry is closed when a process that is draining is told to shut down again; it may
	// be nil.
	Hurry <-chan struct{}
	// LogDropped returns how many lines of the log were dropped; it may be nil.
	LogDropped func() uint64
}

// config returns the configuration of a process with the options' writer of posts.
func (p Program) config(o WriterOptions) (c Config, err error) {
	c = Config{Log: slog.New(tracing.LogHandler(p.Log.Handler())), LogDropped: p.LogDropped, Version: p.Version}
	c.Writer, c.Writers, err = o.open(c.Log)
	return c, err
}

// checkOrigins returns an error unless all are what a browser sends as an origin, with *
// in the place of a part.
func checkOrigins(origins []string) error {
	for _, o := range origins {
		scheme, host, ok := strings.Cut(o, "://")
		if o != "*" && (!ok || scheme != "http" && scheme != "https" || host == "" || strings.ContainsAny(host, "/?#@ ")) {
			return fmt.Errorf("--cors-origin: %q must be a scheme and a host, such as https://app.example.com, without a path", outbound.Shown(o))
		}
	}
	return nil
}

// apiOptions are the options of a process that serves the APIs.
type apiOptions struct {
	AccessLog        bool `help:"Log every request: a line with its method, route, status, time, tenant and credential's id."`
	SecretOptions    `group:"Secrets"`
	IdentityOptions  `group:"Signing in"`
	ConsoleOptions   `group:"Console"`
	LimitOptions     `group:"Limits and keeping"`
	GraphOptions     `group:"GraphQL"`
	PlatformOptions  `group:"Platforms"`
	MediaOptions     `group:"Pictures and videos"`
	WriterOptions    `group:"Writing"`
	RetentionOptions `group:"Limits and keeping"`
}

// configure opens what the options name, for an API on an address.
func (o apiOptions) configure(ctx context.Context, c *Config, dataDir, mediaDir, address string) (err error) {
	if c.Secrets, err = o.SecretOptions.Open(dataDir); err != nil {
		return err
	}
	if c.Console, err = o.ConsoleOptions.provider(&o.IdentityOptions, c.Rules); err != nil {
		return err
	}
	if c.Provider, c.LoginChecker, err = o.IdentityOptions.open(c.Backend, c.Rules, c.Log); err != nil {
		return err
	}
	if c.Limits, err = o.LimitOptions.open(c.Backend, c.Log); err != nil {
		return err
	}
	if c.Documents, err = o.GraphOptions.open(); err != nil {
		return err
	}
	if c.Retention, err = o.retention(); err != nil {
		return err
	}
	c.AccessLog = o.AccessLog
	if err := o.MediaOptions.open(ctx, c, mediaDir); err != nil {
		return err
	}
	if err := o.PlatformOptions.configure(c, address); err != nil {
		return err
	}
	var none error
	if c.Issuer, none = o.issuer(c); none != nil {
		c.Log.Warn("agents can't be connected: there is no authorization server", "reason", none.Error())
	}
	return nil
}

// productionOptions are the options that serve and worker share.
type productionOptions struct {
	ServerOptions `group:"Servers"`
	OpsOptions    `group:"Operators' pages and traces"`
	TraceOptions  `group:"Operators' pages and traces"`
	TaskRetention time.Duration `help:"How long the dashboard shows completed tasks." default:"10m"`
	DataDir       string        `help:"The folder of secret.key, which is used without --secret-keys." default:".missiond" type:"path"`
}

// openProcess checks the options of a kind of process, and opens the writer of posts and the servers.
func (o productionOptions) openProcess(ctx context.Context, kind string, p Program, w WriterOptions) (c Config, err error) {
	if err := o.OpsOptions.check(); err != nil {
		return c, err
	}
	if c, err = p.config(w); err != nil {
		return c, err
	}
	c.TaskRetention, c.Rules = o.TaskRetention, egressRules()
	if c.Backend, err = openServers(ctx, o.ServerOptions, kind, p.Version); err != nil {
		return c, err
	}
	if err := o.trace(ctx, &c, kind); err != nil {
		return c, errors.Join(err, c.Close())
	}
	return c, nil
}

// ServeOptions are the options of missiond serve.
type ServeOptions struct {
	productionOptions
	Addr            string        `help:"The address to listen on." default:"127.0.0.1:8080"`
	DrainDelay      time.Duration `help:"How long to serve requests after SIGTERM, while /readyz is 503, so that a load balancer notices. A second signal skips it." default:"5s"`
	DatabaseReadURL string        `help:"A streaming replica of the database, which then answers lists, analytics, exports and GraphQL queries. Callers read what they wrote: while it lags by more than 50 ms, or fails, the database itself answers."`
	GraphiQL        bool          `name:"graphiql" help:"Serve the GraphQL explorer at /graphiql."`
	apiOptions
	CORSOrigin []string `name:"cors-origin" help:"An origin whose pages may call the API, such as https://app.example.com. Repeatable."`
}

// Serve serves the APIs until ctx ends. Workers execute the tasks.
func Serve(ctx context.Context, o ServeOptions, p Program) error {
	if err := errors.Join(checkAddr("--addr", o.Addr), checkOrigins(o.CORSOrigin)); err != nil {
		return err
	}
	o.readURL = o.DatabaseReadURL
	c, err := o.openProcess(ctx, "serve", p, o.WriterOptions)
	if err != nil {
		return err
	}
	c.Origins, c.Introspection = o.CORSOrigin, o.GraphiQL
	l, err := c.listen(ctx, "--addr", o.Addr)
	if err == nil {
		err = o.configure(ctx, &c, o.DataDir, "", l.Addr().String())
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	o.tell(c.Log, o.DataDir)
	a := New(c)
	return a.run(ctx, drain{o.DrainDelay, p.Hurry}, func() error { return a.serve(ctx, l, o) })
}

func (a *App) serve(ctx context.Context, l net.Listener, o ServeOptions) error {
	a.startLedger()
	if a.Provider == nil {
		a.Log.Warn("without --idp-issuer nobody can log in; API keys work")
	}
	if err := a.DB.TryReplica(ctx); err != nil {
		a.Log.Warn("the replica of --database-read-url doesn't answer; the database does", "error", err)
	}
	if err := a.openAccounts(ctx); err != nil {
		return err
	}
	a.background(a.maintainAccounts)
	a.Follow()
	a.stops = append(a.stops, a.serveHTTP(l, a.Handler(Pages{GraphiQL: o.GraphiQL})))
	a.Log.Info("serving", "addr", l.Addr().String(), "version", a.Version)
	return a.serveOps(ctx, o.OpsOptions)
}

// WorkOptions are the options of missiond worker.
type WorkOptions struct {
	productionOptions
	SecretOptions   `group:"Secrets"`
	MailOptions     `group:"Mail"`
	PlatformOptions `group:"Platforms"`
	MediaOptions    `group:"Pictures and videos"`
	WriterOptions   `group:"Writing"`
	Sandbox         bool `help:"Publish posts of platforms without a connected integration to the sandbox, as missiond dev does: for staging. Without it such posts fail."`
}

// Work executes tasks until ctx ends: stages, posts and deliveries.
func Work(ctx context.Context, o WorkOptions, p Program) error {
	c, err := o.openProcess(ctx, "worker", p, o.WriterOptions)
	if err != nil {
		return err
	}
	c.Sandbox, c.SandboxReplies = o.Sandbox, o.Sandbox
	if err := o.configure(ctx, &c); err != nil {
		return errors.Join(err, c.Close())
	}
	o.tell(c.Log, o.DataDir)
	a := New(c)
	return a.run(ctx, drain{}, func() error { return a.work(ctx, o.OpsOptions) })
}

func (o WorkOptions) configure(ctx context.Context, c *Config) (err error) {
	if c.Secrets, err = o.SecretOptions.Open(o.DataDir); err != nil {
		return err
	}
	if c.Mailer, err = o.MailOptions.open(); err != nil {
		return err
	}
	if err := o.MediaOptions.open(ctx, c, ""); err != nil {
		return err
	}
	return o.PlatformOptions.configure(c, "")
}

func (a *App) work(ctx context.Context, o OpsOptions) error {
	a.startLedger()
	if err := a.openAccounts(ctx); err != nil {
		return err
	}
	if err := a.startWorker(); err != nil {
		return err
	}
	a.Log.Info("working", "version", a.Version)
	return a.serveOps(ctx, o)
}

// serveOps serves the operators' pages on a listener of their own.
func (a *App) serveOps(ctx context.Context, o OpsOptions) error {
	l, err := a.listen(ctx, "--ops-addr", o.OpsAddr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	a.health(mux)
	a.ops(mux, o.OpsPassword)
	// It goes on to say that the process is draining while others stop.
	a.lastStops = append(a.lastStops, a.serveHTTP(l, a.outermost(rest.Root(mux), &httpserver.Observer{})))
	a.Log.Info("operators' pages", "addr", l.Addr().String())
	return nil
}

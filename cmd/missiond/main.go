// Missiond is the content mission service.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones also where the machine has none

	"github.com/alecthomas/kong"
	_ "golang.org/x/crypto/x509roots/fallback" // and certificate authorities

	"missiond/internal/app"
	"missiond/internal/devenv"
)

type cli struct {
	Dev        devCommand        `cmd:"" help:"Run everything in one process, with nothing installed: API, workers, dashboard."`
	Demo       demoCommand       `cmd:"" help:"Play one mission from brief to learned in the terminal, in about a minute."`
	Serve      serveCommand      `cmd:"" help:"Run the API, on Postgres and Redis."`
	Worker     workerCommand     `cmd:"" help:"Run workers, on Postgres and Redis."`
	Migrate    migrateCommand    `cmd:"" help:"Migrate the database's schema, or list its versions."`
	Tenant     tenantCommand     `cmd:"" help:"Create, list, delete, restore and export tenants."`
	Ledger     ledgerCommand     `cmd:"" help:"Show the work to be done."`
	Jobs       jobsCommand       `cmd:"" help:"Run failed jobs again."`
	Publishing publishingCommand `cmd:"" help:"Hold and release all posts, and reconcile a restored database."`
	Token      tokenCommand      `cmd:"" help:"Print a token of the development identity provider, to log in with."`
	Secrets    secretsCommand    `cmd:"" help:"Create and replace encryption and signing keys."`
	Simulate   simulateCommand   `cmd:"" help:"Compare missions that learn with controls that don't, on the sandbox's audience."`
	Version    versionCommand    `cmd:"" help:"Print the version, its commit, and the schema that it knows."`

	Healthcheck healthcheckCommand `cmd:"" help:"Ask a process on this machine whether it is alive; for containers."`

	LogLevel  slog.Level `help:"The lowest level to log: debug, info, warn, error." default:"info"`
	LogFormat string     `help:"The log format: text or json." enum:"text,json" default:"text"`
}

type devCommand struct{ app.DevelopmentOptions }

// Run is missiond dev.
func (c devCommand) Run(ctx context.Context, p app.Program) error {
	return app.Develop(ctx, c.DevelopmentOptions, p, func(b devenv.Banner) { fmt.Print(b) })
}

type serveCommand struct{ app.ServeOptions }

// Run is missiond serve.
func (c serveCommand) Run(ctx context.Context, p app.Program) error {
	return app.Serve(ctx, c.ServeOptions, p)
}

type workerCommand struct{ app.WorkOptions }

// Run is missiond worker.
func (c workerCommand) Run(ctx context.Context, p app.Program) error {
	return app.Work(ctx, c.WorkOptions, p)
}

func program(log *slog.Logger, hurry <-chan struct{}) app.Program {
	return app.Program{Log: log, Version: versionText(), Hurry: hurry}
}

// logger returns the log, which goes to standard error, so that standard output
// has only a command's result.
func (c *cli) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

func main() {
	var c cli
	k := kong.Parse(&c, kong.Name("missiond"), kong.ShortUsageOnError(), kong.DefaultEnvars("MISSIOND"),
		kong.Description("The content mission service: a tenant states a mission, a pipeline writes, schedules, publishes, measures and improves its posts."))
	ctx, hurry := untilSignaled()
	k.BindTo(ctx, (*context.Context)(nil))
	log := c.logger()
	k.FatalIfErrorf(k.Run(log, program(log, hurry)))
}

// untilSignaled returns a context that ends with the first signal to shut down, and a
// channel that is closed by the second. SIGHUP is one of them, unless whoever started
// the program had it ignored (nohup).
func untilSignaled() (ctx context.Context, hurry <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	second := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		cancel()
		<-signals
		close(second)
		signal.Stop(signals) // a third one ends the process at once
	}()
	return ctx, second
}

// Missiond is the content mission service.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
	_ "time/tzdata" // time zones also where the machine has none

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/alecthomas/kong"
	_ "golang.org/x/crypto/x509roots/fallback" // and certificate authorities

	"missiond/internal/app"
	"missiond/internal/devenv"
	"missiond/internal/logs"
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
	Writer     writerCommand     `cmd:"" help:"Evaluate language models."`
	MCP        mcpCommand        `cmd:"" name:"mcp" help:"Connect an editor's assistant with the service over standard input and output."`
	Simulate   simulateCommand   `cmd:"" help:"Compare missions that learn with controls that don't, on the sandbox's audience."`
	Version    versionCommand    `cmd:"" help:"Print the version, its commit, and the schema that it knows."`

	Healthcheck healthcheckCommand `cmd:"" help:"Ask a process on this machine whether it is alive; for containers."`
	Media       mediaCommand       `cmd:"" hidden:"" help:"Examine a file for the process that starts this one."`

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

// logger returns the log, whose lines go to standard error, so that standard output
// has only a command's result.
func (c *cli) logger(lines *logs.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == jsonFormat {
		return slog.New(slog.NewJSONHandler(lines, options))
	}
	return slog.New(slog.NewTextHandler(lines, options))
}

const jsonFormat = "json"

// flushLimit is how long the program waits at its end for the last lines of its log.
const flushLimit = 2 * time.Second

func main() {
	var c cli
	if err := trimVariables(); err != nil {
		fmt.Fprintln(os.Stderr, "missiond:", err)
		os.Exit(1)
	}
	k := kong.Parse(&c, kong.Name("missiond"), kong.ShortUsageOnError(), kong.DefaultEnvars("MISSIOND"),
		kong.Description("The content mission service: a tenant states a mission, a pipeline writes, schedules, publishes, measures and improves its posts."))
	ctx, hurry := untilSignaled()
	k.BindTo(ctx, (*context.Context)(nil))
	lines := logs.NewWriter(os.Stderr)
	log := c.logger(lines)
	app.AdoptLoggers(log)
	warnOfVariables(k.Model, os.Environ(), log)
	process := slices.Contains([]string{"dev", "serve", "worker"}, k.Command())
	if process {
		// A process goes on when nobody reads its output any more.
		signal.Ignore(syscall.SIGPIPE)
		if _, err := memlimit.Set(); err != nil { // to nine tenths of the control group's, unless GOMEMLIMIT says another
			log.Debug("the memory limit of the control group isn't known", "error", err)
		}
	}
	p := program(log, hurry)
	p.LogDropped = lines.Dropped
	err := k.Run(log, p)
	if process && errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = nil // it was told to stop before it had started
	}
	if err != nil && c.LogFormat == jsonFormat {
		log.Error("missiond failed", "error", err)
		lines.Flush(flushLimit)
		os.Exit(1)
	}
	lines.Flush(flushLimit)
	k.FatalIfErrorf(err)
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

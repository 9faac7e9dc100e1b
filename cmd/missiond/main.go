// Missiond is the content mission service.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // time zones also where the machine has none

	"github.com/alecthomas/kong"
)

// version is set by the build.
var version = "dev"

type cli struct {
	Dev      devCommand      `cmd:"" help:"Run everything in one process, with nothing installed: API, workers, dashboard."`
	Serve    serveCommand    `cmd:"" help:"Run the API, on Postgres and Redis."`
	Worker   workerCommand   `cmd:"" help:"Run workers, on Postgres and Redis."`
	Migrate  migrateCommand  `cmd:"" help:"Bring the database's schema up to date, or tell its state."`
	Tenant   tenantCommand   `cmd:"" help:"Make and list tenants."`
	Token    tokenCommand    `cmd:"" help:"Print a token of the development identity provider, to log in with."`
	Secrets  secretsCommand  `cmd:"" help:"Make and replace the keys that seal and sign."`
	Simulate simulateCommand `cmd:"" help:"Play missions that learn, and twins that don't, on the sandbox's audience, and compare them."`
	Version  versionCommand  `cmd:"" help:"Print the version."`

	LogLevel  slog.Level `help:"Log from this level on: debug, info, warn, error." default:"info"`
	LogFormat string     `help:"Log as text or json." enum:"text,json" default:"text"`
}

type versionCommand struct{}

func (versionCommand) Run() error {
	_, err := fmt.Println("missiond " + versionText())
	return err
}

// versionText is the build's version, or what Go knows of it.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

// logger writes to standard error, so that standard output is a command's
// answer alone.
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k.BindTo(ctx, (*context.Context)(nil))
	k.FatalIfErrorf(k.Run(c.logger()))
}

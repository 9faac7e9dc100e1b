package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"missiond/internal/devenv"
	"missiond/internal/outbound"
	"missiond/mission"
)

type devCommand struct {
	Addr          string        `help:"The address to listen on." default:"127.0.0.1:8080"`
	DataDir       string        `help:"The folder that keeps all data." default:".missiond" type:"path"`
	ClockSpeed    float64       `help:"How many times faster than real time the clock runs: with 1440 a day takes a minute." default:"1"`
	DatabaseURL   string        `help:"Use this Postgres database instead of the folder's SQLite."`
	RedisURL      string        `help:"Use this Redis, or Redis Cluster, instead of the embedded one."`
	TaskRetention time.Duration `help:"How long the dashboard shows completed tasks." default:"1h"`
	secretFlags
	identityFlags
	mailFlags
	limitFlags
	graphFlags
	platformFlags
	writerFlags
	retentionFlags
	CORSOrigin []string          `name:"cors-origin" help:"An origin whose pages may call the API, such as https://app.example.com. Repeatable." default:"http://localhost:*,http://127.0.0.1:*"`
	Limit      map[string]string `help:"Override a limit of the demo tenant: missions.create=1000/h, requests=5000/m, burst=500. Repeatable."`
}

// Run is missiond dev: API, workers, dashboard and a demo tenant in one
// process.
func (c devCommand) Run(ctx context.Context, log *slog.Logger) error {
	if !loopback(c.Addr) {
		return fmt.Errorf("missiond dev must listen on loopback, not on %s: it has a demo key and operators' pages without a password", c.Addr)
	}
	writer, writers, err := c.writerFlags.open(log)
	if err != nil {
		return err
	}
	b, err := openDev(ctx, c)
	if err != nil {
		return err
	}
	a := newApp(b, log, appOptions{retention: c.TaskRetention, writer: writer, writers: writers, sandbox: true})
	if err := c.start(ctx, a); err != nil {
		_ = a.shutdown()
		return err
	}
	return a.wait(ctx)
}

func (c devCommand) start(ctx context.Context, a *app) error {
	background := a.startLedger(ctx)
	if err := mission.Limits(c.Limit).Check(); err != nil {
		return fmt.Errorf("--limit: %w", err)
	}
	if err := a.openLimits(c.limitFlags); err != nil {
		return err
	}
	l, err := listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	keys, err := c.openIdentity(ctx, background, a, l.Addr().String())
	if err != nil {
		return err
	}
	env, err := devenv.Demo(ctx, a.accounts, c.DataDir, c.Limit)
	if err != nil {
		return err
	}
	if a.retention, err = c.retentionFlags.retention(); err != nil {
		return err
	}
	a.background(background, a.maintainAccounts)
	if !a.clock.IsReal() {
		a.background(background, func(ctx context.Context) { beatClock(ctx, a.db, a.log) })
	}
	if err := a.startWorker(); err != nil {
		return err
	}
	env.URL = "http://" + l.Addr().String()
	if err := a.startGraph(background, c.graphFlags, true); err != nil {
		return err
	}
	start := devenv.NewStart(env)
	a.serveHTTP(l, a.handler(pages{curl: env.Example(c.DataDir), graphiQL: true, ops: true, start: start, origins: c.CORSOrigin}, func(mux *http.ServeMux) {
		a.ops(mux, "")
		if keys != nil {
			mux.HandleFunc("GET /.well-known/jwks.json", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, keys) })
		}
	}))
	if err := env.Write(c.DataDir); err != nil {
		return err
	}
	fmt.Print(env.Banner(c.DataDir, start.Address(), a.clock.Speed()))
	return nil
}

// openIdentity opens the accounts, of people of the flags' identity provider or,
// without one, of the development provider, whose public keys it returns. It
// opens the platforms too.
func (c devCommand) openIdentity(ctx, background context.Context, a *app, address string) (keys json.RawMessage, err error) {
	secrets, err := c.secretFlags.open(c.DataDir)
	if err != nil {
		return nil, err
	}
	provider, err := a.openProvider(background, c.identityFlags)
	if err != nil {
		return nil, err
	}
	if provider == nil {
		dev, err := openDevProvider(c.DataDir)
		if err != nil {
			return nil, err
		}
		if keys, err = dev.JWKS(); err != nil {
			return nil, err
		}
		if provider, err = dev.Provider(); err != nil {
			return nil, err
		}
	}
	mailer, err := c.mailFlags.open()
	if err != nil {
		return nil, err
	}
	rules := outbound.Rules{Local: true}
	if err := a.openAccounts(ctx, secrets, provider, rules, mailer); err != nil {
		return nil, err
	}
	return keys, a.openPlatforms(c.platformFlags, secrets, rules, address, c.CORSOrigin)
}

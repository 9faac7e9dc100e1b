package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"missiond/internal/devenv"
)

type devCommand struct {
	Addr          string        `help:"Where to listen." default:"127.0.0.1:8080"`
	DataDir       string        `help:"The folder that keeps everything." default:".missiond" type:"path"`
	ClockSpeed    float64       `help:"How fast the clock goes: 1440 makes a day a minute." default:"1"`
	DatabaseURL   string        `help:"Use this Postgres database instead of the folder's SQLite."`
	RedisURL      string        `help:"Use this Redis instead of the embedded one."`
	TaskRetention time.Duration `help:"How long the dashboard shows tasks that are done." default:"1h"`
}

// Run is missiond dev: API, workers, dashboard and a demo tenant in one
// process.
func (c devCommand) Run(ctx context.Context, log *slog.Logger) error {
	if !loopback(c.Addr) {
		return fmt.Errorf("missiond dev has a demo key and open operators' pages: it listens on loopback only, not on %s", c.Addr)
	}
	b, err := openDev(ctx, c)
	if err != nil {
		return err
	}
	a := newApp(b, log, c.TaskRetention)
	if err := c.start(ctx, a); err != nil {
		_ = a.end()
		return err
	}
	return a.wait(ctx)
}

func (c devCommand) start(ctx context.Context, a *app) error {
	env, err := devenv.Demo(ctx, a.service, c.DataDir)
	if err != nil {
		return err
	}
	background := a.startLedger(ctx)
	if !a.clock.IsReal() {
		a.background(background, func(ctx context.Context) { beatClock(ctx, a.db, a.log) })
	}
	if err := a.startWorker(); err != nil {
		return err
	}
	l, err := listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	env.URL = "http://" + l.Addr().String()
	a.serveHTTP(l, a.handler(pages{curl: env.Curl(), graphiQL: true, ops: true, key: env.APIKey}, func(mux *http.ServeMux) { a.ops(mux, "") }))
	if err := env.Write(c.DataDir); err != nil {
		return err
	}
	fmt.Print(env.Banner(c.DataDir, a.clock.Speed()))
	return nil
}

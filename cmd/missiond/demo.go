package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"missiond/internal/app"
	"missiond/internal/demo"
	"missiond/internal/devenv"
)

type demoCommand struct {
	ClockSpeed float64 `help:"How many times faster than real time the clock runs: with 4320 the mission's three days take a minute." default:"4320"`
}

// Run is missiond demo. It runs the service as missiond dev does, in a temporary
// folder and on a free port, until the mission has ended or ctx has.
func (c demoCommand) Run(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "missiond-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	options := app.DevelopmentOptions{}
	if err := kong.ApplyDefaults(&options); err != nil {
		return err
	}
	options.Addr, options.DataDir, options.ClockSpeed = "127.0.0.1:0", folder, c.ClockSpeed

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready, ended := make(chan devenv.Banner, 1), make(chan error, 1)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	go func() {
		ended <- app.Develop(ctx, options, program(log, nil), func(b devenv.Banner) { ready <- b })
	}()
	select {
	case err = <-ended:
		return err
	case b := <-ready:
		err = demo.Play(ctx, os.Stdout, demo.Service{URL: b.URL, APIKey: b.APIKey, Speed: b.Speed})
	}
	if ctx.Err() != nil {
		fmt.Println("\nInterrupted. Nothing is left behind.")
		err = nil
	}
	cancel()
	return errors.Join(err, <-ended)
}

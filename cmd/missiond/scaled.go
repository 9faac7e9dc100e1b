package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"missiond/rest"
)

type serveCommand struct {
	scaleFlags
	opsFlags
	Addr          string        `help:"The address to listen on." default:"127.0.0.1:8080"`
	GraphiQL      bool          `name:"graphiql" help:"Serve the GraphQL explorer at /graphiql."`
	TaskRetention time.Duration `help:"How long the dashboard shows completed tasks." default:"10m"`
	DataDir       string        `help:"The folder of secret.key, which is used without --secret-keys." default:".missiond" type:"path"`
	secretFlags
	identityFlags
	limitFlags
	graphFlags
	platformFlags
	writerFlags
	retentionFlags
	CORSOrigin []string `name:"cors-origin" help:"An origin whose pages may call the API, such as https://app.example.com. Repeatable."`
}

// Run is missiond serve: the API. missiond worker executes the tasks.
func (c serveCommand) Run(ctx context.Context, log *slog.Logger) error {
	return runScaled(ctx, log, c.scaled(c.scaleFlags, c.opsFlags, c.TaskRetention, false), func(background context.Context, a *app) error {
		if err := a.openLimits(c.limitFlags); err != nil {
			return err
		}
		l, err := listen(ctx, c.Addr)
		if err != nil {
			return err
		}
		if err := c.openIdentity(ctx, background, a, l.Addr().String()); err != nil {
			return err
		}
		if a.retention, err = c.retentionFlags.retention(); err != nil {
			return err
		}
		a.background(background, a.maintainAccounts)
		if err := a.startGraph(background, c.graphFlags, c.GraphiQL); err != nil {
			return err
		}
		a.serveHTTP(l, a.handler(pages{graphiQL: c.GraphiQL, origins: c.CORSOrigin}, nil))
		log.Info("serving", "addr", l.Addr().String(), "version", versionText())
		return nil
	})
}

// openIdentity opens the accounts and the platforms.
func (c serveCommand) openIdentity(ctx, background context.Context, a *app, address string) error {
	secrets, err := c.secretFlags.open(c.DataDir)
	if err != nil {
		return err
	}
	provider, err := a.openProvider(background, c.identityFlags)
	if err != nil {
		return err
	}
	if provider == nil {
		a.log.Warn("without --idp-issuer nobody can log in; API keys work")
	}
	if err := a.openAccounts(ctx, secrets, provider, egressRules(), nil); err != nil {
		return err
	}
	return a.openPlatforms(c.platformFlags, secrets, egressRules(), address, c.CORSOrigin)
}

type workerCommand struct {
	scaleFlags
	opsFlags
	TaskRetention time.Duration `help:"How long the dashboard shows completed tasks." default:"10m"`
	DataDir       string        `help:"The folder of secret.key, which is used without --secret-keys." default:".missiond" type:"path"`
	secretFlags
	mailFlags
	platformFlags
	writerFlags
	Sandbox bool `help:"Publish posts of platforms without a connected integration to the sandbox, as missiond dev does: for staging. Without it such posts fail."`
}

// Run is missiond worker: it executes stages, posts and deliveries.
func (c workerCommand) Run(ctx context.Context, log *slog.Logger) error {
	return runScaled(ctx, log, c.scaled(c.scaleFlags, c.opsFlags, c.TaskRetention, c.Sandbox), func(_ context.Context, a *app) error {
		secrets, err := c.secretFlags.open(c.DataDir)
		if err != nil {
			return err
		}
		mailer, err := c.mailFlags.open()
		if err != nil {
			return err
		}
		if err := a.openAccounts(ctx, secrets, nil, egressRules(), mailer); err != nil {
			return err
		}
		if err := a.openPlatforms(c.platformFlags, secrets, egressRules(), "", nil); err != nil {
			return err
		}
		if err := a.startWorker(); err != nil {
			return err
		}
		log.Info("working", "version", versionText())
		return nil
	})
}

// scaled are the options of a process of serve or worker, one of many.
type scaled struct {
	scaleFlags
	opsFlags
	writerFlags
	appOptions
}

func (f writerFlags) scaled(s scaleFlags, o opsFlags, retention time.Duration, sandbox bool) scaled {
	return scaled{scaleFlags: s, opsFlags: o, writerFlags: f, appOptions: appOptions{retention: retention, sandbox: sandbox}}
}

// runScaled runs a process of serve or worker: the dispatcher and the sweeper, the
// operators' pages, and what start adds.
func runScaled(ctx context.Context, log *slog.Logger, s scaled, start func(background context.Context, a *app) error) error {
	if err := s.check(); err != nil {
		return err
	}
	var err error
	if s.writer, s.writers, err = s.writerFlags.open(log); err != nil {
		return err
	}
	b, err := openScaled(ctx, s.scaleFlags)
	if err != nil {
		return err
	}
	a := newApp(b, log, s.appOptions)
	err = start(a.startLedger(ctx), a)
	if err == nil {
		err = a.serveOps(ctx, s.opsFlags)
	}
	if err != nil {
		_ = a.shutdown()
		return err
	}
	return a.wait(ctx)
}

// serveOps serves the operators' pages on a listener of their own.
func (a *app) serveOps(ctx context.Context, o opsFlags) error {
	l, err := listen(ctx, o.OpsAddr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	a.health(mux)
	a.ops(mux, o.OpsPassword)
	a.serveHTTP(l, a.outermost(rest.Root(mux)))
	a.log.Info("operators' pages", "addr", l.Addr().String())
	return nil
}

package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"missiond/internal/clock"
	"missiond/internal/devenv"
	"missiond/internal/identity"
	"missiond/internal/outbound"
	"missiond/mission"
)

// DevelopmentOptions are the options of missiond dev.
type DevelopmentOptions struct {
	Addr              string  `help:"The address to listen on." default:"127.0.0.1:8080"`
	DataDir           string  `help:"The folder that keeps all data." default:".missiond" type:"path"`
	ClockSpeed        float64 `help:"How many times faster than real time the clock runs: with 1440 a day takes a minute." default:"1"`
	DatabaseURL       string  `help:"Use this Postgres database instead of the folder's SQLite."`
	ConnectionOptions `group:"Servers"`
	RedisURL          string        `help:"Use this Redis, or Redis Cluster, instead of the embedded one."`
	TaskRetention     time.Duration `help:"How long the dashboard shows completed tasks." default:"1h"`
	DrainDelay        time.Duration `help:"How long to serve requests after SIGTERM, while /readyz is 503. A second signal skips it." default:"0s"`
	apiOptions
	MailOptions       `group:"Mail"`
	LocalModelOptions `group:"Writing"`
	TraceOptions      `group:"Operators' pages and traces"`
	CORSOrigin        []string          `name:"cors-origin" help:"An origin whose pages may call the API, such as https://app.example.com. Repeatable." default:"http://localhost:*,http://127.0.0.1:*"`
	Limit             map[string]string `help:"Override a limit of the demo tenant: missions.create=1000/h, requests=5000/m, burst=500. Repeatable."`
}

// Develop runs the APIs, workers, the dashboard and a demo tenant in one process,
// until ctx ends. It calls ready once requests are served.
func Develop(ctx context.Context, o DevelopmentOptions, p Program, ready func(devenv.Banner)) error {
	if err := errors.Join(checkAddr("--addr", o.Addr), checkOrigins(o.CORSOrigin)); err != nil {
		return err
	}
	if !loopback(o.Addr) {
		return fmt.Errorf("missiond dev must listen on loopback, not on %s: it has a demo key and operators' pages without a password", o.Addr)
	}
	if err := mission.Limits(o.Limit).Check(); err != nil {
		return fmt.Errorf("--limit: %w", err)
	}
	if err := o.LocalModelOptions.use(ctx, &o.WriterOptions); err != nil {
		return err
	}
	c, err := p.config(o.WriterOptions)
	if err != nil {
		return err
	}
	var domain clock.Clock
	if c.Backend, domain, err = openDevelopment(ctx, o, p.Version); err != nil {
		return err
	}
	c.TaskRetention, c.Sandbox, c.SandboxReplies, c.Introspection = o.TaskRetention, true, true, true
	c.Rules, c.Origins = outbound.Rules{Local: true}, o.CORSOrigin
	if err := o.trace(ctx, &c, "dev"); err != nil {
		return errors.Join(err, c.Close())
	}
	l, err := c.listen(ctx, "--addr", o.Addr)
	if err == nil {
		err = o.configure(ctx, &c, o.DataDir, o.DataDir, l.Addr().String())
	}
	if err == nil {
		c.Mailer, err = o.MailOptions.open()
	}
	var dev *identity.DevProvider
	if err == nil && c.Provider == nil {
		dev, err = c.useDevProvider(o.DataDir)
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	a := New(c)
	return a.run(ctx, drain{o.DrainDelay, p.Hurry}, func() error {
		b, err := a.develop(ctx, l, o, domain, dev)
		if err == nil {
			ready(b)
		}
		return err
	})
}

// useDevProvider logs in people of the development identity provider, which it returns.
func (c *Config) useDevProvider(dataDir string) (dev *identity.DevProvider, err error) {
	if dev, err = OpenDevProvider(dataDir); err == nil {
		c.Provider, err = dev.Provider()
	}
	return dev, err
}

func (a *App) develop(
	ctx context.Context, l net.Listener, o DevelopmentOptions, domain clock.Clock, dev *identity.DevProvider,
) (devenv.Banner, error) {
	a.startLedger()
	if err := a.openAccounts(ctx); err != nil {
		return devenv.Banner{}, err
	}
	env, err := devenv.Demo(ctx, a.Accounts, o.DataDir, o.Limit)
	if err != nil {
		return devenv.Banner{}, err
	}
	a.background(a.maintainAccounts)
	a.background(func(ctx context.Context) { tellOfModels(ctx, o.WriterOptions, a.Log) })
	if !domain.IsReal() {
		a.background(func(ctx context.Context) { beatClock(ctx, a.DB, a.Log) })
	}
	if err := a.startWorker(); err != nil {
		return devenv.Banner{}, err
	}
	a.Follow()
	var keys json.RawMessage
	if dev != nil {
		if keys, err = dev.JWKS(); err != nil {
			return devenv.Banner{}, err
		}
	}
	env.URL = "http://" + l.Addr().String()
	start := devenv.NewStart(env)
	// Whoever sees that it is ready finds the file.
	if err := env.Write(o.DataDir); err != nil {
		return devenv.Banner{}, err
	}
	a.stops = append(a.stops, a.serveHTTP(l, a.Handler(Pages{
		curl: env.Example(o.DataDir), GraphiQL: true, start: start, ops: true, keys: keys,
		console: a.devSignIn(dev, a.Console, l.Addr(), domain.Speed()),
	})))
	banner := devenv.Banner{
		Env: env, Folder: o.DataDir, Start: start.Address(), Speed: domain.Speed(), Ahead: time.Until(domain.Now()),
	}
	return banner, nil
}

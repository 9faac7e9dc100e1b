package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/embedded"
	"missiond/store"
	"missiond/tasks"
)

// DatabaseOptions name the database of commands that need nothing else.
type DatabaseOptions struct {
	DataDir           string `help:"The data folder of missiond dev." default:".missiond" type:"path"`
	DatabaseURL       string `help:"A Postgres database, such as postgres://user:password@host:5432/name, instead of the data folder's."`
	ConnectionOptions `group:"Servers"`
}

// Open opens the database for a command of a version of the program. Errors: a data folder
// that isn't there, which missiond dev alone makes.
func (o DatabaseOptions) Open(program string) (*store.DB, error) {
	if o.DatabaseURL == "" {
		if _, err := os.Stat(o.DataDir); err != nil {
			return nil, fmt.Errorf("--data-dir: %w: missiond dev makes a data folder; --database-url names a Postgres database", err)
		}
	}
	return o.open("command", program)
}

func (o DatabaseOptions) open(kind, program string) (*store.DB, error) {
	options := o.options(kind, program)
	if o.DatabaseURL != "" {
		return store.OpenPostgres(o.DatabaseURL, options)
	}
	path, err := embedded.PrivateDatabase(o.DataDir)
	if err != nil {
		return nil, err
	}
	return store.OpenSQLite(path, options)
}

// ServerOptions name the servers of serve and worker.
type ServerOptions struct {
	ClockOptions
	DatabaseURL string `help:"The Postgres database, such as postgres://user:password@host:5432/name." required:""`
	RedisURL    string `help:"The Redis, such as redis://host:6379/0 or rediss://…; for a Redis Cluster, some of its nodes (redis://host:6379?addr=host2:6379) or one address (redis://host:6379?cluster=true); behind Sentinel, the sentinels (redis://host:26379?master_name=name&addr=host2:26379)." required:""`
	ConnectionOptions
	readURL string // of a replica; "" if there is none
}

// Backend is the database, Redis and clock of a process.
type Backend struct {
	DB    *store.DB
	Clock tasks.Clock
	// Redis is nil in a process without queues.
	Redis redis.UniversalClient
	// Metrics has the process's metrics; nil for a new registry.
	Metrics *prometheus.Registry
	// redisOptions are for further clients of the same Redis.
	redisOptions *redis.UniversalOptions
	closers      []func() error
	// followed is the database's clock; nil in a development run.
	followed *clock.Followed
}

func newBackend() *Backend {
	b := &Backend{Metrics: prometheus.NewRegistry()}
	b.Metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return b
}

// describe adds the metric by which Prometheus knows what the process runs: an alert misses
// the kinds of processes that none is of.
func (b *Backend) describe(command, version string) {
	b.Metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "missiond_build_info", Help: "1, by what the process runs and the program's version.",
		ConstLabels: prometheus.Labels{"command": command, "version": version},
	}, func() float64 { return 1 }))
}

// Close closes what was opened, the latest first.
func (b *Backend) Close() error {
	var errs []error
	for i := len(b.closers) - 1; i >= 0; i-- {
		errs = append(errs, b.closers[i]())
	}
	return errors.Join(errs...)
}

func (b *Backend) openRedis(url string) error {
	var err error
	if b.redisOptions, err = readRedisURL(url); err != nil {
		return err
	}
	b.Redis = newRedis(b.redisOptions)
	b.closers = append(b.closers, b.Redis.Close)
	return nil
}

// openServers opens the servers of a kind of process (serve, worker), in real time.
func openServers(ctx context.Context, o ServerOptions, kind, program string) (*Backend, error) {
	b, followed := newBackend(), clock.Follow(o.ClockOffset)
	b.describe(kind, program)
	b.Clock = followed
	if err := b.openRedis(o.RedisURL); err != nil {
		return nil, err
	}
	options := o.options(kind, program)
	options.Timing = tasks.Timing(b.Clock)
	options.Timing.Production = true
	options.Database.ReadURL = o.readURL
	db, err := store.OpenPostgres(o.DatabaseURL, options)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.DB, b.closers = db, append(b.closers, db.Close)
	if err := b.checkServers(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if err := b.claimRedis(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if err := b.follow(ctx, followed); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// claimLimit bounds the claim of Redis at the start, which needs no Redis.
const claimLimit = time.Second

// claimRedis returns an error if another installation uses Redis. In other trouble the
// process starts: its sweeper claims Redis as soon as it can.
func (b *Backend) claimRedis(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, claimLimit)
	defer cancel()
	id, err := b.DB.Installation(ctx)
	if err == nil {
		err = tasks.Claim(ctx, b.Redis, id)
	}
	if errors.Is(err, tasks.ErrOtherInstallation) {
		return fmt.Errorf("--redis-url: %w", err)
	}
	return nil
}

// checkServers returns an error if the database isn't migrated, or if a development
// run with a fast clock has used it: its times are in the future.
func (b *Backend) checkServers(ctx context.Context) error {
	if err := b.DB.Migrated(ctx); err != nil {
		return err
	}
	dev, err := b.DB.DevClock(ctx)
	if err != nil {
		return err
	}
	if dev != nil {
		return errors.New("the database was used by missiond dev with a fast clock; serve and worker run in real time only")
	}
	return nil
}

// openDevelopment opens the data folder's database and the embedded Redis, or the
// servers that the options name. The clock is theirs.
func openDevelopment(ctx context.Context, o DevelopmentOptions, program string) (*Backend, clock.Clock, error) {
	b := newBackend()
	folder, err := embedded.OpenFolder(o.DataDir)
	if err != nil {
		return nil, clock.Clock{}, err
	}
	b.closers = append(b.closers, folder.Close)
	c, err := b.openDevelopmentParts(ctx, o, program)
	if err != nil {
		return nil, c, errors.Join(err, b.Close())
	}
	return b, c, nil
}

func (b *Backend) openDevelopmentParts(ctx context.Context, o DevelopmentOptions, program string) (c clock.Clock, err error) {
	if b.DB, err = (DatabaseOptions{o.DataDir, o.DatabaseURL, o.ConnectionOptions}).open("dev", program); err != nil {
		return c, err
	}
	b.closers = append(b.closers, b.DB.Close)
	if err := b.DB.Migrate(ctx); err != nil {
		return c, err
	}
	if c, err = devClock(ctx, b.DB, o.ClockSpeed, time.Now()); err != nil {
		return c, err
	}
	b.Clock = c
	b.DB.SetTiming(tasks.Timing(c))
	if o.DatabaseURL == "" {
		// The folder's lock proves that no other process has leased its tasks.
		if _, err := b.DB.ExpireLeases(ctx, time.Hour, c.Now()); err != nil {
			return c, err
		}
	}
	url := o.RedisURL
	if url == "" {
		r, err := embedded.StartRedis()
		if err != nil {
			return c, err
		}
		b.closers = append(b.closers, func() error { r.Close(); return nil })
		url = r.URL()
	}
	if err := b.openRedis(url); err != nil {
		return c, err
	}
	return c, b.claimRedis(ctx)
}

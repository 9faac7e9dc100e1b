package main

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/embedded"
	"missiond/store"
	"missiond/tasks"
)

// databaseFlags name the database of commands that need nothing else.
type databaseFlags struct {
	DataDir     string `help:"The data folder of missiond dev." default:".missiond" type:"path"`
	DatabaseURL string `help:"A Postgres database, such as postgres://user:password@host:5432/name, instead of the data folder's."`
}

// open opens the database that the flags name.
func (f databaseFlags) open(timing store.LedgerTiming) (*store.DB, error) {
	if f.DatabaseURL != "" {
		return store.OpenPostgres(f.DatabaseURL, store.Options{Timing: timing})
	}
	path, err := embedded.PrivateDatabase(f.DataDir)
	if err != nil {
		return nil, err
	}
	return store.OpenSQLite(path, store.Options{Timing: timing})
}

// scaleFlags name the servers of serve and worker.
type scaleFlags struct {
	DatabaseURL string `help:"The Postgres database, such as postgres://user:password@host:5432/name." required:""`
	RedisURL    string `help:"The Redis, such as redis://host:6379/0 or rediss://…; for a Redis Cluster, some of its nodes (redis://host:6379?addr=host2:6379) or one address (redis://host:6379?cluster=true)." required:""`
}

// backend is the database, Redis and clock of a process.
type backend struct {
	db    *store.DB
	redis redis.UniversalClient
	// redisOptions are for further clients of the same Redis.
	redisOptions *redis.UniversalOptions
	clock        clock.Clock
	closers      []func() error
}

func (b *backend) close() error {
	var errs []error
	for i := len(b.closers) - 1; i >= 0; i-- {
		errs = append(errs, b.closers[i]())
	}
	return errors.Join(errs...)
}

func (b *backend) openRedis(url string) error {
	var err error
	if b.redisOptions, err = readRedisURL(url); err != nil {
		return err
	}
	b.redis = newRedis(b.redisOptions)
	b.closers = append(b.closers, b.redis.Close)
	return nil
}

// openScaled opens the servers of serve or worker, in real time.
func openScaled(ctx context.Context, f scaleFlags) (*backend, error) {
	b := &backend{clock: clock.Real()}
	if err := b.openRedis(f.RedisURL); err != nil {
		return nil, err
	}
	db, err := store.OpenPostgres(f.DatabaseURL, store.Options{Timing: tasks.Timing(b.clock)})
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	b.db, b.closers = db, append(b.closers, db.Close)
	if err := b.checkScaled(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

// checkScaled returns an error if the database isn't migrated, or if a development
// run with a fast clock has used it: its times are in the future.
func (b *backend) checkScaled(ctx context.Context) error {
	if err := b.db.Migrated(ctx); err != nil {
		return err
	}
	dev, err := b.db.DevClock(ctx)
	if err != nil {
		return err
	}
	if dev != nil {
		return errors.New("the database was used by missiond dev with a fast clock; serve and worker run in real time only")
	}
	return nil
}

// openDev opens the data folder's database and the embedded Redis, or the
// servers that the flags name.
func openDev(ctx context.Context, f devCommand) (*backend, error) {
	b := &backend{}
	folder, err := embedded.OpenFolder(f.DataDir)
	if err != nil {
		return nil, err
	}
	b.closers = append(b.closers, folder.Close)
	if err := b.openDevParts(ctx, f); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *backend) openDevParts(ctx context.Context, f devCommand) error {
	db, err := databaseFlags{DataDir: f.DataDir, DatabaseURL: f.DatabaseURL}.open(store.LedgerTiming{})
	if err != nil {
		return err
	}
	b.db, b.closers = db, append(b.closers, db.Close)
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	if b.clock, err = devClock(ctx, db, f.ClockSpeed, time.Now()); err != nil {
		return err
	}
	db.SetTiming(tasks.Timing(b.clock))
	if f.DatabaseURL == "" {
		// Holding the folder's lock proves that no other process holds its tasks.
		if _, err := db.ExpireLeases(ctx, time.Hour, b.clock.Now()); err != nil {
			return err
		}
	}
	url := f.RedisURL
	if url == "" {
		r, err := embedded.StartRedis()
		if err != nil {
			return err
		}
		b.closers = append(b.closers, func() error { r.Close(); return nil })
		url = r.URL()
	}
	return b.openRedis(url)
}

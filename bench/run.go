package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/internal/servers"
)

// bench is a run: its servers, its data, the program that it measures.
type bench struct {
	options

	folder   string // all that is gone after the run
	home     string // the database, and what is known of it
	self     string // this program
	missiond string // the program that is measured
	postgres *servers.Postgres
	redis    *servers.Redis
	db       *pgxpool.Pool
	kept     kept
	procs    []*process
	added    int // how often tasks were added
}

// kept is what is known of a seeded database.
type kept struct {
	Version                  int
	Missions, Posts, Tenants int
	Seed                     uint64
	SeededAt                 time.Time
	// SecretKeys seal what the database must not show.
	SecretKeys string
	// Readers have the seeded missions. Writers have three endpoints and nothing
	// else, Runners nothing. The first of Hooked has one endpoint, the others have
	// a hundred together.
	Readers, Writers, Runners, Hooked []tenant
	// Growing have as many missions as Sizes says.
	Growing []tenant
	Sizes   []int
}

// keptName is where it is kept, beside the database.
const keptName = "seeded.json"

// keptVersion changes with what is seeded; keptFor is how long seeded tasks
// stay in the future.
const (
	keptVersion = 4
	keptFor     = 5 * 24 * time.Hour
)

const database = "missiond"

// settings are the server's. Durability is Postgres's default; 100 connections
// are too few for the three processes of a case.
var settings = []string{
	"max_connections=300", "shared_buffers=1GB", "effective_cache_size=4GB", "maintenance_work_mem=512MB", "max_wal_size=4GB",
	"checkpoint_timeout=30min", "track_commit_timestamp=on", "log_checkpoints=off", "log_line_prefix=", "log_lock_waits=off", "log_autovacuum_min_duration=-1",
}

// open makes all that cases need ready.
func open(ctx context.Context, o options) (b *bench, err error) {
	b = &bench{options: o}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if b.folder, err = os.MkdirTemp("", "missiond-bench-"); err != nil {
		return b, err
	}
	if b.self, err = os.Executable(); err != nil {
		return b, err
	}
	b.missiond = filepath.Join(b.folder, "missiond")
	b.say("building missiond")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.missiond, "missiond/cmd/missiond")
	build.Env = append(os.Environ(), b.buildEnv...)
	if out, err := build.CombinedOutput(); err != nil {
		return b, fmt.Errorf("build missiond: %w\n%s", err, out)
	}
	if b.redis, err = servers.StartRedis(ctx, b.folder); err != nil {
		return b, err
	}
	return b, b.openData(ctx)
}

// openData starts Postgres on data that are seeded.
func (b *bench) openData(ctx context.Context) error {
	folder := b.data
	if folder == "" {
		folder = b.folder
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	b.home = folder
	note := filepath.Join(folder, keptName)
	fresh := b.readKept(note)
	home := filepath.Join(folder, "postgres")
	if !fresh {
		// Only what this program made is removed.
		if err := errors.Join(os.RemoveAll(home), os.RemoveAll(note)); err != nil {
			return err
		}
	}
	// The log of the run before isn't this one's.
	if err := os.RemoveAll(filepath.Join(home, "log")); err != nil {
		return err
	}
	if b.postgres, err = servers.OpenPostgres(ctx, home, settings...); err != nil {
		return err
	}
	if !fresh {
		if err := b.makeDatabase(ctx); err != nil {
			return err
		}
	}
	if err := b.openPool(ctx); err != nil {
		return err
	}
	if fresh {
		b.say("using the %d missions that were seeded at %s", b.kept.Missions, b.kept.SeededAt.Format(time.RFC3339))
		// A run that was cut off may have left what it changed for a while.
		return errors.Join(b.durable(ctx, "on"), b.logStatements(ctx, "none"), b.clean(ctx))
	}
	if err := b.seedAll(ctx); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return b.keep()
}

// readKept reports whether a folder has what the flags ask for.
func (b *bench) readKept(note string) bool {
	text, err := os.ReadFile(note)
	if err != nil || json.Unmarshal(text, &b.kept) != nil {
		return false
	}
	k := b.kept
	return k.Version == keptVersion && k.Missions == b.missions && k.Posts == b.posts && k.Tenants == b.tenants &&
		k.Seed == b.seed && time.Since(k.SeededAt) < keptFor
}

// keep writes what is known of the database beside it.
func (b *bench) keep() error {
	text, err := json.Marshal(b.kept)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.home, keptName), text, 0o600)
}

func (b *bench) makeDatabase(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, b.postgres.URL("postgres"))
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.Exec(ctx, "CREATE DATABASE "+database)
	return err
}

func (b *bench) url() string { return b.postgres.URL(database) }

// openPool opens the run's own connections, whose statements nobody counts.
func (b *bench) openPool(ctx context.Context) error {
	config, err := pgxpool.ParseConfig(b.url())
	if err != nil {
		return err
	}
	config.ConnConfig.RuntimeParams["log_statement"] = "none"
	b.db, err = pgxpool.NewWithConfig(ctx, config)
	return err
}

// stop ends the processes that a case started.
func (b *bench) stop() {
	for _, p := range b.procs {
		p.Stop()
	}
	b.procs = nil
}

// close ends what the run started, and removes what it doesn't keep.
func (b *bench) close() {
	b.stop()
	if b.db != nil {
		b.db.Close()
	}
	if b.redis != nil {
		b.redis.Kill()
	}
	if b.postgres != nil {
		b.postgres.Stop()
	}
	_ = os.RemoveAll(b.folder)
}

// head says what the table was measured on.
func (b *bench) head(ctx context.Context) string {
	return fmt.Sprintf("%s %d missions with %d posts each in %d tenants; %d rounds of %g s, %d requests at once.\n",
		b.machine(ctx), b.missions, b.posts, b.tenants, b.rounds, b.each.Seconds(), b.workers)
}

// machine says when, what and on which machine is measured.
func (b *bench) machine(ctx context.Context) string {
	var postgres string
	_ = b.db.QueryRow(ctx, "SHOW server_version").Scan(&postgres)
	revision, _ := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output()
	return fmt.Sprintf("%s, revision %s: %d cores (%s/%s), %s, Postgres %s.",
		time.Now().UTC().Format("2006-01-02"), strings.TrimSpace(string(revision)), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), postgres)
}

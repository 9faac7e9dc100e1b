package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/internal/seal"
	"missiond/internal/servers"
)

// bench is a run: its servers, its data, the program that it measures.
type bench struct {
	options

	folder     string // all that is gone after the run
	self       string // this program
	missiond   string // the program that is measured
	secretKeys string // seal what the database must not show
	postgres   *servers.Postgres
	redis      *servers.Redis
	db         *pgxpool.Pool
	procs      []*process
	added      int // how often tasks were added

	// readers have the seeded missions. writers have three endpoints and nothing
	// else, runners nothing. one has an endpoint, hundred have a hundred together.
	readers, writers, runners, one, hundred []tenant
}

// settings are the server's. Durability is Postgres's default; 100 connections
// are too few for the three processes of a case.
var settings = []string{
	"max_connections=300", "shared_buffers=1GB", "effective_cache_size=4GB", "maintenance_work_mem=512MB", "max_wal_size=4GB",
	"checkpoint_timeout=30min", "track_commit_timestamp=on",
}

// open makes all that cases need ready.
func open(ctx context.Context, o options) (b *bench, err error) {
	b = &bench{options: o, secretKeys: seal.NewKey()}
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
	build := exec.CommandContext(ctx, "go", "build", "-tags", "nodynamic", "-o", b.missiond, "missiond/cmd/missiond")
	build.Env = append(os.Environ(), b.buildEnv...)
	if out, err := build.CombinedOutput(); err != nil {
		return b, fmt.Errorf("build missiond: %w\n%s", err, out)
	}
	if b.redis, err = servers.StartRedis(ctx, b.folder); err != nil {
		return b, err
	}
	if b.postgres, err = servers.StartPostgres(ctx, b.folder, settings...); err != nil {
		return b, err
	}
	if b.db, err = pgxpool.New(ctx, b.url()); err != nil {
		return b, err
	}
	return b, b.seedAll(ctx)
}

func (b *bench) url() string { return b.postgres.URL("postgres") }

// stop ends the processes that a case started.
func (b *bench) stop() {
	for _, p := range b.procs {
		p.Stop()
	}
	b.procs = nil
}

// close ends what the run started, and removes what it has.
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

// head says when, what and on which machine is measured.
func (b *bench) head(ctx context.Context) string {
	var postgres string
	_ = b.db.QueryRow(ctx, "SHOW server_version").Scan(&postgres)
	revision, _ := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output()
	return fmt.Sprintf("%s, revision %s: %d cores (%s/%s), %s, Postgres %s. "+
		"%d missions with %d posts each in %d tenants; %d rounds of %g s, %d requests at once.\n",
		time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(revision)), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), postgres,
		b.missions, postsEach, b.tenants, b.rounds, b.each.Seconds(), workers)
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"missiond/internal/servers"
)

// The numbers of processes and tenants.
const (
	apis    = 2
	workers = 2
	tenants = 3
)

// database is the name of the service's database.
const database = "missiond"

// tenant is a tenant whose clients use the service.
type tenant struct {
	ID  string `json:"tenant_id"`
	Key string `json:"api_key"`
}

// harness is everything that a run consists of.
type harness struct {
	o      options
	folder string
	binary string

	// postgres is the primary, pooler leads half of the processes to it. demoted was
	// the primary before the last failover, and is still up; nil at first.
	postgres, demoted *servers.Postgres
	pooler            *servers.PgBouncer
	promoted          atomic.Int64 // when the last failover was over, in Unix seconds; in the future during one
	redis             *servers.Redis
	// toPostgres and toRedis are the links through which the service reaches them.
	// spare is the link to the demoted primary.
	toPostgres, spare, toRedis *link

	apis, workers []*process
	tenants       []tenant
	// receiver takes the webhooks, and model writes: the service calls both.
	receiver *receiver
	model    *model
	// control is a client of Redis that bypasses the link.
	control *redis.Client

	once sync.Once
}

// newHarness builds the service and starts everything that a run needs.
func newHarness(ctx context.Context, o options, folder string) (*harness, error) {
	w := &harness{
		o: o, folder: folder, binary: filepath.Join(folder, "missiond"),
		receiver: newReceiver(o.seed), model: newModel(o.chance(2)),
	}
	for _, step := range []func(ctx context.Context) error{
		w.build, w.startServers, w.openLinks, w.makeDatabase, w.startProcesses,
	} {
		if err := step(ctx); err != nil {
			w.end()
			return nil, err
		}
	}
	return w, nil
}

// build builds the service with the tag that lets its webhooks reach receivers
// on this machine.
func (w *harness) build(ctx context.Context) error {
	args := []string{"build", "-tags", "localpeers,nodynamic", "-o", w.binary}
	if w.o.race {
		args = append(args, "-race", "-gcflags=modernc.org/...=-race=false")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "missiond/cmd/missiond")...)
	if w.o.race {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the service: %w\n%s", err, out)
	}
	return nil
}

// startServers starts Postgres, which is durable through any crash, and Redis,
// which persists nothing.
func (w *harness) startServers(ctx context.Context) (err error) {
	w.postgres, err = servers.StartPostgres(ctx, w.folder, "fsync=on", "synchronous_commit=on", "full_page_writes=on", "max_connections=200")
	if err != nil {
		return err
	}
	if w.redis, err = servers.StartRedis(ctx, w.folder); err != nil {
		return err
	}
	o, err := redis.ParseURL(w.redis.URL())
	if err != nil {
		return err
	}
	w.control = redis.NewClient(o)
	return nil
}

func (w *harness) openLinks(ctx context.Context) error {
	board := newSwitchboard()
	for _, end := range []struct {
		name, upstream string
		to             **link
	}{{"Postgres", w.postgres.Addr, &w.toPostgres}, {"the demoted Postgres", w.postgres.Addr, &w.spare}, {"Redis", w.redis.Addr, &w.toRedis}} {
		listen, err := servers.FreeAddr()
		if err != nil {
			return err
		}
		if *end.to, err = newLink(board, end.name, listen, end.upstream); err != nil {
			return fmt.Errorf("open a link to %s: %w", end.name, err)
		}
	}
	w.spare.cut() // there is nothing behind it until a failover
	var err error
	w.pooler, err = servers.StartPgBouncer(ctx, w.folder, w.toPostgres.proxy.Listen)
	return err
}

// makeDatabase creates the database with its tables and tenants.
func (w *harness) makeDatabase(ctx context.Context) error {
	admin, err := pgx.Connect(ctx, w.postgres.URL("postgres"))
	if err != nil {
		return err
	}
	_, err = admin.Exec(ctx, "CREATE DATABASE "+database)
	if err := errors.Join(err, admin.Close(ctx)); err != nil {
		return err
	}
	url := w.postgres.URL(database)
	if _, err := w.command(ctx, "migrate", "up", "--database-url", url); err != nil {
		return err
	}
	for i := range tenants {
		out, err := w.command(ctx, "tenant", "create", "--name", fmt.Sprintf("Tenant %d", i+1), "--plan", "pro", "--database-url", url,
			"--limit", "requests=100000000/m", "--limit", "missions.create=1000000/h", "--limit", "content.regenerate=1000000/h")
		if err != nil {
			return err
		}
		var t tenant
		if err := json.Unmarshal(out, &t); err != nil {
			return fmt.Errorf("read the output of tenant create: %w", err)
		}
		w.tenants = append(w.tenants, t)
	}
	return nil
}

// command runs a command of the service to its end, and returns its output.
func (w *harness) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, w.binary, args...)
	cmd.Dir, cmd.Env = w.folder, w.environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("missiond %s: %w\n%s", strings.Join(args[:2], " "), err, stderr.Bytes())
	}
	return out, nil
}

// environment returns the service's environment, without the caller's variables.
func (w *harness) environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.folder, "MISSIOND_DRAIN_DELAY=0s"}
}

// startProcesses starts the API and the workers, and waits until they are ready.
func (w *harness) startProcesses(ctx context.Context) error {
	key, err := w.command(ctx, "secrets", "generate")
	if err != nil {
		return err
	}
	redisURL, err := url.Parse(w.redis.URL())
	if err != nil {
		return err
	}
	redisURL.Host = w.toRedis.proxy.Listen
	shared := []string{"--redis-url", redisURL.String(), "--secret-keys", strings.TrimSpace(string(key))}
	// The first of each names both primaries, and writes with the grammar. The second
	// reaches Postgres through the pooler, and uses the model, so that writing takes
	// long and costs money.
	direct := "postgres://postgres@" + w.toPostgres.proxy.Listen + "," + w.spare.proxy.Listen + "/" + database + "?sslmode=disable"
	own := func(i int) []string {
		if i == 0 {
			return append(slices.Clone(shared), "--database-url", direct)
		}
		return append(slices.Clone(shared), "--database-url", w.pooler.URL(database),
			"--llm-url", w.model.URL+"/v1", "--llm-model", "chaos", "--llm-input-price", inputPrice, "--llm-output-price", outputPrice)
	}
	for i := range apis {
		addr, err := servers.FreeAddr()
		if err != nil {
			return err
		}
		p, err := w.process(fmt.Sprintf("api-%d", i+1), append([]string{"serve", "--addr", addr}, own(i)...))
		if err != nil {
			return err
		}
		p.url = "http://" + addr
		w.apis = append(w.apis, startProcess(p))
	}
	for i := range workers {
		p, err := w.process(fmt.Sprintf("worker-%d", i+1), append([]string{"worker", "--sandbox"}, own(i)...))
		if err != nil {
			return err
		}
		w.workers = append(w.workers, startProcess(p))
	}
	for _, p := range w.processes() {
		if err := p.awaitReady(ctx, time.Minute); err != nil {
			return fmt.Errorf("%w; its log is %s", err, p.log)
		}
	}
	return nil
}

func (w *harness) process(name string, args []string) (*process, error) {
	ops, err := servers.FreeAddr()
	return &process{
		name: name, path: w.binary, args: append(args, "--ops-addr", ops), env: w.environment(),
		log: filepath.Join(w.folder, name+".log"), ops: "http://" + ops,
	}, err
}

// processes returns all processes of the service.
func (w *harness) processes() []*process {
	return append(append([]*process{}, w.apis...), w.workers...)
}

// heal resumes and reconnects everything, whatever state it is in, and waits until
// all processes are ready.
func (w *harness) heal(ctx context.Context) error {
	const most = time.Minute
	for _, p := range w.processes() {
		p.signal(syscall.SIGCONT)
	}
	if err := errors.Join(w.toPostgres.join(), w.toRedis.join()); err != nil {
		return err
	}
	for _, p := range w.processes() {
		if err := p.awaitReady(ctx, most); err != nil {
			return err
		}
	}
	return nil
}

// shutdown ends the service's processes, and reports failures in their logs that no
// outside crash explains.
func (w *harness) shutdown() result {
	r := result{check: "processes shut down cleanly"}
	for _, p := range w.processes() {
		r.saw++
		const most = 15 * time.Second
		if took, err := p.leave(most); err != nil {
			r.found(p.name, "to exit successfully after SIGTERM", fmt.Sprintf("after %s: %v", took.Round(time.Millisecond), err))
		}
		for _, line := range p.crashes() {
			r.found(p.name, "no panic", line)
		}
	}
	return r
}

// end stops everything that was started.
func (w *harness) end() {
	w.once.Do(func() {
		for _, p := range w.processes() {
			_, _ = p.leave(time.Second)
		}
		w.receiver.Close()
		w.model.Close()
		for _, l := range []*link{w.toPostgres, w.spare, w.toRedis} {
			if l != nil {
				l.cut()
			}
		}
		if w.control != nil {
			_ = w.control.Close()
		}
		if w.redis != nil {
			w.redis.Kill()
		}
		if w.pooler != nil {
			w.pooler.Kill()
		}
		for _, p := range []*servers.Postgres{w.demoted, w.postgres} {
			if p != nil {
				p.Stop()
			}
		}
	})
}

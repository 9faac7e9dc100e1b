// Bench measures the service against what the machine allows: the same answers
// and the same work, written by hand on net/http, pgx and bare Asynq, in the
// same run. It starts a Postgres and a Redis of its own, fills them, and prints
// a table of figures, each as a ratio to its limit.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"missiond/bench/limit"
	"missiond/bench/report"
)

// options are the command's flags.
type options struct {
	only              []string
	missions, tenants int
	rounds            int
	scale             float64
	each, warm        time.Duration
	sizes             []int
	tasks             int
	buildEnv          []string // of what builds missiond
}

// workers are how many requests are under way at once.
const workers = 16

func readOptions(args []string) (options, error) {
	o := options{buildEnv: []string{"CGO_ENABLED=0"}} // as releases are built
	var only, sizes string
	var seconds float64
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.StringVar(&only, "only", strings.Join(caseNames(), ","), "the cases to run, parted by commas")
	f.IntVar(&o.missions, "missions", 100_000, "how many missions the database has")
	f.IntVar(&o.tenants, "tenants", 50, "how many tenants share the missions")
	f.StringVar(&sizes, "sizes", "1000,100000,1000000", "how many missions tenants have that grow, parted by commas")
	f.IntVar(&o.tasks, "tasks", 100_000, "how many tasks run before what is left of them in memory is looked at")
	f.IntVar(&o.rounds, "rounds", 3, "how often each side of a case is run, in turns")
	f.Float64Var(&seconds, "seconds", 3, "how long each side runs in a round")
	f.Float64Var(&o.scale, "scale", 1, "multiply by this what is done besides requests (tasks, deliveries, waits); below 1 figures mean little")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.each, o.warm = time.Duration(seconds*float64(time.Second)), 300*time.Millisecond
	o.only = strings.Split(only, ",")
	for _, name := range o.only {
		if !slices.Contains(caseNames(), name) {
			return o, fmt.Errorf("-only: there is no case %q", name)
		}
	}
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 {
			return o, fmt.Errorf("-sizes: %q is no number from 1000 on", text)
		}
		o.sizes = append(o.sizes, n)
	}
	if o.tenants < 1 || o.missions < o.tenants || o.rounds < 1 || !(o.scale > 0) {
		return o, errors.New("there must be a tenant, a mission in each, a round and a scale above 0 at least")
	}
	return o, nil
}

// scaled returns how many of n there are at the run's scale: 1 at the least.
func (o options) scaled(n int) int { return max(1, int(float64(n)*o.scale)) }

// scaledTime returns how long a wait is at the run's scale.
func (o options) scaledTime(d time.Duration) time.Duration {
	return time.Duration(float64(d) * min(1, o.scale))
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the command, or one of the processes that it starts of itself.
func run(ctx context.Context, args []string) error {
	if len(args) == 3 {
		switch args[0] {
		case limitKind:
			return limit.Serve(ctx, args[1], args[2], slog.Default())
		case apiLimited, apiOpen:
			return serveAPI(ctx, args[0], args[1], args[2])
		}
	}
	o, err := readOptions(args)
	if err != nil {
		return err
	}
	b, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	return b.measure(ctx)
}

// benchCase is a part of the table.
type benchCase struct {
	name string
	run  func(b *bench, ctx context.Context) ([]report.Row, error)
}

func cases() []benchCase {
	return []benchCase{
		{"rest", (*bench).rest},
		{"graphql", (*bench).graphQL},
		{"create", (*bench).create},
		{"auth", (*bench).auth},
		{"ledger", (*bench).ledger},
		{"latency", (*bench).latency},
		{"scheduled", (*bench).scheduled},
		{"pipelines", (*bench).pipelines},
		{"webhooks", (*bench).webhooks},
		{"uploads", (*bench).uploads},
		{"pictures", (*bench).pictures},
		{"publishing", (*bench).publishing},
		{"links", (*bench).links},
		{"growth", (*bench).growth},
		{"memory", (*bench).memory},
	}
}

func caseNames() []string {
	var names []string
	for _, c := range cases() {
		names = append(names, c.name)
	}
	return names
}

// measure runs the cases and prints their table.
func (b *bench) measure(ctx context.Context) error {
	var rows []report.Row
	var failed error
	for _, c := range cases() {
		if !slices.Contains(b.only, c.name) || ctx.Err() != nil {
			continue
		}
		started := time.Now()
		b.say("%s …", c.name)
		made, err := b.runCase(ctx, c)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", c.name, err))
			b.say("%s FAILED: %v", c.name, err)
			continue
		}
		b.say("%s took %.0f s", c.name, time.Since(started).Seconds())
		rows = append(rows, made...)
	}
	fmt.Print("\n", b.head(ctx), "\n", report.Table(rows))
	return failed
}

// runCase runs a case, ends its processes and removes what it left.
func (b *bench) runCase(ctx context.Context, c benchCase) ([]report.Row, error) {
	rows, err := c.run(b, ctx)
	b.stop()
	return rows, errors.Join(err, b.clean(ctx))
}

// say tells how far the run is.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

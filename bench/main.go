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
	only                     []string
	missions, posts, tenants int
	rounds                   int
	scale                    float64
	each, warm               time.Duration
	workers                  int
	seed                     uint64
	data                     string
	write                    string
	sizes                    []int
	buildEnv                 []string // of what builds missiond
	tasks                    int
}

func readOptions(args []string) (options, error) {
	o := options{buildEnv: []string{"CGO_ENABLED=0"}} // as releases are built
	var only, sizes string
	var seconds float64
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.StringVar(&only, "only", "", "the cases to run, parted by commas: "+strings.Join(caseNames(), ", "))
	f.IntVar(&o.missions, "missions", 100_000, "how many missions the database has")
	f.IntVar(&o.posts, "posts", 10, "how many posts a mission has")
	f.IntVar(&o.tenants, "tenants", 50, "how many tenants share the missions")
	f.StringVar(&sizes, "sizes", "1000,100000,1000000", "how many missions tenants have that grow, parted by commas")
	f.IntVar(&o.tasks, "tasks", 100_000, "how many tasks run before what is left of them in memory is looked at")
	f.IntVar(&o.rounds, "rounds", 3, "how often each side of a case is run, in turns")
	f.Float64Var(&seconds, "seconds", 3, "how long each side runs in a round")
	f.IntVar(&o.workers, "concurrency", 16, "how many requests are under way at once")
	f.Uint64Var(&o.seed, "seed", 1, "what the seeded data's chance begins with")
	f.StringVar(&o.data, "data", "", "keep the seeded database in this folder, and use it again in the next run")
	f.StringVar(&o.write, "write", "", "write the table's summary into this document, between its markers")
	f.Float64Var(&o.scale, "scale", 1, "multiply by this how much of a case is done besides requests (tasks, deliveries, waits): below 1 it shows that the cases run, and its figures mean little")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.each, o.warm = time.Duration(seconds*float64(time.Second)), 300*time.Millisecond
	for _, name := range strings.FieldsFunc(only, func(r rune) bool { return r == ',' }) {
		if !slices.Contains(caseNames(), name) {
			return o, fmt.Errorf("-only: there is no case %q", name)
		}
		o.only = append(o.only, name)
	}
	var err error
	if o.sizes, err = readSizes(sizes); err != nil {
		return o, err
	}
	if o.tenants < 1 || o.missions < o.tenants || o.posts < 1 || o.posts > 50 || o.rounds < 1 || o.workers < 1 || !(o.scale > 0) {
		return o, errors.New("there must be a tenant, a mission in each, 1 to 50 posts, a round, a worker and a scale above 0 at least")
	}
	return o, nil
}

// readSizes reads -sizes.
func readSizes(list string) (sizes []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 {
			return nil, fmt.Errorf("-sizes: %q is no number from 1000 on", text)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// scaled returns how many of n there are at the run's scale: 1 at the least.
func (o options) scaled(n int) int { return max(1, int(float64(n)*o.scale)) }

// scaledTime returns how long a wait is at the run's scale.
func (o options) scaledTime(d time.Duration) time.Duration {
	return time.Duration(float64(d) * min(1, o.scale))
}

// wants reports whether a case is to be run.
func (o options) wants(name string) bool { return len(o.only) == 0 || slices.Contains(o.only, name) }

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
	if len(args) == 3 && args[0] == "limit" {
		return limit.Serve(ctx, args[1], args[2], slog.Default())
	}
	if len(args) == 4 && args[0] == "api" {
		return serveAPI(ctx, args[1], args[2], args[3])
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
		if !b.wants(c.name) {
			continue
		}
		started := time.Now()
		b.say("%s …", c.name)
		made, err := b.runCase(ctx, c)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", c.name, err))
			b.say("%s FAILED: %v", c.name, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		b.say("%s took %.0f s", c.name, time.Since(started).Seconds())
		rows = append(rows, made...)
		fmt.Print("\n", report.Table(made), "\n")
	}
	if len(rows) == 0 {
		return failed
	}
	fmt.Print("\n", b.head(ctx), "\n", report.Table(rows))
	if b.write == "" || failed != nil {
		return failed
	}
	return writeTable(b.write, b.head(ctx)+"\n"+report.Summary(rows))
}

// runCase runs a case, ends its processes and removes what it left.
func (b *bench) runCase(ctx context.Context, c benchCase) ([]report.Row, error) {
	rows, err := c.run(b, ctx)
	b.stop()
	return rows, errors.Join(err, b.clean(ctx))
}

// Where the table is in the document.
const (
	beginMark = "<!-- the table: make bench writes it -->"
	endMark   = "<!-- the table ends -->"
)

func writeTable(path, text string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := report.Between(string(document), beginMark, endMark, "\n"+text+"\n")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

// say tells how far the run is.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

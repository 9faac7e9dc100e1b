// Chaos runs the service with the processes it has in production, on a Postgres
// and a Redis of its own. It kills, freezes and cuts off all of them at random while
// clients use the service, and then compares the final state with every successful
// response: nothing may be lost, and nothing may be done twice.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the options of a run.
type options struct {
	// seed determines everything random: the disasters, their lengths, the
	// requests.
	seed uint64
	// lasts and loops end the disasters, whichever comes first; 0 for no
	// bound.
	lasts time.Duration
	loops int
	// clients is how many clients use the service concurrently.
	clients int
	// patience is how long the service may take to become idle afterwards.
	patience time.Duration
	// only, unless it is empty, has words joined by commas: only disasters whose
	// names contain one of them are drawn.
	only string
	// race builds the service with the race detector.
	race bool
	// keep keeps the folder, whatever the outcome.
	keep bool
}

// defaultLasts is how long disasters happen if nothing else bounds them.
const defaultLasts = 2 * time.Minute

func readOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.Uint64Var(&o.seed, "seed", 0, "the seed of everything random; 0 chooses one")
	flags.DurationVar(&o.lasts, "for", 0, "how long disasters happen (default 2m without -loops)")
	flags.IntVar(&o.loops, "loops", 0, "how many disasters happen, each with its recovery")
	flags.IntVar(&o.clients, "clients", 6, "how many clients use the service")
	flags.DurationVar(&o.patience, "patience", 8*time.Minute, "how long the service may take to become idle afterwards")
	flags.StringVar(&o.only, "only", "", "only disasters whose names contain one of these words, separated by commas")
	flags.BoolVar(&o.race, "race", false, "build the service with the race detector")
	flags.BoolVar(&o.keep, "keep", false, "keep the folder with logs and data even after a success")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.lasts == 0 && o.loops == 0 {
		o.lasts = defaultLasts
	}
	if o.lasts < 0 || o.loops < 0 || o.clients < 1 || o.patience <= 0 {
		return o, errors.New("times and numbers must be positive")
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000_000)
	}
	return o, nil
}

// chance returns a random source of the run, a separate one for each who.
func (o options) chance(who uint64) *rand.Rand { return rand.New(rand.NewPCG(o.seed, who)) }

// wants reports whether a disaster may be drawn.
func (o options) wants(name string) bool {
	return slices.ContainsFunc(strings.Split(o.only, ","), func(word string) bool { return strings.Contains(name, strings.TrimSpace(word)) })
}

func main() {
	o, err := readOptions(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(2)
	}
	fmt.Printf("seed %d\n", o.seed)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintf(os.Stderr, "chaos: seed %d: %v\n", o.seed, err)
		stop()
		os.Exit(1)
	}
}

// errBroken means that a promise was broken; the report has the findings.
var errBroken = errors.New("the service broke its promises")

// run executes one run in a folder of its own, which it removes after a success.
func run(ctx context.Context, o options) (err error) {
	folder, err := os.MkdirTemp("", "missiond-chaos-")
	if err != nil {
		return err
	}
	defer func() {
		if err == nil && !o.keep {
			err = os.RemoveAll(folder)
			return
		}
		fmt.Printf("\nlogs and data are kept in %s\n", folder)
	}()
	began := time.Now()
	w, err := newHarness(ctx, o, folder)
	if err != nil {
		return fmt.Errorf("start the harness: %w", err)
	}
	defer w.end()
	fmt.Printf("started after %.0f s\n\n", time.Since(began).Seconds())
	b := newRecord()
	disasters, err := runDisasters(ctx, w, b)
	if err != nil {
		return err
	}
	return verify(ctx, w, b, disasters)
}

// runDisasters lets clients use the service while disasters happen, and returns the
// disasters. When it returns, everything has recovered and every client has its
// last response.
func runDisasters(ctx context.Context, w *harness, b *record) (*schedule, error) {
	b.begin()
	pool := startClients(ctx, w, b)
	f := newSchedule(w)
	err := f.run(ctx)
	w.receiver.calm()
	pool.stop()
	if heal := w.heal(ctx); heal != nil {
		err = errors.Join(err, fmt.Errorf("heal: %w", heal))
	}
	if err == nil {
		err = pool.wait(w.o.patience)
	}
	return f, err
}

// verify ends all missions, waits until the service is idle, and compares the final
// state with what was promised. Errors: errBroken.
func verify(ctx context.Context, w *harness, b *record, f *schedule) error {
	began := time.Now()
	idle, err := quiesce(ctx, w, b)
	if err != nil {
		return fmt.Errorf("wait until the service is idle: %w", err)
	}
	rested := time.Since(began)
	s, err := readSnapshot(ctx, w)
	if err != nil {
		return fmt.Errorf("read the final state: %w", err)
	}
	results := audit(s, b, w.receiver.receipts())
	results = append(results, idle, auditAPI(ctx, w, b, s), w.shutdown())
	return report(w, b, f, s, results, rested, time.Since(began))
}

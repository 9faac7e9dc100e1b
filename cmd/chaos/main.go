// Chaos runs the service as the processes that it is in production, on a
// Postgres and a Redis of its own, kills, freezes and cuts off all of them by
// chance while clients use it, and then holds what is left against what was
// answered with success: nothing may be lost, and nothing may be done twice.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// options are how a run differs from others.
type options struct {
	// seed decides what is drawn: the disasters, their lengths, the requests.
	seed uint64
	// lasts and loops end the disasters, whichever comes first; 0 is no bound.
	lasts time.Duration
	loops int
	// clients is how many of them use the service beside each other.
	clients int
	// patience is how long the service may take to come to rest afterwards.
	patience time.Duration
	// only, where it isn't empty, is a part of the names of the disasters that
	// are drawn.
	only string
	// race builds the service with the race detector.
	race bool
	// keep leaves the folder where it is, whatever the outcome.
	keep bool
}

// defaultLasts is how long disasters happen where nothing else bounds them.
const defaultLasts = 2 * time.Minute

func readOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.Uint64Var(&o.seed, "seed", 0, "the seed of all that is drawn; 0 draws one")
	flags.DurationVar(&o.lasts, "for", 0, "how long disasters happen (2m where -loops isn't given either)")
	flags.IntVar(&o.loops, "loops", 0, "how many disasters happen, each with its recovery")
	flags.IntVar(&o.clients, "clients", 6, "how many clients use the service")
	flags.DurationVar(&o.patience, "patience", 8*time.Minute, "how long the service may take to come to rest afterwards")
	flags.StringVar(&o.only, "only", "", "only disasters whose names hold one of these words, joined by commas")
	flags.BoolVar(&o.race, "race", false, "build the service with the race detector")
	flags.BoolVar(&o.keep, "keep", false, "keep the folder with logs and data also where all is well")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("what is %q?", flags.Arg(0))
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

// chance returns a source of chance of the run's, one for each who.
func (o options) chance(who uint64) *rand.Rand { return rand.New(rand.NewPCG(o.seed, who)) }

// wants reports whether a disaster may be drawn.
func (o options) wants(name string) bool {
	if o.only == "" {
		return true
	}
	for word := range strings.SplitSeq(o.only, ",") {
		if strings.Contains(name, strings.TrimSpace(word)) {
			return true
		}
	}
	return false
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

// errBroken tells that a promise was broken, which the report has said.
var errBroken = errors.New("the service broke its promises")

// run plays one run in a folder of its own, which is removed where all was well.
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
	w, err := newWorld(ctx, o, folder)
	if err != nil {
		return fmt.Errorf("make the world: %w", err)
	}
	defer w.end()
	fmt.Printf("the world stands after %.0f s\n\n", time.Since(began).Seconds())
	b := newBook()
	suffered, err := suffer(ctx, w, b)
	if err != nil {
		return err
	}
	return judge(ctx, w, b, suffered)
}

// suffer has clients use the service while disasters happen, and answers the
// disasters. Once it has answered, all is healed and every client has had its
// last answer.
func suffer(ctx context.Context, w *world, b *book) (*fate, error) {
	b.begin()
	crowd := startClients(ctx, w, b)
	f := newFate(w)
	err := f.run(ctx)
	w.receiver.calm()
	crowd.stop()
	if heal := w.heal(ctx); heal != nil {
		err = errors.Join(err, fmt.Errorf("heal: %w", heal))
	}
	if err == nil {
		err = crowd.wait(w.o.patience)
	}
	return f, err
}

// judge ends what is under way, lets the service come to rest, and holds what is
// left against what was promised. Errors: errBroken.
func judge(ctx context.Context, w *world, b *book, f *fate) error {
	began := time.Now()
	restless, err := settle(ctx, w, b)
	if err != nil {
		return fmt.Errorf("come to rest: %w", err)
	}
	rested := time.Since(began)
	s, err := readSnapshot(ctx, w)
	if err != nil {
		return fmt.Errorf("read what is left: %w", err)
	}
	results := audit(s, b, w.receiver.receipts())
	results = append(results, restless, askAPI(ctx, w, b, s), w.lastWords())
	return report(w, b, f, s, results, rested, time.Since(began))
}

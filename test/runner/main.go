// Runner runs go test, and tries failed tests again: at most five of a run, each alone and at most twice.
// A test that passes then is printed at the end as FLAKY, with its first failure. Whatever else fails fails the
// run at once: a build, a data race, a process that ended early (a panic, a time limit, an exit), a package without a failed
// test.
//
// Usage:
//
//	runner [-part NAME] -- [FLAG…] PACKAGE… [-- [FLAG…] PACKAGE…]…
//	runner -fresh -- [FLAG…]
//	runner -times N [-of full]
//
// After each -- are the arguments of one go test, which run after each other; a flag has its value behind an
// equals sign, and -C comes first. What the packages and tests took is written to bin/test/times/NAME.json; -times prints
// the N that took most in the last runs of all parts: the gate's, or those whose NAME begins with full/. -fresh runs the tests
// ten times that were added or changed in the day before HEAD, ten of them at most, in three minutes: one that fails by chance
// shows it before it counts.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if !start(ctx, os.Args[1:], os.Stdout) {
		stop()
		os.Exit(1)
	}
}

// start does what args say, and reports whether that went well.
func start(ctx context.Context, args []string, out io.Writer) bool {
	flags := flag.NewFlagSet("runner", flag.ContinueOnError)
	name := flags.String("part", "", "the part of the suite that the packages are, for -times")
	times := flags.Int("times", 0, "print that many of the dearest packages and tests of the last runs")
	again := flags.Bool("fresh", false, "run the tests that are new or changed many times")
	of := flags.String("of", "", "the folder of parts that -times is about")
	own := args
	if at := slices.Index(args, "--"); at >= 0 {
		own = args[:at]
	}
	if flags.Parse(own) != nil {
		return false
	}
	if *times > 0 {
		all, err := parts(filepath.Join(timesFolder, *of))
		if err != nil {
			say(out, "FAIL\trunner: %v\n", err)
			return false
		}
		dearest(out, all, *times)
		return true
	}
	if *again {
		return runFresh(ctx, args[min(len(own)+1, len(args)):], out)
	}
	return run(ctx, *name, append(flags.Args(), args[len(own):]...), out)
}

// command are the arguments of one go test.
type command struct{ flags, packages []string }

// commands returns what the program's arguments say. Errors: arguments without a package.
func commands(args []string) (all []command, err error) {
	for _, a := range args {
		switch {
		case a == "--":
			all = append(all, command{})
			continue
		case len(all) == 0:
			return nil, fmt.Errorf("the argument %q comes before --", a)
		}
		last := &all[len(all)-1]
		if strings.HasPrefix(a, "-") && len(last.packages) == 0 {
			last.flags = append(last.flags, a)
		} else {
			last.packages = append(last.packages, a)
		}
	}
	for _, c := range all {
		if len(c.packages) == 0 {
			return nil, errors.New("after each -- there must be a package")
		}
	}
	if len(all) == 0 {
		return nil, errors.New("usage: runner -- [FLAG…] PACKAGE… [-- [FLAG…] PACKAGE…]…")
	}
	return all, nil
}

// run runs the commands that args name, tries again what may be, writes what go test would and a summary to out,
// and reports whether every test has passed. What a part with a name took is written to its file.
func run(ctx context.Context, name string, args []string, out io.Writer) bool {
	all, err := commands(args)
	if err != nil {
		say(out, "FAIL\trunner: %v\n", err)
		return false
	}
	s := session{out: out}
	took := part{Name: name, Began: time.Now()}
	for _, c := range all {
		r := s.goTest(ctx, c)
		s.add(c, r)
		took.Build += r.took.Build
		took.Packages = append(took.Packages, r.took.Packages...)
	}
	if name != "" {
		if err := took.write(timesFolder); err != nil {
			s.broken = append(s.broken, "runner: "+err.Error())
		}
	}
	s.tryAgain(ctx)
	return s.summarize()
}

// say writes to an output whose failure nobody could be told.
func say(out io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }

// goTest runs a command, and prints what it says of each package as soon as that has ended.
func (s *session) goTest(ctx context.Context, c command, more ...string) *result {
	args := append([]string{"test"}, c.flags...)
	if at := slices.IndexFunc(c.flags, func(f string) bool { return !strings.HasPrefix(f, "-C") }); at < 0 {
		args = append(args, "-json")
	} else {
		args = slices.Insert(args, at+1, "-json")
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, more...), c.packages...)...)
	cmd.Stderr = os.Stderr
	r := &result{packages: map[string]*pkg{}, meter: newMeter()}
	r.meter.find(ctx, c)
	from, to := io.Pipe()
	cmd.Stdout = to
	read := make(chan error, 1)
	go func() { read <- r.read(from, s.out) }()
	err := cmd.Start()
	if err == nil {
		watching, enough := context.WithCancel(ctx)
		go r.meter.watch(watching, cmd.Process.Pid)
		err = cmd.Wait()
		enough()
	}
	_ = to.Close()
	if r.err = <-read; r.err == nil {
		r.err = err
	}
	if ended := cmd.ProcessState; ended != nil {
		r.took = r.meter.part(ended.UserTime() + ended.SystemTime())
	}
	return r
}

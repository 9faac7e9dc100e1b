package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/internal/clock"
)

// side is one of those that do the same.
type side struct {
	proc *process
	// requests are asked for in turns; make answers others, where each must be
	// its own.
	requests [][]byte
	// many is a side of several processes, whose memory nobody adds up.
	many bool
	// after is done after each of its rounds; nil for nothing.
	after func(ctx context.Context) error
}

func (s side) next(workers int) func(worker, i int) []byte {
	return func(worker, i int) []byte { return s.requests[(worker+i*workers)%len(s.requests)] }
}

// shuffle puts requests into an order of chance, so that no two workers ask
// for the same rows in a row.
func shuffle(requests [][]byte) {
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
}

// measured is what a side came to.
type measured struct {
	perSecond  []float64 // by round
	latencies  []time.Duration
	peak       float64
	statements float64
	// The processor time of the side's process and of Postgres, in seconds, and the
	// requests that it went into.
	cpu, postgres float64
	answered      int
}

// perRequest returns the processor time that a request takes.
func (m measured) perRequest() report.CPU {
	if m.answered == 0 {
		return report.CPU{}
	}
	of := func(seconds float64) time.Duration {
		return time.Duration(seconds / float64(m.answered) * float64(time.Second))
	}
	return report.CPU{Process: of(m.cpu), Postgres: of(m.postgres)}
}

// compare runs sides in turns, so that what else the machine does falls on all
// of them, and counts their statements.
func (b *bench) compare(ctx context.Context, sides ...side) ([]measured, error) {
	all := make([]measured, len(sides))
	for _, s := range sides {
		s.proc.resetPeak()
	}
	for range b.rounds {
		for i, s := range sides {
			own, postgres := cpu(s.proc.PID()), cpu(b.postgres.PID())
			r, err := load.Run(ctx, load.Options{Addr: s.proc.Addr, Workers: b.workers, Warm: b.warm, For: b.each, Next: s.next(b.workers)})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.proc.Name, err)
			}
			all[i].perSecond = append(all[i].perSecond, r.PerSecond())
			all[i].latencies = append(all[i].latencies, r.Latencies...)
			all[i].cpu += cpu(s.proc.PID()) - own
			all[i].postgres += cpu(b.postgres.PID()) - postgres
			all[i].answered += r.Answered
			if s.after == nil {
				continue
			}
			if err := s.after(ctx); err != nil {
				return nil, err
			}
		}
	}
	for i, s := range sides {
		if !s.many {
			all[i].peak = s.proc.peak()
		}
		n, err := b.statements(ctx, s)
		if err != nil {
			return nil, err
		}
		all[i].statements = n
	}
	return all, nil
}

// inTurns runs both sides of a case in turns. They return how much they do in a
// second.
func (b *bench) inTurns(ours, limit func() (float64, error)) (o, l measured, err error) {
	for range b.rounds {
		for _, s := range []struct {
			run func() (float64, error)
			to  *measured
		}{{ours, &o}, {limit, &l}} {
			rate, err := s.run()
			if err != nil {
				return o, l, err
			}
			s.to.perSecond = append(s.to.perSecond, rate)
		}
	}
	return o, l, nil
}

// row tells what a case came to against its limit.
func row(section, name string, ours, limit measured, target *report.Target) report.Row {
	return report.Row{
		Section: section, Case: name, Target: target,
		Figure: perSecond(ours.perSecond), Limit: perSecond(limit.perSecond), Ratio: report.SpreadOf(report.Ratios(ours.perSecond, limit.perSecond)),
		P50: report.Percentile(ours.latencies, 0.5), P99: report.Percentile(ours.latencies, 0.99),
		LimitP50: report.Percentile(limit.latencies, 0.5), LimitP99: report.Percentile(limit.latencies, 0.99),
		PeakMiB: ours.peak, Statements: ours.statements, CPU: ours.perRequest(), LimitCPU: limit.perRequest(),
	}
}

func perSecond(rounds []float64) string { return fmt.Sprintf("%.0f/s", report.SpreadOf(rounds).Median) }

// same asks sides for the same and compares their bytes.
func same(ctx context.Context, n int, sides ...side) error {
	var first []byte
	for i, s := range sides {
		got, err := ask(ctx, s.proc.Addr, s.requests[n%len(s.requests)])
		if err != nil {
			return fmt.Errorf("%s: %w", s.proc.Name, err)
		}
		if i == 0 {
			first = got
			continue
		}
		if !bytes.Equal(first, got) {
			at := 0
			for at < len(first) && at < len(got) && first[at] == got[at] {
				at++
			}
			from := max(0, at-60)
			return fmt.Errorf("%s and %s answer differently, from byte %d of %d and %d on:\n  %.200q\n  %.200q",
				sides[0].proc.Name, s.proc.Name, at, len(first), len(got), first[from:], got[from:])
		}
	}
	return nil
}

// ask returns the body of one request. Errors: a status that isn't a success.
func ask(ctx context.Context, addr string, request []byte) ([]byte, error) {
	c, err := load.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	a, err := c.Do(request, true)
	if err == nil && (a.Status < 200 || a.Status > 299) {
		err = fmt.Errorf("%.100q is answered with %d: %s", request, a.Status, a.Body)
	}
	return bytes.Clone(a.Body), err
}

// counted is how many requests the statements are counted of.
const counted = 200

// statements returns how many statements a request takes, BEGIN and COMMIT
// among them: Postgres logs each while a few hundred requests are made, one
// after the other. What processes do of their own accord meanwhile is in it;
// it makes a few hundredths.
func (b *bench) statements(ctx context.Context, s side) (float64, error) {
	c, err := load.Dial(ctx, s.proc.Addr)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	times := b.scaled(counted)
	n, err := b.logged(ctx, times, func() error {
		for i := range times {
			if _, err := c.Do(s.requests[i%len(s.requests)], false); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && s.after != nil {
		err = s.after(ctx)
	}
	return n, err
}

// logged returns how many statements Postgres is sent while fn does something a
// number of times, for each of them, without the run's own.
func (b *bench) logged(ctx context.Context, times int, fn func() error) (float64, error) {
	if err := b.logStatements(ctx, "all"); err != nil {
		return 0, err
	}
	before, err := os.Stat(b.postgres.Log)
	if err != nil {
		return 0, err
	}
	if err := fn(); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(b.postgres.Log)
	if err != nil {
		return 0, err
	}
	n := 0
	for line := range strings.SplitSeq(string(text[before.Size():]), "\n") {
		if strings.HasPrefix(line, "LOG:  statement: ") || strings.HasPrefix(line, "LOG:  execute ") {
			n++
		}
		if strings.HasSuffix(line, ";") { // a message with several statements
			n++
		}
	}
	return float64(n) / float64(times), b.logStatements(ctx, "none")
}

func (b *bench) logStatements(ctx context.Context, which string) error {
	if _, err := b.db.Exec(ctx, "ALTER SYSTEM SET log_statement = '"+which+"'"); err != nil {
		return err
	}
	if _, err := b.db.Exec(ctx, "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	return clock.Sleep(ctx, b.scaledTime(300*time.Millisecond)) // until every connection has heard of it
}

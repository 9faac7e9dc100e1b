package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"missiond/bench/load"
	"missiond/bench/report"
)

// side is one of the two that do the same.
type side struct {
	proc     *process
	requests [][]byte // asked for in turns
	workers  int      // how many are under way at once; 0 is workers
	// after is done after each of its rounds; nil for nothing.
	after func(ctx context.Context) error
}

// shuffle puts requests into an order of chance, so that no two workers ask
// for the same rows in a row.
func shuffle(requests [][]byte) {
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
}

// measured is what a side came to.
type measured struct {
	perSecond []float64 // by round
	latencies []time.Duration
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
	each := float64(time.Second) / float64(m.answered)
	return report.CPU{Process: time.Duration(m.cpu * each), Postgres: time.Duration(m.postgres * each)}
}

// compare runs a side and its limit in turns, so that what else the machine does
// falls on both.
func (b *bench) compare(ctx context.Context, name string, target *report.Target, ours, limit side) ([]report.Row, error) {
	sides, all := []side{ours, limit}, make([]measured, 2)
	for range b.rounds {
		for i, s := range sides {
			if err := b.round(ctx, s, &all[i]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, s.proc.Name, err)
			}
		}
	}
	return []report.Row{row(name, all[0], all[1], target)}, nil
}

// round runs a side once, and adds what it came to.
func (b *bench) round(ctx context.Context, s side, to *measured) error {
	err := b.spend(s.proc, to, func() (int, error) {
		o := load.Options{Addr: s.proc.Addr, Workers: cmp.Or(s.workers, workers), Warm: b.warm, For: b.each, Requests: s.requests}
		r, err := load.Run(ctx, o)
		to.perSecond = append(to.perSecond, float64(len(r.Latencies))/b.each.Seconds())
		to.latencies = append(to.latencies, r.Latencies...)
		return r.Answered, err
	})
	if err == nil && s.after != nil {
		err = s.after(ctx)
	}
	return err
}

// spend adds the processor time that a process and Postgres spend on what do does, and
// how much that was.
func (b *bench) spend(p *process, to *measured, do func() (int, error)) error {
	own, postgres := cpu(p.PID()), cpu(b.postgres.PID())
	n, err := do()
	if err != nil {
		return err
	}
	to.cpu += cpu(p.PID()) - own
	to.postgres += cpu(b.postgres.PID()) - postgres
	to.answered += n
	return nil
}

// inTurns runs both sides of a case in turns, and returns its row. They return how
// much they do in a second.
func (b *bench) inTurns(name string, target *report.Target, ours, limit func() (float64, error)) (report.Row, error) {
	var o, l measured
	for range b.rounds {
		rate, err := ours()
		if err != nil {
			return report.Row{}, err
		}
		most, err := limit()
		if err != nil {
			return report.Row{}, err
		}
		o.perSecond, l.perSecond = append(o.perSecond, rate), append(l.perSecond, most)
	}
	return row(name, o, l, target), nil
}

// row tells what a case came to against its limit.
func row(name string, ours, limit measured, target *report.Target) report.Row {
	return report.Row{
		Case: name, Target: target, Figure: perSecond(ours.perSecond), Limit: perSecond(limit.perSecond),
		Ratio: report.SpreadOf(report.Ratios(ours.perSecond, limit.perSecond)),
		P50:   report.Percentile(ours.latencies, 0.5), P99: report.Percentile(ours.latencies, 0.99), CPU: ours.perRequest(),
	}
}

func perSecond(rounds []float64) string { return fmt.Sprintf("%.0f/s", report.SpreadOf(rounds).Median) }

// same asks a side and its limit for the same, and compares their bytes.
func same(ctx context.Context, n int, ours, limit side) error {
	got, err := ask(ctx, ours.proc.Addr, ours.requests[n])
	if err != nil {
		return err
	}
	want, err := ask(ctx, limit.proc.Addr, limit.requests[n])
	if err != nil || bytes.Equal(got, want) {
		return err
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(0, at-60)
	return fmt.Errorf("the answers differ from byte %d of %d and %d on:\n  %.200q\n  %.200q", at, len(got), len(want), got[from:], want[from:])
}

// ask returns the body of one request. Errors: a status that isn't a success.
func ask(ctx context.Context, addr string, request []byte) ([]byte, error) {
	c, err := load.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Do(request)
}

package world

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"missiond/internal/webhook"
	"missiond/mission"
)

// PlainWriter writes a text that names its input, for nothing.
type PlainWriter struct {
	// Fail returns the error of an assignment, or nil; it may be nil itself.
	Fail func(mission.Assignment) error
}

// Price returns 0.
func (PlainWriter) Price(mission.Assignment) mission.Micros { return 0 }

// Remark returns nil.
func (PlainWriter) Remark(mission.Brief) *mission.Failure { return nil }

// Supply returns that nothing bounds how many posts it writes.
func (PlainWriter) Supply(mission.Brief, []mission.Fact) int { return math.MaxInt }

// Write returns a post, or a thread of two parts. Errors: Fail's.
func (w PlainWriter) Write(_ context.Context, a mission.Assignment) (mission.Draft, error) {
	if w.Fail != nil {
		if err := w.Fail(a); err != nil {
			return mission.Draft{}, err
		}
	}
	d := mission.Draft{Format: a.Slot.Format, Text: fmt.Sprintf("%s, as a %s: %s (%d, %d)%s", a.Slot.Objective, a.Slot.Format, a.Slot.Angle, a.Seed, a.Revision, Words(a.Seed^uint64(a.Revision)<<56))}
	if d.Format == mission.FormatThread {
		d.Parts = []string{d.Text, "More of it." + Words(a.Seed^uint64(a.Revision)<<56)}
	}
	return d, nil
}

// Words returns words that no other number has, so that no text is like another.
func Words(n uint64) string {
	const count, odd = 8, 0x9e3779b97f4a7c15
	all := ""
	for range count {
		n += odd
		n = (n ^ n>>29) * odd
		all += " x" + strconv.FormatUint(n>>32, 36)
	}
	return all
}

// pen is the writer that a world has at the moment.
type pen struct{ w *World }

func (p pen) Price(a mission.Assignment) mission.Micros { return p.w.Writer.Price(a) }
func (p pen) Remark(b mission.Brief) *mission.Failure   { return p.w.Writer.Remark(b) }
func (p pen) Supply(b mission.Brief, facts []mission.Fact) int {
	return p.w.Writer.Supply(b, facts)
}

func (p pen) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	return p.w.Writer.Write(ctx, a)
}

// sender is the sender that a world has at the moment.
type sender struct{ w *World }

func (s sender) Send(ctx context.Context, m webhook.Message) webhook.Result {
	return s.w.Sender.Send(ctx, m)
}

package simulation

import (
	"fmt"
	"hash"
	"hash/fnv"
	"regexp"
	"time"
)

// trace is what has happened, in its order: two runs of one plan have the same.
type trace struct {
	sum   hash.Hash64
	lines int
	// tail has the last lines, for whom a run fails.
	tail []string
	out  func(string)
}

const tailLines = 400

func newTrace() *trace { return &trace{sum: fnv.New64a()} }

// line adds a line.
func (t *trace) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	_, _ = t.sum.Write([]byte(text))
	t.lines++
	if t.tail = append(t.tail, text); len(t.tail) > 2*tailLines {
		t.tail = append([]string(nil), t.tail[tailLines:]...)
	}
	if t.out != nil {
		t.out(text)
	}
}

// sealed matches what the service has encrypted.
var sealed = regexp.MustCompile(`^v1\.[0-9a-f]{8}\.`)

// step adds a choice.
func (t *trace) step(at time.Duration, n uint64, name string, among int) {
	t.line("%s #%d %s (of %d)", at, n, name, among)
}

// point adds a statement or a call that goes on. What is sealed counts by its length: maps in
// it are written in any order.
func (t *trace) point(at time.Duration, p *point) {
	values := make([]any, len(p.args))
	for i, a := range p.args {
		values[i] = a.Value
		switch v := a.Value.(type) {
		case []byte:
			values[i] = len(v)
		case string:
			if sealed.MatchString(v) {
				values[i] = len(v)
			}
		}
	}
	t.line("%s   %d: instance %d %s %s %v%s", at, p.n, p.of.n, p.kind, p.text, values, p.fault)
}

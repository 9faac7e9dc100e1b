package mediafile

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Died is the error of a child that began and ended without a verdict: it took too long, was killed,
// or broke off. The machine may have been busy or short of memory; of a file with which it happens
// again and again, the file is the cause.
type Died struct {
	// TooSlow reports whether it took too long.
	TooSlow bool
	// Detail is for the log.
	Detail string
}

// Error returns the detail.
func (d *Died) Error() string { return d.Detail }

// Verdict returns the refusal of a file of which children died again and again, the last in this way.
func (d *Died) Verdict() *Refused {
	if d.TooSlow {
		return tooSlow(d.Detail)
	}
	return &Refused{Code: CodeDamaged, Message: "The file can't be processed: each attempt broke off.", Detail: d.Detail}
}

func tooSlow(detail string) *Refused {
	return &Refused{Code: CodeTooSlow, Message: "The file takes too long to process.", Detail: detail}
}

// patience is how long a child may be silent before a sink's failure is its fault: less than stores wait.
const patience = 15 * time.Second

// ending is how a child ended.
type ending struct {
	limit   time.Duration
	failed  error // of what it said
	stopped error // why it was stopped; nil if it wasn't
	waited  error
	state   *os.ProcessState
	stderr  *bounded
}

// outcome returns what a child made, or why it made nothing.
func (e ending) outcome(in *receiver, file *source) (Result, error) {
	switch {
	case in.failed != nil:
		return Result{}, unsunk(in, file)
	case errors.Is(e.waited, exec.ErrWaitDelay):
		return Result{}, fmt.Errorf("the file's reader doesn't return: %w", cmp.Or(e.stopped, e.waited))
	case file.err != nil:
		return Result{}, file.err
	// Where its parent kept it waiting for more than half of the time, the child isn't slow.
	case errors.Is(e.stopped, errLimit) && in.ready && file.took+in.took < e.limit/2:
		return Result{}, &Died{TooSlow: true, Detail: fmt.Sprintf("%v: %v after %v", errLimit, e.used(), e.limit)}
	case e.stopped != nil:
		return Result{}, e.stopped
	case in.refused != nil:
		return Result{}, in.refused
	}
	res, err := Result{}, e.failed
	if e.state.Success() && err == nil {
		res, err = in.finish(file)
	}
	switch {
	case errors.Is(err, errFrame):
		return Result{}, &Died{Detail: err.Error()}
	case err != nil || !e.state.Success():
		return Result{}, e.died(in.ready)
	}
	return res, nil
}

// unsunk returns why a sink has failed: a store gives up a file of which nothing arrives.
func unsunk(in *receiver, file *source) error {
	if in.silent > patience && file.took < in.silent/2 {
		return &Died{TooSlow: true, Detail: fmt.Sprintf("the child was silent for %v: %v", in.silent, in.failed)}
	}
	return in.failed
}

func tooMuchMemory(detail string) error {
	return &Refused{Code: CodeTooLarge, Message: "The file takes too much memory to process.", Detail: detail}
}

// died returns why a child ended without a last word. One that wasn't ready hasn't read the file.
func (e ending) died(ready bool) error {
	line, _, _ := strings.Cut(strings.TrimSpace(e.stderr.String()), "\n")
	detail := fmt.Sprintf("%v after %v: %s", e.state, e.used(), line)
	const crashed = 2 // Go's exit code of a panic or a fatal error
	switch {
	case !ready:
		return fmt.Errorf("the child for a file ended before it began: %s", detail)
	case outOfTime(e.state):
		return tooSlow(detail)
	case e.state.ExitCode() == crashed && outOfMemory(e.stderr.String()):
		return tooMuchMemory(detail)
	case e.state.ExitCode() == crashed:
		return &Refused{Code: CodeDamaged, Message: "The file can't be read: it is damaged.", Detail: detail}
	}
	return &Died{Detail: "the child for a file ended: " + detail}
}

// used returns how long the child used the processor.
func (e ending) used() time.Duration { return e.state.UserTime() + e.state.SystemTime() }

func outOfMemory(stderr string) bool {
	return slices.ContainsFunc([]string{"out of memory", "cannot allocate memory"}, func(s string) bool { return strings.Contains(stderr, s) })
}

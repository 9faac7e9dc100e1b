package mediafile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// meeting is a file that calls meet with its child's id once the child has read a part of it.
type meeting struct {
	io.ReadSeeker

	left int
	meet func(pid int)
}

func (m *meeting) Read(p []byte) (int, error) {
	n, err := m.ReadSeeker.Read(p[:min(len(p), 64<<10)])
	if m.left -= n; m.left <= 0 && m.meet != nil {
		m.meet(child())
		m.meet = nil
	}
	return n, err
}

// child returns the id of this process's only child.
func child() int {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			return pid
		}
	}
	return 0
}

// halted reports whether a process has ended or stands still. One of its threads takes the signal for that, and until it does the
// others go on.
func halted(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, _ := strings.Cut(string(text), ") ")
	return err != nil || fields != "" && strings.Contains("ZXT", fields[:1])
}

// meet has a child process a picture of 2 MiB, and calls a function with its id after the first.
func meet(t *testing.T, runner *mediafile.Runner, with func(pid int)) (mediafile.Result, error) {
	t.Helper()
	data := append(mediatest.JPEG(20, 20), make([]byte, 2<<20)...)
	file := &meeting{ReadSeeker: bytes.NewReader(data), left: 1 << 20, meet: with}
	return runner.Process(t.Context(), file, int64(len(data)), mediafile.Request{Pictures: []mediafile.Picture{plain}}, files{}.sink)
}

// A child that is killed, or stands still, isn't trouble of ours: it says something of the file if it happens
// again. Its use of the processor is known all the same.
func TestChildDies(t *testing.T) {
	testkit.SkipIfShort(t)
	for name, c := range map[string]struct {
		signal syscall.Signal
		within time.Duration
		slow   bool
	}{
		"killed": {syscall.SIGKILL, time.Hour, false}, "a fault": {syscall.SIGSEGV, time.Hour, false}, "too slow": {syscall.SIGSTOP, 5 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := meet(t, mediatest.NewRunner(1).Within(c.within), func(pid int) {
				_ = syscall.Kill(pid, c.signal)
				await.Until(t, "the child has taken the signal", func() bool { return halted(pid) })
			})
			died, refused := new(mediafile.Died), new(mediafile.Refused)
			switch {
			case errors.As(err, &refused) && c.signal == syscall.SIGSEGV: // Go's runtime says so itself
			case !errors.As(err, &died) || died.TooSlow != c.slow:
				t.Errorf("got %v", err)
			case (died.Verdict().Code == mediafile.CodeTooSlow) != c.slow || died.Verdict().Message == "":
				t.Errorf("got %+v", died.Verdict())
			}
			if res.CPU <= 0 {
				t.Error("it is said to have used no CPU")
			}
		})
	}
}

// A service manager signals all processes of a service: a child ends when its parent says so.
func TestChildOutlivesSignals(t *testing.T) {
	_, err := meet(t, mediatest.NewRunner(1), func(pid int) {
		_, _, _ = syscall.Kill(pid, syscall.SIGTERM), syscall.Kill(pid, syscall.SIGINT), syscall.Kill(pid, syscall.SIGHUP)
	})
	if err != nil {
		t.Error(err)
	}
}

// All threads of a child give way to the service.
func TestChildGivesWay(t *testing.T) {
	own, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	threads, want := 0, strconv.Itoa(min(20-own+10, 19))
	_, err = meet(t, mediafile.NewRunner(1), func(pid int) {
		stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, file := range stats {
			text, _ := os.ReadFile(file)
			_, fields, _ := strings.Cut(string(text), ") ")
			const nice = 16 // after the name
			if f := strings.Fields(fields); len(f) > nice {
				if threads++; f[nice] != want {
					wrong = append(wrong, f[nice])
				}
			}
		}
	})
	if err != nil || threads == 0 || len(wrong) > 0 {
		t.Errorf("%d threads, %v with another niceness, %v", threads, wrong, err)
	}
}

// Who is to blame for a child's end: nobody who reads or writes the file, nor the machine if the child didn't begin.
func TestEndings(t *testing.T) {
	state := func(command string) *os.ProcessState {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", command)
		_ = cmd.Run() // how it ends is its state
		return cmd.ProcessState
	}
	for name, c := range map[string]struct {
		err  error
		died bool
	}{
		"the limit":                 {mediafile.Ended(state("kill -9 $$"), true, time.Second, mediafile.ErrLimit, io.ErrUnexpectedEOF), true},
		"the limit, a slow reader":  {mediafile.Ended(state("kill -9 $$"), true, 40*time.Second, mediafile.ErrLimit, io.ErrUnexpectedEOF), false},
		"the limit, not begun":      {mediafile.Ended(state("kill -9 $$"), false, time.Second, mediafile.ErrLimit, io.EOF), false},
		"a shutdown":                {mediafile.Ended(state("kill -9 $$"), true, time.Second, context.Canceled, io.ErrUnexpectedEOF), false},
		"a bad frame":               {mediafile.Ended(state("true"), true, 0, nil, mediafile.ErrFrame), true},
		"a result that says little": {mediafile.Ended(state("true"), true, 0, nil, nil), true},
		"an exit":                   {mediafile.Ended(state("exit 1"), true, 0, nil, io.EOF), true},
		"an exit without an error":  {mediafile.Ended(state("true"), true, 0, nil, io.EOF), true},
		"an exit before it began":   {mediafile.Ended(state("exit 1"), false, 0, nil, io.EOF), false},
		"a crash before it began":   {mediafile.Ended(state("exit 2"), false, 0, nil, io.EOF), false},
	} {
		if died := new(mediafile.Died); c.err == nil || refusal(c.err) != "" || errors.As(c.err, &died) != c.died {
			t.Errorf("%s: got %v (%T)", name, c.err, c.err)
		}
	}
}

// A store gives up what nothing arrives of: that is the child's fault if it was silent, and the reader's or the
// store's own if it wasn't.
func TestSilence(t *testing.T) {
	given := errors.New("the store has given up")
	for name, c := range map[string]struct {
		silent, reader time.Duration
		died           bool
	}{
		"silent":                    {31 * time.Second, time.Second, true},
		"not for long":              {10 * time.Second, 0, false},
		"while it waits for a file": {31 * time.Second, 30 * time.Second, false},
	} {
		err := mediafile.SilentFor(c.silent, c.reader, given)
		if died := new(mediafile.Died); errors.As(err, &died) != c.died || c.died && !died.TooSlow || !c.died && !errors.Is(err, given) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A picture is whole for its store before the next is made, which may take long.
func TestOutputsEnd(t *testing.T) {
	small := mediafile.Picture{Name: "small", Rules: mission.PictureRules{Types: []string{mission.TypeJPEG}, MaxSide: 16}}
	left, err := mediafile.Conversation(mediatest.PNG(40, 40), []mediafile.Picture{plain, small})
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 || left[0] != 3 || left[1] != 0 { // of the second, its beginning, its bytes and its end
		t.Errorf("when outputs were closed, so many frames were to come: %v", left)
	}
}

package program

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// startDemo starts missiond demo, with its folder below another.
func startDemo(t *testing.T, temp string) (*exec.Cmd, *output.Buffer) {
	t.Helper()
	cmd, printed := exec.Command(missiond.Path(t), "demo", "--clock-speed", "17280"), &output.Buffer{}
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	cmd.Stdout, cmd.Stderr = printed, printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, printed
}

// endDemo waits for the demo's end, which is without an error and leaves nothing.
func endDemo(t *testing.T, cmd *exec.Cmd, printed *output.Buffer, temp string) {
	t.Helper()
	timer := time.AfterFunc(await.Long(), func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the demo ends with %v:\n%s", err, printed)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("the demo leaves %v, %v", left, err)
	}
}

// The demo prints a mission from its brief to what it learned, in order and in plain
// text of at most 100 columns, and ends by itself.
func TestDemo(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	temp := t.TempDir()
	cmd, printed := startDemo(t, temp)
	endDemo(t, cmd, printed, temp)
	rest := printed.String()
	for _, want := range []string{
		"The brief", "Win beta testers in Helsinki", "likes 300",
		"Day 1 of 3", "intake completed", "strategy completed", "  plan  ", "  written  ", "[picture: ", "content completed",
		"  published    https://twitter.sandbox.invalid/posts/", "  KPIs  ", "likes ", "publish completed",
		"analytics completed", "  measured  ", "impressions ", "optimize completed", "Day 2 of 3", "  learned  ", "Day 3 of 3", "  learned  ",
		"The mission is completed: ", "likes ", "engagement_rate ", "What to do next", "missiond dev", "docs/missions.md",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("the demo doesn't print %q, or prints it too early:\n%s", want, printed)
		}
		rest = after
	}
	for _, line := range strings.Split(printed.String(), "\n") {
		if utf8.RuneCountInString(line) > 100 || strings.Contains(line, "\x1b") {
			t.Errorf("the demo prints %q", line)
		}
	}
}

// An interrupted demo ends at once, without an error.
func TestDemoInterrupted(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	cmd, printed := startDemo(t, temp)
	ctx, cancel := context.WithTimeout(t.Context(), await.Long())
	defer cancel()
	for !strings.Contains(printed.String(), "The brief") {
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			t.Fatalf("the demo prints only %s", printed)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	endDemo(t, cmd, printed, temp)
	if !strings.Contains(printed.String(), "Interrupted.") {
		t.Errorf("the demo prints %s", printed)
	}
}

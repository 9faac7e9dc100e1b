// Guards removes the service's guards one at a time, and sees that a test
// notices each: a guard whose absence nobody notices guards nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// guard is a piece of the source without which the service isn't safe.
type guard struct {
	name string
	// file has the guard as text, times times; without it there is with.
	file, text, with string
	times            int
	// pkg and tests are who must notice.
	pkg, tests string
}

var guards = []guard{
	{
		name: "the fence", file: "store/tasks.go", text: `.Where("fence = ?", t.Fence)`, times: 3,
		pkg: "./tasks", tests: "TestStaleWorkerIsFenced",
	},
	{
		name: "the tenant filter", file: "store/missions.go", text: `.Where("m.id = ?", id).Where("m.tenant_id = ?", tenantID)`, with: `.Where("m.id = ?", id)`, times: 1,
		pkg: "./cmd/missiond", tests: "TestForeignIDsLookLikeNone",
	},
	{
		name: "the tenant filter of integrations", file: "store/integrations.go", text: `.Where("i.id = ?", id).Where("i.tenant_id = ?", tenantID)`, with: `.Where("i.id = ?", id)`, times: 1,
		pkg: "./cmd/missiond", tests: "TestForeignIDsLookLikeNone",
	},
	{
		name: "a claim for one worker", file: "tasks/worker.go", text: "!got.taken.CompareAndSwap(false, true)", with: "false", times: 1,
		pkg: "./tasks", tests: "TestClaimedOnceTogether",
	},
	{
		name: "no COMMIT twice", file: "store/deferring.go", text: "return tx.fail(err) // perhaps", with: "return tx.fail(tx.unbegun(true, err)) // perhaps", times: 1,
		pkg: "./store", tests: "TestUnansweredCommit",
	},
	{
		name: "rights that are gone", file: "internal/service/recall.go", text: "_ = clock.Sleep(ctx, memory)", with: "_ = ctx", times: 1,
		pkg: "./internal/service", tests: "TestRecall",
	},
	{
		name: "the look at a pause", file: "internal/service/service.go", text: "if done = m.Status == mission.StatusPaused; done {", with: "if done = false; done {", times: 1,
		pkg: "./tasks", tests: "TestPauseHolds",
	},
	{
		name: "public addresses only", file: "internal/outbound/outbound.go", text: "Control: r.guardian().Safe, ", times: 1,
		pkg: "./internal/outbound", tests: "TestRebinding",
	},
	{
		name: "the scope", file: "mission/principal.go", text: "case !p.Has(policy.Scope):", with: "case false:", times: 1,
		pkg: "./cmd/missiond", tests: "TestMissingScopes",
	},
	{
		name: "the look for a post in doubt", file: "tasks/publish.go", text: "if call.InDoubt {", with: "if call.InDoubt && false {", times: 1,
		pkg: "./tasks", tests: "TestPlatformAnswers",
	},
	{
		name: "one renewal at a time", file: "store/integrations.go", text: `Where("i.id = ?", i.ID).Where("i.version = ?", i.Version).
		Where("COALESCE(i.renewing_until, ?) <= ?", now, now)`, with: `Where("i.id = ?", i.ID)`, times: 1,
		pkg: "./store", tests: "TestRenewing",
	},
	{
		name: "the budget", file: "mission/budget.go", text: "return b == nil || m.Spent+m.Reserved+price <= Micros(*b)*MicrosPerCent", with: "return b == nil || true", times: 1,
		pkg: "./tasks", tests: "Budget|Overspend",
	},
	{
		name: "secrets sealed", file: "internal/seal/seal.go", text: "k.aead.Seal(nonce, nonce, plain, []byte(place))", with: "plain", times: 1,
		pkg: "./internal/seal", tests: ".",
	},
}

// testLimit bounds one run of tests, building included.
const testLimit = 8 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "guards")
	if err == nil {
		defer func() { _ = os.RemoveAll(folder) }()
		err = run(ctx, folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "guards:", err)
		stop()
		_ = os.RemoveAll(folder)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	var unnoticed []string
	for _, g := range guards {
		started := time.Now()
		verdict, err := g.tried(ctx, folder)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		if verdict != noticed {
			unnoticed = append(unnoticed, g.name)
		}
		fmt.Printf("%-34s %-34s %-10s %4.0f s\n", g.name, g.file, verdict, time.Since(started).Seconds())
	}
	if len(unnoticed) > 0 {
		return fmt.Errorf("nobody notices the absence of: %s", strings.Join(unnoticed, ", "))
	}
	return nil
}

const (
	noticed = "noticed"
	missed  = "MISSED"
)

// tried answers whether the tests notice that g is gone. Errors: where the text
// isn't there, the tests fail with it, or don't build without it.
func (g guard) tried(ctx context.Context, folder string) (verdict string, err error) {
	overlay, err := g.removed(folder)
	if err != nil {
		return "", err
	}
	if out, ok, err := g.test(ctx); err != nil || !ok {
		return "", errors.Join(fmt.Errorf("its tests fail with it:\n%s", out), err)
	}
	out, ok, err := g.test(ctx, "-overlay", overlay)
	switch {
	case err != nil:
		return "", err
	case ok:
		return missed, nil
	case !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:"):
		return "", fmt.Errorf("its tests don't run without it:\n%s", out)
	}
	return noticed, nil
}

// removed writes the source without g, and answers the overlay that has it.
func (g guard) removed(folder string) (overlay string, err error) {
	text, err := os.ReadFile(g.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), g.text); n != g.times {
		return "", fmt.Errorf("%s has it %d times, not %d", g.file, n, g.times)
	}
	path, err := filepath.Abs(g.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(folder, "changed.go")
	if err := os.WriteFile(changed, []byte(strings.ReplaceAll(string(text), g.text, g.with)), 0o600); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, replace, 0o600)
}

// test runs g's tests; ok tells that they pass.
func (g guard) test(ctx context.Context, flags ...string) (out string, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	args := append([]string{"test", "-short", "-count=1", "-run", g.tests}, flags...)
	text, err := exec.CommandContext(ctx, "go", append(args, g.pkg)...).CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return string(text), false, nil
	}
	if err == nil && strings.Contains(string(text), "no tests to run") {
		err = errors.New("there is no such test")
	}
	return string(text), err == nil, err
}

package acceptance

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"missiond/internal/testkit"
)

// stubs stand for what a machine's administrator has and a test must not touch. sudo runs
// its command as it is, and for the user postgres as the database's; systemctl starts what
// a unit says, with the environment that the unit has and no other.
var stubs = map[string]string{
	"sudo": `if [ "$1" = -u ]; then shift 2; export PGHOST=127.0.0.1 PGUSER=postgres; fi
exec "$@"`,
	"apt-get": `case "$*" in update | "install -y postgresql redis-server prometheus curl") ;; *) echo "apt-get $*" >&2; exit 1 ;; esac`,
	"systemctl": `start() {
	local unit="$UNITS/$1.service" exec environment
	exec=$(sed -n 's/^ExecStart=//p' "$unit")
	environment=$(cat "$(sed -n 's/^EnvironmentFile=//p' "$unit")")
	if grep -q '^Type=oneshot' "$unit"; then env -i PATH="$PATH" $environment $exec; return; fi
	if [ -e "$UNITS/$1.pid" ]; then
		kill "$(cat "$UNITS/$1.pid")"
		while kill -0 "$(cat "$UNITS/$1.pid")" 2>/dev/null; do sleep 0.05; done
	fi
	env -i PATH="$PATH" $environment $exec >>"$UNITS/$1.log" 2>&1 </dev/null &
	echo $! >"$UNITS/$1.pid"
}
verb=$1; shift
for unit in "$@"; do
	case $verb.$unit in
	enable.--now | restart.prometheus) ;;
	*.timer) grep -q '^OnCalendar=' "$UNITS/$unit" ;;
	enable.* | start.* | restart.*) start "${unit%.service}" ;;
	*) echo "systemctl $verb $unit" >&2; exit 1 ;;
	esac
done`,
}

// Every command of the page "In production" runs, in the page's order, on a Postgres and a
// Redis of the test's own.
func TestProduction(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	postgres, _ := testkit.PostgresServer(t)
	redis, _ := testkit.OwnRedis(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"bin", "stubs", "units", "prometheus", "work/deploy", "work/missiond_v0.1.0_linux_amd64"} {
		if err := os.MkdirAll(at(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range stubs {
		write(t, at("stubs/"+name), "#!/bin/bash\nset -euo pipefail\n"+text+"\n")
	}
	release(t, at("work"))
	page := examples(t, filepath.Join("..", "..", "docs", "production.md"))
	script := "set -euo pipefail\nset -a\n" + fmt.Sprintf("PGPORT=%s REDIS_PORT=%s ADDR=%s SERVE_OPS=%s WORKER_OPS=%s\n",
		port(t, postgres.Addr), port(t, redis.Addr), freeAddr(t), freeAddr(t), freeAddr(t)) +
		fmt.Sprintf("BIN=%s ETC=%s UNITS=%s PROMETHEUS=%s BACKUPS=%s\nset +a\n", at("bin"), at("etc"), at("units"), at("prometheus"), at("backups"))
	for i, e := range page {
		if e.language != "sh" || e.skip {
			t.Errorf("%s: an example that isn't run", e.place)
		}
		if i > 0 { // the first sets what is set above
			script += "echo '=== " + filepath.Base(e.place) + "' >&2\n" + e.text
		}
	}
	t.Cleanup(func() { stopUnits(t, at("units")) })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir, cmd.Env = at("work"), append(os.Environ(), "PATH="+at("bin")+":"+at("stubs")+":"+os.Getenv("PATH"))
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		serve, _ := os.ReadFile(at("units/missiond-serve.log"))
		t.Fatalf("%v\n%s\nserve: %s", err, out, tail(string(serve)))
	}
	if analyze, err := exec.LookPath("systemd-analyze"); err == nil {
		units, _ := filepath.Glob(at("units/*.service"))
		if out, err := exec.CommandContext(ctx, analyze, append([]string{"verify", "--man=no"}, units...)...).CombinedOutput(); strings.Contains(string(out), "missiond") {
			t.Errorf("systemd-analyze verify: %v\n%s", err, out)
		}
	}
	dumps, _ := filepath.Glob(at("backups/missiond-*.dump"))
	if info, err := os.Stat(at("etc/missiond.env")); len(dumps) != 1 || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("there are the dumps %v, and settings with the mode %v, %v", dumps, info, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// release makes a folder look like the one that make release leaves, and this project's.
func release(t *testing.T, folder string) {
	t.Helper()
	const name = "missiond_v0.1.0_linux_amd64"
	program, err := os.ReadFile(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, name, "missiond"), string(program))
	archive := filepath.Join(folder, name+".tar.gz")
	if out, err := exec.Command("tar", "-C", folder, "--use-compress-program", "gzip -1", "-cf", archive, name).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	packed, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "SHA256SUMS"), fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(packed), name))
	prometheus, err := filepath.Abs(filepath.Join("..", "..", "deploy", "prometheus"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(prometheus, filepath.Join(folder, "deploy", "prometheus")); err != nil {
		t.Fatal(err)
	}
}

func port(t *testing.T, addr string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// stopUnits ends the processes that systemctl started.
func stopUnits(t *testing.T, units string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(units, "*.pid"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

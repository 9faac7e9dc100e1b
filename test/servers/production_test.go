package servers

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/test/internal/document"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// stubs stand for what a machine's administrator has and a test must not touch. sudo runs
// its command as it is, and for the user postgres as the database's; systemctl starts what
// a unit says, with the environment that the unit has and no other, and Prometheus as
// Debian's unit does. The arguments of commands that could have secrets are written down.
var stubs = map[string]string{
	"sudo": `echo "sudo $*" >>"$UNITS/arguments"
if [ "$1" = -u ]; then shift 2; export PGHOST=127.0.0.1 PGUSER=postgres; fi
exec "$@"`,
	"apt-get": `case "$*" in
update) ;;
"install -y postgresql redis-server prometheus curl") echo 'ARGS=""' >"$DEFAULTS/prometheus" ;;
*) echo "apt-get $*" >&2; exit 1 ;;
esac`,
	"curl":       writtenDown("curl"),
	"psql":       writtenDown("psql"),
	"pg_dump":    writtenDown("pg_dump"),
	"pg_restore": writtenDown("pg_restore"),
	"systemctl": `start() {
	local unit="$UNITS/$1.service" exec environment
	exec=$(sed -n 's/^ExecStart=//p' "$unit")
	environment=$(cat "$(sed -n 's/^EnvironmentFile=//p' "$unit")")
	if grep -q '^Type=oneshot' "$unit"; then env -i PATH="$PATH" UNITS="$UNITS" PATH_WITHOUT_STUBS="$PATH_WITHOUT_STUBS" $environment $exec; return; fi
	if [ -e "$UNITS/$1.pid" ]; then
		kill "$(cat "$UNITS/$1.pid")"
		while kill -0 "$(cat "$UNITS/$1.pid")" 2>/dev/null; do sleep 0.05; done
	fi
	env -i PATH="$PATH" $environment $exec >>"$UNITS/$1.log" 2>&1 </dev/null &
	echo $! >"$UNITS/$1.pid"
}
prometheus() {
	local ARGS
	. "$DEFAULTS/prometheus"
	env -i PATH="$PATH" prometheus --config.file="$PROMETHEUS/prometheus.yml" --storage.tsdb.path="$UNITS/metrics" $ARGS >>"$UNITS/prometheus.log" 2>&1 </dev/null &
	echo $! >"$UNITS/prometheus.pid"
}
verb=$1; shift
for unit in "$@"; do
	case $verb.$unit in
	enable.--now) ;;
	restart.prometheus) prometheus ;;
	*.timer) grep -q '^OnCalendar=' "$UNITS/$unit" ;;
	enable.* | start.* | restart.*) start "${unit%.service}" ;;
	*) echo "systemctl $verb $unit" >&2; exit 1 ;;
	esac
done`,
}

// writtenDown returns a stub that writes a program's arguments down and runs it.
func writtenDown(program string) string {
	return `echo "` + program + ` $*" >>"$UNITS/arguments"
PATH=$PATH_WITHOUT_STUBS exec ` + program + ` "$@"`
}

// Every command of the page "In production" runs, in the page's order, on a Postgres and a
// Redis of the test's own, and shows no secret to the machine's other users.
func TestProduction(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	for _, program := range []string{"prometheus", "psql", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			testkit.Missing(t, program, "PATH", err)
		}
	}
	postgres, _ := testkit.PostgresServer(t)
	askPassword(t, postgres)
	redis, _ := testkit.OwnRedis(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"bin", "stubs", "units", "prometheus", "defaults", "work/deploy", "work/missiond_v0.1.0_linux_amd64"} {
		if err := os.MkdirAll(at(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range stubs {
		write(t, at("stubs/"+name), "#!/bin/bash\nset -euo pipefail\n"+text+"\n")
	}
	release(t, at("work"))
	page := document.Examples(t, filepath.Join("..", "..", "docs", "production.md"))
	script := "set -euo pipefail\nset -a\n" + fmt.Sprintf("PGPORT=%s REDIS_PORT=%s ADDR=%s SERVE_OPS=%s WORKER_OPS=%s PROMETHEUS_ADDR=%s\n",
		port(t, postgres.Addr), port(t, redis.Addr), missiond.FreeAddr(t), missiond.FreeAddr(t), missiond.FreeAddr(t), missiond.FreeAddr(t)) +
		fmt.Sprintf("BIN=%s ETC=%s UNITS=%s PROMETHEUS=%s DEFAULTS=%s BACKUPS=%s PATH_WITHOUT_STUBS='%s'\nset +a\n",
			at("bin"), at("etc"), at("units"), at("prometheus"), at("defaults"), at("backups"), os.Getenv("PATH"))
	checkAddresses(t, page[0].Text)
	for i, e := range page {
		if e.Language != "sh" || e.Skip {
			t.Errorf("%s: an example that isn't run", e.Place)
		}
		if i > 0 { // the first sets what is set above
			script += "echo '=== " + filepath.Base(e.Place) + "' >&2\n" + e.Text
		}
	}
	t.Cleanup(func() { stopUnits(t, at("units")) })
	ctx, cancel := context.WithTimeout(t.Context(), await.Within(2*time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir, cmd.Env = at("work"), append(os.Environ(), "PATH="+at("bin")+":"+at("stubs")+":"+os.Getenv("PATH"))
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		serve, _ := os.ReadFile(at("units/missiond-serve.log"))
		t.Fatalf("%v\n%s\nserve: %s", err, out, output.Tail(string(serve)))
	}
	if analyze, err := exec.LookPath("systemd-analyze"); err == nil {
		units, _ := filepath.Glob(at("units/*.service"))
		if out, err := exec.CommandContext(ctx, analyze, append([]string{"verify", "--man=no"}, units...)...).CombinedOutput(); strings.Contains(string(out), "missiond") {
			t.Errorf("systemd-analyze verify: %v\n%s", err, out)
		}
	}
	dumps, _ := filepath.Glob(at("backups/missiond-*.dump"))
	if info, err := os.Stat(at("etc/missiond.env")); len(dumps) != 2 || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("there are the dumps %v, and settings with the mode %v, %v", dumps, info, err)
	}
	checkUnits(t, at("units"))
	checkArguments(t, at)
}

// askPassword has the server ask the role missiond for its password, as Debian's does.
func askPassword(t *testing.T, postgres *servers.Postgres) {
	t.Helper()
	psql := func(statement string) string {
		out, err := exec.Command("psql", "-h", "127.0.0.1", "-p", port(t, postgres.Addr), "-U", "postgres", "-d", "postgres", "-Atqc", statement).Output()
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		return strings.TrimSpace(string(out))
	}
	path := psql("SHOW hba_file")
	rules, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "host all missiond 127.0.0.1/32 scram-sha-256\n"+string(rules))
	psql("SELECT pg_reload_conf()")
}

var address = regexp.MustCompile(`(\w+)=127\.0\.0\.1:(\d+)`)

// checkAddresses checks that nothing listens where something else does: Debian's
// Prometheus does so on port 9090 from its installation on.
func checkAddresses(t *testing.T, text string) {
	t.Helper()
	ports := map[string]string{"9090": "PROMETHEUS_ADDR"}
	found := address.FindAllStringSubmatch(text, -1)
	for _, m := range found {
		if other, ok := ports[m[2]]; ok && other != m[1] {
			t.Errorf("%s and %s are both port %s", m[1], other, m[2])
		}
		ports[m[2]] = m[1]
	}
	if len(found) != 4 {
		t.Errorf("the page has the addresses %q", found)
	}
}

// checkUnits checks that systemd never gives up a process that is to be always restarted:
// by default it does after five starts within ten seconds, as while the database is away.
func checkUnits(t *testing.T, folder string) {
	t.Helper()
	for _, part := range []string{"serve", "worker"} {
		unit, err := os.ReadFile(filepath.Join(folder, "missiond-"+part+".service"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(unit), "\nRestart=always\n") || !strings.Contains(string(unit), "\nStartLimitIntervalSec=0\n") {
			t.Errorf("systemd doesn't restart %s for ever:\n%s", part, unit)
		}
	}
}

// checkArguments checks that no secret was an argument, nor can be read by others.
func checkArguments(t *testing.T, at func(name string) string) {
	t.Helper()
	arguments, err := os.ReadFile(at("units/arguments"))
	if err != nil || !strings.Contains(string(arguments), "sudo ") || !strings.Contains(string(arguments), "pg_dump ") {
		t.Fatalf("the arguments are %q, %v", arguments, err)
	}
	settings, err := os.ReadFile(at("etc/missiond.env"))
	if err != nil {
		t.Fatal(err)
	}
	tenant, err := os.ReadFile(at("work/tenant.json"))
	if err != nil {
		t.Fatal(err)
	}
	secrets := map[string]string{"the API key": output.Between(string(tenant), `"api_key":"`, `"`)}
	for _, name := range []string{"PGPASSWORD", "MISSIOND_SECRET_KEYS"} {
		secrets[name] = output.Between(string(settings), name+"=", "\n")
	}
	for name, secret := range secrets {
		if len(secret) < 16 || strings.Contains(string(arguments), secret) {
			t.Errorf("%s (%d characters) is in the arguments:\n%s", name, len(secret), arguments)
		}
	}
	for _, name := range []string{"work/tenant.json", "work/authorization", "etc/missiond.env"} {
		if info, err := os.Stat(at(name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
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
	program, err := os.ReadFile(missiond.Path(t))
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
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			continue
		}
		// The id of a process that has ended may be another's.
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(line), filepath.Dir(units)) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

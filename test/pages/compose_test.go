package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// composeFile is deploy/compose.yaml, with all keys that it may have.
type composeFile struct {
	Name     string                    `yaml:"name"`
	Missiond any                       `yaml:"x-missiond"`
	Database any                       `yaml:"x-database"`
	Settings any                       `yaml:"x-settings"`
	Files    any                       `yaml:"x-files"`
	Services map[string]composeService `yaml:"services"`
	Networks map[string]struct {
		Internal bool `yaml:"internal"`
	} `yaml:"networks"`
	Volumes map[string]struct{} `yaml:"volumes"`
	Secrets map[string]struct {
		Environment string `yaml:"environment"`
	} `yaml:"secrets"`
}

type composeService struct {
	Image       string            `yaml:"image"`
	Command     []string          `yaml:"command"`
	Environment map[string]string `yaml:"environment"`
	EnvFile     []struct {
		Path     string `yaml:"path"`
		Required bool   `yaml:"required"`
	} `yaml:"env_file"`
	Secrets     []string `yaml:"secrets"`
	Volumes     []string `yaml:"volumes"`
	Ports       []string `yaml:"ports"`
	Networks    []string `yaml:"networks"`
	Healthcheck struct {
		Disable     bool     `yaml:"disable"`
		Test        []string `yaml:"test"`
		Interval    string   `yaml:"interval"`
		Timeout     string   `yaml:"timeout"`
		StartPeriod string   `yaml:"start_period"`
		Retries     int      `yaml:"retries"`
	} `yaml:"healthcheck"`
	DependsOn map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
	ReadOnly        bool           `yaml:"read_only"`
	CapDrop         []string       `yaml:"cap_drop"`
	SecurityOpt     []string       `yaml:"security_opt"`
	Restart         string         `yaml:"restart"`
	StopGracePeriod string         `yaml:"stop_grace_period"`
	ShmSize         string         `yaml:"shm_size"`
	Logging         map[string]any `yaml:"logging"`
	Deploy          struct {
		Resources struct {
			Limits struct {
				CPUs   string `yaml:"cpus"`
				Memory string `yaml:"memory"`
			} `yaml:"limits"`
		} `yaml:"resources"`
	} `yaml:"deploy"`
}

func readCompose(t *testing.T, text []byte) (c composeFile) {
	t.Helper()
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return c
}

// ours are the services that run missiond.
var ours = []string{"migrate", "serve", "worker"}

// pinned matches images of exactly one version.
var pinned = regexp.MustCompile(`^docker\.io/[a-z]+/[a-z]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$`)

// interpolated matches ${NAME…}.
var interpolated = regexp.MustCompile(`\$\{(\w+)([^}]*)\}`)

// Every part of the compose file is there: a version, limits, a restart, a health check;
// no secret has a default, and nothing is open to the network.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	text := deployed(t, "compose.yaml")
	c := readCompose(t, text)
	want := []string{"migrate", "postgres", "prometheus", "redis", "serve", "worker"}
	if got := slices.Sorted(maps.Keys(c.Services)); !slices.Equal(got, want) {
		t.Fatalf("the services are %q, want %q", got, want)
	}
	for _, m := range interpolated.FindAllStringSubmatch(string(text), -1) {
		if !strings.HasPrefix(m[2], ":?set it to ") && m[0] != "${MISSIOND_MEDIA_URL:-"+composedMedia+"}" {
			t.Errorf("%s has a default, or doesn't say what to set it to", m[0])
		}
	}
	for name, s := range c.Services {
		checkService(t, c, name, s)
	}
	for name, s := range c.Secrets {
		if !strings.Contains(string(text), "${"+s.Environment+":?") {
			t.Errorf("the secret %s is from %s, which may be missing", name, s.Environment)
		}
	}
	if !c.Networks["data"].Internal || !slices.Equal(c.Services["redis"].Networks, []string{"data"}) || !slices.Equal(c.Services["postgres"].Networks, []string{"data"}) {
		t.Errorf("Postgres and Redis are on the networks %q and %q", c.Services["postgres"].Networks, c.Services["redis"].Networks)
	}
	if err := yaml.UnmarshalWithOptions(bytes.ReplaceAll(text, []byte("read_only:"), []byte("readonly:")), &composeFile{}, yaml.Strict()); err == nil {
		t.Error("a key that is misspelt is taken")
	}
}

func checkService(t *testing.T, c composeFile, name string, s composeService) {
	t.Helper()
	runsMissiond, limits := slices.Contains(ours, name), s.Deploy.Resources.Limits
	if image := strings.HasPrefix(s.Image, "${MISSIOND_IMAGE:?"); image != runsMissiond || !image && !pinned.MatchString(s.Image) {
		t.Errorf("%s: the image %s isn't of one version", name, s.Image)
	}
	if limits.CPUs == "" || limits.Memory == "" || s.Logging == nil || s.Restart == "" || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("%s: limits %+v, logging %v, restart %q, security %q", name, limits, s.Logging, s.Restart, s.SecurityOpt)
	}
	if runsMissiond && (!s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"})) {
		t.Errorf("%s: read-only %v, dropped capabilities %q", name, s.ReadOnly, s.CapDrop)
	}
	if runsMissiond {
		checkMedia(t, name, s)
	}
	if once := name == "migrate"; s.Healthcheck.Disable != once || once == (len(s.Healthcheck.Test) > 1) || once != (s.Restart == "on-failure") {
		t.Errorf("%s: the health check %+v, the restart %s", name, s.Healthcheck, s.Restart)
	}
	for _, secret := range s.Secrets {
		if _, ok := c.Secrets[secret]; !ok || s.ReadOnly {
			t.Errorf("%s: the secret %s is declared: %v; on a read-only root: %v", name, secret, ok, s.ReadOnly)
		}
	}
	for _, port := range s.Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("%s: the port %s is open to the network", name, port)
		}
	}
	for _, network := range s.Networks {
		if _, ok := c.Networks[network]; !ok {
			t.Errorf("%s: the network %s isn't declared", name, network)
		}
	}
	for _, volume := range s.Volumes {
		from, _, _ := strings.Cut(volume, ":")
		if _, ok := c.Volumes[from]; ok {
			continue
		}
		if _, err := os.Stat(filepath.Join("..", "..", "deploy", from)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for other, d := range s.DependsOn {
		condition := "service_healthy"
		if other == "migrate" {
			condition = "service_completed_successfully"
		}
		if _, ok := c.Services[other]; !ok || d.Condition != condition {
			t.Errorf("%s: waits for %s (a service: %v) to be %s", name, other, ok, d.Condition)
		}
	}
}

// composed are the services of the compose file as processes: their commands, variables
// and health checks, with the containers' addresses replaced.
type composed struct {
	t        *testing.T
	services map[string]composeService
	replace  *strings.Replacer
	folder   string
}

// secrets of the run.
const (
	composedPassword = "a password with / and @"
	composedOps      = "9d1f0c7a4b2e6f80"
)

// newComposed starts Redis with its service's command, and names the servers.
func newComposed(t *testing.T) (c composed, redisAddr string) {
	t.Helper()
	text := string(deployed(t, "compose.yaml"))
	values := map[string]string{
		"MISSIOND_IMAGE": "missiond:v0", "POSTGRES_PASSWORD": composedPassword, "MISSIOND_OPS_PASSWORD": composedOps,
		"MISSIOND_SECRET_KEYS": strings.TrimSpace(missiond.Output(t, "secrets", "generate")), "MISSIOND_PUBLIC_URL": "https://missions.example.com",
		"MISSIOND_MEDIA_URL": composedMedia,
	}
	text = interpolated.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := values[interpolated.FindStringSubmatch(name)[1]]
		if !ok {
			t.Errorf("%s has no value", name)
		}
		return value
	})
	c = composed{t: t, services: readCompose(t, []byte(text)).Services, folder: t.TempDir()}
	command := c.services["redis"].Command
	if command[0] != "redis-server" {
		t.Fatalf("redis runs %q", command)
	}
	server, _ := testkit.OwnRedis(t, command[1:]...)
	database, err := url.Parse(testkit.PostgresURL(t))
	if err != nil {
		t.Fatal(err)
	}
	c.replace = strings.NewReplacer("/var/lib/missiond", t.TempDir(), // the volume
		"missiond@postgres:5432/missiond", database.User.String()+"@"+database.Host+database.Path, "redis://redis:6379", "redis://"+server.Addr)
	return c, server.Addr
}

// environment returns a service's variables, with listeners on free ports.
func (c composed) environment(name string) map[string]string {
	c.t.Helper()
	env := map[string]string{"HOME": c.folder}
	for key, value := range c.services[name].Environment {
		if port, ok := strings.CutPrefix(value, "0.0.0.0:"); ok {
			if (port != "8080" || key != "MISSIOND_ADDR") && (port != "9090" || key != "MISSIOND_OPS_ADDR") {
				c.t.Errorf("%s listens on %s, by %s", name, value, key)
			}
			value = missiond.FreeAddr(c.t)
		}
		env[key] = c.replace.Replace(value)
	}
	return env
}

// command returns a command with nothing but these variables, in the run's folder.
func (c composed) command(env map[string]string, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = c.folder
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	return cmd
}

// start runs a service's command.
func (c composed) start(name string, env map[string]string) *missiond.Process {
	c.t.Helper()
	return missiond.Run(c.t, c.command(env, missiond.Path(c.t), c.services[name].Command...))
}

// check runs a service's health check.
func (c composed) check(name string, env map[string]string, more ...string) error {
	c.t.Helper()
	test := c.services[name].Healthcheck.Test
	if test[0] != "CMD" {
		c.t.Fatalf("%s: the health check %q needs a shell", name, test)
	}
	path := test[1]
	if path == "/missiond" {
		path = missiond.Path(c.t)
	}
	out, err := c.command(env, path, append(slices.Clone(more), test[2:]...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

// The services of the compose file work as processes, on the test's Postgres: each
// one's command with nothing but its variables, and its health check.
func TestComposeServices(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	c, redisAddr := newComposed(t)
	_, redisPort, err := net.SplitHostPort(redisAddr)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.check("redis", nil, "-p", redisPort); err != nil {
		t.Error(err)
	}
	database, err := url.Parse(c.environment("migrate")["MISSIOND_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	if err := c.check("postgres", map[string]string{"PGPORT": database.Port(), "PATH": os.Getenv("PATH")}); err != nil {
		t.Error(err)
	}

	env := c.environment("migrate")
	if out, err := c.command(env, missiond.Path(t), c.services["migrate"].Command...).CombinedOutput(); err != nil {
		t.Fatalf("migrate: %v\n%s", err, out)
	}
	created, err := c.command(env, missiond.Path(t), "tenant", "create", "--name", "Acme", "--plan", "pro").Output()
	var tenant struct {
		Key string `json:"api_key"`
	}
	if err != nil || json.Unmarshal(created, &tenant) != nil {
		t.Fatalf("tenant create: %v\n%s", err, created)
	}
	envs := map[string]map[string]string{}
	running := map[string]*missiond.Process{}
	for _, name := range []string{"serve", "worker"} {
		envs[name] = c.environment(name)
		if err := c.check(name, envs[name]); err == nil {
			t.Errorf("%s is healthy before it is started", name)
		}
		running[name] = c.start(name, envs[name])
	}
	for name, p := range running {
		p.Await("the health check of "+name, func() bool { return c.check(name, envs[name]) == nil })
	}
	serve := running["serve"]
	serve.URL, serve.Key = "http://"+envs["serve"]["MISSIOND_ADDR"], tenant.Key
	id := serve.StartMission(1, 1)
	serve.Await("a stage of the mission", func() bool {
		return output.At(serve.Status(id), "pipeline", "stages", "intake", "status") == "completed"
	})
	uploadComposed(serve)
	for name, e := range envs {
		resp, err := http.Get("http://" + e["MISSIOND_OPS_ADDR"] + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: /metrics without the password is %d", name, resp.StatusCode)
		}
	}
	watchComposed(t, c, envs)
	entries, err := os.ReadDir(c.folder)
	if err != nil || len(entries) > 0 {
		t.Errorf("the processes wrote %v, %v to their folder, which is read-only in a container", entries, err)
	}
	for _, p := range running {
		p.Terminate()
	}
}

// watchComposed runs Prometheus with its service's command and files, and waits until it
// has scraped all processes and evaluated the alerts.
func watchComposed(t *testing.T, c composed, envs map[string]map[string]string) {
	t.Helper()
	prometheus, err := exec.LookPath("prometheus")
	if err != nil {
		testkit.Missing(t, "prometheus", "PATH", err)
	}
	folder := t.TempDir()
	password := filepath.Join(folder, "ops-password")
	var targets []string
	for _, e := range envs {
		targets = append(targets, e["MISSIOND_OPS_ADDR"])
	}
	// The names of serve and worker are Docker's; the rest is as it is.
	text := string(deployed(t, "prometheus", "prometheus.yml"))
	discovery := text[strings.Index(text, "    dns_sd_configs:"):]
	text = strings.NewReplacer(discovery, "    static_configs: [{targets: ["+strings.Join(targets, ", ")+"]}]\n",
		"/run/secrets/ops-password", password, "15s", "200ms").Replace(text)
	for path, content := range map[string]string{
		password: composedOps, filepath.Join(folder, "prometheus.yml"): text, filepath.Join(folder, "alerts.yml"): string(deployed(t, "prometheus", "alerts.yml")),
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	addr := missiond.FreeAddr(t)
	args := []string{"--web.listen-address=" + addr}
	for _, a := range c.services["prometheus"].Command {
		args = append(args, strings.NewReplacer("/etc/prometheus", folder, "=/prometheus", "="+filepath.Join(folder, "data")).Replace(a))
	}
	p := missiond.Run(t, exec.Command(prometheus, args...))
	check := c.services["prometheus"].Healthcheck.Test
	healthy := strings.NewReplacer("127.0.0.1:9090", addr)
	p.Await("the health check of prometheus", func() bool {
		args := strings.Fields(healthy.Replace(strings.Join(check[2:], " ")))
		return exec.Command(check[1], args...).Run() == nil
	})
	p.Await("both processes scraped", func() bool { return strings.Count(prometheusSays(addr, "query?query=up==1"), `"__name__":"up"`) == 2 })
	p.Await("the alerts evaluated", func() bool {
		rules := prometheusSays(addr, "rules")
		return strings.Contains(rules, `"name":"MissiondWorkIsLate"`) && !strings.Contains(rules, `"health":"unknown"`) && !strings.Contains(rules, `"health":"err"`)
	})
}

// prometheusSays returns a response of Prometheus's API; "" if there is none.
func prometheusSays(addr, path string) string {
	resp, err := http.Get("http://" + addr + "/api/v1/" + path)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

// promtool takes the configuration, with the alerts that it names.
func TestPrometheusConfiguration(t *testing.T) {
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		testkit.Missing(t, "promtool", "PATH", err)
	}
	path := filepath.Join("..", "..", "deploy", "prometheus", "prometheus.yml")
	// The password's file is the container's.
	out, err := exec.Command(promtool, "check", "config", "--syntax-only", path).CombinedOutput()
	if err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
	var config struct {
		Rules  []string `yaml:"rule_files"`
		Scrape []struct {
			Auth struct {
				File string `yaml:"password_file"`
			} `yaml:"basic_auth"`
			Discovery []struct {
				Names []string `yaml:"names"`
				Port  int      `yaml:"port"`
			} `yaml:"dns_sd_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal(deployed(t, "prometheus", "prometheus.yml"), &config); err != nil {
		t.Fatal(err)
	}
	c := readCompose(t, deployed(t, "compose.yaml"))
	scrape := config.Scrape[0]
	for _, name := range scrape.Discovery[0].Names {
		if want := fmt.Sprintf("0.0.0.0:%d", scrape.Discovery[0].Port); c.Services[name].Environment["MISSIOND_OPS_ADDR"] != want {
			t.Errorf("%s doesn't listen on %s, where it is scraped", name, want)
		}
	}
	secret, ok := strings.CutPrefix(scrape.Auth.File, "/run/secrets/")
	if !ok || !slices.Contains(c.Services["prometheus"].Secrets, secret) || c.Secrets[secret].Environment != "MISSIOND_OPS_PASSWORD" {
		t.Errorf("the password is read from %s", scrape.Auth.File)
	}
	for _, rules := range config.Rules {
		if mount := "./prometheus/" + rules + ":/etc/prometheus/" + rules + ":ro"; !slices.Contains(c.Services["prometheus"].Volumes, mount) {
			t.Errorf("the container lacks the volume %s", mount)
		}
	}
}

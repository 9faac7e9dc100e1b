package pages

import (
	"encoding/json"
	"io"
	"net/http"
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
)

// deployed returns the content of a file of deploy.
func deployed(t *testing.T, elements ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "deploy"}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// alert is an alert of deploy/prometheus/alerts.yml.
type alert struct {
	Alert, Expr string
	Labels      map[string]string
	Annotations map[string]string
}

func alerts(t *testing.T) []alert {
	t.Helper()
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal(deployed(t, "prometheus", "alerts.yml"), &file); err != nil {
		t.Fatal(err)
	}
	return file.Groups[0].Rules
}

// expression is PromQL with the templates that show its labels.
type expression struct{ place, text, shown string }

// dashboardVariables are what Grafana puts in for a dashboard's variables.
var dashboardVariables = strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*")

// expressions returns those of the alerts and of all dashboards' panels.
func expressions(t *testing.T) (all []expression) {
	t.Helper()
	for _, a := range alerts(t) {
		all = append(all, expression{"the alert " + a.Alert, a.Expr, a.Annotations["summary"]})
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "deploy", "grafana", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d dashboards, %v", len(paths), err)
	}
	for _, path := range paths {
		var dashboard struct {
			Panels []struct {
				ID      int
				Title   string
				Targets []struct{ Expr, LegendFormat string }
			}
		}
		if err := json.Unmarshal(deployed(t, "grafana", filepath.Base(path)), &dashboard); err != nil {
			t.Fatal(err)
		}
		ids := map[int]bool{}
		for _, p := range dashboard.Panels {
			if ids[p.ID] {
				t.Errorf("%s has two panels with the id %d", path, p.ID)
			}
			ids[p.ID] = true
			for _, e := range p.Targets {
				all = append(all, expression{"the panel " + p.Title, dashboardVariables.Replace(e.Expr), e.LegendFormat})
			}
		}
	}
	return all
}

var (
	selector  = regexp.MustCompile(`\b((?:missiond|go|process)_\w+)(?:\{([^}]*)\})?`)
	matcher   = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
	grouping  = regexp.MustCompile(`\b(?:by|without|on|ignoring) \(([^)]*)\)`)
	templates = regexp.MustCompile(`\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}`)
	sample    = regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? \S+$`)
)

// exported are the metrics of running processes, with the labels of each.
type exported map[string]map[string]bool

// read adds the metrics that are served at an address.
func (x exported) read(t *testing.T, address string) {
	t.Helper()
	resp, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", resp.StatusCode, err)
	}
	for _, m := range sample.FindAllStringSubmatch(string(text), -1) {
		if x[m[1]] == nil {
			x[m[1]] = map[string]bool{"instance": true} // which Prometheus adds
		}
		for _, l := range matcher.FindAllStringSubmatch(m[2], -1) {
			x[m[1]][l[1]] = true
		}
	}
}

// problems returns what an expression names that isn't exported.
func (x exported) problems(e expression) (list []string) {
	var groups []string
	for _, g := range grouping.FindAllStringSubmatch(e.text, -1) {
		groups = append(groups, strings.Split(strings.ReplaceAll(g[1], " ", ""), ",")...)
	}
	for _, m := range templates.FindAllStringSubmatch(e.shown, -1) {
		groups = append(groups, m[1])
	}
	selectors := selector.FindAllStringSubmatch(e.text, -1)
	if len(selectors) == 0 {
		list = append(list, "no metric")
	}
	for _, s := range selectors {
		labels := slices.Clone(groups)
		for _, l := range matcher.FindAllStringSubmatch(s[2], -1) {
			labels = append(labels, l[1])
		}
		if x[s[1]] == nil {
			list = append(list, s[1])
			continue
		}
		for _, l := range labels {
			if !x[s[1]][l] {
				list = append(list, s[1]+" by "+l)
			}
		}
	}
	return list
}

// Every metric and label that an alert or a dashboard names is exported by serve or
// worker.
func TestWatchedMetricsAreExported(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	f := missiond.NewFleet(t, testkit.Redis(t))
	serveOps, workerOps := missiond.FreeAddr(t), missiond.FreeAddr(t)
	// It is no replica, which a warning says, but its requests are counted.
	files := "--media-url=file://" + filepath.ToSlash(t.TempDir())
	api := f.Serve("--ops-addr", serveOps, "--database-read-url", f.Database, files)
	worker := missiond.Launch(t, append([]string{"worker", "--sandbox", "--ops-addr", workerOps, files}, f.Flags...)...)
	worker.Await("ready", func() bool { return worker.Ready("http://" + workerOps) })
	f.Finish(api, []string{api.StartMission(1, 1)})
	x := exported{}
	x.read(t, serveOps)
	x.read(t, workerOps)
	for _, e := range expressions(t) {
		for _, p := range x.problems(e) {
			t.Errorf("%s: %s isn't exported", e.place, p)
		}
	}
	for _, wrong := range []expression{
		{"a name", "sum(missiond_post_total)", ""}, {"a matcher", `missiond_posts_total{result="failed"}`, ""},
		{"a group", "sum by (result) (missiond_posts_total)", ""}, {"a legend", "missiond_posts_total", "{{result}}"}, {"no metric", "1", ""},
	} {
		if len(x.problems(wrong)) != 1 {
			t.Errorf("%s that isn't exported isn't found: %v", wrong.place, x.problems(wrong))
		}
	}
}

// Each alert has a severity, and a runbook that exists; each is tested to fire, and not
// to fire.
func TestAlertsHaveRunbooksAndTests(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tests []struct {
			Cases []struct {
				Name     string `yaml:"alertname"`
				Expected []any  `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	if err := yaml.Unmarshal(deployed(t, "prometheus", "alerts_test.yml"), &file); err != nil {
		t.Fatal(err)
	}
	fires, quiet := map[string]bool{}, map[string]bool{}
	for _, test := range file.Tests {
		last := test.Cases[len(test.Cases)-1]
		fires[last.Name] = fires[last.Name] || len(last.Expected) > 0
		quiet[last.Name] = quiet[last.Name] || len(last.Expected) == 0
	}
	for _, a := range alerts(t) {
		if s := a.Labels["severity"]; s != "page" && s != "ticket" {
			t.Errorf("%s has the severity %q", a.Alert, s)
		}
		if want := "docs/operating.md#" + strings.ToLower(a.Alert); a.Annotations["runbook"] != want || !strings.Contains(string(page), "\n#### "+a.Alert+"\n") {
			t.Errorf("%s has the runbook %q, want %q, and its section", a.Alert, a.Annotations["runbook"], want)
		}
		if !fires[a.Alert] || !quiet[a.Alert] {
			t.Errorf("%s has a test that it fires: %v; that it doesn't: %v", a.Alert, fires[a.Alert], quiet[a.Alert])
		}
	}
}

// promtool takes the alerts, their tests, and the expressions of all dashboards.
func TestPromtool(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		testkit.Missing(t, "promtool", "PATH", err)
	}
	type rule struct {
		Record string `yaml:"record"`
		Expr   string `yaml:"expr"`
	}
	type group struct {
		Name  string `yaml:"name"`
		Rules []rule `yaml:"rules"`
	}
	write := func(rules ...rule) string {
		text, err := yaml.Marshal(map[string][]group{"groups": {{"dashboards", rules}}})
		path := filepath.Join(t.TempDir(), "rules.yml")
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	var rules []rule
	for _, e := range expressions(t) {
		rules = append(rules, rule{"watched:" + strings.Repeat("x", len(rules)+1), e.text})
	}
	folder := filepath.Join("..", "..", "deploy", "prometheus")
	for _, args := range [][]string{
		{"check", "rules", filepath.Join(folder, "alerts.yml")},
		{"check", "rules", write(rules...)},
		{"test", "rules", filepath.Join(folder, "alerts_test.yml")},
	} {
		if out, err := exec.Command(promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if exec.Command(promtool, "check", "rules", write(rule{"wrong", "sum(missiond_posts_total"})).Run() == nil {
		t.Error("promtool takes an expression that doesn't parse")
	}
}

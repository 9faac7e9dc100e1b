package charttest

import (
	"encoding/json"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// folder is where the program is built.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "charttest"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// each runs a test on each rendering.
func each(t *testing.T, test func(t *testing.T, m *manifests)) {
	t.Helper()
	for _, r := range Renderings {
		t.Run(strings.TrimSuffix(filepath.Base(r.Values), ".values.yaml"), func(t *testing.T) { test(t, read(t, r)) })
	}
}

// What is committed was rendered from the chart as it is, whose values are all in the
// tests.
func TestRenderingsAreCurrent(t *testing.T) {
	for _, r := range Renderings {
		text, err := os.ReadFile(r.Manifests)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := Sum(".", r)
		if err != nil {
			t.Fatal(err)
		}
		if line, _, _ := strings.Cut(string(text), "\n"); line != SumLine+sum {
			t.Errorf("%s isn't of this chart (%s): run make chart, and commit it", r.Manifests, sum)
		}
	}
}

// The objects are those that the values ask for.
func TestObjects(t *testing.T) {
	want := map[string][]int{ // deployments, jobs, services, accounts, ingresses, policies, budgets, scalers, scaled, monitors, rules
		"least.values.yaml": {2, 1, 2, 1, 0, 3, 2, 0, 0, 0, 0},
		"all.values.yaml":   {2, 1, 2, 1, 1, 3, 2, 2, 0, 1, 1},
		"other.values.yaml": {2, 1, 2, 0, 1, 0, 2, 0, 1, 0, 0},
	}
	for _, r := range Renderings {
		m := read(t, r)
		got := []int{
			len(m.deployments), len(m.jobs), len(m.services), len(m.serviceAccounts), len(m.ingresses), len(m.policies),
			len(m.budgets), len(m.scalers), len(m.scaled), len(m.monitors), len(m.rules),
		}
		if name := filepath.Base(r.Values); !slices.Equal(got, want[name]) {
			t.Errorf("%s: the numbers of objects are %v, want %v", name, got, want[name])
		}
	}
}

// What selects pods selects those of its component, and no others.
func TestSelectors(t *testing.T) {
	each(t, func(t *testing.T, m *manifests) {
		expect := func(what string, selector map[string]string, want ...string) {
			t.Helper()
			var got []string
			for _, p := range m.selected(selector) {
				got = append(got, p.name)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s selects %v, want %v", what, got, want)
			}
		}
		for _, d := range m.deployments {
			expect(d.Name, d.Spec.Selector.MatchLabels, d.Name)
			for _, c := range d.Spec.Template.Spec.TopologySpreadConstraints {
				expect("the spread of "+d.Name, c.LabelSelector.MatchLabels, d.Name)
			}
		}
		for _, b := range m.budgets {
			expect("the budget "+b.Name, b.Spec.Selector.MatchLabels, b.Name)
		}
		for _, p := range m.policies {
			expect("the policy "+p.Name, p.Spec.PodSelector.MatchLabels, p.Name)
		}
		for _, s := range m.services {
			want := []string{"missiond-serve"}
			if s.Name == "missiond-ops" {
				want = append(want, "missiond-worker")
			}
			expect("the service "+s.Name, s.Spec.Selector, want...)
		}
	})
}

// Ports are named as those whom they lead to name them.
func TestPorts(t *testing.T) {
	each(t, func(t *testing.T, m *manifests) {
		for _, s := range m.services {
			for _, port := range s.Spec.Ports {
				for _, p := range m.selected(s.Spec.Selector) {
					if p.port(t, port.TargetPort.StrVal) == 0 {
						t.Errorf("%s has no port %s, which the service %s names", p.name, port.TargetPort.StrVal, s.Name)
					}
				}
			}
		}
		for _, policy := range m.policies {
			for _, rule := range policy.Spec.Ingress {
				for _, port := range rule.Ports {
					if p := m.selected(policy.Spec.PodSelector.MatchLabels)[0]; p.port(t, port.Port.StrVal) == 0 {
						t.Errorf("%s has no port %s, which the policy %s names", p.name, port.Port.StrVal, policy.Name)
					}
				}
			}
		}
		for _, p := range m.pods() {
			_, flags := split(p.container(t).Args)
			for name, flag := range map[string]string{"api": "addr", "ops": "ops-addr"} {
				if _, port, _ := net.SplitHostPort(flags[flag]); port != "" && port != strconv.Itoa(int(p.port(t, name))) {
					t.Errorf("%s listens on %s, and its port %s is %d", p.name, flags[flag], name, p.port(t, name))
				}
			}
		}
		for _, i := range m.ingresses {
			backend := i.Spec.Rules[0].HTTP.Paths[0].Backend.Service
			found := slices.ContainsFunc(m.services, func(s *corev1.Service) bool {
				return s.Name == backend.Name && slices.ContainsFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == backend.Port.Name })
			})
			if !found {
				t.Errorf("the ingress leads to %s, port %s, which isn't there", backend.Name, backend.Port.Name)
			}
		}
	})
}

// The program has the flags that pods pass, and reads the variables that they set.
func TestFlagsAndVariables(t *testing.T) {
	// Of Go, of OpenTelemetry, and of AWS.
	standard := map[string]bool{"GOMEMLIMIT": true, "OTEL_EXPORTER_OTLP_HEADERS": true, "AWS_ACCESS_KEY_ID": true, "AWS_SECRET_ACCESS_KEY": true}
	each(t, func(t *testing.T, m *manifests) {
		for _, p := range m.pods() {
			c := p.container(t)
			words, flags := split(c.Args)
			takes := help(t, words...)
			for flag := range flags {
				if !takes.flags[flag] {
					t.Errorf("%s: missiond %s has no flag --%s", p.name, strings.Join(words, " "), flag)
				}
			}
			seen := map[string]bool{}
			for _, v := range c.Env {
				if !takes.variables[v.Name] && !standard[v.Name] {
					t.Errorf("%s: missiond %s doesn't read %s", p.name, strings.Join(words, " "), v.Name)
				}
				if seen[v.Name] {
					t.Errorf("%s sets %s twice", p.name, v.Name)
				}
				seen[v.Name] = true
			}
		}
	})
}

// Every variable of the program that is secret comes from a Secret, only there, and the
// schema refuses it elsewhere.
func TestSecrets(t *testing.T) {
	secrets := map[string]bool{"OTEL_EXPORTER_OTLP_HEADERS": true, "AWS_ACCESS_KEY_ID": true, "AWS_SECRET_ACCESS_KEY": true}
	each(t, func(t *testing.T, m *manifests) {
		for _, p := range m.pods() {
			c := p.container(t)
			words, _ := split(c.Args)
			need := map[string]bool{}
			for name := range help(t, words...).variables {
				if secret.MatchString(name) {
					need[name], secrets[name] = true, true
				}
			}
			for _, v := range c.Env {
				fromSecret := v.ValueFrom != nil && v.ValueFrom.SecretKeyRef != nil
				if secret.MatchString(v.Name) != fromSecret {
					t.Errorf("%s: %s comes from a Secret: %t", p.name, v.Name, fromSecret)
				}
				delete(need, v.Name)
			}
			if len(need) > 0 {
				t.Errorf("%s can't be given %v", p.name, slices.Sorted(maps.Keys(need)))
			}
			if len(c.EnvFrom) > 0 {
				t.Errorf("%s takes whole Secrets", p.name)
			}
		}
	})
	text, err := os.ReadFile(filepath.Join(Chart, "values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Definitions struct {
			Secret struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if want := slices.Sorted(maps.Keys(secrets)); !slices.Equal(schema.Definitions.Secret.Enum, want) {
		t.Errorf("the schema's secrets are %v, want %v", schema.Definitions.Secret.Enum, want)
	}
}

// A pod has the time to drain and to finish: docs/operating.md says 10 s after the delay.
func TestGraceIsEnough(t *testing.T) {
	const finish = 10 * time.Second
	each(t, func(t *testing.T, m *manifests) {
		for _, d := range m.deployments {
			p := pod{d.Name, d.Spec.Template.Labels, d.Spec.Template.Spec}
			_, flags := split(p.container(t).Args)
			delay := time.Duration(0)
			if text, ok := flags["drain-delay"]; ok {
				var err error
				if delay, err = time.ParseDuration(text); err != nil {
					t.Fatal(err)
				}
			}
			if grace := time.Duration(*p.spec.TerminationGracePeriodSeconds) * time.Second; grace < delay+finish {
				t.Errorf("%s has %s to end, and needs %s and %s", p.name, grace, delay, finish)
			}
		}
	})
}

// The probes ask what the program serves, and wait for longer than /readyz tries (2 s).
func TestProbes(t *testing.T) {
	each(t, func(t *testing.T, m *manifests) {
		for _, d := range m.deployments {
			p := pod{d.Name, d.Spec.Template.Labels, d.Spec.Template.Spec}
			c := p.container(t)
			for path, probe := range map[string]*corev1.Probe{"/livez": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
				if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != path || p.port(t, probe.HTTPGet.Port.StrVal) == 0 || probe.TimeoutSeconds < 3 {
					t.Errorf("%s: the probe of %s is %+v", p.name, path, probe)
				}
			}
			if c.StartupProbe == nil || c.StartupProbe.HTTPGet.Path != "/livez" || p.port(t, c.StartupProbe.HTTPGet.Port.StrVal) == 0 {
				t.Errorf("%s: the startup probe is %+v", p.name, c.StartupProbe)
			}
		}
	})
}

// Pods have no more rights than they need.
func TestRights(t *testing.T) {
	off := false
	each(t, func(t *testing.T, m *manifests) {
		for _, a := range m.serviceAccounts {
			if !reflect.DeepEqual(a.AutomountServiceAccountToken, &off) {
				t.Errorf("the account %s mounts a token", a.Name)
			}
		}
		for _, p := range m.pods() {
			s, c := p.spec, p.container(t)
			if !reflect.DeepEqual(s.AutomountServiceAccountToken, &off) || !reflect.DeepEqual(s.EnableServiceLinks, &off) {
				t.Errorf("%s has a token, or variables of services", p.name)
			}
			if s.SecurityContext.RunAsNonRoot == nil || !*s.SecurityContext.RunAsNonRoot || s.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
				t.Errorf("%s: the pod's security is %+v", p.name, s.SecurityContext)
			}
			rights := c.SecurityContext
			if rights.AllowPrivilegeEscalation == nil || *rights.AllowPrivilegeEscalation || rights.ReadOnlyRootFilesystem == nil ||
				!*rights.ReadOnlyRootFilesystem || !slices.Equal(rights.Capabilities.Drop, []corev1.Capability{"ALL"}) || len(rights.Capabilities.Add) > 0 {
				t.Errorf("%s: the container's security is %+v", p.name, rights)
			}
			if s.HostNetwork || s.HostPID || s.HostIPC || slices.ContainsFunc(s.Volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim == nil }) {
				t.Errorf("%s uses the host: %+v", p.name, s.Volumes)
			}
		}
	})
}

// Go's limit of memory is below what the container's leaves it.
func TestMemory(t *testing.T) {
	each(t, func(t *testing.T, m *manifests) {
		for _, d := range m.deployments {
			c := pod{d.Name, nil, d.Spec.Template.Spec}.container(t)
			limit := c.Resources.Limits.Memory().Value() - children(c)
			i := slices.IndexFunc(c.Env, func(v corev1.EnvVar) bool { return v.Name == "GOMEMLIMIT" })
			if i < 0 {
				t.Fatalf("%s has no GOMEMLIMIT", d.Name)
			}
			mebibytes, err := strconv.ParseInt(strings.TrimSuffix(c.Env[i].Value, "MiB"), 10, 64)
			if ratio := float64(mebibytes<<20) / float64(limit); err != nil || ratio < 0.88 || ratio > 0.91 {
				t.Errorf("%s: GOMEMLIMIT is %s of %d bytes, %v; want nine tenths", d.Name, c.Env[i].Value, limit, err)
			}
			if !c.Resources.Requests.Memory().Equal(*c.Resources.Limits.Memory()) || c.Resources.Requests.Cpu().IsZero() {
				t.Errorf("%s: reserved is %v of %v", d.Name, c.Resources.Requests, c.Resources.Limits)
			}
		}
	})
}

// What scales a Deployment names one that is there, which has no number of its own.
func TestScaling(t *testing.T) {
	each(t, func(t *testing.T, m *manifests) {
		targets := map[string]bool{}
		check := func(name string, ref autoscalingv2.CrossVersionObjectReference, least, most int32) {
			t.Helper()
			if ref.Kind != "Deployment" || ref.APIVersion != "apps/v1" || ref.Name != name || least < 1 || most < least {
				t.Errorf("%s scales %+v from %d to %d", name, ref, least, most)
			}
			targets[ref.Name] = true
		}
		alerts, err := os.ReadFile("../prometheus/alerts.yml")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.scalers {
			check(s.Name, s.Spec.ScaleTargetRef, *s.Spec.MinReplicas, s.Spec.MaxReplicas)
			// A test compares the alerts' metrics with those that are exported.
			if e := s.Spec.Metrics[0].External; e != nil && (!strings.Contains(string(alerts), e.Metric.Name) || !m.job(e.Metric.Selector.MatchLabels["job"])) {
				t.Errorf("%s scales by %+v", s.Name, e.Metric)
			}
		}
		for _, s := range m.scaled {
			check(s.Name, s.Spec.ScaleTargetRef, s.Spec.MinReplicaCount, s.Spec.MaxReplicaCount)
			const want = `sum(max by (type) (missiond_ledger_due{namespace="missiond",job="missiond-ops"}))`
			if query := s.Spec.Triggers[0].Metadata["query"]; query != want || !m.job("missiond-ops") {
				t.Errorf("%s scales by %s, want %s", s.Name, query, want)
			}
		}
		for _, d := range m.deployments {
			if (d.Spec.Replicas == nil) != targets[d.Name] {
				t.Errorf("%s has a number of its own: %t, and is scaled: %t", d.Name, d.Spec.Replicas != nil, targets[d.Name])
			}
		}
	})
}

// job reports whether Prometheus's operator would name a job so: after the service.
func (m *manifests) job(name string) bool {
	return slices.ContainsFunc(m.services, func(s *corev1.Service) bool { return s.Name == name })
}

// Prometheus finds the operators' port with its password, and has the alerts of
// deploy/prometheus.
func TestMonitoring(t *testing.T) {
	m := read(t, Renderings[1])
	monitor := m.monitors[0].Spec
	var found []string
	for _, s := range m.services {
		if matches(monitor.Selector.MatchLabels, s.Labels) {
			found = append(found, s.Name)
		}
	}
	if e := monitor.Endpoints[0]; !slices.Equal(found, []string{"missiond-ops"}) || e.Port != "ops" || e.Path != "/metrics" ||
		e.BasicAuth.Password.Name != "missiond-ops" || e.BasicAuth.Password.Key != "password" {
		t.Errorf("the monitor selects %v with %+v", found, e)
	}
	text, err := os.ReadFile("../prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var want rules
	if err := yaml.UnmarshalStrict(text, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Groups) == 0 || !reflect.DeepEqual(m.rules[0].Spec, want) {
		t.Errorf("the alerts are %+v, want %+v", m.rules[0].Spec, want)
	}
}

// The processes reach DNS, the database, Redis and public addresses; the migration only
// the first two.
func TestEgress(t *testing.T) {
	want := map[string][]int{"missiond-serve": {53, 443, 5432, 6379}, "missiond-worker": {53, 443, 5432, 6379}, "missiond-migrate": {53, 5432}}
	for _, p := range read(t, Renderings[0]).policies {
		ports := map[int]bool{}
		for _, rule := range p.Spec.Egress {
			for _, port := range rule.Ports {
				ports[port.Port.IntValue()] = true
			}
			open := slices.ContainsFunc(rule.Ports, func(port networkingv1.NetworkPolicyPort) bool { return *port.Port == intstr.FromInt32(443) })
			if open && (rule.To[0].IPBlock == nil || !slices.Contains(rule.To[0].IPBlock.Except, "169.254.0.0/16")) {
				t.Errorf("%s reaches the addresses of the cloud's metadata: %+v", p.Name, rule.To)
			}
		}
		if got := slices.Sorted(maps.Keys(ports)); !slices.Equal(got, want[p.Name]) || len(p.Spec.PolicyTypes) != 2 {
			t.Errorf("%s reaches the ports %v with %v, want %v", p.Name, got, p.Spec.PolicyTypes, want[p.Name])
		}
	}
}

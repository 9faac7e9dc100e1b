package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"sigs.k8s.io/yaml"

	"missiond/deploy/charttest"
)

// root is the module's folder.
const root = ".."

func load(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := loader.LoadDir(filepath.Join(root, charttest.Chart))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What is committed is what Helm renders.
func TestCommitted(t *testing.T) {
	c := load(t)
	for _, r := range charttest.Renderings {
		want, err := rendering(c, root, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, r.Manifests))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s isn't what the chart renders: run make chart", r.Manifests)
		}
	}
}

// The chart has no fault that helm lint finds.
func TestLint(t *testing.T) {
	for _, r := range charttest.Renderings {
		result := lint.All(filepath.Join(root, charttest.Chart), values(t, r), "missiond", true)
		for _, m := range result.Messages {
			if m.Severity >= support.WarningSev {
				t.Errorf("%s: %v", r.Values, m)
			}
		}
	}
}

func values(t *testing.T, r charttest.Rendering) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, r.Values))
	if err != nil {
		t.Fatal(err)
	}
	v := map[string]any{}
	if err := yaml.UnmarshalStrict(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Values that can't work are refused, with what is wrong.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ add, says string }{
		"no image":                  {"image: {repository: null}", "image.repository is required"},
		"no tag":                    {"image: {tag: ''}", "image.tag is required"},
		"no secret":                 {"secret: {name: ''}", "secret.name is required"},
		"a misspelt value":          {"serve: {replica: 3}", "replica"},
		"a value without a home":    {"replicas: 3", "replicas"},
		"a secret in the config":    {"config: {MISSIOND_OPS_PASSWORD: x}", "MISSIOND_OPS_PASSWORD"},
		"a secret of a component":   {"worker: {config: {MISSIOND_SMTP_URL: 'smtp://u:p@h'}}", "MISSIOND_SMTP_URL"},
		"a variable with its value": {"config: {MISSIOND_ADDR: ':1'}", "MISSIOND_ADDR"},
		"a public secret elsewhere": {"secret: {elsewhere: {MISSIOND_LOG_LEVEL: {name: a, key: b}}}", "MISSIOND_LOG_LEVEL"},
		"a URL with its value":      {"config: {MISSIOND_MEDIA_URL: 's3://a?region=b'}", "MISSIOND_MEDIA_URL"},
		"a bucket's key":            {"config: {AWS_SECRET_ACCESS_KEY: x}", "AWS_SECRET_ACCESS_KEY"},
		"files on each pod's own":   {"media: {url: 'file:///var/lib/missiond/media'}", "media.existingClaim is required"},
		"files elsewhere":           {"media: {url: 'file:///media', existingClaim: media}", "/media/url"},
		"a claim without files":     {"media: {existingClaim: media}", "media.existingClaim needs a media.url"},
		"a claim beside a bucket":   {"media: {url: 's3://a?region=b', existingClaim: media}", "media.existingClaim needs a media.url"},
		"another store of files":    {"media: {url: 'gs://a'}", "/media/url"},
		"too many connections":      {"database: {connections: 14}", "7 processes with 14 connections each need 101, and database.maxConnections is 100"},
		"too many processes":        {"worker: {autoscaling: {enabled: true, maxReplicas: 4}}", "9 processes with 12 connections each need 111"},
		"KEDA without Prometheus":   {"worker: {autoscaling: {enabled: true, through: keda}}", "worker.autoscaling.prometheusURL is required"},
		"an ingress without a host": {"ingress: {enabled: true}", "ingress.host is required"},
		"a public URL with a path":  {"publicURL: https://example.com/missiond", "publicURL"},
	} {
		t.Run(name, func(t *testing.T) {
			v := values(t, charttest.Renderings[0])
			var add map[string]any
			if err := yaml.UnmarshalStrict([]byte(test.add), &add); err != nil {
				t.Fatal(err)
			}
			merge(v, add)
			text, err := render(load(t), v)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%d bytes and %v, want %q", len(text), err, test.says)
			}
		})
	}
}

// merge puts the values of add into those of into.
func merge(into, add map[string]any) {
	for key, value := range add {
		below, ok := into[key].(map[string]any)
		more, also := value.(map[string]any)
		if ok && also {
			merge(below, more)
			continue
		}
		into[key] = value
	}
}

// A limit of 0 connections checks nothing, for a pooler that has its own.
func TestConnectionsUnchecked(t *testing.T) {
	v := values(t, charttest.Renderings[0])
	merge(v, map[string]any{"database": map[string]any{"connections": 50, "maxConnections": 0}})
	if _, err := render(load(t), v); err != nil {
		t.Error(err)
	}
}

// Render renders the chart with Helm's own engine, for what checks its objects without
// Helm: the plain manifests of deploy/kubernetes, and those of the tests' values. Each
// begins with the sum of what it was rendered from.
//
//	go -C deploy/charttest run ./render
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/yaml"

	"missiond/deploy/charttest"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

// run writes all renderings; root is the folder of the module.
func run(root string) error {
	// A chart contains what it renders: the alerts are copied into it.
	alerts, err := os.ReadFile(filepath.Join(root, "../prometheus/alerts.yml"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, charttest.Chart, "files/alerts.yml"), alerts, 0o644); err != nil { //nolint:gosec // everybody may read it
		return err
	}
	c, err := loader.LoadDir(filepath.Join(root, charttest.Chart))
	if err != nil {
		return err
	}
	for _, r := range charttest.Renderings {
		text, err := rendering(c, root, r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Values, err)
		}
		if err := os.WriteFile(filepath.Join(root, r.Manifests), []byte(text), 0o644); err != nil { //nolint:gosec // everybody may read it
			return err
		}
	}
	return nil
}

// rendering returns the manifests of a rendering with the sum of their sources.
func rendering(c *chart.Chart, root string, r charttest.Rendering) (string, error) {
	sum, err := charttest.Sum(root, r)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(root, r.Values))
	if err != nil {
		return "", err
	}
	values := map[string]any{}
	if err := yaml.UnmarshalStrict(text, &values); err != nil {
		return "", err
	}
	manifests, err := render(c, values)
	return charttest.SumLine + sum + "\n" + manifests, err
}

// render returns the objects of the chart, in the order of the templates' names. Errors:
// values that the schema refuses, and those of the templates.
func render(c *chart.Chart, values map[string]any) (string, error) {
	release := chartutil.ReleaseOptions{Name: "missiond", Namespace: "missiond", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(c, values, release, nil)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(c, all)
	if err != nil {
		return "", err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		if strings.HasSuffix(name, ".yaml") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out strings.Builder
	for _, name := range names {
		if text := strings.TrimSpace(files[name]); text != "" {
			fmt.Fprintf(&out, "---\n# %s\n%s\n", strings.TrimPrefix(name, c.Name()+"/"), strings.TrimPrefix(text, "---\n"))
		}
	}
	return out.String(), nil
}

// Package charttest tests the Helm chart. Its tests decode what the chart renders with
// Kubernetes' own types, and compare it with the program. The rendering is committed,
// since Helm takes minutes to build: render writes it, and a sum says whether it is of
// the chart as it is.
package charttest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Chart is the chart's folder, from this one.
const Chart = "../chart"

// SumLine is how a rendering begins, before its sum.
const SumLine = "# Rendered from deploy/chart by make chart; don't edit. The sum of what it was rendered from: "

// Rendering is what the chart renders with some values.
type Rendering struct {
	// Values and Manifests are files, from this folder.
	Values, Manifests string
}

// Renderings are the renderings that are committed: what is needed only, each option, and
// the other ways of autoscaling and accounts.
var Renderings = []Rendering{
	{"testdata/least.values.yaml", "../kubernetes/missiond.yaml"},
	{"testdata/all.values.yaml", "testdata/all.yaml"},
	{"testdata/other.values.yaml", "testdata/other.yaml"},
}

// Sum returns the sum of what a rendering is made of: the chart's files and the values.
func Sum(root string, r Rendering) (string, error) {
	sum := sha256.New()
	add := func(name, path string) error {
		text, err := os.ReadFile(path)
		if err == nil {
			_, err = fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		}
		return err
	}
	chart := filepath.Join(root, Chart)
	err := filepath.WalkDir(chart, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(chart, path)
		if err != nil {
			return err
		}
		return add(filepath.ToSlash(name), path)
	})
	if err != nil {
		return "", err
	}
	if err := add("values", filepath.Join(root, r.Values)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8]), nil
}

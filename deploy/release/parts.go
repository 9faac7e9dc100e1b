package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// document is a list of a program's parts (SBOM) in CycloneDX 1.6.
type document struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	// PURL is the part's package URL (github.com/package-url/purl-spec).
	PURL string `json:"purl"`
}

func newComponent(kind, ecosystem, name, version string) component {
	path := name
	if ecosystem == "golang" {
		path = strings.ToLower(name) // as its type demands
	}
	purl := "pkg:" + ecosystem + "/" + strings.ReplaceAll(path, "@", "%40") + "@" + url.QueryEscape(version)
	return component{Type: kind, Ref: purl, Name: name, Version: version, PURL: purl}
}

// listParts returns the list of a program's parts: the Go modules that are linked into
// it, as Go recorded them, and the packages of npm whose code is embedded.
func listParts(program, source string, s stamp) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	parts := []component{newComponent("library", "golang", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, newComponent("library", "golang", m.Path, m.Version))
	}
	for _, read := range []func(string) ([]component, error){consoleParts, pageParts} {
		embedded, err := read(source)
		if err != nil {
			return nil, err
		}
		parts = append(parts, embedded...)
	}
	slices.SortFunc(parts, func(a, b component) int { return cmp.Compare(a.PURL, b.PURL) })
	d := document{
		Format: "CycloneDX", Spec: "1.6", Version: 1, Components: slices.CompactFunc(parts, func(a, b component) bool { return a.PURL == b.PURL }),
		Metadata: metadata{Timestamp: s.Time, Component: newComponent("application", "golang", info.Main.Path, s.Version)},
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// consoleParts returns the packages of the console: those of its lock file that aren't
// there for development only.
func consoleParts(source string) (list []component, err error) {
	text, err := os.ReadFile(filepath.Join(source, "web", "console", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version                    string
			Dev, Optional, DevOptional bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	for place, p := range lock.Packages {
		i := strings.LastIndex(place, "node_modules/")
		if i < 0 || p.Dev || p.DevOptional || p.Optional {
			continue
		}
		list = append(list, newComponent("library", "npm", place[i+len("node_modules/"):], p.Version))
	}
	return list, nil
}

// pageRow is a row of the table of web/assets/README.md: files, package, version, licence.
var pageRow = regexp.MustCompile("(?m)^\\| `[^|]*` \\| ([^ |]+) \\| ([^ |]+) \\|")

// pageParts returns the packages of the pages for developers.
func pageParts(source string) (list []component, err error) {
	text, err := os.ReadFile(filepath.Join(source, "web", "assets", "README.md"))
	for _, m := range pageRow.FindAllStringSubmatch(string(text), -1) {
		list = append(list, newComponent("library", "npm", m[1], m[2]))
	}
	return list, err
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// stamp is what a build says of its source.
type stamp struct {
	Version string // such as v1.2.3, or what git describes
	Commit  string
	Time    string // of the commit, RFC 3339 in UTC
}

// stampOf returns the stamp of a folder's commit; what is given comes first. Errors: what
// is neither given nor known to git.
func stampOf(ctx context.Context, folder string, given stamp) (s stamp, err error) {
	for _, part := range []struct {
		value *string
		given string
		args  []string
	}{
		{&s.Version, given.Version, []string{"describe", "--tags", "--always", "--dirty"}},
		{&s.Commit, given.Commit, []string{"rev-parse", "HEAD"}},
		{&s.Time, given.Time, []string{"log", "-1", "--format=%cI"}},
	} {
		if *part.value = part.given; part.given != "" {
			continue
		}
		cmd := exec.CommandContext(ctx, "git", part.args...)
		cmd.Dir, cmd.Stderr = folder, os.Stderr
		text, err := cmd.Output()
		if err != nil {
			return s, fmt.Errorf("git %s: %w (without git, give -version, -commit and -time)", part.args[0], err)
		}
		*part.value = strings.TrimSpace(string(text))
	}
	at, err := s.at()
	s.Time = at.Format(time.RFC3339)
	return s, err
}

// write writes stamp.json to a folder, for deploy/image.
func (s stamp) write(folder string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "stamp.json"), append(text, '\n'), 0o644)
}

// at returns the commit's time in UTC.
func (s stamp) at() (time.Time, error) {
	at, err := time.Parse(time.RFC3339, s.Time)
	if err != nil {
		return at, fmt.Errorf("the commit's time: %w", err)
	}
	return at.UTC(), nil
}

// taggedVersion matches the versions of releases. inBetween matches what git describes
// of later commits and of changed files, which looks like a pre-release.
var (
	taggedVersion = regexp.MustCompile(`^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?)$`)
	inBetween     = regexp.MustCompile(`-\d+-g[0-9a-f]+(-dirty)?$|-dirty$`)
)

// checkChangelog returns an error if the stamp's version is a release's and the
// changelog has no section with its date.
func (s stamp) checkChangelog(path string) error {
	m := taggedVersion.FindStringSubmatch(s.Version)
	if m == nil || inBetween.MatchString(s.Version) {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(m[1]) + `\] - \d{4}-\d\d-\d\d$`).Match(text) {
		return fmt.Errorf("%s has no section ## [%s] - YYYY-MM-DD for the tag %s", path, m[1], s.Version)
	}
	return nil
}

// build is the program for a platform.
type build struct {
	system, arch string
	program      string // the path to write to
	parts        string // the path of its list of parts
}

func newBuild(platform, folder string) (b build, err error) {
	var ok bool
	if b.system, b.arch, ok = strings.Cut(platform, "/"); !ok {
		return b, fmt.Errorf("the platform %q must be a system and an architecture, such as linux/amd64", platform)
	}
	b.program = filepath.Join(folder, b.system+"_"+b.arch, "missiond")
	b.parts = b.program + ".cdx.json"
	if b.system == "windows" {
		b.program += ".exe"
	}
	return b, nil
}

// make builds the program from a folder with the module, and lists its parts.
func (b build) make(ctx context.Context, source string, s stamp) error {
	program, err := filepath.Abs(b.program)
	if err != nil {
		return err
	}
	// No path, no name of the machine and no time gets in. With -trimpath, Go doesn't
	// record -ldflags either.
	cmd := exec.CommandContext(ctx, "go", "build", "-tags=nodynamic", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -X main.version="+s.Version+" -X main.commit="+s.Commit+" -X main.commitTime="+s.Time,
		"-o", program, "./cmd/missiond")
	cmd.Dir, cmd.Stdout, cmd.Stderr = source, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+b.system, "GOARCH="+b.arch, "GOFLAGS=-mod=readonly",
		"GOAMD64=v1", "GOTOOLCHAIN=local", "GOWORK=off", "GOEXPERIMENT=")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build for %s/%s: %w", b.system, b.arch, err)
	}
	parts, err := listParts(program, source, s)
	if err != nil {
		return err
	}
	return os.WriteFile(b.parts, parts, 0o644)
}

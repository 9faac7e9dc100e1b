package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
)

var sample = stamp{Version: "v1.2.3", Commit: "0123456789abcdef0123456789abcdef01234567", Time: "2026-11-22T08:00:01Z"}

// top is the module's root, from this folder.
var top = filepath.Join("..", "..")

// samples writes programs that are no programs, of an hour of their own, and returns
// their builds.
func samples(t *testing.T, modified time.Time) (folder string, builds []build) {
	t.Helper()
	folder = t.TempDir()
	for _, platform := range []string{"linux/amd64", "windows/arm64"} {
		b, err := newBuild(platform, filepath.Join(folder, "build"))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(b.program), 0o750)
		}
		for _, path := range []string{b.program, b.parts} {
			err = errors.Join(err, os.WriteFile(path, []byte(strings.Repeat(platform, 1000)), 0o600), os.Chtimes(path, modified, modified))
		}
		if err != nil {
			t.Fatal(err)
		}
		builds = append(builds, b)
	}
	return folder, builds
}

// contents returns the files of a folder by name.
func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		if all[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Two runs pack the same bytes, whatever their folders and the times of their files.
func TestPackTwice(t *testing.T) {
	t.Chdir(top) // README.md and CHANGELOG.md are there
	t.Run("of one commit", func(t *testing.T) {
		var runs []map[string][]byte
		for _, hour := range []int{3, 9} {
			folder, builds := samples(t, time.Date(2026, 11, 23, hour, 0, 0, 0, time.UTC))
			if err := os.WriteFile(filepath.Join(folder, "missiond_v1.2.2_linux_amd64.tar.gz"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := pack(folder, sample, builds); err != nil {
				t.Fatal(err)
			}
			runs = append(runs, contents(t, folder))
		}
		want := []string{"SHA256SUMS", "missiond_v1.2.3_linux_amd64.tar.gz", "missiond_v1.2.3_windows_arm64.zip"}
		for name, content := range runs[0] {
			if !slices.Contains(want, name) || !bytes.Equal(content, runs[1][name]) {
				t.Errorf("%s: one of %q: %t; two runs wrote the same %d bytes: %t", name, want, slices.Contains(want, name), len(content), bytes.Equal(content, runs[1][name]))
			}
		}
		if len(runs[0]) != len(want) || len(runs[1]) != len(want) {
			t.Errorf("%d and %d files, want %d", len(runs[0]), len(runs[1]), len(want))
		}
	})
	t.Run("of another", func(t *testing.T) {
		folder, builds := samples(t, time.Unix(0, 0))
		var sums [][]byte
		for _, at := range []string{sample.Time, "2026-11-22T09:00:01Z"} {
			if err := pack(folder, stamp{sample.Version, sample.Commit, at}, builds); err != nil {
				t.Fatal(err)
			}
			sums = append(sums, contents(t, folder)["SHA256SUMS"])
		}
		if bytes.Equal(sums[0], sums[1]) {
			t.Error("the commit's time isn't in the archives")
		}
	})
}

func TestArchives(t *testing.T) {
	t.Chdir(top)
	folder, builds := samples(t, time.Unix(0, 0))
	if err := pack(folder, sample, builds); err != nil {
		t.Fatal(err)
	}
	all := contents(t, folder)
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = folder
	if out, err := check.CombinedOutput(); err != nil || strings.Count(string(out), ": OK") != 2 {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}

	zipped, err := gzip.NewReader(bytes.NewReader(all["missiond_v1.2.3_linux_amd64.tar.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for archive := tar.NewReader(zipped); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if program := strings.HasSuffix(h.Name, "/missiond"); h.Uid != 0 || h.Gid != 0 || h.ModTime.UTC().Format(time.RFC3339) != sample.Time || (h.Mode&0o111 != 0) != program {
			t.Errorf("%s is of %d:%d, %s, mode %o", h.Name, h.Uid, h.Gid, h.ModTime.UTC(), h.Mode)
		}
	}
	const top = "missiond_v1.2.3_linux_amd64/"
	if want := []string{top + "missiond", top + "missiond.cdx.json", top + "README.md", top + "CHANGELOG.md"}; !slices.Equal(names, want) {
		t.Errorf("the archive has %q, want %q", names, want)
	}

	text := all["missiond_v1.2.3_windows_arm64.zip"]
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if f := archive.File[0]; len(archive.File) != 4 || f.Name != "missiond_v1.2.3_windows_arm64/missiond.exe" || f.Modified.UTC().Format(time.RFC3339) != sample.Time {
		t.Errorf("the archive has %d files, the first is %s of %s", len(archive.File), f.Name, f.Modified.UTC())
	}
}

func TestStamp(t *testing.T) {
	s, err := stampOf(t.Context(), t.TempDir(), stamp{"v1", "abc", "2026-11-22T10:00:01+02:00"}) // where git knows nothing
	if want := (stamp{"v1", "abc", "2026-11-22T08:00:01Z"}); err != nil || s != want {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
	if _, err := stampOf(t.Context(), t.TempDir(), stamp{Version: "v1"}); err == nil || !strings.Contains(err.Error(), "-commit") {
		t.Errorf("neither git nor flags: got the error %v", err)
	}
	if _, err := stampOf(t.Context(), ".", stamp{"v1", "abc", "yesterday"}); err == nil {
		t.Error("yesterday is taken for a time")
	}
}

func TestChangelogOfReleases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "CHANGELOG.md")
	if err := os.WriteFile(path, []byte("## [Unreleased]\n\n## [1.2.0] - 2026-11-01\n\n## [1.1.0]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, ok := range map[string]bool{"v1.2.0": true, "v1.1.0": false, "v1.3.0": false, "v1.2.0-rc.1": false, "v1.1.0-3-gabcdef0": true, "v1.1.0-dirty": true, "abcdef0": true} {
		if err := (stamp{Version: version}).checkChangelog(path); (err == nil) != ok {
			t.Errorf("%s: got the error %v", version, err)
		}
	}
}

var changelogSection = regexp.MustCompile(`(?m)^## (.*)$`)

// This project's changelog has what is unreleased first, and then its versions with their
// dates, the latest first, so that make release takes their tags.
func TestThisChangelog(t *testing.T) {
	path := filepath.Join(top, "CHANGELOG.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sections := changelogSection.FindAllStringSubmatch(string(text), -1)
	if len(sections) < 2 || sections[0][1] != "[Unreleased]" {
		t.Fatalf("the sections are %q", sections)
	}
	before := "9999-12-31"
	for _, section := range sections[1:] {
		version, date, _ := strings.Cut(section[1], " - ")
		if err := (stamp{Version: "v" + strings.Trim(version, "[]")}).checkChangelog(path); err != nil {
			t.Error(err)
		}
		if _, err := time.Parse(time.DateOnly, date); err != nil || date > before || !taggedVersion.MatchString("v"+strings.Trim(version, "[]")) {
			t.Errorf("%q comes after a version of %s, %v", section[1], before, err)
		}
		before = date
	}
}

func TestPlatforms(t *testing.T) {
	var names []string
	for platform := range strings.SplitSeq(released, ",") {
		b, err := newBuild(platform, "b")
		if err != nil {
			t.Error(err)
		}
		names = append(names, filepath.ToSlash(b.program))
	}
	want := []string{
		"b/linux_amd64/missiond", "b/linux_arm64/missiond", "b/darwin_amd64/missiond", "b/darwin_arm64/missiond",
		"b/windows_amd64/missiond.exe", "b/windows_arm64/missiond.exe",
	}
	if !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if _, err := newBuild("linux", "b"); err == nil {
		t.Error("linux is taken for a platform")
	}
}

// The list of parts has every module that Go recorded, and what the pages and the
// console embed.
func TestParts(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := listParts(self, top, sample)
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	purls := map[string]bool{}
	for _, c := range d.Components {
		if purls[c.PURL] || c.Version == "" {
			t.Errorf("%s is listed twice, or without a version", c.PURL)
		}
		purls[c.PURL] = true
	}
	info, err := buildinfo.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go"), "pkg:npm/graphiql@3.9.0", "pkg:npm/%40scalar/api-reference@1.46.4", "pkg:npm/react-relay@21.0.1"}
	for _, m := range info.Deps {
		want = append(want, "pkg:golang/"+strings.ToLower(m.Path)+"@"+strings.ReplaceAll(m.Version, "+", "%2B"))
	}
	for _, purl := range want {
		if !purls[purl] {
			t.Errorf("the list lacks %s", purl)
		}
	}
	for purl := range purls {
		if strings.HasPrefix(purl, "pkg:npm/vite@") || strings.HasPrefix(purl, "pkg:npm/typescript@") {
			t.Errorf("the list has %s, which only builds the console", purl)
		}
	}
	if d.Format != "CycloneDX" || d.Metadata.Component.Version != sample.Version || d.Metadata.Timestamp != sample.Time {
		t.Errorf("the document is %s, of %+v", d.Format, d.Metadata)
	}
}

// Two builds in different folders, the second without the first's cache, are the same
// bytes, and static.
func TestBuildTwice(t *testing.T) {
	testkit.SkipUnlessNightly(t)
	root, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	var programs [][]byte
	for i, cache := range []string{os.Getenv("GOCACHE"), t.TempDir()} {
		source := root
		if i > 0 {
			source = copyOf(t, root)
		}
		if cache != "" {
			t.Setenv("GOCACHE", cache)
		}
		b, err := newBuild("linux/amd64", t.TempDir())
		if err == nil {
			err = b.make(t.Context(), source, sample)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{b.program, b.parts} {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, content)
		}
	}
	if !bytes.Equal(programs[0], programs[2]) || !bytes.Equal(programs[1], programs[3]) {
		t.Errorf("two builds differ: programs of %d and %d bytes, lists of %d and %d", len(programs[0]), len(programs[2]), len(programs[1]), len(programs[3]))
	}
	if bytes.Contains(programs[0], []byte(root)) {
		t.Errorf("the program contains the folder %s", root)
	}
}

// copyOf copies what git knows of a folder.
func copyOf(t *testing.T, root string) string {
	t.Helper()
	folder := t.TempDir()
	script := exec.Command("sh", "-c", `git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$1"`, "sh", folder)
	script.Dir = root
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("copy the sources: %v\n%s", err, out)
	}
	return folder
}

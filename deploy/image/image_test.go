package main

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

var sample = stamp{Version: "v1.2.3", Commit: "0123456789abcdef", Time: time.Date(2026, 11, 22, 8, 0, 1, 0, time.UTC)}

// samplePrograms builds small static programs, as deploy/release would missiond.
func samplePrograms(t *testing.T) string {
	t.Helper()
	folder, source := t.TempDir(), filepath.Join(t.TempDir(), "main.go")
	writeText(t, source, "package main\n\nfunc main() {}\n")
	for _, arch := range []string{"amd64", "arm64"} {
		program := filepath.Join(folder, "linux_"+arch, "missiond")
		goBuild(t, source, program, "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
		writeText(t, program+".cdx.json", `{"bomFormat":"CycloneDX"}`)
	}
	text, err := json.Marshal(sample)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(folder, "stamp.json"), string(text))
	return folder
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func goBuild(t *testing.T, source, program string, settings ...string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, source)
	cmd.Env = append(os.Environ(), settings...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// opened returns the index of a layout, which must be complete and true to its digests,
// and the descriptor by which the layout names it.
func opened(t *testing.T, folder string) (v1.ImageIndex, v1.Descriptor) {
	t.Helper()
	all, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := all.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("the layout has %+v, %v; want one index", manifest, err)
	}
	index, err := all.ImageIndex(manifest.Manifests[0].Digest)
	if err == nil {
		err = validate.Index(index)
	}
	if err != nil {
		t.Fatal(err)
	}
	return index, manifest.Manifests[0]
}

// images returns the images of an index by architecture.
func images(t *testing.T, index v1.ImageIndex) map[string]v1.Image {
	t.Helper()
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]v1.Image{}
	for _, d := range manifest.Manifests {
		image, err := index.Image(d.Digest)
		if err != nil || d.Platform.OS != "linux" {
			t.Fatalf("%+v: %v", d, err)
		}
		all[d.Platform.Architecture] = image
	}
	return all
}

// entries returns the files of an image, which has one layer.
func entries(t *testing.T, image v1.Image) (list []*tar.Header) {
	t.Helper()
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers, %v", len(layers), err)
	}
	files, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(files); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, h)
	}
}

// Two runs write the same digest, whatever the times of their files.
func TestImageTwice(t *testing.T) {
	t.Parallel()
	programs := samplePrograms(t)
	var digests []v1.Hash
	for range 2 {
		out := filepath.Join(t.TempDir(), "image")
		for range 2 { // the second time it is replaced
			if err := run(programs, out); err != nil {
				t.Fatal(err)
			}
		}
		_, d := opened(t, out)
		digests = append(digests, d.Digest)
		changed := time.Unix(1, 0)
		if err := os.Chtimes(filepath.Join(programs, "linux_amd64", "missiond"), changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	if digests[0] != digests[1] {
		t.Errorf("two runs wrote %s and %s", digests[0], digests[1])
	}
	writeText(t, filepath.Join(programs, "linux_arm64", "missiond.cdx.json"), "{}")
	out := filepath.Join(t.TempDir(), "image")
	if err := run(programs, out); err != nil {
		t.Fatal(err)
	}
	if _, d := opened(t, out); d.Digest == digests[0] {
		t.Error("other files have the same digest")
	}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "image")
	if err := run(samplePrograms(t), out); err != nil {
		t.Fatal(err)
	}
	index, d := opened(t, out)
	if d.MediaType != types.OCIImageIndex || d.Annotations["org.opencontainers.image.ref.name"] != "v1.2.3" {
		t.Errorf("the layout names %+v", d)
	}
	all := images(t, index)
	if len(all) != 2 {
		t.Errorf("the index has %d images", len(all))
	}
	for arch, image := range all {
		manifest, err := image.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		file, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if manifest.MediaType != types.OCIManifestSchema1 || manifest.Config.MediaType != types.OCIConfigJSON || manifest.Layers[0].MediaType != types.OCILayer {
			t.Errorf("%s: media types %s, %s, %s", arch, manifest.MediaType, manifest.Config.MediaType, manifest.Layers[0].MediaType)
		}
		if file.Architecture != arch || file.OS != "linux" || !file.Created.Equal(sample.Time) {
			t.Errorf("%s: the configuration is for %s/%s, of %s", arch, file.OS, file.Architecture, file.Created)
		}
		for _, h := range entries(t, image) {
			data := h.Name == "var/lib/missiond/"
			if !h.ModTime.Equal(sample.Time) || (h.Uid == user) != data || (h.Mode&0o022) != 0 || data && h.Mode != 0o700 {
				t.Errorf("%s: %s is of %d, %s, mode %o", arch, h.Name, h.Uid, h.ModTime, h.Mode)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	refused := func(name, want string, change func(programs, out string)) {
		t.Helper()
		programs, out := samplePrograms(t), filepath.Join(t.TempDir(), "image")
		change(programs, out)
		if err := run(programs, out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want one with %q", name, err, want)
		}
	}
	refused("another architecture's program", "EM_AARCH64", func(programs, _ string) {
		if err := os.Rename(filepath.Join(programs, "linux_arm64", "missiond"), filepath.Join(programs, "linux_amd64", "missiond")); err != nil {
			t.Fatal(err)
		}
	})
	refused("no programs", "deploy/release -programs", func(programs, _ string) {
		if err := os.Remove(filepath.Join(programs, "stamp.json")); err != nil {
			t.Fatal(err)
		}
	})
	refused("a folder of other files", "other files", func(_, out string) {
		if err := os.Mkdir(out, 0o750); err != nil {
			t.Fatal(err)
		}
		writeText(t, filepath.Join(out, "kept.txt"), "")
	})
	// A program for a loader, wherever the test runs: a position-independent one has it.
	refused("a program that isn't static", "isn't static", func(programs, _ string) {
		source := filepath.Join(t.TempDir(), "main.go")
		writeText(t, source, "package main\n\nfunc main() {}\n")
		program := filepath.Join(programs, "linux_arm64", "missiond")
		cmd := exec.Command("go", "build", "-buildmode=pie", "-o", program, source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	})
}

// The image that make image has built: small, static, and the same if it is built again.
func TestRealImage(t *testing.T) {
	dist := realImage(t)
	again := filepath.Join(t.TempDir(), "image")
	if err := run(filepath.Join(dist, "build"), again); err != nil {
		t.Fatal(err)
	}
	index, first := opened(t, filepath.Join(dist, "image"))
	if _, second := opened(t, again); first.Digest != second.Digest {
		t.Errorf("built again, %s is %s", first.Digest, second.Digest)
	}
	for arch, image := range images(t, index) {
		manifest, err := image.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		size := manifest.Config.Size + manifest.Layers[0].Size
		t.Logf("linux/%s: %.1f MB", arch, float64(size)/1e6)
		if size >= 45_000_000 {
			t.Errorf("linux/%s: %d bytes compressed", arch, size)
		}
		if err := checkStatic(filepath.Join(dist, "build", "linux_"+arch, "missiond"), arch); err != nil {
			t.Error(err)
		}
		names := []string{}
		for _, h := range entries(t, image) {
			names = append(names, h.Name)
		}
		if !slices.Contains(names, "missiond") || !slices.Contains(names, "usr/share/doc/missiond/missiond.cdx.json") {
			t.Errorf("linux/%s has the files %q", arch, names)
		}
	}
}

// realImage returns the folder dist of make image, or skips the test.
func realImage(t *testing.T) string {
	t.Helper()
	dist := os.Getenv("MISSIOND_TEST_IMAGE")
	if dist == "" {
		t.Skip("make test-image builds the image, and tests it")
	}
	return dist
}

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	// user is who the program runs as: nobody that a machine knows.
	user = 65532
	// data is the folder of a process that keeps something: a development run's data, or
	// the key of a process without --secret-keys.
	data = "/var/lib/missiond"
	// most is how large an image may be, compressed.
	most = 45_000_000
)

// labels returns what the image says of itself.
func labels(s stamp) map[string]string {
	const prefix = "org.opencontainers.image."
	return map[string]string{
		prefix + "title":       "missiond",
		prefix + "description": "The content mission service",
		prefix + "version":     s.Version,
		prefix + "revision":    s.Commit,
		prefix + "created":     s.Time.UTC().Format(time.RFC3339),
	}
}

// config returns how the image is run.
func config(s stamp) v1.Config {
	return v1.Config{
		User:         fmt.Sprintf("%d:%d", user, user),
		WorkingDir:   data,
		Env:          []string{"MISSIOND_ADDR=0.0.0.0:8080", "MISSIOND_DATA_DIR=" + data},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}, "9090/tcp": {}},
		Labels:       labels(s),
		StopSignal:   "SIGTERM",
		Entrypoint:   []string{"/missiond"},
		Cmd:          []string{"--help"},
		// OCI has no health check; Docker reads this one, Podman and Kubernetes don't.
		Healthcheck: &v1.HealthConfig{
			Test:     []string{"CMD", "/missiond", "healthcheck"},
			Interval: 10 * time.Second, Timeout: 5 * time.Second, StartPeriod: 30 * time.Second, Retries: 3,
		},
	}
}

// newImage returns the image of a folder's program for an architecture. Errors: a program
// that isn't static, or is another architecture's; an image that is too large.
func newImage(folder, arch string, s stamp) (v1.Image, error) {
	if err := checkStatic(filepath.Join(folder, "missiond"), arch); err != nil {
		return nil, err
	}
	files, err := archive(folder, s.Time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil },
		tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	size, err := layer.Size()
	if err != nil {
		return nil, err
	}
	if size > most {
		return nil, fmt.Errorf("the image has %d bytes, more than %d", size, most)
	}
	at := v1.Time{Time: s.Time.UTC()}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{Created: at, CreatedBy: "make image"}})
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created, file.Config = "linux", arch, at, config(s)
	return mutate.ConfigFile(image, file)
}

// archive returns the image's files: the program, the list of its parts, and the data
// folder.
func archive(folder string, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	add := func(h tar.Header, content []byte) error {
		h.ModTime, h.Size, h.Format = at.UTC().Truncate(time.Second), int64(len(content)), tar.FormatUSTAR
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, err := w.Write(content)
		return err
	}
	for _, f := range []struct {
		tar.Header
		from string
	}{
		{tar.Header{Typeflag: tar.TypeReg, Name: "missiond", Mode: 0o755}, "missiond"},
		{tar.Header{Typeflag: tar.TypeDir, Name: "usr/", Mode: 0o755}, ""},
		{tar.Header{Typeflag: tar.TypeDir, Name: "usr/share/", Mode: 0o755}, ""},
		{tar.Header{Typeflag: tar.TypeDir, Name: "usr/share/doc/", Mode: 0o755}, ""},
		{tar.Header{Typeflag: tar.TypeDir, Name: "usr/share/doc/missiond/", Mode: 0o755}, ""},
		{tar.Header{Typeflag: tar.TypeReg, Name: "usr/share/doc/missiond/missiond.cdx.json", Mode: 0o644}, "missiond.cdx.json"},
		{tar.Header{Typeflag: tar.TypeDir, Name: "var/", Mode: 0o755}, ""},
		{tar.Header{Typeflag: tar.TypeDir, Name: "var/lib/", Mode: 0o755}, ""},
		{tar.Header{Typeflag: tar.TypeDir, Name: "var/lib/missiond/", Mode: 0o700, Uid: user, Gid: user}, ""},
	} {
		var content []byte
		if f.from != "" {
			var err error
			if content, err = os.ReadFile(filepath.Join(folder, f.from)); err != nil {
				return nil, err
			}
		}
		if err := add(f.Header, content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// machines are ELF's names of the architectures.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// checkStatic returns an error unless a program is static, and an architecture's: an
// image without a loader and a C library starts no other.
func checkStatic(path, arch string) (err error) {
	f, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if f.Machine != machines[arch] {
		return fmt.Errorf("%s is built for %s", path, f.Machine)
	}
	libraries, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || len(libraries) > 0 {
			return fmt.Errorf("%s isn't static: it needs a loader and %q", path, libraries)
		}
	}
	return nil
}

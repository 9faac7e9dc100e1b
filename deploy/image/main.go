// Image builds missiond's image, without a daemon, as an OCI layout: an index with an
// image for each platform, from the programs that deploy/release has built. It makes
// what deploy/Containerfile describes. What it writes depends only on the programs and
// the commit: two runs write the same digest.
//
//	go -C deploy/image run . -programs ../../dist/build -o ../../dist/image
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	programs := flag.String("programs", "dist/build", "the `folder` with what deploy/release -programs has built")
	out := flag.String("o", "dist/image", "the `folder` of the OCI layout, which is replaced")
	flag.Parse()
	if err := run(*programs, *out); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(programs, out string) error {
	s, err := readStamp(programs)
	if err != nil {
		return err
	}
	index, err := newIndex(programs, s)
	if err != nil {
		return err
	}
	if err := write(index, out, s.Version); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	fmt.Printf("%s:%s\n%s\n", out, s.Version, digest)
	return nil
}

// stamp is what deploy/release says of the programs' source.
type stamp struct {
	Version, Commit string
	Time            time.Time
}

func readStamp(programs string) (s stamp, err error) {
	text, err := os.ReadFile(filepath.Join(programs, "stamp.json"))
	if err != nil {
		return s, fmt.Errorf("%w (build the programs first: go run ./deploy/release -programs)", err)
	}
	return s, json.Unmarshal(text, &s)
}

// newIndex returns the index of the images of all platforms.
func newIndex(programs string, s stamp) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range []string{"amd64", "arm64"} {
		image, err := newImage(filepath.Join(programs, "linux_"+arch), arch, s)
		if err != nil {
			return nil, fmt.Errorf("linux/%s: %w", arch, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}},
		})
	}
	annotated, ok := mutate.Annotations(index, labels(s)).(v1.ImageIndex)
	if !ok {
		return nil, errors.New("bug: an annotated index is no index")
	}
	return annotated, nil
}

// write writes the index to a layout, which it creates or replaces, under the name of
// the version.
func write(index v1.ImageIndex, folder, version string) error {
	if _, err := layout.FromPath(folder); err == nil {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s has other files than an OCI layout's", folder)
	}
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	return path.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": version}))
}

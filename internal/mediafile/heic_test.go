//go:build nodynamic

package mediafile_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/testkit"
	"missiond/mission"
)

// heic returns a HEIC of a size in pixels, made of a JPEG by libheif's own encoder.
func heic(t *testing.T, source []byte) []byte {
	t.Helper()
	encoder, err := exec.LookPath("heif-enc")
	if err != nil {
		testkit.Missing(t, "HEIC", "PATH", err)
	}
	folder := t.TempDir()
	from, to := filepath.Join(folder, "a.jpg"), filepath.Join(folder, "a.heic")
	if err := os.WriteFile(from, source, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), encoder, "-q", "60", "-o", to, from).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestHEIC(t *testing.T) {
	source := mediatest.WithSegments(mediatest.JPEG(320, 160), mediatest.XMPSegment(mediatest.XMP("digitalCapture", "A", "B")))
	res, made := processed(t, heic(t, source), plain)
	if res.ContentType != mission.TypeHEIC || res.Kind != mission.MediaImage || res.Width != 320 || res.Height != 160 {
		t.Errorf("got %+v", res.Facts)
	}
	if want := (mission.Provenance{AI: mission.AINone, SourceType: "digitalCapture", Credit: "A", Copyright: "B"}); res.Provenance != want {
		t.Errorf("provenance %+v", res.Provenance)
	}
	img := decoded(t, made["plain"].Bytes())
	if !isNear(img.At(2, 2), 254, 3, 128) || !isNear(img.At(317, 157), 2, 252, 128) {
		t.Errorf("got %v and %v", img.At(2, 2), img.At(317, 157))
	}
}

// Its turn is applied once: by the decoder.
func TestHEICIsTurned(t *testing.T) {
	data := heic(t, mediatest.JPEG(320, 160))
	i := bytes.Index(data, []byte("pixi")) // a property of the picture that isn't needed
	if i < 0 {
		t.Skip("NOT TESTED: HEIC's turn, since this heif-enc writes no pixi")
	}
	copy(data[i:], "irot\x03") // by three quarters, against the clock
	res, made := processed(t, data, plain)
	img := decoded(t, made["plain"].Bytes())
	if res.Width != 160 || res.Height != 320 || img.Bounds().Dx() != 160 || !isNear(img.At(157, 2), 254, 3, 128) {
		t.Errorf("%d × %d, %v, its corner is %v", res.Width, res.Height, img.Bounds(), img.At(157, 2))
	}
}

// A file that ends early, or states a smaller size than it has, costs only itself.
func TestDamagedHEIC(t *testing.T) {
	data := heic(t, mediatest.JPEG(320, 160))
	i := bytes.Index(data, []byte("ispe"))
	lie := bytes.Clone(data)
	copy(lie[i+8:], "\x00\x00\x00\x10\x00\x00\x00\x10")
	for name, file := range map[string][]byte{"half": data[:len(data)/2], "a lie": lie} {
		if _, _, err := process(t, file, plain); err != nil && refusal(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

//go:build nodynamic

package mediafile_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"missiond/internal/mediafile"
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

// The colors are those of libheif's heif-convert 1.15.1, which applies matrix and range; what primaries and transfer add is Chromium's
// 156, of an AVIF with the same codes. Left is at a quarter of the width, right at three quarters.
func TestHEICColors(t *testing.T) {
	testkit.SkipIfShort(t)
	const left, right = "200,100,50", "40,90,200"
	p3 := mediatest.MatrixProfile(mediatest.DisplayP3, mediatest.SRGBCurve())
	with := func(name string, properties ...[]byte) []byte {
		return mediatest.WithProperties(storedFile(t, "heic/"+name+".heic"), properties...)
	}
	brand := bytes.Clone(storedFile(t, "heic/80x40.heic"))
	copy(brand[8:], "mif1")
	all := []struct {
		name        string
		data        []byte
		left, right string
	}{
		{"1x1", storedFile(t, "heic/1x1.heic"), left, left},
		{"2x64", storedFile(t, "heic/2x64.heic"), "138,113,143", "102,77,107"},
		{"63x65", storedFile(t, "heic/63x65.heic"), left, right},
		{"64x64", storedFile(t, "heic/64x64.heic"), left, right},
		{"80x40", storedFile(t, "heic/80x40.heic"), left, right},
		{"126x10", storedFile(t, "heic/126x10.heic"), left, right},
		{"4:2:2", storedFile(t, "heic/80x40-422.heic"), left, right},
		{"10 bits", storedFile(t, "heic/80x40-10bit-420.heic"), left, right},
		{"10 bits, 4:2:2", storedFile(t, "heic/80x40-10bit-422.heic"), left, right},
		{"10 bits, 4:4:4", storedFile(t, "heic/80x40-10bit-444.heic"), left, right},
		{"12 bits", storedFile(t, "heic/80x40-12bit.heic"), left, right},
		{"grey", storedFile(t, "heic/grey.heic"), "60,60,60", "190,190,190"},
		{"grey with a profile", with("grey", mediatest.ProfileBox(mediatest.GreyProfile(mediatest.GammaCurve(1)))), "133,133,133", "224,224,224"},
		{"opacity", storedFile(t, "heic/opacity.heic"), "255,127,127", "0,0,254"},
		{"mif1", brand, left, right},
		{"P3 by a profile", with("64x64", mediatest.ProfileBox(p3)), "215,93,31", "9,91,207"},
		{"P3 by a profile, in tiles", with("80x40", mediatest.ProfileBox(p3)), "215,93,31", "9,91,207"},
		{"P3 by codes", with("64x64", mediatest.CodesBox(12, 13, 6, true)), "215,93,31", "9,92,206"},
		{"P3, no transfer", with("64x64", mediatest.CodesBox(12, 2, 6, true)), "215,93,31", "9,92,206"},
		{"a profile precedes codes", with("64x64", mediatest.CodesBox(9, 13, 6, true), mediatest.ProfileBox(p3)), "215,93,31", "9,91,207"},
		{"BT.2020 by codes", with("64x64", mediatest.CodesBox(9, 14, 6, true)), "241,76,29", "0,94,208"},
		{"BT.709, full", with("64x64", mediatest.CodesBox(1, 1, 1, true)), "209,107,46", "34,92,205"},
		{"BT.709, limited", with("64x64", mediatest.CodesBox(1, 1, 1, false)), "223,106,37", "23,89,218"},
		{"BT.709, limited, in tiles", with("80x40", mediatest.CodesBox(1, 1, 1, false)), "223,106,37", "23,89,218"},
		{"BT.601, limited", with("64x64", mediatest.CodesBox(1, 13, 6, false)), "213,99,41", "30,87,212"},
		{"BT.2020's matrix, limited", with("64x64", mediatest.CodesBox(1, 13, 9, false)), "217,99,36", "27,95,220"},
	}
	var files [][]byte
	for _, c := range all {
		files = append(files, c.data)
	}
	rows, err := mediafile.HEICColors(files)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		n := len(rows[i]) / 3
		for at, want := range map[int]string{n / 4: c.left, n - 1 - n/4: c.right} {
			if got := rows[i][3*at : 3*at+3]; !isColor(t, got, want, 3) {
				t.Errorf("%s: at %d: %v, want %s", c.name, at, got, want)
			}
		}
	}
}

// The child has all that it takes: opacity is decoded too, and the brand is any.
func TestHEICOpacityAndBrand(t *testing.T) {
	brand := bytes.Clone(storedFile(t, "heic/opacity.heic"))
	copy(brand[8:], "mif1")
	_, made := processed(t, brand, plain)
	if img := decoded(t, made["plain"].Bytes()); !isNear(img.At(20, 20), 255, 127, 127) || !isNear(img.At(60, 20), 0, 0, 254) {
		t.Errorf("got %v and %v", img.At(20, 20), img.At(60, 20))
	}
}

// A decoder needs the memory of one item for any number of them, whenever the collector runs: else a child, which has room for one,
// would refuse a picture with opacity by chance.
func TestHEICMemoryIsUsedAgain(t *testing.T) {
	file := storedFile(t, "heic/opacity.heic")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := mediafile.HEICColors([][]byte{bytes.Clone(file), bytes.Clone(file), bytes.Clone(file)}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	const most = 1 << 30
	if more := after.TotalAlloc - before.TotalAlloc; more > most {
		t.Errorf("%d MiB were allocated", more>>20)
	}
}

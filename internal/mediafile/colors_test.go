package mediafile_test

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/testkit"
)

// writePictures is where TestColors writes its pictures, so that browsers and littleCMS can be asked for their colors again.
var writePictures = flag.String("write-pictures", "", "a folder for the pictures of TestColors")

//go:embed testdata
var stored embed.FS

// storedFile returns a file of testdata.
func storedFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := stored.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// picture is a picture of patches of 16 × 16 pixels, and the colors that it shows.
type picture struct {
	name string // ends in the extension
	data []byte
	// want are red, green and blue of each patch.
	want string
}

// The colors are those that Chromium 156 shows (drawImage on a white canvas of sRGB, getImageData in the middle of each patch). For
// curves they are also those of littleCMS 2.14, by one at most. For tables they are littleCMS's own (-t1: Chromium differs by up to 3, by
// what it makes of a table to XYZ, whose white it takes for half, and of black ink, which it spreads over the others).
//
//	transicc -n -iPROFILE -o*sRGB -t0 -c0
func TestColors(t *testing.T) {
	if *writePictures != "" {
		for _, p := range append(allPictures(t), sampledPictures()...) {
			if err := os.WriteFile(filepath.Join(*writePictures, p.name), p.data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, p := range allPictures(t) {
		t.Run(p.name, func(t *testing.T) {
			if i%3 != 0 {
				testkit.Full(t)
			}
			_, made := processed(t, p.data, plain)
			if bytes.Equal(made["plain"].Bytes(), p.data) {
				t.Fatal("it passed as it is")
			}
			compare(t, decoded(t, made["plain"].Bytes()), p.want, 3)
		})
	}
}

// A JPEG has the colors of its components, whatever their samplings, scans and restarts.
func TestSampledJPEGs(t *testing.T) {
	for _, p := range sampledPictures() {
		t.Run(p.name, func(t *testing.T) {
			made, err := mediafile.MadeOfJPEG(p.data, plain)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, decoded(t, made[0]), p.want, 3)
		})
	}
}

// The decoder of what Go's refuses has the pixels that Go's has of other JPEGs.
func TestDecodersAgree(t *testing.T) {
	for name, file := range otherJPEGs(t) {
		want := decoded(t, file)
		got, err := mediafile.DecodeCoded(file)
		if err != nil || got.Bounds() != want.Bounds() {
			t.Fatalf("%s: got %v", name, err)
		}
		for i, size := 0, want.Bounds(); i < size.Dx()*size.Dy(); i++ {
			x, y := i%size.Dx(), i/size.Dx()
			g, _ := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA)
			w, _ := color.NRGBAModel.Convert(want.At(x, y)).(color.NRGBA)
			if !isColor(t, []uint8{g.R, g.G, g.B}, fmt.Sprintf("%d,%d,%d", w.R, w.G, w.B), 3) {
				t.Fatalf("%s: %d, %d is %v, want %v", name, x, y, g, w)
			}
		}
	}
}

// compare compares the middles of patches with the colors that are wanted, within a tolerance.
func compare(t *testing.T, img image.Image, want string, tolerance int) {
	t.Helper()
	for i, patch := range strings.Fields(want) {
		at := image.Pt(min(i*mediatest.PatchSide+mediatest.PatchSide/2, img.Bounds().Dx()-1), img.Bounds().Dy()/2)
		got, _ := color.NRGBAModel.Convert(img.At(at.X, at.Y)).(color.NRGBA)
		if !isColor(t, []uint8{got.R, got.G, got.B}, patch, tolerance) {
			t.Errorf("patch %d is %d, %d, %d, want %s", i, got.R, got.G, got.B, patch)
		}
	}
}

// isColor reports whether red, green and blue are those that are wanted, within a tolerance.
func isColor(t *testing.T, got []uint8, want string, tolerance int) bool {
	t.Helper()
	var w [3]int
	if _, err := fmt.Sscanf(want, "%d,%d,%d", &w[0], &w[1], &w[2]); err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if max(int(v)-w[i], w[i]-int(v)) > tolerance {
			return false
		}
	}
	return true
}

// The values of the patches.
var (
	rgbPatches  = [][]uint8{{255, 0, 0}, {0, 255, 0}, {40, 90, 200}, {200, 100, 50}, {128, 128, 128}, {64, 64, 64}, {16, 16, 16}, {255, 255, 255}}
	greyPatches = [][]uint8{{0}, {16}, {64}, {128}, {200}, {255}}
	// Inks are stored inverted.
	inkPatches = [][]uint8{{0, 255, 255, 255}, {255, 0, 255, 255}, {255, 255, 0, 255}, {255, 0, 0, 255}, {255, 255, 255, 0}, {255, 255, 255, 255}, {155, 105, 205, 230}, {128, 128, 128, 128}}
	// Luma, chroma, and black: the inks are those of patches above.
	luminousInkPatches = [][]uint8{{179, 171, 0, 255}, {150, 44, 21, 255}, {255, 128, 128, 0}, {255, 128, 128, 255}}
)

// ofFactor returns values of 8 bits as of 16, whole or with the same digits again.
func ofFactor(patches [][]uint8, factor uint16) (all [][]uint16) {
	for _, p := range patches {
		var values []uint16
		for _, v := range p {
			values = append(values, uint16(v)*factor)
		}
		all = append(all, values)
	}
	return all
}

// srgbLight is the curve of sRGB.
func srgbLight(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// rec709 is the curve of ITU-R BT.709.
func rec709(v float64) float64 {
	if v < 0.081 {
		return v / 4.5
	}
	return math.Pow((v+0.099)/1.099, 1/0.45)
}

func allPictures(t *testing.T) []picture {
	t.Helper()
	return slices.Concat(jpegPictures(), pngPictures(), wrongPNGs(), otherPictures(t))
}

func jpegPictures() []picture {
	const none, inks, luminous = -1, 0, 2
	jpeg := func(transform int, patches [][]uint8, profile []byte) []byte {
		file := mediatest.PatchJPEG(transform, patches...)
		if profile == nil {
			return file
		}
		return mediatest.WithSegments(file, mediatest.ICCSegment(profile))
	}
	seen := mediatest.ProPhoto.Seen(1.8)
	return []picture{
		{"rgb.jpg", jpeg(inks, append(rgbPatches, []uint8{1, 2, 3}), mediatest.MatrixProfile(mediatest.DisplayP3, mediatest.SRGBCurve())), "255,0,0 0,255,0 10,91,207 215,93,31 128,128,128 64,64,64 16,16,16 255,255,255 1,2,3"},
		{"prophoto.jpg", jpeg(inks, rgbPatches, mediatest.MatrixProfile(mediatest.ProPhoto, mediatest.GammaCurve(1.8))), "255,0,0 0,255,0 0,117,221 255,80,47 146,146,146 81,81,81 20,20,20 255,255,255"},
		{"adobe.jpg", jpeg(inks, rgbPatches, mediatest.MatrixProfile(mediatest.AdobeRGB, mediatest.GammaCurve(563.0/256))), "255,0,0 0,255,0 0,90,204 227,100,42 129,129,129 62,62,62 7,7,7 255,255,255"},
		{"rec709.jpg", jpeg(inks, rgbPatches, mediatest.MatrixProfile(mediatest.SRGB, mediatest.PointsCurve(1024, rec709))), "255,0,0 0,255,0 56,104,206 206,114,66 140,140,140 79,79,79 31,31,31 255,255,255"},
		{"linear.jpg", jpeg(inks, rgbPatches, mediatest.MatrixProfile(mediatest.SRGB, mediatest.GammaCurve(1))), "255,0,0 0,255,0 110,160,229 229,168,122 188,188,188 137,137,137 71,71,71 255,255,255"},
		{"ycc.jpg", jpeg(none, [][]uint8{{76, 85, 255}, {150, 44, 21}, {90, 190, 92}, {128, 128, 128}}, mediatest.MatrixProfile(mediatest.ProPhoto, mediatest.GammaCurve(1.8))), "255,0,0 0,255,0 0,122,221 146,146,146"},
		{"table-mft2.jpg", jpeg(inks, rgbPatches, mediatest.TableProfile("mft2", "RGB ", "Lab ", 9, seen)), "255,0,0 0,255,0 0,117,221 255,80,44 146,146,146 81,81,81 25,25,25 255,255,255"},
		{"table-mft1.jpg", jpeg(inks, rgbPatches, mediatest.TableProfile("mft1", "RGB ", "Lab ", 9, seen)), "255,0,0 0,255,0 0,117,221 255,80,45 146,146,146 81,81,81 25,25,25 255,255,255"},
		{"table-mab.jpg", jpeg(inks, rgbPatches, mediatest.TableProfile("mAB ", "RGB ", "Lab ", 9, seen)), "255,0,0 0,255,0 0,117,221 255,80,44 146,146,146 81,81,81 25,25,25 255,255,255"},
		{"table-xyz.jpg", jpeg(inks, rgbPatches, mediatest.TableProfile("mft2", "RGB ", "XYZ ", 9, mediatest.SRGB.Seen(1))), "255,0,0 0,255,0 110,160,229 229,168,122 188,188,188 137,137,137 71,71,71 255,255,255"},
		{"grey.jpg", jpeg(none, greyPatches, mediatest.GreyProfile(mediatest.GammaCurve(1.8))), "0,0,0 20,20,20 81,81,81 146,146,146 210,210,210 255,255,255"},
		{"grey-dots.jpg", jpeg(none, greyPatches, mediatest.GreyProfile(mediatest.PointsCurve(64, func(v float64) float64 { return v * v * v }))), "0,0,0 1,1,1 34,34,34 100,100,100 185,185,185 255,255,255"},
		{"grey-rgb.jpg", jpeg(none, greyPatches, mediatest.MatrixProfile(mediatest.ProPhoto, mediatest.GammaCurve(1.8))), "0,0,0 20,20,20 81,81,81 146,146,146 210,210,210 255,255,255"},
		{"cmyk.jpg", jpeg(inks, inkPatches, nil), "0,255,255 255,0,255 255,255,0 255,0,0 0,0,0 255,255,255 139,94,184 64,64,64"},
		{"cmyk-unmarked.jpg", jpeg(none, inkPatches, nil), "0,255,255 255,0,255 255,255,0 255,0,0 0,0,0 255,255,255 139,94,184 64,64,64"},
		{"cmyk-unmarked-mft2.jpg", jpeg(none, inkPatches, mediatest.TableProfile("mft2", "CMYK", "Lab ", 5, mediatest.Printed)), "0,141,208 207,25,124 233,226,0 184,41,20 37,37,37 247,247,247 168,135,152 119,106,99"},
		{"ycck.jpg", jpeg(luminous, luminousInkPatches, nil), "255,0,0 255,0,254 0,0,0 0,0,0"},
		{"cmyk-mft2.jpg", jpeg(inks, inkPatches, mediatest.TableProfile("mft2", "CMYK", "Lab ", 5, mediatest.Printed)), "0,141,208 207,25,124 233,226,0 184,41,20 37,37,37 247,247,247 168,135,152 119,106,99"},
		{"cmyk-mft1.jpg", jpeg(inks, inkPatches, mediatest.TableProfile("mft1", "CMYK", "Lab ", 5, mediatest.Printed)), "0,142,209 207,26,124 233,226,0 183,41,20 37,37,37 247,247,247 168,135,152 120,106,99"},
		{"cmyk-mab.jpg", jpeg(inks, inkPatches, mediatest.TableProfile("mAB ", "CMYK", "Lab ", 5, mediatest.Printed)), "0,141,208 207,25,124 233,226,0 184,41,20 37,37,37 247,247,247 168,135,152 119,106,99"},
		{"ycck-mft2.jpg", jpeg(luminous, luminousInkPatches, mediatest.TableProfile("mft2", "CMYK", "Lab ", 5, mediatest.Printed)), "184,41,20 207,25,124 4,1,1 70,36,23"},
	}
}

// sampledPictures are JPEGs whose components are sampled in all ways, with restarts and bit by bit too. Chromium doesn't show those of
// which one has 3/2 or 4/3 of another's samples; these have the same colors as others.
func sampledPictures() (all []picture) {
	const none, inks, luminous = -1, 0, 2
	ycc := [][]uint8{{76, 85, 255}, {150, 44, 21}, {90, 190, 92}, {128, 128, 128}}
	add := func(s mediatest.Sampled, patches [][]uint8, want string) {
		var wide []string // a patch has several places
		for _, color := range strings.Fields(want) {
			wide = append(wide, slices.Repeat([]string{color}, mediatest.SampledSide/mediatest.PatchSide)...)
		}
		for form, of := range map[string]mediatest.Sampled{"": {}, "-restarts": {Restart: 3}, "-alone": {Alone: true, Restart: 5}, "-progressive": {Progressive: true}, "-progressive-restarts": {Progressive: true, Restart: 7}} {
			of.Factors, of.Names, of.Transform = s.Factors, s.Names, s.Transform
			file := mediatest.WithSegments(of.JPEG(patches...), mediatest.Segment(0xfe, []byte("made anew")))
			all = append(all, picture{fmt.Sprintf("sampled-%x%s%d%s.jpg", of.Factors, of.Names, of.Transform, form), file, strings.Join(wide, " ")})
		}
	}
	for _, factors := range []string{
		"\x11\x11\x11", "\x22\x11\x11", "\x22\x11\x12", "\x22\x21\x12", "\x11\x22\x22", "\x11\x21\x11", "\x21\x12\x11", "\x12\x21\x21", "\x41\x11\x11", "\x42\x11\x11",
		"\x41\x21\x11", "\x14\x11\x11", "\x24\x11\x11", "\x31\x11\x11", "\x32\x11\x11", "\x13\x13\x11", "\x22\x22\x11", "\x31\x21\x11", "\x21\x31\x11", "\x11\x12\x13", "\x41\x31\x11",
	} {
		add(mediatest.Sampled{Factors: []byte(factors), Transform: none}, ycc, "254,0,0 0,255,1 40,94,200 128,128,128")
	}
	add(mediatest.Sampled{Factors: []byte("\x21\x11\x12"), Transform: inks}, rgbPatches, "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255")
	add(mediatest.Sampled{Factors: []byte("\x12\x11\x22"), Names: "RGB", Transform: none}, rgbPatches, "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255")
	add(mediatest.Sampled{Factors: []byte("\x33"), Transform: none}, greyPatches, "0,0,0 16,16,16 64,64,64 128,128,128 200,200,200 255,255,255")
	add(mediatest.Sampled{Factors: []byte("\x21\x11\x12\x22"), Transform: inks}, inkPatches, "0,255,255 255,0,255 255,255,0 255,0,0 0,0,0 255,255,255 139,94,184 64,64,64")
	add(mediatest.Sampled{Factors: []byte("\x11\x21\x12\x11"), Transform: none}, inkPatches, "0,255,255 255,0,255 255,255,0 255,0,0 0,0,0 255,255,255 139,94,184 64,64,64")
	add(mediatest.Sampled{Factors: []byte("\x21\x11\x11\x21"), Transform: luminous}, luminousInkPatches, "255,0,0 255,0,254 0,0,0 0,0,0")
	return all
}

// wrongPNGs are PNGs of which something is wrong that nobody needs to see the picture.
func wrongPNGs() []picture {
	const seen, sum = "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255", 4
	rgb := func(chunks ...[]byte) []byte { return mediatest.PatchPNG(8, ofFactor(rgbPatches, 1), chunks...) }
	wrong := func(chunk []byte) []byte {
		chunk[len(chunk)-1] ^= 1
		return chunk
	}
	good := rgb()
	at, end := bytes.Index(good, []byte("IDAT"))-sum, len(good)-12
	data := good[at+8 : end-sum]
	of := func(chunks ...[]byte) []byte { return slices.Concat(good[:at], slices.Concat(chunks...), good[end:]) }
	const head, rows = 16, 7 // of the signature and of the header's chunk; where the header says how many rows there are
	header := bytes.Clone(good[head : head+13])
	header[rows]--
	profile := mediatest.ICCChunk(mediatest.MatrixProfile(mediatest.ProPhoto, mediatest.GammaCurve(1.8)))
	return []picture{
		{"sum-gama.png", rgb(wrong(mediatest.NumberChunk("gAMA", 100_000))), seen},
		{"sum-iccp.png", rgb(wrong(profile)), seen},
		{"sum-cicp.png", rgb(wrong(mediatest.PNGChunk("cICP", []byte{12, 13, 0, 1}))), seen},
		{"sum-text.png", rgb(wrong(mediatest.PNGChunk("tEXt", []byte("Title\x00A")))), seen},
		{"sum-exif.png", rgb(wrong(mediatest.PNGChunk("eXIf", mediatest.EXIF(1, false)))), seen},
		{"sum-trns.png", rgb(wrong(mediatest.PNGChunk("tRNS", []byte{0, 40, 0, 90, 0, 200}))), seen},
		{"short-trns.png", rgb(mediatest.PNGChunk("tRNS", []byte{0, 40})), seen},
		{"sum-data.png", of(wrong(mediatest.PNGChunk("IDAT", data))), seen},
		{"sum-end.png", wrong(rgb()), seen},
		{"more-rows.png", slices.Concat(good[:8], mediatest.PNGChunk("IHDR", header), good[33:]), seen},
		{"after-data.png", of(mediatest.PNGChunk("IDAT", append(bytes.Clone(data), "more"...))), seen},
		{"more-data.png", of(mediatest.PNGChunk("IDAT", data), mediatest.PNGChunk("IDAT", []byte("more"))), seen},
		{"empty-data.png", of(mediatest.PNGChunk("IDAT", nil), mediatest.PNGChunk("IDAT", data), mediatest.PNGChunk("IDAT", nil)), seen},
		{"data-sum.png", of(mediatest.PNGChunk("IDAT", append(bytes.Clone(data[:len(data)-1]), data[len(data)-1]^1))), seen},
		{"no-end.png", good[:end], seen},
		{"half-end.png", good[:end+8], seen},
		{"long-text.png", append(bytes.Clone(good[:end]), "\x00\x00\xff\xfftEXtTitle"...), seen},
	}
}

func pngPictures() []picture {
	number := mediatest.NumberChunk
	profile := mediatest.ICCChunk(mediatest.MatrixProfile(mediatest.ProPhoto, mediatest.GammaCurve(1.8)))
	codes := func(primaries, transfer, matrix, full byte) []byte {
		return mediatest.PNGChunk("cICP", []byte{primaries, transfer, matrix, full})
	}
	rgb := func(chunks ...[]byte) []byte { return mediatest.PatchPNG(8, ofFactor(rgbPatches, 1), chunks...) }
	grey := func(chunks ...[]byte) []byte { return mediatest.PatchPNG(8, ofFactor(greyPatches, 1), chunks...) }
	srgb, p3 := number("cHRM", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000), number("cHRM", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
	marked := mediatest.PNGChunk("sRGB", []byte{0})
	red := [][]uint16{{255, 0, 0, 128}, {128, 128, 128, 128}, {0, 0, 0, 0}}
	return []picture{
		{"plain.png", rgb(), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"plain16.png", mediatest.PatchPNG(16, ofFactor(rgbPatches, 257)), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"gama-1.png", rgb(number("gAMA", 100_000)), "255,0,0 0,255,0 110,160,229 229,168,122 188,188,188 137,137,137 71,71,71 255,255,255"},
		{"gama-srgb.png", rgb(number("gAMA", 45_455)), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"gama-chrm.png", rgb(number("gAMA", 45_455), srgb), "255,0,0 0,255,0 35,90,201 201,100,46 129,129,129 62,62,62 7,7,7 255,255,255"},
		{"gama-18.png", rgb(number("gAMA", 55_556)), "255,0,0 0,255,0 53,109,210 210,119,65 146,146,146 81,81,81 20,20,20 255,255,255"},
		{"gama-47.png", rgb(number("gAMA", 47_000)), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"gama-0.png", rgb(number("gAMA", 0)), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"gama-chrm-p3.png", rgb(number("gAMA", 45_455), p3), "255,0,0 0,255,0 0,91,209 216,93,24 129,129,129 62,62,62 7,7,7 255,255,255"},
		{"chrm.png", rgb(p3), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"srgb-gama.png", rgb(marked, number("gAMA", 100_000), p3), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"iccp.png", rgb(profile), "255,0,0 0,255,0 0,117,221 255,80,47 146,146,146 81,81,81 20,20,20 255,255,255"},
		{"iccp-srgb-gama.png", rgb(profile, marked, number("gAMA", 100_000)), "255,0,0 0,255,0 0,117,221 255,80,47 146,146,146 81,81,81 20,20,20 255,255,255"},
		{"cicp-p3.png", rgb(codes(12, 13, 0, 1)), "255,0,0 0,255,0 10,91,207 215,93,31 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"cicp-iccp.png", rgb(codes(12, 13, 0, 1), profile), "255,0,0 0,255,0 10,91,207 215,93,31 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"cicp-srgb-iccp.png", rgb(codes(1, 13, 0, 1), profile), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"cicp-bt2020.png", rgb(codes(9, 14, 0, 1)), "255,0,0 0,255,0 0,83,206 239,63,5 121,121,121 53,54,54 4,4,4 255,255,255"},
		{"cicp-bt709.png", rgb(codes(1, 1, 0, 1)), "255,0,0 0,255,0 28,81,197 197,91,39 121,121,121 54,54,54 4,4,4 255,255,255"},
		{"cicp-linear.png", rgb(codes(1, 8, 0, 1)), "255,0,0 0,255,0 110,160,229 229,168,122 188,188,188 137,137,137 71,71,71 255,255,255"},
		{"cicp-240.png", rgb(codes(7, 7, 0, 1)), "248,36,0 63,251,0 65,108,207 202,117,67 141,141,141 81,81,81 34,34,34 255,255,255"},
		{"cicp-470.png", rgb(codes(4, 4, 0, 1)), "255,0,0 0,250,0 0,104,207 233,93,22 129,129,129 62,62,62 7,7,7 255,255,255"},
		{"cicp-470bg.png", rgb(codes(5, 5, 0, 1)), "255,0,0 0,255,28 11,66,188 192,76,27 106,106,106 40,40,40 1,1,1 255,255,255"},
		{"cicp-film.png", rgb(codes(8, 13, 0, 1)), "255,0,0 0,255,0 0,88,206 222,92,32 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"cicp-xyz.png", rgb(codes(10, 17, 0, 1)), "255,0,75 0,255,0 0,110,211 255,0,52 118,118,118 48,48,48 3,3,3 255,255,255"},
		{"cicp-dci.png", rgb(codes(11, 17, 0, 1)), "255,0,0 0,255,0 0,77,208 212,78,0 118,118,118 48,48,48 3,3,3 255,255,255"},
		{"cicp-ebu.png", rgb(codes(22, 13, 0, 1)), "255,38,0 0,249,0 38,96,200 202,102,49 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"cicp-unstated-iccp.png", rgb(codes(2, 2, 0, 1), profile), "255,0,0 0,255,0 0,117,221 255,80,47 146,146,146 81,81,81 20,20,20 255,255,255"},
		{"cicp-limited.png", rgb(codes(12, 13, 0, 0)), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"cicp-short.png", rgb(mediatest.PNGChunk("cICP", []byte{12, 13, 0})), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"grey-gama.png", grey(number("gAMA", 100_000)), "0,0,0 71,71,71 137,137,137 188,188,188 229,229,229 255,255,255"},
		{"grey-iccp.png", grey(mediatest.ICCChunk(mediatest.GreyProfile(mediatest.GammaCurve(1)))), "0,0,0 71,71,71 137,137,137 188,188,188 229,229,229 255,255,255"},
		{"grey-rgb-iccp.png", grey(profile), "0,0,0 20,20,20 81,81,81 146,146,146 210,210,210 255,255,255"},
		{"rgb-grey-iccp.png", rgb(mediatest.ICCChunk(mediatest.GreyProfile(mediatest.GammaCurve(1)))), "255,0,0 0,255,0 40,90,200 200,100,50 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"grey-cicp.png", grey(codes(12, 8, 0, 1)), "0,0,0 71,71,71 137,137,137 188,188,188 229,229,229 255,255,255"},
		{"grey16-gama.png", mediatest.PatchPNG(16, [][]uint16{{0}, {600}, {2000}, {16448}, {65535}}, number("gAMA", 100_000)), "0,0,0 22,22,22 46,46,46 137,137,137 255,255,255"},
		{"rgb16-gama.png", mediatest.PatchPNG(16, [][]uint16{{600, 2000, 9000}, {65535, 300, 30000}}, number("gAMA", 100_000)), "22,46,104 255,13,180"},
		{"rgb16-table.png", mediatest.PatchPNG(16, ofFactor(rgbPatches, 257), mediatest.ICCChunk(mediatest.TableProfile("mft2", "RGB ", "Lab ", 9, mediatest.ProPhoto.Seen(1.8)))), "255,0,0 0,255,0 0,117,221 255,81,45 145,146,147 80,81,82 24,27,25 252,254,255"},
		{"rgba-gama.png", mediatest.PatchPNG(8, red, number("gAMA", 100_000)), "255,127,127 221,221,221 255,255,255"},
		{"rgba16-gama.png", mediatest.PatchPNG(16, [][]uint16{{65535, 0, 0, 32896}, {32896, 32896, 32896, 32896}, {0, 0, 0, 0}}, number("gAMA", 100_000)), "255,127,127 221,221,221 255,255,255"},
		{"greya-gama.png", mediatest.PatchPNG(8, [][]uint16{{64, 128}, {128, 128}, {0, 0}}, number("gAMA", 100_000)), "196,196,196 221,221,221 255,255,255"},
		{"trns.png", rgb(mediatest.PNGChunk("tRNS", []byte{0, 40, 0, 90, 0, 200}), codes(12, 13, 0, 1)), "255,0,0 0,255,0 255,255,255 215,93,31 128,128,128 64,64,64 16,16,16 255,255,255"},
		{"grey-trns.png", grey(mediatest.PNGChunk("tRNS", []byte{0, 64}), number("gAMA", 100_000)), "0,0,0 71,71,71 255,255,255 188,188,188 229,229,229 255,255,255"},
		{"palette-cicp.png", palettePNG(codes(12, 13, 0, 1)), "215,93,31 10,91,207 255,127,127"},
	}
}

// palettePNG returns a PNG with a palette, of which an entry is half opaque.
func palettePNG(chunk []byte) []byte {
	file := mediatest.PatchPNG(8, [][]uint16{{0}, {1}, {2}}, chunk, mediatest.PNGChunk("PLTE", []byte{200, 100, 50, 40, 90, 200, 255, 0, 0}), mediatest.PNGChunk("tRNS", []byte{255, 255, 128}))
	const header, kind = 8 + 4, 13
	changed := bytes.Clone(file[header : header+17])
	changed[kind] = 3
	return append(append(bytes.Clone(file[:8]), mediatest.PNGChunk("IHDR", changed[4:])...), file[8+25:]...)
}

func otherPictures(t *testing.T) []picture {
	t.Helper()
	p3 := mediatest.MatrixProfile(mediatest.DisplayP3, mediatest.SRGBCurve())
	lossy := storedFile(t, "webp/lossy.webp")
	const head, still = 12, "200,100,50 255,255,255 0,0,255"
	extended := mediatest.RIFF(mediatest.Chunk("VP8X", []byte{0x20, 0, 0, 0, 95, 0, 0, 15, 0, 0}), mediatest.Chunk("ICCP", p3), lossy[head:])
	palette := color.Palette{color.RGBA{R: 200, G: 100, B: 50, A: 255}, color.RGBA{}, color.RGBA{B: 255, A: 255}}
	img := image.NewPaletted(image.Rect(0, 0, 48, 16), palette)
	for i := range img.Pix {
		img.Pix[i] = uint8(i % 48 / 16)
	}
	var b bytes.Buffer
	if err := gif.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return []picture{
		{"lossy.webp", lossy, "255,255,255 0,0,0 255,1,0 0,0,255 201,100,50 128,128,128"},
		{"lossy-p3.webp", extended, "255,255,255 0,0,0 255,0,0 0,0,255 216,93,31 128,128,128"},
		{"opacity.webp", storedFile(t, "webp/opacity.webp"), "255,127,127 0,0,255 255,255,255 255,255,255"},
		{"plain.webp", mediatest.PlainWebP(16, 16), "200,120,40"},
		{"iccp.webp", mediatest.PlainWebP(16, 16, mediatest.Chunk("ICCP", mediatest.MatrixProfile(mediatest.ProPhoto, mediatest.GammaCurve(1.8)))), "255,114,0"},
		{"still.gif", b.Bytes(), still},
		{"no-end.gif", b.Bytes()[:b.Len()-1], still},
		{"half-end.gif", b.Bytes()[:b.Len()-2], still},
		{"other-end.gif", append(bytes.Clone(b.Bytes()[:b.Len()-1]), 0, 0, 0), still},
	}
}

// Package mediatest makes files for tests: pictures, GIFs and videos as devices and programs
// write them, and hostile ones. None of them is somebody's: all are made here.
package mediatest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"slices"
	"testing"

	"missiond/internal/mediafile"
)

// Main is a TestMain for packages whose tests use mediafile.Runner: their binary is its own
// child.
func Main(m *testing.M) {
	if !mediafile.IsChild() {
		os.Exit(m.Run())
	}
	if err := mediafile.Child(os.Stdin, os.Stdout); err != nil {
		_, _ = os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// Pixels returns a picture of a size in pixels, with something to see: its left half is redder
// than its right, its top darker than its bottom.
func Pixels(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, color.RGBA{R: uint8(255 - 255*x/width), G: uint8(255 * y / height), B: 128, A: 255})
		}
	}
	return img
}

// must returns what was made in memory, where nothing can fail.
func must(b *bytes.Buffer, err error) []byte {
	if err != nil {
		panic("bug: " + err.Error())
	}
	return b.Bytes()
}

// JPEG returns a JPEG of a size in pixels, with nothing in it but pixels.
func JPEG(width, height int) []byte {
	var b bytes.Buffer
	return must(&b, jpeg.Encode(&b, Pixels(width, height), &jpeg.Options{Quality: 85}))
}

// PNG returns a PNG of a size in pixels.
func PNG(width, height int) []byte {
	var b bytes.Buffer
	return must(&b, png.Encode(&b, Pixels(width, height)))
}

// TransparentPNG returns a PNG of a size in pixels whose left half is transparent.
func TransparentPNG(width, height int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := width / 2; x < width; x++ {
			img.SetNRGBA(x, y, color.NRGBA{R: 200, A: 255})
		}
	}
	var b bytes.Buffer
	return must(&b, png.Encode(&b, img))
}

// GIF returns a GIF of so many frames of 32 × 24 pixels, which plays for ever if they are
// several.
func GIF(frames int) []byte {
	colors := color.Palette{color.Black, color.White, color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}}
	g := &gif.GIF{Config: image.Config{ColorModel: colors, Width: 32, Height: 24}}
	for i := range frames {
		img := image.NewPaletted(image.Rect(0, 0, 32, 24), colors)
		for x := range 32 {
			img.SetColorIndex(x, i%24, 2)
		}
		g.Image, g.Delay = append(g.Image, img), append(g.Delay, 10)
	}
	var b bytes.Buffer
	return must(&b, gif.EncodeAll(&b, g))
}

// WebP returns a lossless WebP of 1 × 1 pixel, of one color.
func WebP() []byte { return RIFF(Chunk("VP8L", vp8l(1, 1))) }

// vp8l returns a lossless stream that states a size in pixels. No transform, no cache of
// colors, and five codes of one symbol each: green, red, blue, alpha and distance.
func vp8l(width, height int) []byte {
	var w bitWriter
	w.write(0x2f, 8)
	w.write(uint32(width-1), 14)
	w.write(uint32(height-1), 14)
	w.write(0, 1+3) // no alpha, version 0
	w.write(0, 1)   // no transform
	w.write(0, 1)   // no cache
	w.write(0, 1)   // one group of codes
	for _, symbol := range []uint32{120, 200, 40, 255} {
		w.write(1, 1) // a simple code
		w.write(0, 1) // of one symbol
		w.write(1, 1) // of 8 bits
		w.write(symbol, 8)
	}
	w.write(1, 1) // distance
	w.write(0, 1)
	w.write(0, 1)
	w.write(0, 1)
	return append(w.data, 0)
}

// bitWriter writes numbers of some bits, the lowest first.
type bitWriter struct {
	data []byte
	used int
}

func (w *bitWriter) write(v uint32, bits int) {
	for i := range bits {
		if w.used%8 == 0 {
			w.data = append(w.data, 0)
		}
		w.data[len(w.data)-1] |= byte(v>>i&1) << (w.used % 8)
		w.used++
	}
}

// RIFF returns a WebP of chunks.
func RIFF(chunks ...[]byte) []byte {
	all := slices.Concat(chunks...)
	return slices.Concat([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(all)+4)), []byte("WEBP"), all)
}

// Chunk returns a chunk of a WebP.
func Chunk(kind string, payload []byte) []byte {
	c := slices.Concat([]byte(kind), binary.LittleEndian.AppendUint32(nil, uint32(len(payload))), payload)
	return append(c, make([]byte, len(payload)%2)...)
}

// Segment returns a JPEG's segment of a marker.
func Segment(marker byte, payload []byte) []byte {
	return slices.Concat([]byte{0xff, marker}, binary.BigEndian.AppendUint16(nil, uint16(len(payload)+2)), payload)
}

// WithSegments returns a JPEG with segments after its start.
func WithSegments(file []byte, segments ...[]byte) []byte {
	return slices.Concat(file[:2], slices.Concat(segments...), file[2:])
}

// PNGChunk returns a PNG's chunk.
func PNGChunk(kind string, payload []byte) []byte {
	body := append([]byte(kind), payload...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), body, binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// WithChunks returns a PNG with chunks after its header.
func WithChunks(file []byte, chunks ...[]byte) []byte {
	const header = 8 + 25
	return slices.Concat(file[:header], slices.Concat(chunks...), file[header:])
}

// deflate returns data compressed by zlib.
func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	return must(&b, err)
}

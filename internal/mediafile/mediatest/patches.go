package mediatest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
)

// PatchSide is the side of a patch in pixels.
const PatchSide = 16

// PatchJPEG returns a JPEG of patches side by side, each of one color: its values, which are stored exactly and as they are. transform is
// that of Adobe's segment (0: red, green and blue, or inks, which are stored inverted; 1: luma and chroma; 2: luma, chroma and black);
// there is none where it is below 0.
func PatchJPEG(transform int, patches ...[]uint8) []byte {
	n, width := len(patches[0]), len(patches)*PatchSide
	file := []byte{0xff, 0xd8}
	if transform >= 0 {
		file = append(file, Segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(transform)))...)
	}
	file = append(file, patchTables()...)
	frame := []byte{8, 0, PatchSide, byte(width >> 8), byte(width), byte(n)}
	scan := []byte{byte(n)}
	for i := range n {
		frame = append(frame, byte(i+1), 0x11, 0)
		scan = append(scan, byte(i+1), 0)
	}
	file = append(file, Segment(0xc0, frame)...)
	file = append(file, Segment(0xda, append(scan, 0, 63, 0))...)
	w := &meanWriter{last: make([]int, n)}
	const block = 8
	for range PatchSide / block {
		for _, values := range patches {
			for range PatchSide / block {
				for i, v := range values {
					w.mean(i, (int(v)-128)*block)
					w.bits(0, 1)
				}
			}
		}
	}
	w.fill()
	return append(append(file, w.data...), 0xff, 0xd9)
}

// patchTables returns the tables of a JPEG of patches: factors of 1, twelve codes of 4 bits for the size of a block's mean, and one of 1
// bit, which says that it has nothing else.
func patchTables() []byte {
	file := Segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...))
	sizes := append([]byte{0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	return append(append(file, Segment(0xc4, sizes)...), Segment(0xc4, append([]byte{0x10, 1}, make([]byte, 16)...))...)
}

// meanWriter writes blocks of a JPEG that have a mean alone.
type meanWriter struct {
	data []byte
	rest uint32
	n    int
	last []int // of each component
}

func (w *meanWriter) mean(component, v int) {
	d := v - w.last[component]
	w.last[component] = v
	size, value := 0, d
	for m := max(d, -d); m > 0; m >>= 1 {
		size++
	}
	if d < 0 {
		value += 1<<size - 1
	}
	w.bits(uint32(size), 4)
	w.bits(uint32(value), size)
}

func (w *meanWriter) bits(v uint32, n int) {
	for i := n - 1; i >= 0; i-- {
		w.rest, w.n = w.rest<<1|v>>i&1, w.n+1
		if w.n == 8 {
			w.data = append(w.data, byte(w.rest))
			if byte(w.rest) == 0xff {
				w.data = append(w.data, 0)
			}
			w.rest, w.n = 0, 0
		}
	}
}

// PatchPNG returns a PNG of patches side by side, each of one color: its values, of a depth of 8 or 16 bits, whose number says what they
// are (1: grey, 2: with opacity, 3: red, green and blue, 4: with opacity), with chunks before its data.
func PatchPNG(depth byte, patches [][]uint16, chunks ...[]byte) []byte {
	line := []byte{0}
	for _, values := range patches {
		for range PatchSide {
			for _, v := range values {
				if depth == 16 {
					line = append(line, byte(v>>8))
				}
				line = append(line, byte(v))
			}
		}
	}
	kind := map[int]byte{1: 0, 2: 4, 3: 2, 4: 6}[len(patches[0])]
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(patches)*PatchSide)), PatchSide)
	file := append([]byte("\x89PNG\r\n\x1a\n"), PNGChunk("IHDR", append(header, depth, kind, 0, 0, 0))...)
	for _, c := range chunks {
		file = append(file, c...)
	}
	file = append(file, PNGChunk("IDAT", deflate(bytes.Repeat(line, PatchSide)))...)
	return append(file, PNGChunk("IEND", nil)...)
}

// ICCChunk returns a PNG's chunk with a color profile.
func ICCChunk(profile []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(profile)
	if err == nil {
		err = w.Close()
	}
	return PNGChunk("iCCP", append([]byte("a\x00\x00"), must(&b, err)...))
}

// NumberChunk returns a PNG's chunk of numbers of 32 bits.
func NumberChunk(kind string, all ...uint32) []byte { return PNGChunk(kind, numbers(all...)) }

// PlainWebP returns a lossless WebP of a size in pixels, of red 200, green 120 and blue 40, with chunks before its data.
func PlainWebP(width, height int, chunks ...[]byte) []byte {
	const profile = 0x20
	head := []byte{profile, 0, 0, 0, byte(width - 1), byte((width - 1) >> 8), 0, byte(height - 1), byte((height - 1) >> 8), 0}
	all := append([][]byte{Chunk("VP8X", head)}, chunks...)
	return RIFF(append(all, Chunk("VP8L", vp8l(width, height)))...)
}

package mediafile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// pngColors is what the chunks of a PNG say of its colors (PNG 3, W3C 2025, 11.3.2).
type pngColors struct {
	codes          []byte // cICP: primaries, transfer, matrix, full range
	profile        []byte // iCCP
	srgb           bool   // sRGB
	gamma          uint32 // gAMA, in 1/100,000; 0 if there is none
	chromaticities []byte // cHRM, in 1/100,000: white, red, green, blue
}

// pngScan walks through the chunks of a PNG.
type pngScan struct {
	scan

	colors pngColors
	// frames are those of an animation.
	frames uint32
}

// scanPNG reads a PNG's chunks up to its end, which may be missing once there is data.
func scanPNG(file []byte) (scan, error) {
	s := pngScan{scan: scan{plain: true, channels: 3}}
	rest := file[len(pngSignature):]
	for first := true; ; first = false {
		const head, sum, header = 8, 4, 13
		if len(rest) < head {
			return s.scan, s.end()
		}
		n, kind := uint64(binary.BigEndian.Uint32(rest)), string(rest[4:head])
		n = min(n, uint64(len(rest)-head))
		payload := rest[head : head+n]
		after := rest[head+n:]
		right := len(after) >= sum && binary.BigEndian.Uint32(after) == crc32.ChecksumIEEE(rest[4:head+n])
		chunk := rest[:head+n+uint64(min(sum, len(after)))]
		rest = rest[len(chunk):]
		var err error
		switch {
		case first != (kind == "IHDR") || first && n < header:
			err = damaged("its header isn't where it should be")
		case kind == "IEND":
			return s.scan, s.end()
		case kind == "IDAT": // whatever its sum is, as for browsers
			s.png.data = append(s.png.data, payload)
		case !right && kind[0]&0x20 == 0:
			err = damaged("the checksum of its part %q is wrong", kind)
		case first:
			s.header(payload, chunk)
		default:
			err = s.chunk(kind, payload, chunk, right)
		}
		if err != nil {
			return s.scan, err
		}
	}
}

// header reads the first chunk.
func (s *pngScan) header(payload, whole []byte) {
	const colorType, grey, greyOpacity = 9, 0, 4
	s.width, s.height = int(binary.BigEndian.Uint32(payload)), int(binary.BigEndian.Uint32(payload[4:]))
	if payload[colorType] == grey || payload[colorType] == greyOpacity {
		s.channels = 1
	}
	s.png.head = append(s.png.head, whole)
}

// end finishes what was read.
func (s *pngScan) end() error {
	if len(s.png.data) == 0 {
		return damaged("its end is missing")
	}
	return s.color()
}

// chunk reads a chunk between the first and the last; right reports whether its checksum is.
func (s *pngScan) chunk(kind string, payload, whole []byte, right bool) error {
	const control = 8
	before := len(s.png.data) == 0
	switch kind {
	case "acTL": // an animation's, which is one if it precedes the data
		if len(payload) == control && before {
			s.frames = binary.BigEndian.Uint32(payload)
		}
	case "fdAT": // of one frame too, whose data may be another picture's
		if s.frames > 0 {
			s.frames = max(s.frames, 2)
		}
	case "PLTE", "tRNS":
		if before && right && (kind == "PLTE" || s.png.clear(payload)) {
			s.png.head = append(s.png.head, whole)
		}
	default:
		if right {
			s.colors.chunk(kind, payload)
		}
		s.meta.pngChunk(kind, payload)
	}
	if s.frames > 1 {
		return refuse(CodeUnknownType, "A PNG that moves can't be used: a GIF or a video can.")
	}
	return nil
}

// chunk reads a chunk that is about colors.
func (c *pngColors) chunk(kind string, payload []byte) {
	const gamma, chromaticities = 4, 32
	switch kind {
	case "cICP":
		c.codes = payload
	case "iCCP": // name, method, profile
		if _, compressed, ok := bytes.Cut(payload, []byte{0}); ok && len(compressed) > 1 {
			c.profile = inflate(compressed[1:], maxProfile+1)
		}
	case "sRGB":
		c.srgb = true
	case "gAMA":
		if len(payload) == gamma {
			c.gamma = binary.BigEndian.Uint32(payload)
		}
	case "cHRM":
		if len(payload) == chromaticities {
			c.chromaticities = payload
		}
	}
}

// color notes which of the colors hold: cICP precedes iCCP, that sRGB, and that gAMA with cHRM (PNG 3, 4.3). As Chromium does, it
// ignores codes that say nothing or of a limited range, and cHRM without gAMA.
func (s *pngScan) color() error {
	const rgb, full = 0, 1
	c := s.colors
	if len(c.codes) == 4 && c.codes[2] == rgb && c.codes[3] == full {
		e, err := codedColors(int(c.codes[0]), int(c.codes[1]))
		if s.encoding = e; e != nil || err != nil {
			return err
		}
	}
	s.meta.profile = c.profile
	if len(c.profile) == 0 && !c.srgb && c.gamma > 0 {
		s.encoding = c.measured()
	}
	return nil
}

// measured returns the encoding that gAMA and cHRM state. Without cHRM what is near 1/2.2 stands for sRGB, as for Chromium.
func (c pngColors) measured() *encoding {
	const unit, srgbGamma, near = 100_000, 45_455, 45_455 / 20
	if len(c.chromaticities) == 0 {
		if max(c.gamma, srgbGamma)-min(c.gamma, srgbGamma) < near {
			return nil
		}
		return &encoding{primaries: srgb, light: power(unit / float64(c.gamma))}
	}
	var p primaries
	for i := range p {
		for j := range p[i] {
			p[(i+3)%4][j] = float64(binary.BigEndian.Uint32(c.chromaticities[8*i+4*j:])) / unit
		}
	}
	return &encoding{primaries: p, light: power(unit / float64(c.gamma))}
}

// pngChunk reads a chunk that isn't about the pixels. What is private there doesn't matter: a
// PNG is always made anew.
func (m *metadata) pngChunk(kind string, payload []byte) {
	switch kind {
	case "caBX":
		m.addC2PA(payload)
	case "eXIf":
		m.addEXIF(payload)
	case "tEXt": // keyword, text
		if keyword, text, ok := bytes.Cut(payload, []byte{0}); ok {
			m.addText(keyword, text)
		}
	case "zTXt": // keyword, method, text
		if keyword, text, ok := bytes.Cut(payload, []byte{0}); ok && len(text) > 1 {
			m.addText(keyword, inflateText(text[1:]))
		}
	case "iTXt":
		m.pngText(payload)
	}
}

// pngText reads an international text: keyword, compressed or not, method, language, keyword, text.
func (m *metadata) pngText(payload []byte) {
	keyword, rest, ok := bytes.Cut(payload, []byte{0})
	if !ok || len(rest) < 2 {
		return
	}
	parts := bytes.SplitN(rest[2:], []byte{0}, 3)
	if len(parts) != 3 {
		return
	}
	text := parts[2]
	if rest[0] == 1 {
		text = inflateText(text)
	}
	if string(keyword) == "XML:com.adobe.xmp" {
		m.addXMP(text)
	} else {
		m.addText(keyword, text)
	}
}

// inflateText returns what was compressed by zlib; nil if it can't be read or is longer than
// maxMetadata.
func inflateText(compressed []byte) []byte {
	data := inflate(compressed, maxMetadata+1)
	if len(data) > maxMetadata {
		return nil
	}
	return data
}

// inflate returns what was compressed by zlib, or the first most bytes of it; nil if it can't be read.
func inflate(compressed []byte, most int64) []byte {
	r, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil {
		return nil
	}
	return data
}

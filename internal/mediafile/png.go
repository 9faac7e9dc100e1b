package mediafile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// scanPNG reads a PNG's chunks up to its end.
func scanPNG(file []byte) (s scan, err error) {
	s.plain = true
	rest := file[len(pngSignature):]
	for first := true; ; first = false {
		const head, sum = 8, 4
		if len(rest) < head+sum {
			return s, damaged("its end is missing")
		}
		n, kind := binary.BigEndian.Uint32(rest), string(rest[4:head])
		if uint64(n) > uint64(len(rest)-head-sum) {
			return s, damaged("its end is missing")
		}
		payload := rest[head : head+n]
		rest = rest[head+n+sum:]
		switch {
		case first != (kind == "IHDR") || first && n < 8:
			return s, damaged("its header isn't where it should be")
		case first:
			s.width, s.height = int(binary.BigEndian.Uint32(payload)), int(binary.BigEndian.Uint32(payload[4:]))
		case kind == "IEND":
			return s, nil
		default:
			s.meta.pngChunk(kind, payload)
		}
	}
}

// pngChunk reads a chunk that isn't about the pixels. What is private there doesn't matter: a
// PNG is always made anew.
func (m *metadata) pngChunk(kind string, payload []byte) {
	switch kind {
	case "caBX":
		m.addC2PA(payload)
	case "eXIf":
		m.addEXIF(payload)
	case "iCCP": // name, method, profile
		if _, compressed, ok := bytes.Cut(payload, []byte{0}); ok && len(compressed) > 1 {
			m.profile = inflate(compressed[1:])
		}
	case "tEXt": // keyword, text
		if keyword, text, ok := bytes.Cut(payload, []byte{0}); ok {
			m.addText(keyword, text)
		}
	case "zTXt": // keyword, method, text
		if keyword, text, ok := bytes.Cut(payload, []byte{0}); ok && len(text) > 1 {
			m.addText(keyword, inflate(text[1:]))
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
		text = inflate(text)
	}
	if string(keyword) == "XML:com.adobe.xmp" {
		m.addXMP(text)
	} else {
		m.addText(keyword, text)
	}
}

// inflate returns what was compressed by zlib; nil if it can't be read or is longer than
// maxMetadata.
func inflate(compressed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r, maxMetadata+1))
	if err != nil || len(data) > maxMetadata {
		return nil
	}
	return data
}

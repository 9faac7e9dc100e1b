package mediafile

import (
	"bytes"
	"encoding/binary"
)

// scanWebP reads the chunks of a WebP. Its size is the largest that any of them states, since a
// decoder may believe any.
func scanWebP(file []byte) (s scan, err error) {
	s.plain, s.channels = true, 3
	const head = 12
	if len(file) < head {
		return s, damaged("its end is missing")
	}
	size := uint64(binary.LittleEndian.Uint32(file[4:])) + 8
	if size < head || size > uint64(len(file)) {
		return s, damaged("its end is missing")
	}
	for rest := file[head:size]; len(rest) > 0; {
		const chunk = 8
		if len(rest) < chunk {
			return s, damaged("its end is missing")
		}
		n := uint64(binary.LittleEndian.Uint32(rest[4:]))
		if n > uint64(len(rest)-chunk) {
			return s, damaged("its end is missing")
		}
		if err := s.webpChunk(string(rest[:4]), rest[chunk:chunk+n]); err != nil {
			return s, err
		}
		rest = rest[min(chunk+n+n%2, uint64(len(rest))):]
	}
	if s.width == 0 {
		return s, damaged("it has no picture")
	}
	return s, nil
}

// webpChunk reads a chunk.
func (s *scan) webpChunk(kind string, payload []byte) error {
	m := &s.meta
	switch kind {
	case "ANIM", "ANMF":
		return refuse(CodeUnknownType, "A WebP that moves can't be used: a GIF or a video can.")
	case "VP8 ":
		const head = 10
		if len(payload) < head {
			return damaged("its picture is too short")
		}
		s.atLeast(int(binary.LittleEndian.Uint16(payload[6:])&0x3fff), int(binary.LittleEndian.Uint16(payload[8:])&0x3fff))
	case "VP8L":
		const head = 5
		if len(payload) < head {
			return damaged("its picture is too short")
		}
		bits := binary.LittleEndian.Uint32(payload[1:])
		s.atLeast(int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1)
	case "VP8X":
		const head = 10
		if len(payload) < head {
			return damaged("its header is too short")
		}
		s.atLeast(uint24(payload[4:])+1, uint24(payload[7:])+1)
	case "ICCP":
		m.profile = payload
	case "EXIF":
		m.addEXIF(bytes.TrimPrefix(payload, []byte("Exif\x00\x00")))
	case "XMP ":
		m.addXMP(payload)
	case "C2PA":
		m.addC2PA(payload)
	}
	return nil
}

func (s *scan) atLeast(width, height int) {
	s.width, s.height = max(s.width, width), max(s.height, height)
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

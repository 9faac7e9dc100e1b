package mediafile

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// scan is what a picture says of itself, without being decoded.
type scan struct {
	width, height int // as they are stored, before a turn
	// plain reports whether its colors are those of most: grey, or red, green and blue.
	plain bool
	meta  metadata
}

// Markers of JPEG.
const (
	jpegSOI, jpegEOI, jpegSOS, jpegCOM = 0xd8, 0xd9, 0xda, 0xfe

	jpegAPP0, jpegAPP1, jpegAPP2, jpegAPP11, jpegAPP13, jpegAPP14 = 0xe0, 0xe1, 0xe2, 0xeb, 0xed, 0xee
)

// scanJPEG reads a JPEG's segments up to its end.
func scanJPEG(file []byte) (s scan, err error) {
	profile := map[byte][]byte{}
	rest := file[2:]
	for {
		marker, payload, after, err := jpegSegment(rest)
		if err != nil {
			return s, err
		}
		rest = after
		switch {
		case marker == jpegEOI:
			if len(rest) > 0 {
				s.meta.private = true // whatever it is
			}
			s.meta.profile = joinProfile(profile)
			if s.width == 0 {
				return s, damaged("it has no picture")
			}
			return s, nil
		case marker == jpegSOS:
			rest = afterEntropy(rest)
		case isFrame(marker):
			err = s.jpegFrame(payload)
		case marker == jpegAPP2 && bytes.HasPrefix(payload, []byte("ICC_PROFILE\x00")) && len(payload) >= 14:
			profile[payload[12]] = payload[14:]
		default:
			s.jpegMetadata(marker, payload)
		}
		if err != nil {
			return s, err
		}
	}
}

// jpegSegment returns the segment that data begins with, and what follows.
func jpegSegment(data []byte) (marker byte, payload, rest []byte, err error) {
	if len(data) < 2 || data[0] != 0xff {
		return 0, nil, nil, damaged("a segment of the JPEG is missing")
	}
	for len(data) > 2 && data[1] == 0xff { // fill bytes
		data = data[1:]
	}
	marker = data[1]
	if data = data[2:]; marker == jpegEOI || marker == 0x01 || marker >= 0xd0 && marker <= jpegSOI {
		return marker, nil, data, nil // has no payload
	}
	if len(data) < 2 {
		return 0, nil, nil, damaged("its end is missing")
	}
	n := int(binary.BigEndian.Uint16(data))
	if n < 2 || n > len(data) {
		return 0, nil, nil, damaged("its end is missing")
	}
	return marker, data[2:n], data[n:], nil
}

// afterEntropy returns what follows the coded data of a scan: a marker, or nothing.
func afterEntropy(data []byte) []byte {
	for {
		i := bytes.IndexByte(data, 0xff)
		if i < 0 || i+1 == len(data) {
			return nil
		}
		if next := data[i+1]; next != 0 && (next < 0xd0 || next > 0xd7) && next != 0xff {
			return data[i:]
		} else if next == 0xff {
			i-- // the second may begin a marker
		}
		data = data[i+2:]
	}
}

// isFrame reports whether a marker begins a frame header.
func isFrame(marker byte) bool {
	const tables, extension, arithmetic = 0xc4, 0xc8, 0xcc
	return marker >= 0xc0 && marker <= 0xcf && marker != tables && marker != extension && marker != arithmetic
}

// jpegFrame reads a frame header; there is one.
func (s *scan) jpegFrame(payload []byte) error {
	const head = 6
	if s.width != 0 || len(payload) < head {
		return damaged("it has more than one picture, or half of one")
	}
	s.height, s.width = int(binary.BigEndian.Uint16(payload[1:])), int(binary.BigEndian.Uint16(payload[3:]))
	s.plain = payload[5] == 1 || payload[5] == 3
	if s.width == 0 || s.height == 0 {
		return damaged("it states a size of %d × %d pixels", s.width, s.height)
	}
	return nil
}

// jpegMetadata reads a segment that isn't about the pixels.
func (s *scan) jpegMetadata(marker byte, payload []byte) { //nolint:cyclop // a case for each kind of segment
	const exifHead, xmpHead, photoshopHead = "Exif\x00\x00", "http://ns.adobe.com/xap/1.0/\x00", "Photoshop 3.0\x00"
	m := &s.meta
	switch {
	case marker == jpegAPP0 && bytes.HasPrefix(payload, []byte("JFIF\x00")) && len(payload) <= 14:
	case marker == jpegAPP14 && bytes.HasPrefix(payload, []byte("Adobe")):
	case marker == jpegAPP1 && bytes.HasPrefix(payload, []byte(exifHead)):
		m.addEXIF(payload[len(exifHead):])
	case marker == jpegAPP1 && bytes.HasPrefix(payload, []byte(xmpHead)):
		m.addXMP(payload[len(xmpHead):])
	case marker == jpegAPP13 && bytes.HasPrefix(payload, []byte(photoshopHead)):
		m.addPhotoshop(payload[len(photoshopHead):])
	case marker == jpegAPP11 && bytes.HasPrefix(payload, []byte("JP")) && (m.c2pa || bytes.Contains(payload, []byte("c2pa"))):
		// The first part of a store or a later one, of which a name may be in two (JPEG XT, "JUMBF").
		part := slices.Concat(m.c2paEnd, payload[min(c2paPartHead, len(payload)):])
		m.addC2PA(part)
		m.c2paEnd = bytes.Clone(part[max(0, len(part)-c2paOverlap):])
	case marker == jpegCOM || marker >= jpegAPP0 && marker <= 0xef:
		m.private = true
	}
}

// joinProfile returns a color profile, whose parts are numbered from 1.
func joinProfile(parts map[byte][]byte) (whole []byte) {
	for i := 1; i <= len(parts) && len(whole) <= maxMetadata; i++ {
		whole = append(whole, parts[byte(i)]...)
	}
	return whole
}

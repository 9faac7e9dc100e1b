package mediafile

import (
	"bytes"
	"encoding/binary"
)

// scan is what a picture says of itself, without being decoded.
type scan struct {
	width, height int // as they are stored, before a turn
	// plain reports whether its colors are those of most: grey, or red, green and blue.
	plain bool
	// channels are those of its colors: 1, 3 or 4. Their encoding is nil unless it is stated, as a profile is in meta.
	channels int
	encoding *encoding
	heic     heicPicture
	png      pngPicture
	meta     metadata
}

// Markers of JPEG.
const (
	jpegSOI, jpegEOI, jpegSOS, jpegDHT, jpegDQT, jpegDRI = 0xd8, 0xd9, 0xda, 0xc4, 0xdb, 0xdd

	jpegAPP0, jpegAPP1, jpegAPP2, jpegAPP11, jpegAPP12, jpegAPP13, jpegAPP14 = 0xe0, 0xe1, 0xe2, 0xeb, 0xec, 0xed, 0xee
)

// jpegScan reads a JPEG's segments.
type jpegScan struct {
	scan

	coded    coded
	profile  profileParts
	manifest manifestParts
	// jfif reports whether there is JFIF's segment, adobe whether there is Adobe's, whose code for colors is transform.
	jfif, adobe bool
	transform   byte
}

// scanJPEG reads a JPEG's segments up to its end. It is private unless each of its bytes is known to be harmless: what
// isn't a part of the picture, or of metadata that is read, can't be told from what nobody should see.
func scanJPEG(file []byte) (scan, error) {
	j := &jpegScan{}
	err := j.read(file)
	return j.scan, err
}

// read reads a JPEG's segments up to its end, which may be missing, and passes over what is between them.
func (j *jpegScan) read(file []byte) error {
	for rest := file[2:]; ; {
		for len(rest) > 1 && (rest[0] != 0xff || rest[1] == 0) {
			rest, j.meta.private = rest[1:], true
		}
		if len(rest) < 2 && j.coded.scans > 0 {
			j.meta.private = true
			return j.end(nil)
		}
		marker, payload, after, err := jpegSegment(rest)
		if err != nil {
			return err
		}
		rest = after
		switch {
		case marker == jpegEOI:
			return j.end(rest)
		case marker == jpegSOS:
			rest = j.coded.scan(payload, rest)
		case isFrame(marker):
			if err := j.frame(marker, payload); err != nil {
				return err
			}
		default:
			j.segment(marker, payload)
		}
	}
}

// end finishes what was read; rest follows the picture.
func (j *jpegScan) end(rest []byte) error {
	m := &j.meta
	j.coded.finish()
	profile, whole := j.profile.join()
	m.profile = profile
	manifest, wholeManifest := j.manifest.join()
	if len(manifest) > 0 {
		m.addC2PA(manifest)
	}
	m.private = m.private || len(rest) > 0 || j.coded.unknown || !whole || !wholeManifest || len(profile) > 0 && !isHarmlessProfile(profile)
	if j.width == 0 {
		return damaged("it has no picture")
	}
	return nil
}

// jpegSegment returns the segment whose marker data begins with, and what follows.
func jpegSegment(data []byte) (marker byte, payload, rest []byte, err error) {
	if len(data) < 2 {
		return 0, nil, nil, damaged("its end is missing")
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

// frame reads a frame header; there is one.
func (j *jpegScan) frame(marker byte, payload []byte) error {
	const head = 6
	if j.width != 0 || len(payload) < head {
		return damaged("it has more than one picture, or half of one")
	}
	j.height, j.width = int(binary.BigEndian.Uint16(payload[1:])), int(binary.BigEndian.Uint16(payload[3:]))
	j.channels = int(payload[5])
	j.plain = j.channels == 1 || j.channels == 3
	if j.width == 0 || j.height == 0 {
		return damaged("it states a size of %d × %d pixels", j.width, j.height)
	}
	j.coded.frame(marker, payload)
	return nil
}

// How the metadata of a segment begins.
const (
	exifHead      = "Exif\x00\x00"
	xmpHead       = "http://ns.adobe.com/xap/1.0/\x00"
	profileHead   = "ICC_PROFILE\x00"
	photoshopHead = "Photoshop 3.0\x00"
	// webHead is that of Photoshop's "save for web", with the quality in the next four bytes.
	webHead = "Ducky\x00\x01\x00\x04"
)

// segment reads a segment that isn't a frame or scan.
func (j *jpegScan) segment(marker byte, payload []byte) {
	const transform = 11
	j.jfif = j.jfif || marker == jpegAPP0 && bytes.HasPrefix(payload, []byte("JFIF\x00"))
	if marker == jpegAPP14 && len(payload) > transform && string(payload[:5]) == "Adobe" {
		j.adobe, j.transform = true, payload[transform]
	}
	switch {
	case marker == jpegDQT:
		j.coded.quantization(payload)
	case marker == jpegDHT:
		j.coded.huffman(payload)
	case marker == jpegDRI && len(payload) == 2:
		j.coded.restart = int(binary.BigEndian.Uint16(payload))
	case !j.metadata(marker, payload) && !isKnownSegment(marker, payload):
		j.meta.private = true
	}
}

// metadata reads a segment of metadata, and reports whether it is one that can be read.
func (j *jpegScan) metadata(marker byte, payload []byte) bool {
	for _, of := range []struct {
		marker byte
		head   string
		read   func([]byte)
	}{
		{jpegAPP1, exifHead, j.meta.addEXIF},
		{jpegAPP1, xmpHead, j.meta.addXMP},
		{jpegAPP2, profileHead, j.profile.add},
		{jpegAPP11, "JP", j.manifest.add},
		{jpegAPP13, photoshopHead, j.meta.addPhotoshop},
	} {
		if rest, ok := bytes.CutPrefix(payload, []byte(of.head)); ok && marker == of.marker {
			of.read(rest)
			return true
		}
	}
	return false
}

// isKnownSegment reports whether a segment is one of a known form with nothing but numbers: JFIF's without a thumbnail,
// Adobe's with the kind of colors, and the quality of what was saved for the web.
func isKnownSegment(marker byte, payload []byte) bool {
	const jfif, adobe, web = 14, 12, 15
	switch marker {
	case jpegAPP0:
		return len(payload) == jfif && string(payload[:5]) == "JFIF\x00" && payload[12] == 0 && payload[13] == 0
	case jpegAPP12:
		return len(payload) == web && string(payload[:9]) == webHead && isZero(payload[13:])
	case jpegAPP14:
		return len(payload) == adobe && string(payload[:5]) == "Adobe"
	}
	return false
}

// profileParts are the parts of a color profile in segments: each is numbered from 1, and says how many there are.
type profileParts struct {
	parts [256][]byte
	// most is the greatest number, and total how many parts are said to be; wrong reports whether that isn't so.
	most, total byte
	wrong       bool
}

func (p *profileParts) add(part []byte) {
	const head = 2
	if len(part) < head {
		p.wrong = true
		return
	}
	number, total := part[0], part[1]
	p.wrong = p.wrong || number == 0 || p.parts[number] != nil || p.total != 0 && p.total != total
	p.parts[number], p.total, p.most = part[head:], total, max(p.most, number)
}

// join returns the profile. ok is false if it isn't whole, or there is more than is said.
func (p *profileParts) join() (whole []byte, ok bool) {
	for _, part := range p.parts[1 : int(p.most)+1] {
		p.wrong = p.wrong || part == nil
		whole = append(whole, part...)
	}
	return whole, !p.wrong && p.most == p.total
}

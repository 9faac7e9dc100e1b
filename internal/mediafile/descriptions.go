package mediafile

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// descriptions cleans a box stsd: what decoders need to know of a track's samples.
func descriptions(content []byte) error {
	const head = 8
	if len(content) < head {
		return damaged("a box is too short")
	}
	entry := soundEntry(content[0])
	return boxes{"avc1": pictureEntry, "avc3": pictureEntry, "hvc1": pictureEntry, "hev1": pictureEntry, "mp4a": entry}.after(head)(content)
}

// pictureEntry cleans the description of pictures (ISO 14496-12, 12.1.3): size and resolution stay, the
// name of the compressor and of its vendor don't.
func pictureEntry(content []byte) error {
	const size = 78
	if len(content) < size {
		return damaged("a box is too short")
	}
	clear(content[:6])
	clear(content[8:24])
	clear(content[36:40])
	clear(content[42:74])
	return pictureBoxes.clean(content[size:])
}

// pictureBoxes are the boxes of a description of pictures: the decoder's parameters, colors, the pixels' shape,
// brightness, Dolby Vision's version, and how a panorama lies on a sphere.
var pictureBoxes = boxes{
	"avcC": avcParameters,
	"hvcC": hevcParameters,
	"colr": colorBox,
	"pasp": fixed(8),
	"clap": fixed(32),
	"fiel": fixed(2),
	"gama": fixed(4),
	"btrt": fixed(12),
	"mdcv": fixed(24),
	"clli": fixed(4),
	"amve": fixed(8),
	"dvcC": fixed(5),
	"dvvC": fixed(5),
	"st3d": fixed(5),
	"sv3d": boxes{"svhd": fixed(4), "proj": boxes{"prhd": fixed(16), "equi": fixed(20), "cbmp": fixed(12)}.clean}.clean,
}

// colorBox cleans a box colr: three numbers and perhaps a range, or a color profile.
func colorBox(content []byte) error {
	kind := string(content[:min(4, len(content))])
	switch {
	case kind == "nclx":
		return fixed(11)(content)
	case kind == "nclc":
		return fixed(10)(content)
	case (kind == "prof" || kind == "rICC") && isHarmlessProfile(content[4:]):
		return nil
	}
	return errUnlisted
}

// units takes the units of a decoder's parameters that content begins with, each after its length in 16 bits, and
// returns what follows. ok is false if one isn't whole.
func units(content []byte, n int) (rest []byte, ok bool) {
	const head = 2
	for range n {
		if len(content) < head || int(binary.BigEndian.Uint16(content)) > len(content)-head {
			return nil, false
		}
		content = content[head+int(binary.BigEndian.Uint16(content)):]
	}
	return content, true
}

// avcParameters cleans a box avcC (ISO 14496-15, 5.3.3.1): profile and level, and sets of parameters.
func avcParameters(content []byte) error {
	const head = 6
	if len(content) <= head {
		return nil
	}
	rest, ok := units(content[head:], int(content[5]&0x1f))
	if ok && len(rest) > 0 {
		rest, ok = units(rest[1:], int(rest[0]))
	}
	if !ok {
		return damaged("a decoder's parameters aren't whole")
	}
	// Three numbers and more sets, of the profiles with more kinds of pixels.
	const more = 4
	if profile := content[1]; len(rest) >= more && profile != 66 && profile != 77 && profile != 88 {
		if after, ok := units(rest[more:], int(rest[3])); ok {
			rest = after
		}
	}
	clear(rest)
	return nil
}

// hevcParameters cleans a box hvcC (ISO 14496-15, 8.3.3.1): profile and level, and sets of parameters. What else
// an encoder adds to these, of which some is text, is left out.
func hevcParameters(content []byte) error {
	const head, array = 23, 3
	if len(content) < head {
		return nil
	}
	kept := slices.Clone(content[:head])
	kept[head-1] = 0
	rest := content[head:]
	for range content[head-1] {
		if len(rest) < array {
			return damaged("a decoder's parameters aren't whole")
		}
		after, ok := units(rest[array:], int(binary.BigEndian.Uint16(rest[1:])))
		if !ok {
			return damaged("a decoder's parameters aren't whole")
		}
		const video, sequence, picture = 32, 33, 34
		if kind := rest[0] & 0x3f; kind == video || kind == sequence || kind == picture {
			kept = append(kept, rest[:len(rest)-len(after)]...)
			kept[head-1]++
		}
		rest = after
	}
	clear(content[copy(content, kept):])
	return nil
}

// soundEntry returns what cleans a description of sound (ISO 14496-12, 12.2.3) in a box stsd of a version. QuickTime
// has more numbers in it, by a version of its own.
func soundEntry(version byte) func([]byte) error {
	return func(content []byte) error {
		size := soundEntrySize(version, content)
		if len(content) < size {
			return damaged("a box is too short")
		}
		clear(content[:6])
		clear(content[10:16])
		return soundBoxes.clean(content[size:])
	}
}

// soundEntrySize returns how much of a description of sound precedes its boxes.
func soundEntrySize(version byte, content []byte) int {
	const size, more, most = 28, 16, 36
	switch {
	case version != 0 || len(content) < size:
		return size
	case content[9] == 1:
		return size + more
	case content[9] == 2:
		return size + most
	}
	return size
}

// soundBoxes are the boxes of a description of sound, in QuickTime also within wave.
var soundBoxes = boxes{
	"esds": decoderDescription,
	"chan": listed(16, 20),
	"btrt": fixed(12),
	"srat": fixed(8),
	"wave": boxes{
		"frma":             fixed(4),
		"mp4a":             fixed(0),
		"esds":             decoderDescription,
		"chan":             listed(16, 20),
		"\x00\x00\x00\x00": fixed(0),
	}.clean,
}

// The tags of MPEG-4's descriptors (ISO 14496-1, 7.2.2.1).
const tagStream, tagDecoder, tagSpecific, tagSync = 0x03, 0x04, 0x05, 0x06

// descriptor returns the tag and content of the descriptor that b begins with, and what follows it. Its length is
// in up to 4 bytes.
func descriptor(b []byte) (tag byte, content, rest []byte, ok bool) {
	n := 0
	for i := 1; i < min(len(b), 5); i++ {
		n = n<<7 | int(b[i]&0x7f)
		if b[i]&0x80 != 0 {
			continue
		}
		if i++; n > len(b)-i {
			return 0, nil, nil, false
		}
		return b[0], b[i : i+n], b[i+n:], true
	}
	return 0, nil, nil, false
}

// streamOf returns the descriptors of the stream that the content of a box esds describes, and what follows it. ok is
// false if it describes none, or one that is at an address.
func streamOf(content []byte) (descriptors, rest []byte, ok bool) {
	// The stream's number and flags, and what these announce.
	const head, fixed, depends, address, clock = 4, 3, 0x80, 0x40, 0x20
	tag, stream, rest, ok := descriptor(content[min(head, len(content)):])
	if !ok || tag != tagStream || len(stream) < fixed || stream[2]&address != 0 {
		return nil, nil, false
	}
	size := fixed
	for _, flag := range []byte{depends, clock} {
		if stream[2]&flag != 0 {
			size += 2
		}
	}
	return stream[min(size, len(stream)):], rest, true
}

// decoderDescription cleans a box esds: the decoder's parameters.
func decoderDescription(content []byte) error {
	stream, rest, ok := streamOf(content)
	if !ok {
		return damaged("a decoder's parameters aren't whole")
	}
	clear(rest)
	const decoder, packets = 13, 1
	cleanDescriptors(stream, func(tag byte, content []byte) {
		switch tag {
		case tagDecoder:
			cleanDescriptors(content[min(decoder, len(content)):], func(tag byte, content []byte) {
				if tag != tagSpecific {
					clear(content)
				}
				clear(content[specificSize(content):])
			})
		case tagSync:
			clear(content[min(packets, len(content)):])
		default:
			clear(content)
		}
	})
	return nil
}

// cleanDescriptors visits the descriptors that follow one another, and overwrites what follows them.
func cleanDescriptors(b []byte, visit func(tag byte, content []byte)) {
	for {
		tag, content, rest, ok := descriptor(b)
		if !ok {
			clear(b)
			return
		}
		visit(tag, content)
		b = rest
	}
}

// specificSize returns how many bytes of AAC's parameters are known (ISO 14496-3, 1.6.2.1): of the usual kinds as many
// as they have, of others at most 64.
func specificSize(b []byte) int {
	const most, stated = 64, 15
	var bits uint64 // the first 64
	for i := range 8 {
		bits <<= 8
		if i < len(b) {
			bits |= uint64(b[i])
		}
	}
	part := func(from, n int) uint64 { return bits << from >> (64 - n) }
	const lowComplexity, spectral, parametric = 2, 5, 29
	kind, rate, channels := part(0, 5), part(5, 4), part(9, 4)
	if channels == 0 || rate == stated {
		return min(most, len(b))
	}
	switch kind {
	case spectral, parametric: // and the rate and kind of what it extends
		return min(4, len(b))
	case lowComplexity: // and perhaps what extends it, after marks
		const mark, stereoMark = 0x2b7, 0x548
		switch {
		case part(16, 11) != mark || part(33, 4) == stated:
			return min(2, len(b))
		case part(37, 11) != stereoMark:
			return min(5, len(b))
		}
		return min(7, len(b))
	}
	return min(most, len(b))
}

// isAAC reports whether a description of sound is that of AAC by its box esds, or has none.
func isAAC(entry []byte) bool {
	const aac, aacMain, aacSSR = 0x40, 0x66, 0x68
	decoder, described := decoderOf(entry)
	return !described || len(decoder) > 0 && (decoder[0] == aac || decoder[0] >= aacMain && decoder[0] <= aacSSR)
}

// decoderOf returns the decoder that a description of sound describes. described is false if it has no box esds.
func decoderOf(entry []byte) (decoder []byte, described bool) {
	_, content, ok := bytes.Cut(entry, []byte("esds"))
	if !ok {
		return nil, false
	}
	stream, _, _ := streamOf(content)
	if tag, decoder, _, ok := descriptor(stream); ok && tag == tagDecoder {
		return decoder, true
	}
	return nil, true
}

// aacParameters returns the decoder's parameters of a description of sound; nil if it has none.
func aacParameters(entry []byte) []byte {
	const fixed = 13
	decoder, _ := decoderOf(entry)
	if tag, parameters, _, ok := descriptor(decoder[min(fixed, len(decoder)):]); ok && tag == tagSpecific {
		return parameters
	}
	return nil
}

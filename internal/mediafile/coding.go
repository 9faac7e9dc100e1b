package mediafile

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/Eyevinn/mp4ff/bits"

	"missiond/mission"
)

// codingOf returns how the samples of an entry of a box stsd are coded.
func codingOf(entry box) (c mission.Coding) {
	const pictures = 78 // bytes before an entry's boxes (ISO 14496-12, 12.1.3)
	switch entry.kind {
	case "avc1", "avc3":
		c.Codec = mission.CodecH264
		h264Coding(&c, childOf(entry.inside[min(pictures, len(entry.inside)):], "avcC"))
	case "hvc1", "hev1":
		c.Codec = mission.CodecHEVC
		hevcCoding(&c, childOf(entry.inside[min(pictures, len(entry.inside)):], "hvcC"))
	case "mp4a":
		aacCoding(&c, entry.inside)
	}
	return c
}

// childOf returns the content of the first box of a kind; nil if there is none.
func childOf(data []byte, kind string) []byte {
	for len(data) > 0 {
		b, rest, err := nextBox(data)
		switch {
		case err != nil:
			return nil
		case b.kind == kind:
			return b.inside
		}
		data = rest
	}
	return nil
}

// subsampling returns the name of a chroma_format_idc, which both H.264 and HEVC have.
func subsampling(idc uint) mission.Subsampling {
	all := []mission.Subsampling{mission.SubsamplingNone, mission.Subsampling420, mission.Subsampling422, mission.Subsampling444}
	if idc >= uint(len(all)) {
		return ""
	}
	return all[idc]
}

// hevcCoding reads a box hvcC (ISO 14496-15, 8.3.3.1).
func hevcCoding(c *mission.Coding, b []byte) {
	const constraints, chroma, luma, end = 6, 16, 17, 19
	if len(b) < end {
		return
	}
	const progressive, interlaced = 0x80, 0x40
	c.Subsampling = subsampling(uint(b[chroma] & 3))
	c.Bits = 8 + int(max(b[luma]&7, b[luma+1]&7))
	c.Interlaced = b[constraints]&(progressive|interlaced) == interlaced
}

// h264Coding reads a box avcC (ISO 14496-15, 5.3.3.1) as far as its first set of parameters of a
// sequence, which sets in the samples may differ from.
func h264Coding(c *mission.Coding, b []byte) {
	const sets, first = 5, 8
	if len(b) < first || b[sets]&31 == 0 {
		return
	}
	size := int(binary.BigEndian.Uint16(b[sets+1:]))
	if s, ok := parseSequence(b[first : first+min(size, len(b)-first)]); ok {
		c.Subsampling, c.Bits, c.Interlaced = subsampling(s.chroma), 8+int(s.depth), !s.framesOnly
	}
}

// sequence is what is read of a set of parameters of a sequence.
type sequence struct {
	chroma, depth uint // chroma_format_idc, and the bits of a sample beyond 8
	framesOnly    bool
}

// highProfiles are those whose sets of parameters say how color is sampled (ITU-T H.264, 7.3.2.1.1).
var highProfiles = []uint{100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135}

// parseSequence reads a set of parameters of a sequence with its header (ITU-T H.264, 7.3.2.1.1). ok is false if it
// isn't whole.
func parseSequence(unit []byte) (s sequence, ok bool) {
	b := bits.NewEBSPReader(bytes.NewReader(unit))
	b.Read(8) // the header
	profile := b.Read(8)
	b.Read(16) // constraints and level
	b.ReadExpGolomb()
	if s.chroma = 1; slices.Contains(highProfiles, profile) {
		s.color(b)
	}
	b.ReadExpGolomb() // how frames are numbered
	if !skipOrder(b) {
		return s, false
	}
	b.ReadExpGolomb() // how many frames are referred to
	b.ReadFlag()
	b.ReadExpGolomb() // sides
	b.ReadExpGolomb()
	s.framesOnly = b.ReadFlag()
	return s, b.AccError() == nil
}

// color reads how a sequence's samples are.
func (s *sequence) color(b *bits.EBSPReader) {
	const full, lists, small, smallSize, largeSize = 3, 8, 6, 16, 64
	n := lists
	if s.chroma = b.ReadExpGolomb(); s.chroma == full {
		b.ReadFlag()
		n += full + 1
	}
	s.depth = max(b.ReadExpGolomb(), b.ReadExpGolomb())
	b.ReadFlag()
	if !b.ReadFlag() { // no lists of scales
		return
	}
	for i := range n {
		size := largeSize
		if i < small {
			size = smallSize
		}
		if b.ReadFlag() {
			skipScales(b, size)
		}
	}
}

// skipScales reads a list of scales (ITU-T H.264, 7.3.2.1.1.1).
func skipScales(b *bits.EBSPReader, size int) {
	const from, most = 8, 256
	for last, next := from, from; size > 0 && next != 0; size-- {
		next = (last + b.ReadSignedGolomb() + most) % most
		last = next
	}
}

// skipOrder reads in what order pictures are shown. ok is false if that isn't known.
func skipOrder(b *bits.EBSPReader) (ok bool) {
	const stated, cycle, most = 0, 1, 255
	switch b.ReadExpGolomb() {
	case stated:
		b.ReadExpGolomb()
	case cycle:
		b.ReadFlag()
		b.ReadSignedGolomb()
		b.ReadSignedGolomb()
		n := b.ReadExpGolomb()
		for range min(n, most) {
			b.ReadSignedGolomb()
		}
		return n <= most
	}
	return true
}

// aacRates are the numbers of samples a second by their index, and aacChannels those of channels by theirs (ISO
// 14496-3, tables 1.18 and 1.19).
var (
	aacRates    = []int{96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350}
	aacChannels = []int{0, 1, 2, 3, 4, 5, 6, 8}
)

// aacCoding reads the decoder's parameters in an entry of sound (ISO 14496-3, 1.6.2.1).
func aacCoding(c *mission.Coding, entry []byte) {
	b := bits.NewReader(bytes.NewReader(aacParameters(entry)))
	const lowComplexity, spectral, parametric, stated = 2, 5, 29, 15
	kind, rate := b.Read(5), b.Read(4)
	if rate == stated {
		c.SampleRate = int(b.Read(24))
	} else if int(rate) < len(aacRates) {
		c.SampleRate = aacRates[rate]
	}
	if channels := b.Read(4); int(channels) < len(aacChannels) {
		c.Channels = aacChannels[channels]
	}
	switch {
	case b.AccError() != nil:
		*c = mission.Coding{}
	case kind == lowComplexity:
		c.AudioCodec = mission.AudioAACLC
	case kind == spectral, kind == parametric:
		c.AudioCodec = mission.AudioHEAAC
	default:
		c.AudioCodec = mission.AudioAAC
	}
}

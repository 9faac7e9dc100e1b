package mediatest

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// Box returns a box of a type.
func Box(kind string, content ...[]byte) []byte {
	all := slices.Concat(content...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(all)+8)), []byte(kind), all)
}

// LargeBox returns a box whose size is stated in 64 bits.
func LargeBox(kind string, content ...[]byte) []byte {
	all := slices.Concat(content...)
	return slices.Concat([]byte("\x00\x00\x00\x01"), []byte(kind), binary.BigEndian.AppendUint64(nil, uint64(len(all)+16)), all)
}

// numbers returns numbers of 32 bits.
func numbers(all ...uint32) []byte {
	var b []byte
	for _, n := range all {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// Track is a track of a video that is to be made.
type Track struct {
	Handler, Format string
	// Description is the content of its description of samples.
	Description []byte
	Samples     [][]byte
	// More are boxes at its end, MediaMore in its media, HandlerName is the name of its handler.
	More, MediaMore []byte
	HandlerName     string
}

// Movie is a video that is to be made. Its pictures can't be played; whoever doesn't decode them
// can't tell.
type Movie struct {
	Duration      time.Duration
	Width, Height int
	// Brand is the file's; "" is isom.
	Brand string
	// Turned is whether it is to be shown turned by a quarter.
	Turned bool
	// Format and Sound are the formats of the samples, avc1 and mp4a by default; a Sound of "-" is
	// none.
	Format, Sound string
	// Pictures is the box that says how pictures are coded, by default as H264 says; AAC are the parameters of the
	// decoder of sound, by default AAC-LC of 44,100 Hz and two channels.
	Pictures, AAC []byte
	// FrameRate is how many frames the index claims that a second has; 0 is 30.
	FrameRate int
	// Tracks are more tracks, Gap are bytes after every sample that belong to none.
	Tracks []Track
	Gap    []byte
	// Private is more for the index, and at the end of a track.
	Private, TrackPrivate []byte
	// Last is whether the index is after the samples, and Large whether sizes have 64 bits.
	Last, Large bool
	// Fragments is in how many fragments the samples are; 0 is none. Base says where their offsets begin.
	Fragments int
	Base      Base
	// Untimed is whether the header doesn't say how long it plays.
	Untimed bool
	// More are boxes at the end.
	More []byte
}

// The boxes that encoders wrote to say how pictures of 320 by 240 are coded: H264 and HEVC as most videos are, and
// others that some platforms don't take.
var (
	H264       = codedAs("avcC", "0164000dffe100196764000dacd94141fb0110000003001000000303c0f142996001000668ebe3cb22c0")
	H264Scaled = codedAs("avcC", "0164000dffe100196764000dacd94141fb0110000003001000000303c0f142996001000768ebe3cb3002c0")
	H264Main   = codedAs("avcC", "014d400dffe10018674d400deca0a0fd8088000003000800000301e078a14cb001000568ebe3cb20")
	H264Grey   = codedAs("avcC", "0164000dffe100186764000df3650507ec0440000003004000000f03c50a658001000668ebe3cb22c0")
	H264In422  = codedAs("avcC", "017a000dffe10019677a000dbcd94141fb0110000003001000000303c0f142996001000668ebe3cb22c0")
	H264In444  = codedAs("avcC", "01f4000dffe1001967f4000d919b28283f6022000003000200000300781e28532c01000568ebe3c448")
	H264Deep   = codedAs("avcC", "016e000dffe10019676e000da6cd94141fb0110000030001000003003c0f14299601000668ebe3cb22c0")
	H264Fields = codedAs("avcC", "01640015ffe1001a67640015acd941410fcb8088000003000800000301e0f8a14cb001000668fba3cb22c0")
	HEVC       = codedAs("hvcC", "0101600000009000000000003cf000fcfdf8f800000f00")
	HEVCDeep   = codedAs("hvcC", "0102200000009000000000003cf000fcfdfafa00000f00")
	HEVCIn422  = codedAs("hvcC", "0104080000009908000000003cf000fcfefcfc00000f00")
	HEVCFields = codedAs("hvcC", "0101600000005000000000003cf000fcfdf8f800000f00")
)

// codedAs returns a box of a content in hex.
func codedAs(kind, content string) []byte {
	b, err := hex.DecodeString(content)
	if err != nil {
		panic("bug: " + err.Error())
	}
	return Box(kind, b)
}

// Base is where the offsets of a fragment's samples begin.
type Base uint32

// The flags of tfhd that say so.
const (
	BaseIsMoof   Base = 0
	BaseIsStated Base = 1
	BaseIsBefore Base = 2 // the fragment, or the samples of the track before
)

const (
	movieScale = 1000
	trackScale = 90_000
	// parts is how many samples a track has, and perFragment in a fragment.
	parts, perFragment = 3, 2
)

// MP4 returns a video of a length and a size in pixels, with H.264 and AAC.
func MP4(duration time.Duration, width, height int) []byte {
	return Movie{Duration: duration, Width: width, Height: height}.Bytes()
}

// All returns all tracks: pictures, sound unless it has none, and more. Those without samples get some.
func (m Movie) All() []Track {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(make([]byte, 24), uint16(m.Width)), uint16(m.Height))
	pictures, aac := m.Pictures, m.AAC
	if pictures == nil {
		pictures = H264
	}
	if aac == nil {
		aac = []byte{0x12, 0x10}
	}
	all := []Track{{
		Handler: "vide", Format: or(m.Format, "avc1"), More: m.TrackPrivate,
		Description: slices.Concat(size, make([]byte, 50), pictures),
	}}
	if m.Sound != "-" {
		all = append(all, Track{
			Handler: "soun", Format: or(m.Sound, "mp4a"), More: m.TrackPrivate,
			Description: slices.Concat(make([]byte, 28), Box("esds", make([]byte, 4), []byte{3, byte(23 + len(aac)), 0, 2, 0, 4, byte(15 + len(aac)), 0x40, 0x15}, make([]byte, 11),
				[]byte{5, byte(len(aac))}, aac, []byte{6, 1, 2})),
		})
	}
	all = append(all, m.Tracks...)
	for i := range all {
		for n := len(all[i].Samples); n < max(parts, perFragment*m.Fragments); n++ {
			all[i].Samples = append(all[i].Samples, fmt.Appendf(nil, "%s sample %d that nobody decodes", all[i].Handler, n))
		}
	}
	return all
}

// Bytes returns the file.
func (m Movie) Bytes() []byte {
	brand := m.Brand
	if brand == "" {
		brand = "isom"
	}
	box := Box
	if m.Large {
		box = LargeBox
	}
	file := Box("ftyp", []byte(brand), numbers(0x200), []byte(brand), []byte("mp42"))
	data, offsets := m.interleaved()
	head := len(box("mdat"))
	switch {
	case m.Fragments > 0:
		file = append(file, m.index()...)
		for i := range m.Fragments {
			file = append(file, m.fragment(i, len(file), box)...)
		}
	case m.Last:
		file = slices.Concat(file, box("mdat", data), m.indexOf(offsets, len(file)+head))
	default:
		file = slices.Concat(file, m.indexOf(offsets, len(file)+len(m.index())+head), box("mdat", data))
	}
	return append(file, m.More...)
}

// interleaved returns the samples of all tracks by turns, and where those of each are.
func (m Movie) interleaved() (data []byte, offsets [][]int) {
	all := m.All()
	offsets = make([][]int, len(all))
	for i := range parts {
		for t, track := range all {
			offsets[t] = append(offsets[t], len(data))
			data = slices.Concat(data, track.Samples[i], m.Gap)
		}
	}
	return data, offsets
}

// index returns an index of samples that are at the file's beginning.
func (m Movie) index() []byte {
	_, offsets := m.interleaved()
	return m.indexOf(offsets, 0)
}

// indexOf returns an index of samples at some offsets from another.
func (m Movie) indexOf(offsets [][]int, from int) []byte {
	units, more := uint32(m.Duration.Milliseconds()), m.Private
	if m.Fragments > 0 {
		units = 0
		var all [][]byte
		for i := range m.All() {
			all = append(all, Box("trex", numbers(0, uint32(i+1), 1, 0, 0, 0)))
		}
		more = slices.Concat(more, Box("mvex", all...))
	}
	stated := units
	if m.Untimed {
		stated = 0xffff_ffff
	}
	boxes := [][]byte{Box("mvhd", numbers(0, 0, 0, movieScale, stated, 0x10000), make([]byte, 76))}
	for i, t := range m.All() {
		table := Box("stbl", Box("stsd", numbers(0, 1), Box(t.Format, t.Description)), Box("stts", numbers(0, 0)), Box("stsz", numbers(0, 0, 0)), Box("stsc", numbers(0, 0)), Box("stco", numbers(0, 0)))
		if m.Fragments == 0 {
			table = t.table(offsets[i], from, m.times(t, units))
		}
		boxes = append(boxes, m.track(uint32(i+1), t, units, table))
	}
	return Box("moov", append(boxes, more)...)
}

// times returns the content of a track's box stts. It claims more pictures than there are samples.
func (m Movie) times(t Track, units uint32) []byte {
	n := uint32(parts)
	if t.Handler == "vide" {
		n = max(units*uint32(cmp.Or(m.FrameRate, 30))/movieScale, 1)
	}
	return numbers(0, 1, n, units*(trackScale/movieScale)/n)
}

// table returns the table of a track's samples, one in each chunk, with the content of its box stts.
func (t Track) table(offsets []int, from int, times []byte) []byte {
	sizes, at := numbers(0, 0, parts), numbers(0, parts)
	for i := range parts {
		sizes, at = append(sizes, numbers(uint32(len(t.Samples[i])))...), append(at, numbers(uint32(from+offsets[i]))...)
	}
	return Box("stbl", Box("stsd", numbers(0, 1), Box(t.Format, t.Description)), Box("stts", times),
		Box("stsz", sizes), Box("stsc", numbers(0, 1, 1, 1, 1)), Box("stco", at))
}

// track returns a track of a table.
func (m Movie) track(id uint32, t Track, units uint32, table []byte) []byte {
	matrix := numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
	if m.Turned {
		matrix = numbers(0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000)
	}
	size := numbers(uint32(m.Width)<<16, uint32(m.Height)<<16)
	if t.Handler != "vide" {
		size = make([]byte, 8)
	}
	inMovie, inMedia := units, units*(trackScale/movieScale)
	if m.Untimed {
		inMovie, inMedia = 0, 0 // what its samples have together is left
	}
	return Box("trak",
		Box("tkhd", numbers(7, 0, 0, id, 0, inMovie, 0, 0, 0, 0), matrix, size),
		Box("mdia", Box("mdhd", numbers(0, 0, 0, trackScale, inMedia, 0)), Box("hdlr", numbers(0, 0), []byte(t.Handler), make([]byte, 12), []byte(t.HandlerName), []byte{0}), Box("minf", table), t.MediaMore),
		t.More)
}

// fragment returns a fragment at an offset of the file with perFragment samples of each track, which are an equal
// share of the movie together.
func (m Movie) fragment(n, at int, box func(string, ...[]byte) []byte) []byte {
	moof := m.moof(n, at, 0)
	var data []byte
	for _, t := range m.All() {
		for _, sample := range t.Samples[perFragment*n : perFragment*(n+1)] {
			data = slices.Concat(data, sample)
		}
		if m.Base != BaseIsBefore {
			data = slices.Concat(data, m.Gap)
		}
	}
	data = slices.Concat(data, m.Gap)
	return append(m.moof(n, at, len(moof)+len(box("mdat"))), box("mdat", data)...)
}

// moof returns the index of a fragment at an offset of the file, whose samples are so many bytes after it.
func (m Movie) moof(n, at, after int) []byte {
	each := uint32(m.Duration.Seconds() * trackScale / float64(m.Fragments) / perFragment)
	boxes := [][]byte{Box("mfhd", numbers(0, uint32(n+1)))}
	for i, t := range m.All() {
		const offset, units, size, moof = 0x1, 0x8, 0x200, 0x20000
		header, run := numbers(moof|units, uint32(i+1), each), numbers(offset|size, perFragment, uint32(after))
		switch m.Base {
		case BaseIsMoof:
		case BaseIsStated:
			header, run = numbers(offset|units, uint32(i+1), 0, uint32(at+after), each), numbers(size, perFragment)
		case BaseIsBefore:
			if header = numbers(units, uint32(i+1), each); i > 0 {
				run = numbers(size, perFragment)
			}
		}
		for _, sample := range t.Samples[perFragment*n : perFragment*(n+1)] {
			run = append(run, numbers(uint32(len(sample)))...)
			after += len(sample)
		}
		after += len(m.Gap)
		boxes = append(boxes, Box("traf", Box("tfhd", header), Box("trun", run)))
	}
	return Box("moof", boxes...)
}

// Notes returns what phones add to the index: a place and an owner's comment in boxes udta and
// meta, and a serial number.
func Notes() []byte {
	return slices.Concat(
		Box("udta", Box("\xa9xyz", []byte("\x00\x11\x15\xc7"+Place)), Box("loci", numbers(0, 0), []byte(Place)), Box("\xa9cmt", []byte(Comment))),
		Box("meta", numbers(0), Box("ilst", Box("data", []byte(Owner+Serial)))))
}

// The types of boxes uuid.
const (
	c2paBox = "\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81"
	xmpBox  = "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"
)

// C2PABox returns a box with a C2PA manifest store.
func C2PABox(store []byte) []byte { return Box("uuid", []byte(c2paBox), store) }

// XMPBox returns a box with a packet of XMP.
func XMPBox(packet []byte) []byte { return Box("uuid", []byte(xmpBox), packet) }

package mediatest

import (
	"encoding/binary"
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

// Movie is a video that is to be made. It has no pictures in it that could be played; whoever
// doesn't decode it can't tell.
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
	// Private is more for the index, and at the end of a track.
	Private, TrackPrivate []byte
	// Last is whether the index is after the samples, and Large whether sizes have 64 bits.
	Last, Large bool
	// Fragments is in how many fragments the samples are; 0 is none.
	Fragments int
	// More are boxes at the end.
	More []byte
}

const (
	movieScale = 1000
	trackScale = 90_000
)

// MP4 returns a video of a length and a size in pixels, with H.264 and AAC.
func MP4(duration time.Duration, width, height int) []byte {
	return Movie{Duration: duration, Width: width, Height: height}.Bytes()
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
	data := box("mdat", []byte("samples that nobody decodes"))
	parts := [][]byte{Box("ftyp", []byte(brand), numbers(0x200), []byte(brand), []byte("mp42"))}
	switch {
	case m.Fragments > 0:
		parts = append(parts, m.index())
		for range m.Fragments {
			parts = append(parts, m.fragment(), data)
		}
	case m.Last:
		parts = append(parts, data, m.index())
	default:
		parts = append(parts, m.index(), data)
	}
	return slices.Concat(append(parts, m.More)...)
}

func (m Movie) index() []byte {
	units, more := uint32(m.Duration.Milliseconds()), m.Private
	if m.Fragments > 0 {
		units = 0
		more = slices.Concat(more, Box("mvex", Box("trex", numbers(0, 1, 1, 0, 0, 0))))
	}
	format, sound := m.Format, m.Sound
	if format == "" {
		format = "avc1"
	}
	if sound == "" {
		sound = "mp4a"
	}
	header := Box("mvhd", numbers(0, 0, 0, movieScale, units, 0x10000), make([]byte, 76))
	parts := [][]byte{header, m.track(1, "vide", units, Box(format, make([]byte, 24), binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, uint16(m.Width)), uint16(m.Height)), make([]byte, 50), Box("avcC", []byte{1, 100, 0, 31})))}
	if sound != "-" {
		parts = append(parts, m.track(2, "soun", units, Box(sound, make([]byte, 28), Box("esds", make([]byte, 4), []byte{3, 25, 0, 2, 0, 4, 17, 0x40, 0x15}, make([]byte, 20)))))
	}
	return Box("moov", append(parts, more)...)
}

// track returns a track with one entry of samples.
func (m Movie) track(id uint32, handler string, units uint32, entry []byte) []byte {
	matrix := numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
	if m.Turned {
		matrix = numbers(0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000)
	}
	size := numbers(uint32(m.Width)<<16, uint32(m.Height)<<16)
	if handler != "vide" {
		size = make([]byte, 8)
	}
	table := Box("stbl", Box("stsd", numbers(0, 1), entry), Box("stts", numbers(0, 1, 1, units)), Box("stsz", numbers(0, 0, 1, 27)), Box("stco", numbers(0, 1, 48)))
	return Box("trak",
		Box("tkhd", numbers(7, 0, 0, id, 0, units, 0, 0, 0, 0), matrix, size),
		Box("mdia", Box("mdhd", numbers(0, 0, 0, trackScale, units*(trackScale/movieScale), 0)), Box("hdlr", numbers(0, 0), []byte(handler), make([]byte, 13)), Box("minf", table)),
		m.TrackPrivate)
}

// fragment returns a fragment of two samples, which are an equal share of the movie together.
func (m Movie) fragment() []byte {
	each := uint32(m.Duration.Seconds() * trackScale / float64(m.Fragments) / 2)
	return Box("moof", Box("mfhd", numbers(0, 1)), Box("traf", Box("tfhd", numbers(0x8, 1, each)), Box("trun", numbers(0, 2))))
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

package mediafile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Tags of EXIF that are read.
const (
	tagOrientation = 0x0112
	tagCopyright   = 0x8298
	tagExif        = 0x8769
	tagComment     = 0x9286
	tagInterop     = 0xa005
)

// harmlessEXIF are ranges of tags that a picture may keep: sizes, resolution, make and model,
// software, dates, and how it was exposed. Places, serial numbers, owners, comments, makers'
// notes and whatever else there may be aren't among them.
var harmlessEXIF = [][2]uint16{
	{0x0001, 0x0002}, {0x00fe, 0x0103}, {0x0106, 0x0106}, {0x010f, 0x0110}, {0x0112, 0x0112}, {0x0115, 0x0115}, {0x011a, 0x011c}, {0x0128, 0x0128}, {0x0131, 0x0132}, {0x013e, 0x013f}, {0x0211, 0x0214},
	{0x829a, 0x829d}, {tagCopyright, tagCopyright}, {tagExif, tagExif}, {0x8822, 0x8833}, {0x9000, 0x9209}, {0x920a, 0x920a}, {0x9290, 0x9292}, {0xa000, 0xa003}, {tagInterop, tagInterop},
	{0xa20e, 0xa210}, {0xa217, 0xa217}, {0xa300, 0xa302}, {0xa401, 0xa40c}, {0xa432, 0xa434},
}

// maxEntries bounds the entries that are read of a directory; a real one has fewer than 100.
const maxEntries = 500

// maxBelow is how many directories there are below the first one: EXIF's own, and one below it.
const maxBelow = 2

// addEXIF reads a block of EXIF, which is a TIFF: the orientation, the copyright, and whether it
// has anything that isn't known to be harmless. What can't be read is private.
func (m *metadata) addEXIF(data []byte) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("II*\x00")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("MM\x00*")):
		order = binary.BigEndian
	}
	if order == nil || len(data) < 8 {
		m.private = true
		return
	}
	const head = 8
	x := exif{data: data, order: order, used: spans{{0, head}}}
	// A second directory has a thumbnail.
	next := x.directory(m, order.Uint32(data[4:]))
	if next != 0 {
		m.private = true
	}
	for i := 0; i < len(x.below); i++ {
		if x.directory(m, x.below[i]) != 0 {
			m.private = true
		}
	}
	// What nothing refers to was perhaps removed, but for its bytes.
	m.private = m.private || !x.used.cover(data)
}

// exif is a TIFF and the directories that others name: maxBelow at most, whether or not they
// are loops.
type exif struct {
	data  []byte
	order binary.ByteOrder
	below []uint32
	used  spans // the bytes that something refers to
}

// directory reads the entries of a directory and returns where the next one is.
func (x *exif) directory(m *metadata, at uint32) (next uint32) {
	const size = 12
	if uint64(at)+2 > uint64(len(x.data)) {
		m.private = true
		return 0
	}
	rest := x.data[at:]
	n := int(x.order.Uint16(rest))
	rest = rest[2:]
	x.used.add(uint64(at), uint64(2+min(n, maxEntries)*size+4), int64(len(x.data)))
	if n > maxEntries || n*size > len(rest) {
		m.private = true
		n = min(n, maxEntries, len(rest)/size)
	}
	for i := range n {
		x.entry(m, rest[i*size:(i+1)*size])
	}
	if rest = rest[n*size:]; len(rest) < 4 {
		return 0
	}
	return x.order.Uint32(rest)
}

// entry reads one entry: a tag, a type, a count, and a value or where it is.
func (x *exif) entry(m *metadata, e []byte) {
	tag := x.order.Uint16(e)
	switch tag {
	case tagOrientation:
		if o := x.number(e); o >= 1 && o <= 8 && m.orientation == 0 {
			m.orientation = int(o)
		}
	case tagExif, tagInterop:
		if len(x.below) < maxBelow {
			x.below = append(x.below, x.number(e))
		} else {
			m.private = true
		}
	case tagCopyright:
		m.copyright = cmp.Or(m.copyright, x.text(e))
	case tagComment: // it is private, but for a label
		m.addComment([]byte(x.text(e)), x.order)
	}
	known := slices.ContainsFunc(harmlessEXIF, func(r [2]uint16) bool { return tag >= r[0] && tag <= r[1] })
	if !known || !x.use(e) {
		m.private = true
	}
}

// number returns an entry's number, 0 if it has none. A reader takes any unsigned type for a number (TIFF 6.0, section 2), so
// also where EXIF wants one of them, such as SHORT for an orientation.
func (x *exif) number(e []byte) uint32 {
	const byteType, short, long = 1, 3, 4
	switch x.order.Uint16(e[2:]) {
	case byteType:
		return uint32(e[8])
	case short:
		return uint32(x.order.Uint16(e[8:]))
	case long:
		return x.order.Uint32(e[8:])
	}
	return 0
}

// exifSizes are the sizes of a value by its type, from 1 on (TIFF 6.0, section 2).
var exifSizes = []uint64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8}

// use notes which bytes are an entry's value, and reports whether it is one that harmless tags have.
func (x *exif) use(e []byte) bool {
	const ascii, mostText, most, inline = 2, 1024, 256, 4
	kind, n := int(x.order.Uint16(e[2:])), uint64(x.order.Uint32(e[4:]))
	if kind == 0 || kind >= len(exifSizes) {
		return false
	}
	size := exifSizes[kind] * n
	if size <= inline {
		return isZero(e[8+size:])
	}
	from := uint64(x.order.Uint32(e[8:]))
	x.used.add(from, size, int64(len(x.data)))
	return from+size <= uint64(len(x.data)) && (size <= most || kind == ascii && size <= mostText)
}

// text returns an entry's text; "" if it isn't in the data.
func (x *exif) text(e []byte) string {
	n, from := x.order.Uint32(e[4:]), x.order.Uint32(e[8:])
	const inline = 4
	if n <= inline {
		return string(bytes.TrimRight(e[8:8+n], "\x00"))
	}
	if uint64(from)+uint64(n) > uint64(len(x.data)) {
		return ""
	}
	return string(bytes.TrimRight(x.data[from:from+n], "\x00"))
}

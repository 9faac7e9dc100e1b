package mediatest

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// WithProperties returns a HEIC whose items all have further properties. The box meta becomes the last one, so that everything else
// stays where it is.
func WithProperties(file []byte, properties ...[]byte) []byte {
	file = slices.Clone(file)
	const head, full = 8, 4
	next := func(data []byte) (kind string, inside, rest []byte) {
		n := binary.BigEndian.Uint32(data)
		return string(data[4:head]), data[head:n], data[n:]
	}
	var meta []byte
	for rest := file; len(rest) > 0; {
		var kind string
		begin := rest
		if kind, meta, rest = next(rest); kind == "meta" {
			copy(begin[4:], "free")
			break
		}
	}
	all := [][]byte{meta[:full]}
	for rest := meta[full:]; len(rest) > 0; {
		var kind string
		var inside []byte
		if kind, inside, rest = next(rest); kind == "iprp" {
			_, stored, after := next(inside)
			_, associations, _ := next(after)
			container := Box("ipco", append([][]byte{stored}, properties...)...)
			inside = append(container, Box("ipma", associated(stored, associations, len(properties)))...)
		}
		all = append(all, Box(kind, inside))
	}
	return append(file, Box("meta", all...)...)
}

// associated returns the associations of items, in short form, with n more properties after those that are stored.
func associated(stored, associations []byte, n int) []byte {
	count := 0
	for rest := stored; len(rest) > 0; count++ {
		rest = rest[binary.BigEndian.Uint32(rest):]
	}
	const head, item = 8, 2
	all := bytes.Clone(associations[:head])
	for rest := associations[head:]; len(rest) > 0; {
		of := int(rest[item])
		all = append(append(all, rest[:item]...), byte(of+n))
		all = append(all, rest[item+1:item+1+of]...)
		for i := range n {
			all = append(all, byte(count+i+1))
		}
		rest = rest[item+1+of:]
	}
	return all
}

// CodesBox returns a property of a HEIC with codes of ITU-T H.273 for its colors.
func CodesBox(primaries, transfer, matrix uint16, full bool) []byte {
	b := []byte("nclx")
	for _, v := range []uint16{primaries, transfer, matrix} {
		b = binary.BigEndian.AppendUint16(b, v)
	}
	if full {
		return Box("colr", append(b, 0x80))
	}
	return Box("colr", append(b, 0))
}

// ProfileBox returns a property of a HEIC with a color profile.
func ProfileBox(profile []byte) []byte { return Box("colr", append([]byte("prof"), profile...)) }

package mediafile

import (
	"bytes"
	"encoding/binary"
)

// c2paBox is the type of the boxes uuid that have a C2PA manifest store, xmpBox that of XMP.
var (
	c2paBox = []byte("\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81")
	xmpBox  = []byte("\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac")
)

// Bounds of boxes: how many are walked through in a file, and how deep they lie.
const (
	maxBoxes = 20_000
	maxDepth = 10
)

// box is one box of a file in memory: its type, its header with its content, and the content.
type box struct {
	kind          string
	whole, inside []byte
}

// nextBox returns the box that data begins with. Its size is 32 bits, 64, or to the end.
func nextBox(data []byte) (b box, rest []byte, err error) {
	const short, long = 8, 16
	if len(data) < short {
		return b, nil, damaged("the end of a box is missing")
	}
	size, head := uint64(binary.BigEndian.Uint32(data)), uint64(short)
	switch {
	case size == 1 && len(data) >= long:
		size, head = binary.BigEndian.Uint64(data[short:]), long
	case size == 0:
		size = uint64(len(data))
	}
	if size < head || size > uint64(len(data)) {
		return b, nil, damaged("a box states a size of %d bytes where there are %d", size, len(data))
	}
	return box{kind: string(data[4:short]), whole: data[:size], inside: data[head:size]}, data[size:], nil
}

// boxWalk visits the boxes of a file, maxBoxes at most.
type boxWalk struct{ boxes int }

// each visits the boxes of data, which lie at a depth.
func (w *boxWalk) each(data []byte, depth int, visit func(box) error) error {
	if depth > maxDepth {
		return damaged("its boxes lie too deep in one another")
	}
	// Apple ends some lists by four zeros.
	for len(data) > 0 && !bytes.Equal(data, make([]byte, 4)) {
		b, rest, err := nextBox(data)
		if err != nil {
			return err
		}
		if w.boxes++; w.boxes > maxBoxes {
			return damaged("it has more than %d boxes", maxBoxes)
		}
		if err := visit(b); err != nil {
			return err
		}
		data = rest
	}
	return nil
}

// scanHEIC reads the properties of a HEIC's pictures: the size of the largest, the color profile,
// and what is said of its making. Its turn is applied by the decoder.
func scanHEIC(file []byte) (s scan, err error) {
	s.plain = true
	w := &boxWalk{}
	err = w.each(file, 0, func(b box) error {
		switch b.kind {
		case "meta":
			if len(b.inside) < 4 {
				return damaged("a box is too short")
			}
			return s.heicProperties(w, b.inside[4:], 1)
		case "uuid":
			if after, ok := bytes.CutPrefix(b.inside, c2paBox); ok {
				s.meta.addC2PA(after)
			}
		}
		return nil
	})
	if err == nil && s.width == 0 {
		err = damaged("it has no picture")
	}
	s.meta.addXMP(embeddedXMP(file))
	return s, err
}

// heicProperties reads the properties below a box.
func (s *scan) heicProperties(w *boxWalk, data []byte, depth int) error {
	return w.each(data, depth, func(b box) error {
		switch b.kind {
		case "iprp", "ipco":
			return s.heicProperties(w, b.inside, depth+1)
		case "ispe":
			const size = 12
			if len(b.inside) < size {
				return damaged("a box is too short")
			}
			s.atLeast(int(binary.BigEndian.Uint32(b.inside[4:])), int(binary.BigEndian.Uint32(b.inside[8:])))
		case "colr":
			if after, ok := bytes.CutPrefix(b.inside, []byte("prof")); ok {
				s.meta.profile = after
			}
		}
		return nil
	})
}

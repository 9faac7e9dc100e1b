package mediafile

import "encoding/binary"

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
	// Fewer bytes than a box has may follow the last one: Apple ends some lists by four zeros.
	const head = 8
	for len(data) >= head {
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

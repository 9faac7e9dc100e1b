package mediafile

import (
	"encoding/binary"
)

// table is where a track's samples are: the contents of the boxes stsz or stz2, stsc, and stco or
// co64 (ISO 14496-12, 8.7), and how long they are (stts).
type table struct {
	sizes, compact, chunks, offsets, largeOffsets, times []byte
}

// take takes the content of a box of a table.
func (t *table) take(b box) {
	switch b.kind {
	case "stsz":
		t.sizes = b.inside
	case "stz2":
		t.compact = b.inside
	case "stsc":
		t.chunks = b.inside
	case "stco":
		t.offsets = b.inside
	case "co64":
		t.largeOffsets = b.inside
	case "stts":
		t.times = b.inside
	}
}

// number returns the i-th number of 32 bits of a box; 0 if it isn't there.
func number(b []byte, i int) uint32 {
	if i < 0 || len(b) < 4*i+4 {
		return 0
	}
	return binary.BigEndian.Uint32(b[4*i:])
}

// sizesOf are the sizes of a table's samples. What a table states is not what it has: nothing
// here takes longer than its bytes.
type sizesOf struct {
	each uint32 // of all, if it isn't 0
	left uint64 // samples that weren't taken
	bits int    // of one, if each is 0: 4, 8, 16 or 32
	data []byte
	at   int // sample
}

// sizer returns the sizes of a table's samples. ok is false if they aren't there.
func (t *table) sizer() (s sizesOf, ok bool) {
	const head = 12
	switch {
	case len(t.sizes) >= head:
		s = sizesOf{each: number(t.sizes, 1), left: uint64(number(t.sizes, 2)), bits: 32, data: t.sizes[head:]}
	case len(t.compact) >= head:
		s = sizesOf{left: uint64(number(t.compact, 2)), bits: int(t.compact[7]), data: t.compact[head:]}
	default:
		return s, false
	}
	known := s.bits == 4 || s.bits == 8 || s.bits == 16 || s.bits == 32
	return s, known && (s.each != 0 || s.left*uint64(s.bits) <= uint64(len(s.data))*8)
}

// take returns the size of the next n samples together, of those that there are.
func (s *sizesOf) take(n uint32) (sum uint64) {
	taken := min(uint64(n), s.left)
	s.left -= taken
	if s.each != 0 {
		return taken * uint64(s.each)
	}
	for range taken {
		sum += uint64(s.next())
	}
	return sum
}

// next returns the size of the next sample.
func (s *sizesOf) next() uint32 {
	i := s.at
	s.at++
	switch s.bits {
	case 4:
		return uint32(s.data[i/2]>>(4*(1-i%2))) & 0xf
	case 8:
		return uint32(s.data[i])
	case 16:
		return uint32(binary.BigEndian.Uint16(s.data[2*i:]))
	default:
		return number(s.data, i)
	}
}

// chunk returns where the i-th chunk is; ok is false if there is none.
func (t *table) chunk(i int) (at uint64, ok bool) {
	const head = 8
	switch {
	case len(t.offsets) >= head:
		return uint64(number(t.offsets, 2+i)), i < min(int(number(t.offsets, 1)), (len(t.offsets)-head)/4)
	case len(t.largeOffsets) >= head && i < min(int(number(t.largeOffsets, 1)), (len(t.largeOffsets)-head)/8):
		return binary.BigEndian.Uint64(t.largeOffsets[head+8*i:]), true
	}
	return 0, false
}

// addTo adds where the samples are to spans of a file of size bytes. The table of a track whose
// samples are in fragments is empty. The error is that of a table that doesn't say where they are,
// or of too many spans.
func (t *table) addTo(s *spans, size int64) error {
	sizes, ok := t.sizer()
	if !ok {
		return damaged("a track doesn't say where its samples are")
	}
	run, runs := 0, min(int(number(t.chunks, 1)), (max(len(t.chunks), 8)-8)/12)
	for i := 0; sizes.left > 0; i++ {
		at, ok := t.chunk(i)
		if !ok {
			return nil // the others aren't anywhere
		}
		// A run of chunks begins with the chunk of its number, from 1, and ends before the next run.
		for run+1 < runs && uint64(number(t.chunks, 2+3*(run+1))) <= uint64(i)+1 {
			run++
		}
		if run >= runs || run == 0 && number(t.chunks, 2) != 1 {
			return damaged("a track doesn't say where its samples are")
		}
		if !s.add(at, sizes.take(number(t.chunks, 3+3*run)), size) {
			return tooManySpans()
		}
	}
	return nil
}

// tooManySpans refuses a video whose samples are in more places than are kept in memory.
func tooManySpans() error {
	return refuse(CodeTooLarge, "The video's samples are in more than %d places.", maxSpans)
}

// lengths returns how many samples there are, and how long they are together, in the track's units.
func (t *table) lengths() (samples, units uint64) {
	for i := range min(int(number(t.times, 1)), (max(len(t.times), 8)-8)/8) {
		n := uint64(number(t.times, 2+2*i))
		samples += n
		units += n * uint64(number(t.times, 3+2*i))
	}
	return samples, units
}

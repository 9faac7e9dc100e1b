package mediafile

import (
	"encoding/binary"
)

// codes are those of a table of Huffman's (ITU-T T.81, annex C).
type codes struct {
	table []byte // as it is in the file
	used  bool
	// short are, for the next 8 bits, the length of a code that they begin with, and its symbol.
	short [256]struct{ length, symbol byte }
	// most are the greatest code of each length, below and first the index of its least one's symbol; most is -1 for
	// none.
	most, first [17]int32
	symbols     []byte
}

// newCodes returns the codes of a table: its kind, how many codes there are of each length from 1 to 16, and their
// symbols. It returns nil if they can't be a picture's.
func newCodes(table []byte) *codes {
	const head, longest, shortest = 17, 16, 8
	h := &codes{table: table, symbols: table[head:]}
	isAC := table[0]>>4 == 1
	var seen [256]bool
	for _, symbol := range h.symbols {
		const mostDC, mostAC = 11, 10 // bits of a coefficient of 8 bits a sample
		if seen[symbol] || isAC && symbol&15 > mostAC || !isAC && symbol > mostDC {
			return nil
		}
		seen[symbol] = true
	}
	code, next := int32(0), int32(0)
	for length := 1; length <= longest; length++ {
		n := int32(table[length])
		h.first[length], h.most[length] = next-code, -1
		for range n {
			if code >= 1<<length {
				return nil
			}
			if length <= shortest {
				for i := range 1 << (shortest - length) {
					at := int(code)<<(shortest-length) + i
					h.short[at].length, h.short[at].symbol = byte(length), h.symbols[next]
				}
			}
			h.most[length] = code
			code++
			next++
		}
		code <<= 1
	}
	return h
}

// bitReader reads the coded data of a scan, up to a marker.
type bitReader struct {
	data []byte
	at   int
	// next are the next left bits, from the highest on.
	next uint64
	left int
}

// fill reads bytes until there are at least 32 bits, or a marker.
func (r *bitReader) fill() {
	const most = 56
	for r.left <= most && r.at < len(r.data) {
		b := r.data[r.at]
		if b == 0xff {
			if r.at+1 == len(r.data) || r.data[r.at+1] != 0 {
				return
			}
			r.at++ // a zero that says that it isn't a marker
		}
		r.at++
		r.next |= uint64(b) << (most - r.left)
		r.left += 8
	}
}

// code returns the symbol of the next code. ok is false if there is none.
func (r *bitReader) code(h *codes) (symbol byte, ok bool) {
	const least, longest = 16, 16
	if r.left < least {
		r.fill()
	}
	if short := h.short[r.next>>56]; short.length > 0 {
		return short.symbol, r.take(int(short.length))
	}
	for length := 9; length <= longest; length++ {
		if code := int32(r.next >> (64 - length)); code <= h.most[length] {
			return h.symbols[h.first[length]+code], r.take(length)
		}
	}
	return 0, false
}

// take takes n bits that were filled.
func (r *bitReader) take(n int) bool {
	r.next <<= n
	r.left -= n
	return r.left >= 0
}

// bits returns the next n bits, 16 at most.
func (r *bitReader) bits(n int) (v int, ok bool) {
	if r.left < n {
		r.fill()
	}
	v = int(r.next >> 48 >> (16 - n))
	return v, r.take(n)
}

// value returns the value of a coefficient of so many bits (F.2.2.1).
func (r *bitReader) value(size int) (v int, ok bool) {
	if v, ok = r.bits(size); size > 0 && v < 1<<(size-1) {
		v -= 1<<size - 1
	}
	return v, ok
}

// ends reports whether nothing is left but bits that fill up a byte, and a marker follows.
func (r *bitReader) ends() bool {
	r.fill()
	const marker = 2
	return r.left < 8 && len(r.data)-r.at >= marker && binary.BigEndian.Uint16(r.data[r.at:])>>8 == 0xff
}

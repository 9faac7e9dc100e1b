package mediafile

// lzw walks through the codes of a GIF's image, without its pixels (GIF89a, appendix F).
type lzw struct {
	data []byte
	at   int // bits that were read
	bits int // of a code
	// lengths are how many pixels each code stands for; next is the code that is defined next.
	lengths [4096]uint32
	next    int
	before  uint32 // pixels of the last code; 0 after the table was cleared
}

// codesEnd returns how many bytes of an image's data its pixels need; width is the number of bits in which its codes
// begin. What follows them no decoder reads.
func codesEnd(data []byte, width, pixels int) int {
	const most = 8
	if width < 1 || width > most {
		return 0
	}
	c := &lzw{data: data}
	empty := 1 << width
	c.clear(empty)
	for count := 0; ; {
		from := c.at
		code := c.code()
		switch {
		case code < 0: // it ends too early
			return len(data)
		case code == empty:
			c.clear(empty)
			continue
		case code == empty+1:
			return (c.at + 7) / 8
		}
		n, ok := c.pixels(code, empty)
		if !ok || count >= pixels {
			return (from + 7) / 8
		}
		count += int(n)
	}
}

// clear clears the table, whose codes of one pixel are those below empty.
func (c *lzw) clear(empty int) {
	c.next, c.before, c.bits = empty+2, 0, 1
	for 1<<c.bits <= empty+1 {
		c.bits++
	}
}

// code returns the next code; -1 if there is none.
func (c *lzw) code() (code int) {
	if c.at+c.bits > 8*len(c.data) {
		return -1
	}
	for i := range c.bits {
		code |= int(c.data[(c.at+i)/8]>>((c.at+i)%8)&1) << i
	}
	c.at += c.bits
	return code
}

// pixels returns how many pixels a code stands for, and defines the next one. ok is false if it isn't one.
func (c *lzw) pixels(code, empty int) (n uint32, ok bool) {
	switch {
	case code < empty:
		n = 1
	case code < c.next:
		n = c.lengths[code]
	case code == c.next && c.before > 0:
		n = c.before + 1
	default:
		return 0, false
	}
	if c.before > 0 && c.next < len(c.lengths) {
		c.lengths[c.next] = c.before + 1
		if c.next++; c.next == 1<<c.bits && c.next < len(c.lengths) {
			c.bits++
		}
	}
	c.before = n
	return n, true
}

// trimmed returns the blocks of an image's data without what follows its codes. width is the number of bits in which
// these begin.
func trimmed(blocks []byte, width, pixels int) []byte {
	var data []byte
	for rest := blocks; len(rest) > 0 && rest[0] != 0; rest = rest[1+int(rest[0]):] {
		data = append(data, rest[1:1+int(rest[0])]...)
	}
	n := codesEnd(data, width, pixels)
	if n == len(data) {
		return blocks
	}
	const most = 255
	var kept []byte
	for data = data[:n]; len(data) > 0; {
		size := min(most, len(data))
		kept = append(append(kept, byte(size)), data[:size]...)
		data = data[size:]
	}
	return append(kept, 0)
}

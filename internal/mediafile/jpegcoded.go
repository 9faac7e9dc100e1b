package mediafile

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// coded is the coded picture of a JPEG: its tables and coefficients, which are walked through. It tells where the
// coded data ends, so that what follows isn't taken for pixels, and which tables nobody uses.
type coded struct {
	// keeps reports whether the coefficients are kept, for picture. Then what is wrong doesn't end the walk, unless units
	// are missing: partial reports whether any are.
	keeps, partial bool
	progressive    bool
	// width and height are in pixels, across and down how many samples a component has at most beside another.
	width, height, across, down int
	components                  []component
	quantizers                  [4]*quantizer
	codes                       [2][4]*codes // of DC and AC coefficients
	restart                     int          // how many units are between two restarts; 0 for none
	scans                       int
	// unknown reports whether anything isn't a part of the picture, or isn't known.
	unknown bool
}

// component is one of a picture's: its blocks of 8 × 8 samples.
type component struct {
	id, quantizer byte
	across, down  int // samples beside those of others
	wide, high    int // blocks, without those that fill up units of several components
	// coefficients are, for each block, those that aren't zero so far: a bit for each. Only progressive pictures
	// have them.
	coefficients []uint64
	// values are the coefficients that are kept, stride blocks a row, with those that fill up units; table is what they are
	// multiplied by.
	values []block
	stride int
	table  *quantizer
}

// block are a block's coefficients, in the order in which they are coded.
type block [64]int16

// quantizer is a table of quantization.
type quantizer struct {
	values []byte
	used   bool
}

// maxScans bounds the scans of a picture; encoders make fewer than 70.
const maxScans = 100

// frame reads a frame header (ITU-T T.81, B.2.2).
func (c *coded) frame(marker byte, payload []byte) {
	const head, each, baseline, extended, progressive = 6, 3, 0xc0, 0xc1, 0xc2
	n := int(payload[5])
	if len(payload) != head+each*n || payload[0] != 8 || marker != baseline && marker != extended && marker != progressive {
		c.unknown = true
		return
	}
	c.progressive = marker == progressive
	c.height, c.width = int(binary.BigEndian.Uint16(payload[1:])), int(binary.BigEndian.Uint16(payload[3:]))
	for i := range n {
		of := payload[head+each*i:]
		k := component{id: of[0], across: int(of[1] >> 4), down: int(of[1] & 15), quantizer: of[2]}
		if k.across == 0 || k.across > 4 || k.down == 0 || k.down > 4 || k.quantizer > 3 {
			c.unknown, c.components = true, nil
			return
		}
		c.across, c.down = max(c.across, k.across), max(c.down, k.down)
		c.components = append(c.components, k)
	}
	for i := range c.components {
		k := &c.components[i]
		k.wide, k.high = blocks(c.width*k.across, c.across), blocks(c.height*k.down, c.down)
		k.stride = blocks(c.width, c.across) * k.across
		// Few programs decode others: libjpeg doesn't.
		c.unknown = c.unknown || c.across%k.across != 0 || c.down%k.down != 0
	}
}

// blocks returns how many blocks so many samples need, each of which is divided.
func blocks(samples, by int) int { return ((samples+by-1)/by + 7) / 8 }

// quantization reads a segment DQT.
func (c *coded) quantization(payload []byte) {
	for len(payload) > 0 {
		kind, size := payload[0], 64*(1+int(payload[0]>>4))
		if kind>>4 > 1 || kind&15 > 3 || len(payload) < 1+size {
			c.unknown = true
			return
		}
		values := payload[:1+size]
		payload = payload[1+size:]
		at := &c.quantizers[kind&15]
		if *at != nil && bytes.Equal((*at).values, values) {
			continue
		}
		c.unknown = c.unknown || *at != nil
		*at = &quantizer{values: values}
	}
}

// huffman reads a segment DHT.
func (c *coded) huffman(payload []byte) {
	const head = 17
	for len(payload) > 0 {
		n := 0
		if len(payload) >= head {
			for _, count := range payload[1:head] {
				n += int(count)
			}
		}
		kind := payload[0]
		if len(payload) < head+n || kind>>4 > 1 || kind&15 > 3 {
			c.unknown = true
			return
		}
		table := payload[:head+n]
		payload = payload[head+n:]
		at := &c.codes[kind>>4][kind&15]
		if *at != nil && bytes.Equal((*at).table, table) {
			continue
		}
		c.unknown = c.unknown || *at != nil && !(*at).used
		if *at = newCodes(table); *at == nil {
			c.unknown = true
			return
		}
	}
}

// finish notes tables that nobody has used.
func (c *coded) finish() {
	for _, k := range c.components {
		if q := c.quantizers[k.quantizer]; q != nil {
			q.used = true
		}
	}
	for _, q := range c.quantizers {
		c.unknown = c.unknown || q != nil && !q.used
	}
	for _, of := range c.codes {
		for _, h := range of {
			c.unknown = c.unknown || h != nil && !h.used
		}
	}
}

// scanned is a scan: some coefficients of some components, and some of their bits.
type scanned struct {
	*coded

	parts    []part
	from, to int  // the coefficients
	refines  bool // they have had bits before
	low      int  // which of their bits are the last
	in       bitReader
	run      int   // blocks that have no more coefficients
	spare    block // for what isn't kept
}

// part is a component in a scan.
type part struct {
	*component

	dc, ac *codes
	mean   int // the last DC coefficient
}

// scan walks through a scan, whose header and data are given, and returns what follows its data. If this can't be
// told, unknown is true after it, and what follows is the next marker.
func (c *coded) scan(header, data []byte) (rest []byte) {
	s := scanned{coded: c, in: bitReader{data: data}}
	c.scans++
	if c.unknown && !c.keeps || c.scans > maxScans || !s.read(header) || !s.walk() {
		c.unknown, c.partial = true, true
	}
	if c.unknown {
		return afterEntropy(data[s.in.at:])
	}
	return data[s.in.at:]
}

// read reads a scan's header (B.2.3).
func (s *scanned) read(header []byte) bool {
	const limits = 3
	if len(header) < 1 || len(header) != 1+2*int(header[0])+limits || header[0] == 0 {
		return false
	}
	for of := header[1 : len(header)-limits]; len(of) > 0; of = of[2:] {
		at := slices.IndexFunc(s.components, func(k component) bool { return k.id == of[0] })
		if at < 0 || of[1]>>4 > 3 || of[1]&15 > 3 {
			return false
		}
		s.parts = append(s.parts, part{component: &s.components[at], dc: s.codes[0][of[1]>>4], ac: s.codes[1][of[1]&15]})
	}
	return s.limit(header[len(header)-limits:])
}

// limit reads which coefficients a scan has: the first, the last, and which of their bits.
func (s *scanned) limit(limits []byte) bool {
	const last = 63
	s.from, s.to, s.refines = int(limits[0]), int(limits[1]), s.progressive && limits[2]>>4 != 0
	s.low = int(limits[2] & 15)
	switch {
	case !s.progressive:
		return s.from == 0 && s.to == last && limits[2] == 0 && s.uses(true, true)
	case s.from > s.to || s.to > last:
		return false
	case s.from == 0:
		return s.to == 0 && s.uses(!s.refines, false)
	}
	return len(s.parts) == 1 && s.uses(false, true)
}

// uses notes the codes that a scan uses, and reports whether they are there.
func (s *scanned) uses(dc, ac bool) bool {
	for _, p := range s.parts {
		if dc && p.dc == nil || ac && p.ac == nil {
			return false
		}
		if dc {
			p.dc.used = true
		}
		if ac {
			p.ac.used = true
		}
		if s.progressive && p.coefficients == nil {
			p.coefficients = make([]uint64, p.wide*p.high)
		}
		if s.keeps && p.values == nil {
			p.values = make([]block, p.stride*blocks(s.height, s.down)*p.down)
			p.table = s.quantizers[p.quantizer]
		}
	}
	return true
}

// walk walks through all units of a scan: a block of a component that is alone, or else as many blocks of each as it
// has samples beside the others. It reports whether they are there; unknown is true if anything else is.
func (s *scanned) walk() bool {
	alone := len(s.parts) == 1
	wide, high := blocks(s.width, s.across), blocks(s.height, s.down)
	if alone {
		wide, high = s.parts[0].wide, s.parts[0].high
	}
	for unit := range wide * high {
		if s.restart > 0 && unit > 0 && unit%s.restart == 0 && !s.restarts(unit) {
			return false
		}
		x, y := unit%wide, unit/wide
		for i := range s.parts {
			p := &s.parts[i]
			across, down := p.across, p.down
			if alone {
				across, down = 1, 1
			}
			for j := range across * down {
				if !s.block(p, x*across+j%across, y*down+j/across) {
					return false
				}
			}
		}
	}
	s.unknown = s.unknown || s.run != 0 || !s.in.ends()
	return true
}

// restarts takes the marker before a unit, and what ends before it.
func (s *scanned) restarts(unit int) bool {
	const first, marker = 0xd0, 2
	ends := s.run == 0 && s.in.ends()
	skipped := bytes.Index(s.in.data[s.in.at:], []byte{0xff, first + byte(unit/s.restart-1)&7})
	if s.unknown = s.unknown || !ends || skipped != 0; skipped < 0 || s.unknown && !s.keeps {
		return false
	}
	s.in, s.run = bitReader{data: s.in.data, at: s.in.at + skipped + marker}, 0
	for i := range s.parts {
		s.parts[i].mean = 0
	}
	return true
}

package mediafile

import "math/bits"

// block walks through a block of a component, whose place is given in blocks: the coefficients that the scan has of it.
func (s *scanned) block(p *part, x, y int) bool {
	b := &s.spare
	if s.keeps {
		b = &p.values[y*p.stride+x]
	}
	switch {
	case !s.progressive:
		return s.sequential(p, b)
	case s.from == 0 && s.refines:
		bit, ok := s.in.bits(1)
		b[0] |= int16(bit << s.low)
		return ok
	case s.from == 0:
		return s.first(p, b)
	case s.refines:
		return s.refined(p.ac, b, &p.coefficients[y*p.wide+x])
	default:
		return s.begun(p.ac, b, &p.coefficients[y*p.wide+x])
	}
}

// first walks through the DC coefficient of a block, which is the difference from the last one (F.2.2.1).
func (s *scanned) first(p *part, b *block) bool {
	size, ok := s.in.code(p.dc)
	if !ok {
		return false
	}
	difference, ok := s.in.value(int(size))
	p.mean += difference
	b[0] = int16(p.mean << s.low)
	return ok
}

// sequential walks through all coefficients of a block (F.2.2).
func (s *scanned) sequential(p *part, b *block) bool {
	if !s.first(p, b) {
		return false
	}
	const last, skips = 63, 15
	for k := 1; k <= last; k++ {
		symbol, ok := s.in.code(p.ac)
		run, size := int(symbol>>4), int(symbol&15)
		if !ok {
			return false
		}
		if size == 0 && run != skips {
			return true
		}
		v, ok := s.in.value(size)
		if k += run; !ok || k > last {
			return false
		}
		b[k] = int16(v)
	}
	return true
}

// begun walks through the first bits of a block's coefficients (G.1.2.2).
func (s *scanned) begun(h *codes, b *block, coefficients *uint64) bool {
	if s.run > 0 {
		s.run--
		return true
	}
	const skips = 15
	for k := s.from; k <= s.to; k++ {
		symbol, ok := s.in.code(h)
		run, size := int(symbol>>4), int(symbol&15)
		switch {
		case !ok:
			return false
		case size == 0 && run != skips:
			more, ok := s.in.bits(run)
			s.run = 1<<run + more - 1
			return ok
		}
		if k += run; k > s.to {
			return false
		}
		v, ok := s.in.value(size)
		if !ok {
			return false
		}
		if size > 0 {
			b[k] = int16(v << s.low)
			*coefficients |= 1 << k
		}
	}
	return true
}

// refined walks through one more bit of a block's coefficients (G.1.2.3).
func (s *scanned) refined(h *codes, b *block, coefficients *uint64) bool {
	const skips = 15
	k := s.from
	for s.run == 0 && k <= s.to {
		symbol, ok := s.in.code(h)
		run, size := int(symbol>>4), int(symbol&15)
		if !ok || size > 1 {
			return false
		}
		if size == 0 && run != skips {
			more, ok := s.in.bits(run)
			if s.run = 1<<run + more; !ok {
				return false
			}
			break
		}
		v, ok := s.in.value(size) // its sign
		if !ok {
			return false
		}
		if k, ok = s.passed(b, *coefficients, k, run); !ok || size > 0 && k > s.to {
			return false
		}
		if size > 0 {
			b[k] = int16(v << s.low)
			*coefficients |= 1 << k
		}
		k++
	}
	if s.run == 0 {
		return true
	}
	s.run--
	const last = 63
	return s.corrected(b, *coefficients>>k<<k<<(last-s.to)>>(last-s.to))
}

// corrected walks through one more bit of coefficients that aren't zero: a bit says which.
func (s *scanned) corrected(b *block, which uint64) bool {
	for ; which != 0; which &= which - 1 {
		bit, ok := s.in.bits(1)
		if !ok {
			return false
		}
		v := &b[bits.TrailingZeros64(which)]
		if *v < 0 {
			bit = -bit
		}
		*v += int16(bit << s.low)
	}
	return true
}

// passed walks through the bits of the coefficients from k on that aren't zero, up to one that is after run others.
func (s *scanned) passed(b *block, coefficients uint64, k, run int) (next int, ok bool) {
	for ; k <= s.to; k++ {
		switch isZero := coefficients>>k&1 == 0; {
		case isZero && run == 0:
			return k, true
		case isZero:
			run--
		case !s.corrected(b, 1<<k):
			return k, false
		}
	}
	return k, true
}

package mediatest

// SampledSide is the side of a patch of Sampled in pixels: a multiple of that of each component's blocks, whatever its factors.
const SampledSide = 96

// Sampled is a JPEG whose components are sampled in their own ways.
type Sampled struct {
	// Factors are those of each component: across in the upper four bits, down in the lower ones.
	Factors []byte
	// Names are those of the components; nil for 1, 2, 3 and 4.
	Names string
	// Transform is that of Adobe's segment, as for PatchJPEG.
	Transform int
	// Alone reports whether each component has a scan of its own, Progressive whether means come bit by bit, and the rest after them.
	Alone, Progressive bool
	// Restart is how many units are between two restarts; 0 for none.
	Restart int
}

// JPEG returns a JPEG of patches side by side, each of one color: its values, which are stored exactly and as they are. The last patch
// lacks a few columns, all lack a few rows.
func (s Sampled) JPEG(patches ...[]uint8) []byte {
	const lacks, baseline, progressive = 5, 0xc0, 0xc2
	width, height := len(patches)*SampledSide-lacks, SampledSide-lacks
	p := sampler{Sampled: s, patches: patches, width: width, height: height}
	if s.Transform >= 0 {
		p.file = Segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(s.Transform)))
	}
	p.file = append(append([]byte{0xff, 0xd8}, p.file...), patchTables()...)
	frame := []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), byte(len(s.Factors))}
	all := make([]int, len(s.Factors))
	for i, f := range s.Factors {
		all[i] = i
		frame = append(frame, p.name(i), f, 0)
		p.across, p.down = max(p.across, int(f>>4)), max(p.down, int(f&15))
	}
	if s.Progressive {
		p.file = append(p.file, Segment(progressive, frame)...)
	} else {
		p.file = append(p.file, Segment(baseline, frame)...)
	}
	if s.Restart > 0 {
		p.file = append(p.file, Segment(0xdd, []byte{byte(s.Restart >> 8), byte(s.Restart)})...)
	}
	switch {
	case s.Progressive:
		p.scans(all, 0, 0, 0x04)
		p.scans(all, 0, 0, 0x43)
		for i := range all {
			p.scan([]int{i}, 1, 63, 0)
		}
	default:
		p.scans(all, 0, 63, 0)
	}
	return append(p.file, 0xff, 0xd9)
}

// sampler makes a JPEG.
type sampler struct {
	Sampled

	patches                     [][]uint8
	width, height, across, down int
	file                        []byte
}

func (p *sampler) name(i int) byte {
	if p.Names != "" {
		return p.Names[i]
	}
	return byte(i + 1)
}

// scans appends a scan of all components, or one of each.
func (p *sampler) scans(components []int, limits ...byte) {
	if !p.Alone {
		p.scan(components, limits...)
		return
	}
	for _, i := range components {
		p.scan([]int{i}, limits...)
	}
}

// scan appends a scan of components, of coefficients and bits by its limits.
func (p *sampler) scan(components []int, limits ...byte) {
	const block, first = 8, 0xd0
	up := func(n, by int) int { return (n + by - 1) / by }
	header := []byte{byte(len(components))}
	for _, i := range components {
		header = append(header, p.name(i), 0)
	}
	p.file = append(p.file, Segment(0xda, append(header, limits...))...)
	wide, high := up(p.width, block*p.across), up(p.height, block*p.down)
	alone := len(components) == 1
	if f := p.Factors[components[0]]; alone {
		wide, high = up(up(p.width*int(f>>4), p.across), block), up(up(p.height*int(f&15), p.down), block)
	}
	w := &meanWriter{last: make([]int, len(p.Factors))}
	for unit := range wide * high {
		if p.Restart > 0 && unit > 0 && unit%p.Restart == 0 {
			w.fill()
			w.data = append(w.data, 0xff, first+byte(unit/p.Restart-1)&7)
			clear(w.last)
		}
		for _, i := range components {
			across, n := int(p.Factors[i]>>4), int(p.Factors[i]>>4)*int(p.Factors[i]&15)
			x := unit % wide * across
			if alone {
				across, n, x = 1, 1, unit%wide
			}
			for j := range n {
				patch := (x + j%across) * block * p.across / int(p.Factors[i]>>4) / SampledSide
				p.block(w, i, int(p.patches[min(patch, len(p.patches)-1)][i])-128, limits)
			}
		}
	}
	w.fill()
	p.file = append(p.file, w.data...)
}

// block writes what a scan has of a block of a value, from -128 on.
func (p *sampler) block(w *meanWriter, component, v int, limits []byte) {
	switch {
	case !p.Progressive:
		w.mean(component, 8*v)
		w.bits(0, 1)
	case limits[0] > 0: // nothing else
		w.bits(0, 1)
	case limits[2] == 0x04:
		w.mean(component, v>>1)
	default:
		w.bits(uint32(v&1), 1)
	}
}

// fill fills up the last byte.
func (w *meanWriter) fill() {
	for w.n > 0 {
		w.bits(1, 1)
	}
}

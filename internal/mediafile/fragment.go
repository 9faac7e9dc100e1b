package mediafile

import (
	"cmp"
	"encoding/binary"
)

// extend reads the content of a box mvex: what fragments don't repeat.
func (m *movie) extend(w *boxWalk, data []byte) error {
	return w.each(data, 2, func(b box) error {
		if t := m.track(number(b.inside, 1)); b.kind == "trex" && t != nil {
			t.defaultUnits, t.defaultSize = number(b.inside, 3), number(b.inside, 4)
		}
		return nil
	})
}

// fragment is what a box moof says (ISO 14496-12, 8.8).
type fragment struct {
	movie *movie
	at    int64  // where the box is in the file
	end   uint64 // where the samples end of the track before
	// first reports whether no track was before, and bare whether one was that isn't kept.
	first, bare   bool
	kept, removed spans
}

// fragment reads the content of a box moof, which is at an offset of the file, and overwrites what
// of it isn't sent.
func (m *movie) fragment(w *boxWalk, data []byte, at int64) error {
	f := fragment{movie: m, at: at, first: true}
	err := w.each(data, 1, func(b box) error {
		if b.kind == "traf" {
			return f.track(w, b.inside)
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.kept.settle()
	f.removed.settle()
	if f.kept.before(at) || f.removed.before(at) {
		return refuse(CodePrivate, "The video has fragments whose samples are before them, so that what is private can't be removed: export it as one file.")
	}
	m.kept, m.removed = append(m.kept, f.kept...), append(m.removed, f.removed...)
	if len(m.kept) > maxSpans || len(m.removed) > maxSpans {
		return tooManySpans()
	}
	if err := m.settle(); err != nil {
		return err
	}
	return m.fragmentBoxes().clean(data)
}

// track reads the content of a box traf: where the samples are of a track, and how long.
func (f *fragment) track(w *boxWalk, data []byte) error {
	var t *track
	var h trackDefaults
	var base, next uint64
	err := w.each(data, 2, func(b box) error {
		switch {
		case b.kind == "tfhd" && t == nil:
			h = defaultsOf(b.inside)
			if t = f.movie.track(h.id); t == nil {
				return nil
			}
			h.units, h.size = cmp.Or(h.units, t.defaultUnits), cmp.Or(h.size, t.defaultSize)
			switch {
			case h.explicit:
				base = h.base
			case h.fromMoof || f.first:
				base = uint64(f.at)
			case f.bare && t.kept:
				return inseparable() // where it begins depends on what is removed
			default:
				base = f.end
			}
			next = base
		case b.kind == "trun" && t != nil && len(b.inside) >= 8:
			var err error
			next, err = f.run(t, h, b.inside, base, next)
			return err
		}
		return nil
	})
	f.first, f.end = false, next
	f.bare = f.bare || t == nil || !t.kept
	return err
}

// run reads the content of a box trun, and returns where its samples end. They begin at an offset
// from base, or at next.
func (f *fragment) run(t *track, h trackDefaults, b []byte, base, next uint64) (end uint64, err error) {
	const hasOffset, hasUnits, hasSize = 0x1, 0x100, 0x200
	if flags(b)&hasOffset != 0 {
		next = base + uint64(int64(int32(number(b, 2))))
	}
	n := runSum(b, hasSize, h.size)
	to := &f.removed
	if t.kept {
		to = &f.kept
	}
	if !to.add(next, n, f.movie.size) {
		return 0, tooManySpans()
	}
	t.inFragments += runSum(b, hasUnits, h.units)
	t.samplesInFragments += uint64(number(b, 1))
	return next + n, nil
}

// flags returns the flags of a box that has them, bytes 1 to 3.
func flags(b []byte) uint32 { return binary.BigEndian.Uint32(b) & 0xff_ffff }

// trackDefaults is what a box tfhd says.
type trackDefaults struct {
	id                 uint32
	explicit, fromMoof bool // where the samples' offsets begin
	base               uint64
	units, size        uint32 // of a sample; 0 if it doesn't say
}

// The fields of a box tfhd after its track's number, by its flags and in this order.
const (
	tfhdBase, tfhdDescription, tfhdUnits, tfhdSize, tfhdFlags = 0x1, 0x2, 0x8, 0x10, 0x20

	tfhdFromMoof = 0x2_0000
)

// defaultsOf reads a box tfhd.
func defaultsOf(b []byte) (d trackDefaults) {
	const head = 8
	if len(b) < head {
		return d
	}
	f, at := flags(b), 2
	d.id, d.explicit, d.fromMoof = number(b, 1), f&tfhdBase != 0, f&tfhdFromMoof != 0
	if d.explicit {
		d.base = uint64(number(b, at))<<32 | uint64(number(b, at+1))
		at += 2
	}
	if f&tfhdDescription != 0 {
		at++
	}
	if f&tfhdUnits != 0 {
		d.units = number(b, at)
		at++
	}
	if f&tfhdSize != 0 {
		d.size = number(b, at)
	}
	return d
}

// runFields returns how many numbers precede the samples of a box trun after its flags, and how many
// each sample has.
func runFields(b []byte) (head, each int) {
	const offset, first = 0x1, 0x4
	f := flags(b)
	head = 2
	for _, flag := range []uint32{offset, first} {
		if f&flag != 0 {
			head++
		}
	}
	for field := uint32(0x100); field <= 0x800; field <<= 1 {
		if f&field != 0 {
			each++
		}
	}
	return head, each
}

// runSum returns the sum of a field of the samples of a box trun, which is a flag of it; of each it
// is so much if the box doesn't say.
func runSum(b []byte, field, each uint32) (sum uint64) {
	n := number(b, 1)
	if flags(b)&field == 0 {
		return uint64(n) * uint64(each)
	}
	at, size := runFields(b)
	for before := uint32(0x100); before < field; before <<= 1 {
		if flags(b)&before != 0 {
			at++
		}
	}
	for ; n > 0 && 4*at+4 <= len(b); n-- {
		sum += uint64(number(b, at))
		at += size
	}
	return sum
}

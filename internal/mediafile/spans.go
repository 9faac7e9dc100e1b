package mediafile

import (
	"cmp"
	"slices"
)

// maxSpans bounds the spans of a video: 512 MiB of sound and pictures have fewer chunks.
const maxSpans = 1 << 21

// span is bytes of a file, from one offset up to another.
type span struct{ from, to int64 }

// spans are bytes of a file. Once settled they are in order, and none meets another.
type spans []span

// add adds n bytes from an offset; those beyond the end of a file of size bytes aren't there.
// It reports whether there is room.
func (s *spans) add(from, n uint64, size int64) bool {
	if n == 0 || from >= uint64(size) {
		return true
	}
	next := span{int64(from), int64(from + min(n, uint64(size)-from))}
	if last := len(*s) - 1; last >= 0 && (*s)[last].to == next.from {
		(*s)[last].to = next.to
		return true
	}
	*s = append(*s, next)
	return len(*s) <= maxSpans
}

// settle puts the spans in order and joins those that meet.
func (s *spans) settle() {
	slices.SortFunc(*s, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	joined := (*s)[:0]
	for _, next := range *s {
		if last := len(joined) - 1; last >= 0 && next.from <= joined[last].to {
			joined[last].to = max(joined[last].to, next.to)
		} else {
			joined = append(joined, next)
		}
	}
	*s = joined
}

// meet reports whether any byte is in both. Both are settled.
func (s spans) meet(other spans) bool {
	for len(s) > 0 && len(other) > 0 {
		switch {
		case s[0].to <= other[0].from:
			s = s[1:]
		case other[0].to <= s[0].from:
			other = other[1:]
		default:
			return true
		}
	}
	return false
}

// before reports whether any byte is before an offset. The spans are settled.
func (s spans) before(at int64) bool { return len(s) > 0 && s[0].from < at }

// forget removes the spans that end at an offset or before it. The spans are settled.
func (s *spans) forget(at int64) {
	for len(*s) > 0 && (*s)[0].to <= at {
		*s = (*s)[1:]
	}
}

// clearOthers overwrites the bytes of data, which lie from an offset on, that aren't among the
// spans. These are settled, and begin at that offset or after it; those that end are forgotten.
func (s *spans) clearOthers(data []byte, at int64) {
	done, end := at, at+int64(len(data))
	for _, next := range *s {
		if next.from >= end {
			break
		}
		clear(data[done-at : max(next.from, done)-at])
		done = min(next.to, end)
	}
	clear(data[done-at:])
	s.forget(end)
}

// cover reports whether the bytes of data that aren't among the spans are zeros.
func (s *spans) cover(data []byte) bool {
	s.settle()
	done := int64(0)
	for _, next := range *s {
		if !isZero(data[done:next.from]) {
			return false
		}
		done = next.to
	}
	return isZero(data[done:])
}

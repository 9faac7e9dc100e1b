package httpserver

import (
	"math"
	"net/http"
	"strconv"
	"strings"
)

// maxRange is the longest Range header that is looked at, in bytes: one range needs some 50.
const maxRange = 256

// Part is the part of a file that a request asks for.
type Part struct {
	Offset, Length int64
	// Ranged reports that it is a range, as the response has to say.
	Ranged bool
}

// PartOf returns the part that a request asks for of a file with a tag and so many bytes: one range of it, or
// all. Several ranges are all of it, since each would be read on its own, and so is what isn't for this
// server or this state of the file (RFC 9110, sections 13.1.5 and 14.2). ok is false if the range isn't one or
// has none of the file's bytes.
func PartOf(r *http.Request, tag string, size int64) (p Part, ok bool) {
	whole, header := Part{Length: size}, r.Header.Values("Range")
	if r.Method != http.MethodGet || len(header) != 1 || len(header[0]) > maxRange || !inRange(r, tag) {
		return whole, true
	}
	unit, set, _ := strings.Cut(header[0], "=")
	ranges := strings.FieldsFunc(set, func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
	if !strings.EqualFold(strings.TrimSpace(unit), "bytes") || len(ranges) != 1 {
		return whole, true
	}
	from, to, ok := span(ranges[0], size)
	return Part{Offset: from, Length: min(to, size-1) - from + 1, Ranged: true}, ok && from < size
}

// span returns the first and the last position of a range of a file with so many bytes; the last may be behind its end.
func span(text string, size int64) (from, to int64, ok bool) {
	first, last, dashed := strings.Cut(text, "-")
	from, begins := position(first)
	to, ends := position(last)
	switch {
	case !dashed || first != "" && !begins || last != "" && !ends:
		return 0, 0, false
	case begins && ends:
		return from, to, from <= to
	case begins:
		return from, math.MaxInt64, true
	}
	return max(0, size-to), math.MaxInt64, ends // the last bytes
}

// inRange reports whether a range is meant for the state of a file that has a tag.
func inRange(r *http.Request, tag string) bool {
	conditions := r.Header.Values("If-Range")
	return len(conditions) == 0 || len(conditions) == 1 && strings.TrimSpace(conditions[0]) == tag
}

// position returns a number of digits alone, or the largest there is if it is larger.
func position(text string) (n int64, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		n = math.MaxInt64
	}
	return n, true
}

package mediafile

import (
	"encoding/binary"
	"slices"
)

// profileTags are the tags that a color profile may have to be sent (ICC.1:2022, 9.2): its name and copyright, its
// colors and curves, and how they were viewed. Displays' makers add others, with serial numbers among them.
var profileTags = []string{
	"desc", "cprt", "dmnd", "dmdd", "vued", "wtpt", "bkpt", "chad", "chrm", "lumi", "meas", "tech", "view", "cicp",
	"rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "aarg", "aagg", "aabg",
	"A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "gamt", "pre0", "pre1", "pre2",
}

// entryOf is an entry of a profile's table of tags.
type entryOf struct {
	name     string
	at, size uint64
}

// tagsOf returns the tags of a color profile; none unless it has some, each of them in it behind their table.
func tagsOf(data []byte) (tags []entryOf) {
	const header, count, entry, most = 128, 4, 12, 200
	if len(data) < header+count || string(data[36:40]) != "acsp" {
		return nil
	}
	n := uint64(binary.BigEndian.Uint32(data[header:]))
	end := header + count + n*entry
	if n > most || end > uint64(len(data)) {
		return nil
	}
	for i := range n {
		tag := data[header+count+i*entry:][:entry]
		t := entryOf{string(tag[:4]), uint64(binary.BigEndian.Uint32(tag[4:])), uint64(binary.BigEndian.Uint32(tag[8:]))}
		if t.at < end || t.at+t.size > uint64(len(data)) {
			return nil
		}
		tags = append(tags, t)
	}
	return tags
}

// isHarmlessProfile reports whether a color profile has nothing but the tags that are known, and zeros between them.
func isHarmlessProfile(data []byte) bool {
	const header, count, entry, reserved = 128, 4, 12, 100
	tags := tagsOf(data)
	if len(tags) == 0 || !isZero(data[reserved:header]) {
		return false
	}
	used := spans{{0, int64(header + count + len(tags)*entry)}}
	for _, t := range tags {
		if !slices.Contains(profileTags, t.name) {
			return false
		}
		used.add(t.at, t.size, int64(len(data)))
	}
	return used.cover(data)
}

// isZero reports whether all bytes are zeros.
func isZero(data []byte) bool { return !slices.ContainsFunc(data, func(b byte) bool { return b != 0 }) }

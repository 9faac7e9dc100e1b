package mediafile

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
)

// movie is what an index of samples (moov) and the fragments after it say.
type movie struct {
	seconds  float64           // by the header; 0 if it is in fragments
	video    *track            // nil if there is none
	defaults map[uint32]uint32 // a sample's duration in fragments, by the track
	refusal  error             // what isn't taken
}

// track is one of a movie's.
type track struct {
	id            uint32
	handler       string
	width, height int    // as it is shown, before a turn
	turned        bool   // by a quarter
	scale         uint32 // units of time in a second
	units         uint64 // in fragments
}

// containers are the boxes whose children are looked at.
var containers = []string{"trak", "mdia", "minf", "stbl", "mvex", "traf"}

// private reports whether a box, at any depth, has what people and devices noted.
func private(kind string) bool {
	return slices.Contains([]string{"udta", "meta", "uuid", "loci", "free", "skip", "wide"}, kind) || strings.HasPrefix(kind, "\xa9")
}

// overwrite makes a box "free" and its content zeros.
func overwrite(b box) {
	copy(b.whole[4:], "free")
	clear(b.inside)
}

// read reads the content of moov and overwrites what is private in it.
func (m *movie) read(w *boxWalk, data []byte) error {
	m.defaults = map[uint32]uint32{}
	err := w.each(data, 1, func(b box) error {
		switch {
		case private(b.kind):
			overwrite(b)
		case b.kind == "cmov":
			return refuse(CodeCodec, "The video's index is compressed (cmov), which isn't taken.")
		case b.kind == "mvhd":
			units, scale := times(b.inside)
			m.seconds = seconds(units, scale)
		case b.kind == "mvex":
			return m.extends(w, b.inside)
		case b.kind == "trak":
			t := &track{}
			if err := m.track(w, t, b.inside, 2); err != nil {
				return err
			}
			m.add(t, b)
		}
		return nil
	})
	if err == nil && m.video == nil && m.refusal == nil {
		m.refusal = refuse(CodeUnknownType, "The file has no moving picture.")
	}
	return err
}

// add takes a track among the movie's. Tracks of pictures and sound are kept; others, of what a
// device measured meanwhile, are overwritten.
func (m *movie) add(t *track, b box) {
	switch {
	case t.handler == "vide" && m.video == nil:
		m.video = t
	case t.handler != "vide" && t.handler != "soun":
		overwrite(b)
	}
}

// track reads the boxes of a track, and overwrites what is private in them.
func (m *movie) track(w *boxWalk, t *track, data []byte, depth int) error {
	return w.each(data, depth, func(b box) error {
		switch {
		case private(b.kind):
			overwrite(b)
		case b.kind == "tkhd":
			t.header(b.inside)
		case b.kind == "mdhd":
			_, t.scale = times(b.inside)
		case b.kind == "hdlr" && len(b.inside) >= 12 && t.handler == "": // the media's is before the data's
			t.handler = string(b.inside[8:12])
		case b.kind == "stsd":
			return m.samples(w, t, b.inside, depth+1)
		case slices.Contains(containers, b.kind):
			return m.track(w, t, b.inside, depth+1)
		}
		return nil
	})
}

// times returns the duration and the units a second of a box mvhd or mdhd.
func times(b []byte) (units uint64, scale uint32) {
	switch {
	case len(b) >= 32 && b[0] == 1:
		return binary.BigEndian.Uint64(b[24:]), binary.BigEndian.Uint32(b[20:])
	case len(b) >= 20 && b[0] == 0:
		return uint64(binary.BigEndian.Uint32(b[16:])), binary.BigEndian.Uint32(b[12:])
	}
	return 0, 0
}

// header reads a box tkhd: the track's number, and its size with the turn of its matrix.
func (t *track) header(b []byte) {
	id, rest := 12, 40
	if len(b) > 0 && b[0] == 1 {
		id, rest = 20, 52
	}
	const matrix = 36
	if len(b) < rest+matrix+8 {
		return
	}
	t.id = binary.BigEndian.Uint32(b[id:])
	number := func(i int) uint32 { return binary.BigEndian.Uint32(b[rest+4*i:]) }
	t.width, t.height = int(number(9)>>16), int(number(10)>>16)
	if number(0) == 0 && number(4) == 0 && number(1) != 0 && number(3) != 0 {
		t.turned = true
	}
}

// The formats of samples that are taken, and those that have places in them.
var (
	videoFormats  = []string{"avc1", "avc3", "hvc1", "hev1"}
	placesFormats = []string{"gpmd", "camm", "rtmd"}
)

// samples reads a box stsd: the formats of a track's samples.
func (m *movie) samples(w *boxWalk, t *track, data []byte, depth int) error {
	const head = 8
	if len(data) < head {
		return damaged("a box is too short")
	}
	if t.handler == "" {
		return damaged("a track doesn't say what it has")
	}
	found := 0
	err := w.each(data[head:], depth, func(b box) error {
		found++
		t.sampleSize(b.inside)
		name := strings.TrimSpace(b.kind)
		switch {
		case slices.Contains(placesFormats, b.kind):
			m.refuse(CodePrivate, "The video has a track of places in it (%s), which can't be removed: export it without.", name)
		case t.handler == "vide" && !slices.Contains(videoFormats, b.kind):
			m.refuse(CodeCodec, "The video's format is %q: H.264 and HEVC are taken.", name)
		case t.handler == "soun" && (b.kind != "mp4a" || !isAAC(b.inside)):
			m.refuse(CodeCodec, "The video's sound is in the format %q: AAC is taken, or none.", name)
		}
		return nil
	})
	if err == nil && found == 0 {
		err = damaged("a track doesn't say what format it has")
	}
	return err
}

// sampleSize takes the size from a sample entry of pictures, if the track's header has none.
func (t *track) sampleSize(entry []byte) {
	const at = 24
	if t.handler == "vide" && t.width == 0 && t.height == 0 && len(entry) >= at+4 {
		t.width, t.height = int(binary.BigEndian.Uint16(entry[at:])), int(binary.BigEndian.Uint16(entry[at+2:]))
	}
}

func (m *movie) refuse(code Code, format string, args ...any) {
	if m.refusal == nil {
		m.refusal = refuse(code, format, args...)
	}
}

// isAAC reports whether a sample entry mp4a is AAC by its box esds, or has none. The
// descriptors before the type of object have lengths of up to 4 bytes.
func isAAC(entry []byte) bool {
	_, descriptors, ok := strings.Cut(string(entry), "esds")
	if !ok || len(descriptors) < 4 {
		return true
	}
	const decoder, aac, aacMain, aacSSR = 0x04, 0x40, 0x66, 0x68
	stream := descriptor(descriptors[4:])
	if len(stream) < 3 {
		return false
	}
	config := descriptor(stream[3:])
	if len(config) == 0 || stream[3] != decoder {
		return false
	}
	object := config[0]
	return object == aac || object >= aacMain && object <= aacSSR
}

// descriptor returns the content of an MPEG-4 descriptor, up to the end of s.
func descriptor(s string) string {
	for i := 1; i < min(len(s), 5); i++ {
		if s[i]&0x80 == 0 {
			return s[i+1:]
		}
	}
	return ""
}

// size returns the movie's width and height, as people see it.
func (m *movie) size() (width, height int) {
	switch v := m.video; {
	case v == nil:
		return 0, 0
	case v.turned:
		return v.height, v.width
	default:
		return v.width, v.height
	}
}

// length returns how long the movie plays; 0 if it doesn't say.
func (m *movie) length() time.Duration {
	s := m.seconds
	if v := m.video; v != nil {
		s = max(s, seconds(v.units, v.scale))
	}
	const most = 1000 * time.Hour
	if s > most.Seconds() {
		return 0
	}
	return time.Duration(math.Round(s*1000)) * time.Millisecond
}

// extends reads a box mvex: what fragments don't repeat.
func (m *movie) extends(w *boxWalk, data []byte) error {
	return w.each(data, 2, func(b box) error {
		if b.kind == "trex" && len(b.inside) >= 16 {
			m.defaults[binary.BigEndian.Uint32(b.inside[4:])] = binary.BigEndian.Uint32(b.inside[12:])
		}
		return nil
	})
}

// fragment reads the content of a box moof: how long its samples are. It overwrites what is
// private.
func (m *movie) fragment(w *boxWalk, data []byte) error {
	return w.each(data, 1, func(b box) error {
		switch {
		case private(b.kind):
			overwrite(b)
		case b.kind == "traf":
			return m.trackFragment(w, b.inside)
		}
		return nil
	})
}

// trackFragment reads a box traf.
func (m *movie) trackFragment(w *boxWalk, data []byte) error {
	var id, each uint32
	return w.each(data, 2, func(b box) error {
		switch {
		case private(b.kind):
			overwrite(b)
		case b.kind == "tfhd" && len(b.inside) >= 8:
			id = binary.BigEndian.Uint32(b.inside[4:])
			each = cmp.Or(defaultDuration(b.inside), m.defaults[id])
		case b.kind == "trun" && len(b.inside) >= 8 && m.video != nil && id == m.video.id:
			m.video.units += runDuration(b.inside, each)
		}
		return nil
	})
}

// flags returns the flags of a box that has them, bytes 1 to 3.
func flags(b []byte) uint32 { return binary.BigEndian.Uint32(b) & 0xff_ffff }

// defaultDuration returns a sample's duration by a box tfhd; 0 if it doesn't say.
func defaultDuration(b []byte) uint32 {
	const offset, description, duration = 0x1, 0x2, 0x8
	at, f := 8, flags(b)
	if f&offset != 0 {
		at += 8
	}
	if f&description != 0 {
		at += 4
	}
	if f&duration == 0 || len(b) < at+4 {
		return 0
	}
	return binary.BigEndian.Uint32(b[at:])
}

// runDuration returns how long the samples of a box trun are together, each of them so many
// units if it doesn't say.
func runDuration(b []byte, each uint32) (units uint64) {
	const offset, first, duration = 0x1, 0x4, 0x100
	f, n := flags(b), binary.BigEndian.Uint32(b[4:])
	if f&duration == 0 {
		return uint64(n) * uint64(each)
	}
	at, size := 8, 0
	if f&offset != 0 {
		at += 4
	}
	if f&first != 0 {
		at += 4
	}
	for field := uint32(duration); field <= 0x800; field <<= 1 {
		if f&field != 0 {
			size += 4
		}
	}
	for ; n > 0 && at+4 <= len(b); n-- {
		units += uint64(binary.BigEndian.Uint32(b[at:]))
		at += size
	}
	return units
}

package mediafile

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"missiond/mission"
)

// movie is what an index of samples (moov) and the fragments after it say.
type movie struct {
	size   int64 // of the file
	scale  uint32
	units  uint64 // how long it plays by its header, of which scale are a second
	tracks []*track
	video  *track // the one that is shown
	// kept are the bytes of the samples of pictures and sound that weren't passed on yet, removed
	// those of all other tracks.
	kept, removed spans
}

// track is one of a movie's.
type track struct {
	whole         box
	id            uint32
	kept          bool
	handler       string
	formats       []string
	width, height int    // as it is shown, before a turn
	turned        bool   // by a quarter
	scale         uint32 // units of time in a second
	units         uint64 // how long it plays by its media's header
	movieUnits    uint64 // by its own header, in the movie's units
	table         table
	elsewhere     bool // its samples are, or may be, in another file
	isAAC         bool // as far as its description of sound says
	coding        mission.Coding
	descriptions  []byte // the content of its box stsd
	// defaultUnits and defaultSize are those of a sample in fragments; inFragments is how long all
	// in fragments are, of which there are samplesInFragments.
	defaultUnits, defaultSize       uint32
	inFragments, samplesInFragments uint64
}

// containers are the boxes of a track whose children are read.
var containers = []string{"mdia", "minf", "stbl", "dinf"}

// overwrite makes a box "free" and its content zeros.
func overwrite(b box) {
	copy(b.whole[4:], "free")
	clear(b.inside)
}

// read reads the content of moov, and overwrites what of it isn't sent. The error is also that of
// a movie that isn't taken.
func (m *movie) read(w *boxWalk, data []byte) error {
	var extends []byte
	err := w.each(data, 1, func(b box) error {
		switch b.kind {
		case "cmov":
			return refuse(CodeCodec, "The video's index is compressed (cmov), which isn't taken.")
		case "mvhd":
			m.units, m.scale = times(b.inside)
		case "mvex":
			extends = b.inside
		case "trak":
			t := &track{whole: b, isAAC: true}
			m.tracks = append(m.tracks, t)
			return t.read(w, b.inside, 2)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := m.choose(); err != nil {
		return err
	}
	if err := m.locate(); err != nil {
		return err
	}
	if err := m.extend(w, extends); err != nil {
		return err
	}
	return m.indexBoxes().clean(data)
}

// read reads the boxes of a track.
func (t *track) read(w *boxWalk, data []byte, depth int) error {
	return w.each(data, depth, func(b box) error {
		switch {
		case b.kind == "tkhd":
			t.header(b.inside)
		case b.kind == "mdhd":
			t.units, t.scale = times(b.inside)
		case b.kind == "hdlr" && len(b.inside) >= 12 && t.handler == "": // the media's is before the data's
			t.handler = string(b.inside[8:12])
		case b.kind == "dref":
			t.elsewhere = !within(b.inside)
		case b.kind == "stsd":
			t.descriptions = b.inside
			return t.readFormats(w, depth+1)
		case slices.Contains(containers, b.kind):
			return t.read(w, b.inside, depth+1)
		default:
			t.table.take(b)
		}
		return nil
	})
}

// within reports whether a box dref says that samples are in the file itself (ISO 14496-12, 8.7.2).
func within(b []byte) bool {
	const head, itself = 8, 1
	for b = b[min(head, len(b)):]; len(b) >= head; {
		entry, rest, err := nextBox(b)
		if err != nil || len(entry.inside) < 4 || flags(entry.inside)&itself == 0 {
			return false
		}
		b = rest
	}
	return true
}

// readFormats reads the formats of a track's samples.
func (t *track) readFormats(w *boxWalk, depth int) error {
	const head = 8
	return w.each(t.descriptions[min(head, len(t.descriptions)):], depth, func(b box) error {
		if len(t.formats) == 0 {
			t.coding = codingOf(b)
		}
		t.formats = append(t.formats, b.kind)
		t.sampleSize(b.inside)
		t.isAAC = t.isAAC && isAAC(b.inside)
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

// header reads a box tkhd: the track's number, how long it plays, and its size with the turn of
// its matrix.
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
	if t.movieUnits = uint64(binary.BigEndian.Uint32(b[id+8:])); b[0] == 1 {
		t.movieUnits = binary.BigEndian.Uint64(b[id+8:])
	}
	of := func(i int) uint32 { return number(b[rest:], i) }
	t.width, t.height = int(of(9)>>16), int(of(10)>>16)
	t.turned = of(0) == 0 && of(4) == 0 && of(1) != 0 && of(3) != 0
}

// sampleSize takes the size from a sample entry of pictures, if the track's header has none.
func (t *track) sampleSize(entry []byte) {
	const at = 24
	if t.width == 0 && t.height == 0 && len(entry) >= at+4 {
		t.width, t.height = int(binary.BigEndian.Uint16(entry[at:])), int(binary.BigEndian.Uint16(entry[at+2:]))
	}
}

// The formats of samples that are taken, and those of single pictures, which cameras add.
var (
	videoFormats = []string{"avc1", "avc3", "hvc1", "hev1"}
	stillFormats = []string{"jpeg", "mjpa", "mjpb", "mjpg", "png "}
)

// choose decides which tracks are kept: the first one of moving pictures, and all of sound. The
// error says which of them isn't taken.
func (m *movie) choose() error {
	of := func(matches func(*track) bool) *track {
		if i := slices.IndexFunc(m.tracks, matches); i >= 0 {
			return m.tracks[i]
		}
		return nil
	}
	m.video = of(func(t *track) bool {
		return t.handler == "vide" && (len(t.formats) == 0 || !slices.Contains(stillFormats, t.formats[0]))
	})
	if m.video == nil {
		m.video = of(func(t *track) bool { return t.handler == "vide" })
	}
	if m.video == nil {
		return refuse(CodeUnknownType, "The file has no moving picture.")
	}
	ids := map[uint32]bool{}
	for _, t := range m.tracks {
		if ids[t.id] {
			return damaged("two of its tracks have the same number")
		}
		ids[t.id] = true
		if t.kept = t == m.video || t.handler == "soun"; t.kept {
			if err := t.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// check returns an error if a track that is to be kept isn't taken.
func (t *track) check() error {
	if len(t.formats) == 0 {
		return damaged("a track doesn't say what format it has")
	}
	for _, format := range t.formats {
		name := strings.TrimSpace(format)
		switch {
		case t.handler == "vide" && !slices.Contains(videoFormats, format):
			return refuse(CodeCodec, "The video's format is %q: H.264 and HEVC are taken.", name)
		case t.handler == "soun" && (format != "mp4a" || !t.isAAC):
			return refuse(CodeCodec, "The video's sound is in the format %q: AAC is taken, or none.", name)
		}
	}
	if t.elsewhere {
		return refuse(CodePrivate, "The video's samples are in another file (dref), which isn't known: export it as one file.")
	}
	return nil
}

// locate notes where the tracks' samples are.
func (m *movie) locate() error {
	for _, t := range m.tracks {
		if t.kept {
			if err := t.table.addTo(&m.kept, m.size); err != nil {
				return err
			}
		} else if !t.elsewhere {
			// A table that can't be read is of no samples that anybody could find.
			if err := t.table.addTo(&m.removed, m.size); len(m.removed) > maxSpans {
				return err
			}
		}
	}
	return m.settle()
}

// settle puts the bytes that are kept and removed in order. The error is that of bytes that would
// have to be both.
func (m *movie) settle() error {
	m.kept.settle()
	m.removed.settle()
	if m.kept.meet(m.removed) {
		return inseparable()
	}
	return nil
}

// inseparable refuses a video that has something private in it from which its pictures can't be
// told.
func inseparable() error {
	return refuse(CodePrivate, "The video has tracks beside its pictures and sound (subtitles, chapters, what a device measured) "+
		"that share bytes with them, and can't be removed: export it without.")
}

// track returns the track of a number; nil if there is none.
func (m *movie) track(id uint32) *track {
	if i := slices.IndexFunc(m.tracks, func(t *track) bool { return t.id == id }); i >= 0 {
		return m.tracks[i]
	}
	return nil
}

// keeps reports whether the track of a number is kept. Before the index is read, which is when m is nil, none is.
func (m *movie) keeps(id uint32) bool {
	if m == nil {
		return false
	}
	t := m.track(id)
	return t != nil && t.kept
}

// frameSize returns the movie's width and height, as people see it.
func (m *movie) frameSize() (width, height int) {
	if m.video.turned {
		return m.video.height, m.video.width
	}
	return m.video.width, m.video.height
}

// length returns how long the movie plays; 0 if it doesn't say. Without a duration in its header it
// is that of its longest track (ISO 14496-12, 8.2.2).
func (m *movie) length() time.Duration {
	s := seconds(m.units, m.scale)
	for _, t := range m.tracks {
		if t.kept && seconds(m.units, m.scale) == 0 {
			s = max(s, t.length(m.scale))
		}
	}
	s = max(s, seconds(m.video.inFragments, m.video.scale))
	const most = 1000 * time.Hour
	if s > most.Seconds() {
		return 0
	}
	return time.Duration(math.Round(s*1000)) * time.Millisecond
}

// length returns how long a track plays, in seconds; 0 if it doesn't say. A movie's second has scale
// units.
func (t *track) length(scale uint32) float64 {
	for _, s := range []float64{seconds(t.movieUnits, scale), seconds(t.units, t.scale)} {
		if s > 0 {
			return s
		}
	}
	_, units := t.table.lengths()
	return seconds(units, t.scale)
}

// coding returns how the movie's pictures and sound are coded. Of several tracks of sound it is the first.
func (m *movie) coding() mission.Coding {
	c := m.video.coding
	c.FrameRate = m.video.frameRate()
	if i := slices.IndexFunc(m.tracks, func(t *track) bool { return t.kept && t.handler == "soun" }); i >= 0 {
		sound := m.tracks[i].coding
		c.AudioCodec, c.SampleRate, c.Channels = sound.AudioCodec, sound.SampleRate, sound.Channels
	}
	return c
}

// frameRate returns how many samples of a track a second has on average, to a thousandth; 0 if it doesn't say.
func (t *track) frameRate() float64 {
	samples, units := t.table.lengths()
	s := seconds(units+t.inFragments, t.scale)
	if s == 0 {
		return 0
	}
	return math.Round(float64(samples+t.samplesInFragments)/s*1000) / 1000
}

// seconds returns a time of so many units, of which a second has scale; 0 if it isn't known.
func seconds(units uint64, scale uint32) float64 {
	if scale == 0 || units == math.MaxUint64 || units == math.MaxUint32 {
		return 0
	}
	return float64(units) / float64(scale)
}

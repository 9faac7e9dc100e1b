package mediafile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"missiond/mission"
)

const (
	// maxIndex bounds a box moov or moof, which is kept in memory; maxSmall other boxes that are.
	maxIndex = 32 << 20
	maxSmall = 1 << 20
)

// passing are the boxes of a file that its clean copy has as they are; moov, moof and uuid are
// looked into.
var passing = []string{"ftyp", "styp", "sidx", "ssix", "mfra"}

// videoCleaner passes a video's boxes on, one by one. What is private it overwrites with a box
// "free" of the same size, so that nothing moves.
type videoCleaner struct {
	r    *bufio.Reader
	left int64 // bytes of the file that haven't been read
	out  io.Writer
	walk boxWalk

	movie      *movie // nil before moov
	hasData    bool
	provenance metadata
}

// cleanVideo writes a video's clean copy. It reads box by box and keeps only an index of samples
// in memory, so that the size of a file doesn't matter.
func cleanVideo(r *bufio.Reader, size int64, kind string, limits Limits, out frameWriter) (Result, error) {
	if err := out.Begin(""); err != nil {
		return Result{}, err
	}
	c := &videoCleaner{r: r, left: size, out: out}
	for c.left > 0 {
		if err := c.box(); err != nil {
			return Result{}, err
		}
	}
	switch {
	case c.movie == nil:
		return Result{}, damaged("it has no index (moov), so it isn't whole")
	case !c.hasData:
		return Result{}, damaged("it has no pictures (mdat), so it isn't whole")
	}
	if err := c.movie.check(limits); err != nil {
		return Result{}, err
	}
	width, height := c.movie.size()
	return Result{
		Facts: Facts{Kind: mission.MediaVideo, ContentType: kind, Width: width, Height: height, Duration: c.movie.length(), Provenance: c.provenance.provenance()},
		Made:  []Made{{Names: []string{""}, ContentType: kind, Width: width, Height: height}},
	}, nil
}

// header is that of a box of the file.
type header struct {
	bytes   []byte
	kind    string
	content int64 // bytes that follow
}

// box passes one box on.
func (c *videoCleaner) box() error {
	if c.walk.boxes++; c.walk.boxes > maxBoxes {
		return damaged("it has more than %d boxes", maxBoxes)
	}
	h, err := c.header()
	if err != nil {
		return err
	}
	switch {
	case h.kind == "moov" || h.kind == "moof":
		return c.index(h)
	case h.kind == "mdat":
		c.hasData = true
		return c.pass(h)
	case h.kind == "uuid" && h.content <= maxSmall:
		return c.uuid(h)
	case h.kind == "uuid":
		return c.largeUUID(h)
	case slices.Contains(passing, h.kind):
		return c.pass(h)
	}
	return c.blank(h)
}

// header reads the header of the next box.
func (c *videoCleaner) header() (h header, err error) {
	const short, long = 8, 16
	h.bytes = make([]byte, short, long)
	if err := c.read(h.bytes); err != nil {
		return h, err
	}
	h.kind = string(h.bytes[4:])
	size := uint64(binary.BigEndian.Uint32(h.bytes))
	switch size {
	case 0: // to the end
		size = uint64(c.left) + short
	case 1:
		h.bytes = h.bytes[:long]
		if err := c.read(h.bytes[short:]); err != nil {
			return h, err
		}
		size = binary.BigEndian.Uint64(h.bytes[short:])
	}
	if size < uint64(len(h.bytes)) || size-uint64(len(h.bytes)) > uint64(c.left) {
		return h, damaged("a box states a size of %d bytes where there are %d", size, c.left+int64(len(h.bytes)))
	}
	h.content = int64(size) - int64(len(h.bytes))
	return h, nil
}

// read fills p with the next bytes of the file.
func (c *videoCleaner) read(p []byte) error {
	if int64(len(p)) > c.left {
		return damaged("the end of a box is missing")
	}
	c.left -= int64(len(p))
	_, err := io.ReadFull(c.r, p)
	return err
}

// content reads what follows a header.
func (c *videoCleaner) content(h header, most int64) ([]byte, error) {
	if h.content > most {
		return nil, refuse(CodeTooLarge, "The video's box %q has %d bytes: at most %d are allowed.", h.kind, h.content, most)
	}
	data := make([]byte, h.content)
	return data, c.read(data)
}

func (c *videoCleaner) write(parts ...[]byte) error {
	for _, p := range parts {
		if _, err := c.out.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// pass passes a box on as it is.
func (c *videoCleaner) pass(h header) error {
	if err := c.write(h.bytes); err != nil {
		return err
	}
	return c.copy(c.r, h.content)
}

// copy passes the next n bytes of the file on.
func (c *videoCleaner) copy(from io.Reader, n int64) error {
	c.left -= n
	buf := make([]byte, maxPayload)
	for n > 0 {
		part := buf[:min(n, maxPayload)]
		if _, err := io.ReadFull(from, part); err != nil {
			return err
		}
		if err := c.write(part); err != nil {
			return err
		}
		n -= int64(len(part))
	}
	return nil
}

// blank overwrites a box.
func (c *videoCleaner) blank(h header) error {
	copy(h.bytes[4:], "free")
	if err := c.write(h.bytes); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, c.r, h.content); err != nil {
		return err
	}
	n := h.content
	c.left -= n
	for zeros := make([]byte, maxPayload); n > 0; n -= int64(len(zeros)) {
		zeros = zeros[:min(n, maxPayload)]
		if err := c.write(zeros); err != nil {
			return err
		}
	}
	return nil
}

// index passes a box moov or moof on, without what is private in it.
func (c *videoCleaner) index(h header) error {
	data, err := c.content(h, maxIndex)
	if err != nil {
		return err
	}
	switch {
	case h.kind == "moov" && c.movie != nil:
		return damaged("it has two indexes (moov)")
	case h.kind == "moov":
		c.movie = &movie{}
		c.provenance.addXMP(embeddedXMP(data))
		err = c.movie.read(&c.walk, data)
	case c.movie == nil:
		return damaged("it has a fragment before its index (moov)")
	default:
		err = c.movie.fragment(&c.walk, data)
	}
	if err != nil {
		return err
	}
	return c.write(h.bytes, data)
}

// uuid passes a box of a type of somebody's own on: a C2PA manifest store as it is, unless it has
// something private; that, and XMP, with just the provenance, as XMP. Others are overwritten.
func (c *videoCleaner) uuid(h header) error {
	data, err := c.content(h, maxSmall)
	if err != nil {
		return err
	}
	var m metadata
	store, isC2PA := bytes.CutPrefix(data, c2paBox)
	if isC2PA {
		m.addC2PA(store)
		if !m.private {
			c.provenance.merge(m)
			return c.write(h.bytes, data)
		}
		copy(data, xmpBox)
	}
	kind := []byte("free")
	if packet, ok := bytes.CutPrefix(data, xmpBox); ok {
		if !isC2PA {
			m.addXMP(packet)
		}
		c.provenance.merge(m)
		if clean := m.writeXMP(); len(clean) > 0 && len(clean) <= len(packet) {
			kind = []byte("uuid")
			copy(packet, slices.Concat(clean, bytes.Repeat([]byte(" "), len(packet)-len(clean))))
		}
	}
	copy(h.bytes[4:], kind)
	if string(kind) == "free" {
		clear(data)
	}
	return c.write(h.bytes, data)
}

// largeUUID passes a C2PA manifest store on that is too large to be looked into, and overwrites
// what isn't one.
func (c *videoCleaner) largeUUID(h header) error {
	kind, err := c.r.Peek(len(c2paBox))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(kind, c2paBox) {
		return c.blank(h)
	}
	c.provenance.c2pa = true
	return c.pass(h)
}

// check refuses what isn't taken, with the name of what was found.
func (m *movie) check(limits Limits) error {
	if err := m.refusal; err != nil {
		return err
	}
	width, height := m.size()
	if err := limits.frame(width, height); err != nil {
		return err
	}
	if d := m.length(); d <= 0 {
		return damaged("it doesn't say how long it plays")
	}
	return nil
}

// seconds returns a time of so many units, of which a second has scale.
func seconds(units uint64, scale uint32) float64 {
	if scale == 0 || units == math.MaxUint64 || units == math.MaxUint32 {
		return 0
	}
	return float64(units) / float64(scale)
}

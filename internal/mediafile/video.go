package mediafile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"missiond/mission"
)

const (
	// maxIndex bounds a box moov or moof, which is kept in memory; maxManifest a manifest store of C2PA,
	// and maxSmall other boxes that are.
	maxIndex    = 32 << 20
	maxManifest = 16 << 20
	maxSmall    = 1 << 20
)

// videoCleaner passes a video's boxes on, one by one. What isn't listed it overwrites, with a box
// "free" of the same size, so that nothing moves.
type videoCleaner struct {
	r          *bufio.Reader
	size, left int64 // of the file: all bytes, and those that haven't been read
	out        frameWriter
	walk       boxWalk

	movie *movie // nil before moov
	// index is the content of moov as it is sent, which is at indexAt.
	index      []byte
	indexAt    int64
	hasData    bool
	provenance metadata
}

// cleanVideo writes a video's clean copy. It reads box by box and keeps only the index of samples
// in memory, so that the size of a file doesn't matter. Of the samples, those of the tracks that
// are kept are sent; where these are, the index says. If it isn't before the samples, as cameras
// write it, the file is read twice.
func cleanVideo(r *bufio.Reader, size int64, kind string, limits Limits, out frameWriter) (Result, error) {
	c := &videoCleaner{r: r, size: size, left: size, out: out}
	head, err := r.Peek(int(min(size, int64(r.Size()))))
	if err != nil {
		return Result{}, err
	}
	if !isIndexFirst(head) {
		if err := c.findIndex(); err != nil {
			return Result{}, err
		}
		if err := out.Again(); err != nil {
			return Result{}, err
		}
		c.left, c.walk.boxes = size, 0
	}
	if err := out.Begin(""); err != nil {
		return Result{}, err
	}
	for c.left > 0 {
		if err := c.box(); err != nil {
			return Result{}, err
		}
	}
	switch {
	case c.movie == nil:
		return Result{}, noIndex()
	case !c.hasData:
		return Result{}, damaged("it has no pictures (mdat), so it isn't whole")
	}
	if err := c.movie.check(limits); err != nil {
		return Result{}, err
	}
	width, height := c.movie.frameSize()
	return Result{
		Facts: Facts{
			Kind: mission.MediaVideo, ContentType: kind, Width: width, Height: height, Duration: c.movie.length(), Coding: c.movie.coding(),
			Provenance: c.provenance.provenance(),
		},
		Made: []Made{{Names: []string{""}, ContentType: kind, Width: width, Height: height}},
	}, nil
}

func noIndex() error { return damaged("it has no index (moov), so it isn't whole") }

// isIndexFirst reports whether a file's beginning shows that its index is before its samples.
func isIndexFirst(head []byte) bool {
	for len(head) >= 8 {
		size := uint64(binary.BigEndian.Uint32(head))
		switch kind := string(head[4:8]); {
		case kind == "moov":
			return true
		case kind == "mdat":
			return false
		case size == 1 && len(head) >= 16:
			size = binary.BigEndian.Uint64(head[8:])
		}
		if size < 8 || size > uint64(len(head)) {
			return false
		}
		head = head[size:]
	}
	return false
}

// findIndex reads the whole file, for its index alone.
func (c *videoCleaner) findIndex() error {
	for c.left > 0 && c.movie == nil {
		h, err := c.header()
		switch {
		case err != nil:
			return err
		case h.kind == "moov":
			err = c.readIndex(h)
		default:
			err = c.skip(h.content)
		}
		if err != nil {
			return err
		}
	}
	if c.movie == nil {
		return noIndex()
	}
	return c.skip(c.left)
}

// at returns where in the file is read next.
func (c *videoCleaner) at() int64 { return c.size - c.left }

// header is that of a box of the file.
type header struct {
	bytes   []byte
	kind    string
	content int64 // bytes that follow
}

// box passes one box on.
func (c *videoCleaner) box() error {
	begin := c.at()
	h, err := c.header()
	if err != nil {
		return err
	}
	if h.kind == "mdat" {
		return c.samples(h)
	}
	// What the index takes for samples but isn't in mdat can't be told from what is private.
	if c.movie != nil && c.movie.kept.before(c.at()+h.content) {
		return damaged("samples are where there are none")
	}
	switch {
	case h.kind == "":
		return c.skip(h.content)
	case h.kind == "moov":
		err = c.passIndex(h, begin)
	case h.kind == "moof":
		err = c.fragment(h, begin)
	case h.kind == "uuid":
		err = c.uuid(h)
	default:
		err = c.other(h)
	}
	if c.movie != nil {
		c.movie.removed.forget(c.at())
	}
	return err
}

// header reads the header of the next box. What follows the last box, of which some programs leave
// something, has no kind.
func (c *videoCleaner) header() (h header, err error) {
	const short, long = 8, 16
	if c.walk.boxes++; c.walk.boxes > maxBoxes {
		return h, damaged("it has more than %d boxes", maxBoxes)
	}
	if c.left < short && c.isWhole() {
		return header{content: c.left}, nil
	}
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
		h.bytes = h.bytes[:min(long, int64(short)+c.left)]
		if err := c.read(h.bytes[short:]); err != nil {
			return h, err
		}
		size = 0
		if len(h.bytes) == long {
			size = binary.BigEndian.Uint64(h.bytes[short:])
		}
	}
	if size < uint64(len(h.bytes)) || size-uint64(len(h.bytes)) > uint64(c.left) {
		if c.isWhole() && !slices.Contains([]string{"mdat", "moof", "moov"}, h.kind) {
			return header{content: c.left}, nil
		}
		return h, damaged("a box states a size of %d bytes where there are %d", size, c.left+int64(len(h.bytes)))
	}
	h.content = int64(size) - int64(len(h.bytes))
	return h, nil
}

// isWhole reports whether the file has all that a video needs.
func (c *videoCleaner) isWhole() bool { return c.movie != nil && c.hasData }

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

// skip leaves the next n bytes of the file out.
func (c *videoCleaner) skip(n int64) error {
	c.left -= n
	_, err := io.CopyN(io.Discard, c.r, n)
	return err
}

// samples passes a box mdat on: the samples that are kept, and zeros for everything else.
func (c *videoCleaner) samples(h header) error {
	if c.movie == nil {
		return damaged("it has pictures before its index (moov)")
	}
	if c.movie.kept.before(c.at()) {
		return damaged("samples are where there are none")
	}
	c.hasData = true
	if err := c.write(h.bytes); err != nil {
		return err
	}
	buf := make([]byte, maxPayload)
	for n := h.content; n > 0; {
		part, at := buf[:min(n, maxPayload)], c.at()
		if err := c.read(part); err != nil {
			return err
		}
		c.movie.kept.clearOthers(part, at)
		if err := c.write(part); err != nil {
			return err
		}
		n -= int64(len(part))
	}
	c.movie.removed.forget(c.at())
	return nil
}

// blank overwrites a box.
func (c *videoCleaner) blank(h header) error {
	copy(h.bytes[4:], "free")
	if err := c.write(h.bytes); err != nil {
		return err
	}
	if err := c.skip(h.content); err != nil {
		return err
	}
	for n, zeros := h.content, make([]byte, maxPayload); n > 0; n -= int64(len(zeros)) {
		zeros = zeros[:min(n, maxPayload)]
		if err := c.write(zeros); err != nil {
			return err
		}
	}
	return nil
}

// readIndex reads a box moov.
func (c *videoCleaner) readIndex(h header) (err error) {
	c.indexAt = c.at() - int64(len(h.bytes))
	if c.index, err = c.content(h, maxIndex); err != nil {
		return err
	}
	c.movie = &movie{size: c.size}
	c.provenance.addXMP(embeddedXMP(c.index))
	return c.movie.read(&c.walk, c.index)
}

// passIndex passes a box moov on, which begins at an offset.
func (c *videoCleaner) passIndex(h header, begin int64) error {
	var err error
	switch {
	case c.movie == nil:
		err = c.readIndex(h)
	case c.indexAt == begin && h.content == int64(len(c.index)):
		err = c.skip(h.content)
	default:
		err = damaged("it has two indexes (moov)")
	}
	if err != nil {
		return err
	}
	if c.movie.kept.before(c.at()) { // in one pass, these are known only now
		return damaged("samples are where there are none")
	}
	return c.write(h.bytes, c.index)
}

// fragment passes a box moof on, which begins at an offset.
func (c *videoCleaner) fragment(h header, begin int64) error {
	if c.movie == nil {
		return damaged("it has a fragment before its index (moov)")
	}
	data, err := c.content(h, maxIndex)
	if err != nil {
		return err
	}
	if err := c.movie.fragment(&c.walk, data, begin); err != nil {
		return err
	}
	return c.write(h.bytes, data)
}

// other passes a box on that is neither an index nor has samples, if it is listed.
func (c *videoCleaner) other(h header) error {
	clean := c.movie.fileBoxes()[h.kind]
	if clean == nil || h.content > maxSmall {
		return c.blank(h)
	}
	data, err := c.content(h, maxSmall)
	if err != nil {
		return err
	}
	switch err := clean(data); {
	case errors.Is(err, errUnlisted):
		copy(h.bytes[4:], "free")
		clear(data)
	case err != nil:
		return err
	}
	return c.write(h.bytes, data)
}

// check refuses what isn't taken, with the name of what was found.
func (m *movie) check(limits Limits) error {
	width, height := m.frameSize()
	if err := limits.frame(width, height); err != nil {
		return err
	}
	if d := m.length(); d <= 0 {
		return damaged("it doesn't say how long it plays")
	}
	return nil
}

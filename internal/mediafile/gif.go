package mediafile

import (
	"encoding/binary"
	"slices"
)

// gifFile is what a GIF says of itself, without being decoded.
type gifFile struct {
	width, height, frames int
	// kept are the parts of the file that its clean copy has.
	kept [][]byte
	meta metadata
}

// gifScan walks through the blocks of a GIF.
type gifScan struct {
	gifFile

	rest []byte
	// control is a graphic control block that waits for its image.
	control []byte
	limits  Limits
}

// The blocks of a GIF, and the labels of its extensions.
const (
	gifExtension, gifImage, gifTrailer = 0x21, 0x2c, 0x3b

	gifText, gifControl, gifApplication = 0x01, 0xf9, 0xff

	// gifControlSize is that of a control: its label, a block of four bytes, and the end.
	gifControlSize = 7
)

// gifLoops are the applications whose extension says how often an animation plays.
var gifLoops = []string{"NETSCAPE2.0", "ANIMEXTS1.0"}

// scanGIF returns a GIF's size, frames and clean parts: images with their controls, and how
// often it plays. It refuses a frame that isn't whole, and what the limits don't allow. As browsers do, it ends after the last frame where
// its end is missing, or something else follows.
func scanGIF(file []byte, limits Limits) (gifFile, error) {
	const header = 13
	if len(file) < header {
		return gifFile{}, damaged("it is too short")
	}
	const blockEnd = 0
	s := gifScan{limits: limits, rest: append(slices.Clip(file), blockEnd, gifTrailer)} // of which what is missing is read
	s.width, s.height = int(binary.LittleEndian.Uint16(file[6:])), int(binary.LittleEndian.Uint16(file[8:]))
	if err := limits.frame(s.width, s.height); err != nil {
		return gifFile{}, err
	}
	head, err := s.take(header + colorTable(file[10]))
	if err != nil {
		return gifFile{}, err
	}
	s.kept = append(s.kept, head)
	for {
		block, err := s.take(1)
		if err != nil {
			return gifFile{}, err
		}
		ends := false
		switch block[0] {
		case gifExtension:
			err = s.extension()
			ends = err != nil
		case gifImage:
			err = s.image()
		default:
			ends = true
		}
		switch {
		case ends && s.frames > 0:
			s.kept = append(s.kept, gifNote(s.meta.writeXMP()), []byte{gifTrailer})
			return s.gifFile, nil
		case ends:
			return gifFile{}, damaged("it has no picture")
		case err != nil:
			return gifFile{}, err
		}
	}
}

// take returns the next n bytes.
func (s *gifScan) take(n int) ([]byte, error) {
	if n > len(s.rest) {
		return nil, damaged("its end is missing")
	}
	part := s.rest[:n]
	s.rest = s.rest[n:]
	return part, nil
}

// colorTable returns how many bytes the color table has that a packed field announces.
func colorTable(packed byte) int {
	if packed&0x80 == 0 {
		return 0
	}
	return 3 << (packed&7 + 1)
}

// blocks skips blocks of data up to the empty one.
func (s *gifScan) blocks() error {
	for {
		n, err := s.take(1)
		if err != nil {
			return err
		}
		if n[0] == 0 {
			return nil
		}
		if _, err := s.take(int(n[0])); err != nil {
			return err
		}
	}
}

// extension reads an extension, and keeps controls and loops.
func (s *gifScan) extension() error {
	from := s.rest
	label, err := s.take(1)
	if err != nil {
		return err
	}
	if err := s.blocks(); err != nil {
		return err
	}
	body := from[:len(from)-len(s.rest)]
	whole := append([]byte{gifExtension}, body...)
	switch {
	case label[0] == gifControl && len(body) == gifControlSize && body[1] == gifControlSize-3:
		s.control = whole
	case label[0] == gifText:
		s.control = nil // it is the text's
	case label[0] != gifApplication: // a comment, or something unknown
	case isLoop(body):
		s.kept = append(s.kept, whole)
	default:
		s.meta.addXMP(gifXMP(body))
	}
	return nil
}

// isLoop reports whether the body of an application's extension says how often the animation
// plays, and nothing else.
func isLoop(body []byte) bool {
	const length = 18 // label, 11 and its name, 3 and its data, 0
	return len(body) == length && body[1] == 11 && slices.Contains(gifLoops, string(body[2:13])) && body[13] == 3 && body[14] == 1
}

// gifXMPName is the name of an application's extension with XMP, and gifXMPTrailer the size of its trailer.
const (
	gifXMPName    = "XMP DataXMP"
	gifXMPTrailer = 258
)

// gifXMP returns the XMP of an application's extension. It isn't in blocks: a trailer makes it
// look as if it were.
func gifXMP(body []byte) []byte {
	if len(body) < 13+gifXMPTrailer || string(body[2:13]) != gifXMPName {
		return nil
	}
	return body[13 : len(body)-gifXMPTrailer]
}

// gifNote returns an application's extension with a packet of XMP; nil if there is none. Whoever takes a byte of
// the packet for the length of a block comes to the trailer, whose bytes all lead to its end.
func gifNote(packet []byte) []byte {
	if len(packet) == 0 {
		return nil
	}
	note := append([]byte{gifExtension, gifApplication, byte(len(gifXMPName))}, gifXMPName...)
	note = append(append(note, packet...), 1)
	for v := 0xff; v >= 0; v-- {
		note = append(note, byte(v))
	}
	return append(note, 0)
}

// image reads an image and keeps it with its control.
func (s *gifScan) image() error {
	from := s.rest
	const descriptor = 9
	head, err := s.take(descriptor)
	if err != nil {
		return err
	}
	s.frames++
	if s.frames > s.limits.Frames || int64(s.frames)*int64(s.width)*int64(s.height) > s.limits.FramePixels {
		return refuse(CodePixels, "The GIF has %d frames of %d × %d pixels or more: at most %d frames are allowed, and %d pixels together.", s.frames, s.width, s.height, s.limits.Frames, s.limits.FramePixels)
	}
	// A table of colors, and in how many bits the codes begin.
	colors, err := s.take(colorTable(head[8]) + 1)
	if err != nil {
		return err
	}
	data := s.rest
	if err := s.blocks(); err != nil {
		return err
	}
	pixels := int(binary.LittleEndian.Uint16(head[4:])) * int(binary.LittleEndian.Uint16(head[6:]))
	codes := trimmed(data[:len(data)-len(s.rest)], int(colors[len(colors)-1]), pixels)
	s.kept = append(s.kept, s.control, []byte{gifImage}, from[:descriptor+len(colors)], codes)
	s.control = nil
	return nil
}

package mediafile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
)

// What fuzzing calls in the test's own process.
var (
	ScanJPEG = func(file []byte) error { _, err := scanJPEG(file); return err }
	ScanPNG  = func(file []byte) error { _, err := scanPNG(file); return err }
	ScanWebP = func(file []byte) error { _, err := scanWebP(file); return err }
	ScanHEIC = func(file []byte) error { _, err := scanHEIC(file); return err }
)

// AddEXIF returns the orientation of a block of EXIF, and whether it has anything private.
func AddEXIF(block []byte) (orientation int, private bool) {
	var m metadata
	m.addEXIF(block)
	return m.orientation, m.private
}

// CleanLabel returns a label with the standard's fields alone.
var CleanLabel = cleanLabel

// AddXMP returns a packet of XMP as it is written anew, and whether it has anything private.
func AddXMP(packet []byte) (clean []byte, private bool) {
	var m metadata
	m.addXMP(packet)
	return m.writeXMP(), m.private
}

// GIFNote returns a GIF's extension with a packet of XMP.
var GIFNote = gifNote

// CleanGIF returns a GIF's clean copy.
func CleanGIF(file []byte) (clean []byte, frames int, err error) {
	g, err := scanGIF(file, Limits{}.withDefaults())
	return bytes.Join(g.kept, nil), g.frames, err
}

// CleanVideo returns a video's clean copy.
func CleanVideo(file []byte) ([]byte, error) {
	var out bytes.Buffer
	_, err := cleanVideo(bufio.NewReader(bytes.NewReader(file)), int64(len(file)), "video/mp4", Limits{}.withDefaults(), frameWriter{&out})
	if err != nil {
		return nil, err
	}
	var clean []byte
	for buf := make([]byte, maxPayload); ; {
		kind, payload, err := readFrame(&out, buf)
		if errors.Is(err, io.EOF) {
			return clean, nil
		}
		if err != nil {
			return nil, err
		}
		if kind == frameData {
			clean = append(clean, payload...)
		}
	}
}

// FrameOf returns the size of a picture's frame, and how large what is shown is in it.
func FrameOf(width, height int, p Picture) (w, h, shownWidth, shownHeight int) {
	f := frameOf(width, height, p)
	return f.width, f.height, f.to.Dx(), f.to.Dy()
}

// Receive has a parent read what a child of a file of 100 bytes says.
func Receive(said []byte, sink func(string) (io.WriteCloser, error), pictures ...Picture) error {
	r := receiver{order: order{Request: Request{Pictures: pictures, Limits: Limits{PictureBytes: 100}}, Size: 100}, sink: sink, frames: bytes.NewReader(said)}
	if err := r.receive(); err != nil {
		return err
	}
	if r.refused != nil {
		return r.refused
	}
	_, err := r.finish(&source{hash: sha256.New()})
	return err
}

// Frame returns a frame of what a child says.
func Frame(kind byte, payload string) []byte {
	var b bytes.Buffer
	_ = frameWriter{&b}.frame(kind, []byte(payload)) // a buffer takes everything
	return b.Bytes()
}

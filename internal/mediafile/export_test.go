package mediafile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"time"

	"missiond/mission"
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

// Within has a Runner end children after d, and a part for their files' sizes.
func (r *Runner) Within(d time.Duration) *Runner {
	r.startTime = d
	return r
}

// ErrLimit and ErrFrame end children.
var ErrLimit, ErrFrame = errLimit, errFrame

// SilentFor returns what the end of a child means that was silent within an output for a while, of which its file's
// reader took a part, and whose sink has failed.
func SilentFor(silent, reader time.Duration, failed error) error {
	e := ending{limit: time.Minute, stderr: &bounded{}}
	_, err := e.outcome(&receiver{ready: true, failed: failed, silent: silent}, &source{took: reader, hash: sha256.New()})
	return err
}

// Conversation has a receiver hear the frames that making pictures of a file writes, for rules, and returns for
// each output how many frames were to come when it was closed.
func Conversation(file []byte, pictures []Picture) (left []int, err error) {
	var said bytes.Buffer
	if _, err := makePictures(file, mission.TypePNG, order{Request: Request{Pictures: pictures}, Size: int64(len(file))}, Limits{}.withDefaults(), frameWriter{&said}); err != nil {
		return nil, err
	}
	var frames [][]byte
	for buf := make([]byte, maxPayload); said.Len() > 0; {
		kind, payload, err := readFrame(&said, buf)
		if err != nil {
			return nil, err
		}
		var frame bytes.Buffer
		_ = frameWriter{&frame}.frame(kind, payload)
		frames = append(frames, frame.Bytes())
	}
	heard := 0
	r := receiver{
		order: order{Request: Request{Pictures: pictures}, Size: int64(len(file))},
		sink: func(string) (io.WriteCloser, error) {
			return closing(func() { left = append(left, len(frames)-heard) }), nil
		},
		frames: &each{frames: frames, heard: &heard},
	}
	_ = r.receive()
	return left, nil
}

// closing is a sink that calls a function when it is closed.
type closing func()

func (closing) Write(p []byte) (int, error) { return len(p), nil }
func (c closing) Close() error              { c(); return nil }

// each reads frames, and counts those that were begun.
type each struct {
	frames [][]byte
	heard  *int
	rest   []byte
}

func (e *each) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		if *e.heard == len(e.frames) {
			return 0, io.EOF
		}
		e.rest = e.frames[*e.heard]
		*e.heard++
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Ended returns what the end of a child with a state means that was given a minute, of which its file's
// reader took a part; stopped is why it was stopped, failed what was wrong with what it said.
func Ended(state *os.ProcessState, ready bool, reader time.Duration, stopped, failed error) error {
	e := ending{limit: time.Minute, state: state, stopped: stopped, failed: failed, stderr: &bounded{}}
	_, err := e.outcome(&receiver{ready: ready}, &source{took: reader, hash: sha256.New()})
	return err
}

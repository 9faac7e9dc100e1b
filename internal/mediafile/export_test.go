package mediafile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"image"
	"io"
	"os"
	"time"

	"missiond/mission"
)

// What fuzzing calls in the test's own process.
var (
	ScanPNG  = func(file []byte) error { _, err := scanPNG(file); return err }
	ScanWebP = func(file []byte) error { _, err := scanWebP(file); return err }
	ScanHEIC = func(file []byte) error { _, err := scanHEIC(file); return err }
)

// DecodeCoded decodes a JPEG of at most 100,000 pixels without Go's decoder.
func DecodeCoded(file []byte) (image.Image, error) {
	const most = 100_000
	if s, err := scanJPEG(file); err != nil || s.width*s.height > most {
		return nil, err
	}
	return decodeCoded(file, errors.ErrUnsupported)
}

// HEICColors returns the middle row of each HEIC, as sRGB on white, 3 bytes a pixel. One decoder decodes them: it takes longer to
// compile than to run.
func HEICColors(files [][]byte) (rows [][]byte, err error) {
	d, err := newHEICDecoder()
	if err != nil {
		return nil, err
	}
	defer d.close()
	for _, file := range files {
		s, err := scanHEIC(file)
		if err != nil {
			return nil, err
		}
		p, err := d.picture(file, s.heic)
		if err != nil {
			return nil, err
		}
		if err := p.prepare(s.colors(p)); err != nil {
			return nil, err
		}
		row := make([]byte, 3*p.img.Bounds().Dx())
		p.row(row, 0, p.img.Bounds().Dy()/2)
		p.finish(row)
		rows = append(rows, row)
	}
	return rows, nil
}

// Converted converts some colors of a profile of so many channels; it returns false if the profile can't be used.
func Converted(profile []byte, channels int) bool {
	const most, step = 255, 51
	t, err := newTransform(colors{channels: channels, profile: profile}, most)
	for v := 0; v <= most && t != nil; v += step {
		t.rgb(v, most-v, v, most-v)
	}
	return err == nil
}

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
	made, err := outputs(func(out frameWriter) error {
		twice := bufio.NewReader(io.MultiReader(bytes.NewReader(file), bytes.NewReader(file)))
		_, err := cleanVideo(twice, int64(len(file)), "video/mp4", Limits{}.withDefaults(), out)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// FrameOf returns the size of a picture's frame, and how large what is shown is in it.
func FrameOf(width, height int, p Picture) (w, h, shownWidth, shownHeight int) {
	f := frameOf(width, height, p)
	return f.width, f.height, f.to.Dx(), f.to.Dy()
}

// Receive has a parent read what a child of a file of 100 bytes says.
func Receive(said []byte, sink func(string) (io.WriteCloser, error), pictures ...Picture) error {
	r := receiver{
		order: order{Request: Request{Pictures: pictures, Limits: Limits{PictureBytes: 100}}, Size: 100}, sink: sink, frames: bytes.NewReader(said),
		again: make(chan struct{}, 1),
	}
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

// MadeOfJPEG returns what is made of a JPEG for rules.
func MadeOfJPEG(file []byte, pictures ...Picture) (made [][]byte, err error) {
	return outputs(func(out frameWriter) error {
		_, err := makePictures(file, mission.TypeJPEG, order{Request: Request{Pictures: pictures}}, Limits{}.withDefaults(), out)
		return err
	})
}

// outputs returns what is written to frames.
func outputs(write func(frameWriter) error) (all [][]byte, err error) {
	var out bytes.Buffer
	if err := write(frameWriter{&out}); err != nil {
		return nil, err
	}
	for buf := make([]byte, maxPayload); ; {
		kind, payload, err := readFrame(&out, buf)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		case kind == frameBegin:
			all = append(all, nil)
		case kind == frameData:
			all[len(all)-1] = append(all[len(all)-1], payload...)
		}
	}
}

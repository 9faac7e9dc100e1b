package mediafile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
)

// headroom is by how much an output may exceed the file, or the largest picture.
const headroom = 64 << 10

// receiver reads what a child says, of which it believes nothing that it can check.
type receiver struct {
	order  order
	sink   func(name string) (io.WriteCloser, error)
	frames io.Reader
	again  chan<- struct{} // has the file read once more

	outputs []output
	to      io.WriteCloser // of the last output; nil once it is closed
	hash    hash.Hash
	failed  error         // the sink's
	took    time.Duration // of the sink
	silent  time.Duration // how long the last frame was waited for while an output was open
	ready   bool          // it was bound, and has begun
	reread  bool          // the file is read once more
	refused error         // a *Refused
	result  Result
}

// output is what arrived of a file that was made.
type output struct {
	name  string
	bytes int64
	hash  string
}

// receive reads frames until the last. It returns an error if there is none, if a frame isn't
// allowed (errFrame), or if the sink fails.
func (r *receiver) receive() (err error) {
	defer func() { err = errors.Join(err, r.close()) }()
	buf := make([]byte, maxPayload)
	for {
		since := clock.Running()
		kind, payload, err := readFrame(r.frames, buf)
		if r.silent = 0; r.to != nil {
			r.silent = clock.Running() - since
		}
		if err != nil {
			return err
		}
		switch kind {
		case frameReady:
			r.ready = true
		case frameAgain:
			err = r.readAgain()
		case frameBegin:
			err = r.begin(string(payload))
		case frameData:
			err = r.data(payload)
		case frameEnd:
			err = r.close()
		case frameResult:
			return r.last(payload, &r.result)
		case frameRefused:
			refused := &Refused{}
			err := r.last(payload, refused)
			if err == nil {
				r.refused = refused
			}
			return err
		default:
			err = fmt.Errorf("%w: kind %d", errFrame, kind)
		}
		if err != nil {
			return err
		}
	}
}

// readAgain has the file read once more; once is enough.
func (r *receiver) readAgain() error {
	if r.reread || len(r.outputs) > 0 {
		return fmt.Errorf("%w: the file is asked for once more", errFrame)
	}
	r.reread = true
	r.again <- struct{}{}
	return nil
}

// begin begins an output; each has a name of the request's.
func (r *receiver) begin(name string) error {
	if err := r.close(); err != nil {
		return err
	}
	known := name == "" || slices.ContainsFunc(r.order.Pictures, func(p Picture) bool { return p.Name == name })
	if !known || slices.ContainsFunc(r.outputs, func(o output) bool { return o.name == name }) {
		return fmt.Errorf("%w: an output that wasn't asked for", errFrame)
	}
	r.outputs, r.hash = append(r.outputs, output{name: name}), sha256.New()
	defer r.spent(clock.Running())
	r.to, r.failed = r.sink(name)
	return r.failed
}

func (r *receiver) data(payload []byte) error {
	if r.to == nil {
		return fmt.Errorf("%w: data of no output", errFrame)
	}
	o := &r.outputs[len(r.outputs)-1]
	o.bytes += int64(len(payload))
	if o.bytes > max(r.order.Size, r.order.Limits.withDefaults().PictureBytes)+headroom {
		return fmt.Errorf("%w: an output of more than %d bytes", errFrame, o.bytes)
	}
	r.hash.Write(payload)
	defer r.spent(clock.Running())
	_, r.failed = r.to.Write(payload)
	return r.failed
}

// close closes the output that is open, if one is.
func (r *receiver) close() error {
	if r.to == nil {
		return nil
	}
	r.outputs[len(r.outputs)-1].hash = hex.EncodeToString(r.hash.Sum(nil))
	defer r.spent(clock.Running())
	err := r.to.Close()
	r.to = nil
	if r.failed == nil {
		r.failed = err
	}
	return err
}

// spent adds the time since one of clock.Running to the sink's.
func (r *receiver) spent(since time.Duration) { r.took += clock.Running() - since }

// last reads the last frame.
func (r *receiver) last(payload []byte, into any) error {
	if len(payload) > maxOrder {
		return fmt.Errorf("%w: a last one of %d bytes", errFrame, len(payload))
	}
	if err := json.Unmarshal(payload, into); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	return nil
}

// finish returns the result, with what the parent itself saw of the files.
func (r *receiver) finish(file *source) (Result, error) {
	res := r.result
	res.Hash, res.Bytes = hex.EncodeToString(file.hash.Sum(nil)), r.order.Size
	if file.left != 0 {
		return Result{}, fmt.Errorf("%w: it left %d bytes of the file unread", errFrame, file.left)
	}
	if !slices.Contains(mission.AllMediaKinds(), res.Kind) || !slices.Contains(types, res.ContentType) || res.Width <= 0 || res.Height <= 0 || res.Duration < 0 || res.Frames < 0 {
		return Result{}, fmt.Errorf("%w: a result of kind %.20q, type %.20q, %d × %d", errFrame, res.Kind, res.ContentType, res.Width, res.Height)
	}
	if !res.Coding.Valid() {
		return Result{}, fmt.Errorf("%w: a coding of %.20q, %.20q, %.20q", errFrame, res.Coding.Codec, res.Coding.Subsampling, res.Coding.AudioCodec)
	}
	boundProvenance(&res.Provenance)
	if len(res.Made) != len(r.outputs) {
		return Result{}, fmt.Errorf("%w: %d files made, %d written", errFrame, len(res.Made), len(r.outputs))
	}
	for i := range res.Made {
		m, o := &res.Made[i], r.outputs[i]
		if !slices.Contains(m.Names, o.name) || !slices.Contains(types, m.ContentType) || m.Width <= 0 || m.Height <= 0 {
			return Result{}, fmt.Errorf("%w: output %d", errFrame, i)
		}
		m.Hash, m.Bytes = o.hash, o.bytes
	}
	return res, r.checkNames(res)
}

// checkNames checks that a picture has a file for each name, and another file its copy.
func (r *receiver) checkNames(res Result) error {
	want := []string{""}
	if res.Kind == mission.MediaImage {
		want = nil
		for _, p := range r.order.Pictures {
			want = append(want, p.Name)
		}
	}
	var got []string
	for _, m := range res.Made {
		got = append(got, m.Names...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("%w: files for %d names, want %d", errFrame, len(got), len(want))
	}
	return nil
}

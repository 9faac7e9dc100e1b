package mediafile

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// How a child is spoken to. In: the length of an order in 4 bytes (big endian), the order as
// JSON, and the file, once more if the child asks for it. Out: frames of a kind in 1 byte, a length in 4, and the payload. The last
// frame is a result or a refusal.
const (
	frameReady   = 'y' // the first: the child is bound, and reads the order next
	frameBegin   = 'b' // an output begins; the payload is the name to store it by
	frameData    = 'd' // the next bytes of the output
	frameEnd     = 'e' // the output is whole
	frameAgain   = 'a' // the file was read to its end, and is to be sent once more; before the first output
	frameResult  = 'r' // the last: a Result, as JSON
	frameRefused = 'x' // the last: a Refused, as JSON
)

const (
	maxOrder   = 64 << 10
	maxPayload = 256 << 10
)

// order is what the parent tells the child.
type order struct {
	Request

	Size int64 // of the file, in bytes
}

// writeOrder writes an order. Its length has a bound.
func writeOrder(w io.Writer, o order) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if len(text) > maxOrder {
		return fmt.Errorf("a request of %d bytes; at most %d are allowed", len(text), maxOrder)
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// readOrder reads an order.
func readOrder(r io.Reader) (o order, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return o, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxOrder {
		return o, fmt.Errorf("an order of %d bytes; at most %d are allowed", n, maxOrder)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return o, err
	}
	return o, json.Unmarshal(text, &o)
}

// frameWriter writes a child's frames.
type frameWriter struct{ w io.Writer }

func (f frameWriter) frame(kind byte, payload []byte) error {
	head := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	if _, err := f.w.Write(head); err != nil {
		return err
	}
	_, err := f.w.Write(payload)
	return err
}

// last writes the frame that ends the conversation.
func (f frameWriter) last(kind byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.frame(kind, text)
}

// Begin begins an output.
func (f frameWriter) Begin(name string) error { return f.frame(frameBegin, []byte(name)) }

// Write writes the next bytes of the output.
func (f frameWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(len(p), n+maxPayload)]
		if err := f.frame(frameData, part); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// Again asks for the file once more, which was read to its end.
func (f frameWriter) Again() error {
	err := f.frame(frameAgain, nil)
	if w, ok := f.w.(*bufio.Writer); ok && err == nil {
		err = w.Flush()
	}
	return err
}

// End ends the output, at once: the next may take long to be made.
func (f frameWriter) End() error {
	err := f.frame(frameEnd, nil)
	if w, ok := f.w.(*bufio.Writer); ok && err == nil {
		err = w.Flush()
	}
	return err
}

var errFrame = errors.New("the child's output has a frame that isn't allowed")

// readFrame reads a frame into buf, which has room for maxPayload bytes.
func readFrame(r io.Reader, buf []byte) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > maxPayload {
		return 0, nil, fmt.Errorf("%w: %d bytes", errFrame, n)
	}
	_, err = io.ReadFull(r, buf[:n])
	return head[0], buf[:n], err
}

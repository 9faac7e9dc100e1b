package mediafile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"missiond/mission"
)

// Child is a child's whole life: it binds the process, which can't be undone, reads an order and
// a file from in, and writes what it makes to out. The error is of the machine or of the pipes;
// what is wrong with the file it has told the parent.
func Child(in io.Reader, out io.Writer) error {
	// A service manager signals all of a service's processes; the parent says when the child ends.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	if err := bind(); err != nil {
		return fmt.Errorf("the process can't be bound: %w", err)
	}
	w := bufio.NewWriterSize(out, maxPayload)
	frames := frameWriter{w}
	if err := errors.Join(frames.frame(frameReady, nil), w.Flush()); err != nil {
		return err
	}
	r := bufio.NewReaderSize(in, maxPayload)
	o, err := readOrder(r)
	if err != nil {
		return fmt.Errorf("no order: %w", err)
	}
	res, err := examine(o, r, frames)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		err = frames.last(frameRefused, refused)
	case err == nil:
		err = frames.last(frameResult, res)
	}
	return errors.Join(err, w.Flush())
}

// examine makes of a file what the order says. A decoder that panics says that the file is
// damaged.
func examine(o order, r *bufio.Reader, out frameWriter) (res Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Refused{Code: CodeDamaged, Message: "The file can't be read: it is damaged.", Detail: fmt.Sprintf("%v\n%.4000s", p, debug.Stack())}
		}
	}()
	limits := o.Limits.withDefaults()
	head, err := r.Peek(int(min(headSize, o.Size))) // no end follows the file
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, err
	}
	kind := sniff(head)
	most := limits.PictureBytes
	if kind == mission.TypeMP4 || kind == mission.TypeMOV {
		most = limits.VideoBytes
	}
	switch {
	case o.Size == 0:
		return Result{}, refuse(CodeUnknownType, "The file is empty.")
	case kind == "":
		return Result{}, refuse(CodeUnknownType, "The file isn't a picture or video that can be used: JPEG, PNG, WebP, GIF, HEIC, MP4 and MOV can.")
	case o.Size > most:
		return Result{}, refuse(CodeBytes, "The file has %d bytes: at most %d are allowed.", o.Size, most)
	case most == limits.VideoBytes:
		return cleanVideo(r, o.Size, kind, limits, out)
	}
	file := make([]byte, o.Size)
	if _, err := io.ReadFull(r, file); err != nil {
		return Result{}, err
	}
	if kind == mission.TypeGIF {
		return cleanGIF(file, o, limits, out)
	}
	return makePictures(file, kind, o, limits, out)
}

// cleanGIF writes a GIF's clean copy. A GIF of one frame is a picture.
func cleanGIF(file []byte, o order, limits Limits, out frameWriter) (Result, error) {
	g, err := scanGIF(file, limits)
	if err != nil {
		return Result{}, err
	}
	if g.frames == 1 {
		return makePictures(bytes.Join(g.kept, nil), mission.TypeGIF, o, limits, out)
	}
	if err := out.Begin(""); err != nil {
		return Result{}, err
	}
	for _, kept := range g.kept {
		if _, err := out.Write(kept); err != nil {
			return Result{}, err
		}
	}
	return Result{
		Facts: Facts{Kind: mission.MediaAnimation, ContentType: mission.TypeGIF, Width: g.width, Height: g.height, Frames: g.frames, Provenance: g.meta.provenance()},
		Made:  []Made{{Names: []string{""}, ContentType: mission.TypeGIF, Width: g.width, Height: g.height}},
	}, nil
}

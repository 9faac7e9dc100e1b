package blobs

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// watch ends a call of which no byte was passed on for some time.
type watch struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

type watchKey struct{}

// watched returns a context whose cause is ErrStalled once its watch wasn't touched for a time.
// The HTTP client touches the watch of its request's context.
func watched(ctx context.Context, limit time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{limit: limit, cancel: cancel}
	w.timer = time.AfterFunc(limit, func() { cancel(ErrStalled) })
	return context.WithValue(ctx, watchKey{}, w), w
}

// touch starts the time again.
func (w *watch) touch() { w.timer.Reset(w.limit) }

// pause stops the time until the next touch.
func (w *watch) pause() { w.timer.Stop() }

// end ends the context.
func (w *watch) end() {
	w.timer.Stop()
	w.cancel(nil)
}

// source returns a reader of r whose reads end with ctx, even while one of r's goes on.
func (w *watch) source(ctx context.Context, r io.Reader) io.Reader {
	in, out := io.Pipe()
	go func() {
		_, err := io.Copy(out, r)
		_ = out.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(context.Cause(ctx)) })
	return &touching{in, w}
}

// touching is a reader that touches a watch.
type touching struct {
	io.ReadCloser

	watch *watch
}

// Read reads.
func (t *touching) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if n > 0 {
		t.watch.touch()
	}
	return n, err
}

// reader is the reader of a Get. Only its reads take time: its caller may pause between them.
type reader struct {
	io.ReadCloser

	ctx   context.Context
	watch *watch
}

// Read reads.
func (r *reader) Read(p []byte) (int, error) {
	r.watch.touch()
	n, err := r.ReadCloser.Read(p)
	r.watch.pause()
	if err != nil && !errors.Is(err, io.EOF) && r.ctx.Err() != nil {
		err = context.Cause(r.ctx)
	}
	return n, err
}

// Close ends the reads.
func (r *reader) Close() error {
	defer r.watch.end()
	return r.ReadCloser.Close()
}

// maxAnswer bounds the responses that have no file, in bytes: a list of 1,000 keys is shorter.
const maxAnswer = 8 << 20

// client is an HTTP client that touches the watch of a request's context while it sends and when
// the response comes, and reads no more of a response without a file than maxAnswer.
type client struct{ *http.Client }

// Do makes a call.
func (c client) Do(req *http.Request) (*http.Response, error) {
	w, isWatched := req.Context().Value(watchKey{}).(*watch)
	if isWatched && req.Body != nil && req.Body != http.NoBody {
		req.Body = &touching{req.Body, w}
	}
	resp, err := c.Client.Do(req)
	if err != nil {
		return nil, err
	}
	if isWatched {
		w.touch()
	}
	if resp.StatusCode >= http.StatusMultipleChoices || req.URL.Query().Get("x-id") != "GetObject" {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
	}
	return resp, nil
}

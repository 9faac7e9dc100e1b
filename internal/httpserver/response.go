package httpserver

import (
	"bytes"
	"net/http"

	"missiond/internal/admission"
)

// Response records the status and the body's size of what is written to a response. It passes
// everything on, or buffers it (Buffered).
type Response struct {
	http.ResponseWriter

	status int
	bytes  int64
	buffer *bytes.Buffer // nil unless it is buffered
	memory *admission.Response
	over   error // why there was no memory for all of it; what is written from then on is dropped
}

// Recorded returns a Response that passes on to w what is written.
func Recorded(w http.ResponseWriter) *Response { return &Response{ResponseWriter: w} }

// Buffered returns a Response whose status and body aren't sent; its headers are w's.
func Buffered(w http.ResponseWriter) *Response {
	return &Response{ResponseWriter: w, buffer: &bytes.Buffer{}}
}

// copies is how many copies of a body a buffer has while it grows.
const copies = 2

// hold keeps bytes of a buffered body.
func (r *Response) hold(p []byte) (int, error) {
	if r.over == nil {
		r.over = r.memory.Take(copies * int64(len(p)))
	}
	if r.over == nil {
		return r.buffer.Write(p)
	}
	r.buffer = &bytes.Buffer{} // whoever has it buffered responds with the error
	return len(p), nil
}

// clientGone is what huma sets when a client is gone before its response was written whole.
const clientGone = 499

// WriteHeader records the final status. That the client is gone after it is passed on to nobody:
// net/http would log it as a mistake.
func (r *Response) WriteHeader(status int) {
	if status == clientGone && r.status >= http.StatusOK {
		return
	}
	if r.status == 0 || r.status < http.StatusOK && r.status != http.StatusSwitchingProtocols {
		r.status = status
	}
	if r.buffer == nil {
		r.ResponseWriter.WriteHeader(status)
	}
}

// Write records the bytes.
func (r *Response) Write(p []byte) (n int, err error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.buffer != nil {
		n, err = r.hold(p)
	} else {
		n, err = r.ResponseWriter.Write(p)
	}
	r.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (r *Response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Status returns the status: 200 unless the handler has set another.
func (r *Response) Status() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// Succeeded reports whether there is a response, and it isn't an error's.
func (r *Response) Succeeded() bool { return r.status > 0 && r.status < http.StatusBadRequest }

// Body returns the body that was buffered.
func (r *Response) Body() []byte { return r.buffer.Bytes() }

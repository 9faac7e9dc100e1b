package httpserver

import (
	"bytes"
	"net/http"
)

// Response records the status and the body's size of what is written to a response. It passes
// everything on, or buffers it (Buffered).
type Response struct {
	http.ResponseWriter

	status int
	bytes  int64
	buffer *bytes.Buffer // nil unless it is buffered
}

// Recorded returns a Response that passes on to w what is written.
func Recorded(w http.ResponseWriter) *Response { return &Response{ResponseWriter: w} }

// Buffered returns a Response whose status and body aren't sent; its headers are w's.
func Buffered(w http.ResponseWriter) *Response {
	return &Response{ResponseWriter: w, buffer: &bytes.Buffer{}}
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
		n, err = r.buffer.Write(p)
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

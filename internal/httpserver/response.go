package httpserver

import (
	"bytes"
	"net/http"
)

// Response records the status and the body's size of what is written to a response. It passes
// everything on, or holds it back (HeldBack).
type Response struct {
	http.ResponseWriter

	status int
	bytes  int64
	held   *bytes.Buffer // nil unless it is held back
}

// Recorded returns a Response that passes on to w what is written.
func Recorded(w http.ResponseWriter) *Response { return &Response{ResponseWriter: w} }

// HeldBack returns a Response whose status and body aren't sent; its headers are w's.
func HeldBack(w http.ResponseWriter) *Response {
	return &Response{ResponseWriter: w, held: &bytes.Buffer{}}
}

// WriteHeader records the final status.
func (r *Response) WriteHeader(status int) {
	if r.status == 0 || r.status < http.StatusOK && r.status != http.StatusSwitchingProtocols {
		r.status = status
	}
	if r.held == nil {
		r.ResponseWriter.WriteHeader(status)
	}
}

// Write records the bytes.
func (r *Response) Write(p []byte) (n int, err error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.held != nil {
		n, err = r.held.Write(p)
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

// Held returns the body that was held back.
func (r *Response) Held() []byte { return r.held.Bytes() }

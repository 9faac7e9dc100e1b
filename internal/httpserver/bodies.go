package httpserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"missiond/mission"
)

// IdempotencyHeader identifies a request, so that it is executed once however often
// it is sent; ReplayedHeader marks a repeated response.
const (
	IdempotencyHeader = "Idempotency-Key"
	ReplayedHeader    = "Idempotent-Replayed"
)

// firstPiece is the memory for a body that has begun to arrive, in bytes.
const firstPiece = 4 << 10

// ReadBody reads a request's body of at most so many bytes, and makes it readable again. It
// doubles the memory as the body arrives, and calls grow with its size before. Errors:
// payload_too_large; invalid_request if it can't be read; grow's.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64, grow func(bytes int64) error) ([]byte, error) {
	in := bufio.NewReaderSize(http.MaxBytesReader(w, r.Body, most), firstPiece)
	var body []byte
	for {
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, unread(err, most)
		}
		if size := int64(cap(body)); int64(len(body)) == size {
			size = min(max(firstPiece, 2*size), most)
			if err := grow(size); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, size), body...)
		}
		n, _ := in.Read(body[len(body):cap(body)]) // an error comes again
		body = body[:len(body)+n]
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

func unread(err error, most int64) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return TooLarge(most)
	}
	return mission.Invalid("", "The body could not be read.")
}

// TooLarge returns the error for a body of more than so many bytes.
func TooLarge(most int64) *mission.Error {
	return &mission.Error{Code: mission.CodePayloadTooLarge, Message: fmt.Sprintf("The body must be at most %d KiB.", most>>10)}
}

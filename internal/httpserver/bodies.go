package httpserver

import (
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

// ReadBody reads a request's body, and makes it readable again. Errors:
// payload_too_large; invalid_request if it can't be read.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, &mission.Error{Code: mission.CodePayloadTooLarge, Message: fmt.Sprintf("The body must be at most %d KiB.", most>>10)}
	}
	if err != nil {
		return nil, mission.Invalid("", "The body could not be read.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/mission"
)

// envelope is the body of every error (interface, section 7).
type envelope struct {
	status int
	Inner  ShownError `json:"error"`
}

// ShownError is an error as callers see it.
type ShownError struct {
	Code       mission.Code `json:"code" doc:"One of a closed set of codes" example:"invalid_request"`
	Message    string       `json:"message" doc:"A description for people" example:"At least one platform is required."`
	Param      string       `json:"param,omitempty" doc:"The path of the offending field, or the name of a query parameter" example:"platforms"`
	RetryAfter int          `json:"retry_after,omitzero" doc:"Seconds to wait, on rate limiting and when the service is unavailable" example:"12"`
	RequestID  string       `json:"request_id,omitempty" doc:"The request's id, on internal errors" example:"req_01jnd2x6k8e4rvt0m7y3bqz5cp"`
}

// Error and GetStatus make envelope the type of huma's errors.
func (e *envelope) Error() string  { return e.Inner.Message }
func (e *envelope) GetStatus() int { return e.status }

// newEnvelope returns an error of ctx's request as shown to the caller.
func newEnvelope(ctx context.Context, err error) *envelope {
	m := httpserver.Shown(ctx, err)
	e := &envelope{status: httpserver.StatusOf(m.Code)}
	e.Inner.Code, e.Inner.Message, e.Inner.Param, e.Inner.RetryAfter = m.Code, m.Message, m.Param, m.RetryAfter
	if m.Code == mission.CodeInternal {
		e.Inner.RequestID = httpserver.RequestID(ctx)
	}
	return e
}

// headers sets the headers that belong to an error.
func (e *envelope) headers(h http.Header) {
	if e.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="missiond"`)
	}
	if e.Inner.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(e.Inner.RetryAfter))
	}
}

// WriteError responds to a request with an error's envelope.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	e := newEnvelope(r.Context(), err)
	e.headers(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	_ = jsonwire.Write(w, e) // fails only if the caller is gone
}

// Huma builds its own errors through these variables; here they become envelopes.
func init() {
	huma.DefaultArrayNullable = false // lists are never null
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		e := newEnvelope(ctx.Context(), humaError(status, msg, errs))
		h := http.Header{}
		e.headers(h)
		for name := range h {
			ctx.SetHeader(name, h.Get(name))
		}
		return e
	}
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return newEnvelope(context.Background(), humaError(status, msg, errs))
	}
}

// humaError converts an error of huma's to one of the service's: its first detail
// names the field.
func humaError(status int, msg string, errs []error) error {
	for _, err := range errs {
		var m *mission.Error
		if errors.As(err, &m) {
			return m
		}
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			_, param, _ := strings.Cut(d.Location, ".")
			return mission.Invalid(param, "%s.", sentence(d.Message))
		}
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return httpserver.TooLarge(maxBody)
	case http.StatusUnsupportedMediaType:
		return unsupported("body", []string{jsonBody})
	case http.StatusRequestTimeout:
		return mission.Invalid("", "The body was not received in time.")
	}
	if status < http.StatusInternalServerError {
		return mission.Invalid("", "%s.", sentence(msg))
	}
	return fmt.Errorf("huma: %s: %w", msg, errors.Join(errs...))
}

func unsupported(what string, allowed []string) *mission.Error {
	return &mission.Error{Code: mission.CodeUnsupportedMedia, Message: "The " + what + " must be " + strings.Join(allowed, " or ") + "."}
}

func sentence(s string) string {
	if s == "" {
		return "The request is invalid"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

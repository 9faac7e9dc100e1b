package mission

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Code is one of the closed set of error codes that callers see. The first six
// come from the interface's section 7, the others from its decisions.
type Code string

// The error codes. Each transport maps every one of them; AllCodes drives the
// tests that check that those maps are complete.
const (
	CodeInvalidRequest     Code = "invalid_request"
	CodeUnauthorized       Code = "unauthorized"
	CodeForbidden          Code = "forbidden"
	CodeNotFound           Code = "not_found"
	CodeConflict           Code = "conflict"
	CodeRateLimitExceeded  Code = "rate_limit_exceeded"
	CodeMethodNotAllowed   Code = "method_not_allowed"
	CodePreconditionFailed Code = "precondition_failed"
	CodePayloadTooLarge    Code = "payload_too_large"
	CodeUnsupportedMedia   Code = "unsupported_media_type"
	CodeInternal           Code = "internal_error"
	CodeServiceUnavailable Code = "service_unavailable"
)

// AllCodes lists every Code once.
func AllCodes() []Code {
	return []Code{
		CodeInvalidRequest, CodeUnauthorized, CodeForbidden, CodeNotFound, CodeConflict,
		CodeRateLimitExceeded, CodeMethodNotAllowed, CodePreconditionFailed, CodePayloadTooLarge, CodeUnsupportedMedia,
		CodeInternal, CodeServiceUnavailable,
	}
}

// Error is an error that its caller is meant to read.
type Error struct {
	Code    Code
	Message string
	// Param is the path of the offending field in dotted form with indexes
	// (constraints.posting_times[1]), the name of a query parameter, or "".
	Param string
	// RetryAfter is in seconds; 0 if waiting doesn't help.
	RetryAfter int
	// Problems is all that is wrong with the input, of which the error is the first; nil
	// where only the first is known.
	Problems Problems
}

func (e *Error) Error() string {
	if e.Param != "" {
		return fmt.Sprintf("%s: %s (%s)", e.Code, e.Message, e.Param)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Invalid returns an invalid_request that names the field. Texts among args are
// shortened, since what a caller sent may be as long as a request.
func Invalid(param, format string, args ...any) *Error {
	return &Error{Code: CodeInvalidRequest, Param: quotable(param), Message: fmt.Sprintf(format, shortened(args)...)}
}

// maxQuoted is how much of a text an error repeats, in bytes: more than any
// list of allowed names.
const maxQuoted = 1000

// quotable returns text, cut to what an error repeats of it.
func quotable(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}

// shortened returns the arguments of a message, with texts of any string type
// made quotable.
func shortened(args []any) []any {
	short := make([]any, len(args))
	for i, arg := range args {
		short[i] = arg
		if v := reflect.ValueOf(arg); v.Kind() == reflect.String && v.Len() > maxQuoted {
			short[i] = quotable(v.String())
		}
	}
	return short
}

// NotFound returns the not_found of a kind of resource ("mission"). The message
// is the same for an id that never existed and for another tenant's.
func NotFound(kind, id string) *Error {
	return &Error{Code: CodeNotFound, Message: fmt.Sprintf("No such %s: %q.", kind, quotable(id))}
}

// Conflict returns a conflict with the state of a resource.
func Conflict(format string, args ...any) *Error {
	return &Error{Code: CodeConflict, Message: fmt.Sprintf(format, args...)}
}

// Unauthorized returns the one error for every missing, malformed, unknown,
// expired or revoked credential.
func Unauthorized() *Error {
	return &Error{Code: CodeUnauthorized, Message: "Missing, invalid or expired credentials."}
}

// Forbidden returns a forbidden that names the scope that the caller lacks.
func Forbidden(s Scope) *Error {
	return &Error{Code: CodeForbidden, Message: fmt.Sprintf("This operation needs the scope %s.", s)}
}

// TookTooLong returns the error for a request that timed out; it was applied
// completely or not at all.
func TookTooLong() *Error {
	return &Error{Code: CodeServiceUnavailable, RetryAfter: 1, Message: "The request took too long; try again."}
}

// CodeOf returns the code that a caller may see of err: its own if it is an
// Error, internal_error for everything else, "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

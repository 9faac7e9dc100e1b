package httpserver

import (
	"context"
	"errors"
	"log/slog"

	"missiond/internal/database"
	"missiond/mission"
)

// retryAfter is how long a caller is asked to wait when the service has trouble, in
// seconds.
const retryAfter = 1

// Shown returns what a caller sees of err: an Error as it is; trouble of the database
// and requests that timed out as service_unavailable, with RetryAfter; anything else
// as internal_error, without its text. It logs the failures that are the service's
// own, once for each request and code, with more.
func Shown(ctx context.Context, err error, more ...slog.Attr) *mission.Error {
	m := shown(ctx, err)
	traceError(ctx, m)
	switch {
	case m.Code == mission.CodeInternal:
		tell(ctx, slog.LevelError, m.Code, err, more)
	case m.Code == mission.CodeServiceUnavailable:
		tell(ctx, slog.LevelWarn, m.Code, err, more)
	}
	return m
}

func shown(ctx context.Context, err error) *mission.Error {
	var m *mission.Error
	switch {
	case errors.As(err, &m) && m.Code == mission.CodeServiceUnavailable && m.RetryAfter == 0:
		again := *m
		again.RetryAfter = retryAfter
		return &again
	case m != nil && m.Code != mission.CodeInternal:
		return m
	case errors.Is(err, context.DeadlineExceeded):
		return mission.TookTooLong()
	case database.Unavailable(err):
		return unavailable("The service can't reach its database at the moment; try again.")
	case errors.Is(err, context.Canceled) && ctx.Err() != nil: // nobody reads the response
		return unavailable("The request was canceled.")
	}
	return &mission.Error{Code: mission.CodeInternal, Message: "Something went wrong on our side."}
}

func unavailable(message string) *mission.Error {
	return &mission.Error{Code: mission.CodeServiceUnavailable, RetryAfter: retryAfter, Message: message}
}

package httpserver

import (
	"net/http"

	"missiond/mission"
)

// statuses maps every error code of the service to its HTTP status (interface,
// section 7; decisions, "Conventions").
var statuses = map[mission.Code]int{
	mission.CodeInvalidRequest:     http.StatusBadRequest,
	mission.CodeUnauthorized:       http.StatusUnauthorized,
	mission.CodeForbidden:          http.StatusForbidden,
	mission.CodeNotFound:           http.StatusNotFound,
	mission.CodeConflict:           http.StatusConflict,
	mission.CodeRateLimitExceeded:  http.StatusTooManyRequests,
	mission.CodeMethodNotAllowed:   http.StatusMethodNotAllowed,
	mission.CodePreconditionFailed: http.StatusPreconditionFailed,
	mission.CodePayloadTooLarge:    http.StatusRequestEntityTooLarge,
	mission.CodeUnsupportedMedia:   http.StatusUnsupportedMediaType,
	mission.CodeInternal:           http.StatusInternalServerError,
	mission.CodeServiceUnavailable: http.StatusServiceUnavailable,
}

// StatusOf returns the HTTP status of an error code; 0 for one that isn't in the table.
func StatusOf(code mission.Code) int { return statuses[code] }

package mcpserver

import (
	"context"
	"slices"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// shownError is an error as an agent sees it.
type shownError struct {
	Code mission.Code `json:"code"`
	// Field is the argument that is wrong; "" if none is.
	Field string `json:"field,omitempty"`
	// Message is what is wrong, Detail the same where its words may quote what others wrote.
	Message string `json:"message,omitempty"`
	Detail  *Text  `json:"detail,omitempty"`
	// Next is what helps.
	Next       string         `json:"next,omitempty"`
	RetryAfter int            `json:"retry_after_seconds,omitzero"`
	RequestID  string         `json:"request_id,omitempty"`
	Others     []shownProblem `json:"also_wrong,omitempty"`
}

type shownProblem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// maxOthers is how many problems an error names besides its own.
const maxOthers = 20

// nexts are what helps against errors.
var nexts = map[mission.Code]string{
	mission.CodeInvalidRequest:     "A call with the field corrected can succeed; the tool's input schema has what it takes.",
	mission.CodeUnauthorized:       "The credential has to be renewed or replaced.",
	mission.CodeForbidden:          "A person has to allow this, in the console or by another credential; repeating the call doesn't help.",
	mission.CodeNotFound:           "missions_list, posts_list and accounts_and_limits have the ids that there are.",
	mission.CodeConflict:           "The record is in another state or revision than the call needs: mission_get or post_get has the present one.",
	mission.CodeRateLimitExceeded:  "The same call can succeed after retry_after_seconds.",
	mission.CodePayloadTooLarge:    "media_add with bytes and without content_base64 prepares an upload for larger files.",
	mission.CodeServiceUnavailable: "The same call can succeed after retry_after_seconds, with the same idempotency_key.",
	mission.CodeInternal:           "The same call may succeed later, with the same idempotency_key; request_id is for the operators.",
}

// nextOfKey is what helps if a call with an idempotency_key can't be carried out.
const nextOfKey = "The same call can succeed later; one with other arguments needs another idempotency_key."

// quoting are the codes whose messages may quote what others wrote: a topic, a platform's words.
var quoting = []mission.Code{mission.CodeConflict, mission.CodeServiceUnavailable}

// errorOf returns an error of ctx's request as its caller sees it.
func errorOf(ctx context.Context, err error) shownError {
	m := httpserver.Shown(ctx, err)
	shown := shownError{Code: m.Code, Field: m.Param, Message: m.Message, RetryAfter: m.RetryAfter, Next: nexts[m.Code]}
	if slices.Contains(quoting, m.Code) {
		shown.Message, shown.Detail = "", some(m.Message, fromService, longBytes)
	}
	if m.Code == mission.CodeConflict && m.Param == "idempotency_key" {
		shown.Next = nextOfKey
	}
	if m.Code == mission.CodeInternal {
		shown.RequestID = httpserver.RequestID(ctx)
	}
	if len(m.Problems) > 1 {
		for _, problem := range m.Problems[1:min(len(m.Problems), maxOthers+1)] {
			shown.Others = append(shown.Others, shownProblem{problem.Param, problem.Message})
		}
	}
	return shown
}

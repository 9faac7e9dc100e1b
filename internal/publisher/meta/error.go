package meta

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Codes and subcodes of errors ("Handling Errors"; Instagram's "Error Codes" of 2026-06-02; the
// others as users report them, see docs/integrations.md).
const (
	codeUnknown      = 1
	codeUnavailable  = 2
	codeMethod       = 3
	codePermission   = 10
	codeInvalid      = 100
	codeSession      = 102
	codeToken        = 190
	codeGone         = 24
	codeBlocked      = 368
	codeDuplicate    = 506
	codeMissing      = 803
	codePermissions  = 200
	codePermissions2 = 299

	subMissing   = 33
	subSpam      = 2207051
	subQuota     = 2207042
	subExpired   = 2207020
	subNotThere  = 2207006
	subNoBuilder = 2207008
	subNotFound  = 4279009
	subTimeout   = 2207003
	subServer    = 2207001
	subFailed    = 2207032
	subUpload    = 2207053
	subNotReady  = 2207027
	// subUnfetched is said of a file whose address didn't answer; the service may have been away.
	subUnfetched = 2207052
)

// limitCodes are those of calls that come too often: of the application, the user, the account, the
// Page and of Instagram.
var limitCodes = []int{4, 9, 17, 32, 341, 613, 80001, 80002, 80006}

// Times for which a platform isn't called.
const (
	limitedFor = 5 * time.Minute
	quotaFor   = time.Hour
	failedFor  = time.Minute
)

// Error is an error of a Graph API.
type Error struct {
	Message   string `json:"message"`
	Type      string `json:"type"`
	Code      int    `json:"code"`
	Subcode   int    `json:"error_subcode"`
	Transient bool   `json:"is_transient"`
	UserTitle string `json:"error_user_title"`
	UserText  string `json:"error_user_msg"`
	// Data is what some errors say besides.
	Data json.RawMessage `json:"error_data"`
}

// words returns the platform's own message, with the numbers by which its documentation names it.
func (e Error) words() string {
	number := strconv.Itoa(e.Code)
	if e.Subcode != 0 {
		number += "/" + strconv.Itoa(e.Subcode)
	}
	return cmp.Or(e.UserText, e.Message, e.Type) + " (" + number + ")"
}

// refused is the error of a call, with the platform's own.
type refused struct {
	of Error
	// means is a *mission.PublishError.
	means error
}

// Error implements error.
func (r *refused) Error() string { return r.means.Error() }

// Unwrap returns what the error means.
func (r *refused) Unwrap() error { return r.means }

// ErrorOf returns the platform's own error of a call; ok is false if it is none.
func ErrorOf(err error) (e Error, ok bool) {
	var r *refused
	if errors.As(err, &r) {
		return r.of, true
	}
	return Error{}, false
}

// Missing reports whether a call failed since the platform has no such object.
func Missing(err error) bool {
	e, ok := ErrorOf(err)
	return ok && (e.Code == codeInvalid && e.Subcode == subMissing || e.Code == codeMissing)
}

// Invalid reports whether a call failed since a parameter of it is wrong, or its object has no such
// field or edge.
func Invalid(err error) bool {
	e, ok := ErrorOf(err)
	return ok && e.Code == codeInvalid
}

// Permission reports whether a call failed since the token lacks a permission.
func Permission(err error) bool {
	e, ok := ErrorOf(err)
	return ok && e.permission()
}

func (e Error) permission() bool {
	return e.Code == codePermission || e.Code == codeMethod || e.Code >= codePermissions && e.Code <= codePermissions2
}

// Unreported reports whether a call for figures failed since the platform doesn't report them of this
// account, or to this token.
func Unreported(err error) bool {
	e, ok := ErrorOf(err)
	return ok && (e.Code == codeInvalid || e.permission())
}

// Duplicate reports whether the platform has the post's text already.
func (e Error) Duplicate() bool { return e.Code == codeDuplicate }

// containerGone reports whether the platform says that it doesn't have a container (any more).
func (e Error) containerGone() bool {
	return e.Code == codeGone || slices.Contains([]int{subExpired, subNotThere, subNoBuilder, subNotFound}, e.Subcode)
}

// fail returns the error of a response that isn't OK.
func fail(response publisher.Response) error {
	var body struct {
		Error *Error `json:"error"`
	}
	if json.Unmarshal(response.Body, &body) != nil || body.Error == nil {
		return response.Fail("", 0)
	}
	return &refused{of: *body.Error, means: body.Error.meaning(response)}
}

// meaning returns what an error means for a post.
func (e Error) meaning(response publisher.Response) error {
	words := e.words()
	switch {
	case e.Code == codeToken || e.Code == codeSession:
		return response.Unauthorized(words)
	case e.permission():
		return forbidden(response.Unauthorized(words))
	case e.Subcode == subSpam:
		return response.Refused(publisher.CodeRefused, "The platform takes the post for spam", words)
	case e.Code == codeBlocked:
		return response.Refused(publisher.CodeRefused, "The platform doesn't let the account post", words)
	case e.Subcode == subQuota:
		return Pause(response, publisher.CodeRateLimited, "The account has published as many posts as the platform allows in a day", words, quotaFor)
	case slices.Contains(limitCodes, e.Code) || response.Status == http.StatusTooManyRequests:
		return Pause(response, publisher.CodeRateLimited, "The platform accepts no more calls for now", words, max(usage(response), limitedFor))
	case e.Duplicate():
		return response.Refused(publisher.CodeDuplicate, "The platform already has a post with this text", words)
	case e.containerGone():
		return response.FileGone(words)
	case e.Subcode == subNotReady:
		return Pause(response, publisher.CodeUnavailable, "The platform is still working on the post", words, failedFor)
	case e.passes():
		return unknown(response.Refused(publisher.CodeUnavailable, "The platform failed", words))
	case response.Status >= http.StatusInternalServerError:
		return response.Fail(words, 0)
	}
	return response.Refused(publisher.CodeRefused, "The platform refused the call", words)
}

// passes reports whether the same call may succeed later.
func (e Error) passes() bool {
	return e.Transient || e.Code == codeUnknown && e.Subcode == 0 || e.Code == codeUnavailable ||
		slices.Contains([]int{subTimeout, subServer, subFailed, subUpload, subUnfetched}, e.Subcode)
}

// Pause returns the error for a call that wasn't accepted and may be made again after a wait.
func Pause(response publisher.Response, code, message, words string, wait time.Duration) error {
	return changed(response.Refused(code, message, words), func(e *mission.PublishError) {
		e.Outcome, e.RetryAfter = mission.OutcomeNotAccepted, wait
	})
}

// Undecided returns the error of a lookup that can't tell whether the platform has a post.
func Undecided(why string) error {
	return &mission.PublishError{Outcome: mission.OutcomeUnknown, Failure: mission.Failure{Code: publisher.CodeUnavailable, Message: why}}
}

// unknown returns an error of a call after which it is unknown whether it was accepted.
func unknown(err error) error {
	return changed(err, func(e *mission.PublishError) {
		e.Outcome, e.Unauthorized, e.Forbidden, e.FilesGone, e.RetryAfter = mission.OutcomeUnknown, false, false, false, max(e.RetryAfter, failedFor)
	})
}

// forbidden returns an error of credentials that may do other things.
func forbidden(err error) error {
	return changed(err, func(e *mission.PublishError) { e.Forbidden = true })
}

// changed returns a publish error that was changed; another one as it is.
func changed(err error, change func(*mission.PublishError)) error {
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		return err
	}
	e := *pe
	change(&e)
	return &e
}

// usageHeader says how much of an account's calls were used up.
const usageHeader = "X-Business-Use-Case-Usage"

// usage returns how long the platform accepts no calls, by its header; 0 if that doesn't say.
func usage(response publisher.Response) (wait time.Duration) {
	var accounts map[string][]struct {
		Minutes int `json:"estimated_time_to_regain_access"`
	}
	if json.NewDecoder(strings.NewReader(response.Header.Get(usageHeader))).Decode(&accounts) != nil {
		return 0
	}
	for _, uses := range accounts {
		for _, each := range uses {
			wait = max(wait, time.Duration(each.Minutes)*time.Minute)
		}
	}
	return wait
}

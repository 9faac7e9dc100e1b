package discord

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Discord's error codes (reference, "JSON Error Codes") that mean something else than their status.
const (
	codeUnknownChannel = 10003
	codeUnknownGuild   = 10004
	codeUnknownMessage = 10008
	codeUnknownWebhook = 10015
	codeCrossposted    = 40033
	codePermissions    = 50013
)

var (
	// postCodes are about a post, not about who posts it: too explicit, in a server that takes no
	// files, blocked by the server's moderation, or with a harmful link.
	postCodes = []int{20009, 50006, 50045, 50046, 200000, 200001, 240000, 400001}
	// pauseCodes ask for a pause: slow mode, write rates of a channel and a server, something that is
	// disabled or overloaded for now.
	pauseCodes = []int{20016, 20022, 20028, 20029, 40004, 40006, 40062, 130000}
	// forumCodes say that the channel is a forum, where messages need a thread.
	forumCodes = []int{40058, 40067, 220001, 220003, 220004}
	// goneCodes say that the place no longer exists, or never takes messages.
	goneCodes = []int{codeUnknownChannel, codeUnknownGuild, codeUnknownWebhook, 50008, 50024}
)

const forumWords = "the channel is a forum, where each post is a thread; connect a text or announcement channel"

// blockedFor is how long Discord isn't called after its edge refused a call without Discord's own
// error, as it does with addresses that made too many invalid calls.
const blockedFor = 10 * time.Minute

// refusal is an error of Discord.
type refusal struct {
	Code       int             `json:"code"`
	Message    string          `json:"message"`
	RetryAfter float64         `json:"retry_after"` // in seconds
	Errors     json.RawMessage `json:"errors"`
}

// refusalOf returns a response's refusal; ok is false for a response that isn't Discord's JSON.
func refusalOf(a publisher.Response) (r refusal, ok bool) {
	if json.Unmarshal(a.Body, &r) != nil || r.Message == "" {
		return refusal{}, false
	}
	return r, true
}

// pause returns how long Discord wants no calls; 0 if it doesn't say.
func (r refusal) pause() time.Duration {
	const day, second = 24 * 60 * 60, 1000
	return time.Duration(math.Ceil(min(max(r.RetryAfter, 0), day)*second)) * time.Millisecond
}

// words returns Discord's own message, with the first field that it is about.
func (r refusal) words() string {
	path, what, ok := fault(r.Errors, 0)
	switch {
	case !ok:
		return r.Message
	case len(path) == 0:
		return r.Message + ": " + what
	}
	return r.Message + ": " + strings.Join(path, ".") + ": " + what
}

// maxDepth is how deep the tree of a form's errors is read.
const maxDepth = 8

// fault returns the first fault in the tree of a form's errors: the path of its field, and what is
// wrong.
func fault(tree json.RawMessage, depth int) (path []string, what string, ok bool) {
	var fields map[string]json.RawMessage
	if depth > maxDepth || json.Unmarshal(tree, &fields) != nil {
		return nil, "", false
	}
	var own []struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(fields["_errors"], &own) == nil && len(own) > 0 {
		return nil, own[0].Message, true
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if below, what, ok := fault(fields[name], depth+1); ok {
			return append([]string{name}, below...), what, true
		}
	}
	return nil, "", false
}

// fail returns the error for a response that isn't OK. Whoever goes on calling after a 401, a 403 or
// a webhook's 404 is locked out with their address (topics, "Invalid Request Limit"), so that these
// end the credentials.
func fail(to place, a publisher.Response) error {
	r, ok := refusalOf(a)
	pause := r.pause()
	switch {
	case a.Status >= http.StatusInternalServerError:
		return a.Fail(r.words(), pause)
	case a.Status == http.StatusTooManyRequests || slices.Contains(pauseCodes, r.Code):
		a.Status = http.StatusTooManyRequests
		return a.Fail(r.words(), pause)
	case slices.Contains(postCodes, r.Code):
		return a.Refused(publisher.CodeRefused, "The platform refused the post", r.words())
	case slices.Contains(forumCodes, r.Code):
		return a.Unauthorized(forumWords)
	case a.Status == http.StatusForbidden && !ok:
		return blocked()
	case a.Status == http.StatusForbidden, slices.Contains(goneCodes, r.Code),
		a.Status == http.StatusNotFound && to.webhook != "" && r.Code != codeUnknownMessage:
		return a.Unauthorized(r.words())
	}
	return a.Fail(r.words(), 0)
}

// blocked returns the error for a call that Discord's edge refused.
func blocked() error {
	return &mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: blockedFor, Failure: mission.Failure{
		Code: publisher.CodeUnavailable, Message: "Discord's edge refused the call (HTTP 403).",
	}}
}

// number returns an id or a nonce that may be a number or a string in JSON.
func number(of json.RawMessage) string { return string(bytes.Trim(of, `"`)) }

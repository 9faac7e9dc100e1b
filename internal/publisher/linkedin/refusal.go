package linkedin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// sunsetFor is how long LinkedIn isn't called once it has ended the version: only
// the operator can help.
const sunsetFor = time.Hour

// refusal is an error of LinkedIn.
type refusal struct {
	Message string `json:"message"`
	Details struct {
		Inputs []struct {
			Code        string `json:"code"`
			Description string `json:"description"`
		} `json:"inputErrors"`
	} `json:"errorDetails"`
}

// originals matches the post in LinkedIn's message about a duplicate.
var originals = regexp.MustCompile(`\bduplicate of (urn:li:(?:share|ugcPost):[0-9]+)(?:[^0-9A-Za-z:]|$)`)

// refusalOf returns a response's refusal; a response that isn't LinkedIn's JSON has
// none.
func refusalOf(a publisher.Response) refusal {
	var r refusal
	if json.Unmarshal(a.Body, &r) != nil {
		return refusal{}
	}
	return r
}

// words returns LinkedIn's own message.
func (r refusal) words() string {
	if r.Message == "" && len(r.Details.Inputs) > 0 {
		return cmp.Or(r.Details.Inputs[0].Description, r.Details.Inputs[0].Code)
	}
	return r.Message
}

// about reports whether the refusal is about one of a post's files: it names one, or says that
// the author doesn't own what the post has, as LinkedIn does of what it doesn't know.
func (r refusal) about(files []mission.PartFile) bool {
	if len(files) == 0 {
		return false
	}
	words := r.Message
	for _, input := range r.Details.Inputs {
		if input.Code == "INVALID_CONTENT_OWNERSHIP" {
			return true
		}
		words += " " + input.Description
	}
	return slices.ContainsFunc(files, func(f mission.PartFile) bool { return f.Upload.ID != "" && strings.Contains(words, f.Upload.ID) })
}

// fileGone returns the error for a post with a file that LinkedIn no longer has. One that is sent
// again isn't given another: LinkedIn might not recognize it as a post that it has.
func fileGone(p mission.Part, response publisher.Response) error {
	words := refusalOf(response).words()
	if p.Again {
		return response.InDoubt(words)
	}
	return response.FileGone(words)
}

// duplicate reports whether the author has already posted the text, and as which
// post; original is "" if that isn't reported.
func (r refusal) duplicate() (original string, ok bool) {
	words := []string{r.Message}
	for _, input := range r.Details.Inputs {
		ok = ok || input.Code == "DUPLICATE_POST"
		words = append(words, input.Description)
	}
	for _, text := range words {
		if named := originals.FindStringSubmatch(text); ok && named != nil {
			return named[1], true
		}
	}
	return "", ok
}

// fail returns the error for a response that isn't OK.
func (a *Adapter) fail(response publisher.Response) error {
	words := refusalOf(response).words()
	switch response.Status {
	case http.StatusUpgradeRequired:
		return &mission.PublishError{
			Outcome: mission.OutcomeNotAccepted, RetryAfter: sunsetFor,
			Failure: mission.Failure{Code: publisher.CodeUnavailable, Message: fmt.Sprintf(
				"LinkedIn has ended version %q of its API: the operator must configure a later LinkedIn-Version.", a.options.Version)},
		}
	case http.StatusTooManyRequests:
		return response.Fail(words, a.quota(response))
	}
	return response.Fail(words, 0)
}

// denied is fail for calls on which a 403 means that the token lacks a scope, or
// its member a role: a new consent fixes that, another text doesn't.
func (a *Adapter) denied(response publisher.Response) error {
	if response.Status == http.StatusForbidden {
		return response.Unauthorized(refusalOf(response).words())
	}
	return a.fail(response)
}

// quota returns the time left until a quota is reset, if the response doesn't say:
// quotas are per UTC day.
func (a *Adapter) quota(response publisher.Response) time.Duration {
	if response.Header.Get("Retry-After") != "" {
		return 0
	}
	now := a.client.Now()
	const day = 24 * time.Hour
	return now.UTC().Truncate(day).Add(day).Sub(now)
}

package x

import (
	"cmp"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"

	"missiond/internal/publisher"
)

// duplicateWords begin X's message for a text that the account has already posted.
// There is no other sign of that.
const duplicateWords = "You are not allowed to create a Tweet with duplicate content"

// clientProblems are the types and reasons of a 403 that a new consent or the
// operator can fix, but another text can't.
var clientProblems = []string{"client-not-enrolled", "oauth1-permissions", "unsupported-authentication"}

// problem is an error of X in all its forms (RFC 9457, and the older list of
// errors).
type problem struct {
	Type   string  `json:"type"`
	Title  string  `json:"title"`
	Detail string  `json:"detail"`
	Reason string  `json:"reason"`
	Errors []fault `json:"errors"`
}

// fault is one of a problem's errors, or of those beside a response's data.
type fault struct {
	Message string `json:"message"`
	Detail  string `json:"detail"`
	Title   string `json:"title"`
	// Parameters are the parameters that the fault is about, with their values.
	Parameters map[string]json.RawMessage `json:"parameters"`
}

// problemOf returns a response's problem; a response that isn't X's JSON, as its
// edge returns, has none.
func problemOf(a publisher.Response) problem {
	var p problem
	if json.Unmarshal(a.Body, &p) != nil {
		return problem{}
	}
	return p
}

// words returns X's own message.
func (p problem) words() string {
	if p.Detail == "" && len(p.Errors) > 0 {
		first := p.Errors[0]
		return cmp.Or(first.Message, first.Detail, first.Title, p.Title)
	}
	return cmp.Or(p.Detail, p.Title)
}

// mediaGone reports whether the problem is that X doesn't know a post's files, or no longer.
func (p problem) mediaGone() bool {
	return slices.ContainsFunc(p.Errors, func(f fault) bool {
		_, named := f.Parameters["media.media_ids"]
		return named
	})
}

// duplicate reports whether the account has already posted the text.
func (p problem) duplicate() bool { return strings.HasPrefix(p.words(), duplicateWords) }

// unauthorized reports whether a 403 is about the credentials, not the post.
func (p problem) unauthorized() bool {
	return slices.Contains(clientProblems, path.Base(p.Type)) ||
		slices.Contains(clientProblems, p.Reason) ||
		strings.Contains(strings.ToLower(p.words()), "scope")
}

// fail returns the error for a response that isn't OK. Since 2026-02-24 X rejects,
// among others, a reply by a self-serve client to a post whose author doesn't
// mention or quote it. X doesn't say whether an author's replies to their own posts
// are exempt: if not, a thread's second part is refused with X's message.
func fail(a publisher.Response) error {
	p := problemOf(a)
	if a.Status == http.StatusForbidden && p.unauthorized() {
		return a.Unauthorized(p.words())
	}
	return a.Fail(p.words(), a.Until(resetHeader))
}

// emptyHanded returns the error for an OK response without the expected data:
// refused if it has errors instead.
func emptyHanded(a publisher.Response) error {
	if p := problemOf(a); len(p.Errors) > 0 {
		return a.Refused(publisher.CodeRefused, "The platform refused the call", p.words())
	}
	return a.Malformed()
}

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

// duplicateWords begin X's words for a text that the account has posted
// already. It has no other sign for it.
const duplicateWords = "You are not allowed to create a Tweet with duplicate content"

// clientProblems are the types and reasons of a 403 that a consent mends, or
// the operator, but never another text.
var clientProblems = []string{"client-not-enrolled", "oauth1-permissions", "unsupported-authentication"}

// problem is how X says what is wrong, in all its forms (RFC 9457, and the
// older list of errors).
type problem struct {
	Type   string  `json:"type"`
	Title  string  `json:"title"`
	Detail string  `json:"detail"`
	Reason string  `json:"reason"`
	Errors []fault `json:"errors"`
}

// fault is one of a problem's errors, or of those beside an answer's data.
type fault struct {
	Message string `json:"message"`
	Detail  string `json:"detail"`
	Title   string `json:"title"`
}

// problemOf reads an answer's problem; an answer that isn't X's JSON, as its
// edge gives, has none.
func problemOf(a publisher.Answer) problem {
	var p problem
	if json.Unmarshal(a.Body, &p) != nil {
		return problem{}
	}
	return p
}

// words are X's own for the problem.
func (p problem) words() string {
	if p.Detail == "" && len(p.Errors) > 0 {
		first := p.Errors[0]
		return cmp.Or(first.Message, first.Detail, first.Title, p.Title)
	}
	return cmp.Or(p.Detail, p.Title)
}

// duplicate reports whether the account has posted the text already.
func (p problem) duplicate() bool { return strings.HasPrefix(p.words(), duplicateWords) }

// unauthorized reports whether a 403 is the credentials' fault, not the post's.
func (p problem) unauthorized() bool {
	return slices.Contains(clientProblems, path.Base(p.Type)) ||
		slices.Contains(clientProblems, p.Reason) ||
		strings.Contains(strings.ToLower(p.words()), "scope")
}

// fail is the error of an answer that isn't OK. Among what is refused is, since
// 2026-02-24, a reply by a self-serve client to a post whose author doesn't
// mention or quote it. Whether an author's replies to their own posts are
// exempt, X doesn't state: where they aren't, a thread's second part is refused
// in X's words.
func fail(a publisher.Answer) error {
	p := problemOf(a)
	if a.Status == http.StatusForbidden && p.unauthorized() {
		return a.Unauthorized(p.words())
	}
	return a.Fail(p.words(), a.Until(resetHeader))
}

// emptyHanded is the error of an OK answer without the data that it should
// have: refused where it has errors instead.
func emptyHanded(a publisher.Answer) error {
	if p := problemOf(a); len(p.Errors) > 0 {
		return a.Refused(publisher.CodeRefused, "The platform refused the call", p.words())
	}
	return a.Malformed()
}

package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"missiond/internal/httpserver"
	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// maxConditional is how many requests with a condition may write at a time in a process: each
// takes a second connection to the database while it has one.
const maxConditional = 2

// condition returns ctx with the condition of a PUT or DELETE whose If-Match has the ETags of
// what GET returned for the path; done ends its turn. Errors: invalid_request on the header;
// forbidden if the caller may not read the record; ctx's.
func (a *API) condition(ctx context.Context, r *http.Request, pattern string) (conditional context.Context, done func(), err error) {
	done = func() {}
	method, path, _ := strings.Cut(pattern, " ")
	if method != http.MethodPut && method != http.MethodDelete {
		return ctx, done, nil
	}
	tags, ok, err := httpserver.IfMatch(r)
	if err != nil || !ok || tags.Any() {
		return ctx, done, err // what is changed exists: the operation itself reports what doesn't
	}
	p, _ := httpserver.Principal(ctx)
	if err := p.Check(a.operations[http.MethodGet+" "+path]); err != nil {
		return ctx, done, err
	}
	select {
	case a.conditional <- struct{}{}:
		done = func() { <-a.conditional }
	case <-ctx.Done():
		return ctx, done, ctx.Err()
	}
	read, err := http.NewRequestWithContext(ctx, http.MethodGet, (&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath}).String(), nil)
	if err != nil {
		return ctx, done, err
	}
	return idempotency.WithPrecondition(ctx, func() error {
		tag, status := httpserver.TagOf(a.reads, read)
		switch {
		case status != http.StatusOK:
			return fmt.Errorf("read %s for If-Match: status %d", path, status)
		case !tags.Match(tag):
			return &mission.Error{Code: mission.CodePreconditionFailed, Message: "The record isn't as it was read any more: read it again, and decide on what it is now.", Param: httpserver.IfMatchHeader}
		}
		return nil
	}), done, nil
}

package rest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// condition returns ctx with the condition of a PUT or DELETE whose If-Match has the ETags of
// what GET returned for the path. What has changed already is refused before the work. Errors:
// invalid_request on the header; precondition_failed; those of the operation's scope; forbidden
// if the caller may not read the record.
func (a *API) condition(ctx context.Context, r *http.Request, pattern string) (context.Context, error) {
	method, path, _ := strings.Cut(pattern, " ")
	if method != http.MethodPut && method != http.MethodDelete {
		return ctx, nil
	}
	tags, ok, err := httpserver.IfMatch(r)
	if err != nil || !ok || tags.Any() {
		return ctx, err // what is changed exists: the operation itself reports what doesn't
	}
	p, _ := httpserver.Principal(ctx)
	if err := cmp.Or(p.Check(a.operations[pattern]), p.Check(a.operations[http.MethodGet+" "+path])); err != nil {
		return ctx, err
	}
	read, err := http.NewRequestWithContext(ctx, http.MethodGet, (&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath}).String(), nil)
	if err != nil {
		return ctx, err
	}
	changed := &mission.Error{
		Code:    mission.CodePreconditionFailed,
		Message: "The record isn't as it was read any more: read it again, and decide on what it is now.",
		Param:   httpserver.IfMatchHeader,
	}
	if tag, status := httpserver.TagOf(a.reads, read); status == http.StatusOK && !tags.Match(tag) {
		return ctx, changed
	}
	return a.gateway.Requests.WithPrecondition(ctx, p.TenantID, func() error {
		tag, status := httpserver.TagOf(a.reads, read)
		switch {
		case status != http.StatusOK:
			return fmt.Errorf("read %s for If-Match: status %d", path, status)
		case !tags.Match(tag):
			return changed
		}
		return nil
	}), nil
}

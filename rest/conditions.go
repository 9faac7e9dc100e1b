package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// checkConditions rejects a condition that the route wouldn't keep: a change would be made whatever it says. Errors:
// invalid_request on the header.
func (a *API) checkConditions(r *http.Request, pattern string) error {
	method, path, _ := strings.Cut(pattern, " ")
	op := a.operations[pattern]
	header := ""
	switch {
	case op == "": // no route's
	case method == http.MethodGet && (isRead(op) || showsFile(op)): // has an ETag
	case len(r.Header.Values(httpserver.IfMatchHeader)) > 0 && !(takesIfMatch(method) && isRead(a.operations[http.MethodGet+" "+path])):
		header = httpserver.IfMatchHeader
	case len(r.Header.Values(httpserver.IfNoneMatchHeader)) > 0 && method != http.MethodGet:
		header = httpserver.IfNoneMatchHeader
	}
	if header == "" {
		return nil
	}
	return mission.Invalid(header, "%s isn't supported here.", header)
}

// takesIfMatch reports whether a method changes what GET returns for the same path, where that is served.
func takesIfMatch(method string) bool { return method == http.MethodPut || method == http.MethodDelete }

// condition returns ctx with the condition of a PUT or DELETE whose If-Match has the ETags of
// what GET returned for the path. What has changed already is refused before the work. Errors:
// invalid_request on the header; precondition_failed; those of the operation's scope; forbidden
// if the caller may not read the record.
func (a *API) condition(ctx context.Context, r *http.Request, pattern string) (context.Context, error) {
	method, path, _ := strings.Cut(pattern, " ")
	if !takesIfMatch(method) {
		return ctx, nil
	}
	tags, ok, err := httpserver.IfMatch(r)
	if err != nil || !ok {
		return ctx, err
	}
	p, _ := httpserver.Principal(ctx)
	err = p.Check(a.operations[pattern])
	if err == nil && !tags.Any() {
		err = p.Check(a.operations[http.MethodGet+" "+path])
	}
	if err != nil {
		return ctx, err
	}
	read, err := http.NewRequestWithContext(ctx, http.MethodGet, (&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath}).String(), nil)
	if err != nil {
		return ctx, err
	}
	if tag, status := httpserver.TagOf(a.reads, read); status == http.StatusOK && !tags.Match(tag) {
		return ctx, httpserver.Changed()
	}
	return a.gateway.Requests.WithPrecondition(ctx, p.TenantID, func() error {
		switch tag, status := httpserver.TagOf(a.reads, read); {
		case status == http.StatusNotFound, status == http.StatusOK && !tags.Match(tag):
			return httpserver.Changed() // what isn't there matches nothing, not even *
		case status == http.StatusOK, tags.Any():
			return nil
		default:
			return fmt.Errorf("read %s for If-Match: status %d", path, status)
		}
	}), nil
}

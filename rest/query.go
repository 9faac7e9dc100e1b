package rest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"missiond/mission"
)

// declaredInputs returns the names of each route's query parameters, and whether it takes a
// body, by the routes' patterns.
func declaredInputs(doc *huma.OpenAPI) (queries map[string][]string, bodied map[string]bool) {
	queries, bodied = map[string][]string{}, map[string]bool{}
	for path, item := range doc.Paths {
		for method, op := range map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch,
			http.MethodDelete: item.Delete,
		} {
			if op == nil {
				continue
			}
			names := []string{}
			for _, p := range op.Parameters {
				if p.In == "query" {
					names = append(names, p.Name)
				}
			}
			queries[method+" "+path], bodied[method+" "+path] = names, op.RequestBody != nil
		}
	}
	return queries, bodied
}

// checkQuery rejects query parameters that would be ignored: those that the route
// doesn't have, and those that occur twice; and values that mission.CheckString
// rejects. Errors: invalid_request, naming the parameter.
func (a *API) checkQuery(r *http.Request, pattern string) error {
	declared, ok := a.queries[pattern]
	if !ok || r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return mission.Invalid("", "The query string is malformed.")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch {
		case !slices.Contains(declared, name):
			return mission.Invalid(strings.ToValidUTF8(name, "\uFFFD"), "Unknown query parameter; %s.", known(declared))
		case len(query[name]) > 1:
			return mission.Invalid(name, "Duplicate query parameter.")
		}
		if err := mission.CheckString(name, query.Get(name)); err != nil {
			return err
		}
	}
	return nil
}

// checkPath rejects a path with a parameter that mission.CheckString rejects.
// pattern is the route's. Errors: invalid_request, naming the parameter.
func checkPath(r *http.Request, pattern string) error {
	_, shape, _ := strings.Cut(pattern, " ")
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, name := range strings.Split(shape, "/") {
		if i >= len(segments) || !strings.HasPrefix(name, "{") {
			continue
		}
		value, err := url.PathUnescape(segments[i])
		if err != nil {
			continue // the server rejects such a path
		}
		if err := mission.CheckString(strings.Trim(name, "{}"), value); err != nil {
			return err
		}
	}
	return nil
}

func known(names []string) string {
	if len(names) == 0 {
		return "this path takes none"
	}
	return "allowed are " + strings.Join(names, ", ")
}

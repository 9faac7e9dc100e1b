package rest

import (
	"net/http"
	"strings"

	"missiond/mission"
)

// Root handles paths for which mux has no route with the API's error envelope: 404,
// or 405 with an Allow header if the path has other methods.
func Root(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		if allowed := allowedMethods(mux, r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			WriteError(w, r, &mission.Error{
				Code: mission.CodeMethodNotAllowed, Message: "This path allows " + strings.Join(allowed, ", ") + ".",
			})
			return
		}
		WriteError(w, r, &mission.Error{Code: mission.CodeNotFound, Message: "No such path."})
	})
}

// allowedMethods returns the methods for which mux has a route for the path of r.
func allowedMethods(mux *http.ServeMux, r *http.Request) []string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

package rest

import (
	"net/http"
	"strings"

	"missiond/mission"
)

// Root answers what mux has no route for with the interface's envelope: 404,
// or 405 with Allow where the path is known under other methods.
func Root(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		if allowed := allowedMethods(mux, r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			WriteError(w, r, &mission.Error{
				Code: mission.CodeMethodNotAllowed, Message: "This path takes " + strings.Join(allowed, ", ") + ".",
			})
			return
		}
		WriteError(w, r, &mission.Error{Code: mission.CodeNotFound, Message: "No such path."})
	})
}

// allowedMethods asks mux which methods the path of r is known under.
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

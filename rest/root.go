package rest

import (
	"net/http"
	"strings"

	"missiond/mission"
)

// Root serves mux, and responds as Unrouted to requests without a route.
func Root(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, _ := Route(mux, r)
		h.ServeHTTP(w, r)
	})
}

// Route returns mux's handler of a request and its pattern; without a route, Unrouted
// and "". It looks the route up once, unless the path has values, which only mux
// itself sets.
func Route(mux *http.ServeMux, r *http.Request) (h http.Handler, pattern string) {
	switch h, pattern = mux.Handler(r); {
	case pattern == "":
		h = Unrouted(mux, "")
	case strings.Contains(pattern, "{"):
		h = mux
	}
	return h, pattern
}

// Unrouted responds to requests without a route with the API's error envelope: 404, or
// 405 with an Allow header if mux has other methods for the path. pattern is that of
// requests without a route.
func Unrouted(mux *http.ServeMux, pattern string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := strings.Join(allowedMethods(mux, r, pattern), ", ")
		if allowed == "" {
			WriteError(w, r, &mission.Error{Code: mission.CodeNotFound, Message: "No such path."})
			return
		}
		w.Header().Set("Allow", allowed)
		WriteError(w, r, &mission.Error{Code: mission.CodeMethodNotAllowed, Message: "This path allows " + allowed + "."})
	}
}

// allowedMethods returns the methods for which mux has a route for the path of r, other
// than unrouted.
func allowedMethods(mux *http.ServeMux, r *http.Request, unrouted string) []string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != unrouted {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

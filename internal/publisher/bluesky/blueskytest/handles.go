package blueskytest

import "net/http"

// resolveHandle responds to everybody.
func (s *Stub) resolveHandle(w http.ResponseWriter, r *http.Request) {
	handle := r.URL.Query().Get("handle")
	did := s.Handles[handle]
	if handle == Handle {
		did = DID
	}
	switch {
	case s.NoHandles:
		Refuse(w, http.StatusInternalServerError, "InternalServerError", "Internal Server Error")
	case did == "":
		Refuse(w, http.StatusBadRequest, "InvalidRequest", "Unable to resolve handle")
	default:
		answerJSON(w, http.StatusOK, map[string]string{"did": did})
	}
}

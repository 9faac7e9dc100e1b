package acceptance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
)

var (
	queryTexts = regexp.MustCompile(`^\s*(#.*\s*)*(query\b|\{)`)
	requestIDs = regexp.MustCompile(`"requestId":"[^"]*"`)
)

// samePlain checks that a query has the response, byte for byte, that gqlgen
// writes without plans, unless plain is nil. Errors of fields have no order.
func (s *harness) samePlain(request, response []byte) {
	s.t.Helper()
	var sent struct{ Query string }
	if s.plain == nil || json.Unmarshal(request, &sent) != nil || !queryTexts.MatchString(sent.Query) || bytes.Contains(response, []byte(`"rate_limit_exceeded"`)) {
		return
	}
	r, w := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(request)), httptest.NewRecorder()
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", "application/json")
	s.plain.ServeHTTP(w, r)
	if got, want := unordered(response), unordered(w.Body.Bytes()); got != want {
		s.t.Errorf("%s: with plans\n%s\nwithout\n%s", request, got, want)
	}
}

// unordered returns a response without ids of requests, its errors in an order of
// their own.
func unordered(response []byte) string {
	var members struct {
		Errors     []json.RawMessage `json:"errors,omitempty"`
		Data       json.RawMessage   `json:"data,omitempty"`
		Extensions json.RawMessage   `json:"extensions,omitempty"`
	}
	response = requestIDs.ReplaceAll(response, []byte(`"requestId":""`))
	if json.Unmarshal(response, &members) != nil {
		return string(response)
	}
	slices.SortFunc(members.Errors, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
	text, err := json.Marshal(members)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

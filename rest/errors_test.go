package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// Every code has a status, and its error is written in the interface's
// envelope, with the headers that go with it.
func TestEveryCodeIsAnswered(t *testing.T) {
	for _, code := range mission.AllCodes() {
		w := httptest.NewRecorder()
		WriteError(w, httptest.NewRequest(http.MethodGet, "/", nil), &mission.Error{Code: code, Message: "secret?", Param: "p", RetryAfter: 7})
		var body struct {
			Error struct {
				Code       mission.Code `json:"code"`
				Message    string       `json:"message"`
				RetryAfter int          `json:"retry_after"`
			} `json:"error"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Error.Code != code || w.Code != httpserver.StatusOf(code) || w.Code < 400 {
			t.Errorf("%s returned %d %s, %v", code, w.Code, w.Body, err)
		}
		if masked := body.Error.Message != "secret?"; masked != (code == mission.CodeInternal) {
			t.Errorf("%s says %q", code, body.Error.Message)
		}
		if (w.Header().Get("WWW-Authenticate") != "") != (code == mission.CodeUnauthorized) {
			t.Errorf("%s has the WWW-Authenticate %q", code, w.Header().Get("WWW-Authenticate"))
		}
		if (w.Header().Get("Retry-After") == "7") != (code != mission.CodeInternal) {
			t.Errorf("%s has the Retry-After %q", code, w.Header().Get("Retry-After"))
		}
	}
}

func TestWhatIsNotOursIsMasked(t *testing.T) {
	e := newEnvelope(context.Background(), fmt.Errorf("query: %w", errors.New("password=hunter2")))
	if e.Inner.Code != mission.CodeInternal || e.Inner.Message != "Something went wrong on our side." {
		t.Errorf("it says %+v", e.Inner)
	}
}

// A request that timed out may be retried.
func TestTimeIsOver(t *testing.T) {
	e := newEnvelope(context.Background(), fmt.Errorf("query: %w", context.DeadlineExceeded))
	if e.GetStatus() != http.StatusServiceUnavailable || e.Inner.Code != mission.CodeServiceUnavailable || e.Inner.RetryAfter != 1 {
		t.Errorf("it says %d %+v", e.GetStatus(), e.Inner)
	}
}

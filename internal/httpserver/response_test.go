package httpserver

import (
	"bytes"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A response whose client is gone is no mistake in the log; a second status of a handler is.
func TestResponseOfGoneClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		statuses []int
		logged   bool
	}{
		{"gone while it was written", []int{http.StatusOK, clientGone}, false},
		{"two statuses", []int{http.StatusOK, http.StatusNotFound}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var lines bytes.Buffer
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				r := Recorded(w)
				for _, status := range c.statuses {
					r.WriteHeader(status)
				}
				if r.Status() != http.StatusOK {
					t.Errorf("the status is %d", r.Status())
				}
			}))
			server.Config.ErrorLog = log.New(&lines, "", 0)
			server.Start()
			resp, err := server.Client().Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			server.Close() // waits for the handler
			if logged := strings.Contains(lines.String(), "superfluous"); logged != c.logged {
				t.Errorf("it logged %q", lines.String())
			}
		})
	}
}

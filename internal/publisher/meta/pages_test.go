package meta

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// A list that goes on isn't whole, even if it doesn't say where; one without an end is read as far as
// allowed.
func TestPages(t *testing.T) {
	for paging, tt := range map[string]struct {
		calls int
		whole bool
	}{
		`{}`:                        {1, true},
		`{"cursors":{"after":"a"}}`: {1, true},
		`{"cursors":{"after":"a"},"next":"https://x.example/"}`: {3, false},
		`{"next":"https://x.example/"}`:                         {1, false},
	} {
		calls := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls++
			_, _ = w.Write([]byte(`{"data":[{"id":"1"}],"paging":` + paging + `}`))
		}))
		a := New(publisher.NewClient(server.Client(), time.Now), server.URL)
		var seen []string
		whole, err := Pages(t.Context(), a, mission.Credentials{}, "/1/posts", url.Values{}, 3, func(p listedPost) bool {
			seen = append(seen, p.ID)
			return true
		})
		server.Close()
		if err != nil || whole != tt.whole || calls != tt.calls || len(seen) != calls {
			t.Errorf("%s: whole %t after %d calls with %s, %v", paging, whole, calls, strings.Join(seen, " "), err)
		}
	}
}

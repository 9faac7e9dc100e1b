package bluesky

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"missiond/mission"
)

func video() mission.File {
	const content = "a video"
	return mission.File{
		PostMedia: mission.PostMedia{Kind: mission.MediaVideo, ContentType: mission.TypeMP4, Hash: "abc", Bytes: int64(len(content)), Width: 16, Height: 9},
		Open:      func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil },
	}
}

// The video service names the job of a video that it has, as an error.
func TestAVideoThatIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.adapter.video = w.address
	c := w.connected()
	var ids []string
	for range 2 {
		u := mission.Upload{Hash: "abc"}
		for n := 0; u.State != mission.UploadReady && n < 5; n++ {
			var err error
			if u, err = w.adapter.Upload(t.Context(), c, video(), u); err != nil {
				t.Fatal(err)
			}
		}
		ids = append(ids, u.ID)
	}
	if ids[0] != ids[1] || !strings.HasPrefix(ids[0], `{"$type":"blob"`) {
		t.Errorf("got %q", ids)
	}
}

// The video service has an opinion of the account, not of its credentials.
func TestTheVideoServiceRefuses(t *testing.T) {
	t.Parallel()
	for body, words := range map[string]string{
		`{"jobStatus":{"did":"","error":"unconfirmed_email","jobId":"","state":""}}`: "unconfirmed_email",
		`{"error":"AuthMissing","message":"no token"}`:                               "no token",
	} {
		for _, status := range []int{http.StatusOK, http.StatusUnauthorized} {
			w := newWorld(t)
			service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
				rw.WriteHeader(status)
				_, _ = rw.Write([]byte(body))
			}))
			t.Cleanup(service.Close)
			w.adapter.video = service.URL
			_, err := w.adapter.Upload(t.Context(), w.connected(), video(), mission.Upload{})
			if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused || pe.Unauthorized || !strings.Contains(pe.Failure.Message, words) {
				t.Errorf("%d %s: got %+v", status, body, pe)
			}
		}
	}
}

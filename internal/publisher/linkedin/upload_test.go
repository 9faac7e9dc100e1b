package linkedin

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/mission"
)

func fileOf(kind mission.MediaKind, size int) mission.File {
	return mission.File{
		PostMedia: mission.PostMedia{Kind: kind, ContentType: "a/b", Bytes: int64(size)},
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(strings.Repeat("x", size))), nil
		},
	}
}

// Bytes go to the addresses that LinkedIn gives only if they're encrypted on the way, and in the
// pieces that the adapter expects.
func TestUploadAddresses(t *testing.T) {
	t.Parallel()
	const picture, video = mission.MediaImage, mission.MediaVideo
	for name, c := range map[string]struct {
		kind mission.MediaKind
		body string
	}{
		"a picture in the clear": {picture, `{"value":{"image":"urn:li:image:A","uploadUrl":"http://media.example/a"}}`},
		"a picture nowhere":      {picture, `{"value":{"image":"urn:li:image:A"}}`},
		"no picture":             {picture, `{"value":{"image":"urn:li:image:A/../b","uploadUrl":"https://media.example/a"}}`},
		"a video in the clear":   {video, `{"value":{"video":"urn:li:video:A","uploadInstructions":[{"uploadUrl":"http://media.example/a","firstByte":0,"lastByte":9}]}}`},
		"a part of a video":      {video, `{"value":{"video":"urn:li:video:A","uploadInstructions":[{"uploadUrl":"https://media.example/a","firstByte":0,"lastByte":8}]}}`},
		"a later part":           {video, `{"value":{"video":"urn:li:video:A","uploadInstructions":[{"uploadUrl":"https://media.example/a","firstByte":1,"lastByte":9}]}}`},
		"no parts":               {video, `{"value":{"video":"urn:li:video:A","uploadInstructions":[]}}`},
	} {
		w := newWorld(t)
		w.responds(http.StatusOK, c.body)
		_, err := w.adapter().Upload(t.Context(), w.creds, fileOf(c.kind, 10), mission.Upload{})
		if pe := w.failure(err); pe.Failure.Code != publisher.CodeMalformed || pe.Outcome != mission.OutcomeNotAccepted {
			t.Errorf("%s: got %+v", name, pe)
		}
	}
	w := newWorld(t)
	stored := mission.Upload{ID: "urn:li:image:A", State: mission.UploadSending, Address: "http://media.example/a"}
	if _, err := w.adapter().Upload(t.Context(), w.creds, fileOf(picture, 10), stored); !w.failure(err).FilesGone || len(w.stub.Requests) > 0 {
		t.Errorf("a stored address in the clear: %v", err)
	}
}

// A member can't see what became of a file: it counts as available after a wait, without a call.
func TestMembersWaitForFiles(t *testing.T) {
	t.Parallel()
	for kind, want := range map[mission.MediaKind]int{mission.MediaImage: 5, mission.MediaVideo: 60} {
		w := newWorld(t)
		f, u := fileOf(kind, 100_000), mission.Upload{}
		for n := 0; u.State != mission.UploadProcessing && n < 5; n++ {
			var err error
			if u, err = w.adapter().Upload(t.Context(), w.creds, f, u); err != nil {
				t.Fatal(err)
			}
		}
		calls := len(w.stub.Requests)
		done, err := w.adapter().Upload(t.Context(), w.creds, f, u)
		if err != nil || done.State != mission.UploadReady || len(w.stub.Requests) != calls || int(u.Wait.Seconds()) < want {
			t.Errorf("%s: after a wait of %s got %+v, %v", kind, u.Wait, done, err)
		}
	}
}

// An organization without the scope to read its files is as a member.
func TestOrganizationsThatCantReadFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.creds.AccountID, w.stub.Listing = linkedintest.Organization, false
	u := mission.Upload{ID: "urn:li:image:A", State: mission.UploadProcessing}
	if got, err := w.adapter().Upload(t.Context(), w.creds, fileOf(mission.MediaImage, 10), u); err != nil || got.State != mission.UploadReady {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A post that may be out already isn't sent with another file: LinkedIn might take it for another
// post.
func TestFilesOfAPostSentAgain(t *testing.T) {
	t.Parallel()
	for again, want := range map[bool]mission.Outcome{false: mission.OutcomeNotAccepted, true: mission.OutcomeUnknown} {
		w := newWorld(t)
		p := w.part("With a file.", w.now)
		p.Media, p.Again = []mission.PartFile{{Upload: mission.Upload{ID: "urn:li:image:A"}}}, again
		_, err := w.adapter().Publish(t.Context(), w.creds, p)
		if pe := w.failure(err); pe.Outcome != want || pe.FilesGone == again {
			t.Errorf("again %t: got %+v", again, pe)
		}
	}
}

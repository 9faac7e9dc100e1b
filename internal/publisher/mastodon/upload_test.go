package mastodon

import (
	"testing"

	"missiond/mission"
)

// A server says the same of a file that it has forgotten and of one that a status has: a status
// that may be out already isn't sent again for that.
func TestFilesOfAStatusSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := part("With a file.", w.now)
	p.Media = []mission.PartFile{{Upload: mission.Upload{ID: "1"}}}
	for again, want := range map[bool]mission.Outcome{false: mission.OutcomeNotAccepted, true: mission.OutcomeUnknown} {
		p.Again = again
		_, err := w.adapter.Publish(t.Context(), w.creds, p)
		if pe := failed(t, err); pe.Outcome != want || pe.FilesGone == again {
			t.Errorf("again %t: got %+v", again, pe)
		}
	}
}

package mastodon

import (
	"context"
	"io"
	"slices"
	"strings"
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

// A picture is cut around what its uploader has said, else around its middle.
func TestFocus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, framing := range []mission.Framing{{}, mission.NewFraming(), {Fit: mission.FitLetterbox, FocusX: 0, FocusY: 0.25}} {
		m := mission.Media{
			ID: "med_1", Kind: mission.MediaImage, Status: mission.MediaReady, Framing: framing,
			Variants: []mission.MediaVariant{{Platforms: []mission.Platform{mission.Mastodon}, ContentType: mission.TypeJPEG, Bytes: 4}},
		}
		has, err := m.For(mission.Mastodon, 0, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		open := func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("\xff\xd8\xff\xd9")), nil
		}
		if _, err := w.adapter.Upload(t.Context(), w.creds, mission.File{PostMedia: has, Open: open}, mission.Upload{}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"0.00,0.00", "0.00,0.00", "-1.00,0.50"}; !slices.Equal(w.server.Focuses, want) {
		t.Errorf("got %q, want %q", w.server.Focuses, want)
	}
}

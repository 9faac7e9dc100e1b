package publishertest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"missiond/internal/publisher"
	"missiond/mission"
)

// carried publishes a post with a file where files are sent with their post: its upload is done at once, without
// a request.
func carried(w *world) {
	creds, f := w.connected(), w.file(mission.MediaImage, 1000)
	before := w.requested()
	file, waits := w.uploaded(creds, f, nil)
	if n := w.requested() - before; n > 0 || len(waits) > 0 || file.Upload.Sent != f.Bytes || file.Upload.ExpiresAt != nil {
		w.t.Errorf("%d requests, the waits %v, the upload %+v", n, waits, file.Upload)
	}
	w.stub.Forget() // as though time passed
	got := w.must(creds, with(first(w.post('1', text)), file))
	w.shows(got.PostID, file)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.publishing != 1 {
		w.t.Errorf("a post with a file is sent in %d requests", w.publishing)
	}
}

// carriedBadly lets the call that sends a post with a file fail in each way.
func carriedBadly(w *world) {
	creds := w.connected()
	for i, c := range []struct {
		fault fault
		want  mission.Outcome
		taken bool
	}{
		{tooLarge, mission.OutcomeRefused, false}, {limited, mission.OutcomeNotAccepted, false}, {failing, mission.OutcomeUnknown, false},
		{lost, mission.OutcomeUnknown, false}, {garbled, mission.OutcomeUnknown, true}, {endless, mission.OutcomeUnknown, true},
		{dripping, mission.OutcomeUnknown, true}, {withoutResponse, mission.OutcomeUnknown, true},
	} {
		file, _ := w.uploaded(creds, w.file(mission.MediaImage, 1000+i), nil)
		p := with(first(w.post(byte('1'+i), text+strings.Repeat("!", i))), file)
		before := len(w.stub.Posts())
		w.befall(c.fault)
		err := w.publish(creds, p)
		if pe := w.failed(err); pe.Outcome != c.want || pe.FilesGone || pe.Unauthorized || c.fault == limited && pe.RetryAfter <= 0 {
			w.t.Errorf("%d: got %+v", c.fault, pe)
		}
		if n := len(w.stub.Posts()) - before; n != map[bool]int{true: 1}[c.taken] {
			w.t.Errorf("%d: %d posts are there", c.fault, n)
		}
	}
	file, _ := w.uploaded(creds, w.file(mission.MediaImage, 900), nil)
	w.befall(echoing)
	err := w.publish(creds, with(first(w.post('a', text)), file))
	_ = w.failed(err)
	w.stub.Expire()
	err = w.publish(creds, with(first(w.post('b', text)), file))
	if pe := w.failed(err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
		w.t.Errorf("with an expired token: got %+v", pe)
	}
}

// carriedUnreadable publishes posts whose file can't be opened, ends early, or fails: nothing is out.
func carriedUnreadable(w *world) {
	creds, whole := w.connected(), w.file(mission.MediaImage, 1000)
	broken := errors.New("a disk at 10.0.0.1 is broken")
	for name, open := range map[string]func(context.Context) (io.ReadCloser, error){
		"not there": func(context.Context) (io.ReadCloser, error) { return nil, broken },
		"short": func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(w.content(whole)[:900])), nil
		},
		"failing": func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(w.content(whole)[:900]), failingReader{broken})), nil
		},
	} {
		f := whole
		f.Open = open
		file, _ := w.uploaded(creds, f, nil)
		err := w.publish(creds, with(first(w.post('1', text)), file))
		pe := w.failed(err)
		if pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeFileUnread || strings.Contains(pe.Failure.Message, "10.0.0.1") {
			w.t.Errorf("%s: got %+v", name, pe)
		}
	}
	w.holds()
}

// carriedInPart loses the connection while the file is sent: what the platform has isn't the whole post, so
// that it can be sent again, unlike one whose response is lost.
func carriedInPart(w *world) {
	creds := w.connected()
	file, _ := w.uploaded(creds, w.file(mission.MediaVideo, int(min(20<<20, w.p.media().Video.MaxBytes))), nil)
	p := with(first(w.post('1', text)), file)
	w.befall(lost)
	err := w.publish(creds, p)
	if pe := w.failed(err); pe.Outcome != mission.OutcomeNotAccepted {
		w.t.Errorf("got %+v", pe)
	}
	w.holds()
	got := w.must(creds, p)
	w.shows(got.PostID, file)
}

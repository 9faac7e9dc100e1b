package publishertest

import (
	"slices"
	"strings"

	"missiond/mission"
)

// processedLater publishes videos that the platform works on afterwards. While it does so, a post whose
// response never arrived can't be told from one that isn't there; then it is there once.
func processedLater(w *world) {
	creds := w.connected()
	w.stub.Process(2, false)
	for i, f := range []fault{none, withoutResponse, lost} {
		file, waits := w.uploaded(creds, w.file(mission.MediaVideo, 100_000+i), nil)
		if slices.Max(waits) > 0 {
			w.t.Errorf("the waits are %v", waits)
		}
		p := with(first(w.post(byte('1'+i), text+strings.Repeat("!", i))), file)
		w.befall(f)
		err := w.publish(creds, p)
		if f == none {
			if err != nil {
				w.t.Fatal(err)
			}
			continue
		}
		if pe := w.failed(err); pe.Outcome != mission.OutcomeUnknown {
			w.t.Errorf("got %+v", pe)
		}
		p.Again = true
		found, ok, err := w.adapter.Find(w.t.Context(), creds, p)
		for looks := 0; err != nil && looks < 3; looks++ {
			if pe := w.failed(err); pe.Outcome != mission.OutcomeUnknown {
				w.t.Fatalf("while it is processed: got %+v", pe)
			}
			found, ok, err = w.adapter.Find(w.t.Context(), creds, p)
		}
		if err != nil || ok != (f == withoutResponse) {
			w.t.Fatalf("found %+v, %t, %v", found, ok, err)
		}
		if !ok {
			found = w.must(creds, p)
		}
		w.shows(found.PostID, file)
	}
	if n := len(w.stub.Posts()); n != 3 {
		w.t.Errorf("there are %d posts", n)
	}
}

package linkedin

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/publisher/linkcard"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/mission"
)

// site is a website with a page and its picture.
func site(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<title>Less is more</title><meta name="description" content="Three ways."><meta property="og:image" content="/a.png">`)
	})
	mux.HandleFunc("/plain", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<title>Plain</title>`)
	})
	mux.HandleFunc("/a.png", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 92)...))
	})
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h.URL
}

// carded makes the card of a link, and publishes a post with it.
func (w *world) carded(link string) (u mission.Upload) {
	w.Helper()
	f := mission.File{PostMedia: mission.LinkFile(link, link)}
	u = mission.Upload{Hash: f.Hash}
	begun := w.now
	for n := 0; u.State != mission.UploadReady; n++ {
		var err error
		if u, err = w.adapter().Upload(w.Context(), w.creds, f, u); err != nil || n > 30 {
			w.Fatalf("after %d steps got %+v, %v", n, u, err)
		}
		u.BegunAt = &begun
		w.now = w.now.Add(u.Wait)
	}
	p := w.part("See "+link, w.now)
	p.Media = []mission.PartFile{{File: f, Upload: u}}
	if _, err := w.adapter().Publish(w.Context(), w.creds, p); err != nil {
		w.Fatal(err)
	}
	return u
}

// A post has the card of its link, and goes out without it or its picture if they can't be had.
func TestCards(t *testing.T) {
	t.Parallel()
	address := site(t)
	page := linkedintest.Article{Source: address + "/page", Title: "Less is more", Description: "Three ways."}
	for name, tt := range map[string]struct {
		link    string
		arrange func(w *world)
		want    linkedintest.Article
		picture bool
	}{
		"a page":                    {link: "/page", want: page, picture: true},
		"an organization":           {link: "/page", want: page, picture: true, arrange: func(w *world) { w.creds.AccountID = linkedintest.Organization }},
		"without a picture":         {link: "/plain", want: linkedintest.Article{Source: address + "/plain", Title: "Plain"}},
		"a page that isn't there":   {link: "/gone"},
		"no reader":                 {link: "/page", arrange: func(w *world) { w.options.Cards = nil }},
		"no cards":                  {link: "/page", arrange: func(w *world) { w.stub.NoArticles = true }},
		"a picture that fails":      {link: "/page", want: page, arrange: func(w *world) { w.creds.AccountID = linkedintest.Organization; w.stub.Process(1, true) }},
		"a picture that never ends": {link: "/page", want: page, arrange: func(w *world) { w.creds.AccountID = linkedintest.Organization; w.stub.Process(1000, false) }},
		"no uploads": {link: "/page", want: page, arrange: func(w *world) {
			w.stub.Handle = func(rw http.ResponseWriter, r *http.Request) bool {
				if w.stub.Uploads(r) {
					rw.WriteHeader(http.StatusInternalServerError)
				}
				return w.stub.Uploads(r)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.options.Cards = linkcard.NewReader(outbound.Rules{Local: true})
			t.Cleanup(w.options.Cards.Close)
			if tt.arrange != nil {
				tt.arrange(w)
			}
			began := w.now
			w.carded(address + tt.link)
			got := w.stub.Articles()
			if len(got) != 1 {
				t.Fatalf("got %d posts", len(got))
			}
			has := got[0].Thumbnail != ""
			got[0].Thumbnail = ""
			if got[0] != tt.want || has != tt.picture || w.now.Sub(began) > 2*time.Minute {
				t.Errorf("after %s got %+v, a picture: %t", w.now.Sub(began), got[0], has)
			}
		})
	}
}

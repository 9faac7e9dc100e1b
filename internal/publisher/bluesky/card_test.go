package bluesky

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/publisher/linkcard"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// png is the beginning of a picture, which is all that is looked at.
var png = append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 92)...)

// site is a website with a page and its picture.
func site(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<title>Less is more</title><meta name="description" content="Three ways."><meta property="og:image" content="/a.png">`)
	})
	mux.HandleFunc("/a.png", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(png) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h.URL
}

func (w *world) withCards() *world {
	w.adapter.cards = linkcard.NewReader(outbound.Rules{Local: true})
	w.t.Cleanup(w.adapter.cards.Close)
	return w
}

func TestCards(t *testing.T) {
	t.Parallel()
	address := site(t)
	card := address + "/page|Less is more|Three ways."
	for _, c := range []struct {
		name, text string
		arrange    func(w *world)
		want       string
	}{
		{"a link", "See " + address + "/page.", nil, card + "|image/png 100"},
		{"the first of two links", "#one " + address + "/page and " + address + "/else", nil, card + "|image/png 100"},
		{"no link", "See page #one.", nil, "no card"},
		{"a page that isn't there", "See " + address + "/page/gone", nil, "no card"},
		{"a server that takes no picture", address + "/page", func(w *world) { w.pds.NoBlobs = true }, card},
		{"a server that takes no card", address + "/page", func(w *world) { w.pds.NoEmbeds = true }, "no card"},
		{"no reader", address + "/page", func(w *world) { w.adapter.cards = nil }, "no card"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t).withCards()
			if c.arrange != nil {
				c.arrange(w)
			}
			if _, err := w.adapter.Publish(t.Context(), w.connected(), part(c.text)); err != nil {
				t.Fatal(err)
			}
			if got := w.pds.Embeds(); len(got) != 1 || got[0].String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A page that doesn't respond takes a third of the call's time, and the post goes out.
func TestCardOfASlowPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withCards()
	creds, address := w.connected(), site(t)
	ctx, cancel := context.WithTimeout(t.Context(), await.Within(3*time.Second))
	defer cancel()
	if _, err := w.adapter.Publish(ctx, creds, part(address+"/slow")); err != nil {
		t.Fatal(err)
	}
	if got := w.pds.Embeds(); len(got) != 1 || got[0] != nil {
		t.Errorf("got %s", got)
	}
}

// A repeat with another card, or none, is the same post.
func TestCardsOfARepeat(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withCards()
	c, p, cards := w.connected(), part("See "+site(t)+"/page"), w.adapter.cards
	w.adapter.cards = nil
	one, err := w.adapter.Publish(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	w.adapter.cards, p.Again = cards, true
	two, err := w.adapter.Publish(t.Context(), c, p)
	if err != nil || two != one {
		t.Errorf("the repeat is %+v (%v), want %+v", two, err, one)
	}
	if got := w.pds.Embeds(); len(got) != 1 || got[0] != nil {
		t.Errorf("got %s", got)
	}
	other := part("Another's.")
	if _, err := w.adapter.Publish(t.Context(), c, other); failed(t, err).Outcome != mission.OutcomeRefused {
		t.Errorf("got %v", err)
	}
}

// A picture is uploaded as it is.
func TestUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connected()
	if b := w.adapter.upload(t.Context(), c, linkcard.Card{Picture: bytes.Repeat([]byte("x"), linkcard.MaxPicture), PictureType: "image/gif"}); b == nil || b.Size != linkcard.MaxPicture || b.MimeType != "image/gif" {
		t.Errorf("got %+v", b)
	}
	if b := w.adapter.upload(t.Context(), c, linkcard.Card{}); b != nil {
		t.Errorf("nothing is %+v", b)
	}
}

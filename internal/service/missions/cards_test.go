package missions_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// The card of a post's link is made once and recorded before the post is sent: one that is sent
// again, since nobody knows whether it arrived, is the same post.
func TestCardIsRecorded(t *testing.T) {
	t.Parallel()
	var reads atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>Read %d</title>", reads.Add(1))
	}))
	t.Cleanup(site.Close)
	for _, tt := range []struct {
		text  string
		media bool
		want  string
	}{
		{"Read " + site.URL + "/page today.", false, "Read 1"},
		{"Read " + site.URL + "/page today, with a picture.", true, ""},
		{"Read nothing.", false, ""},
	} {
		reads.Store(0)
		db := testkit.SQLite(t, store.Options{Timing: world.Timing})
		i := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.LinkedIn })
		g := newGallery(t, world.New(t, db), playedPlatforms[i])
		stub := g.stub.(*linkedintest.Stub)
		var files []mission.MediaChoice
		if tt.media {
			files = chosen(g.picture(40))
		}
		c := g.post([]string{tt.text}, files, nil)
		g.Clock.Advance(time.Hour)
		g.on(stub.Publishes, g.Crash)
		if !g.Crashes(func() { g.Pass(time.Minute) }) {
			t.Fatal("nothing was sent")
		}
		g.ExpireLeases()
		g.shows(g.final(c.ID))
		articles := stub.Articles()
		if len(articles) != 1 || articles[0].Title != tt.want || tt.want != "" && (articles[0].Source != site.URL+"/page" || reads.Load() != 1) {
			t.Errorf("%q: got the cards %+v after %d reads", tt.text, articles, reads.Load())
		}
	}
}

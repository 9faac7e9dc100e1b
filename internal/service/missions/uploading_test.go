package missions_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/database"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/router"
	"missiond/internal/seal"
	"missiond/internal/service/integrations"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// gallery is a world whose tenant has a platform's account and files.
type gallery struct {
	*world.World

	platform playedPlatform
	stub     publishertest.Stub
	media    *media.Service

	before func(r *http.Request) // of each request to the platform
	after  func(r *http.Request)
	away   atomic.Int64 // how many more fetches of files find the service away
}

// eachPlatform runs a test with a gallery of three platforms, in the full suite of each, on SQLite: what is written is tested
// on both databases elsewhere.
func eachPlatform(t *testing.T, test func(t *testing.T, g *gallery)) {
	t.Helper()
	t.Parallel()
	for _, p := range playedPlatforms {
		if p.as != "" {
			continue
		}
		t.Run(string(p.name), func(t *testing.T) {
			if !p.sampled() {
				testkit.Full(t)
			}
			t.Parallel()
			db := testkit.SQLite(t, store.Options{Timing: world.Timing})
			test(t, newGallery(t, world.New(t, db), p))
		})
	}
}

func newGallery(t *testing.T, w *world.World, p playedPlatform) *gallery {
	t.Helper()
	w.WithoutSandbox()
	g := &gallery{World: w, platform: p, stub: p.stub(t, w.Clock.Now)}
	server, wire := httptest.NewServer(g.stub), &http.Transport{}
	t.Cleanup(func() {
		cards.Close()
		wire.CloseIdleConnections()
		server.Close()
	})
	client := publisher.NewClient(&http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
		g.call(g.before, r)
		resp, err := wire.RoundTrip(r)
		g.call(g.after, r)
		return resp, err
	})}, w.Clock.Now)
	keys, err := seal.Parse(seal.NewKey())
	w.Must(err)
	adapters := map[mission.Platform]publisher.Adapter{p.name: p.adapter(server.URL, client)}
	vault := integrations.New(w.DB, integrations.Options{Clock: w.Clock, Real: w.Clock, Secrets: keys, Rules: outbound.Rules{Local: true}, Adapters: adapters})
	w.Parts.Publisher = router.New(vault, adapters, nil, slog.New(slog.DiscardHandler))
	files, err := blobs.Open(t.Context(), (&url.URL{Scheme: "file", Path: filepath.ToSlash(t.TempDir())}).String())
	w.Must(err)
	fetched := httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(fetched.Close)
	g.media = media.New(w.DB, media.Options{
		Clock: w.Clock, Real: w.Clock, Files: files, Processor: mediatest.NewRunner(1), Secrets: keys, PublicURL: fetched.URL,
	})
	w.Parts.Media = g.media
	in := p.input(g.stub.Credentials(server.URL))
	in.Platform = p.name
	_, err = vault.Connect(t.Context(), w.Tenant, in)
	w.Must(err)
	return g
}

func (g *gallery) caps() mission.Capabilities {
	caps, _ := mission.CapabilitiesOf(g.platform.name)
	return caps
}

// serve serves a post's file to a platform that fetches it, if it may have it.
func (g *gallery) serve(w http.ResponseWriter, r *http.Request) {
	if g.away.Add(-1) >= 0 {
		http.Error(w, "away", http.StatusServiceUnavailable)
		return
	}
	path := strings.Split(r.URL.Path, "/") // "", v1, content, id, files, hash
	f, err := g.media.Fetch(r.Context(), path[3], path[5], r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	content, turn, err := g.media.Show(r.Context(), f, 0, -1)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer turn.Leave()
	defer func() { _ = content.Close() }()
	w.Header().Set("Content-Type", f.ContentType)
	_, _ = io.Copy(w, content)
}

// trip is a function that sends requests.
type trip func(r *http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (g *gallery) call(fn func(r *http.Request), r *http.Request) {
	if fn != nil {
		fn(r)
	}
}

// on calls fn at the first request that match accepts, before it is sent.
func (g *gallery) on(match func(r *http.Request) bool, fn func()) {
	var once sync.Once
	g.before = func(r *http.Request) {
		if match(r) {
			once.Do(fn)
		}
	}
}

// file uploads a file, which is then ready.
func (g *gallery) file(contentType string, data []byte, alt string) mission.Media {
	g.T.Helper()
	m, err := g.media.Upload(g.T.Context(), g.Tenant, media.Upload{
		ContentType: contentType, Size: int64(len(data)), MediaInput: mission.MediaInput{AltText: &alt},
	}, bytes.NewReader(data))
	g.Must(err)
	g.Step()
	m, err = g.media.Media(g.T.Context(), g.Tenant, m.ID)
	g.Must(err)
	if m.Status != mission.MediaReady {
		g.T.Fatalf("got the file %s (%+v)", m.Status, m.Error)
	}
	return m
}

func (g *gallery) picture(width int) mission.Media {
	g.T.Helper()
	return g.file(mission.TypeJPEG, mediatest.PhoneJPEG(width, 30, 6), "A red door")
}

func (g *gallery) video() mission.Media {
	g.T.Helper()
	if g.caps().Media.Videos == 0 {
		return g.picture(60) // what there is instead
	}
	return g.file(mission.TypeMP4, film(4*time.Second), "A film of a door")
}

// film returns a video that all platforms take.
func film(d time.Duration) []byte {
	return mediatest.Movie{Duration: d, Width: 640, Height: 480, More: mediatest.Box("mdat", make([]byte, 80_000))}.Bytes()
}

// post makes a post of some parts that goes out in an hour; change may be nil.
func (g *gallery) post(parts []string, files []mission.MediaChoice, change func(in *mission.CreateInput)) mission.Content {
	g.T.Helper()
	var pictures []string
	if caps, _ := mission.CapabilitiesOf(g.platform.name); caps.Media.Required {
		pictures = []string{g.picture(70).ID} // for the writer
	}
	m := g.Create(func(in *mission.CreateInput) {
		world.OneDay(in)
		in.MediaIDs = pictures
		in.Platforms, in.Constraints.PostingTimes = []mission.Platform{g.platform.name}, []string{"23:30"}
		if g.platform.name == mission.Twitter {
			cents := int64(100)
			in.Constraints.BudgetCents = &cents
		}
		if change != nil {
			change(in)
		}
	})
	in, at := missions.ContentInput{MissionID: m.ID, Platform: g.platform.name, Media: files}, g.Clock.Now().Add(time.Hour)
	in.ScheduledAt = &at
	if in.Parts = parts; len(parts) == 1 {
		in.Text, in.Parts = &parts[0], nil
	}
	c, err := g.Missions.CreateContent(g.T.Context(), g.Tenant, in)
	g.Must(err)
	return c
}

func chosen(files ...mission.Media) (choices []mission.MediaChoice) {
	for i, f := range files {
		choices = append(choices, mission.MediaChoice{MediaID: f.ID, Part: i})
	}
	return choices
}

// final runs until a post is settled, and returns it.
func (g *gallery) final(id string) mission.Content {
	g.T.Helper()
	g.Until("the post is settled", func() bool { c := g.Content(id); return c.Settled() || c.AwaitsPerson() })
	return g.Content(id)
}

// shows fails the test unless the platform has a post's parts once each, with those very files
// that its revision names.
func (g *gallery) shows(c mission.Content) {
	g.T.Helper()
	if c.Status != mission.ContentPublished {
		g.T.Fatalf("the post is %s: %+v", c.Status, c.Error)
	}
	if g.onPlatform(c) != len(c.Texts()) {
		g.T.Errorf("the platform has %+v", g.stub.Posts())
	}
}

// onPlatform returns how many of a post's parts are on the platform, and checks their files.
func (g *gallery) onPlatform(c mission.Content) (there int) {
	g.T.Helper()
	for part, text := range c.Texts() {
		posts := slices.DeleteFunc(g.stub.Posts(), func(p publishertest.Post) bool { return p.Text != g.platform.sees(text) })
		if len(posts) > 1 {
			g.T.Errorf("%q is on the platform %d times", text, len(posts))
		}
		for _, p := range posts {
			there++
			var alts, hashes, want []string
			for _, m := range c.PartMedia(part) {
				if g.caps().Media.AltText == 0 || g.platform.videosUndescribed && m.Kind == mission.MediaVideo {
					m.AltText = "" // it isn't sent
				}
				alts, want = append(alts, m.AltText), append(want, m.Hash)
			}
			for _, data := range g.stub.Media(p.ID) {
				sum := sha256.Sum256(data)
				hashes = append(hashes, hex.EncodeToString(sum[:]))
			}
			if !slices.Equal(hashes, want) || !slices.Equal(g.stub.AltTexts(p.ID), alts) {
				g.T.Errorf("%q has the files %v with %q, want %v with %q", text, hashes, g.stub.AltTexts(p.ID), want, alts)
			}
		}
	}
	return there
}

// A post's files are the very ones that its revision names.
func TestFilesGoOut(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(_ *testing.T, g *gallery) {
		one, two := g.picture(40), g.picture(50)
		alt := "Another door"
		c := g.post([]string{"Two doors."}, []mission.MediaChoice{{MediaID: two.ID, AltText: &alt}, {MediaID: one.ID}}, nil)
		film := g.post([]string{"A film."}, chosen(g.video()), nil)
		g.shows(g.final(c.ID))
		g.shows(g.final(film.ID))
	})
}

// A platform that couldn't fetch a file, since the service was away, is asked again.
func TestFetchFails(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(t *testing.T, g *gallery) {
		if !g.caps().Fetches {
			return
		}
		c := g.post([]string{"Look."}, chosen(g.picture(40)), nil)
		g.away.Store(1)
		g.shows(g.final(c.ID))
		if g.away.Load() >= 0 {
			t.Error("the platform fetched no file twice")
		}
	})
}

// Each part of a thread has its own files.
func TestFilesInAThread(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(_ *testing.T, g *gallery) {
		if g.platform.parts == 1 {
			return
		}
		c := g.post([]string{"One door.", "And another."}, chosen(g.picture(40), g.picture(50)), nil)
		g.shows(g.final(c.ID))
	})
}

// Wherever a process ends, between two statements or around a request, a post with files goes
// out once.
func TestCrashWithFiles(t *testing.T) {
	testkit.SkipIfShort(t)
	for _, p := range playedPlatforms {
		if p.as != "" {
			continue
		}
		t.Run(string(p.name), func(t *testing.T) {
			if !p.sampled() {
				testkit.Full(t)
			}
			t.Parallel()
			faults := &database.Faults{}
			db := testkit.SQLite(t, store.Options{Timing: world.Timing, Database: database.Options{Faults: faults}})
			step := int64(testkit.Size(197, 197, 41, 1))
			first := 1 + int64(testkit.Seed(t)%uint64(step))
			for _, at := range []string{"statement", "request", "response"} {
				crashes := 0
				if at != "statement" {
					first, step = 1, 1
				}
				for n := first; ; n += step {
					g := newGallery(t, world.New(t, db), p)
					if !g.crashes(faults, at, n) {
						break
					}
					crashes++
					if t.Failed() {
						t.Fatalf("after a crash at %s %d", at, n)
					}
				}
				if crashes < 1 {
					t.Errorf("no crash at a %s", at)
				}
				t.Logf("%d crashes at a %s", crashes, at)
			}
		})
	}
}

// crashes publishes a post with two files, with a crash at the n-th statement, request or
// response; it returns false if there are fewer.
func (g *gallery) crashes(faults *database.Faults, at string, n int64) bool {
	g.T.Helper()
	g.stub.Process(1, false)
	c := g.post([]string{"Look."}, []mission.MediaChoice{{MediaID: g.video().ID}}, nil)
	g.Clock.Advance(time.Hour)
	life := func() { g.Pass(30 * time.Minute) }
	var crashed bool
	if at == "statement" {
		crashed = g.CrashesAt(faults, n, life)
	} else {
		requests := int64(0)
		end := func(r *http.Request) {
			if requests++; requests == n {
				if r.Body != nil {
					_ = r.Body.Close()
				}
				g.Crash()
			}
		}
		if g.before = end; at == "response" {
			g.before, g.after = nil, end
		}
		crashed = g.Crashes(life)
		g.before, g.after = nil, nil
	}
	g.ExpireLeases()
	faults.Later(time.Minute)
	c = g.final(c.ID)
	there := g.onPlatform(c)
	// A member's post on LinkedIn can't be looked up for long, one on Telegram never.
	if known := c.Status == mission.ContentPublished && there == 1; !known && (g.caps().Lookup.Kind != mission.LookupNone || !c.AwaitsPerson()) {
		g.T.Errorf("the post is %s (%+v), and %d times there", c.Status, c.Error, there)
	}
	if m := g.Mission(c.MissionID); m.Reserved != 0 && c.Status == mission.ContentPublished {
		g.T.Errorf("%d micros are reserved", m.Reserved)
	}
	return crashed
}

// What a platform has forgotten is uploaded again.
func TestForgottenFiles(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(_ *testing.T, g *gallery) {
		if g.platform.name == mission.WordPress {
			return // it is asked before the post is sent, and publishes without a picture that goes in between
		}
		c := g.post([]string{"Look."}, chosen(g.picture(40)), nil)
		forgot := false
		g.on(g.stub.Publishes, func() { forgot = true; g.stub.Forget() })
		g.shows(g.final(c.ID))
		if !forgot {
			g.T.Error("nothing was forgotten")
		}
	})
}

// A platform works on a video for a while, for ever, or in vain.
func TestProcessing(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(t *testing.T, g *gallery) {
		g.stub.Process(3, false)
		g.shows(g.final(g.post([]string{"Three looks."}, chosen(g.video()), nil).ID))

		if g.platform.name == mission.LinkedIn || g.platform.name == mission.Facebook || g.caps().FilesWithPost || g.caps().Media.Videos == 0 {
			return // it doesn't tell members what becomes of a file, or works on it after its post is out; files that go with their post are there with it, pictures at once
		}
		g.stub.Process(1, true)
		c := g.final(g.post([]string{"In vain."}, chosen(g.file(mission.TypeMP4, film(6*time.Second), "")), nil).ID)
		if c.Status != mission.ContentFailed || c.Error.Message == "" || g.onPlatform(c) != 0 {
			t.Errorf("in vain: got %s, %+v", c.Status, c.Error)
		}

		g.stub.Process(1_000_000, false)
		c = g.post([]string{"For ever."}, chosen(g.file(mission.TypeMP4, film(5*time.Second), "")), nil)
		due := *c.ScheduledAt
		c = g.final(c.ID)
		if took := g.Clock.Now().Sub(due); c.Status != mission.ContentFailed || c.Error.Code != mission.CodeNoResponse || took < 2*time.Hour || took > 3*time.Hour {
			t.Errorf("for ever: got %s, %+v after %s", c.Status, c.Error, took)
		}
		if g.onPlatform(c) != 0 {
			t.Error("it was published")
		}
	})
}

// A post that is edited while its file is uploaded goes out with the new one alone.
func TestEditedDuringUpload(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(_ *testing.T, g *gallery) {
		c := g.post([]string{"Look."}, chosen(g.picture(40)), nil)
		other := chosen(g.picture(50))
		if g.caps().FilesWithPost {
			g.refusesEdits(c.ID, other)
			if c = g.final(c.ID); c.Revision != 1 {
				g.T.Errorf("got revision %d", c.Revision)
			}
			g.shows(c)
			return
		}
		g.on(g.stub.Uploads, func() {
			_, err := g.Missions.EditContent(context.Background(), g.Tenant, c.ID, missions.EditInput{Media: &other})
			g.Must(err)
		})
		c = g.final(c.ID)
		if g.shows(c); c.Revision != 2 || c.Media[0].MediaID != other[0].MediaID {
			g.T.Errorf("got revision %d with %+v", c.Revision, c.Media)
		}
	})
}

// refusesEdits tries to give a post other files while it is sent with those that it has.
func (g *gallery) refusesEdits(id string, other []mission.MediaChoice) {
	g.on(g.stub.Publishes, func() {
		_, err := g.Missions.EditContent(context.Background(), g.Tenant, id, missions.EditInput{Media: &other})
		world.WantCode(g.T, err, mission.CodeConflict)
	})
}

// An edit of the files alone voids the approval, also while one is uploaded: only what was
// approved goes out.
func TestFilesAreApproved(t *testing.T) {
	testkit.SkipIfShort(t)
	eachPlatform(t, func(t *testing.T, g *gallery) {
		ctx := context.Background()
		c := g.post([]string{"Look."}, chosen(g.picture(40)), world.NeedsApproval)
		approve := func() {
			t.Helper()
			got, err := g.Missions.ApproveContent(ctx, g.Tenant, c.ID, nil)
			g.Must(err)
			if c = got; c.Status != mission.ContentScheduled && c.Status != mission.ContentApproved {
				t.Fatalf("got %s", c.Status)
			}
		}
		edit := func(files []mission.MediaChoice) {
			before := g.Content(c.ID)
			got, err := g.Missions.EditContent(ctx, g.Tenant, c.ID, missions.EditInput{Media: &files})
			g.Must(err)
			if c = got; c.Status != mission.ContentPendingReview || c.Revision != before.Revision+1 || c.Text != before.Text || c.ReviewedAt != nil {
				t.Errorf("got %s of revision %d, reviewed at %v", c.Status, c.Revision, c.ReviewedAt)
			}
		}
		other, third := chosen(g.picture(50)), chosen(g.picture(60))
		approve()
		edit(other)
		approve()
		if g.caps().FilesWithPost {
			g.refusesEdits(c.ID, third)
			if c = g.final(c.ID); c.Revision != 2 {
				t.Errorf("got revision %d", c.Revision)
			}
			g.shows(c)
			return
		}
		g.on(g.stub.Uploads, func() { edit(third) })
		g.Pass(2 * time.Hour)
		if c = g.Content(c.ID); c.Revision != 3 || c.Status != mission.ContentPendingReview || len(g.stub.Posts()) != 0 {
			t.Fatalf("got %s of revision %d, and %d posts", c.Status, c.Revision, len(g.stub.Posts()))
		}
		approve()
		g.shows(g.final(c.ID))
	})
}

// X's fee for an alt text is in the post's and the mission's cost, and within its budget.
func TestAltTextFee(t *testing.T) {
	i := slices.IndexFunc(playedPlatforms, func(p playedPlatform) bool { return p.name == mission.Twitter })
	world.Each(t, func(t *testing.T, w *world.World) {
		g := newGallery(t, w, playedPlatforms[i])
		caps, _ := mission.CapabilitiesOf(mission.Twitter)
		budget := func(cents int64) func(in *mission.CreateInput) {
			return func(in *mission.CreateInput) { in.Constraints.BudgetCents = &cents }
		}
		for text, c := range map[string]struct {
			alt string
			fee mission.Micros
		}{"Described.": {"A door", caps.Fees.AltText}, "Not described.": {"", 0}} {
			post := g.final(g.post([]string{text}, chosen(g.file(mission.TypeJPEG, mediatest.JPEG(40, 30), c.alt)), budget(100)).ID)
			g.shows(post)
			m := g.Mission(post.MissionID)
			if want := caps.Fees.Post + c.fee; post.Cost != want || m.Spent != want || m.Reserved != 0 {
				t.Errorf("%s The post costs %d, the mission %d with %d reserved, want %d", text, post.Cost, m.Spent, m.Reserved, want)
			}
		}
		// What the budget can't pay isn't published.
		poor := g.final(g.post([]string{"Too poor."}, chosen(g.picture(40)), budget(1)).ID)
		if m := g.Mission(poor.MissionID); poor.Status != mission.ContentFailed || poor.Error.Code != mission.CodeBudgetExhausted || m.Reserved != 0 || m.Spent > 10_000 {
			t.Errorf("got %s, %+v, with %d spent and %d reserved", poor.Status, poor.Error, m.Spent, m.Reserved)
		}
		if len(g.stub.Posts()) != 2 {
			t.Errorf("there are %d posts", len(g.stub.Posts()))
		}
	})
}

package publishertest

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// Run tests what every adapter must do.
func Run(t *testing.T, p Platform) {
	uploads := !p.carries() && !p.Fetches
	for _, c := range []struct {
		name string
		test func(w *world)
		runs bool
	}{
		{"connect", connects, true},
		{"connect with credentials that the platform refuses", refusesStrangers, true},
		{"publish", publishes, true},
		{"publish a thread", threads, p.Threads},
		{"a first comment", comments, p.caps().FirstComment},
		{"no first comment", noComments, !p.caps().FirstComment},
		{"a first comment where there are none", commentless, !p.caps().FirstComment},
		{"publish the same part again", repeats, true},
		{"the longest text", longest, true},
		{"a text that the platform has already", duplicates, p.RefusesDuplicates},
		{"a token that has expired", expires, true},
		{"a token that is renewed", renews, p.Renews},
		{"a rate limit", limits, true},
		{"a platform that fails", failsOver, true},
		{"a connection that can't be made", unreached, true},
		{"a connection that is lost", func(w *world) { doubts(w, lost) }, true},
		{"a response that never arrives", func(w *world) { doubts(w, withoutResponse) }, true},
		{"a malformed response", func(w *world) { doubts(w, garbled) }, true},
		{"an endless response", func(w *world) { doubts(w, endless) }, true},
		{"a slow response", func(w *world) { doubts(w, dripping) }, true},
		{"a thread whose second response never arrives", doubtsInThread, p.Threads},
		{"errors that repeat the token", keepsSecrets, true},
		{"measure", measures, true},
		{"read back", readsBack, p.caps().ReadBack},
		{"audience", audiences, p.audience()},
		{"an audience that isn't reported now", audienceFails, p.audience() && !p.NoAudience},
		{"replies", readsReplies, p.repliesRead()},
		{"more replies than a page has", readsManyReplies, p.repliesRead()},
		{"a platform that fails while replies are read", repliesInDoubt, p.repliesRead()},
		{"answers to replies", answers, true},
		{"hide a reply", hides, p.hides()},
		{"pictures", pictures, true},
		{"a GIF", func(w *world) { single(w, w.file(mission.MediaAnimation, 9_000)) }, p.media().Animations > 0},
		{"a video of several pieces", func(w *world) { single(w, w.file(mission.MediaVideo, 2*publisher.MaxChunk+5)) }, p.media().Videos > 0},
		{"a video where there are none", refusesVideo, p.media().Videos == 0},
		{"a picture in a thread", pictureInThread, p.Threads},
		{"a file that is processed", processed, uploads && p.media().Videos > 0 && !p.ProcessedLater},
		{"a video that is processed after its post", processedLater, p.ProcessedLater},
		{"a file that can't be processed", unprocessable, uploads && p.media().Videos > 0 && !p.FilesUnseen && !p.ProcessedLater},
		{"uploads whose responses never arrive", uploadsInDoubt, uploads},
		{"a file that is too large", func(w *world) { refusesFile(w, tooLarge, mission.OutcomeRefused) }, uploads},
		{"a rate limit of uploads", func(w *world) { refusesFile(w, limited, mission.OutcomeNotAccepted) }, uploads},
		{"a platform that fails in an upload", func(w *world) { refusesFile(w, failing, mission.OutcomeNotAccepted) }, uploads},
		{"a malformed response in an upload", func(w *world) { refusesFile(w, garbled, mission.OutcomeNotAccepted) }, uploads},
		{"an endless response in an upload", func(w *world) { refusesFile(w, endless, mission.OutcomeNotAccepted) }, uploads},
		{"a slow response in an upload", func(w *world) { refusesFile(w, dripping, mission.OutcomeNotAccepted) }, uploads},
		{"an expired token in an upload", uploadsExpired, uploads},
		{"errors in an upload that repeat the token", uploadsKeepSecrets, uploads},
		{"a post with a picture whose response never arrives", doubtsWithPicture, true},
		{"files that the platform has forgotten", forgets, uploads},
		{"an alt text that is too long", longAltText, p.Name != mission.Bluesky && p.media().AltText > 0}, // Bluesky has no limit
		{"files that can't be read", unreadable, uploads},
		{"files that go with their post", carried, p.carries()},
		{"faults of a post with a file", carriedBadly, p.carries()},
		{"files of a post that can't be read", carriedUnreadable, p.carries()},
		{"a post whose file is cut short", carriedInPart, p.carries()},
		{"a draft that nobody sees", draftsUnseen, p.Fetches},
		{"a draft that is processed", draftProcessed, p.Fetches},
		{"a draft that can't be processed", draftUnprocessable, p.Fetches},
		{"drafts whose responses never arrive", draftsInDoubt, p.Fetches},
		{"a rate limit of drafts", func(w *world) { refusesDraft(w, limited) }, p.Fetches},
		{"a platform that fails in a draft", func(w *world) { refusesDraft(w, failing) }, p.Fetches},
		{"a malformed response in a draft", func(w *world) { refusesDraft(w, garbled) }, p.Fetches},
		{"an endless response in a draft", func(w *world) { refusesDraft(w, endless) }, p.Fetches},
		{"a slow response in a draft", func(w *world) { refusesDraft(w, dripping) }, p.Fetches},
		{"an expired token in a draft", draftsExpired, p.Fetches},
		{"errors in a draft that repeat the token", draftsKeepSecrets, p.Fetches},
		{"drafts that the platform has forgotten", draftsForgotten, p.Fetches},
		{"files that can't be fetched", unfetchable, p.Fetches},
	} {
		if !c.runs {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, p)
			w.limit = time.Now().Add(limitedUntil)
			c.test(w)
		})
	}
}

func connects(w *world) {
	account, c, err := w.adapter.Connect(w.t.Context(), w.stub.Credentials(w.server.URL))
	if err != nil {
		w.t.Fatal(err)
	}
	if account.ID == "" || account.URL == "" || account.Name == "" {
		w.t.Errorf("the account is %+v", account)
	}
	if want := map[bool]string{false: cmp.Or(w.p.Picture, Picture)}[w.p.NoPicture]; account.AvatarURL != want {
		w.t.Errorf("its picture is %q", account.AvatarURL)
	}
	if c.AccountID != account.ID || c.AccessToken == "" && c.Password == "" {
		w.t.Errorf("kept are the account %q and %d bytes of a token", c.AccountID, len(c.AccessToken))
	}
	again, _, err := w.adapter.Connect(w.t.Context(), c)
	if err != nil || again != account {
		w.t.Errorf("a second time the account is %+v (%v)", again, err)
	}
}

func refusesStrangers(w *world) {
	c := w.stub.Credentials(w.server.URL)
	w.stub.Revoke()
	_, _, err := w.adapter.Connect(w.t.Context(), c)
	if pe := w.failed(err); !pe.Unauthorized {
		w.t.Errorf("got %+v", pe)
	}
}

const text = "Less is more: three ways to say <b>no</b> & mean it #focus https://example.com/why?a=1&b=2"

func publishes(w *world) {
	before := time.Now().Add(-time.Minute)
	got := w.must(w.connected(), first(w.post('1', text)))
	w.holds(Post{ID: got.PostID, Text: w.p.shown(text)})
	if !strings.HasPrefix(got.URL, "https://") && !strings.HasPrefix(got.URL, w.server.URL) {
		w.t.Errorf("the URL is %q", got.URL)
	}
	if got.PublishedAt.Before(before) || got.PublishedAt.After(time.Now().Add(time.Minute)) {
		w.t.Errorf("published at %s", got.PublishedAt)
	}
}

// holds checks which posts the platform has.
func (w *world) holds(want ...Post) {
	w.t.Helper()
	got := w.stub.Posts()
	if len(got) != len(want) {
		w.t.Fatalf("the platform has %d posts, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			w.t.Errorf("post %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

// part returns a part of a thread after those that were published.
func part(c mission.Content, published ...mission.Publication) mission.Part {
	p := mission.Part{Content: c, Index: len(published), Text: c.Texts()[len(published)], CalledAt: *c.ScheduledAt}
	if n := len(published); n > 0 {
		p.Root, p.Parent = &published[0], &published[n-1]
	}
	return p
}

func threads(w *world) {
	c, creds := w.post('2', "One thing first.", "Then another.", "And that was it."), w.connected()
	var published []mission.Publication
	var want []Post
	for _, text := range c.Texts() {
		parent := ""
		if n := len(published); n > 0 {
			parent = published[n-1].PostID
		}
		got := w.must(creds, part(c, published...))
		published = append(published, got)
		want = append(want, Post{ID: got.PostID, Text: text, Parent: parent})
	}
	w.holds(want...)
}

func repeats(w *world) {
	creds, p := w.connected(), first(w.post('3', text))
	one := w.must(creds, p)
	p.Again = true
	if w.p.unknowable() {
		w.knowsNothing(creds, p)
		w.holds(Post{ID: one.PostID, Text: text})
		return
	}
	found, ok, err := w.adapter.Find(w.t.Context(), creds, p)
	if !errors.Is(err, mission.ErrInconclusive) && (err != nil || !ok || found.PostID != one.PostID) {
		w.t.Errorf("found %+v, %t, %v; want %s", found, ok, err, one.PostID)
	}
	// Only a platform that finds its posts exactly, or recognizes what is sent again, is sent
	// anything again.
	if caps, _ := mission.CapabilitiesOf(w.p.Name); err == nil && caps.Lookup.Kind != mission.LookupExact {
		return
	}
	if two := w.must(creds, p); two.PostID != one.PostID || two.URL != one.URL || two.Hash != one.Hash {
		w.t.Errorf("the second call returned %+v, the first %+v", two, one)
	}
	w.holds(Post{ID: one.PostID, Text: w.p.shown(text)})
}

// longest publishes the longest text by the service's table, and one that is longer.
func longest(w *world) {
	creds := w.connected()
	caps, _ := mission.CapabilitiesOf(w.p.Name)
	fits := "https://example.com/ " + strings.Repeat("x", caps.MaxLength)
	if caps.TitleLength > 0 {
		fits = strings.Repeat("t", caps.TitleLength) + "\n\n" + fits
	}
	for !textlimit.Fits(caps, fits) {
		fits = fits[:len(fits)-1]
	}
	got := w.must(creds, first(w.post('x', fits)))
	w.holds(Post{ID: got.PostID, Text: w.p.shown(fits)})
	longer := fits + "x"
	if caps.TitleLength > 0 {
		longer = "t" + fits
	}
	err := w.publish(creds, first(w.post('y', longer)))
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused {
		w.t.Errorf("a longer text: got %+v", pe)
	}
}

func duplicates(w *world) {
	creds := w.connected()
	one := w.must(creds, first(w.post('4', text)))
	err := w.publish(creds, first(w.post('5', text)))
	if pe := w.failed(err); pe.Outcome != mission.OutcomeRefused || pe.Failure.Code != publisher.CodeDuplicate {
		w.t.Errorf("got %+v", pe)
	}
	w.holds(Post{ID: one.PostID, Text: w.p.shown(text)})
}

func expires(w *world) {
	creds := w.connected()
	w.stub.Expire()
	for name, err := range w.everyCall(creds) {
		if pe := w.failed(err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
			w.t.Errorf("%s: got %+v", name, pe)
		}
	}
	w.holds()
	w.stub.Revoke()
	_, err := w.adapter.Refresh(w.t.Context(), creds)
	if pe := w.failed(err); !pe.Unauthorized {
		w.t.Errorf("refresh: got %+v", pe)
	}
}

// everyCall makes the calls that need credentials, and returns their errors.
// Platforms that don't respond to a lookup, or that show figures to everyone, are
// left out.
func (w *world) everyCall(creds mission.Credentials) map[string]error {
	errs := map[string]error{}
	errs["publish"] = w.publish(creds, first(w.post('6', text)))
	if w.p.Public || w.p.unknowable() {
		return errs
	}
	lookedUp := first(w.post('6', text))
	if w.drafts(lookedUp) {
		lookedUp.Draft = mission.Upload{ID: "1", State: mission.UploadReady}
	}
	if _, _, err := w.adapter.Find(w.t.Context(), creds, lookedUp); !errors.Is(err, mission.ErrInconclusive) {
		errs["find"] = err
	}
	return errs
}

func renews(w *world) {
	old := w.connected()
	w.stub.Expire()
	c, err := w.adapter.Refresh(w.t.Context(), old)
	if err != nil {
		w.t.Fatal(err)
	}
	if c.AccessToken == old.AccessToken || !c.Renewable() || c.AccountID != old.AccountID || c.Server != old.Server {
		w.t.Error("the renewed credentials aren't the old ones with a new token")
	}
	w.must(c, first(w.post('7', text)))
	w.stub.Expire()
	if c, err = w.adapter.Refresh(w.t.Context(), c); err != nil {
		w.t.Fatal("a second time:", err)
	}
	w.must(c, first(w.post('8', "Another text.")))
}

func limits(w *world) {
	creds := w.connected()
	w.befall(limited)
	err := w.publish(creds, first(w.post('9', text)))
	pe := w.failed(err)
	if pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeRateLimited {
		w.t.Errorf("got %+v", pe)
	}
	if off := pe.RetryAfter - limitedUntil; off > 2*time.Second || off < -time.Minute {
		w.t.Errorf("to be left alone for %s, want %s", pe.RetryAfter, limitedUntil)
	}
	w.holds()
}

func failsOver(w *world) {
	creds, p := w.connected(), first(w.post('a', text))
	w.befall(failing)
	err := w.publish(creds, p)
	if pe := w.failed(err); pe.Outcome == mission.OutcomeRefused || pe.RetryAfter <= 0 {
		w.t.Errorf("got %+v", pe)
	}
	w.settle(creds, p)
}

func unreached(w *world) {
	creds := w.connected()
	w.server.CloseClientConnections()
	w.server.Close()
	err := w.publish(creds, first(w.post('b', text)))
	if pe := w.failed(err); pe.Outcome != mission.OutcomeNotAccepted {
		w.t.Errorf("got %+v", pe)
	}
}

func keepsSecrets(w *world) {
	creds := w.connected()
	w.befall(echoing)
	err := w.publish(creds, first(w.post('e', text)))
	w.keeps(creds, err)
	w.holds()
}

// keeps checks that an error shows no secret.
func (w *world) keeps(creds mission.Credentials, err error) {
	w.t.Helper()
	pe := w.failed(err)
	for _, secret := range secrets(creds) {
		if strings.Contains(pe.Error(), secret) || strings.Contains(pe.Failure.Message, secret) {
			w.t.Errorf("the error shows a secret: %v", pe)
		}
	}
}

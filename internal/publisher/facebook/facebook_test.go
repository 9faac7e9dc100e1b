package facebook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/facebook/facebooktest"
	"missiond/internal/publisher/meta/metatest"
	"missiond/mission"
)

type world struct {
	*testing.T

	stub    *facebooktest.Stub
	adapter *Adapter
	creds   mission.Credentials
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, stub: facebooktest.New(), now: time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)}
	w.stub.Now = func() time.Time { return w.now }
	server := httptest.NewServer(w.stub)
	t.Cleanup(server.Close)
	w.adapter = New(publisher.NewClient(server.Client(), func() time.Time { return w.now }), Options{
		BaseURL: server.URL, ClientID: metatest.ClientID, ClientSecret: metatest.ClientSecret,
	})
	var err error
	if _, w.creds, err = w.adapter.Connect(t.Context(), w.stub.Credentials("")); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) part(text string) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_1", Platform: mission.Facebook, Revision: 1}, Text: text, CalledAt: w.now}
}

// film returns a part with a video of a size, as it is uploaded.
func (w *world) film(text string, size int) mission.Part {
	w.Helper()
	content := bytes.Repeat([]byte("film"), size/4)
	f := mission.File{PostMedia: mission.PostMedia{Kind: mission.MediaVideo, Hash: "f1", Bytes: int64(len(content)), ContentType: mission.TypeMP4}}
	f.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	u := mission.Upload{Hash: f.Hash}
	for u.State != mission.UploadReady {
		var err error
		if u, err = w.adapter.Upload(w.Context(), w.creds, f, u); err != nil {
			w.Fatal(err)
		}
	}
	p := w.part(text)
	p.Media = []mission.PartFile{{File: f, Upload: u}}
	return p
}

func (w *world) failure(err error) *mission.PublishError {
	w.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		w.Fatalf("got %v", err)
	}
	return pe
}

// A person's Page is chosen by its id or its name; without one there must be a single one that the person
// publishes for. A Page's own token is of that Page.
func TestConnect(t *testing.T) {
	for name, tt := range map[string]struct {
		set     func(s *facebooktest.Stub)
		account string
		want    string
		refused string
	}{
		"the only one":              {want: facebooktest.PageID},
		"by its id":                 {func(s *facebooktest.Stub) { s.Others = true }, facebooktest.OtherPage, facebooktest.OtherPage, ""},
		"by its name":               {func(s *facebooktest.Stub) { s.Others = true }, "ACME.2", facebooktest.OtherPage, ""},
		"none of several":           {func(s *facebooktest.Stub) { s.Others = true }, "", "", facebooktest.PageID + " (Acme 1), " + facebooktest.OtherPage + " (Acme 2)."},
		"one that may only be read": {func(s *facebooktest.Stub) { s.Others = true }, facebooktest.ReadPage, "", "may not publish"},
		"another's":                 {nil, "104000000000009", "", "no such Page"},
		"of somebody without Pages": {func(s *facebooktest.Stub) { s.None = true }, "", "", "for no Page"},
	} {
		w := newWorld(t)
		if tt.set != nil {
			tt.set(w.stub)
		}
		c := w.stub.Credentials("")
		c.AccountID = tt.account
		account, stored, err := w.adapter.Connect(t.Context(), c)
		if tt.refused != "" {
			if pe := w.failure(err); pe.Param != "account" || !strings.Contains(pe.Failure.Message, tt.refused) {
				t.Errorf("%s: got %+v", name, pe)
			}
			continue
		}
		if err != nil || account.ID != tt.want || stored.AccountID != tt.want || stored.OwnerID != facebooktest.UserID || stored.AccessToken == c.AccessToken || stored.ExpiresAt != nil {
			t.Errorf("%s: got %+v, %v", name, account, err)
		}
	}
	w := newWorld(t)
	c := w.stub.PageCredentials()
	account, stored, err := w.adapter.Connect(t.Context(), c)
	if err != nil || account.ID != facebooktest.PageID || stored.AccessToken != c.AccessToken || account.OwnerID != "" {
		t.Errorf("with a Page's token: got %+v, %v", account, err)
	}
	c.AccountID = facebooktest.OtherPage
	if _, _, err := w.adapter.Connect(t.Context(), c); w.failure(err).Param != "account" {
		t.Errorf("with another Page's token: got %v", err)
	}
}

// A code becomes a person's token of an hour, that one a longer one, and that one the Page's, which
// doesn't expire.
func TestTokens(t *testing.T) {
	w := newWorld(t)
	address, g, err := w.adapter.Authorize(t.Context(), mission.Grant{State: "st4te", RedirectURL: metatest.RedirectURL})
	code := w.stub.Consent(address)
	if err != nil || code == "" {
		t.Fatalf("got the address %s, %v", address, err)
	}
	c, err := w.adapter.Exchange(t.Context(), g, code)
	if err != nil || c.ExpiresAt == nil || !c.ExpiresAt.Equal(w.now.Add(60*24*time.Hour)) {
		t.Fatalf("got %+v, %v", c, err)
	}
	if _, c, err = w.adapter.Connect(t.Context(), c); err != nil || c.ExpiresAt != nil || c.Renewable() {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := w.adapter.Exchange(t.Context(), g, code); !w.failure(err).Unauthorized {
		t.Errorf("a code that was used: got %v", err)
	}
	g.ClientID, g.ClientSecret = metatest.ClientID, "wrong"
	if _, err := w.adapter.Exchange(t.Context(), g, code); w.failure(err).Unauthorized {
		t.Errorf("an application's wrong secret: got %v", err)
	}
	if _, _, err := New(publisher.NewClient(http.DefaultClient, time.Now), Options{}).Authorize(t.Context(), mission.Grant{}); !errors.Is(err, publisher.ErrNoClient) {
		t.Errorf("without an application: got %v", err)
	}
}

// A post shows the card of its first link; one whose page Facebook can't read goes out without a card.
func TestLinks(t *testing.T) {
	w := newWorld(t)
	const text = "Read this: https://example.com/a?b=1 and https://example.com/c"
	got, err := w.adapter.Publish(t.Context(), w.creds, w.part(text))
	if err != nil || w.stub.LinkOf(got.PostID) != "https://example.com/a?b=1" {
		t.Errorf("got %+v, %v", got, err)
	}
	w.stub.BadLinks = true
	got, err = w.adapter.Publish(t.Context(), w.creds, w.part(text+"!"))
	if err != nil || w.stub.LinkOf(got.PostID) != "" || len(w.stub.Posts()) != 2 {
		t.Errorf("a link that isn't read: got %+v, %v", got, err)
	}
	for _, r := range w.stub.Requests {
		if r.URL.Query().Has("access_token") || r.PostForm.Has("scheduled_publish_time") || r.PostForm.Has("published") {
			t.Errorf("got the request %s %v", r.URL, r.PostForm)
		}
	}
}

// Facebook refuses the text of the last post. If an earlier call for the part may have published that,
// it is the part; otherwise it is another post's.
func TestDuplicate(t *testing.T) {
	w := newWorld(t)
	w.stub.Seed("Before.", w.now.Add(-time.Hour))
	p := w.part("Before.")
	_, err := w.adapter.Publish(t.Context(), w.creds, p)
	if pe := w.failure(err); pe.Outcome != mission.OutcomeRefused || pe.Failure.Code != publisher.CodeDuplicate {
		t.Errorf("another post's text: got %+v", pe)
	}
	p.Again = true
	if _, err = w.adapter.Publish(t.Context(), w.creds, p); w.failure(err).Failure.Code != publisher.CodeDuplicate {
		t.Errorf("again: got %v", err)
	}
	id := w.stub.Seed("The part.", w.now.Add(time.Second))
	p = w.part("The part.")
	p.Again = true
	if got, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || got.PostID != id || len(w.stub.Posts()) != 2 {
		t.Errorf("the part: got %+v, %v", got, err)
	}
}

// A lookup reads the Page's posts since the part's first call, page by page, and says so if there are
// more than it reads.
func TestFind(t *testing.T) {
	w := newWorld(t)
	p := w.part("The  part.\n")
	w.stub.Seed("The part.", w.now.Add(-time.Hour))
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || err != nil {
		t.Errorf("an older one: found %t, %v", ok, err)
	}
	id := w.stub.Seed("The part.", w.now.Add(time.Second))
	for i := range 250 {
		w.stub.Seed(fmt.Sprintf("Number %d", i), w.now.Add(time.Minute))
	}
	got, ok, err := w.adapter.Find(t.Context(), w.creds, p)
	if !ok || err != nil || got.PostID != id || !got.PublishedAt.Equal(w.now.Add(time.Second)) || got.URL != "https://www.facebook.com/"+id {
		t.Errorf("found %+v, %t, %v", got, ok, err)
	}
	for i := range 400 {
		w.stub.Seed(fmt.Sprintf("Later number %d", i), w.now.Add(time.Minute))
	}
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || w.failure(err).Outcome != mission.OutcomeUnknown {
		t.Errorf("too many: found %t, %v", ok, err)
	}
}

// Facebook names the bytes of a video that it wants: what was sent already isn't sent again, and a
// session that it doesn't know any more begins anew. What makes no sense is refused.
func TestVideoOffsets(t *testing.T) {
	w := newWorld(t)
	p := w.film("A film.", 3<<20)
	if got, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || got.URL != "https://www.facebook.com/"+facebooktest.PageID+"/videos/"+got.PostID {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err := w.adapter.Publish(t.Context(), w.creds, p)
	if pe := w.failure(err); !pe.FilesGone {
		t.Errorf("a session that is over: got %+v", pe)
	}
	f := p.Media[0].File
	for _, sends := range []string{
		`{}`, `{"start_offset":"1","end_offset":"0"}`, `{"start_offset":"-1","end_offset":"5"}`, `{"start_offset":"0","end_offset":"99999999999"}`,
		`{"start_offset":"7","end_offset":"7"}`, `{"start_offset":"a","end_offset":"b"}`, `{"start_offset":1e99,"end_offset":1}`,
	} {
		w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(rw, strings.Replace(sends, "{", `{"video_id":"1","upload_session_id":"2",`, 1))
			return true
		}
		for _, u := range []mission.Upload{{Hash: "f1"}, {Hash: "f1", ID: "2", Token: "1", State: mission.UploadSending, Tags: []string{"4"}}} {
			_, err := w.adapter.Upload(t.Context(), w.creds, f, u)
			if pe := w.failure(err); pe.Outcome != mission.OutcomeNotAccepted {
				t.Errorf("%s after %+v: got %+v", sends, u, pe)
			}
		}
	}
}

// An insight whose name has ended costs one figure. A post that nobody shared has no figure of shares;
// a video is measured as the post that shows it, once that is there.
func TestMeasure(t *testing.T) {
	w := newWorld(t)
	text, err := w.adapter.Publish(t.Context(), w.creds, w.part("A post."))
	if err != nil {
		t.Fatal(err)
	}
	w.stub.Process(1, false)
	film, err := w.adapter.Publish(t.Context(), w.creds, w.film("A film.", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	w.stub.React(text.PostID, mission.Metrics{mission.Views: 9, mission.Reach: 7, mission.Clicks: 2, mission.Likes: 3})
	w.stub.React(film.PostID, mission.Metrics{mission.Views: 50, mission.Shares: 4})
	w.stub.Ended = []string{"post_total_media_view_unique"}
	posts := []mission.Content{{ID: "cnt_1", PlatformPostID: &text.PostID}, {ID: "cnt_2", PlatformPostID: &film.PostID}}
	for range 2 {
		got, err := w.adapter.Measure(t.Context(), w.creds, posts)
		if err != nil {
			t.Fatal(err)
		}
		want := mission.Metrics{mission.Views: 9, mission.Clicks: 2, mission.Likes: 3, mission.Comments: 0}
		if fmt.Sprint(got["cnt_1"]) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got["cnt_1"], want)
		}
		if m, ok := got["cnt_2"]; !ok || len(m) > 0 && (m[mission.Views] != 50 || m[mission.Shares] != 4) {
			t.Errorf("the video: got %v", m)
		}
	}
	if got, _ := w.adapter.Measure(t.Context(), w.creds, posts[1:]); got["cnt_2"][mission.Views] != 50 {
		t.Errorf("the video that is ready: got %v", got)
	}
}

// A comment that the account may not write doesn't end its credentials.
func TestCommentRefused(t *testing.T) {
	w := newWorld(t)
	post, err := w.adapter.Publish(t.Context(), w.creds, w.part("A post."))
	if err != nil {
		t.Fatal(err)
	}
	c := w.part("A comment.")
	c.Index, c.Root, c.Parent = 1, &post, &post
	w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
		metatest.Refuse(rw, metatest.Failure{Status: 403, Code: 200, Message: "no permission"})
		return true
	}
	_, err = w.adapter.Publish(t.Context(), w.creds, c)
	if pe := w.failure(err); pe.Outcome != mission.OutcomeRefused || pe.Unauthorized {
		t.Errorf("got %+v", pe)
	}
}

// The errors that Facebook's pages name, in the call that publishes.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		status, code, subcode int
		want                  string
		outcome               mission.Outcome
		unauthorized          bool
	}{
		{401, 190, 0, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{401, 190, 458, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{401, 190, 460, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{401, 190, 463, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{401, 190, 467, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{400, 102, 0, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{403, 3, 0, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{403, 10, 0, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{403, 200, 0, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{403, 299, 0, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true},
		{400, 368, 0, publisher.CodeRefused, mission.OutcomeRefused, false},
		{400, 100, 0, publisher.CodeRefused, mission.OutcomeRefused, false},
		{400, 506, 0, publisher.CodeDuplicate, mission.OutcomeRefused, false},
		{403, 4, 0, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{400, 17, 0, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{400, 32, 0, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{400, 341, 0, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{400, 613, 0, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{400, 80001, 0, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{500, 1, 0, publisher.CodeUnavailable, mission.OutcomeUnknown, false},
		{500, 2, 0, publisher.CodeUnavailable, mission.OutcomeUnknown, false},
	} {
		w := newWorld(t)
		w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
			metatest.Refuse(rw, metatest.Failure{Status: tt.status, Code: tt.code, Subcode: tt.subcode, Message: "no"})
			return true
		}
		_, err := w.adapter.Publish(t.Context(), w.creds, w.part("A post."))
		pe := w.failure(err)
		if pe.Failure.Code != tt.want || pe.Outcome != tt.outcome || pe.Unauthorized != tt.unauthorized || !strings.Contains(pe.Failure.Message, fmt.Sprint(tt.code)) {
			t.Errorf("%d/%d: got %+v", tt.code, tt.subcode, pe)
		}
	}
}

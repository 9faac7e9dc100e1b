package wordpress

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/article"
	"missiond/internal/publisher/wordpress/wordpresstest"
	"missiond/mission"
)

// world is a site on the network that is connected.
type world struct {
	site    *wordpresstest.Stub
	adapter *Adapter
	creds   mission.Credentials
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{site: wordpresstest.New(t)}
	h := httptest.NewServer(w.site)
	t.Cleanup(h.Close)
	w.adapter = New(publisher.NewClient(h.Client(), time.Now))
	var err error
	if _, w.creds, err = w.adapter.Connect(t.Context(), w.site.Credentials(h.URL)); err != nil {
		t.Fatal(err)
	}
	return w
}

func part(text string) mission.Part {
	c := mission.Content{ID: "cnt_1", Platform: mission.WordPress, Format: mission.FormatArticle, Revision: 1, Text: text}
	return mission.Part{Content: c, Text: text}
}

func failed(t *testing.T, err error) *mission.PublishError {
	t.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		t.Fatalf("the error is %v", err)
	}
	return pe
}

const sample = "# Three <b>rules</b> & more\n\nThe *first* is [here](https://example.com/a?utm_source=blog&b=1), [gallery ids=1].\n\n<script>alert(1)</script>\n\n#news #Go"

func TestArticle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := part(sample)
	got, err := w.adapter.Publish(t.Context(), w.creds, p)
	if err != nil {
		t.Fatal(err)
	}
	of := w.site.Held()[0]
	if of.Title != "Three &lt;b&gt;rules&lt;/b&gt; &amp; more" || of.Slug != article.Slug(p) || !slices.Equal(of.Tags, []int{1, 2}) || !slices.Equal(w.site.Tags(), []string{"news", "Go"}) ||
		of.Content != "<p>The <em>first</em> is <a href=\"https://example.com/a?utm_source=blog&amp;b=1\">here</a>, &#91;gallery ids=1&#93;.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>" {
		t.Errorf("the article is %+v", of)
	}
	if want := w.creds.Server + "/" + of.Slug + "/"; got.URL != want || got.PostID != "1" {
		t.Errorf("got %+v, want %s", got, want)
	}
	// The tags are there already.
	p.Content.ID = "cnt_2"
	if _, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || len(w.site.Tags()) != 2 || !slices.Equal(w.site.Held()[1].Tags, []int{1, 2}) {
		t.Errorf("a second article: %v, %q, %+v", err, w.site.Tags(), w.site.Held()[1])
	}
}

// The body may be as long as the service's own bound, and hostile.
func TestBodies(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		strings.Repeat("Long. ", mission.MaxArticle/6-2), strings.Repeat("#", 3000), "[x](javascript:alert(1))", "[x](https://a.example/?b[]=1)", "<iframe src=https://a.example></iframe>", "[php]unlink()[/php]",
	} {
		w := newWorld(t)
		if _, err := w.adapter.Publish(t.Context(), w.creds, part("T\n\n"+body)); err != nil {
			t.Errorf("%.30q: %v", body, err)
		}
	}
}

// A user who may not publish isn't connected.
func TestContributors(t *testing.T) {
	t.Parallel()
	s := wordpresstest.New(t)
	s.Role = "contributor"
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	a := New(publisher.NewClient(h.Client(), time.Now))
	creds := s.Credentials(h.URL)
	_, _, err := a.Connect(t.Context(), creds)
	if pe := failed(t, err); !pe.Unauthorized || !strings.Contains(pe.Failure.Message, "may not publish") {
		t.Errorf("got %+v", pe)
	}
	_, err = a.Publish(t.Context(), creds, part(sample))
	if pe := failed(t, err); !pe.Unauthorized || len(s.Held()) != 0 {
		t.Errorf("got %+v", pe)
	}
}

// A post that the site schedules, as its plugins do, is published; one that it holds isn't out.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		becomes, keeps string
		out            bool
	}{{"", "", true}, {"future", "", true}, {"future", "future", false}, {"pending", "", false}, {"draft", "", false}, {"private", "", false}} {
		w := newWorld(t)
		w.site.Becomes, w.site.Keeps = tt.becomes, tt.keeps
		p := part(sample)
		for _, again := range []bool{false, true} {
			p.Again = again
			got, err := w.adapter.Publish(t.Context(), w.creds, p)
			held := w.site.Held()
			if (err == nil) != tt.out || len(held) != 1 || tt.out && (got.PostID != "1" || held[0].Status != published) {
				t.Errorf("%+v, again %t: got %+v, %v; the site has %+v", tt, again, got, err, held)
			}
			if pe := (*mission.PublishError)(nil); errors.As(err, &pe) && (pe.Outcome != mission.OutcomeRefused || !strings.Contains(pe.Failure.Message, held[0].Status)) {
				t.Errorf("%+v: got %+v", tt, pe)
			}
			if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok != tt.out || err != nil {
				t.Errorf("%+v: found %t, %v", tt, ok, err)
			}
		}
	}
}

// A site that doesn't show comments reports no figures, and none of a post in the trash.
func TestNoComments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.site.Commentless = true
	var posts []mission.Content
	for _, id := range []string{"cnt_1", "cnt_2"} {
		p := part(sample)
		p.Content.ID = id
		got, err := w.adapter.Publish(t.Context(), w.creds, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Content.PlatformPostID = &got.PostID
		posts = append(posts, p.Content)
	}
	w.site.Delete("2")
	got, err := w.adapter.Measure(t.Context(), w.creds, posts)
	if m, ok := got["cnt_1"]; err != nil || len(got) != 1 || !ok || len(m) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// What WordPress says, as it says it, and what that means for a post that is sent for the first time
// and for one whose outcome is unknown.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status             int
		code, data         string
		first, again       mission.Outcome
		unauthorized, wait bool
	}{
		{401, "rest_cannot_create", `{"status":401}`, mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{401, "incorrect_password", `{"status":401}`, mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{403, "rest_cannot_publish", `{"status":403}`, mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{403, "rest_forbidden_context", `{"status":403}`, mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{403, "blocked_by_firewall", `{"status":403}`, mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{400, "rest_invalid_param", `{"status":400,"params":{"status":"Status is forbidden."}}`, mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{400, "rest_invalid_param", `{"status":400,"params":{"tags[0]":"tags[0] is not of type integer."}}`, mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{400, "empty_content", `{"status":400}`, mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{400, "rest_invalid_param", `[]`, mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{404, "rest_no_route", `{"status":404}`, mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{429, "too_many", `{"status":429}`, mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, false, true},
		{500, "internal_server_error", `{"status":500}`, mission.OutcomeUnknown, mission.OutcomeUnknown, false, true},
		{500, "db_update_error", `{"status":500}`, mission.OutcomeUnknown, mission.OutcomeUnknown, false, true},
		{503, "maintenance", `null`, mission.OutcomeUnknown, mission.OutcomeUnknown, false, true},
		{301, "", `null`, mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://www.site.example/")
			w.WriteHeader(tt.status)
			_, _ = w.Write([]byte(`{"code":"` + tt.code + `","message":"It is so.","data":` + tt.data + `}`))
		}))
		a, p := New(publisher.NewClient(h.Client(), time.Now)), part("T\n\nB")
		for again, want := range map[bool]mission.Outcome{false: tt.first, true: tt.again} {
			p.Again = again
			_, err := a.Publish(t.Context(), mission.Credentials{Server: h.URL, Identifier: "ada", Password: "secret"}, p)
			pe := failed(t, err)
			if pe.Outcome != want || pe.Unauthorized != tt.unauthorized || (pe.RetryAfter > 0) != tt.wait {
				t.Errorf("%d %s, again %t: got %+v", tt.status, tt.code, again, pe)
			}
			if said := pe.Failure.Message; !strings.Contains(said, "It is so.") && !strings.Contains(said, "www.site.example") {
				t.Errorf("%d: the message is %q", tt.status, said)
			}
		}
		h.Close()
	}
}

// What the site can't store it never will, whatever its status; a site without its API is none.
func TestUploadErrors(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]mission.Outcome{
		`{"code":"rest_upload_sideload_error","message":"Sorry, you are not allowed to upload this file type.","data":{"status":500}}`: mission.OutcomeRefused,
		`{"code":"rest_upload_no_content_disposition","message":"No Content-Disposition supplied.","data":{"status":400}}`:             mission.OutcomeRefused,
		`{"code":"rest_cannot_create","message":"Sorry.","data":{"status":401}}`:                                                       mission.OutcomeNotAccepted,
		`{"id":7,"source_url":"javascript:alert(1)"}`:                                                                                  mission.OutcomeNotAccepted,
		`{"id":7,"source_url":"http://elsewhere.example/file.jpg"}`:                                                                    mission.OutcomeNotAccepted,
		`{"id":0,"source_url":"https://cdn.example/file.jpg"}`:                                                                         mission.OutcomeNotAccepted,
		`<html>`: mission.OutcomeRefused,
		`{"id":7,"source_url":"https://cdn.example/file.jpg"}`: "",
	} {
		status := http.StatusCreated
		for part, s := range map[string]int{`:500}`: 500, `:400}`: 400, `:401}`: 401, `<html>`: 404} {
			if strings.Contains(answer, part) {
				status = s
			}
		}
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(answer))
		}))
		f := mission.File{PostMedia: mission.PostMedia{Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Hash: "h1", Bytes: 4}, Open: opens("\xff\xd8\xff\xd9")}
		u, err := New(publisher.NewClient(h.Client(), time.Now)).Upload(t.Context(), mission.Credentials{Server: h.URL}, f, mission.Upload{Hash: "h1"})
		switch {
		case want == "" && (err != nil || u.State != mission.UploadReady || u.ID != "7" || u.Address != "https://cdn.example/file.jpg"):
			t.Errorf("%s: got %+v, %v", answer, u, err)
		case want != "" && failed(t, err).Outcome != want:
			t.Errorf("%s: got %v", answer, err)
		}
		h.Close()
	}
}

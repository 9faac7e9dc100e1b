package ghost

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/article"
	"missiond/internal/publisher/ghost/ghosttest"
	"missiond/mission"
)

// world is a site on the network that is connected.
type world struct {
	t       *testing.T
	site    *ghosttest.Stub
	adapter *Adapter
	creds   mission.Credentials
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, site: ghosttest.New(t)}
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
	c := mission.Content{ID: "cnt_1", Platform: mission.Ghost, Format: mission.FormatArticle, Revision: 1, Text: text}
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

const text = "# Three rules & more\n\nThe *first* is [here](https://example.com/a?utm_source=ghost&b=1).\n\n<script>alert(1)</script>\n\n#news #Go"

func TestArticle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := part(text)
	got, err := w.adapter.Publish(t.Context(), w.creds, p)
	if err != nil {
		t.Fatal(err)
	}
	of := w.site.Held()[0]
	if of.Title != "Three rules & more" || of.Slug != article.Slug(p) || of.Status != published || !slices.Equal(of.Tags, []string{"news", "Go"}) ||
		of.HTML != "<p>The <em>first</em> is <a href=\"https://example.com/a?utm_source=ghost&amp;b=1\">here</a>.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>" {
		t.Errorf("the article is %+v", of)
	}
	if want := w.creds.Server + "/" + of.Slug + "/"; got.URL != want || got.PostID != of.ID {
		t.Errorf("got %+v, want %s", got, want)
	}
	calls := w.site.Calls()
	if want := []string{"GET posts/slug/" + of.Slug + "/", "POST posts/", "PUT posts/" + of.ID + "/"}; !slices.Equal(calls[len(calls)-3:], want) {
		t.Errorf("the calls are %q", calls)
	}
}

// The body may be as long as the service's own bound, and hostile.
func TestBodies(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		strings.Repeat("Long. ", mission.MaxArticle/6-2), strings.Repeat("#", 3000), "[x](javascript:alert(1))", "<iframe src=https://a.example></iframe>", strings.Repeat("> ", 500) + "x",
	} {
		w := newWorld(t)
		p := part("T\n\n" + body)
		if _, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil {
			t.Errorf("%.30q: %v", body, err)
		}
	}
}

// A draft that an earlier call made is published, with what the part has now; so is one that
// somebody scheduled. An article that is out is the part.
func TestDraftsOfEarlierCalls(t *testing.T) {
	t.Parallel()
	for _, status := range []string{draft, "scheduled", published, sent} {
		for _, again := range []bool{false, true} {
			w := newWorld(t)
			p := part(text)
			id := w.site.Seed(ghosttest.Post{Title: "Old", Slug: article.Slug(p), HTML: "<p>Old</p>", Status: status})
			out := status == published || status == sent
			if found, ok, err := w.adapter.Find(t.Context(), w.creds, p); err != nil || ok != out || ok && found.PostID != id {
				t.Errorf("%s: found %+v, %t, %v", status, found, ok, err)
			}
			p.Again = again
			got, err := w.adapter.Publish(t.Context(), w.creds, p)
			if err != nil || got.PostID != id {
				t.Errorf("%s: %+v, %v", status, got, err)
			}
			if held := w.site.Held(); len(held) != 1 || (held[0].Title == "Old") != out || !out && held[0].Status != published {
				t.Errorf("%s: the site has %+v", status, held)
			}
		}
	}
}

// A draft that somebody changes meanwhile is read again, and published at the next call.
func TestCollision(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.site.Meddle = true
	p := part(text)
	_, err := w.adapter.Publish(t.Context(), w.creds, p)
	if pe := failed(t, err); pe.Outcome != mission.OutcomeNotAccepted {
		t.Errorf("got %+v", pe)
	}
	if _, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || len(w.site.Held()) != 1 {
		t.Errorf("a second time: %v; the site has %d posts", err, len(w.site.Held()))
	}
}

// What Ghost says, as it says it, and what that means for a post that is sent for the first time and
// for one whose outcome is unknown.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status             int
		kind, code         string
		first, again       mission.Outcome
		unauthorized, wait bool
	}{
		{400, "BadRequestError", "INVALID_JWT", mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{401, "UnauthorizedError", "INVALID_JWT", mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{401, "UnauthorizedError", "UNKNOWN_ADMIN_API_KEY", mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{403, "NoPermissionError", "", mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, true, false},
		{403, "HostLimitError", "", mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{406, "RequestNotAcceptableError", "UPDATE_GHOST", mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{422, "ValidationError", "", mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
		{429, "TooManyRequestsError", "", mission.OutcomeNotAccepted, mission.OutcomeNotAccepted, false, true},
		{500, "InternalServerError", "", mission.OutcomeNotAccepted, mission.OutcomeUnknown, false, true},
		{503, "MaintenanceError", "", mission.OutcomeNotAccepted, mission.OutcomeUnknown, false, true},
		{301, "", "", mission.OutcomeRefused, mission.OutcomeUnknown, false, false},
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://www.site.example/")
			w.WriteHeader(tt.status)
			_, _ = w.Write([]byte(`{"errors":[{"message":"No.","context":"It is so","type":"` + tt.kind + `","code":"` + tt.code + `"}]}`))
		}))
		a, p := New(publisher.NewClient(h.Client(), time.Now)), part(text)
		creds := mission.Credentials{Server: h.URL, AccessToken: "6b08:c0ffee"}
		for again, want := range map[bool]mission.Outcome{false: tt.first, true: tt.again} {
			p.Again = again
			_, err := a.Publish(t.Context(), creds, p)
			pe := failed(t, err)
			if pe.Outcome != want || pe.Unauthorized != tt.unauthorized || (pe.RetryAfter > 0) != tt.wait {
				t.Errorf("%d %s %s, again %t: got %+v", tt.status, tt.kind, tt.code, again, pe)
			}
			if said := pe.Failure.Message; !strings.Contains(said, "No: It is so") && !strings.Contains(said, "www.site.example") {
				t.Errorf("%d: the message is %q", tt.status, said)
			}
		}
		h.Close()
	}
}

// A key that isn't one isn't sent anywhere.
func TestKeys(t *testing.T) {
	t.Parallel()
	called := false
	h := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true }))
	t.Cleanup(h.Close)
	a := New(publisher.NewClient(h.Client(), time.Now))
	for _, key := range []string{"", "6b08", ":c0ffee", "6b08:", "6b08:xyz", "6b08:c0f"} {
		_, _, err := a.Connect(t.Context(), mission.Credentials{Server: h.URL, AccessToken: key})
		if pe := failed(t, err); !pe.Unauthorized || called {
			t.Errorf("%q: got %+v", key, pe)
		}
	}
}

// Ghost's upload may be refused for what the file is, and its answer must be the file's own.
func TestUploads(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]mission.Outcome{
		`{"images":[{"url":"https://cdn.example/a.png","ref":"h1"}]}`:      "",
		`{"images":[{"url":"https://cdn.example/a.png","ref":"h2"}]}`:      mission.OutcomeNotAccepted,
		`{"images":[{"url":"javascript:alert(1)","ref":"h1"}]}`:            mission.OutcomeNotAccepted,
		`{"images":[{"url":"http://elsewhere.example/a.png","ref":"h1"}]}`: mission.OutcomeNotAccepted,
		`{"images":[]}`: mission.OutcomeNotAccepted,
		`{"errors":[{"type":"UnsupportedMediaTypeError","message":"Please select a valid image."}]}`: mission.OutcomeRefused,
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(map[bool]int{false: http.StatusCreated, true: http.StatusUnsupportedMediaType}[strings.Contains(answer, "errors")])
			_, _ = w.Write([]byte(answer))
		}))
		a := New(publisher.NewClient(h.Client(), time.Now))
		f := mission.File{PostMedia: mission.PostMedia{Kind: mission.MediaImage, ContentType: mission.TypePNG, Hash: "h1", Bytes: 4}, Open: opens("\x89PNG")}
		u, err := a.Upload(context.Background(), mission.Credentials{Server: h.URL, AccessToken: "6b08:c0ffee"}, f, mission.Upload{Hash: "h1"})
		switch {
		case want == "" && (err != nil || u.State != mission.UploadReady || u.ID != "h1" || u.Address != "https://cdn.example/a.png"):
			t.Errorf("%s: got %+v, %v", answer, u, err)
		case want != "" && failed(t, err).Outcome != want:
			t.Errorf("%s: got %v", answer, err)
		}
		h.Close()
	}
}

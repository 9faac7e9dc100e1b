// Package publishertest tests what every adapter must do, against a stub that plays
// its platform over real HTTP.
package publishertest

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// Stub plays a platform: its requests, responses, limits and errors, as documented.
// It rejects a request that isn't as documented, as the platform would.
type Stub interface {
	http.Handler
	// Credentials returns credentials that the platform accepts now; server is the
	// stub's address, for platforms that have many.
	Credentials(server string) mission.Credentials
	// Expire expires the access tokens issued so far; refresh tokens stay valid.
	Expire()
	// Revoke revokes all credentials.
	Revoke()
	// Publishes reports whether a request publishes a post.
	Publishes(r *http.Request) bool
	// RateLimited responds as the platform does if it accepts no more requests
	// until a time.
	RateLimited(w http.ResponseWriter, r *http.Request, until time.Time)
	// Posts returns the platform's posts, oldest first.
	Posts() []Post
	// React sets those figures of a post that the platform has.
	React(id string, figures mission.Metrics)
	// Delete removes a post.
	Delete(id string)

	// Uploads reports whether a request uploads a file or a piece of one, or asks about it.
	Uploads(r *http.Request) bool
	// Process has files that are uploaded from now on processed for some looks, and then fail.
	Process(looks int, fails bool)
	// Forget removes the files that were uploaded; posts keep theirs.
	Forget()
	// Media returns the bytes of a post's files, AltTexts what it says of each, in the post's
	// order.
	Media(postID string) [][]byte
	AltTexts(postID string) []string
}

// Editor is the stub of a platform that can be asked what it shows.
type Editor interface {
	// Edit has a post's author change its text on the platform.
	Edit(id, text string)
}

// Picture is the address of the picture that the stubs' accounts have.
const Picture = "https://pictures.example/ada.png"

// Post is a post on a platform.
type Post struct {
	ID string
	// Text is what its readers see.
	Text string
	// Parent is the id of the post to which it replies, or "".
	Parent string
}

// Platform is an adapter with a stub of its platform.
type Platform struct {
	Name mission.Platform
	New  func(t *testing.T) Stub
	// Adapter returns the adapter of a platform at an address.
	Adapter func(address string, c publisher.Client) publisher.Adapter
	// Threads reports whether posts can reply to each other there.
	Threads bool
	// Renews reports whether Refresh renews expired tokens.
	Renews bool
	// NoPicture reports whether the platform doesn't tell the account's picture.
	NoPicture bool
	// Picture is the address of the account's picture where the platform forms it; "" for Picture.
	Picture string
	// Account is the id of the account, where lookups differ by its kind.
	Account string
	// Public reports whether the platform shows posts to everybody, whatever the
	// token.
	Public bool
	// RefusesTwins reports whether the platform rejects the text of a post that it
	// has.
	RefusesDuplicates bool
	// Shown returns what its readers see of a text; nil if that is the text itself.
	Shown func(text string) string
	// FilesKept reports whether the platform never forgets a file.
	FilesKept bool
	// FilesUnseen reports whether the platform doesn't tell the account what became of a file.
	FilesUnseen bool
	// ProcessedLater reports whether the platform works on a video after its post was published.
	ProcessedLater bool
	// NoAudience reports whether the platform reports nothing of the audience of this kind of account.
	NoAudience bool
	// Fetches reports whether the platform fetches files when a draft is made: uploading one makes no
	// call.
	Fetches bool
	// VideosUndescribed reports whether the platform takes no alt texts of videos.
	VideosUndescribed bool
	// Reports are the metrics that the platform reports for every account's posts;
	// nil for all of its capabilities' metrics that aren't derived.
	Reports []mission.Metric
}

// reports reports whether the platform reports a metric of posts.
func (p Platform) reports(m mission.Metric) bool {
	if p.Reports != nil {
		return slices.Contains(p.Reports, m)
	}
	return m != mission.EngagementRate && m != mission.FollowersGained
}

// fault is what happens to the next request that publishes.
type fault int

const (
	none            fault = iota
	limited               // 429
	failing               // 503, nothing taken
	lost                  // the connection is cut, nothing taken
	withoutResponse       // the post is accepted, the connection cut
	garbled               // the post is accepted, the response isn't JSON
	endless               // the post is accepted, the response never ends
	dripping              // the post is accepted, the response comes a byte at a time
	echoing               // rejected, with a message that repeats the request's headers
	tooLarge              // 413
)

// world is a platform on the network, and its adapter.
type world struct {
	t       *testing.T
	p       Platform
	stub    Stub
	adapter publisher.Adapter
	server  *httptest.Server
	limit   time.Time
	// files serves the files of posts to platforms that fetch them.
	files *httptest.Server

	mu sync.Mutex
	// served are those files, by their hash.
	served map[string]mission.File
	// next is what happens to the next post, upload to the next request for a file, reading to the
	// next for replies, audience to the next for an account's figures.
	next, upload, reading, audience fault
	// requests counts the platform's requests, publishing those that publish a post.
	requests, publishing int
	// secrets are those of the credentials that were connected.
	secrets []string
}

// carries reports whether files are sent with their post.
func (p Platform) carries() bool {
	caps, _ := mission.CapabilitiesOf(p.Name)
	return caps.FilesWithPost
}

// unknowable reports whether the platform never reveals what became of a call, whatever is asked or sent.
func (p Platform) unknowable() bool {
	l := p.caps().LookupFor(p.Account)
	return l.Kind == mission.LookupNone && l.ResendWindow == 0
}

// caps returns what the platform allows.
func (p Platform) caps() mission.Capabilities {
	c, _ := mission.CapabilitiesOf(p.Name)
	return c
}

// shown returns what the platform's readers see of a text.
func (p Platform) shown(text string) string {
	if p.Shown == nil {
		return text
	}
	return p.Shown(text)
}

// secrets returns those of credentials.
func secrets(c mission.Credentials) []string {
	return slices.DeleteFunc([]string{c.AccessToken, c.RefreshToken, c.Password}, func(s string) bool { return s == "" })
}

// limitedUntil is how far ahead the suite's rate limit ends.
const limitedUntil = 7 * time.Minute

func newWorld(t *testing.T, p Platform) *world {
	t.Helper()
	w := &world{t: t, p: p, stub: p.New(t), served: map[string]mission.File{}}
	w.serveFiles(t)
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(w.serve))
	w.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	w.server.Start()
	t.Cleanup(w.server.Close)
	w.adapter = p.Adapter(w.server.URL, publisher.NewClient(w.server.Client(), time.Now))
	if preparer, ok := w.adapter.(publisher.Preparer); ok {
		w.adapter = &drafted{Preparer: preparer, w: w, made: map[string]mission.Upload{}}
	}
	return w
}

// befall arranges a fault for the next post.
func (w *world) befall(f fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = f
}

func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	f := none
	w.mu.Lock()
	w.requests++
	switch {
	case w.stub.Publishes(r):
		w.publishing++
		f, w.next = w.next, none
	case w.stub.Uploads(r):
		f, w.upload = w.upload, none
	case w.readsReplies(r):
		f, w.reading = w.reading, none
	default:
		if stub, ok := w.stub.(Audienced); ok && w.audience != none && stub.AsksAudience(r) {
			f, w.audience = w.audience, none
		}
	}
	w.mu.Unlock()
	switch f {
	case none:
		w.stub.ServeHTTP(rw, r)
	case limited:
		w.stub.RateLimited(rw, r, w.limit)
	case failing:
		http.Error(rw, "<html>busy</html>", http.StatusServiceUnavailable)
	case lost:
		panic(http.ErrAbortHandler)
	case tooLarge:
		http.Error(rw, "<html>too large</html>", http.StatusRequestEntityTooLarge)
	case echoing:
		http.Error(rw, "no: "+r.Header.Get("Authorization")+" for "+r.URL.String(), http.StatusForbidden)
	default:
		w.stub.ServeHTTP(httptest.NewRecorder(), r)
		w.respond(rw, r, f)
	}
}

// readsReplies reports whether a request reads replies.
func (w *world) readsReplies(r *http.Request) bool {
	stub, ok := w.stub.(Answerer)
	return ok && stub.ReadsReplies(r)
}

// respond responds badly to a post that was accepted.
func (w *world) respond(rw http.ResponseWriter, r *http.Request, f fault) {
	switch f {
	case garbled:
		_, _ = io.WriteString(rw, "<!doctype html><p>Welcome!")
	case endless:
		for r.Context().Err() == nil {
			if _, err := rw.Write([]byte(strings.Repeat(" ", 64<<10))); err != nil {
				return
			}
		}
	case dripping:
		for r.Context().Err() == nil {
			if _, err := rw.Write([]byte(" ")); err != nil {
				return
			}
			_ = http.NewResponseController(rw).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Millisecond):
			}
		}
	default:
		panic(http.ErrAbortHandler)
	}
}

// connected returns credentials as they are stored.
func (w *world) connected() mission.Credentials {
	w.t.Helper()
	_, c, err := w.adapter.Connect(w.t.Context(), w.stub.Credentials(w.server.URL))
	if err != nil {
		w.t.Fatal("connect:", err)
	}
	// A token may be an address whose end is secret.
	w.secrets = []string{c.AccessToken, c.RefreshToken, c.Password}
	if strings.Contains(c.AccessToken, "/") { // a webhook's address, which ends with its token
		w.secrets = append(w.secrets, path.Base(c.AccessToken))
	}
	return c
}

// call returns the context of a call, which ends within a second if the platform stalls.
func (w *world) call() (context.Context, context.CancelFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains([]fault{w.next, w.upload, w.reading}, dripping) {
		return context.WithTimeout(w.t.Context(), time.Second) // Cut off: a response that comes a byte at a time.
	}
	return context.WithTimeout(w.t.Context(), await.Long())
}

// publish tries to publish a part.
func (w *world) publish(c mission.Credentials, p mission.Part) error {
	ctx, cancel := w.call()
	defer cancel()
	_, err := w.adapter.Publish(ctx, c, p)
	return err
}

// must publishes a part.
func (w *world) must(c mission.Credentials, p mission.Part) mission.Publication {
	w.t.Helper()
	ctx, cancel := w.call()
	defer cancel()
	got, err := w.adapter.Publish(ctx, c, p)
	if err != nil {
		w.t.Fatal("publish:", err)
	}
	return got
}

// failed checks the form of the adapter's error.
func (w *world) failed(err error) *mission.PublishError {
	w.t.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		w.t.Fatalf("the error %v is no PublishError", err)
	}
	if pe.Failure.Code == "" || pe.Failure.Message == "" {
		w.t.Errorf("the failure says nothing: %+v", pe.Failure)
	}
	for _, secret := range w.secrets {
		if secret != "" && strings.Contains(err.Error()+pe.Failure.Message, secret) {
			w.t.Errorf("the error shows a secret: %v", err)
		}
	}
	return pe
}

// requested returns how many requests the platform has had.
func (w *world) requested() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests
}

// post returns a content to be published there.
func (w *world) post(id byte, texts ...string) mission.Content {
	at := time.Now().UTC().Truncate(time.Millisecond)
	c := mission.Content{
		ID: "cnt_01k8x3p9z0000000000000000" + string(id), Platform: w.p.Name, Format: w.p.caps().Formats[0], Revision: 1,
		Text: strings.Join(texts, "\n\n"), ScheduledAt: &at, UpdatedAt: at, CreatedAt: at,
	}
	if len(texts) > 1 {
		c.Format, c.Parts = mission.FormatThread, texts
	}
	return c
}

// first returns the first part of a post.
func first(c mission.Content) mission.Part {
	return mission.Part{Content: c, Text: c.Texts()[0], CalledAt: *c.ScheduledAt}
}

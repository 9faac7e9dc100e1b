package instagram

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/instagram/instagramtest"
	"missiond/internal/publisher/meta/metatest"
	"missiond/mission"
)

type world struct {
	*testing.T

	stub    *instagramtest.Stub
	adapter *Adapter
	creds   mission.Credentials
	now     time.Time
	picture string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, stub: instagramtest.New(), now: time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)}
	w.stub.Now = func() time.Time { return w.now }
	server := httptest.NewServer(w.stub)
	t.Cleanup(server.Close)
	files := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", mission.TypeJPEG)
		_, _ = rw.Write([]byte("a picture"))
	}))
	t.Cleanup(files.Close)
	w.picture = files.URL
	w.adapter = New(publisher.NewClient(server.Client(), func() time.Time { return w.now }), Options{
		BaseURL: server.URL, CodeURL: server.URL + "/oauth/access_token", ClientID: metatest.ClientID, ClientSecret: metatest.ClientSecret,
	})
	var err error
	if _, w.creds, err = w.adapter.Connect(t.Context(), w.stub.Credentials("")); err != nil {
		t.Fatal(err)
	}
	return w
}

// part returns a part with pictures.
func (w *world) part(text string, pictures int) mission.Part {
	p := mission.Part{Content: mission.Content{ID: "cnt_1", Platform: mission.Instagram, Revision: 1}, Text: text, CalledAt: w.now}
	for range pictures {
		p.Media = append(p.Media, mission.PartFile{File: mission.File{PostMedia: mission.PostMedia{Kind: mission.MediaImage}, Address: w.picture}})
	}
	return p
}

func (w *world) publish(p mission.Part) (mission.Publication, error) {
	for p.Draft.State != mission.UploadReady {
		u, err := w.adapter.Prepare(w.Context(), w.creds, p, p.Draft)
		if err != nil {
			return mission.Publication{}, err
		}
		p.Draft = u
	}
	return w.adapter.Publish(w.Context(), w.creds, p)
}

func (w *world) failure(err error) *mission.PublishError {
	w.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		w.Fatalf("got %v", err)
	}
	return pe
}

// The label of pictures made by a model is on the container of the post: on an item of a carousel it is
// an error.
func TestLabels(t *testing.T) {
	for _, pictures := range []int{1, 3} {
		w := newWorld(t)
		p := w.part("Made by a model.", pictures)
		p.Labels.MadeWithAI = true
		got, err := w.publish(p)
		if err != nil || w.stub.Form(got.PostID).Get("is_ai_generated") != "true" {
			t.Errorf("%d pictures: got %+v, %v", pictures, got, err)
		}
	}
	w := newWorld(t)
	if got, err := w.publish(w.part("Made by a person.", 1)); err != nil || w.stub.Form(got.PostID).Has("is_ai_generated") {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestNoPicture(t *testing.T) {
	w := newWorld(t)
	if _, err := w.publish(w.part("Words alone.", 0)); w.failure(err).Outcome != mission.OutcomeRefused {
		t.Errorf("got %v", err)
	}
	if _, err := w.publish(w.part("Too many.", 11)); w.failure(err).Outcome != mission.OutcomeRefused {
		t.Errorf("11 pictures: got %v", err)
	}
}

func TestQuota(t *testing.T) {
	w := newWorld(t)
	w.stub.Used = 50
	_, err := w.publish(w.part("One more.", 1))
	if pe := w.failure(err); pe.Outcome != mission.OutcomeNotAccepted || pe.RetryAfter != time.Hour || !strings.Contains(pe.Failure.Message, "all 50 posts that Instagram allows in 24h") {
		t.Errorf("got %+v", pe)
	}
}

// How many posts it may publish in a day is read when an account is connected, if Instagram tells it.
func TestDailyPosts(t *testing.T) {
	w := newWorld(t)
	for _, total := range []int{25, 100} {
		w.stub.Total = total
		account, _, err := w.adapter.Connect(t.Context(), w.creds)
		if err != nil || account.Daily != total {
			t.Errorf("got %d posts, want %d: %v", account.Daily, total, err)
		}
	}
}

// A token is exchanged, whose response is in a list, and renewed.
func TestTokens(t *testing.T) {
	w := newWorld(t)
	address, g, err := w.adapter.Authorize(t.Context(), mission.Grant{State: "st4te", RedirectURL: metatest.RedirectURL})
	if err != nil {
		t.Fatal(err)
	}
	code, _, err := w.stub.Consent(address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.adapter.Exchange(t.Context(), g, code)
	if err != nil || c.ExpiresAt == nil || !c.ExpiresAt.Equal(w.now.Add(60*24*time.Hour)) {
		t.Fatalf("got %+v, %v", c, err)
	}
	w.now = w.now.Add(48 * time.Hour)
	if renewed, err := w.adapter.Refresh(t.Context(), c); err != nil || renewed.AccessToken == c.AccessToken {
		t.Errorf("got %+v, %v", renewed, err)
	}
}

// A comment that the account may not write doesn't end its credentials.
func TestCommentRefused(t *testing.T) {
	w := newWorld(t)
	post, err := w.publish(w.part("A post.", 1))
	if err != nil {
		t.Fatal(err)
	}
	c := w.part("A comment.", 0)
	c.Index, c.Root, c.Parent = 1, &post, &post
	w.stub.Handle = func(rw http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/comments") {
			metatest.Refuse(rw, metatest.Failure{Status: 403, Code: 10, Message: "no permission"})
			return true
		}
		return false
	}
	_, err = w.adapter.Publish(t.Context(), w.creds, c)
	if pe := w.failure(err); pe.Outcome != mission.OutcomeRefused || pe.Unauthorized {
		t.Errorf("got %+v", pe)
	}
}

// The errors of Instagram's page of 2026-06-02, in the call that makes a container or publishes it.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		code, subcode int
		edge          string
		want          string
		outcome       mission.Outcome
		gone          bool
	}{
		{36000, 2207004, "/media", publisher.CodeRefused, mission.OutcomeRefused, false},
		{36001, 2207005, "/media", publisher.CodeRefused, mission.OutcomeRefused, false},
		{36003, 2207009, "/media", publisher.CodeRefused, mission.OutcomeRefused, false},
		{36004, 2207010, "/media", publisher.CodeRefused, mission.OutcomeRefused, false},
		{9004, 2207052, "/media", publisher.CodeUnavailable, mission.OutcomeNotAccepted, false},
		{352, 2207026, "/media", publisher.CodeRefused, mission.OutcomeRefused, false},
		{-2, 2207003, "/media", publisher.CodeUnavailable, mission.OutcomeNotAccepted, false},
		{-1, 2207001, "/media", publisher.CodeUnavailable, mission.OutcomeNotAccepted, false},
		{-1, 2207032, "/media", publisher.CodeUnavailable, mission.OutcomeNotAccepted, false},
		{-1, 2207053, "/media", publisher.CodeUnavailable, mission.OutcomeNotAccepted, false},
		{-1, 2207001, "/media_publish", publisher.CodeUnavailable, mission.OutcomeUnknown, false},
		{-2, 2207020, "/media_publish", publisher.CodeFileGone, mission.OutcomeNotAccepted, true},
		{24, 2207006, "/media_publish", publisher.CodeFileGone, mission.OutcomeNotAccepted, true},
		{24, 2207008, "/media_publish", publisher.CodeFileGone, mission.OutcomeNotAccepted, true},
		{9, 2207042, "/media_publish", publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{4, 2207051, "/media_publish", publisher.CodeRefused, mission.OutcomeRefused, false},
		{25, 2207050, "/media_publish", publisher.CodeRefused, mission.OutcomeRefused, false},
		{9007, 2207027, "/media_publish", publisher.CodeUnavailable, mission.OutcomeNotAccepted, false},
		{80002, 0, "/media_publish", publisher.CodeRateLimited, mission.OutcomeNotAccepted, false},
		{10, 0, "/media_publish", publisher.CodeUnauthorized, mission.OutcomeNotAccepted, false},
		{190, 0, "/media_publish", publisher.CodeUnauthorized, mission.OutcomeNotAccepted, false},
	} {
		name := fmt.Sprintf("%s %d/%d", tt.edge, tt.code, tt.subcode)
		w := newWorld(t)
		w.stub.Handle = func(rw http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, tt.edge) {
				return false
			}
			metatest.Refuse(rw, metatest.Failure{Code: tt.code, Subcode: tt.subcode, Message: "no"})
			return true
		}
		_, err := w.publish(w.part("A post", 1))
		pe := w.failure(err)
		if pe.Failure.Code != tt.want || pe.Outcome != tt.outcome || pe.FilesGone != tt.gone || !strings.Contains(pe.Failure.Message, fmt.Sprint(tt.code)) {
			t.Errorf("%s: got %+v", name, pe)
		}
	}
}

// A container that failed is made anew only if that may help.
func TestFailedContainer(t *testing.T) {
	for problem, anew := range map[string]bool{
		"Error: Media upload has failed with error code 2207026": false, "Error: Media upload has failed with error code 2207082": false,
		"Error: error code 2207003": true, "Error: error code 2207053": true,
	} {
		w := newWorld(t)
		w.stub.Handle = func(rw http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Query().Get("fields"), "status_code") {
				return false
			}
			metatest.Send(rw, http.StatusOK, map[string]any{"id": "1", "status_code": "ERROR", "status": problem})
			return true
		}
		_, err := w.publish(w.part("A post", 1))
		if pe := w.failure(err); pe.FilesGone != anew || (pe.Outcome == mission.OutcomeRefused) == anew {
			t.Errorf("%s: got %+v", problem, pe)
		}
	}
}

// A token that may not read insights leaves the reach unknown, and not the followers.
func TestReachUnread(t *testing.T) {
	s := instagramtest.New()
	s.NoReach = true
	server := httptest.NewServer(s)
	defer server.Close()
	a := New(publisher.NewClient(server.Client(), time.Now), Options{BaseURL: server.URL})
	_, c, err := a.Connect(t.Context(), s.Credentials(""))
	if err != nil {
		t.Fatal(err)
	}
	s.Follow("12")
	got, err := a.Audience(t.Context(), c, mission.AudienceSince(time.Now()))
	if err != nil || got.Now.Followers == nil || *got.Now.Followers != 12 || got.Days != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

// An answer to a reply below a comment is one to the comment, since Instagram has no others; a lost
// one is found there, and not one that a stranger wrote in the same words.
func TestAnswersBelowComments(t *testing.T) {
	s := instagramtest.New()
	server := httptest.NewServer(s)
	defer server.Close()
	a := New(publisher.NewClient(server.Client(), time.Now), Options{BaseURL: server.URL})
	_, c, err := a.Connect(t.Context(), s.Credentials(""))
	if err != nil {
		t.Fatal(err)
	}
	post := s.Seed("A post", time.Now(), nil)
	comment := s.Answer(post, "grace", "Hm.")
	below := s.Answer(comment, "linus", "Why?")
	page, err := a.Replies(t.Context(), c, mission.ReplyQuery{Post: mission.Content{PlatformPostID: &post}, Limit: 10})
	if err != nil || len(page.Replies) != 2 || !page.Whole || page.Replies[1].ID != below || page.Replies[1].ParentID != comment {
		t.Fatalf("got %+v, %v", page, err)
	}
	root := mission.Publication{PostID: post, URL: "https://www.instagram.com/p/C1/"}
	p := mission.Part{Text: "Since it is so.", Root: &root, Parent: &mission.Publication{PostID: below, Hash: page.Replies[1].Hash}, CalledAt: time.Now()}
	s.Answer(comment, "mallory", p.Text)
	if _, ok, err := a.Find(t.Context(), c, p); ok || err != nil {
		t.Errorf("a stranger's reply is found: %v", err)
	}
	got, err := a.Publish(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	if found, ok, err := a.Find(t.Context(), c, p); err != nil || !ok || found.PostID != got.PostID {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
	if posts := s.Posts(); posts[len(posts)-1].Parent != comment {
		t.Errorf("the answer is %+v", posts[len(posts)-1])
	}
	s.Delete(comment)
	if _, ok, err := a.Find(t.Context(), c, p); ok || err != nil {
		t.Errorf("below a comment that is gone: %t, %v", ok, err)
	}
}

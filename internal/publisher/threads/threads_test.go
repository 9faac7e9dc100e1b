package threads

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/threads/threadstest"
	"missiond/mission"
)

type world struct {
	*testing.T

	stub    *threadstest.Stub
	adapter *Adapter
	creds   mission.Credentials
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, stub: threadstest.New(), now: time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)}
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
	return mission.Part{Content: mission.Content{ID: "cnt_1", Platform: mission.Threads, Revision: 1}, Text: text, CalledAt: w.now}
}

// ready prepares a part.
func (w *world) ready(p mission.Part) mission.Part {
	w.Helper()
	for p.Draft.State != mission.UploadReady {
		u, err := w.adapter.Prepare(w.Context(), w.creds, p, p.Draft)
		if err != nil {
			w.Fatal(err)
		}
		p.Draft = u
	}
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

// refuses responds with an error to requests for an edge.
func (w *world) refuses(edge string, f metatest.Failure) {
	w.stub.Handle = func(rw http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, edge) {
			return false
		}
		metatest.Refuse(rw, f)
		return true
	}
}

// A container that was ready isn't there when it is published (code 24, 4279009): it is made anew,
// unless an earlier call may have published it. One that is out is found, whatever the call said.
func TestMediaNotFound(t *testing.T) {
	w := newWorld(t)
	p := w.ready(w.part("Less is more."))
	w.stub.Loses = 1
	_, err := w.adapter.Publish(t.Context(), w.creds, p)
	if pe := w.failure(err); !pe.FilesGone || pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeFileGone {
		t.Errorf("got %+v", pe)
	}
	p.Draft = mission.Upload{}
	p = w.ready(p)
	w.stub.Loses = 1
	p.Again = true
	_, err = w.adapter.Publish(t.Context(), w.creds, p)
	if pe := w.failure(err); pe.FilesGone || pe.Outcome != mission.OutcomeUnknown {
		t.Errorf("again: got %+v", pe)
	}
	w.stub.Seed("Less  is more.", w.now, nil)
	got, err := w.adapter.Publish(t.Context(), w.creds, p)
	if err != nil || got.PostID != w.stub.Posts()[0].ID || len(w.stub.Posts()) != 1 {
		t.Errorf("although it is out: got %+v, %v", got, err)
	}
	w.now = w.now.Add(30 * time.Minute)
	p = w.ready(w.part("Less is more."))
	w.stub.Loses = 1
	if _, err := w.adapter.Publish(t.Context(), w.creds, p); !w.failure(err).FilesGone {
		t.Errorf("an older post isn't the part: got %v", err)
	}
}

// What became of a call is what the container says.
func TestFind(t *testing.T) {
	w := newWorld(t)
	p := w.ready(w.part("Found by its container."))
	if _, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil {
		t.Fatal(err)
	}
	w.stub.Hidden = true
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || w.failure(err).Outcome != mission.OutcomeUnknown {
		t.Errorf("published, and not listed yet: found %t, %v", ok, err)
	}
	w.stub.Hidden = false
	found, ok, err := w.adapter.Find(t.Context(), w.creds, p)
	if !ok || err != nil || !strings.HasPrefix(found.URL, "https://www.threads.com/") {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
	other := w.part("Never published.")
	other.Content.ID = "cnt_2"
	other = w.ready(other)
	w.now = w.now.Add(25 * time.Hour)
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, other); ok || err != nil {
		t.Errorf("expired: found %t, %v", ok, err)
	}
	w.stub.Forget()
	p.CalledAt = w.now.Add(-25 * time.Hour)
	if again, ok, err := w.adapter.Find(t.Context(), w.creds, p); !ok || err != nil || again.PostID != found.PostID {
		t.Errorf("without a container: found %+v, %t, %v", again, ok, err)
	}
	for range 600 {
		w.stub.Seed("Newer", w.now, nil)
	}
	other.CalledAt = w.now
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, other); ok || w.failure(err).Outcome != mission.OutcomeUnknown {
		t.Errorf("among too many: found %t, %v", ok, err)
	}
}

// A profile that may publish no more is waited for, before anything is made. Replies have a quota of
// their own.
func TestQuota(t *testing.T) {
	w := newWorld(t)
	w.stub.Used = 249
	root := w.ready(w.part("The last one."))
	first, err := w.adapter.Publish(t.Context(), w.creds, root)
	if err != nil {
		t.Fatal(err)
	}
	made := len(w.stub.Containers())
	_, err = w.adapter.Prepare(t.Context(), w.creds, w.part("One more."), mission.Upload{})
	pe := w.failure(err)
	if pe.Outcome != mission.OutcomeNotAccepted || pe.RetryAfter != time.Hour || pe.Failure.Code != publisher.CodeRateLimited ||
		pe.Failure.Message != "The account has published all 250 posts that Threads allows in 24h; its posts wait." || len(w.stub.Containers()) != made {
		t.Errorf("got %+v", pe)
	}
	reply := w.part("A reply.")
	reply.Index, reply.Root, reply.Parent = 1, &first, &first
	reply = w.ready(reply)
	if _, err := w.adapter.Publish(t.Context(), w.creds, reply); err != nil {
		t.Fatal(err)
	}
	w.stub.UsedReplies = 999
	reply.Index, reply.Draft = 2, mission.Upload{}
	if _, err := w.adapter.Prepare(t.Context(), w.creds, reply, mission.Upload{}); !strings.Contains(w.failure(err).Failure.Message, "1000 replies") {
		t.Errorf("got %v", err)
	}
}

// How many posts it may publish in a day is read when a profile is connected.
func TestDailyPosts(t *testing.T) {
	w := newWorld(t)
	w.stub.Total = 7
	account, _, err := w.adapter.Connect(t.Context(), w.creds)
	if err != nil || account.Daily != 7 {
		t.Errorf("got %d posts: %v", account.Daily, err)
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t)
	address, g, err := w.adapter.Authorize(t.Context(), mission.Grant{State: "st4te", RedirectURL: metatest.RedirectURL})
	if err != nil {
		t.Fatal(err)
	}
	code, state, err := w.stub.Consent(address)
	if err != nil || state != g.State {
		t.Fatalf("the state is %q (%v)", state, err)
	}
	c, err := w.adapter.Exchange(t.Context(), g, code)
	if err != nil || !c.Renewable() || c.ExpiresAt == nil || !c.ExpiresAt.Equal(w.now.Add(60*24*time.Hour)) || len(c.Scopes) != 5 {
		t.Fatalf("got %+v, %v", c, err)
	}
	_, err = w.adapter.Exchange(t.Context(), g, code)
	if pe := w.failure(err); !pe.Unauthorized || strings.Contains(pe.Failure.Message, strings.TrimSuffix(code, "#_")+"#") {
		t.Errorf("a code that is used: got %+v", pe)
	}
	if _, err := w.adapter.Refresh(t.Context(), c); !w.failure(err).Unauthorized {
		t.Errorf("a token that is an hour old: got %v", err)
	}
	w.now = w.now.Add(30 * 24 * time.Hour)
	renewed, err := w.adapter.Refresh(t.Context(), c)
	if err != nil || renewed.AccessToken == c.AccessToken || renewed.RefreshToken != renewed.AccessToken || !renewed.ExpiresAt.Equal(w.now.Add(60*24*time.Hour)) {
		t.Errorf("got %+v, %v", renewed, err)
	}
	w.now = w.now.Add(61 * 24 * time.Hour)
	_, err = w.adapter.Refresh(t.Context(), renewed)
	if pe := w.failure(err); !pe.Unauthorized || strings.Contains(pe.Failure.Message, renewed.AccessToken) {
		t.Errorf("a token that has ended: got %+v", pe)
	}
	w.refuses("/refresh_access_token", metatest.Failure{Status: 500, Code: 2, Message: "down", Transient: true})
	if _, err := w.adapter.Refresh(t.Context(), renewed); w.failure(err).Unauthorized {
		t.Errorf("a platform that fails: got %v", err)
	}
	w.adapter.tokens.ClientID = ""
	if _, _, err := w.adapter.Authorize(t.Context(), mission.Grant{}); !errors.Is(err, publisher.ErrNoClient) {
		t.Errorf("without a client: got %v", err)
	}
	w.stub.Handle, w.stub.Youth = nil, time.Hour
	_, young, err := w.adapter.Connect(t.Context(), w.stub.Credentials(""))
	if err != nil || young.ExpiresAt != nil || young.RefreshToken != young.AccessToken {
		t.Errorf("a typed token of an hour: got %+v, %v", young, err)
	}
}

// Each documented error once, in the call that publishes and in the one that makes a draft.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		failure      metatest.Failure
		code         string
		outcome      mission.Outcome
		unauthorized bool
		gone         bool
	}{
		{metatest.Failure{Status: 401, Code: 190, Subcode: 463}, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true, false},
		{metatest.Failure{Code: 102}, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true, false},
		{metatest.Failure{Code: 10}, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true, false},
		{metatest.Failure{Status: 403, Code: 200}, publisher.CodeUnauthorized, mission.OutcomeNotAccepted, true, false},
		{metatest.Failure{Code: 4}, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false, false},
		{metatest.Failure{Code: 17}, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false, false},
		{metatest.Failure{Code: 32}, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false, false},
		{metatest.Failure{Code: 613}, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false, false},
		{metatest.Failure{Status: 429, Code: 5}, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false, false},
		{metatest.Failure{Code: 9, Subcode: 2207042}, publisher.CodeRateLimited, mission.OutcomeNotAccepted, false, false},
		{metatest.Failure{Code: 4, Subcode: 2207051}, publisher.CodeRefused, mission.OutcomeRefused, false, false},
		{metatest.Failure{Code: 368}, publisher.CodeRefused, mission.OutcomeRefused, false, false},
		{metatest.Failure{Code: 100}, publisher.CodeRefused, mission.OutcomeRefused, false, false},
		{metatest.Failure{Code: 506}, publisher.CodeDuplicate, mission.OutcomeRefused, false, false},
		{metatest.Failure{Status: 500, Code: 1}, publisher.CodeUnavailable, mission.OutcomeUnknown, false, false},
		{metatest.Failure{Status: 503, Code: 2}, publisher.CodeUnavailable, mission.OutcomeUnknown, false, false},
		{metatest.Failure{Status: 500, Code: 99}, publisher.CodeUnavailable, mission.OutcomeUnknown, false, false},
		{metatest.Failure{Code: 77, Transient: true}, publisher.CodeUnavailable, mission.OutcomeUnknown, false, false},
		{metatest.Failure{Code: 24, Subcode: 4279009}, publisher.CodeFileGone, mission.OutcomeNotAccepted, false, true},
		{metatest.Failure{Code: 9007, Subcode: 2207027}, publisher.CodeUnavailable, mission.OutcomeNotAccepted, false, false},
	} {
		name := fmt.Sprintf("%d/%d", tt.failure.Code, tt.failure.Subcode)
		tt.failure.Message = "no"
		w := newWorld(t)
		p := w.ready(w.part("A post"))
		w.refuses("/threads_publish", tt.failure)
		_, err := w.adapter.Publish(t.Context(), w.creds, p)
		pe := w.failure(err)
		if pe.Failure.Code != tt.code || pe.Outcome != tt.outcome || pe.Unauthorized != tt.unauthorized || pe.FilesGone != tt.gone {
			t.Errorf("%s: got %+v", name, pe)
		}
		if (pe.Failure.Code == publisher.CodeRateLimited || pe.Outcome == mission.OutcomeUnknown) != (pe.RetryAfter > 0) && tt.failure.Subcode != 2207027 {
			t.Errorf("%s: to be left alone for %s", name, pe.RetryAfter)
		}
		w.refuses("/threads", tt.failure)
		_, err = w.adapter.Prepare(t.Context(), w.creds, w.part("Another"), mission.Upload{})
		if pe := w.failure(err); pe.Outcome == mission.OutcomeUnknown || pe.Failure.Code != tt.code {
			t.Errorf("%s in a draft: got %+v", name, pe)
		}
	}
}

// The name of a figure that has ended costs only that figure; a post without figures has none.
func TestMeasure(t *testing.T) {
	w := newWorld(t)
	id := w.stub.Seed("Seen", w.now, mission.Metrics{mission.Views: 90, mission.Likes: 8, mission.Comments: 0, mission.Shares: 5})
	empty := w.stub.Seed("Unseen", w.now, nil)
	posts := []mission.Content{{ID: "cnt_1", PlatformPostID: &id}, {ID: "cnt_2", PlatformPostID: &empty}, {ID: "cnt_3"}, {ID: "cnt_4", PlatformPostID: new("../me")}}
	w.stub.Ended = []string{"views"}
	got, err := w.adapter.Measure(t.Context(), w.creds, posts)
	if err != nil || len(got) != 2 || len(got["cnt_2"]) != 0 {
		t.Fatalf("got %v, %v", got, err)
	}
	if m := got["cnt_1"]; len(m) != 3 || m[mission.Shares] != 5 || m[mission.Likes] != 8 {
		t.Errorf("got %v", m)
	}
	w.stub.Ended = []string{"quotes"} // of shares it isn't known how many there are
	if got, err = w.adapter.Measure(t.Context(), w.creds, posts); err != nil || len(got["cnt_1"]) != 3 {
		t.Errorf("got %v, %v", got, err)
	}
	w.stub.Ended = nil
	w.refuses("/insights", metatest.Failure{Code: 10, Message: "(#10) Application does not have permission for this action"})
	if _, err = w.adapter.Measure(t.Context(), w.creds, posts); !w.failure(err).Forbidden {
		t.Errorf("without the permission: got %v", err)
	}
}

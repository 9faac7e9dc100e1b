package x

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/x/xtest"
	"missiond/mission"
)

// world is a stub on the network with an adapter for it and good credentials.
type world struct {
	*testing.T
	stub    *xtest.Stub
	address string
	now     time.Time
	adapter *Adapter
	creds   mission.Credentials
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, stub: xtest.New(), now: time.Now()}
	server := httptest.NewServer(w.stub)
	t.Cleanup(server.Close)
	w.address = server.URL
	w.adapter = w.with(xtest.ClientID, xtest.ClientSecret)
	w.creds = w.stub.Credentials("")
	w.creds.AccountID = xtest.UserID
	return w
}

func (w *world) with(id, secret string) *Adapter {
	client := publisher.NewClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, func() time.Time { return w.now })
	return New(client, Options{BaseURL: w.address, ClientID: id, ClientSecret: secret})
}

// responds sets the stub's response to a path.
func (w *world) responds(path string, status int, body string) {
	w.stub.Handle = func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != path {
			return false
		}
		xtest.Write(rw, status, body)
		return true
	}
}

func (w *world) failure(err error) *mission.PublishError {
	w.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		w.Fatalf("got %v, want a PublishError", err)
	}
	return pe
}

func (w *world) part(text string) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_1", Text: text}, Text: text, CalledAt: w.now}
}

func (w *world) publish(p mission.Part) (mission.Publication, error) {
	return w.adapter.Publish(w.Context(), w.creds, p)
}

func TestNewKnowsX(t *testing.T) {
	a := New(publisher.NewClient(http.DefaultClient, time.Now), Options{ClientID: "c"})
	address, _, err := a.Authorize(t.Context(), mission.Grant{State: "s", Verifier: "v"})
	if err != nil || !strings.HasPrefix(address, "https://x.com/i/oauth2/authorize?") || a.options.BaseURL != "https://api.x.com" {
		t.Errorf("got %s at %s (%v)", address, a.options.BaseURL, err)
	}
}

func TestErrorResponses(t *testing.T) {
	const dup = `{"detail":"You are not allowed to create a Tweet with duplicate content.","type":"about:blank","title":"Forbidden","status":403}`
	for name, tt := range map[string]struct {
		status       int
		body         string
		outcome      mission.Outcome
		code         string
		words        string
		unauthorized bool
	}{
		"a token that has ended": {401, `{"title":"Unauthorized","status":401,"detail":"Unauthorized"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "Unauthorized", true},
		"a client not enrolled":  {403, `{"title":"Client Forbidden","reason":"client-not-enrolled","detail":"Enrol.","type":"https://api.twitter.com/2/problems/client-forbidden"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "Enrol.", true},
		"read-only permissions":  {403, `{"title":"Forbidden","detail":"Not permitted.","type":"https://api.twitter.com/2/problems/oauth1-permissions"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "Not permitted.", true},
		"an application's token": {403, `{"title":"Unsupported Authentication","type":"https://api.twitter.com/2/problems/unsupported-authentication"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "Unsupported Authentication", true},
		"a scope that's missing": {403, `{"title":"Forbidden","detail":"Missing required OAuth 2.0 scopes."}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "scopes", true},
		"a reply not allowed":    {403, `{"title":"Forbidden","detail":"Reply to this conversation is not allowed."}`, mission.OutcomeRefused, publisher.CodeRefused, "Reply to this conversation is not allowed.", false},
		"a text that is there":   {403, dup, mission.OutcomeRefused, publisher.CodeDuplicate, "duplicate content", false},
		"an invalid request":     {400, `{"errors":[{"message":"The text is odd."}],"title":"Invalid Request"}`, mission.OutcomeRefused, publisher.CodeRefused, "The text is odd.", false},
		"only a title":           {400, `{"title":"Invalid Request"}`, mission.OutcomeRefused, publisher.CodeRefused, "Invalid Request", false},
		"an edge's page":         {403, `<html>no`, mission.OutcomeRefused, publisher.CodeRefused, "HTTP 403", false},
		"an error of X's":        {500, dup, mission.OutcomeUnknown, publisher.CodeUnavailable, "HTTP 500", false},
		"errors without data":    {200, `{"errors":[{"detail":"Something is off.","title":"Off"}]}`, mission.OutcomeRefused, publisher.CodeRefused, "Something is off.", false},
		"201 and errors alone":   {201, `{"errors":[{"message":"You are not allowed to create a Tweet with duplicate content."}]}`, mission.OutcomeRefused, publisher.CodeDuplicate, "duplicate", false},
		"neither":                {201, `{}`, mission.OutcomeUnknown, publisher.CodeMalformed, "HTTP 201", false},
		"an id that is none":     {201, `{"data":{"id":"../x","text":""}}`, mission.OutcomeUnknown, publisher.CodeMalformed, "HTTP 201", false},
		"no JSON":                {201, `created`, mission.OutcomeUnknown, publisher.CodeMalformed, "HTTP 201", false},
		"a redirect":             {302, ``, mission.OutcomeRefused, publisher.CodeRefused, "HTTP 302", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.responds("/2/tweets", tt.status, tt.body)
			_, err := w.publish(w.part("a text"))
			pe := w.failure(err)
			if pe.Outcome != tt.outcome || pe.Failure.Code != tt.code || pe.Unauthorized != tt.unauthorized || !strings.Contains(pe.Failure.Message, tt.words) {
				t.Errorf("got %+v", pe)
			}
		})
	}
}

func TestDataBesideErrorsIsSuccess(t *testing.T) {
	w := newWorld(t)
	w.responds("/2/tweets", http.StatusCreated, `{"data":{"id":"42","text":"a text"},"errors":[{"title":"Off"}]}`)
	got, err := w.publish(w.part("a text"))
	if err != nil || got.PostID != "42" || got.URL != "https://x.com/i/status/42" {
		t.Errorf("got %+v, %v", got, err)
	}
	// The id's time is of 2010: it can't be that of a post made now.
	if !got.PublishedAt.Equal(w.now.Truncate(time.Millisecond)) || got.PublishedAt.Location() != time.UTC {
		t.Errorf("published at %s", got.PublishedAt)
	}
}

func TestLabels(t *testing.T) {
	w := newWorld(t)
	for i, want := range []mission.Labels{{}, {MadeWithAI: true}, {PaidPartnership: true}, {MadeWithAI: true, PaidPartnership: true}} {
		p := w.part(fmt.Sprintf("Post %d", i))
		p.Labels = want
		made, err := w.publish(p)
		if got := w.stub.Labels(made.PostID); err != nil || got != want {
			t.Errorf("got %+v (%v), want %+v", got, err, want)
		}
	}
}

func TestTimesOfIDs(t *testing.T) {
	w := newWorld(t)
	for ago, failure := range map[time.Duration]bool{
		time.Minute: true, 3 * time.Hour: true, -time.Minute: true,
		-time.Hour: false, 30 * 24 * time.Hour: false,
	} {
		want := w.now
		if failure {
			want = w.now.Add(-ago)
		}
		if got := w.adapter.publication(w.stub.NextID(w.now.Add(-ago))).PublishedAt; !got.Equal(want.Truncate(time.Millisecond)) {
			t.Errorf("made %s ago: got %s, want %s", ago, got, want)
		}
	}
	if got := w.adapter.publication("9999999999999999999").PublishedAt; !got.Equal(w.now.Truncate(time.Millisecond)) {
		t.Errorf("an id out of range is of %s", got)
	}
}

// A text that X has is refused, whatever may have become of an earlier call.
func TestDuplicates(t *testing.T) {
	w := newWorld(t)
	const text = "Twice & <twice> https://example.com/a?b=1&c=2"
	if _, err := w.publish(w.part(text)); err != nil {
		t.Fatal(err)
	}
	_, err := w.publish(w.part(text))
	if pe := w.failure(err); pe.Outcome != mission.OutcomeRefused || pe.Failure.Code != publisher.CodeDuplicate || len(w.stub.Posts()) != 1 {
		t.Errorf("got %+v", pe)
	}
}

func TestFind(t *testing.T) {
	w := newWorld(t)
	var all []mission.Publication
	for i := range 12 {
		p := w.part(fmt.Sprintf("Post %d, at example.org and https://example.com/%d ", i, i))
		got, err := w.publish(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got)
	}
	for i, want := range map[int]bool{11: true, 2: true} { // ten are read
		p := w.part(fmt.Sprintf("Post %d, at example.org and https://example.com/%d ", i, i))
		got, ok, err := w.adapter.Find(t.Context(), w.creds, p)
		if err != nil || ok != want || ok && got != all[i] {
			t.Errorf("post %d: got %+v, %t, %v", i, got, ok, err)
		}
	}
	reply := w.part("Post 11, at example.org and https://example.com/11")
	reply.Parent = &all[0]
	// Ten newer posts hide whether it is there.
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, reply); ok || w.failure(err).Outcome != mission.OutcomeUnknown {
		t.Errorf("a post is taken for a reply with its text, or it is said not to be there (%v)", err)
	}
	w.now = w.now.Add(lookupSlack + 2*time.Second)
	w.stub.Now = func() time.Time { return w.now }
	reply.CalledAt = w.now
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, reply); ok || err != nil {
		t.Errorf("older posts hide whether it is there: got %t, %v", ok, err)
	}
	ahead := w.part("Post 11, at example.org and https://example.com/11")
	ahead.CalledAt = w.now.Add(time.Hour)
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, ahead); !ok || err != nil {
		t.Errorf("a part called in the future isn't found (%v)", err)
	}
	w.responds("/2/users/"+xtest.UserID+"/tweets", http.StatusOK, `{"errors":[{"title":"Not Found Error"}]}`)
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, ahead); ok || w.failure(err).Outcome != mission.OutcomeUnknown {
		t.Errorf("errors alone: got %t, %v", ok, err)
	}
}

// The fee for a lookup in mission matches what a lookup reads.
func TestLookReadsWhatIsPaidFor(t *testing.T) {
	caps, _ := mission.CapabilitiesOf(mission.Twitter)
	if got := fmt.Sprint(int64(caps.Fees.Lookup / caps.Fees.Read)); got != lookupMax {
		t.Errorf("the fee is for %s reads, a lookup makes %s", got, lookupMax)
	}
}

func TestMeasureRequestsPrivateFiguresOfRecentPosts(t *testing.T) {
	w := newWorld(t)
	content := func(id string, age time.Duration, thread bool) mission.Content {
		at := w.now.Add(-age)
		post := w.stub.Seed(id, at, mission.Metrics{mission.Impressions: 9, mission.Clicks: 5, mission.LinkClicks: 3, mission.Comments: 1, mission.Shares: 4})
		c := mission.Content{ID: id, PlatformPostID: &post, PublishedAt: &at}
		if thread {
			c.Format = mission.FormatThread
		}
		return c
	}
	const day = 24 * time.Hour
	odd := "not-an-id"
	posts := []mission.Content{
		content("young", day, false), content("thread", 29*day, true), content("old", 31*day, false), content("gone", day, false),
		{ID: "unpublished"}, {ID: "odd", PlatformPostID: &odd},
	}
	w.stub.Delete(*posts[3].PlatformPostID)
	got, err := w.adapter.Measure(t.Context(), w.creds, posts)
	if err != nil {
		t.Fatal(err)
	}
	old := mission.Metrics{mission.Impressions: 9, mission.Likes: 0, mission.Comments: 1, mission.Shares: 4}
	young := mission.Metrics{mission.Impressions: 9, mission.Likes: 0, mission.Comments: 1, mission.Shares: 4, mission.Clicks: 5, mission.LinkClicks: 3}
	thread := mission.Metrics{mission.Impressions: 9, mission.Likes: 0, mission.Comments: 0, mission.Shares: 4, mission.Clicks: 5, mission.LinkClicks: 3}
	want := fmt.Sprint(map[string]mission.Metrics{"young": young, "thread": thread, "old": old})
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if len(w.stub.Requests) != 2 {
		t.Errorf("%d calls were made", len(w.stub.Requests))
	}
	if got, err := w.adapter.Measure(t.Context(), w.creds, posts[3:]); err != nil || len(got) != 0 {
		t.Errorf("posts that are gone: got %v, %v", got, err)
	}
}

func TestMeasureFails(t *testing.T) {
	w := newWorld(t)
	id := "42"
	for body, code := range map[string]string{`{"title":"Off"}`: publisher.CodeUnavailable, `no`: publisher.CodeMalformed} {
		status := http.StatusServiceUnavailable
		if code == publisher.CodeMalformed {
			status = http.StatusOK
		}
		w.responds("/2/tweets", status, body)
		got, err := w.adapter.Measure(t.Context(), w.creds, []mission.Content{{ID: "a", PlatformPostID: &id}})
		if pe := w.failure(err); pe.Failure.Code != code || len(got) != 0 {
			t.Errorf("got %v, %+v", got, pe)
		}
	}
}

func TestConnectWithoutAnAccount(t *testing.T) {
	for body, outcome := range map[string]mission.Outcome{
		`{"errors":[{"detail":"User has been suspended"}]}`: mission.OutcomeRefused,
		`{"data":{"id":"x","username":"ann"}}`:              mission.OutcomeUnknown,
		`nothing`:                                           mission.OutcomeUnknown,
	} {
		w := newWorld(t)
		w.responds("/2/users/me", http.StatusOK, body)
		if _, _, err := w.adapter.Connect(t.Context(), w.creds); w.failure(err).Outcome != outcome {
			t.Errorf("%s: got %v", body, err)
		}
	}
}

func TestCallsEndWithTheirContext(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.adapter.Publish(ctx, w.creds, w.part("never")); w.failure(err).Outcome != mission.OutcomeNotAccepted {
		t.Errorf("got %v", err)
	}
}

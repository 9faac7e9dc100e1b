package linkedin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// world is a stub on the network with an adapter for it and good credentials.
type world struct {
	*testing.T
	stub    *linkedintest.Stub
	now     time.Time
	options Options
	creds   mission.Credentials
	figures []mission.Metrics // of contents
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, stub: linkedintest.New(), now: time.Now()}
	w.stub.Now = func() time.Time { return w.now }
	server := httptest.NewServer(w.stub)
	t.Cleanup(server.Close)
	w.options = Options{BaseURL: server.URL, AuthURL: server.URL + "/oauth/v2", Version: linkedintest.Version, ClientID: linkedintest.ClientID, ClientSecret: linkedintest.ClientSecret}
	w.creds = w.stub.Credentials("")
	w.creds.AccountID = linkedintest.Person
	return w
}

func (w *world) adapter() *Adapter {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return New(publisher.NewClient(client, func() time.Time { return w.now }), w.options)
}

func (w *world) responds(status int, body string, header ...string) {
	w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
		for i := 0; i < len(header); i += 2 {
			rw.Header().Set(header[i], header[i+1])
		}
		rw.WriteHeader(status)
		_, _ = rw.Write([]byte(body))
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

func (w *world) publish(text string, again bool) (mission.Publication, error) {
	return w.adapter().Publish(w.Context(), w.creds, mission.Part{Content: mission.Content{ID: "cnt_1", Text: text}, Text: text, CalledAt: w.now, Again: again})
}

func TestNewKnowsLinkedIn(t *testing.T) {
	a := New(publisher.NewClient(http.DefaultClient, time.Now), Options{ClientID: "c", Version: linkedintest.Version})
	address, _, err := a.Authorize(t.Context(), mission.Grant{State: "s"})
	if err != nil || !strings.HasPrefix(address, "https://www.linkedin.com/oauth/v2/authorization?") || a.options.BaseURL != "https://api.linkedin.com" {
		t.Errorf("got %s at %s (%v)", address, a.options.BaseURL, err)
	}
}

func TestConnect(t *testing.T) {
	for named, want := range map[string]mission.Account{
		"":                        {ID: linkedintest.Person, Name: "Ann Other", URL: "https://www.linkedin.com/", AvatarURL: publishertest.Picture},
		linkedintest.Person:       {ID: linkedintest.Person, Name: "Ann Other", URL: "https://www.linkedin.com/", AvatarURL: publishertest.Picture},
		"urn:li:person:else":      {ID: linkedintest.Person, Name: "Ann Other", URL: "https://www.linkedin.com/", AvatarURL: publishertest.Picture},
		linkedintest.Organization: {ID: linkedintest.Organization, Name: linkedintest.Organization, URL: "https://www.linkedin.com/company/2414183/"},
	} {
		w := newWorld(t)
		w.creds.AccountID = named
		got, c, err := w.adapter().Connect(t.Context(), w.creds)
		if err != nil || got != want || c.AccountID != want.ID {
			t.Errorf("%q: got %+v, %v", named, got, err)
		}
	}
	for _, named := range []string{"42", "urn:li:organization:", "urn:li:organization:1/../2", "urn:li:group:1", "urn:li:person:a b"} {
		w := newWorld(t)
		w.creds.AccountID = named
		if _, _, err := w.adapter().Connect(t.Context(), w.creds); w.failure(err).Outcome != mission.OutcomeRefused || len(w.stub.Requests) > 0 {
			t.Errorf("%q: got %v", named, err)
		}
	}
}

func TestConnectFails(t *testing.T) {
	w := newWorld(t)
	w.responds(http.StatusForbidden, `{"status":403,"message":"Not enough permissions to access: userinfo.GET.NO_VERSION"}`)
	if _, _, err := w.adapter().Connect(t.Context(), w.creds); !w.failure(err).Unauthorized {
		t.Errorf("a scope that's missing: got %v", err)
	}
	for _, body := range []string{`{}`, `{"sub":"../x"}`, `no`} {
		w.responds(http.StatusOK, body)
		if _, _, err := w.adapter().Connect(t.Context(), w.creds); w.failure(err).Failure.Code != publisher.CodeMalformed {
			t.Errorf("%s: got %v", body, err)
		}
	}
}

func TestErrorResponses(t *testing.T) {
	for name, tt := range map[string]struct {
		status       int
		body         string
		outcome      mission.Outcome
		code         string
		words        string
		unauthorized bool
	}{
		"a token that has ended": {401, `{"status":401,"serviceErrorCode":65601,"message":"The token used in the request has been revoked by the user"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "revoked", true},
		"a scope that's missing": {403, `{"status":403,"serviceErrorCode":100,"message":"ACCESS_DENIED"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized, "ACCESS_DENIED", true},
		"a field that's wrong":   {422, `{"status":422,"message":"","errorDetails":{"inputErrors":[{"code":"FIELD_VALUE_TOO_LONG","description":"Too long"}]}}`, mission.OutcomeRefused, publisher.CodeRefused, "Too long", false},
		"a bad request":          {400, `{"status":400,"message":"Invalid"}`, mission.OutcomeRefused, publisher.CodeRefused, "Invalid", false},
		"a duplicate of nothing": {422, `{"message":"Duplicate","errorDetails":{"inputErrors":[{"code":"DUPLICATE_POST"}]}}`, mission.OutcomeRefused, publisher.CodeDuplicate, "Duplicate", false},
		"an error of LinkedIn's": {500, `{"message":"Internal Server Error"}`, mission.OutcomeUnknown, publisher.CodeUnavailable, "HTTP 500", false},
		"no URN":                 {201, ``, mission.OutcomeUnknown, publisher.CodeMalformed, "HTTP 201", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.responds(tt.status, tt.body)
			for _, again := range []bool{false, true} {
				_, err := w.publish("a text", again)
				pe := w.failure(err)
				if again && tt.code == publisher.CodeDuplicate { // it may be the part itself
					tt.outcome, tt.code, tt.words = mission.OutcomeUnknowable, mission.CodeOutcomeUnknown, ""
				}
				if pe.Outcome != tt.outcome || pe.Failure.Code != tt.code || pe.Unauthorized != tt.unauthorized || !strings.Contains(pe.Failure.Message, tt.words) {
					t.Errorf("again %t: got %+v", again, pe)
				}
			}
		})
	}
	w := newWorld(t)
	w.responds(http.StatusCreated, "", "X-RestLi-Id", "urn:li:comment:1")
	if _, err := w.publish("a text", false); w.failure(err).Failure.Code != publisher.CodeMalformed {
		t.Errorf("a URN that isn't a post's: got %v", err)
	}
}

func TestDuplicates(t *testing.T) {
	w := newWorld(t)
	one, err := w.publish("Twice (really) #twice", false)
	if err != nil || one.URL != "https://www.linkedin.com/feed/update/"+one.PostID+"/" {
		t.Fatal(one, err)
	}
	if two, err := w.publish("Twice (really) #twice", true); err != nil || two.PostID != one.PostID || two.URL != one.URL {
		t.Errorf("ours: got %+v, %v", two, err)
	}
	_, err = w.publish("Twice (really) #twice", false)
	if pe := w.failure(err); pe.Outcome != mission.OutcomeRefused || pe.Failure.Code != publisher.CodeDuplicate || !strings.Contains(pe.Failure.Message, one.PostID) {
		t.Errorf("not ours: got %+v", pe)
	}
}

func TestOriginalsAreReadStrictly(t *testing.T) {
	for words, want := range map[string]string{
		"Content is a duplicate of urn:li:share:7141138937766391808":                 "urn:li:share:7141138937766391808",
		"x: Content is a duplicate of urn:li:ugcPost:71. Try another":                "urn:li:ugcPost:71",
		"Content is a duplicate of urn:li:share:71x":                                 "",
		"Content is a duplicate of urn:li:share:71:2":                                "",
		"Content is a duplicate of urn:li:comment:71":                                "",
		"urn:li:share:71 is something else":                                          "",
		"Content is a duplicate of urn:li:share:":                                    "",
		"Content is a duplicate of https://www.linkedin.com/feed/update/urn:li:x:1/": "",
	} {
		r := refusal{Message: words}
		if got, ok := r.duplicate(); ok || got != "" {
			t.Errorf("%q without its code: got %q", words, got)
		}
		r.Details.Inputs = append(r.Details.Inputs, struct {
			Code        string `json:"code"`
			Description string `json:"description"`
		}{Code: "DUPLICATE_POST"})
		if got, ok := r.duplicate(); !ok || got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}

func TestSunsetVersion(t *testing.T) {
	w := newWorld(t)
	w.options.Version = linkedintest.Sunset
	_, err := w.publish("a text", false)
	pe := w.failure(err)
	if pe.Outcome != mission.OutcomeNotAccepted || pe.Unauthorized || pe.Failure.Code != publisher.CodeUnavailable || pe.RetryAfter != time.Hour || !strings.Contains(pe.Failure.Message, "LinkedIn-Version") {
		t.Errorf("got %+v", pe)
	}
}

func TestQuotasAreADays(t *testing.T) {
	w := newWorld(t)
	w.now = time.Date(2026, 8, 3, 22, 30, 0, 0, time.FixedZone("", -3600)) // 23:30 UTC
	for _, tt := range []struct {
		header []string
		want   time.Duration
	}{
		{nil, 30 * time.Minute},
		{[]string{"Retry-After", "90"}, 90 * time.Second},
		{[]string{"Retry-After", "Tue, 04 Aug 2026 01:30:00 GMT"}, 2 * time.Hour},
	} {
		w.responds(http.StatusTooManyRequests, `{"status":429,"message":"throttled"}`, tt.header...)
		_, err := w.publish("a text", false)
		if pe := w.failure(err); pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeRateLimited || pe.RetryAfter != tt.want {
			t.Errorf("%v: got %+v", tt.header, pe)
		}
	}
}

// contents has the stub have posts with figures.
func (w *world) contents(n int) []mission.Content {
	posts := make([]mission.Content, n)
	for i := range posts {
		w.figures = append(w.figures, mission.Metrics{})
		for k, m := range mission.AllMetrics() {
			w.figures[i][m] = float64(100*i + k)
		}
		urn := w.stub.Seed(w.figures[i])
		posts[i] = mission.Content{ID: fmt.Sprint("cnt_", i), PlatformPostID: &urn, PublishedAt: &w.now}
	}
	return posts
}

func TestMemberFigures(t *testing.T) {
	for speaks, want := range map[string][]mission.Metric{
		"202604": {mission.Clicks, mission.Comments, mission.FollowersGained, mission.Impressions, mission.Likes, mission.LinkClicks, mission.Reach, mission.Shares},
		"202603": {mission.Comments, mission.Impressions, mission.Likes, mission.Reach, mission.Shares},
	} {
		w := newWorld(t)
		w.options.Version = speaks
		posts := w.contents(2)
		got, err := w.adapter().Measure(t.Context(), w.creds, append(posts, mission.Content{ID: "unpublished"}))
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: got %v, %v", speaks, got, err)
		}
		for i, p := range posts {
			var have []mission.Metric
			for m, v := range got[p.ID] {
				have = append(have, m)
				said := m
				if m == mission.Clicks {
					said = mission.LinkClicks
				}
				if v != w.figures[i][said] {
					t.Errorf("%s: %s of %s is %v", speaks, m, p.ID, v)
				}
			}
			if slices.Sort(have); !slices.Equal(have, want) {
				t.Errorf("%s: got %v, want %v", speaks, have, want)
			}
		}
	}
}

func TestMemberFiguresWithoutTheScope(t *testing.T) {
	w := newWorld(t)
	w.stub.Analytics = false
	_, err := w.adapter().Measure(t.Context(), w.creds, w.contents(2))
	if pe := w.failure(err); pe.Unauthorized || pe.Outcome != mission.OutcomeRefused || len(w.stub.Requests) != 1 {
		t.Errorf("got %+v after %d calls", pe, len(w.stub.Requests))
	}
}

func TestMemberFiguresThatAreMissing(t *testing.T) {
	w := newWorld(t)
	posts := w.contents(1)
	w.responds(http.StatusOK, `{"elements":[]}`)
	got, err := w.adapter().Measure(t.Context(), w.creds, posts)
	if m, ok := got[posts[0].ID]; err != nil || !ok || len(m) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// What is complete when the time is up isn't lost.
func TestMemberFiguresWhenTimeIsUp(t *testing.T) {
	for calls, complete := range map[int]int{7: 1, 13: 1, 3: 0} {
		w := newWorld(t)
		posts := w.contents(3)
		ctx, cancel := context.WithCancel(t.Context())
		w.stub.Handle = func(http.ResponseWriter, *http.Request) bool {
			if len(w.stub.Requests) > calls {
				cancel()
				panic(http.ErrAbortHandler)
			}
			return false
		}
		got, err := w.adapter().Measure(ctx, w.creds, posts)
		if len(got) != complete || (err == nil) != (complete > 0) {
			t.Errorf("after %d calls: got %v, %v", calls, got, err)
		}
		cancel()
	}
}

func TestOrganizationFigures(t *testing.T) {
	w := newWorld(t)
	w.creds.AccountID = linkedintest.Organization
	posts := w.contents(20)
	w.stub.Delete(*posts[4].PlatformPostID)
	odd := "urn:li:share:1),urn:li:share:(2"
	got, err := w.adapter().Measure(t.Context(), w.creds, append(posts, mission.Content{ID: "odd", PlatformPostID: &odd}))
	if err != nil || len(got) != 19 || len(w.stub.Requests) != 2 {
		t.Fatalf("%d posts are measured by %d calls: %v", len(got), len(w.stub.Requests), err)
	}
	for i, p := range posts {
		m, ok := got[p.ID]
		if ok != (i != 4) || ok && (len(m) != 6 || m[mission.Clicks] != w.figures[i][mission.Clicks]) {
			t.Errorf("%s: got %v", p.ID, m)
		}
	}
}

func TestMeasureFailsWhole(t *testing.T) {
	for _, account := range []string{linkedintest.Person, linkedintest.Organization} {
		w := newWorld(t)
		w.creds.AccountID = account
		posts := w.contents(1)
		w.responds(http.StatusOK, `no`)
		if got, err := w.adapter().Measure(t.Context(), w.creds, posts); got != nil || w.failure(err).Failure.Code != publisher.CodeMalformed {
			t.Errorf("%s: got %v, %v", account, got, err)
		}
	}
}

// A token that may publish only is refused figures, which doesn't end the connection.
func TestAudienceNeedsAScope(t *testing.T) {
	stub := linkedintest.New()
	stub.Account, stub.Listing = linkedintest.Organization, false
	server := httptest.NewServer(stub)
	t.Cleanup(server.Close)
	a := New(publisher.NewClient(server.Client(), time.Now), Options{BaseURL: server.URL, Version: linkedintest.Version})
	_, err := a.Audience(t.Context(), stub.Credentials(""), mission.AudienceSince(time.Now()))
	var pe *mission.PublishError
	if !errors.As(err, &pe) || !pe.Forbidden {
		t.Errorf("got %v", err)
	}
}

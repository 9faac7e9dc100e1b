package mastodon

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/publisher"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	t.Parallel()
	publishertest.Run(t, publishertest.Platform{
		Name:    mission.Mastodon,
		New:     func(t *testing.T) publishertest.Stub { return mastodontest.New(t) },
		Adapter: func(_ string, c publisher.Client) publisher.Adapter { return New(c, Options{}) },
		Threads: true,
	})
}

// world is a server on the network with an account that is connected.
type world struct {
	t       *testing.T
	server  *mastodontest.Stub
	adapter *Adapter
	address string
	creds   mission.Credentials
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, server: mastodontest.New(t), now: time.Now()}
	h := httptest.NewServer(w.server)
	t.Cleanup(h.Close)
	w.address = h.URL
	w.adapter = New(publisher.NewClient(h.Client(), func() time.Time { return w.now }), Options{Website: "https://missiond.example"})
	var err error
	if _, w.creds, err = w.adapter.Connect(t.Context(), w.server.Credentials(h.URL)); err != nil {
		t.Fatal(err)
	}
	return w
}

func part(text string, calledAt time.Time) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_01k8x3p9z00000000000000001", Revision: 1, Text: text}, Text: text, CalledAt: calledAt}
}

// responding returns an adapter for a server with one response to every request.
func responding(t *testing.T, status int, header http.Header, body string) (*Adapter, mission.Credentials) {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for k, v := range header {
			w.Header()[k] = v
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(h.Close)
	return New(publisher.NewClient(h.Client(), time.Now), Options{}), mission.Credentials{Server: h.URL + "/", AccountID: "1", AccessToken: "secret-token"}
}

func failed(t *testing.T, err error) *mission.PublishError {
	t.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		t.Fatalf("the error %v is no PublishError", err)
	}
	return pe
}

func TestConnectNamesTheAccount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       mission.Account
	}{
		{"a person", `{"id":"7","username":"ada","acct":"ada","display_name":"Ada","url":"https://s.example/@ada"}`, mission.Account{ID: "7", Handle: "ada@HOST", Name: "Ada", URL: "https://s.example/@ada"}},
		{"without a name to show", `{"id":"7","username":"ada","acct":"ada","display_name":" ","url":"https://s.example/@ada"}`, mission.Account{ID: "7", Handle: "ada@HOST", Name: "ada", URL: "https://s.example/@ada"}},
		{"named in full", `{"id":"7","username":"ada","acct":"ada@s.example","url":"https://s.example/@ada"}`, mission.Account{ID: "7", Handle: "ada@s.example", Name: "ada", URL: "https://s.example/@ada"}},
		{"an address that is a trap", `{"id":"7","username":"ada","acct":"ada","url":"javascript:alert(1)"}`, mission.Account{ID: "7", Handle: "ada@HOST", Name: "ada", URL: "http://HOST/@ada"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, creds := responding(t, http.StatusOK, nil, c.body)
			host := strings.TrimSuffix(strings.TrimPrefix(creds.Server, "http://"), "/")
			c.want.Handle, c.want.URL = strings.Replace(c.want.Handle, "HOST", host, 1), strings.Replace(c.want.URL, "HOST", host, 1)
			got, kept, err := a.Connect(t.Context(), creds)
			if err != nil || got != c.want || kept.AccountID != "7" {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		status       int
		header       http.Header
		body         string
		outcome      mission.Outcome
		unauthorized bool
		says         string
	}{
		{"a text that is refused", 422, nil, `{"error":"Validation failed: Text character limit of 500 exceeded"}`, mission.OutcomeRefused, false, "character limit of 500"},
		{"a token that is gone", 401, nil, `{"error":"The access token is invalid"}`, mission.OutcomeNotAccepted, true, "token is invalid"},
		{"a token for less", 403, nil, `{"error":"This action is outside the authorized scopes"}`, mission.OutcomeNotAccepted, true, "scopes"},
		{"a token for less, in German", 403, http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope"`}}, `{"error":"Nicht erlaubt"}`, mission.OutcomeNotAccepted, true, "Nicht"},
		{"a token of an application's", 422, nil, `{"error":"This method requires an authenticated user"}`, mission.OutcomeNotAccepted, true, "user"},
		{"an account that is locked", 403, nil, `{"error":"Your login is currently disabled"}`, mission.OutcomeNotAccepted, true, "disabled"},
		{"what isn't allowed", 403, nil, `{"error":"This action is not allowed"}`, mission.OutcomeRefused, false, "not allowed"},
		{"another address", 301, http.Header{"Location": {"https://elsewhere.example/"}}, `{"id":"1"}`, mission.OutcomeRefused, false, "301"},
		{"nothing", 204, nil, "", mission.OutcomeUnknown, false, "understood"},
		{"a status without id", 200, nil, `{"url":"https://s.example/1"}`, mission.OutcomeUnknown, false, "understood"},
		{"an error that is none", 500, nil, `[{"error":1}]`, mission.OutcomeUnknown, false, "500"},
		{"an error of another form", 400, nil, `{"error":{"a":1}}`, mission.OutcomeRefused, false, "400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, creds := responding(t, c.status, c.header, c.body)
			_, err := a.Publish(t.Context(), creds, part("Hello.", time.Now()))
			pe := failed(t, err)
			if pe.Outcome != c.outcome || pe.Unauthorized != c.unauthorized || !strings.Contains(pe.Failure.Message, c.says) {
				t.Errorf("got %+v", pe)
			}
			_, _, err = a.Find(t.Context(), creds, part("Hello.", time.Now()))
			if pe := failed(t, err); pe.Outcome == mission.OutcomeRefused {
				t.Errorf("a look that is refused says of the post %+v", pe)
			}
		})
	}
}

// The account's own visibility holds unless the mission has one; the language is told as
// its ISO 639 code.
func TestPublishPresents(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]mission.Presentation{
		"unlisted ":   {},
		"unlisted es": {Language: "es"},
		"private pt":  {Language: "pt-BR", Visibility: mission.VisibilityPrivate},
		"public ":     {Visibility: mission.VisibilityPublic},
	} {
		w := newWorld(t)
		w.server.Privacy = "unlisted"
		p := part("Hola.", w.now)
		p.Presentation = at
		one, err := w.adapter.Publish(t.Context(), w.creds, p)
		if err != nil {
			t.Fatal(err)
		}
		if s := w.server.Statuses()[0]; s.Visibility+" "+s.Language != want {
			t.Errorf("with %+v the status is %s in %q, want %q", at, s.Visibility, s.Language, want)
		}
		p.Presentation = mission.Presentation{Language: "fr", Visibility: mission.VisibilityPublic}
		p.Again = true
		if two, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || two != one || len(w.server.Statuses()) != 1 {
			t.Errorf("presented otherwise it is published again: %+v, %v", two, err)
		}
	}
}

func TestRateLimitEndsAtATimestamp(t *testing.T) {
	t.Parallel()
	until := time.Now().Add(3 * time.Minute)
	for name, text := range map[string]string{
		"Mastodon":          until.UTC().Format("2006-01-02T15:04:05.000000Z"),
		"GoToSocial":        until.UTC().Format("2006-01-02T15:04:05Z"),
		"with a zone":       until.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339),
		"like other places": fmt.Sprint(until.Unix()),
	} {
		a, creds := responding(t, http.StatusTooManyRequests, http.Header{"X-Ratelimit-Reset": {text}}, `{"error":"Too many requests"}`)
		_, err := a.Publish(t.Context(), creds, part("Hello.", time.Now()))
		if pe := failed(t, err); pe.Outcome != mission.OutcomeNotAccepted || pe.RetryAfter < 170*time.Second || pe.RetryAfter > 3*time.Minute {
			t.Errorf("%s: got %+v", name, pe)
		}
	}
	a, creds := responding(t, http.StatusServiceUnavailable, http.Header{"X-Ratelimit-Reset": {until.UTC().Format(time.RFC3339)}}, "")
	_, err := a.Publish(t.Context(), creds, part("Hello.", time.Now()))
	if pe := failed(t, err); pe.RetryAfter > time.Minute {
		t.Errorf("a server that fails is left alone until its rate limit ends: %+v", pe)
	}
}

func TestFindLooksBehindOnePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	called := w.now.Add(-2 * time.Hour)
	w.server.Seed("Ours.", "", called.Add(-time.Hour))
	ours := w.server.Seed("Ours.", "", called.Add(time.Second))
	for i := range 90 {
		w.server.Seed(fmt.Sprintf("Another's %d.", i), "", called.Add(time.Duration(i+2)*time.Second))
	}
	found, ok, err := w.adapter.Find(t.Context(), w.creds, part("Ours.", called))
	if err != nil || !ok || found.PostID != ours.ID {
		t.Errorf("found %+v, %t, %v; want %s", found, ok, err, ours.ID)
	}
	// What is older than the call is another's.
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, part("Ours.", called.Add(time.Hour))); ok || err != nil {
		t.Errorf("found one of before the call (%v)", err)
	}
}

// However many statuses are newer, it is read back to the time of the call.
func TestFindReadsBackToTheCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	called := w.now.Add(-2 * time.Hour)
	ours := w.server.Seed("Ours.", "", called.Add(time.Second))
	for i := range 8 * 60 {
		w.server.Seed(fmt.Sprintf("Another's %d.", i), "", called.Add(time.Duration(i+8)*time.Second/8))
	}
	if found, ok, err := w.adapter.Find(t.Context(), w.creds, part("Ours.", called)); err != nil || !ok || found.PostID != ours.ID {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, part("Nobody's.", called)); err != nil || ok {
		t.Errorf("found what isn't there: %t, %v", ok, err)
	}
	for i := range pageSize * lookPages {
		w.server.Seed(fmt.Sprintf("Yet another's %d.", i), "", called.Add(time.Hour))
	}
	_, ok, err := w.adapter.Find(t.Context(), w.creds, part("Ours.", called))
	if pe := failed(t, err); ok || pe.Outcome != mission.OutcomeUnknown {
		t.Errorf("behind all that is read: got %t, %+v", ok, pe)
	}
}

func TestFindTakesNoneForAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.server.Seed("Again.", "", w.now)
	shared := w.server.Seed("Shared.", "", w.now)
	shared.Reblog = true
	for name, p := range map[string]mission.Part{
		"the first part for the second": {Text: "Again.", Parent: &mission.Publication{PostID: first.ID}, CalledAt: w.now},
		"a reblog":                      {Text: "Shared.", CalledAt: w.now},
		"a longer text":                 {Text: "Again. And again.", CalledAt: w.now},
	} {
		if found, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || err != nil {
			t.Errorf("%s: found %+v (%v)", name, found, err)
		}
	}
}

func TestFindUnderAClockThatRunsFast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ours := w.server.Seed("Ours.", "", w.now.Add(-time.Second))
	for i := range 50 {
		w.server.Seed(fmt.Sprintf("Another's %d.", i), ours.ID, w.now)
	}
	p := part("Ours.", w.now.Add(30*24*time.Hour))
	before := w.server.Calls("GET /api/v1/accounts/" + mastodontest.AccountID + "/statuses")
	if _, ok, err := w.adapter.Find(t.Context(), w.creds, p); ok || err != nil {
		t.Errorf("found one on the second page (%v)", err)
	}
	if n := w.server.Calls("GET /api/v1/accounts/"+mastodontest.AccountID+"/statuses") - before; n != 1 {
		t.Errorf("%d pages were read", n)
	}
	recent := w.server.Seed("Ours.", "", w.now)
	if found, ok, err := w.adapter.Find(t.Context(), w.creds, p); !ok || err != nil || found.PostID != recent.ID {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
}

func TestMeasureAnOldServer(t *testing.T) {
	t.Parallel()
	for _, old := range []bool{true, false} {
		w := newWorld(t)
		w.server.Old, w.server.Bare = old, true
		w.server.Seed("One.", "", w.now).Figures = mission.Metrics{mission.Likes: 3, mission.Shares: 5}
		id, gone := w.server.Posts()[0].ID, "999"
		got, err := w.adapter.Measure(t.Context(), w.creds, []mission.Content{{ID: "a", PlatformPostID: &id}, {ID: "b", PlatformPostID: &gone}, {ID: "c"}})
		if err != nil || len(got) != 1 || len(got["a"]) != 2 || got["a"][mission.Likes] != 3 || got["a"][mission.Shares] != 5 {
			t.Errorf("old %t: got %v (%v)", old, got, err)
		}
	}
	a, creds := responding(t, http.StatusNotFound, nil, "<h1>This domain is for sale</h1>")
	id := "1"
	if _, err := a.Measure(t.Context(), creds, []mission.Content{{ID: "a", PlatformPostID: &id}}); err == nil {
		t.Error("a server that is gone has its posts deleted")
	}
	if got, err := a.Measure(t.Context(), creds, nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func TestMeasureLeavesOutTheThreadItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for replies, want := range map[float64]float64{0: 0, 1: 0, 4: 3} {
		p := w.server.Seed("One.", "", w.now)
		p.Figures = mission.Metrics{mission.Comments: replies}
		got, err := w.adapter.Measure(t.Context(), w.creds, []mission.Content{{ID: "a", Format: mission.FormatThread, PlatformPostID: &p.ID}})
		if err != nil || got["a"][mission.Comments] != want {
			t.Errorf("%v replies are %v (%v)", replies, got, err)
		}
	}
}

func TestAuthorize(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	requested := mission.Grant{Server: w.address, State: "st4te", Verifier: strings.Repeat("v3rif1er", 6), RedirectURL: "https://missiond.example/callback"}
	address, grant, err := w.adapter.Authorize(t.Context(), requested)
	if err != nil {
		t.Fatal(err)
	}
	if secret, website, ok := w.server.App(grant.ClientID); !ok || secret != grant.ClientSecret || website != "https://missiond.example" {
		t.Errorf("registered is %t, with the website %q", ok, website)
	}
	if strings.Contains(address, requested.Verifier) || strings.Contains(address, grant.ClientSecret) || !strings.HasPrefix(address, w.address+"/oauth/authorize?") {
		t.Errorf("the owner is sent to %s", address)
	}
	code := w.consent(address)
	stolen := grant
	stolen.Verifier = strings.Repeat("other", 10)
	if _, err := w.adapter.Exchange(t.Context(), stolen, code); !failed(t, err).Unauthorized || strings.Contains(err.Error(), code) {
		t.Errorf("another's code is exchanged: %v", err)
	}
	creds, err := w.adapter.Exchange(t.Context(), grant, w.consent(address))
	if err != nil {
		t.Fatal(err)
	}
	if creds.Server != w.address || creds.ClientID != grant.ClientID || creds.ClientSecret != grant.ClientSecret || strings.Join(creds.Scopes, " ") != "read:accounts read:statuses write:statuses" {
		t.Errorf("got credentials for %v", creds.Scopes)
	}
	if _, creds, err = w.adapter.Connect(t.Context(), creds); err != nil {
		t.Fatal(err)
	}
	p := part("Hello.", w.now)
	if _, err := w.adapter.Publish(t.Context(), creds, p); err != nil {
		t.Error(err)
	}
	if _, ok, err := w.adapter.Find(t.Context(), creds, p); !ok {
		t.Error(err)
	}
	id := w.server.Posts()[0].ID
	if got, err := w.adapter.Measure(t.Context(), creds, []mission.Content{{ID: "a", PlatformPostID: &id}}); len(got) != 1 {
		t.Error(err)
	}
}

// consent gives the owner's consent at an address, and returns the code.
func (w *world) consent(address string) string {
	w.t.Helper()
	resp, err := w.adapter.client.HTTP().Get(address)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || resp.StatusCode != http.StatusFound || back.Query().Get("state") != "st4te" {
		w.t.Fatalf("the owner can't consent: %s, %s, %v", resp.Status, back, err)
	}
	return back.Query().Get("code")
}

func TestExchangeFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		status  int
		body    string
		outcome mission.Outcome
		code    string
	}{
		{"a code that is over", 400, `{"error":"invalid_grant"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized},
		{"an application that is gone", 401, `{"error":"invalid_client"}`, mission.OutcomeNotAccepted, publisher.CodeUnavailable},
		{"another mistake", 400, `{"error":"invalid_request"}`, mission.OutcomeNotAccepted, publisher.CodeUnauthorized},
		{"too many calls", 429, `{"error":"Too many requests"}`, mission.OutcomeNotAccepted, publisher.CodeRateLimited},
		{"a server that fails", 503, `<html>`, mission.OutcomeNotAccepted, publisher.CodeUnavailable},
		{"another address", 302, ``, mission.OutcomeNotAccepted, publisher.CodeUnavailable},
		{"an error that is called good", 200, `{"error":"no"}`, mission.OutcomeNotAccepted, publisher.CodeUnavailable},
		{"no token", 200, `{"token_type":"Bearer"}`, mission.OutcomeNotAccepted, publisher.CodeMalformed},
		{"a page", 200, `<html>`, mission.OutcomeNotAccepted, publisher.CodeMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, creds := responding(t, c.status, http.Header{"Content-Type": {"application/json"}}, c.body)
			_, err := a.Exchange(t.Context(), mission.Grant{Server: creds.Server, ClientID: "id", ClientSecret: "secret", Verifier: "v"}, "code")
			if pe := failed(t, err); pe.Outcome != c.outcome || pe.Failure.Code != c.code {
				t.Errorf("got %+v", pe)
			}
		})
	}
	a := New(publisher.NewClient(http.DefaultClient, time.Now), Options{})
	_, err := a.Exchange(t.Context(), mission.Grant{Server: "http://127.0.0.1:1"}, "code")
	if pe := failed(t, err); pe.Outcome != mission.OutcomeNotAccepted || pe.Failure.Code != publisher.CodeUnreachable {
		t.Errorf("got %+v", pe)
	}
	if _, _, err := a.Authorize(t.Context(), mission.Grant{Server: "://"}); failed(t, err).Outcome != mission.OutcomeRefused {
		t.Errorf("got %v", err)
	}
}

func TestAuthorizeFails(t *testing.T) {
	t.Parallel()
	a, creds := responding(t, http.StatusOK, nil, `{"client_id":"x"}`)
	if _, _, err := a.Authorize(t.Context(), mission.Grant{Server: creds.Server}); failed(t, err).Failure.Code != publisher.CodeMalformed {
		t.Errorf("got %v", err)
	}
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`<p>One<br />two</p><p>three &amp; four</p>`:                                                    "One two three & four",
		`<p>Hi <span class="h-card"><a href="https://x.example/@ada">@<span>ada</span></a></span>!</p>`: "Hi @ada!",
		`Hi @ada@x.example. Bye`: "Hi @ada. Bye",
		`<a href="https://e.example/a"><span class="invisible">https://</span><span>e.example/a</span></a>`: "https://e.example/a",
		"<p>Cafe\u0301</p>":            "Café",
		`<p>&lt;b&gt;no&lt;/b&gt;</p>`: "<b>no</b>",
		``:                             "",
		`<p`:                           "",
	} {
		if got := plainText(content); got != want {
			t.Errorf("%s is %q, want %q", content, got, want)
		}
	}
}

// What is shown as HTML is known again, whatever it says.
func TestPlainTextKnowsItsText(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(
		rapid.SampledFrom([]string{"\n", "\n\n", " ", "#tag", "@ada@social.example", "https://example.com/a?b=1&c=2", "https://example.com/" + strings.Repeat("long/", 20), "<b>", "&amp;", "é", "👩‍👩‍👧", "'\""}),
		rapid.StringOf(rapid.RuneFrom([]rune("abc<>&\"'#/:. é世"))),
	)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(words, 0, 12).Draw(t, "words"), " ")
		if got := plainText(mastodontest.Markup(text)); got != normal(text) {
			t.Fatalf("%q is shown as %q and read as %q", text, mastodontest.Markup(text), got)
		}
	})
}

func FuzzPlainText(f *testing.F) {
	for _, seed := range []string{"", "<p>One<br>two &amp; three</p>", "<", "<script>&lt;", "&nGt;&#0;", "@a@b.c", "<p><a href='x", "\xff\x00<!--"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		got := plainText(content)
		// An entity may stand for twice its bytes, and NFC for three times those.
		if len(got) > 9*len(content) {
			t.Errorf("%d bytes became %d", len(content), len(got))
		}
		if utf8.ValidString(content) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", content, got)
		}
	})
}

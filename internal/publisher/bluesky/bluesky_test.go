package bluesky

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/publisher"
	"missiond/internal/publisher/bluesky/blueskytest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	t.Parallel()
	publishertest.Run(t, publishertest.Platform{
		Name: mission.Bluesky,
		New:  func(t *testing.T) publishertest.Stub { return blueskytest.New(t) },
		Adapter: func(address string, c publisher.Client) publisher.Adapter {
			return New(c, nil).WithVideoService(address)
		},
		Threads: true,
		Renews:  true,
		Public:  true,
	})
}

// world is a PDS on the network.
type world struct {
	t       *testing.T
	pds     *blueskytest.Stub
	adapter *Adapter
	address string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, pds: blueskytest.New(t)}
	h := httptest.NewServer(w.pds)
	t.Cleanup(h.Close)
	w.address, w.adapter = h.URL, New(publisher.NewClient(h.Client(), time.Now), nil)
	return w
}

func (w *world) connected() mission.Credentials {
	w.t.Helper()
	_, c, err := w.adapter.Connect(w.t.Context(), w.pds.Credentials(w.address))
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func part(text string) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_01k8x3p9z00000000000000001", Revision: 1, Text: text}, Text: text, CalledAt: time.Now()}
}

func failed(t *testing.T, err error) *mission.PublishError {
	t.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		t.Fatalf("the error %v is no PublishError", err)
	}
	return pe
}

func TestConnectKeepsTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, c, err := w.adapter.Connect(t.Context(), w.pds.Credentials(w.address))
	if err != nil {
		t.Fatal(err)
	}
	if want := (mission.Account{ID: blueskytest.DID, Handle: blueskytest.Handle, Name: blueskytest.Handle, URL: "https://bsky.app/profile/" + blueskytest.DID, AvatarURL: publishertest.Picture}); account != want {
		t.Errorf("the account is %+v", account)
	}
	if c.ExpiresAt == nil || c.ExpiresAt.Before(time.Now().Add(119*time.Minute)) || c.RefreshToken == "" || c.Password == "" {
		t.Errorf("kept is a session until %v", c.ExpiresAt)
	}
	_, again, err := w.adapter.Connect(t.Context(), c)
	if err != nil || again.AccessToken != c.AccessToken || again.RefreshToken != c.RefreshToken || !again.ExpiresAt.Equal(*c.ExpiresAt) {
		t.Errorf("a second time another session is kept (%v)", err)
	}
	if n := w.pds.Calls("com.atproto.server.createSession"); n != 1 {
		t.Errorf("signed in %d times", n)
	}
	w.pds.NoIndex = true
	if account, _, err = w.adapter.Connect(t.Context(), c); err != nil || account.AvatarURL != "" {
		t.Errorf("without the index: %+v, %v", account, err)
	}
}

func TestConnectGoesToTheAccountsServer(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://morel.host.example":         "https://morel.host.example",
		"https://morel.host.example/":        "https://morel.host.example",
		"http://10.0.0.1:2583":               "http://10.0.0.1:2583",
		"https://user:pass@morel.example":    "",
		"ftp://morel.host.example":           "",
		"//morel.host.example":               "",
		"/etc/passwd":                        "",
		"https://morel.host.example/a?b=c#d": "https://morel.host.example",
	} {
		w := newWorld(t)
		w.pds.Endpoint = endpoint
		c := w.connected()
		if want == "" {
			want = w.address
		}
		if c.Server != want {
			t.Errorf("%s: the server is %s, want %s", endpoint, c.Server, want)
		}
	}
	s := session{Document: []byte(`{"service":[{"id":"#atproto_pds","type":"AtprotoPersonalDataServer","serviceEndpoint":"http://plain.example"}]}`)}
	if got := s.server("https://bsky.social"); got != "" {
		t.Errorf("the token goes to %s", got)
	}
}

func TestConnectIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		refusal *blueskytest.Problem
		status  string
		says    string
	}{
		{"a second factor", &blueskytest.Problem{Name: "AuthFactorTokenRequired", Words: "A sign in code has been sent to your email address"}, "", "app password"},
		{"a takedown", &blueskytest.Problem{Name: "AccountTakedown", Words: "Account has been taken down"}, "", "taken down"},
		{"an account that is off", nil, "deactivated", "deactivated"},
		{"an account that is suspended", nil, "suspended", "suspended"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.pds.Refusal, w.pds.Status = c.refusal, c.status
			_, _, err := w.adapter.Connect(t.Context(), w.pds.Credentials(w.address))
			if pe := failed(t, err); !pe.Unauthorized || !strings.Contains(pe.Failure.Message, c.says) {
				t.Errorf("got %+v", pe)
			}
		})
	}
}

func TestRefreshFallsBackToThePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.connected()
	if _, err := w.adapter.Refresh(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if n := w.pds.Calls("com.atproto.server.createSession"); n != 1 {
		t.Errorf("signed in %d times while the session could be renewed", n)
	}
	w.pds.ExpireRenewal()
	c, err := w.adapter.Refresh(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.adapter.Publish(t.Context(), c, part("Hello.")); err != nil {
		t.Error(err)
	}
	old.Password = ""
	if _, err := w.adapter.Refresh(t.Context(), old); !failed(t, err).Unauthorized {
		t.Errorf("got %v", err)
	}
	if _, err := w.adapter.Refresh(t.Context(), mission.Credentials{Server: w.address}); !failed(t, err).Unauthorized {
		t.Errorf("got %v", err)
	}
	c.AccountID = "did:plc:another"
	if _, err := w.adapter.Refresh(t.Context(), c); !failed(t, err).Unauthorized {
		t.Errorf("another's account is kept: %v", err)
	}
	w.pds.Revoke()
	if _, err := w.adapter.Refresh(t.Context(), c); !failed(t, err).Unauthorized {
		t.Errorf("got %v", err)
	}
}

// A token may outlive its account, of which servers then have no good name for
// what is wrong.
func TestAnAccountIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connected()
	w.pds.Status = blueskytest.Gone
	if _, _, err := w.adapter.Connect(t.Context(), c); !failed(t, err).Unauthorized {
		t.Errorf("connect: got %v", err)
	}
	if _, err := w.adapter.Refresh(t.Context(), c); !failed(t, err).Unauthorized {
		t.Errorf("refresh: got %v", err)
	}
	_, err := w.adapter.Publish(t.Context(), c, part("Hello."))
	if pe := failed(t, err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted {
		t.Errorf("publish: got %+v", pe)
	}
}

// A server that is unavailable hasn't ended the session.
func TestRefreshKeepsASessionThatMayWork(t *testing.T) {
	t.Parallel()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		blueskytest.Refuse(w, http.StatusBadGateway, "ExpiredToken", "upstream")
	}))
	t.Cleanup(h.Close)
	a := New(publisher.NewClient(h.Client(), time.Now), nil)
	_, err := a.Refresh(t.Context(), mission.Credentials{Server: h.URL, RefreshToken: "r", Password: "p"})
	if pe := failed(t, err); pe.Unauthorized || pe.RetryAfter <= 0 {
		t.Errorf("got %+v", pe)
	}
}

func TestPublishMeetsAForeignRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, ours := w.connected(), part("Ours.")
	if _, err := w.adapter.Publish(t.Context(), c, part("Another's.")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := w.adapter.Find(t.Context(), c, ours); ok || err != nil {
		t.Errorf("found another's (%v)", err)
	}
	_, err := w.adapter.Publish(t.Context(), c, ours)
	if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused || pe.Failure.Code != publisher.CodeRefused {
		t.Errorf("got %+v", pe)
	}
}

// A record that differs in what isn't its text is the part all the same: a
// later release may find other links in it.
func TestPublishMeetsItsOwnRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, p := w.connected(), part("Ours.")
	one, err := w.adapter.Publish(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	p.CalledAt = p.CalledAt.Add(time.Hour)
	two, err := w.adapter.Publish(t.Context(), c, p)
	if err != nil || two != one {
		t.Errorf("got %+v (%v), want %+v", two, err, one)
	}
}

// A record names its language. A second call with another finds the first record.
func TestPublishNamesTheLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, p := w.connected(), part("Olá.")
	p.Presentation.Language = "pt-BR"
	one, err := w.adapter.Publish(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	h, ok, err := w.adapter.get(t.Context(), c, p)
	if err != nil || !ok || len(h.Value.Langs) != 1 || h.Value.Langs[0] != "pt-BR" {
		t.Errorf("the account has a record in %q (%v)", h.Value.Langs, err)
	}
	p.Presentation.Language = "es"
	if two, err := w.adapter.Publish(t.Context(), c, p); err != nil || two != one {
		t.Errorf("in another language got %+v (%v), want %+v", two, err, one)
	}
	if record := postOf(part("A"), nil); record.Langs != nil {
		t.Errorf("without a language the record is in %q", record.Langs)
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		status       int
		body         string
		outcome      mission.Outcome
		unauthorized bool
	}{
		{"a record that is refused", 400, `{"error":"InvalidRequest","message":"Invalid app.bsky.feed.post record"}`, mission.OutcomeRefused, false},
		{"a token that has ended", 400, `{"error":"ExpiredToken","message":"Token has expired"}`, mission.OutcomeNotAccepted, true},
		{"an account that is taken down", 401, `{"error":"AccountTakedown"}`, mission.OutcomeNotAccepted, true},
		{"an account that is gone", 403, `{"error":"AccountNotFound","message":"Account not found"}`, mission.OutcomeNotAccepted, true},
		{"another address", 302, `{"uri":"at://a/b/c","cid":"d"}`, mission.OutcomeRefused, false},
		{"a record without version", 200, `{"uri":"at://a/b/c"}`, mission.OutcomeUnknown, false},
		{"nothing", 204, ``, mission.OutcomeUnknown, false},
		{"a server that fails", 500, `{"error":"InternalServerError"}`, mission.OutcomeUnknown, false},
		{"a swap of what isn't there", 400, `{"error":"InvalidSwap"}`, mission.OutcomeUnknown, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			t.Cleanup(h.Close)
			a, creds := New(publisher.NewClient(h.Client(), time.Now), nil), mission.Credentials{Server: h.URL, AccessToken: "token", AccountID: blueskytest.DID}
			_, err := a.Publish(t.Context(), creds, part("Hello."))
			if pe := failed(t, err); pe.Outcome != c.outcome || pe.Unauthorized != c.unauthorized {
				t.Errorf("got %+v", pe)
			}
			_, _, err = a.Find(t.Context(), creds, part("Hello."))
			if pe := failed(t, err); pe.Outcome == mission.OutcomeRefused {
				t.Errorf("a look that is refused says of the post %+v", pe)
			}
			id := "at://a/b/c"
			if _, err := a.Measure(t.Context(), creds, []mission.Content{{ID: "a", PlatformPostID: &id}}); err == nil {
				t.Error("measured")
			}
		})
	}
}

func TestMeasureLeavesOutTheThreadItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connected()
	got, err := w.adapter.Publish(t.Context(), c, part("One."))
	if err != nil {
		t.Fatal(err)
	}
	for replies, want := range map[float64]float64{0: 0, 1: 0, 4: 3} {
		w.pds.React(got.PostID, mission.Metrics{mission.Comments: replies})
		m, err := w.adapter.Measure(t.Context(), c, []mission.Content{{ID: "a", Format: mission.FormatThread, PlatformPostID: &got.PostID}, {ID: "b"}})
		if err != nil || m["a"][mission.Comments] != want {
			t.Errorf("%v replies are %v (%v)", replies, m, err)
		}
	}
	if m, err := w.adapter.Measure(t.Context(), c, nil); err != nil || len(m) != 0 {
		t.Errorf("of nothing: %v, %v", m, err)
	}
}

func TestExpiryOfWhatIsNoToken(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"", "a.b", "a.!.c", "e30.e30.e30", "a.eyJleHAiOiJ4In0.c", "a.eyJleHAiOjk5OTk5OTk5OTk5OTk5OX0.c"} {
		if at := expiry(token); at != nil {
			t.Errorf("%q ends %s", token, at)
		}
	}
}

func TestRecordKey(t *testing.T) {
	t.Parallel()
	seen, last := map[string]bool{}, ""
	for i := range 6 {
		p := part("Hello.")
		p.Index = i
		key := recordKey(p)
		if !blueskytest.TIDs.MatchString(key) || seen[key] || key <= last {
			t.Errorf("part %d has the key %s, the one before %s", i, key, last)
		}
		p.CalledAt = p.CalledAt.Add(time.Hour)
		if recordKey(p) != key {
			t.Errorf("part %d has another key later", i)
		}
		seen[key], last = true, key
	}
	p := part("Hello.")
	p.Content.Revision = 2
	if seen[recordKey(p)] {
		t.Error("another revision has the key of the first")
	}
	// As the TypeScript library @atcute/tid writes it.
	if got := tid(1724171495793000<<10 | 512); got != "3l25zusnsfck2" {
		t.Errorf("a time of 2024 is %s", got)
	}
}

func TestRecordKeysOfOneMoment(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range 2000 {
		p := part("Hello.")
		p.Content.ID = fmt.Sprintf("cnt_01k8x3p9z0000000000000%04d", i)
		seen[recordKey(p)] = true
	}
	if len(seen) != 2000 {
		t.Errorf("2000 posts made at once have %d keys", len(seen))
	}
	p := part("Hello.")
	p.Content.ID = "foreign"
	if !blueskytest.TIDs.MatchString(recordKey(p)) {
		t.Error("the key of an id that is no ULID is no TID")
	}
}

func TestFacets(t *testing.T) {
	t.Parallel()
	accounts := map[string]string{"ada.bsky.social": "did:plc:ada", "bob.example.com": ""}
	for text, want := range map[string]string{
		"See https://example.com/a?b=1&c=2.":                          "https://example.com/a?b=1&c=2",
		"(see https://example.com/a)":                                 "https://example.com/a",
		"https://en.wikipedia.example/wiki/Go_(game)!":                "https://en.wikipedia.example/wiki/Go_(game)",
		"HTTPS://Example.com/ÄÖ und #Straße, #1, #2go":                "HTTPS://Example.com/ÄÖ|#Straße|#2go",
		"詳しくはhttps://example.com/about。次の文、https://example.com/b」":    "https://example.com/about|https://example.com/b",
		"**https://example.com/x** and [here](https://example.com/y)": "https://example.com/x|https://example.com/y",
		"example.com and www.example.co.uk/x?y, me@example.com":       "https://example.com|https://www.example.co.uk/x?y",
		"Docs: example.com/#pricing":                                  "https://example.com/#pricing",
		"#covid-19 ＃製品発表 #🎉 #n0n3s@n5e! #multi_trailing___...":        "#covid-19|#製品発表|#🎉|#n0n3s@n5e|#multi_trailing",
		"C# a#b ##c # # #1":                                           "##c",
		"(#tag) #one#two":                                             "#tag|#one#two",
		"@ada.bsky.social, (@Ada.bsky.social)":                        "@did:plc:ada|@did:plc:ada",
		"@bob.example.com @eve.example.com @ada@example.social":       "",
		"$aapl is up": "#$AAPL",
	} {
		var got []string
		fs := facets(text, accounts)
		for _, f := range fs {
			switch e := f.Features[0]; e.Type {
			case linkType:
				got = append(got, e.URI)
			case tagType:
				got = append(got, "#"+e.Tag)
			default:
				got = append(got, "@"+e.DID)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q has %q, want %s", text, got, want)
		}
		if err := blueskytest.CheckFacets(text, fs); err != nil {
			t.Error(err)
		}
	}
}

// A mention needs its account, which the server is asked for; without an answer it is
// plain text, and the post goes out all the same.
func TestMentions(t *testing.T) {
	t.Parallel()
	const did = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"
	many := ""
	for i := range maxLookups + 2 {
		many += fmt.Sprintf("@a%d.example.com ", i)
	}
	for _, c := range []struct {
		name, text string
		arrange    func(pds *blueskytest.Stub)
		want       string
		calls      int
	}{
		{"one, twice", "Thanks @ann.example.com! @Ann.example.com", nil, `["` + did + `","` + did + `"]`, 1},
		{"nobody's", "Thanks @bob.example.com!", nil, "[]", 1},
		{"no answer", "Thanks @ann.example.com!", func(pds *blueskytest.Stub) { pds.NoHandles = true }, "[]", 1},
		{"an answer without sense", "Thanks @ann.example.com!", func(pds *blueskytest.Stub) { pds.Handles["ann.example.com"] = "ann" }, "[]", 1},
		{"more than are looked up", many, nil, "[]", maxLookups},
		{"none", "ann@example.com #a https://example.com", nil, "[]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.pds.Handles = map[string]string{"ann.example.com": did}
			if c.arrange != nil {
				c.arrange(w.pds)
			}
			in := w.connected()
			if _, err := w.adapter.Publish(context.Background(), in, part(c.text)); err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, f := range facets(c.text, w.adapter.accounts(context.Background(), in, c.text)) {
				if did := f.Features[0].DID; did != "" {
					got = append(got, did)
				}
			}
			encoded, _ := json.Marshal(got)
			if n := w.pds.Calls("com.atproto.identity.resolveHandle"); string(encoded) != c.want || n != 2*c.calls {
				t.Errorf("it mentions %s after %d calls, want %s and %d", encoded, n, c.want, 2*c.calls)
			}
		})
	}
}

// Whatever surrounds them, links and tags are found where they are.
func TestFacetsAreTheirText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var want []string
		for range rapid.IntRange(0, 8).Draw(t, "pieces") {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				text.WriteString(rapid.StringOf(rapid.RuneFrom([]rune("aé世👩\u200d .,()'\n"))).Draw(t, "words"))
			case 1:
				want = append(want, "https://example.com/"+rapid.StringMatching(`[a-zé]{0,9}(\([a-z]\))?[/=a-z]{0,4}`).Draw(t, "link"))
				text.WriteString(" " + want[len(want)-1] + rapid.SampledFrom([]string{"", ".", "),", "…", "\n"}).Draw(t, "after"))
			default:
				want = append(want, "#"+rapid.StringMatching(`[0-9_]{0,2}[a-zé世][a-z0-9é世]{0,20}`).Draw(t, "tag"))
				text.WriteString(" " + want[len(want)-1])
			}
			text.WriteString(" ")
		}
		fs := facets(text.String(), nil)
		if err := blueskytest.CheckFacets(text.String(), fs); err != nil {
			t.Fatal(err)
		}
		if len(fs) != len(want) {
			t.Fatalf("%q has %+v, want %q", text.String(), fs, want)
		}
		for i, f := range fs {
			// A link's own last "?" is taken for the sentence's.
			if got := text.String()[f.Index.Start:f.Index.End]; strings.TrimRight(want[i], "?") != got && want[i] != got {
				t.Fatalf("%q has %q, want %q", text.String(), got, want[i])
			}
		}
	})
}

func FuzzFacets(f *testing.F) {
	for _, seed := range []string{"", "#tag https://example.com.", "https://[::1", "#\xff", "http://a(b)c)", "é#é https://é", "https://%zz", "##", "HTTP://x#y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			_ = facets(text, nil)
			return
		}
		if err := blueskytest.CheckFacets(text, facets(text, nil)); err != nil {
			t.Error(err)
		}
	})
}

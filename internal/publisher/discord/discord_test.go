package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/discord/discordtest"
	"missiond/mission"
)

// world is a stub with an adapter, connected.
type world struct {
	*testing.T

	stub    *discordtest.Stub
	adapter *Adapter
	creds   mission.Credentials
	now     time.Time
	log     bytes.Buffer
}

func newWorld(t *testing.T, set func(*discordtest.Stub)) *world {
	t.Helper()
	w := &world{T: t, stub: discordtest.New(), now: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)}
	w.stub.Now = func() time.Time { return w.now }
	set(w.stub)
	described(t, w.stub)
	h := httptest.NewServer(w.stub)
	t.Cleanup(h.Close)
	o := options(h.URL)
	o.Log = slog.New(slog.NewTextHandler(&w.log, nil))
	w.adapter = New(publisher.NewClient(h.Client(), func() time.Time { return w.now }), o)
	var err error
	if _, w.creds, err = w.adapter.Connect(t.Context(), w.stub.Credentials("")); err != nil {
		t.Fatal(err)
	}
	return w
}

func aBot(*discordtest.Stub)       {}
func aWebhook(s *discordtest.Stub) { s.Webhook = true }

func (w *world) part(text string) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_" + text[:1], Platform: mission.Discord, Revision: 1, Text: text}, Text: text, CalledAt: w.now}
}

func failed(t *testing.T, err error) *mission.PublishError {
	t.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		t.Fatalf("got %v", err)
	}
	return pe
}

// What credentials may be, and what they aren't sent to.
func TestPlaces(t *testing.T) {
	w := newWorld(t, aWebhook)
	token := w.creds.AccessToken[strings.LastIndex(w.creds.AccessToken, "/")+1:]
	for address, ok := range map[string]bool{
		w.creds.AccessToken: true, w.creds.AccessToken + "/": true,
		"https://canary.discord.com/api/v10/webhooks/" + discordtest.WebhookID + "/" + token:        true,
		"https://discordapp.com/api/webhooks/" + discordtest.WebhookID + "/" + token:                true,
		"https://discord.com.evil.example/api/webhooks/" + discordtest.WebhookID + "/" + token:      false,
		"https://evil.example/api/webhooks/" + discordtest.WebhookID + "/" + token:                  false,
		"http://discord.com/api/webhooks/" + discordtest.WebhookID + "/" + token:                    false,
		"discord.com/api/webhooks/" + discordtest.WebhookID + "/" + token:                           false,
		"https://a@discord.com/api/webhooks/" + discordtest.WebhookID + "/" + token:                 false,
		w.creds.AccessToken + "?thread_id=1":                                                        false,
		w.creds.AccessToken + "/github":                                                             false,
		"https://discord.com/api/webhooks/" + discordtest.WebhookID + "/../" + token:                false,
		"https://discord.com/api/webhooks/news/" + token:                                            false,
		"https://discord.com/api/webhooks/" + discordtest.WebhookID + "/%2e%2e/" + token + "#" + "": false,
	} {
		account, _, err := w.adapter.Connect(t.Context(), mission.Credentials{AccessToken: address})
		if ok {
			if err != nil || account.ID != discordtest.WebhookID || account.URL != "https://discord.com/channels/"+discordtest.GuildID+"/"+discordtest.ChannelID {
				t.Errorf("%s: got %+v, %v", address, account, err)
			}
			continue
		}
		if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused || strings.Contains(pe.Error(), token) {
			t.Errorf("%s: got %v", address, pe)
		}
	}
	bot := newWorld(t, aBot)
	if account, c, err := bot.adapter.Connect(t.Context(), bot.creds); err != nil || account.ID != mission.DiscordChannel+discordtest.ChannelID ||
		account.Name != "#news in Acme" || account.Handle != "acme-bot" || c.Group != discordtest.GuildID || len(c.Scopes) > 0 {
		t.Errorf("got %+v, %+v, %v", account, c.Scopes, err)
	}
	c := bot.creds
	for _, id := range []string{"", "news", "../@me", "channel:", strings.Repeat("1", 21)} {
		c.AccountID = id
		if _, _, err := bot.adapter.Connect(t.Context(), c); failed(t, err).Outcome != mission.OutcomeRefused {
			t.Errorf("%q: got %v", id, err)
		}
	}
	c.AccountID = "1"
	if _, _, err := bot.adapter.Connect(t.Context(), c); !failed(t, err).Unauthorized {
		t.Errorf("another channel: got %v", err)
	}
}

// Forums, and channels that aren't a server's, can't be connected; announcements are crossposted.
func TestChannels(t *testing.T) {
	for kind, words := range map[int]string{
		discordtest.Forum: "the channel is a forum", discordtest.DM: "isn't a text or announcement channel", discordtest.Category: "isn't a text or announcement channel",
	} {
		w := newWorld(t, aBot)
		w.stub.Channel = kind
		_, _, err := w.adapter.Connect(t.Context(), w.creds)
		if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused || !strings.Contains(pe.Failure.Message, words) {
			t.Errorf("channel %d: got %v", kind, err)
		}
	}
	w := newWorld(t, aWebhook)
	w.stub.Channel = discordtest.Forum // which a webhook isn't told
	_, err := w.adapter.Publish(t.Context(), w.creds, w.part("News"))
	if pe := failed(t, err); !pe.Unauthorized || pe.Outcome != mission.OutcomeNotAccepted || !strings.Contains(pe.Failure.Message, "the channel is a forum") {
		t.Errorf("a webhook in a forum: got %v", err)
	}
}

func TestCrossposts(t *testing.T) {
	w := newWorld(t, func(s *discordtest.Stub) { s.Channel = discordtest.Announcement })
	one, err := w.adapter.Publish(t.Context(), w.creds, w.part("One"))
	if got := w.stub.Crossposted(); err != nil || len(got) != 1 || got[0] != one.PostID || w.log.Len() > 0 {
		t.Fatalf("got %+v, %v, crossposted %v: %s", one, err, got, &w.log)
	}
	// It is out, whatever becomes of its crosspost, which a lookup makes up for.
	w.stub.NoCrossposts = true
	two, err := w.adapter.Publish(t.Context(), w.creds, w.part("Two"))
	if err != nil || two.PostID == "" || len(w.stub.Crossposted()) != 1 {
		t.Fatalf("got %+v, %v", two, err)
	}
	if line := w.log.String(); !strings.Contains(line, "level=WARN") || !strings.Contains(line, two.PostID) || !strings.Contains(line, "Missing Permissions") || strings.Contains(line, w.creds.AccessToken) {
		t.Errorf("the log has %q", line)
	}
	w.stub.NoCrossposts = false
	for range 2 {
		if found, ok, err := w.adapter.Find(t.Context(), w.creds, w.part("Two")); err != nil || !ok || found.PostID != two.PostID || len(w.stub.Crossposted()) != 2 {
			t.Errorf("found %+v, %t, %v, crossposted %v", found, ok, err, w.stub.Crossposted())
		}
	}
	hook := newWorld(t, func(s *discordtest.Stub) { s.Webhook, s.Channel = true, discordtest.Announcement })
	if _, err := hook.adapter.Publish(t.Context(), hook.creds, hook.part("Three")); err != nil || len(hook.stub.Crossposted()) > 0 {
		t.Errorf("a webhook: %v, crossposted %v", err, hook.stub.Crossposted())
	}
}

// A nonce has a repeat return the first message, for a few minutes only.
func TestNonces(t *testing.T) {
	w := newWorld(t, aBot)
	p := w.part("Once")
	if n := nonceOf(p); len(n) == 0 || len(n) > 25 || n == nonceOf(w.part("Twice")) {
		t.Errorf("the nonce is %q", n)
	}
	one, err := w.adapter.Publish(t.Context(), w.creds, p)
	if err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Minute)
	if two, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || two != one {
		t.Errorf("a minute later: got %+v, %v; want %+v", two, err, one)
	}
	w.now = w.now.Add(time.Hour)
	if two, err := w.adapter.Publish(t.Context(), w.creds, p); err != nil || two.PostID == one.PostID || len(w.stub.Posts()) != 2 {
		t.Errorf("an hour later: got %+v, %v", two, err)
	}
}

func TestFind(t *testing.T) {
	find := func(w *world, p mission.Part) string {
		found, ok, err := w.adapter.Find(t.Context(), w.creds, p)
		switch {
		case errors.Is(err, mission.ErrInconclusive):
			return "inconclusive"
		case err != nil:
			pe := failed(t, err)
			return string(pe.Outcome) + map[bool]string{true: " unauthorized"}[pe.Unauthorized]
		case !ok:
			return "absent"
		}
		return found.PostID
	}
	for name, tt := range map[string]struct {
		set  func(w *world)
		want string
	}{
		"nothing new":                       {func(*world) {}, "absent"},
		"nothing at all":                    {func(w *world) { w.stub.Empty() }, "inconclusive"},
		"no permission, and an empty list":  {func(w *world) { w.stub.NoHistory = true }, "inconclusive"},
		"no permission, which is said":      {func(w *world) { w.stub.Handle = refusing("GET /messages", 403, 50013, "Missing Permissions") }, "inconclusive"},
		"a channel that it no longer sees":  {func(w *world) { w.stub.Forbids = true }, "not_accepted unauthorized"},
		"somebody else's":                   {func(w *world) { w.stub.Say(w.now, discordtest.OtherID, "Wanted") }, "absent"},
		"an old one of the same text":       {func(w *world) { w.stub.Say(w.now.Add(-time.Hour), discordtest.BotID, "Wanted") }, "absent"},
		"the text with a file":              {func(w *world) { w.post("Wanted", 1) }, "absent"},
		"it, with white space that is lost": {func(w *world) { w.stub.Say(w.now.Add(time.Second), discordtest.BotID, "Wanted\n") }, "it"},
		"it, behind 350 others": {func(w *world) {
			w.others(350)
			w.stub.Say(w.now, discordtest.BotID, "Wanted")
		}, "it"},
		"350 others":   {func(w *world) { w.others(350) }, "absent"},
		"1,000 others": {func(w *world) { w.others(1000) }, "unknown"},
		"a clock that runs fast": {func(w *world) {
			w.stub.Say(w.now, discordtest.BotID, "Wanted")
			w.now = w.now.Add(-time.Hour)
		}, "it"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, aBot)
			p := w.part("Wanted")
			tt.set(w)
			want := tt.want
			if posts := w.stub.Posts(); want == "it" {
				want = posts[len(posts)-1].ID
			}
			if got := find(w, p); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	// Where nonces are shown, another one of the same text is told apart.
	w := newWorld(t, func(s *discordtest.Stub) { s.ShowsNonces = true })
	if _, err := w.adapter.Publish(t.Context(), w.creds, w.part("Wanted")); err != nil {
		t.Fatal(err)
	}
	other := w.part("Wanted")
	other.Content.ID = "cnt_other"
	if got := find(w, other); got != "absent" {
		t.Errorf("another post of the text: got %s", got)
	}
}

func (w *world) others(n int) {
	for i := range n {
		w.stub.Say(w.now.Add(time.Duration(i)*time.Millisecond), discordtest.OtherID, fmt.Sprint("Other ", i))
	}
}

// post posts a text with pictures by the adapter.
func (w *world) post(text string, files ...int) mission.Publication {
	w.Helper()
	p := w.part(text)
	p.Content.ID += "files"
	for _, size := range files {
		p.Media = append(p.Media, picture(size))
	}
	got, err := w.adapter.Publish(w.Context(), w.creds, p)
	if err != nil {
		w.Fatal(err)
	}
	return got
}

func picture(size int) mission.PartFile {
	return mission.PartFile{File: mission.File{
		PostMedia: mission.PostMedia{Bytes: int64(size), ContentType: mission.TypePNG},
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(make([]byte, size))), nil
		},
	}}
}

// refusing handles the requests to a path's end with an error of Discord.
func refusing(what string, status, code int, message string) func(http.ResponseWriter, *http.Request) bool {
	method, end, _ := strings.Cut(what, " ")
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != method || !strings.HasSuffix(r.URL.Path, end) {
			return false
		}
		discordtest.Refuse(w, status, code, message)
		return true
	}
}

// Files are bounded on both sides, and as many pictures as the service allows fit in a message.
func TestFileLimits(t *testing.T) {
	const most, request = 10 << 20, 25 << 20
	w := newWorld(t, aBot)
	w.post("As large as can be", most)
	larger := w.part("Larger")
	larger.Media = []mission.PartFile{picture(most + 1)}
	_, err := w.adapter.Publish(t.Context(), w.creds, larger)
	if pe := failed(t, err); pe.Outcome != mission.OutcomeRefused || !strings.Contains(pe.Failure.Message, "Request entity too large") {
		t.Errorf("a larger file: got %v", err)
	}
	rules, _ := mission.CapabilitiesOf(mission.Discord)
	m := rules.Media
	if m.Animation.MaxBytes != most || m.Video.MaxBytes != most {
		t.Errorf("the bounds are %d and %d", m.Animation.MaxBytes, m.Video.MaxBytes)
	}
	sizes := make([]int, m.Images)
	for i := range sizes {
		sizes[i] = int(m.Image.MaxBytes)
	}
	w.post(strings.Repeat("😀", rules.MaxLength), sizes...)
	many := w.part("Three")
	many.Media = []mission.PartFile{picture(most), picture(most), picture(request - 2*most)}
	if _, err = w.adapter.Publish(t.Context(), w.creds, many); failed(t, err).Outcome != mission.OutcomeRefused {
		t.Errorf("a larger message: got %v", err)
	}
	if n := len(w.stub.Posts()); n != 2 {
		t.Errorf("there are %d messages", n)
	}
}

// What Discord drops of a text isn't somebody's change.
func TestRead(t *testing.T) {
	w := newWorld(t, aWebhook)
	got := w.post("A text")
	c := mission.Content{ID: "cnt_1", Text: "A text, of which something was dropped", Published: []mission.Publication{got}, PlatformPostID: &got.PostID}
	if shown, err := w.adapter.Read(t.Context(), w.creds, []mission.Content{c}); err != nil || len(shown) > 0 {
		t.Errorf("got %+v, %v", shown, err)
	}
	w.stub.Edit(got.PostID, "Another")
	if shown, err := w.adapter.Read(t.Context(), w.creds, []mission.Content{c}); err != nil || len(shown["cnt_1"]) != 1 || shown["cnt_1"][0].Same || shown["cnt_1"][0].Text != "Another" {
		t.Errorf("edited: got %+v, %v", shown, err)
	}
}

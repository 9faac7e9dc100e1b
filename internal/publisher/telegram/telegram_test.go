package telegram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/publisher/router"
	"missiond/internal/publisher/telegram/telegramtest"
	"missiond/internal/tracing"
	"missiond/mission"
)

// played returns a stub, and an adapter that calls it.
func played(t *testing.T) (*telegramtest.Stub, *Adapter) {
	t.Helper()
	stub := telegramtest.New()
	server := httptest.NewServer(stub)
	t.Cleanup(server.Close)
	return stub, New(publisher.NewClient(server.Client(), time.Now), Options{BaseURL: server.URL})
}

func connected(t *testing.T, s *telegramtest.Stub, a *Adapter) mission.Credentials {
	t.Helper()
	_, c, err := a.Connect(t.Context(), s.Credentials(""))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func failed(t *testing.T, err error) *mission.PublishError {
	t.Helper()
	var pe *mission.PublishError
	if !errors.As(err, &pe) {
		t.Fatalf("got %v", err)
	}
	return pe
}

// What can't be connected is refused with the field that is wrong: the bot's token, or the channel.
func TestConnectNamesTheField(t *testing.T) {
	const token, channel = "", "account"
	for name, tt := range map[string]struct {
		set   func(s *telegramtest.Stub, c *mission.Credentials)
		param string
		words string
	}{
		"no token at all":         {func(_ *telegramtest.Stub, c *mission.Credentials) { c.AccessToken = "x/../getMe" }, token, "has the form"},
		"a malformed token":       {func(_ *telegramtest.Stub, c *mission.Credentials) { c.AccessToken = "1:short" }, token, "credentials"},
		"a token of nobody":       {func(s *telegramtest.Stub, _ *mission.Credentials) { s.Expire() }, token, "credentials"},
		"no channel":              {func(_ *telegramtest.Stub, c *mission.Credentials) { c.AccountID = "acme" }, channel, "@acme"},
		"a person's id":           {func(_ *telegramtest.Stub, c *mission.Credentials) { c.AccountID = "12345" }, channel, "-100"},
		"another channel":         {func(_ *telegramtest.Stub, c *mission.Credentials) { c.AccountID = "@nobody_is_here" }, channel, "no access"},
		"a group":                 {func(s *telegramtest.Stub, _ *mission.Credentials) { s.Type = "supergroup" }, channel, "supergroup"},
		"a bot that left":         {func(s *telegramtest.Stub, _ *mission.Credentials) { s.Status = "left" }, channel, "administrator"},
		"a bot that is a member":  {func(s *telegramtest.Stub, _ *mission.Credentials) { s.Status = "member" }, channel, "administrator"},
		"a bot that may not post": {func(s *telegramtest.Stub, _ *mission.Credentials) { s.MayPost = false }, channel, "may post"},
	} {
		s, a := played(t)
		c := s.Credentials("")
		tt.set(s, &c)
		_, _, err := a.Connect(t.Context(), c)
		if pe := failed(t, err); !pe.Unauthorized || pe.Param != tt.param || !strings.Contains(pe.Failure.Message, tt.words) {
			t.Errorf("%s: got %+v", name, pe)
		}
	}
}

// A channel is known by its id from then on; a private one has no name, and its messages have addresses for its
// members.
func TestChannels(t *testing.T) {
	for _, private := range []bool{false, true} {
		s, a := played(t)
		s.Private = private
		account, c, err := a.Connect(t.Context(), s.Credentials(""))
		want := mission.Account{ID: strconv.Itoa(telegramtest.ChannelID), Name: "Acme & Co.", Handle: telegramtest.Channel, URL: "https://t.me/" + telegramtest.Channel}
		address := want.URL + "/"
		if private {
			want.Handle, want.URL, address = "", "", "https://t.me/c/1234567890/"
		}
		if err != nil || account != want || c.AccountID != want.ID {
			t.Errorf("got %+v, %v", account, err)
		}
		p, err := a.Publish(t.Context(), c, mission.Part{Text: "A post"})
		if err != nil || p.URL != address+p.PostID {
			t.Errorf("got %+v, %v", p, err)
		}
	}
}

// Each error of the API, as it is documented or known, means what it should.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		status       int
		body         string
		outcome      mission.Outcome
		unauthorized bool
		wait         time.Duration
	}{
		{400, "Bad Request: message is too long", mission.OutcomeRefused, false, 0},
		{400, "Bad Request: message caption is too long", mission.OutcomeRefused, false, 0},
		{400, "Bad Request: wrong type of the web page content", mission.OutcomeRefused, false, 0},
		{400, "Bad Request: PHOTO_INVALID_DIMENSIONS", mission.OutcomeRefused, false, 0},
		{400, "Bad Request: message to be replied not found", mission.OutcomeRefused, false, 0},
		{400, "Bad Request: chat not found", mission.OutcomeNotAccepted, true, 0},
		{400, "Bad Request: need administrator rights in the channel chat", mission.OutcomeNotAccepted, true, 0},
		{400, "Bad Request: not enough rights to send text messages to the chat", mission.OutcomeNotAccepted, true, 0},
		{401, "Unauthorized", mission.OutcomeNotAccepted, true, 0},
		{403, "Forbidden: bot was kicked from the channel chat", mission.OutcomeNotAccepted, true, 0},
		{403, "Forbidden: bot is not a member of the channel chat", mission.OutcomeNotAccepted, true, 0},
		{404, "Not Found", mission.OutcomeNotAccepted, true, 0},
		{413, "Request Entity Too Large", mission.OutcomeRefused, false, 0},
		{429, `Too Many Requests: retry after 35","parameters":{"retry_after":35},"x":"`, mission.OutcomeNotAccepted, false, 35 * time.Second},
		{429, "Too Many Requests", mission.OutcomeNotAccepted, false, 5 * time.Minute},
		{400, `Bad Request: group chat was upgraded to a supergroup chat","parameters":{"migrate_to_chat_id":-1009},"x":"`, mission.OutcomeNotAccepted, true, 0},
		{500, "Internal Server Error", mission.OutcomeUnknown, false, time.Minute},
		{502, "Bad Gateway", mission.OutcomeUnknown, false, time.Minute},
		{200, `no","x":"`, mission.OutcomeUnknown, false, 0},
	} {
		s, a := played(t)
		c := connected(t, s, a)
		s.Handle = func(w http.ResponseWriter, _ string) bool {
			w.WriteHeader(tt.status)
			_, _ = fmt.Fprintf(w, `{"ok":false,"error_code":%d,"description":"%s"}`, tt.status, tt.body)
			return true
		}
		_, err := a.Publish(t.Context(), c, mission.Part{Text: "A post"})
		pe := failed(t, err)
		if pe.Outcome != tt.outcome || pe.Unauthorized != tt.unauthorized || pe.Forbidden != (tt.status == http.StatusForbidden) || pe.RetryAfter != tt.wait {
			t.Errorf("%d %s: got %+v", tt.status, tt.body, pe)
		}
		if strings.Contains(tt.body, "migrate") && !strings.Contains(pe.Failure.Message, "-1009") {
			t.Errorf("the new chat isn't named: %s", pe.Failure.Message)
		}
	}
}

// file returns a file of a kind with its bytes.
func file(k mission.MediaKind, kind, content string) mission.PartFile {
	f := mission.File{
		PostMedia: mission.PostMedia{Kind: k, ContentType: kind, Bytes: int64(len(content)), Hash: content, Width: 640, Height: 480, AltText: "unsent"},
		Open:      func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil },
	}
	if k == mission.MediaVideo {
		f.Duration = 9500 * time.Millisecond
	}
	return mission.PartFile{File: f, Upload: publisher.Carried(f, mission.Upload{Hash: content})}
}

// Pictures and videos are an album together, whose first message is the post, with the text as its caption; the
// next part replies to it. A GIF is sent alone.
func TestFiles(t *testing.T) {
	s, a := played(t)
	c := connected(t, s, a)
	image, video := file(mission.MediaImage, mission.TypePNG, "one"), file(mission.MediaVideo, mission.TypeMP4, "two")
	album, err := a.Publish(t.Context(), c, mission.Part{Text: "An album", Media: []mission.PartFile{image, video, image}})
	if err != nil {
		t.Fatal(err)
	}
	gif, err := a.Publish(t.Context(), c, mission.Part{Text: "A GIF", Parent: &album, Media: []mission.PartFile{file(mission.MediaAnimation, mission.TypeGIF, "gif")}})
	if err != nil {
		t.Fatal(err)
	}
	posts := s.Posts()
	if len(posts) != 2 || posts[0].ID != album.PostID || posts[0].Text != "An album" || posts[1].Parent != album.PostID || posts[1].ID != gif.PostID {
		t.Errorf("got %+v", posts)
	}
	if got := bytes.Join(s.Media(album.PostID), []byte(" ")); string(got) != "one two one" {
		t.Errorf("got the files %q", got)
	}
}

// A caption has 1,024 characters at most, which the service knows, and Telegram too.
func TestCaption(t *testing.T) {
	s, a := played(t)
	c := connected(t, s, a)
	caps, _ := mission.CapabilitiesOf(mission.Telegram)
	for most, n := range map[int]int{caps.MaxCaption(): 1, caps.MaxLength: 0} {
		media := []mission.PartFile{file(mission.MediaImage, mission.TypeJPEG, "one")}[:n]
		for over := range 2 {
			_, err := a.Publish(t.Context(), c, mission.Part{Text: strings.Repeat("é", most+over), Media: media})
			if refused := err != nil; refused != (over == 1) {
				t.Errorf("%d characters with %d files: %v", most+over, n, err)
			}
		}
	}
}

// vault has the credentials of a bot.
type vault mission.Credentials

// With implements [router.Vault].
func (v vault) With(_ context.Context, _ mission.Integration, do func(mission.Credentials) error) error {
	return do(mission.Credentials(v))
}

// The token is in the address of each call, and in no log, span or error, whatever happens to the call.
func TestTokenIsSeenNowhere(t *testing.T) {
	var logged bytes.Buffer
	spans := tracetest.NewSpanRecorder()
	provider := sdk.NewTracerProvider(sdk.WithSampler(sdk.AlwaysSample()), sdk.WithSpanProcessor(spans))
	ctx, root := tracing.New(provider, false).Request(t.Context(), httptest.NewRequest(http.MethodGet, "/", nil))
	const token = "1:c2VjcmV0"
	through := mission.Integration{ID: "int_1", Platform: mission.Telegram}
	const limit = 200 * time.Millisecond
	client := publisher.NewClient(outbound.Rules{Local: true}.Client(outbound.Options{Call: limit, Connect: limit, Wait: limit, Header: 1 << 10, Body: 1 << 20}), time.Now)
	for name, h := range map[string]http.HandlerFunc{
		"echoes": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, `{"description":"`+r.URL.Path+`"}`, http.StatusBadRequest)
		},
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere"+r.URL.Path, http.StatusFound)
		},
		"cuts": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"waits": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // or the server doesn't notice that the client has left
			<-r.Context().Done()
		},
		"is down": nil,
	} {
		server := httptest.NewUnstartedServer(h)
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		server.Start()
		if h == nil {
			server.Close()
		}
		for _, base := range []string{server.URL, "http://bad host"} {
			r := router.New(vault{AccessToken: token, AccountID: "-1001"}, map[mission.Platform]publisher.Adapter{
				mission.Telegram: publisher.Bounded(New(client, Options{BaseURL: base})),
			}, nil, slog.New(slog.NewTextHandler(&logged, nil)))
			for _, media := range [][]mission.PartFile{nil, {file(mission.MediaImage, mission.TypePNG, "one")}} {
				_, err := r.Publish(ctx, &through, mission.Part{Text: "A post", Media: media})
				if pe := failed(t, err); strings.Contains(fmt.Sprintf("%+v %v", pe, err), "c2VjcmV0") {
					t.Errorf("%s: the error is %v", name, err)
				}
			}
		}
		server.Close()
	}
	root.End()
	var traced strings.Builder
	for _, s := range spans.Ended() {
		_, _ = fmt.Fprintf(&traced, "%s %v %v %v\n", s.Name(), s.Attributes(), s.Events(), s.Status())
	}
	if strings.Contains(logged.String()+traced.String(), "c2VjcmV0") {
		t.Errorf("got the log\n%s\nand the spans\n%s", logged.String(), traced.String())
	}
	if len(spans.Ended()) < 10 || strings.Count(logged.String(), "\n") < 10 {
		t.Errorf("only %d spans, and the log\n%s", len(spans.Ended()), logged.String())
	}
}

package publisher_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"missiond/internal/publisher"
	"missiond/mission"
)

// hostile is a platform whose words are whoever runs its server's.
type hostile struct {
	publisher.Authorizer

	account mission.Account
	c       mission.Credentials
	taken   mission.Publication
	address string
	upload  mission.Upload

	audience mission.Audience
	measured map[string]mission.Metrics
}

func (h hostile) Measure(context.Context, mission.Credentials, []mission.Content) (map[string]mission.Metrics, error) {
	return h.measured, errors.New("and then an error")
}

func (h hostile) Upload(context.Context, mission.Credentials, mission.File, mission.Upload) (mission.Upload, error) {
	return h.upload, nil
}

func (h hostile) Connect(context.Context, mission.Credentials) (mission.Account, mission.Credentials, error) {
	return h.account, h.c, nil
}

func (h hostile) Refresh(context.Context, mission.Credentials) (mission.Credentials, error) {
	return h.c, nil
}

func (h hostile) Exchange(context.Context, mission.Grant, string) (mission.Credentials, error) {
	return h.c, nil
}

func (h hostile) Authorize(_ context.Context, g mission.Grant) (string, mission.Grant, error) {
	return h.address, g, nil
}

func (h hostile) Publish(context.Context, mission.Credentials, mission.Part) (mission.Publication, error) {
	return h.taken, nil
}

func (h hostile) Find(context.Context, mission.Credentials, mission.Part) (mission.Publication, bool, error) {
	return h.taken, true, nil
}

func malformed(err error) bool {
	var pe *mission.PublishError
	return errors.As(err, &pe) && pe.Failure.Code == publisher.CodeMalformed
}

// Names are cut and cleaned; what names something must be sound as it is.
func TestBoundedAccounts(t *testing.T) {
	long, ctx := strings.Repeat("ä", 100_000), context.Background()
	sound := mission.Account{ID: "1", Handle: "acme@social.example", Name: "Acme", URL: "https://social.example/@acme"}
	for _, name := range []string{long, "Acme\x00", "\u202eemcA", "A\u200bc\u200fme", "Ac\xff\xfeme", "A\r\nBcc: x@y", "\U000e0041cme", "  Acme  "} {
		h := hostile{account: sound}
		h.account.Name = name
		got, _, err := publisher.Bounded(h).Connect(ctx, mission.Credentials{})
		if err != nil || utf8.RuneCountInString(got.Name) > 200 || strings.ContainsAny(got.Name, "\x00\u202e\u200b\u200f\r\n\ufffd\U000e0041") || strings.TrimSpace(got.Name) != got.Name {
			t.Errorf("the name %.20q is kept as %.40q, %v", name, got.Name, err)
		}
	}
	for name, change := range map[string]func(a *mission.Account){
		"no id":                    func(a *mission.Account) { a.ID = "" },
		"a long id":                func(a *mission.Account) { a.ID = long },
		"an id with NUL":           func(a *mission.Account) { a.ID = "1\x00" },
		"a long handle":            func(a *mission.Account) { a.Handle = long },
		"a handle that turns":      func(a *mission.Account) { a.Handle = "acme\u202e" },
		"a handle of two lines":    func(a *mission.Account) { a.Handle = "acme\nx" },
		"a long address":           func(a *mission.Account) { a.URL = "https://x/" + long },
		"an address with controls": func(a *mission.Account) { a.URL = "https://x/\x1b[31m" },
	} {
		h := hostile{account: sound}
		change(&h.account)
		if got, _, err := publisher.Bounded(h).Connect(ctx, mission.Credentials{}); !malformed(err) || got != (mission.Account{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Figures of posts that can't be true are none.
func TestBoundedMeasure(t *testing.T) {
	h := hostile{measured: map[string]mission.Metrics{
		"1": {mission.Likes: 0, mission.Shares: mission.MaxFigure, mission.Comments: -1, mission.Clicks: 1e300, mission.Views: math.NaN(), mission.Reach: math.Inf(1)}, "2": nil,
	}}
	got, err := publisher.Bounded(h).Measure(t.Context(), mission.Credentials{}, nil)
	if want := (mission.Metrics{mission.Likes: 0, mission.Shares: mission.MaxFigure}); err == nil || len(got) != 2 || !maps.Equal(got["1"], want) || len(got["2"]) > 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// A picture that browsers mustn't load is none.
func TestBoundedPictures(t *testing.T) {
	for _, c := range []struct {
		address, server string
		kept            bool
	}{
		{"https://pictures.example/a.png?b=c", "", true},
		{"http://pictures.example/a.png", "https://social.example", false},
		{"http://127.0.0.1/a.png", "http://127.0.0.1", true},
		{"javascript:alert(1)", "http://127.0.0.1", false},
		{"data:image/svg+xml,<svg/>", "", false},
		{"//pictures.example/a.png", "", false},
		{"https:a.png", "", false},
		{"https://u:p@pictures.example/a.png", "", false},
		{"https://pictures.example/\u202egnp.a", "", false},
		{"https://pictures.example/" + strings.Repeat("a", 3000), "", false},
		{"", "", false},
	} {
		h := hostile{account: mission.Account{ID: "1", AvatarURL: c.address}, c: mission.Credentials{Server: c.server}}
		got, _, err := publisher.Bounded(h).Connect(context.Background(), mission.Credentials{})
		if want := map[bool]string{true: c.address}[c.kept]; err != nil || got.AvatarURL != want {
			t.Errorf("%.60q from %q is kept as %.60q, %v", c.address, c.server, got.AvatarURL, err)
		}
	}
}

func TestBoundedRest(t *testing.T) {
	long, ctx := strings.Repeat("x", 100_000), context.Background()
	for name, c := range map[string]mission.Credentials{
		"a long token": {AccessToken: long}, "a token with NUL": {AccessToken: "a\x00"}, "a long refresh token": {RefreshToken: long},
		"a long scope": {Scopes: []string{long}}, "a scope that turns": {Scopes: []string{"a\u202e"}},
	} {
		b := publisher.Bounded(hostile{c: c, account: mission.Account{ID: "1"}}).(publisher.Authorizer)
		_, _, connect := b.Connect(ctx, c)
		_, refresh := b.Refresh(ctx, c)
		_, exchange := b.Exchange(ctx, mission.Grant{}, "code")
		if !malformed(connect) || !malformed(refresh) || !malformed(exchange) {
			t.Errorf("%s: %v, %v, %v", name, connect, refresh, exchange)
		}
	}
	for _, id := range []string{"", long, "1\x00", "1\u202e"} {
		b := publisher.Bounded(hostile{taken: mission.Publication{PostID: id}})
		_, publish := b.Publish(ctx, mission.Credentials{}, mission.Part{})
		_, found, find := b.Find(ctx, mission.Credentials{}, mission.Part{})
		if !malformed(publish) || !malformed(find) || found {
			t.Errorf("the id %.10q: %v, %v", id, publish, find)
		}
	}
	b := publisher.Bounded(hostile{taken: mission.Publication{PostID: "1", URL: "https://x/" + long}, address: "https://x/" + long}).(publisher.Authorizer)
	if got, err := b.Publish(ctx, mission.Credentials{}, mission.Part{}); err != nil || got.PostID != "1" || got.URL != "" {
		t.Errorf("a post with a long address is %.40v, %v", got, err)
	}
	if _, _, err := b.Authorize(ctx, mission.Grant{}); !malformed(err) {
		t.Errorf("a long address to consent at: %v", err)
	}
}

// What a platform says of an upload is stored, and used in the next call.
func TestBoundedUploads(t *testing.T) {
	long, ctx := strings.Repeat("x", 100_000), context.Background()
	up := func(u mission.Upload) (mission.Upload, error) {
		return publisher.Bounded(hostile{upload: u}).(publisher.Uploader).Upload(ctx, mission.Credentials{}, mission.File{}, mission.Upload{})
	}
	for name, u := range map[string]mission.Upload{
		"no id": {}, "a long id": {ID: long}, "an id with NUL": {ID: "1\x00"}, "a long address": {ID: "1", Address: long},
		"an address that turns": {ID: "1", Address: "https://x/\u202e"}, "a long tag": {ID: "1", Tags: []string{"a", long}},
		"many tags": {ID: "1", Tags: make([]string, 1000)}, "a long later address": {ID: "1", Later: []string{long}}, "a long token": {ID: "1", Token: long},
	} {
		if got, err := up(u); !malformed(err) || got.ID != "" {
			t.Errorf("%s: %.80v, %v", name, got, err)
		}
	}
	for wait, want := range map[time.Duration]time.Duration{-time.Hour: 0, time.Minute: time.Minute, 1000 * time.Hour: 24 * time.Hour} {
		if got, err := up(mission.Upload{ID: "1", Wait: wait}); err != nil || got.Wait != want {
			t.Errorf("a wait of %s is %s, %v", wait, got.Wait, err)
		}
	}
	var pe *mission.PublishError
	_, err := publisher.Bounded(struct{ publisher.Adapter }{}).(publisher.Uploader).Upload(ctx, mission.Credentials{}, mission.File{}, mission.Upload{})
	if !errors.As(err, &pe) || pe.Outcome != mission.OutcomeRefused {
		t.Errorf("a platform without files: %v", err)
	}
}

// Audience implements [publisher.Audiences].
func (h hostile) Audience(context.Context, mission.Credentials, string) (mission.Audience, error) {
	return h.audience, nil
}

// Figures that can't be true are left out, and a platform that reports none has none.
func TestBoundedAudience(t *testing.T) {
	negative, huge, fine := int64(-1), int64(1)<<62, int64(7)
	days := []mission.DayFigures{{Date: "2026-03-02", AccountFigures: mission.AccountFigures{Reach: &huge}}, {Date: "tomorrow"}}
	for n := range 5000 {
		days = append(days, mission.DayFigures{Date: time.Date(2026, 3, 1+n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), AccountFigures: mission.AccountFigures{Views: &fine}})
	}
	h := hostile{audience: mission.Audience{Now: mission.AccountFigures{Followers: &negative, Reach: &huge, Views: &fine}, Days: days}}
	got, err := publisher.Bounded(h).(publisher.Audiences).Audience(t.Context(), mission.Credentials{}, "2026-03-01")
	if err != nil || got.Now.Followers != nil || got.Now.Reach != nil || got.Now.Views == nil || len(got.Days) != mission.MaxAudienceDays+1 || got.Days[0].Date != "2026-03-01" {
		t.Errorf("got %+v and %d days, %v", got.Now, len(got.Days), err)
	}
	none, err := publisher.Bounded(struct{ publisher.Adapter }{}).(publisher.Audiences).Audience(t.Context(), mission.Credentials{}, "2026-03-01")
	if err != nil || !none.Now.None() || none.Days != nil {
		t.Errorf("of a platform without figures: got %+v, %v", none, err)
	}
}

func TestWhole(t *testing.T) {
	for number, want := range map[float64]int64{0: 0, 12: 12, mission.MaxAccountFigure: mission.MaxAccountFigure} {
		if got := publisher.Whole(&number); got == nil || *got != want {
			t.Errorf("%v: got %v", number, got)
		}
	}
	for _, number := range []float64{-1, 0.5, mission.MaxAccountFigure + 1, 1e300, math.Inf(1), math.Inf(-1), math.NaN()} {
		if got := publisher.Whole(&number); got != nil {
			t.Errorf("%v: got %d", number, *got)
		}
	}
	if publisher.Whole(nil) != nil {
		t.Error("none became a count")
	}
}

package mastodon

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// A server's own limits are known once it is connected, and are what it takes.
func TestLimitsOfTheServer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arrange func(s *mastodontest.Stub)
		want    mission.TextLimits
	}{
		"as Mastodon's":            {func(*mastodontest.Stub) {}, mission.TextLimits{MaxLength: 500, LinkLength: 23}},
		"longer":                   {func(s *mastodontest.Stub) { s.MaxCharacters, s.PerURL = 2000, 40 }, mission.TextLimits{MaxLength: 2000, LinkLength: 40}},
		"shorter, of an old one":   {func(s *mastodontest.Stub) { s.MaxCharacters, s.Old = 140, true }, mission.TextLimits{MaxLength: 140, LinkLength: 23}},
		"of one that doesn't tell": {func(s *mastodontest.Stub) { s.NoInstance = true }, mission.TextLimits{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.arrange(w.server)
			account, creds, err := w.adapter.Connect(t.Context(), w.creds)
			if err != nil || account.Limits != c.want {
				t.Fatalf("the limits are %+v, %v", account.Limits, err)
			}
			caps, _ := mission.CapabilitiesOf(mission.Mastodon)
			caps = caps.Within(account.Limits)
			link := " https://example.com/" + strings.Repeat("a", 60)
			fits := strings.Repeat("x", caps.MaxLength-caps.LinkLength-1) + link
			if !textlimit.Fits(caps, fits) || textlimit.Fits(caps, "x"+fits) {
				t.Errorf("a text of %d characters and a link isn't the longest", caps.MaxLength-caps.LinkLength-1)
			}
			if _, err := w.adapter.Publish(t.Context(), creds, part(fits, w.now)); err != nil {
				t.Error("the longest text:", err)
			}
			longer := part("x"+fits, w.now)
			longer.Content.Revision++
			if _, err := w.adapter.Publish(t.Context(), creds, longer); failed(t, err).Outcome != mission.OutcomeRefused {
				t.Errorf("a longer text: %v", err)
			}
		})
	}
}

// What a server says of itself fails no connection.
func TestLimitsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]mission.TextLimits{
		`{"max_toot_chars":5000}`:                                                                 {MaxLength: 5000},
		`{"configuration":{"statuses":{"max_characters":"many"}}}`:                                {},
		`{"configuration":{"statuses":{"max_characters":1e99}}}`:                                  {},
		`{"configuration":{"statuses":{"max_characters":-1,"characters_reserved_per_url":23}}}`:   {},
		`{"configuration":{"statuses":{"max_characters":99999999}}}`:                              {MaxLength: mission.MaxOwnLength},
		`{"configuration":{"statuses":{"max_characters":500,"characters_reserved_per_url":501}}}`: {MaxLength: 500},
		`{"configuration":{"statuses":{"max_characters":500,"characters_reserved_per_url":-23}}}`: {MaxLength: 500},
		`{"configuration":null}`: {},
		`<html>`:                 {},
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/instance") {
				_, _ = w.Write([]byte(body))
				return
			}
			_, _ = w.Write([]byte(`{"id":"7","username":"ada","acct":"ada"}`))
		}))
		t.Cleanup(h.Close)
		a := publisher.Bounded(New(publisher.NewClient(h.Client(), time.Now), Options{}))
		account, _, err := a.Connect(t.Context(), mission.Credentials{Server: h.URL, AccessToken: "t"})
		if err != nil || account.Limits != want {
			t.Errorf("%s: %+v, %v", body, account.Limits, err)
		}
	}
}

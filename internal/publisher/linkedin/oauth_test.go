package linkedin

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/mission"
)

func TestConsent(t *testing.T) {
	for _, scopes := range []string{"", "openid profile w_member_social r_member_postAnalytics"} {
		w := newWorld(t)
		w.options.Scopes = scopes
		a := w.adapter()
		address, g, err := a.Authorize(t.Context(), mission.Grant{State: "st4te", Verifier: "a-verifier", RedirectURL: linkedintest.RedirectURL})
		if err != nil {
			t.Fatal(err)
		}
		if scopes == "" {
			scopes = DefaultScopes
		}
		code, state, err := w.stub.Consent(address, scopes)
		if err != nil || state != g.State {
			t.Fatalf("the state is %q (%v)", state, err)
		}
		c, err := a.Exchange(t.Context(), g, code)
		if err != nil {
			t.Fatal(err)
		}
		if c.RefreshToken == "" || !slices.Equal(c.Scopes, strings.Fields(DefaultScopes)) || c.ExpiresAt == nil || !c.ExpiresAt.Equal(w.now.Add(60*24*time.Hour).Truncate(time.Millisecond)) {
			t.Errorf("got %+v", c)
		}
		if account, _, err := a.Connect(t.Context(), c); err != nil || account.ID != linkedintest.Person {
			t.Errorf("the account is %+v (%v)", account, err)
		}
		_, err = a.Exchange(t.Context(), g, code)
		if pe := w.failure(err); !pe.Unauthorized || strings.Contains(pe.Failure.Message, code) {
			t.Errorf("a code that is used: got %+v", pe)
		}
	}
}

func TestRefresh(t *testing.T) {
	w := newWorld(t)
	w.creds.Scopes = []string{"w_member_social"}
	c, err := w.adapter().Refresh(t.Context(), w.creds)
	if err != nil || c.RefreshToken != w.creds.RefreshToken || c.AccessToken == w.creds.AccessToken || c.AccountID != linkedintest.Person || !slices.Equal(c.Scopes, w.creds.Scopes) {
		t.Errorf("a response without a refresh token: got %+v, %v", c, err)
	}
	w.responds(http.StatusOK, `{"access_token":"a","refresh_token":"b"}`, "Content-Type", "application/json")
	if c, err = w.adapter().Refresh(t.Context(), c); err != nil || c.RefreshToken != "b" || c.ExpiresAt != nil {
		t.Errorf("a response with one: got %+v, %v", c, err)
	}
	w.responds(http.StatusServiceUnavailable, "busy", "Retry-After", "120")
	if _, err = w.adapter().Refresh(t.Context(), c); w.failure(err).Unauthorized || w.failure(err).RetryAfter != 2*time.Minute {
		t.Errorf("busy: got %+v", err)
	}
	c.RefreshToken = ""
	if _, err = w.adapter().Refresh(t.Context(), c); !w.failure(err).Unauthorized {
		t.Errorf("without a refresh token: got %v", err)
	}
}

func TestNoClient(t *testing.T) {
	w := newWorld(t)
	w.options.ClientID, w.options.ClientSecret = "", ""
	if _, _, err := w.adapter().Authorize(t.Context(), mission.Grant{}); !errors.Is(err, publisher.ErrNoClient) {
		t.Errorf("authorize: got %v", err)
	}
	if _, err := w.adapter().Exchange(t.Context(), mission.Grant{}, "code"); !errors.Is(err, publisher.ErrNoClient) {
		t.Errorf("exchange: got %v", err)
	}
	own := w.creds
	own.ClientID, own.ClientSecret = linkedintest.ClientID, linkedintest.ClientSecret
	if _, err := w.adapter().Refresh(t.Context(), own); err != nil {
		t.Errorf("refresh by the owner's own client: got %v", err)
	}
}

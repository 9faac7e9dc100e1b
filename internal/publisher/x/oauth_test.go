package x

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/x/xtest"
	"missiond/mission"
)

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

func consented(w *world, a *Adapter) (mission.Grant, string) {
	w.Helper()
	address, g, err := a.Authorize(w.Context(), mission.Grant{State: "st4te", Verifier: verifier, RedirectURL: xtest.RedirectURL})
	if err != nil {
		w.Fatal(err)
	}
	code, state, err := w.stub.Consent(address)
	if err != nil || state != g.State {
		w.Fatalf("the state is %q (%v)", state, err)
	}
	return g, code
}

func TestConsent(t *testing.T) {
	for name, secret := range map[string]string{"confidential": xtest.ClientSecret, "public": ""} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.stub.Secret = secret
			a := w.with(xtest.ClientID, secret)
			g, code := consented(w, a)
			c, err := a.Exchange(t.Context(), g, code)
			if err != nil {
				t.Fatal(err)
			}
			if c.RefreshToken == "" || !slices.Equal(c.Scopes, scopes) || c.ExpiresAt == nil || !c.ExpiresAt.Equal(w.now.Add(2*time.Hour).Truncate(time.Millisecond)) {
				t.Errorf("got %+v", c)
			}
			if account, _, err := a.Connect(t.Context(), c); err != nil || account.Handle != "ann" || account.URL != "https://x.com/ann" {
				t.Errorf("the account is %+v (%v)", account, err)
			}
			if _, err := a.Refresh(t.Context(), c); err != nil {
				t.Error("refresh:", err)
			}
			if _, err := a.Exchange(t.Context(), g, code); !w.failure(err).Unauthorized {
				t.Errorf("a code that is used: got %v", err)
			}
		})
	}
}

func TestConsentIsProven(t *testing.T) {
	w := newWorld(t)
	g, code := consented(w, w.adapter)
	g.Verifier += "x"
	_, err := w.adapter.Exchange(t.Context(), g, code)
	if pe := w.failure(err); !pe.Unauthorized || strings.Contains(pe.Failure.Message, code) {
		t.Errorf("got %+v", pe)
	}
}

func TestNoClient(t *testing.T) {
	w := newWorld(t)
	a := w.with("", "")
	if _, _, err := a.Authorize(t.Context(), mission.Grant{}); !errors.Is(err, publisher.ErrNoClient) {
		t.Errorf("authorize: got %v", err)
	}
	if _, err := a.Exchange(t.Context(), mission.Grant{}, "code"); !errors.Is(err, publisher.ErrNoClient) {
		t.Errorf("exchange: got %v", err)
	}
	if _, err := a.Refresh(t.Context(), w.creds); !w.failure(err).Unauthorized {
		t.Errorf("refresh: got %v", err)
	}
	own := w.creds
	own.ClientID, own.ClientSecret = xtest.ClientID, xtest.ClientSecret
	if _, err := a.Refresh(t.Context(), own); err != nil {
		t.Errorf("refresh by the owner's own client: got %v", err)
	}
}

func TestRefreshTokensRotate(t *testing.T) {
	w := newWorld(t)
	one, err := w.adapter.Refresh(t.Context(), w.creds)
	if err != nil || one.RefreshToken == w.creds.RefreshToken || one.AccountID != xtest.UserID {
		t.Fatalf("got %+v, %v", one, err)
	}
	_, err = w.adapter.Refresh(t.Context(), w.creds)
	if pe := w.failure(err); !pe.Unauthorized || strings.Contains(pe.Failure.Message, w.creds.RefreshToken) {
		t.Errorf("the old token: got %+v", pe)
	}
	w.stub.KeepsRefresh = true
	two, err := w.adapter.Refresh(t.Context(), one)
	if err != nil || two.RefreshToken != one.RefreshToken || two.AccessToken == one.AccessToken {
		t.Errorf("a response without a refresh token: got %+v, %v", two, err)
	}
	two.RefreshToken = ""
	n := len(w.stub.Requests)
	if _, err := w.adapter.Refresh(t.Context(), two); !w.failure(err).Unauthorized || len(w.stub.Requests) != n {
		t.Errorf("no refresh token: got %v", err)
	}
}

// A token endpoint that fails says nothing of the grant.
func TestRefreshThatFails(t *testing.T) {
	for name, tt := range map[string]struct {
		status       int
		body         string
		unauthorized bool
		code         string
		wait         time.Duration
	}{
		"busy":             {503, `busy`, false, publisher.CodeUnavailable, time.Minute},
		"broken":           {500, `{"error":"invalid_request"}`, false, publisher.CodeUnavailable, time.Minute},
		"limited":          {429, `{"title":"Too Many Requests"}`, false, publisher.CodeRateLimited, 9 * time.Minute},
		"a page":           {403, `<html>`, false, publisher.CodeUnavailable, time.Minute},
		"moved":            {302, ``, false, publisher.CodeUnavailable, time.Minute},
		"no JSON":          {200, `hello`, false, publisher.CodeMalformed, time.Minute},
		"no token":         {200, `{"token_type":"bearer"}`, false, publisher.CodeMalformed, time.Minute},
		"an endless one":   {200, `{"access_token":"` + strings.Repeat("a", 2<<20), false, publisher.CodeMalformed, time.Minute},
		"spent":            {400, `{"error":"invalid_request","error_description":"Value passed for the token was invalid."}`, true, publisher.CodeUnauthorized, 0},
		"revoked":          {400, `{"error":"invalid_grant"}`, true, publisher.CodeUnauthorized, 0},
		"unauthorized":     {401, `<html>`, true, publisher.CodeUnauthorized, 0},
		"an error with OK": {200, `{"error":"invalid_grant"}`, true, publisher.CodeUnauthorized, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.stub.Handle = func(rw http.ResponseWriter, _ *http.Request) bool {
				rw.Header().Set("x-rate-limit-reset", strconv.FormatInt(w.now.Add(9*time.Minute).Unix(), 10))
				xtest.Write(rw, tt.status, tt.body)
				return true
			}
			_, err := w.adapter.Refresh(t.Context(), w.creds)
			pe := w.failure(err)
			off := tt.wait - pe.RetryAfter
			if pe.Outcome != mission.OutcomeNotAccepted || pe.Unauthorized != tt.unauthorized || pe.Failure.Code != tt.code || off < 0 || off > time.Second {
				t.Errorf("got %+v", pe)
			}
			if len(w.stub.Requests) != 1 {
				t.Errorf("%d calls were made", len(w.stub.Requests))
			}
		})
	}
}

func TestRefreshThatStalls(t *testing.T) {
	w := newWorld(t)
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	w.stub.Handle = func(http.ResponseWriter, *http.Request) bool {
		<-done
		return true
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := w.adapter.Refresh(ctx, w.creds)
	if pe := w.failure(err); pe.Unauthorized || pe.Failure.Code != publisher.CodeUnreachable || pe.RetryAfter <= 0 {
		t.Errorf("got %+v", pe)
	}
}

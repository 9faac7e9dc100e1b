package publisher_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"missiond/internal/publisher"
)

// A token endpoint that repeats what it was sent gives no secret of the exchange
// away: its words end up in addresses and on pages.
func TestEchoedSecrets(t *testing.T) {
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{
			"error": "invalid_grant", "error_description": r.PostForm.Encode() + " " + r.PostForm.Get("code") + " " + r.PostForm.Get("code_verifier"),
		})
	}))
	defer echo.Close()
	flow := publisher.OAuth{
		Client: publisher.NewClient(echo.Client(), time.Now),
		Config: &oauth2.Config{ClientID: "id", ClientSecret: "s3cret/+", Endpoint: oauth2.Endpoint{TokenURL: echo.URL, AuthStyle: oauth2.AuthStyleInParams}},
	}
	_, err := flow.Exchange(t.Context(), "c0de/+=", "v3rifier")
	if err == nil || !strings.Contains(err.Error(), "grant_type") {
		t.Fatalf("the endpoint's words are %v", err)
	}
	for _, secret := range []string{"c0de", "v3rifier", "s3cret"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error has %q: %v", secret, err)
		}
	}
}

package missiond

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// WebhookEvent is an event as it is delivered. It may come more than once: ID says which one it is.
type WebhookEvent struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	CreatedAt time.Time       `json:"created_at"`
	Data      json.RawMessage `json:"data"`
}

// Verify returns the event of a webhook's request if its signature holds, by the Standard
// Webhooks, and its timestamp is within five minutes of now; respond to an error with 401. The
// body must be the bytes as they came. Of several secrets any may have signed.
func Verify(body []byte, header http.Header, secrets ...string) (WebhookEvent, error) {
	refused := errors.New("missiond: a webhook needs a secret")
	for _, secret := range secrets {
		hook, err := verifier(secret)
		if err != nil {
			return WebhookEvent{}, err
		}
		if refused = hook.Verify(body, header); refused != nil {
			continue
		}
		var e WebhookEvent
		if err := json.Unmarshal(body, &e); err != nil {
			return WebhookEvent{}, fmt.Errorf("missiond: a webhook's body: %w", err)
		}
		return e, nil
	}
	return WebhookEvent{}, refused
}

// verifier returns a verifier with the key of a secret: what follows whsec_ in base64, or else
// the text itself.
func verifier(secret string) (*standardwebhooks.Webhook, error) {
	if secret == "" || secret == "whsec_" {
		return nil, errors.New("missiond: a webhook's secret is empty")
	}
	if !strings.HasPrefix(secret, "whsec_") {
		return standardwebhooks.NewWebhookRaw([]byte(secret))
	}
	hook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return nil, errors.New("missiond: a webhook's secret must be base64 after whsec_") // without the secret
	}
	return hook, nil
}

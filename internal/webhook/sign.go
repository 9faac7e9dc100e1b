// Package webhook signs webhooks and sends them, to public addresses only.
package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// secretPrefix begins secrets in the Standard Webhooks form, of which the rest is
// the key in base64 (its specification, "Signature scheme").
const secretPrefix = "whsec_"

const secretLen = 32

// NewSecret returns a new signing secret.
func NewSecret() string {
	random := make([]byte, secretLen)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(random)
}

// Sign sets the signatures of a body in a request's headers: the interface's
// (section 6, "Signature headers") over "<timestamp>.<body>" with the secret as it
// is, and the Standard Webhooks' over "<id>.<timestamp>.<body>". While a secret is
// being replaced, several sign: the interface's header occurs once for each, newest
// first.
func Sign(h http.Header, id string, body []byte, at time.Time, secrets ...string) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	h.Set("X-SVC-Timestamp", timestamp)
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", timestamp)
	h.Del("X-SVC-Signature")
	var standard []string
	for _, secret := range secrets {
		h.Add("X-SVC-Signature", "sha256="+hex.EncodeToString(mac([]byte(secret), timestamp, ".", string(body))))
		standard = append(standard, "v1,"+base64.StdEncoding.EncodeToString(mac(standardKey(secret), id, ".", timestamp, ".", string(body))))
	}
	h.Set("webhook-signature", strings.Join(standard, " "))
}

// standardKey returns the Standard Webhooks key of a secret: what follows whsec_,
// decoded; for a secret of another form, its bytes.
func standardKey(secret string) []byte {
	if text, ok := strings.CutPrefix(secret, secretPrefix); ok {
		if key, err := base64.StdEncoding.DecodeString(text); err == nil {
			return key
		}
	}
	return []byte(secret)
}

func mac(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
	}
	return h.Sum(nil)
}

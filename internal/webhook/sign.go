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
// (section 6, "Signature headers") over "<timestamp>.<body>" with one of the secrets as
// it is, and the Standard Webhooks' over "<id>.<timestamp>.<body>". While a secret is
// being replaced, several sign: the interface's header has one signature all the same,
// since its recipe compares the whole of it; the Standard Webhooks' lists those of all.
func Sign(h http.Header, id string, body []byte, at time.Time, secret int, secrets ...string) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	h.Set("X-SVC-Timestamp", timestamp)
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", timestamp)
	h.Set("X-SVC-Signature", "sha256="+hex.EncodeToString(mac([]byte(secrets[secret]), timestamp, ".", string(body))))
	var standard []string
	for _, s := range secrets {
		for _, key := range standardKeys(s) {
			standard = append(standard, "v1,"+base64.StdEncoding.EncodeToString(mac(key, id, ".", timestamp, ".", string(body))))
		}
	}
	h.Set("webhook-signature", strings.Join(standard, " "))
}

// encodings are the forms of base64 in which a customer may have a key.
var encodings = []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding}

// standardKeys returns the keys that the Standard Webhooks libraries make of a secret:
// of one with whsec_ what follows, decoded; of one without, the text decoded, if it is
// base64, and its bytes (the libraries' raw form).
func standardKeys(secret string) [][]byte {
	text, prefixed := strings.CutPrefix(secret, secretPrefix)
	for _, encoding := range encodings {
		if key, err := encoding.DecodeString(text); err == nil && prefixed {
			return [][]byte{key}
		} else if err == nil {
			return [][]byte{key, []byte(secret)}
		}
	}
	return [][]byte{[]byte(secret)}
}

func mac(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
	}
	return h.Sum(nil)
}

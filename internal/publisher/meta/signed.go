package meta

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

const (
	// MaxSigned is the longest signed request, in bytes.
	MaxSigned = 4 << 10
	// signedFor is how long a signed request may be acted upon.
	signedFor = time.Hour
)

// Signed is a signed request: what Meta tells of a person to an application ("Data Deletion Request
// Callback", "Deauthorize Callback"), and how it was signed.
type Signed struct {
	payload, signature []byte
	claims             struct {
		Algorithm string      `json:"algorithm"`
		IssuedAt  int64       `json:"issued_at"`
		UserID    json.Number `json:"user_id"`
	}
}

// ReadSigned reads a signed request; ok is false if it has not the form of one. Nothing that it says is
// true before By is.
func ReadSigned(text string) (s Signed, ok bool) {
	signature, payload, ok := strings.Cut(text, ".")
	if !ok || len(text) > MaxSigned {
		return s, false
	}
	decode := func(text string) ([]byte, error) {
		return base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(text, "="))
	}
	var err error
	if s.signature, err = decode(signature); err != nil || len(s.signature) != sha256.Size {
		return s, false
	}
	claims, err := decode(payload)
	if err != nil || json.Unmarshal(claims, &s.claims) != nil {
		return s, false
	}
	s.payload = []byte(payload)
	return s, true
}

// By reports whether an application with a secret was sent the request. It takes the same time for each
// secret.
func (s Signed) By(secret string) bool {
	return secret != "" && hmac.Equal(s.signature, sum(secret, s.payload))
}

func sum(secret string, message []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write(message)
	return h.Sum(nil)
}

// Person returns the id of the person whom the request is about, and when it was made; ok is false if it
// is another kind of request, too old, or from the future.
func (s Signed) Person(now time.Time) (id string, at time.Time, ok bool) {
	at = time.Unix(s.claims.IssuedAt, 0).UTC()
	id = s.claims.UserID.String()
	return id, at, strings.EqualFold(s.claims.Algorithm, "HMAC-SHA256") && len(id) <= maxPerson && IsID(id) &&
		at.After(now.Add(-signedFor)) && at.Before(now.Add(clocksApart))
}

// maxPerson is the longest id of a person, in digits.
const maxPerson = 32

// Code returns a code for the request that nobody else can know, the same each time.
func (s Signed) Code(secret string) string {
	const enough = 20 // bytes
	code := sum(secret, append([]byte("code "), s.payload...))[:enough]
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(code))
}

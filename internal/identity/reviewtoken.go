package identity

import (
	"crypto/rand"
	"encoding/base64"
)

// tokenBytes is how many random bytes the token of a review link has.
const tokenBytes = 32

// NewReviewToken returns a new token of a review link: 256 random bits. HashKey returns its hash.
func NewReviewToken() string {
	random := make([]byte, tokenBytes)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the program instead
	return base64.RawURLEncoding.EncodeToString(random)
}

// IsReviewToken reports whether a text has the form of a token of a review link. One without it
// needs no lookup.
func IsReviewToken(text string) bool {
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && len(decoded) == tokenBytes
}

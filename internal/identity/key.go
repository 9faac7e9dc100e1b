// Package identity has the forms of credentials: API keys, session tokens, and the
// tokens of identity providers.
package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math/big"
	"strings"
)

// Parts of an API key: the prefix, 32 random bytes in base 62, and a checksum of
// both, so that a mistyped key is rejected without a lookup.
const (
	keyPrefix   = "cms_live_"
	randomLen   = 43 // digits of 256 bits in base 62
	checksumLen = 6  // digits of 32 bits in base 62
	shownLen    = 16
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewKey returns a new API key.
func NewKey() string { return newSecret(keyPrefix) }

func newSecret(prefix string) string {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the program instead
	body := prefix + encode(new(big.Int).SetBytes(random), randomLen)
	return body + checksum(body)
}

// encode returns n in base 62, padded to a length.
func encode(n *big.Int, length int) string {
	digits := make([]byte, length)
	base, digit := big.NewInt(int64(len(base62))), new(big.Int)
	for i := length - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		digits[i] = base62[digit.Int64()]
	}
	return string(digits)
}

func checksum(body string) string {
	return encode(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), checksumLen)
}

// IsKey reports whether s has the form of an API key, including a correct checksum.
func IsKey(s string) bool { return isSecret(keyPrefix, s) }

func isSecret(prefix, s string) bool {
	body := len(prefix) + randomLen
	return len(s) == body+checksumLen && strings.HasPrefix(s, prefix) && checksum(s[:body]) == s[body:]
}

// KeyPrefix returns the part of a key that is shown later.
func KeyPrefix(key string) string { return key[:min(shownLen, len(key))] }

// HashKey returns what is stored of a key: its SHA-256 in hex.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Bearer returns the credential of an Authorization header's value. Errors: if it
// doesn't have the form "Bearer <credential>".
func Bearer(header string) (string, error) {
	scheme, credential, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || credential == "" || strings.ContainsAny(credential, " \t") {
		return "", fmt.Errorf("identity: the Authorization header is not of the form Bearer <credential>")
	}
	return credential, nil
}

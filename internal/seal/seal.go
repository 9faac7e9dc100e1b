// Package seal encrypts what the database stores but must not reveal: signing keys
// and the secrets that tenants entrust to the service.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// keyLen is the length of an AES-256 key, in bytes.
const keyLen = 32

// version begins every sealed text.
const version = "v1."

// Keyring seals with its first key and opens with any of them, so that keys can be
// replaced one after the other. It is safe for concurrent use.
type Keyring struct {
	keys []key
}

type key struct {
	id   string // the beginning of the key's SHA-256, in hex
	aead cipher.AEAD
	mac  []byte // signs
}

// NewKey returns a new key in the form that Parse takes.
func NewKey() string {
	random := make([]byte, keyLen)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the program instead
	return base64.StdEncoding.EncodeToString(random)
}

// Parse parses keys: 32 bytes each, in base64, separated by commas or white space.
// The first one seals. Errors don't reveal the keys.
func Parse(text string) (*Keyring, error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	if len(parts) == 0 {
		return nil, errors.New("seal: no secret key is given")
	}
	keyring := &Keyring{}
	for i, part := range parts {
		raw, err := base64.StdEncoding.DecodeString(part)
		if err != nil || len(raw) != keyLen {
			return nil, fmt.Errorf("seal: secret key %d of %d isn't %d bytes in base64", i+1, len(parts), keyLen)
		}
		block, err := aes.NewCipher(raw)
		if err != nil {
			return nil, fmt.Errorf("seal: %w", err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("seal: %w", err)
		}
		sum := sha256.Sum256(raw)
		keyring.keys = append(keyring.keys, key{id: hex.EncodeToString(sum[:4]), aead: aead, mac: signature(raw, "signatures")})
	}
	return keyring, nil
}

// Seal encrypts plain with a context, such as "signing_keys/<id>": a text that is
// sealed with one context can't be opened with another.
func (r *Keyring) Seal(context string, plain []byte) string {
	k := r.keys[0]
	nonce := make([]byte, k.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails: crypto/rand ends the program instead
	return version + k.id + "." + base64.RawURLEncoding.EncodeToString(k.aead.Seal(nonce, nonce, plain, []byte(context)))
}

// Open decrypts a sealed text. Errors: if none of the keys sealed it, or it was
// changed, or it was sealed with another context.
func (r *Keyring) Open(context, sealed string) ([]byte, error) {
	id, text, ok := strings.Cut(strings.TrimPrefix(sealed, version), ".")
	if !ok || !strings.HasPrefix(sealed, version) {
		return nil, errors.New("seal: the text isn't sealed")
	}
	for _, k := range r.keys {
		if k.id != id {
			continue
		}
		raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
		if err != nil || len(raw) < k.aead.NonceSize() {
			return nil, errors.New("seal: the sealed text is damaged")
		}
		plain, err := k.aead.Open(nil, raw[:k.aead.NonceSize()], raw[k.aead.NonceSize():], []byte(context))
		if err != nil {
			return nil, errors.New("seal: the sealed text is damaged, or has another context")
		}
		return plain, nil
	}
	return nil, fmt.Errorf("seal: the secret key %s that sealed this isn't configured", id)
}

// Sign returns a signature of a text, for addresses: the same each time.
func (r *Keyring) Sign(text string) string {
	return base64.RawURLEncoding.EncodeToString(signature(r.keys[0].mac, text))
}

// Signed reports whether a signature is one of the text by any of the keys.
func (r *Keyring) Signed(text, by string) bool {
	given, err := base64.RawURLEncoding.Strict().DecodeString(by)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(r.keys, func(k key) bool { return hmac.Equal(given, signature(k.mac, text)) })
}

func signature(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(text))
	return mac.Sum(nil)
}

// Stale reports whether a sealed text was sealed with another key than the first.
func (r *Keyring) Stale(sealed string) bool {
	return !strings.HasPrefix(sealed, version+r.keys[0].id+".")
}

package identity

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"
)

// The development provider's names. Its tokens have the form of Clerk's
// session tokens, version 2.
const (
	devIssuer   = "https://identity.missiond.invalid"
	devAudience = "missiond-dev"
)

// DevProvider is an identity provider for development, which verifies nobody.
// Whoever has its key can be anyone.
type DevProvider struct {
	key ed25519.PrivateKey
	kid string
	now func() time.Time
}

// NewDevSeed returns a new key in the form that NewDevProvider takes.
func NewDevSeed() string {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails: crypto/rand ends the program instead
	return base64.StdEncoding.EncodeToString(seed)
}

// NewDevProvider returns the provider with a key. Errors: if the key has another
// form.
func NewDevProvider(seed string, now func() time.Time) (*DevProvider, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(seed))
	if err != nil || len(raw) != ed25519.SeedSize {
		return nil, errors.New("identity: the development provider's key isn't 32 bytes in base64")
	}
	key := ed25519.NewKeyFromSeed(raw)
	sum := sha256.Sum256(key[ed25519.SeedSize:])
	return &DevProvider{key: key, kid: "dev_" + hex.EncodeToString(sum[:8]), now: now}, nil
}

// DevPerson is the person for whom a token is issued. All fields but Email may be
// "".
type DevPerson struct {
	Email, Name                                      string
	Organization, OrganizationSlug, OrganizationRole string
}

// Token returns a token that is valid for life.
func (d *DevProvider) Token(who DevPerson, life time.Duration) (string, error) {
	now := d.now()
	subject := sha256.Sum256([]byte(strings.ToLower(who.Email)))
	claims := jwt.MapClaims{
		"iss": devIssuer, "aud": devAudience, "sub": "user_" + hex.EncodeToString(subject[:10]), "sid": "sess_" + rand.Text(),
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(life).Unix(), "v": 2, "sts": "active", "email": who.Email,
	}
	if who.Name != "" {
		claims["name"] = who.Name
	}
	if who.Organization != "" {
		o := map[string]any{"id": who.Organization, "rol": who.OrganizationRole}
		if who.OrganizationSlug != "" {
			o["slg"] = who.OrganizationSlug
		}
		claims["o"] = o
	}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims)
	token.Header["kid"] = d.kid
	return token.SignedString(d.key)
}

// keys returns the public key in a storage.
func (d *DevProvider) keys() (*jwkset.MemoryJWKSet, error) {
	jwk, err := jwkset.NewJWKFromKey(d.key.Public(), jwkset.JWKOptions{
		Metadata: jwkset.JWKMetadataOptions{ALG: jwkset.AlgEdDSA, KID: d.kid, USE: jwkset.UseSig},
	})
	if err != nil {
		return nil, err
	}
	storage := jwkset.NewMemoryStorage()
	return storage, storage.KeyWrite(context.Background(), jwk)
}

// JWKS returns the provider's public keys in the form in which they are served.
func (d *DevProvider) JWKS() (json.RawMessage, error) {
	storage, err := d.keys()
	if err != nil {
		return nil, err
	}
	return storage.JSONPublic(context.Background())
}

// Provider returns a Provider that verifies the development provider's tokens.
func (d *DevProvider) Provider() (*Provider, error) {
	storage, err := d.keys()
	if err != nil {
		return nil, err
	}
	config := ProviderConfig{
		Issuer: devIssuer, Audiences: []string{devAudience}, SessionClaim: "sid", EmailClaim: "email", NameClaim: "name",
	}
	return newProvider(config, d.now, storage, storage)
}

// DevOrigin returns the origin of the tenant of an organization at the development
// provider.
func DevOrigin(organization string) string {
	return External{Issuer: devIssuer, Organization: &Organization{ID: organization}}.Origin()
}

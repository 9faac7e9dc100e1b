package identity

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Marks of the service's own tokens, which no identity provider's tokens have.
const (
	tokenType   = "session+jwt" // the header's typ (RFC 8725, section 3.11)
	tokenIssuer = "missiond"
)

// maxToken is the longest token that is parsed, in bytes.
const maxToken = 16 << 10

// SigningKey signs session tokens from a time on.
type SigningKey struct {
	ID         string
	Private    ed25519.PrivateKey
	ActiveFrom time.Time
}

// SessionToken is the content of a session token.
type SessionToken struct {
	SessionID  string
	TenantID   string
	UserID     string
	Generation int
	ExpiresAt  time.Time
}

// Errors of Verify.
var (
	ErrToken      = errors.New("identity: not a valid session token")
	ErrUnknownKey = errors.New("identity: the token's signing key isn't known")
)

// Tokens signs and verifies session tokens: JWTs, EdDSA over Ed25519. It is safe
// for concurrent use.
type Tokens struct {
	now  func() time.Time
	keys atomic.Pointer[[]SigningKey]
}

// NewTokens returns Tokens without keys, on real time.
func NewTokens(now func() time.Time) *Tokens {
	t := &Tokens{now: now}
	t.keys.Store(&[]SigningKey{})
	return t
}

// SetKeys replaces the keys.
func (t *Tokens) SetKeys(keys []SigningKey) { t.keys.Store(&keys) }

// sessionClaims are the claims of a session token.
type sessionClaims struct {
	jwt.RegisteredClaims

	TenantID   string `json:"tid"`
	SessionID  string `json:"sid"`
	Generation int    `json:"gen"`
}

// Sign returns a token signed with the newest active key. Errors: if there is none.
func (t *Tokens) Sign(s SessionToken) (string, error) {
	now := t.now()
	var signer *SigningKey
	for _, k := range *t.keys.Load() {
		if !k.ActiveFrom.After(now) && (signer == nil || k.ActiveFrom.After(signer.ActiveFrom)) {
			signer = &k
		}
	}
	if signer == nil {
		return "", errors.New("identity: there is no active signing key")
	}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, sessionClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: tokenIssuer, Audience: jwt.ClaimStrings{tokenIssuer}, Subject: s.UserID, ID: rand.Text(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(s.ExpiresAt),
		},
		TenantID: s.TenantID, SessionID: s.SessionID, Generation: s.Generation,
	})
	token.Header["typ"], token.Header["kid"] = tokenType, signer.ID
	return token.SignedString(signer.Private)
}

// Verify checks a token's form, its signature and its time. Whether the session is
// still active is for the database to say. Errors: ErrUnknownKey if only its key is
// missing, ErrToken for anything else.
func (t *Tokens) Verify(token string) (SessionToken, error) {
	if len(token) > maxToken {
		return SessionToken{}, ErrToken
	}
	var claims sessionClaims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}), jwt.WithIssuer(tokenIssuer), jwt.WithAudience(tokenIssuer),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(t.now), jwt.WithStrictDecoding(),
	)
	_, err := parser.ParseWithClaims(token, &claims, t.key)
	switch {
	case errors.Is(err, ErrUnknownKey):
		return SessionToken{}, ErrUnknownKey
	case err != nil || claims.SessionID == "" || claims.TenantID == "" || claims.Subject == "":
		return SessionToken{}, ErrToken
	}
	return SessionToken{
		SessionID: claims.SessionID, TenantID: claims.TenantID, UserID: claims.Subject,
		Generation: claims.Generation, ExpiresAt: claims.ExpiresAt.UTC(),
	}, nil
}

// key returns the key that a token's header names, if it is one of ours.
func (t *Tokens) key(token *jwt.Token) (any, error) {
	_, critical := token.Header["crit"]
	if token.Header["typ"] != tokenType || critical {
		return nil, ErrToken
	}
	kid, ok := token.Header["kid"].(string)
	if !ok || !kidForm.MatchString(kid) {
		return nil, ErrToken
	}
	keys := *t.keys.Load()
	i := slices.IndexFunc(keys, func(k SigningKey) bool { return k.ID == kid })
	if i < 0 {
		return nil, ErrUnknownKey
	}
	return keys[i].Private.Public(), nil
}

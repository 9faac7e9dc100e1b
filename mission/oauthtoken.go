package mission

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"time"
)

// AgentTokenKind is what a token of an agent is for.
type AgentTokenKind string

// The kinds of tokens.
const (
	AgentCode    AgentTokenKind = "code"
	AgentAccess  AgentTokenKind = "access"
	AgentRefresh AgentTokenKind = "refresh"
)

// AgentToken is a token of a grant, without its secret.
type AgentToken struct {
	// Hash is the SHA-256 of the token, in hex.
	Hash     string `bun:",pk"`
	TenantID string
	AgentID  string
	Kind     AgentTokenKind
	// Parent is the hash of the code or the refresh token that it was issued for; "" for a code.
	Parent string
	// Challenge and RedirectURI are a code's.
	Challenge, RedirectURI string
	ExpiresAt, CreatedAt   time.Time
	// UsedAt is when a code was exchanged, or a refresh token rotated.
	UsedAt *time.Time
	// VoidedAt is when a refresh token was replaced by a sibling before it was used.
	VoidedAt *time.Time
}

// TokenUse is what becomes of a grant whose code or refresh token is used.
type TokenUse string

// What becomes of it.
const (
	// TokenIssues: the use is the first. The token is used up, and others are issued for it.
	TokenIssues TokenUse = "issues"
	// TokenIssuesAgain: the answer to the first use may have been lost. What that issued is voided.
	TokenIssuesAgain TokenUse = "issues_again"
	// TokenRefused: nothing is issued, and nothing ends.
	TokenRefused TokenUse = "refused"
	// TokenBurnt: nothing is issued, and the grant ends, since somebody else has the token.
	TokenBurnt TokenUse = "burnt"
)

// Redemption is the use of a code (RFC 6749, section 4.1.3).
type Redemption struct{ ClientID, RedirectURI, Verifier string }

// Redeem returns what becomes of a code that is used at now. A use that doesn't match burns it too.
func (t AgentToken) Redeem(r Redemption, clientID string, now time.Time) TokenUse {
	switch {
	case t.Kind != AgentCode:
		return TokenRefused
	case t.UsedAt != nil:
		return TokenBurnt
	case !now.Before(t.ExpiresAt):
		return TokenRefused
	case r.ClientID != clientID || r.RedirectURI != t.RedirectURI || !provesChallenge(r.Verifier, t.Challenge):
		return TokenBurnt
	}
	return TokenIssues
}

// Bounds of a verifier (RFC 7636, section 4.1).
const (
	minVerifier = 43
	maxVerifier = 128
)

// provesChallenge reports whether a challenge is the SHA-256 of a verifier.
func provesChallenge(verifier, challenge string) bool {
	if len(verifier) < minVerifier || len(verifier) > maxVerifier {
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

// Rotate returns what becomes of a refresh token that is used at now. successors are the refresh tokens that
// were issued for it.
func (t AgentToken) Rotate(clientID, grantClientID string, successors []AgentToken, now time.Time) TokenUse {
	switch {
	case t.Kind != AgentRefresh || clientID != grantClientID || !now.Before(t.ExpiresAt):
		return TokenRefused
	case t.VoidedAt != nil:
		return TokenBurnt
	case t.UsedAt == nil:
		return TokenIssues
	case !now.Before(t.UsedAt.Add(ReuseLeeway)):
		return TokenBurnt
	}
	for _, s := range successors {
		if s.UsedAt != nil {
			return TokenBurnt
		}
	}
	return TokenIssuesAgain
}

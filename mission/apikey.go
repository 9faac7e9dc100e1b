package mission

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of API keys. The interface leaves them open, except the grace
// (decisions, "Identity").
const (
	MaxKeyDays   = 3650
	MaxGraceDays = 90
	DefaultGrace = 7
	// MaxKeys is how many active keys a tenant may have, and how many rotating ones besides.
	MaxKeys = 50
)

// KeyStatus is the state of an API key (interface, section 3).
type KeyStatus string

// The states of a key. A key whose expiry or grace has passed is revoked.
const (
	KeyActive   KeyStatus = "active"
	KeyRotating KeyStatus = "rotating"
	KeyRevoked  KeyStatus = "revoked"
)

// AllKeyStatuses lists them.
func AllKeyStatuses() []KeyStatus { return []KeyStatus{KeyActive, KeyRotating, KeyRevoked} }

// APIKey is a tenant's key, without its secret.
type APIKey struct {
	ID       string `bun:",pk"`
	TenantID string
	// UserID is the user who created it; its scopes never exceed that user's.
	UserID string
	// MadeByKey is the key that it was created with, and ends with; "" if it
	// was created in a session or by the operator.
	MadeByKey string `bun:",nullzero"`
	Name      string
	KeyPrefix string
	Scopes    []Scope
	ExpiresAt *time.Time
	// GraceUntil is when a rotated key stops working.
	GraceUntil *time.Time
	RevokedAt  *time.Time
	// LastUsedAt and Requests lag by a few seconds.
	LastUsedAt *time.Time
	Requests   int64
	CreatedAt  time.Time
}

// KeyInput is the key that a caller requests (interface, section 4, "Create key
// body"). Nil Scopes are all scopes.
type KeyInput struct {
	Name          string  `json:"name" doc:"What it is for: 1 to 200 characters" example:"Deploy"`
	Scopes        []Scope `json:"scopes,omitempty" nullable:"true" doc:"What it may do. LEFT OUT OR null, THE KEY HOLDS EVERY SCOPE, admin among them: name what it needs" example:"missions:read"`
	ExpiresInDays *int    `json:"expires_in_days,omitempty" nullable:"true" doc:"In how many days it expires, 1 to 3650; null: never. A key that is made with an API key ends with that one at the latest" example:"90"`
}

// NewAPIKey returns the key that in requests. prefix is the part of its secret
// that is shown later. Errors: invalid_request, naming the field; forbidden if
// the maker lacks a scope.
func NewAPIKey(id, prefix string, in KeyInput, maker Principal, now time.Time) (APIKey, error) {
	if err := in.Check(); err != nil {
		return APIKey{}, err
	}
	scopes := in.scopes()
	for _, s := range scopes {
		if !maker.Has(s) {
			return APIKey{}, Forbidden(s)
		}
	}
	k := APIKey{
		ID: id, TenantID: maker.TenantID, UserID: maker.UserID, Name: strings.TrimSpace(in.Name),
		KeyPrefix: prefix, Scopes: scopes, CreatedAt: now,
	}
	if in.ExpiresInDays != nil {
		expires := now.Add(time.Duration(*in.ExpiresInDays) * 24 * time.Hour)
		k.ExpiresAt = &expires
	}
	return k, nil
}

// Notice returns a warning about the requested key, or "".
func (in KeyInput) Notice() string {
	if in.Scopes != nil {
		return ""
	}
	return "This key holds every scope, including admin, because the request named none. " +
		"List the scopes that the key needs in scopes, and revoke this key if it was not meant to hold them all."
}

// Under returns the key as one that was created with another, its maker: it
// ends no later than that. Errors: unauthorized if the maker has ended.
func (k APIKey) Under(maker APIKey, now time.Time) (APIKey, error) {
	if maker.EndedAt(now) != nil {
		return k, Unauthorized()
	}
	k.MadeByKey = maker.ID
	return k.EndingBy(maker.ExpiresAt).EndingBy(maker.GraceUntil), nil
}

// EndingBy returns the key with an expiry no later than at; nil is no bound.
func (k APIKey) EndingBy(at *time.Time) APIKey {
	if at != nil && (k.ExpiresAt == nil || k.ExpiresAt.After(*at)) {
		k.ExpiresAt = at
	}
	return k
}

// Check checks the rules that don't depend on the key's maker. Errors:
// invalid_request, naming the field.
func (in KeyInput) Check() error {
	if err := checkLine("name", in.Name, 1, MaxName); err != nil {
		return err
	}
	switch {
	case in.Scopes != nil && len(in.Scopes) == 0:
		return Invalid("scopes", "A key needs at least one scope (API: leave the field out for all of them).")
	case len(in.Scopes) > MaxListItems:
		return Invalid("scopes", "Too many scopes: there are only %d.", len(AllScopes()))
	}
	for i, s := range in.Scopes {
		if !slices.Contains(AllScopes(), s) {
			return Invalid(fmt.Sprintf("scopes[%d]", i), "Unknown scope %q: must be one of %s.", s, list(AllScopes()))
		}
	}
	if in.ExpiresInDays != nil && (*in.ExpiresInDays < 1 || *in.ExpiresInDays > MaxKeyDays) {
		return Invalid("expires_in_days", "The expiry must be between 1 and %d days (API: or null for a key that never expires).", MaxKeyDays)
	}
	return nil
}

// scopes returns the requested scopes, each once, in the interface's order.
func (in KeyInput) scopes() []Scope {
	if in.Scopes == nil {
		return AllScopes()
	}
	return slices.DeleteFunc(AllScopes(), func(s Scope) bool { return !slices.Contains(in.Scopes, s) })
}

// Status returns the key's state at now.
func (k APIKey) Status(now time.Time) KeyStatus {
	switch {
	case k.EndedAt(now) != nil:
		return KeyRevoked
	case k.GraceUntil != nil:
		return KeyRotating
	}
	return KeyActive
}

// EndsAt returns when the key stops or has stopped working: it was revoked, or its grace or
// its expiry passes, whichever comes first; nil is never.
func (k APIKey) EndsAt() *time.Time { return soonest(k.RevokedAt, k.GraceUntil, k.ExpiresAt) }

// EndedAt is EndsAt if the key has stopped working; nil if it still works at now.
func (k APIKey) EndedAt(now time.Time) *time.Time {
	if ends := k.EndsAt(); ends != nil && !ends.After(now) {
		return ends
	}
	return nil
}

// Revoke ends the key at once. changed is false if it has ended already.
func (k APIKey) Revoke(now time.Time) (revoked APIKey, changed bool) {
	if k.EndedAt(now) != nil {
		return k, false
	}
	k.RevokedAt = &now
	return k, true
}

// Rotate lets the key work only for the grace period, and returns it with its
// successor: the same name and scopes, created by the user who rotates, and
// with the same lifetime from now on. A key that was created with another, or
// is rotated with itself, doesn't get a longer lifetime that way. with is the
// key that the request was sent with, nil for a session; the successor ends
// with it (see Under), or with the old key's maker. graceDays nil is
// DefaultGrace. Errors: invalid_request; conflict for a key that is revoked or
// rotating; forbidden if the user lacks a scope; unauthorized if with has
// ended.
func (k APIKey) Rotate(id, prefix string, graceDays *int, by Principal, with *APIKey, now time.Time) (old, next APIKey, err error) {
	days := deref(graceDays, DefaultGrace)
	if days < 0 || days > MaxGraceDays {
		return k, next, Invalid("grace_period_days", "The grace period must be between 0 and %d days.", MaxGraceDays)
	}
	if s := k.Status(now); s != KeyActive {
		return k, next, Conflict("The key is %s; only an active key can be rotated.", s)
	}
	next, err = NewAPIKey(id, prefix, KeyInput{Name: k.Name, Scopes: k.Scopes}, by, now)
	if err != nil {
		return k, next, err
	}
	if next, err = k.succeed(next, with, now); err != nil {
		return k, next, err
	}
	until := now.Add(time.Duration(days) * 24 * time.Hour)
	if k.ExpiresAt != nil && k.ExpiresAt.Before(until) {
		until = *k.ExpiresAt
	}
	k.GraceUntil = &until
	return k, next, nil
}

// succeed returns the key's successor with its lifetime and its maker.
func (k APIKey) succeed(next APIKey, with *APIKey, now time.Time) (APIKey, error) {
	if k.ExpiresAt != nil {
		expires := now.Add(k.ExpiresAt.Sub(k.CreatedAt))
		next.ExpiresAt = &expires
	}
	if with != nil {
		return next.Under(*with, now)
	}
	if next.MadeByKey = k.MadeByKey; k.MadeByKey != "" {
		next = next.EndingBy(k.ExpiresAt)
	}
	return next, nil
}

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
	ID       string
	TenantID string
	// UserID is the user that made it; its scopes never exceed that user's.
	UserID    string
	Name      string
	KeyPrefix string
	Scopes    []Scope
	ExpiresAt *time.Time
	// GraceUntil is until when a key that was rotated still works.
	GraceUntil *time.Time
	RevokedAt  *time.Time
	// LastUsedAt and Requests lag by some seconds.
	LastUsedAt *time.Time
	Requests   int64
	CreatedAt  time.Time
}

// KeyInput is a key as a caller asks for it (interface, section 4, "Create key
// body"). No Scopes are all scopes.
type KeyInput struct {
	Name          string  `json:"name"`
	Scopes        []Scope `json:"scopes,omitempty"`
	ExpiresInDays *int    `json:"expires_in_days,omitempty"`
}

// NewAPIKey makes the key that in asks for. prefix is what is shown of its
// secret later. Errors: invalid_request, naming the field; forbidden where the
// maker lacks a scope.
func NewAPIKey(id, prefix string, in KeyInput, maker Principal, now time.Time) (APIKey, error) {
	if err := checkText("name", in.Name, 1, MaxName); err != nil {
		return APIKey{}, err
	}
	scopes, err := in.scopes()
	if err != nil {
		return APIKey{}, err
	}
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
		if *in.ExpiresInDays < 1 || *in.ExpiresInDays > MaxKeyDays {
			return APIKey{}, Invalid("expires_in_days", "A key expires in 1 to %d days, or never where this is null.", MaxKeyDays)
		}
		expires := now.Add(time.Duration(*in.ExpiresInDays) * 24 * time.Hour)
		k.ExpiresAt = &expires
	}
	return k, nil
}

// scopes answers what is asked for, each scope once, in the interface's order.
func (in KeyInput) scopes() ([]Scope, error) {
	if in.Scopes == nil {
		return AllScopes(), nil
	}
	if len(in.Scopes) == 0 {
		return nil, Invalid("scopes", "A key needs at least one scope; leave the field out for all of them.")
	}
	if len(in.Scopes) > MaxListItems {
		return nil, Invalid("scopes", "There are only %d scopes.", len(AllScopes()))
	}
	for i, s := range in.Scopes {
		if !slices.Contains(AllScopes(), s) {
			return nil, Invalid(fmt.Sprintf("scopes[%d]", i), "Unknown scope %q.", s)
		}
	}
	return slices.DeleteFunc(AllScopes(), func(s Scope) bool { return !slices.Contains(in.Scopes, s) }), nil
}

// Status answers the key's state at now.
func (k APIKey) Status(now time.Time) KeyStatus {
	switch {
	case k.EndedAt(now) != nil:
		return KeyRevoked
	case k.GraceUntil != nil:
		return KeyRotating
	}
	return KeyActive
}

// EndedAt answers when the key stopped working: it was revoked, or its grace
// or its expiry passed, whichever came first; nil where it still works at now.
func (k APIKey) EndedAt(now time.Time) *time.Time {
	var ended *time.Time
	for _, at := range []*time.Time{k.RevokedAt, k.GraceUntil, k.ExpiresAt} {
		if at != nil && !at.After(now) && (ended == nil || at.Before(*ended)) {
			ended = at
		}
	}
	return ended
}

// Revoke ends the key at once. changed is false for one that has ended.
func (k APIKey) Revoke(now time.Time) (revoked APIKey, changed bool) {
	if k.EndedAt(now) != nil {
		return k, false
	}
	k.RevokedAt = &now
	return k, true
}

// Rotate lets the key work for the grace only, and makes its successor: the
// same name and scopes, by the user who rotates, and with the same life from
// now on. graceDays nil is DefaultGrace. Errors: invalid_request; conflict for
// a key that is revoked or rotating; forbidden where the user lacks a scope.
func (k APIKey) Rotate(id, prefix string, graceDays *int, by Principal, now time.Time) (old, next APIKey, err error) {
	days := deref(graceDays, DefaultGrace)
	if days < 0 || days > MaxGraceDays {
		return k, next, Invalid("grace_period_days", "The grace period is 0 to %d days.", MaxGraceDays)
	}
	if s := k.Status(now); s != KeyActive {
		return k, next, Conflict("The key is %s: only an active key can be rotated.", s)
	}
	next, err = NewAPIKey(id, prefix, KeyInput{Name: k.Name, Scopes: k.Scopes}, by, now)
	if err != nil {
		return k, next, err
	}
	if k.ExpiresAt != nil {
		expires := now.Add(k.ExpiresAt.Sub(k.CreatedAt))
		next.ExpiresAt = &expires
	}
	until := now.Add(time.Duration(days) * 24 * time.Hour)
	if k.ExpiresAt != nil && k.ExpiresAt.Before(until) {
		until = *k.ExpiresAt
	}
	k.GraceUntil = &until
	return k, next, nil
}

package rest

import (
	"context"
	"net/http"
	"time"

	"missiond/mission"
)

const tagKeys = "API keys"

// keys registers the routes of API keys (interface, section 4).
func (a *API) keys() {
	handleBody(a, route{operation: mission.OpKeysCreate, method: http.MethodPost, path: "/v1/auth/keys", status: http.StatusCreated, summary: "Create an API key", tag: tagKeys}, a.createKey)
	handle(a, route{operation: mission.OpKeysList, method: http.MethodGet, path: "/v1/auth/keys", status: http.StatusOK, summary: "List API keys", tag: tagKeys}, a.listKeys)
	handle(a, route{operation: mission.OpKeysRead, method: http.MethodGet, path: "/v1/auth/keys/{id}", status: http.StatusOK, summary: "Read an API key", tag: tagKeys}, a.readKey)
	handle(a, route{operation: mission.OpKeysRevoke, method: http.MethodDelete, path: "/v1/auth/keys/{id}", status: http.StatusOK, summary: "Revoke an API key", tag: tagKeys}, a.revokeKey)
	handleBody(a, route{operation: mission.OpKeysRotate, method: http.MethodPost, path: "/v1/auth/keys/{id}/rotate", status: http.StatusOK, summary: "Rotate an API key", tag: tagKeys, bodyOptional: true}, a.rotateKey)
}

// KeyPath holds the parameters of a key's routes.
type KeyPath struct {
	ID string `path:"id" doc:"The key's id" example:"key_01jd0000000000000000000000"`
}

type createdKey struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Key       string          `json:"key" doc:"The secret, which is shown only this once"`
	KeyPrefix string          `json:"key_prefix"`
	Scopes    []mission.Scope `json:"scopes"`
	ExpiresAt *time.Time      `json:"expires_at"`
	CreatedAt time.Time       `json:"created_at"`
	Notice    *string         `json:"notice" doc:"A warning to show: the request listed no scopes, so the key holds ALL of them, including admin. null if it listed them"`
}

func (a *API) createKey(ctx context.Context, p mission.Principal, _ *RawText, in mission.KeyInput) (createdKey, error) {
	k, secret, err := a.accounts.CreateKey(ctx, p, in)
	return createdKey{
		ID: k.ID, Name: k.Name, Key: secret, KeyPrefix: k.KeyPrefix, Scopes: k.Scopes, ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
		Notice: orNull(in.Notice()),
	}, err
}

// ShownKey is an API key without its secret.
type ShownKey struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	KeyPrefix  string            `json:"key_prefix"`
	Scopes     []mission.Scope   `json:"scopes"`
	LastUsedAt *time.Time        `json:"last_used_at" doc:"Up to a minute late"`
	ExpiresAt  *time.Time        `json:"expires_at"`
	Status     mission.KeyStatus `json:"status"`
	CreatedAt  time.Time         `json:"created_at"`
	// The credential that created it.
	CreatedByUserID string  `json:"created_by_user_id" doc:"The user who created it, even if the user was removed since"`
	CreatedByKeyID  *string `json:"created_by_key_id" doc:"The API key that created it and with which it ends; null if it was created in a session"`
}

func (a *API) showKey(k mission.APIKey) ShownKey {
	return ShownKey{
		ID: k.ID, Name: k.Name, KeyPrefix: k.KeyPrefix, Scopes: k.Scopes, LastUsedAt: k.LastUsedAt,
		ExpiresAt: k.ExpiresAt, Status: k.Status(a.clock.Now()), CreatedAt: k.CreatedAt,
		CreatedByUserID: k.UserID, CreatedByKeyID: orNull(k.MadeByKey),
	}
}

func (a *API) listKeys(ctx context.Context, p mission.Principal, in *Paging) (page[ShownKey], error) {
	list, more, err := a.accounts.Keys(ctx, p, in.page())
	if err != nil {
		return page[ShownKey]{}, namingCursor(err)
	}
	total, err := a.accounts.CountKeys(ctx, p)
	return pageOf(list, more, total, a.showKey), err
}

type keyUsage struct {
	TotalRequests int64 `json:"total_requests" doc:"Up to a minute late"`
	Last30Days    int64 `json:"last_30_days" doc:"Up to a minute late"`
}

type readKey struct {
	ShownKey

	Usage keyUsage `json:"usage"`
}

func (a *API) readKey(ctx context.Context, p mission.Principal, in *KeyPath) (readKey, error) {
	k, err := a.accounts.Key(ctx, p, in.ID)
	if err != nil {
		return readKey{}, err
	}
	recent, err := a.accounts.KeyUsage(ctx, p, k)
	return readKey{ShownKey: a.showKey(k), Usage: keyUsage{TotalRequests: k.Requests, Last30Days: recent[k.ID]}}, err
}

type revokedKey struct {
	ID        string            `json:"id"`
	Status    mission.KeyStatus `json:"status"`
	RevokedAt *time.Time        `json:"revoked_at"`
	// AlsoRevoked are the keys that were revoked with it.
	AlsoRevoked []string `json:"also_revoked" doc:"The keys created with it, directly or through another key: they were revoked with it"`
}

func (a *API) revokeKey(ctx context.Context, p mission.Principal, in *KeyPath) (revokedKey, error) {
	k, with, err := a.accounts.RevokeKey(ctx, p, in.ID)
	now, also := a.clock.Now(), make([]string, len(with))
	for i, made := range with {
		also[i] = made.ID
	}
	return revokedKey{ID: k.ID, Status: k.Status(now), RevokedAt: k.EndedAt(now), AlsoRevoked: also}, err
}

type rotateParams struct {
	KeyPath
	RawText
}

type rotateBody struct {
	GracePeriodDays *int `json:"grace_period_days,omitempty" doc:"0 to 90; 7 if omitted"`
}

type oldKey struct {
	ID         string            `json:"id"`
	Status     mission.KeyStatus `json:"status"`
	ValidUntil *time.Time        `json:"valid_until"`
}

type newKey struct {
	ID        string          `json:"id"`
	Key       string          `json:"key" doc:"The secret, which is shown only this once"`
	KeyPrefix string          `json:"key_prefix"`
	Scopes    []mission.Scope `json:"scopes"`
	CreatedAt time.Time       `json:"created_at"`
}

type rotatedKey struct {
	OldKey oldKey `json:"old_key"`
	NewKey newKey `json:"new_key"`
}

func (a *API) rotateKey(ctx context.Context, p mission.Principal, in *rotateParams, body rotateBody) (rotatedKey, error) {
	old, next, secret, err := a.accounts.RotateKey(ctx, p, in.ID, body.GracePeriodDays)
	return rotatedKey{
		OldKey: oldKey{ID: old.ID, Status: old.Status(a.clock.Now()), ValidUntil: old.GraceUntil},
		NewKey: newKey{ID: next.ID, Key: secret, KeyPrefix: next.KeyPrefix, Scopes: next.Scopes, CreatedAt: next.CreatedAt},
	}, err
}

package rest

import (
	"context"
	"time"

	"missiond/mission"
)

const tagKeys tag = "API keys"

// routeKeys registers the routes of API keys (interface, section 4).
func (a *API) routeKeys() {
	handleBody(a, tagKeys.post(mission.OpKeysCreate, "/v1/auth/keys", "Create an API key").created().
		withExample(`{"name":"CI","scopes":["missions:read"],"expires_in_days":90}`), a.createKey)
	handle(a, tagKeys.get(mission.OpKeysList, "/v1/auth/keys", "List API keys"), a.listKeys)
	handle(a, tagKeys.get(mission.OpKeysRead, "/v1/auth/keys/{id}", "Read an API key"), a.readKey)
	handle(a, tagKeys.delete(mission.OpKeysRevoke, "/v1/auth/keys/{id}", "Revoke an API key"), a.revokeKey)
	handleBody(a, tagKeys.post(mission.OpKeysRotate, "/v1/auth/keys/{id}/rotate", "Rotate an API key").optionalBody().
		withExample(`{"grace_period_days":7}`), a.rotateKey)
}

// KeyPath has the parameters of a key's routes.
type KeyPath struct {
	ID string `path:"id" doc:"The key's id" example:"key_01jd0000000000000000000000"`
}

type createdKey struct {
	ID        string          `json:"id" doc:"Its id" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	Name      string          `json:"name" doc:"What it is for" example:"Deploy"`
	Key       string          `json:"key" doc:"The secret, which is shown only this once" example:"sk_live_4eC39HqLyjWDarjtT1zdp7dc4eC39HqL"`
	KeyPrefix string          `json:"key_prefix" doc:"How the secret begins" example:"sk_live_4eC3"`
	Scopes    []mission.Scope `json:"scopes" doc:"What it allows" example:"missions:read,missions:write"`
	ExpiresAt *time.Time      `json:"expires_at" doc:"Until when it is valid"`
	CreatedAt time.Time       `json:"created_at" doc:"When it was made"`
	Notice    *string         `json:"notice" doc:"A warning to show: the request listed no scopes, so the key holds ALL of them, including admin. null if it listed them" example:"This key holds every scope, including admin, because the request named none. List the scopes that the key needs in scopes, and revoke this key if it was not meant to hold them all."`
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
	ID         string            `json:"id" doc:"Its id" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	Name       string            `json:"name" doc:"What it is for" example:"Deploy"`
	KeyPrefix  string            `json:"key_prefix" doc:"How the secret begins" example:"sk_live_4eC3"`
	Scopes     []mission.Scope   `json:"scopes" doc:"What it allows" example:"missions:read,missions:write"`
	LastUsedAt *time.Time        `json:"last_used_at" doc:"Up to a minute late"`
	ExpiresAt  *time.Time        `json:"expires_at" doc:"Until when it is valid"`
	Status     mission.KeyStatus `json:"status" doc:"An expired key is revoked" example:"active"`
	CreatedAt  time.Time         `json:"created_at" doc:"When it was made"`
	// The credential that created it.
	CreatedByUserID string  `json:"created_by_user_id" doc:"The user who created it, even if the user was removed since" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	CreatedByKeyID  *string `json:"created_by_key_id" doc:"The API key that created it and with which it ends; null if it was created in a session" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cr"`
}

func (a *API) showKey(k mission.APIKey) ShownKey {
	return ShownKey{
		ID: k.ID, Name: k.Name, KeyPrefix: k.KeyPrefix, Scopes: k.Scopes, LastUsedAt: k.LastUsedAt,
		ExpiresAt: k.ExpiresAt, Status: k.Status(a.clock.Now()), CreatedAt: k.CreatedAt,
		CreatedByUserID: k.UserID, CreatedByKeyID: orNull(k.MadeByKey),
	}
}

func (a *API) listKeys(ctx context.Context, p mission.Principal, in *Paging) (page[ShownKey], error) {
	list, err := a.accounts.Keys(ctx, p, in.page())
	return counted(list, err, func() (int, error) { return a.accounts.CountKeys(ctx, p) }, a.showKey)
}

type keyUsage struct {
	TotalRequests int64 `json:"total_requests" doc:"Up to a minute late" example:"10482"`
	Last30Days    int64 `json:"last_30_days" doc:"Up to a minute late" example:"812"`
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
	ID        string            `json:"id" doc:"Its id" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	Status    mission.KeyStatus `json:"status" enum:"revoked" doc:"revoked" example:"revoked"`
	RevokedAt *time.Time        `json:"revoked_at" nullable:"false" doc:"When it was revoked"`
	// AlsoRevoked are the keys that were revoked with it.
	AlsoRevoked []string `json:"also_revoked" doc:"The keys created with it, directly or through another key: they were revoked with it" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cq"`
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
	GracePeriodDays *int `json:"grace_period_days,omitempty" nullable:"true" doc:"0 to 90; 7 if omitted" example:"7"`
}

type oldKey struct {
	ID         string            `json:"id" doc:"Its id" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	Status     mission.KeyStatus `json:"status" doc:"rotating keys work until valid_until" example:"rotating"`
	ValidUntil *time.Time        `json:"valid_until" nullable:"false" doc:"Until when it works"`
}

type newKey struct {
	ID        string          `json:"id" doc:"Its id" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	Key       string          `json:"key" doc:"The secret, which is shown only this once" example:"sk_live_4eC39HqLyjWDarjtT1zdp7dc4eC39HqL"`
	KeyPrefix string          `json:"key_prefix" doc:"How the secret begins" example:"sk_live_4eC3"`
	Scopes    []mission.Scope `json:"scopes" doc:"What it allows" example:"missions:read,missions:write"`
	CreatedAt time.Time       `json:"created_at" doc:"When it was made"`
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
